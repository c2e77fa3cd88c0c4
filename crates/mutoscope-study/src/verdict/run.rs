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
    moment::{MAX_RECENT, Moment, RECENT_S, RecentSample, push_recent},
    sample_values::SampleValues,
    scene::Scene,
};

/// The number of samples that a step checks before it returns, so that other work gets a turn.
const SAMPLES_PER_STEP: usize = 256;

/// The number of samples that a thread checks at once. A thread first samples up to
/// [`MAX_RECENT`] samples before its block again, so a smaller block would waste more time.
const SAMPLES_PER_BLOCK: usize = 2048;

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
        let Self { scene, times, running, sampler, .. } = self;
        let mut values = new_values(running);
        let state =
            (0..SAMPLES_PER_STEP).try_for_each(|_| sampler.run_on_next(scene, times, &mut values));
        add_values(running, values);
        state
    }

    /// Runs the checks on all samples, on all threads.
    pub(super) fn run_on_all_threads(&mut self) {
        self.run_in_blocks(SAMPLES_PER_BLOCK);
    }

    fn run_in_blocks(&mut self, block_size: usize) {
        let Self { scene, times, running, .. } = self;
        let empty = new_values(running);
        let measure = |block: usize| {
            let start = block * block_size;
            let end = times.len().min(start + block_size);
            let mut sampler = Sampler::before_sample(start, scene, times);
            let mut values = empty.clone();
            while sampler.run_on_next(scene, &times[..end], &mut values).is_continue() {}
            values
        };
        let count = times.len().div_ceil(block_size);
        map_all_in_order(count, measure, |values| add_values(running, values));
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

fn new_values(running: &[Findings]) -> Vec<SampleValues> {
    running.iter().map(Findings::new_values).collect()
}

fn add_values(running: &mut [Findings], values: Vec<SampleValues>) {
    running.iter_mut().zip(values).for_each(|(findings, values)| findings.add_values(values));
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
    /// Creates a sampler whose next sample has the index `start`. Samples the times before it that
    /// checks look back to, without running checks.
    fn before_sample(start: usize, scene: &Scene<'_>, times: &[f64]) -> Self {
        let is_old = |time: &f64| times[start] - time > RECENT_S;
        let first_recent = times[..start].partition_point(is_old);
        let first = first_recent.max(start.saturating_sub(MAX_RECENT));
        // The checks compare each sample with the one before, however old that is.
        let next = first.min(start.saturating_sub(1));
        let mut sampler = Self { next, ..Self::default() };
        while sampler.run_on_next(scene, &times[..start], &mut []).is_continue() {}
        sampler
    }

    /// Runs the checks of `values` at the next of `times`, or returns `Break` if there is none.
    pub(super) fn run_on_next(
        &mut self,
        scene: &Scene<'_>,
        times: &[f64],
        values: &mut [SampleValues],
    ) -> ControlFlow<()> {
        let index = self.next;
        let Some(&time) = times.get(index) else { return ControlFlow::Break(()) };
        self.next += 1;
        mem::swap(&mut self.previous, &mut self.pose);
        scene.clip.sample_motion(time, &mut self.pose);
        if self.recent.is_empty() {
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
        for values in values {
            if let Find::Frame(find) = values.check.find {
                find(scene, &moment, values);
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use mutoscope_core::{ReadOptions, decode};

    use super::*;

    /// Thresholds that some samples of the recording cross and some do not.
    const STRICT: &str = "[codes.\"hand/jump\"]\nthreshold = 0.2\n\
                          [codes.\"hand/jitter\"]\nthreshold = 0.0001\n\
                          [codes.\"hand/bone-length\"]\nthreshold = 0.001\n\
                          [codes.\"hand/together\"]\nthreshold = 0.3\n\
                          [codes.\"head/speed\"]\nthreshold = 0.2\nthreshold_mps = 0.05\n\
                          [codes.\"gaze/fixed\"]\nthreshold = 1.0\n";

    #[test]
    fn blocks_have_the_same_problems_as_steps() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/mrtk/two-hands.bin");
        let clip = decode(&std::fs::read(path).unwrap()[..], &ReadOptions::default()).unwrap();
        let profile = Profile::parse("strict.toml", STRICT, &[]).unwrap();
        let check = |run: &dyn Fn(&mut MotionRun<'_>)| -> Vec<String> {
            let mut motion = MotionRun::new(&clip, &profile, |_| true);
            run(&mut motion);
            let CheckedClip { diagnostics, worst_values, .. } = motion.finish();
            let problem = |one: &ClipDiagnostic| {
                // The durations of parts are added in another order.
                let value = one.measure.map(|measure| (measure.value * 1e9).round());
                format!("{} {:?} {:?} {:?} {value:?}", one.code, one.time, one.end, one.key)
            };
            let worst = worst_values.iter().map(|one| format!("{} {:.9}", one.code, one.value));
            diagnostics.iter().map(problem).chain(worst).collect()
        };
        let in_steps = check(&|motion| while motion.step().is_continue() {});
        let count = in_steps.iter().filter(|line| line.contains("Some")).count();
        assert!(count >= 5, "only {count} problems");
        for size in [1, 7, 100, SAMPLES_PER_BLOCK] {
            assert_eq!(check(&|motion| motion.run_in_blocks(size)), in_steps, "blocks of {size}");
        }
    }
}
