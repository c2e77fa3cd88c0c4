//! Runs the checks in steps, for a thread that also has other work.

use std::{collections::VecDeque, mem, ops::ControlFlow};

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::{Code, Severity},
    io::parallel::map_all_in_order,
    measure::checks::{CheckRun, ClipDiagnostic},
};

use super::{
    CheckedClip, Profile,
    check::{Find, motion_checks},
    findings::Findings,
    moment::{Moment, RecentSample, push_recent},
    scene::Scene,
};

/// The number of samples that a step checks before it returns, so that other work gets a turn.
const SAMPLES_PER_STEP: usize = 256;

/// The largest number of samples that a thread takes at once.
const MAX_BLOCK: usize = 64;

/// The largest number of nodes in the samples that a thread takes at once, so that recordings with
/// many nodes need little memory.
const MAX_NODES_PER_BLOCK: usize = 1 << 14;

/// A resumable run of all checks, which also lists the diagnostics of the decoder.
pub struct ClipRun<'a> {
    clip: &'a Clip,
    profile: &'a Profile,
    tracks: CheckRun<'a>,
    /// `None` until the checks of tracks have ended.
    motion: Option<MotionRun<'a>>,
}

impl<'a> ClipRun<'a> {
    /// Creates a run of all checks of `profile` on `clip`, before the first step.
    pub fn new(clip: &'a Clip, profile: &'a Profile) -> Self {
        Self { clip, profile, tracks: CheckRun::new(clip), motion: None }
    }

    /// Performs the next step, or returns `Break` if all checks have ended.
    pub fn step(&mut self) -> ControlFlow<()> {
        match &mut self.motion {
            Some(motion) => motion.step(),
            None => {
                if self.tracks.step().is_break() {
                    self.motion = Some(MotionRun::new(self.clip, self.profile, |_| true));
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// Returns the diagnostics of the decoder and of the steps so far, sorted by time. Those without
    /// a time come first.
    pub fn finish(self) -> CheckedClip {
        let motion = self.motion.map(MotionRun::finish).unwrap_or_default();
        join(self.profile, self.tracks.finish(), motion)
    }
}

/// Joins the diagnostics of tracks, with the severities of `profile`, and those of motion. Sorts them
/// by time; those without a time come first.
pub(super) fn join(
    profile: &Profile,
    tracks: Vec<ClipDiagnostic>,
    mut motion: CheckedClip,
) -> CheckedClip {
    let mut diagnostics = profile.apply_to_clip(tracks);
    diagnostics.append(&mut motion.diagnostics);
    let time = |diagnostic: &ClipDiagnostic| diagnostic.time.unwrap_or(f64::NEG_INFINITY);
    diagnostics.sort_by(|a, b| time(a).total_cmp(&time(b)));
    CheckedClip { diagnostics, ..motion }
}

/// A resumable run of the checks of motion.
pub(super) struct MotionRun<'a> {
    scene: Scene<'a>,
    times: Vec<f64>,
    running: Vec<Findings>,
    not_applicable: Vec<Code>,
    sampler: Sampler,
}

impl<'a> MotionRun<'a> {
    /// Creates a run of the checks whose severity `is_needed`. Checks that do not apply are listed
    /// even if they are not needed.
    pub(super) fn new(
        clip: &'a Clip,
        profile: &Profile,
        is_needed: impl Fn(Severity) -> bool,
    ) -> Self {
        let scene = Scene::new(clip);
        let mut times = scene.sample_times();
        let (mut running, mut not_applicable) = (Vec::new(), Vec::new());
        for check in motion_checks() {
            let Some(severity) = profile.severity(check.code.as_str(), check.severity) else {
                continue;
            };
            let is_applicable = scene.meets(check.need, times.len());
            if is_applicable && is_needed(severity) {
                running.push(Findings::new(check, profile.threshold(check), severity));
            } else if !is_applicable && !not_applicable.contains(&check.code) {
                not_applicable.push(check.code);
            }
        }
        let runs_on_samples = |findings: &Findings| matches!(findings.check().find, Find::Frame(_));
        if !running.iter().any(runs_on_samples) {
            times.clear();
        }
        Self { scene, times, running, not_applicable, sampler: Sampler::default() }
    }

    /// Runs the checks on the next samples, or returns `Break` after the last sample.
    pub(super) fn step(&mut self) -> ControlFlow<()> {
        for _ in 0..SAMPLES_PER_STEP {
            self.sampler.run_on_next(&self.scene, &self.times, &mut self.running)?;
        }
        ControlFlow::Continue(())
    }

    /// Samples the recording on all threads, and runs the checks on this thread, because they join the
    /// problems of successive samples.
    pub(super) fn run_on_all_threads(&mut self) {
        let Self { scene, times, running, sampler, .. } = self;
        let block_size = (MAX_NODES_PER_BLOCK / scene.clip.nodes.len().max(1)).clamp(1, MAX_BLOCK);
        let blocks: Vec<&[f64]> = times.chunks(block_size).collect();
        let sample = |block: usize| scene.clip.sample_motion_at(blocks[block]);
        map_all_in_order(blocks.len(), sample, |poses| {
            poses.into_iter().for_each(|pose| sampler.run_on(scene, pose, running));
        });
    }

    /// Runs the checks of the whole clip. Returns the diagnostics, those of each check together.
    pub(super) fn finish(self) -> CheckedClip {
        let not_applicable = self.not_applicable;
        let mut checked = CheckedClip { not_applicable, ..CheckedClip::default() };
        for mut findings in self.running {
            if let Find::Clip(find) = findings.check().find {
                find(&self.scene, &mut findings);
            }
            findings.finish(self.scene.clip, &mut checked);
        }
        checked
    }
}

/// Samples a recording in the order of time, and keeps what the checks need of earlier samples.
#[derive(Default)]
pub(super) struct Sampler {
    next: usize,
    pose: Pose,
    previous: Pose,
    recent: VecDeque<RecentSample>,
}

impl Sampler {
    /// Runs the checks at the next of `times`, or returns `Break` if there is none.
    pub(super) fn run_on_next(
        &mut self,
        scene: &Scene<'_>,
        times: &[f64],
        running: &mut [Findings],
    ) -> ControlFlow<()> {
        let Some(&time) = times.get(self.next) else { return ControlFlow::Break(()) };
        let mut pose = mem::take(&mut self.previous);
        scene.clip.sample_motion(time, &mut pose);
        self.run_on(scene, pose, running);
        ControlFlow::Continue(())
    }

    /// Runs the checks on the next sample.
    fn run_on(&mut self, scene: &Scene<'_>, pose: Pose, running: &mut [Findings]) {
        let (index, time) = (self.next, pose.time);
        self.next += 1;
        self.previous = mem::replace(&mut self.pose, pose);
        if index == 0 {
            self.previous.clone_from(&self.pose);
        }
        push_recent(&mut self.recent, RecentSample::new(scene, time, &self.pose));
        let moment = Moment {
            index,
            time,
            elapsed_s: time - self.previous.time,
            pose: &self.pose,
            previous: &self.previous,
            recent: &self.recent,
        };
        for findings in running {
            if let Find::Frame(find) = findings.check().find {
                find(scene, &moment, findings);
            }
        }
    }
}
