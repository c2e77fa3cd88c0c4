//! Judges whether a recording is usable: checks of hands, heads, gaze, bodies, markers and times,
//! with thresholds in units that people know.
//!
//! The checks of [`mutoscope_core::measure::checks`] compare a track with its own keys. The checks
//! of this module know what a hand or a foot is. They sample a recording once, in the order of time,
//! and keep only a moment of it in memory.
//!
//! | file | what it does |
//! |---|---|
//! | `check` | the table of the checks |
//! | `scene` | the subjects of a recording, the sampled times, the usual lengths of bones |
//! | `moment` | two consecutive samples |
//! | `findings` | joins the samples with a problem, and describes them |
//! | `hand`, `head`, `body`, `marker`, `time` | the checks |
//! | `codes` | their codes |
//! | `profile` | thresholds and severities, in TOML files |
//! | `outcome` | the verdict: pass, review or fail |

mod body;
mod check;
mod codes;
mod findings;
mod hand;
mod head;
mod marker;
mod moment;
mod outcome;
mod profile;
mod scene;
mod time;

pub use check::{Limit, Measured, MotionCheck, Need, motion_checks};
pub use outcome::{Outcome, Reason, Verdict};
pub use profile::{CheckedClip, Profile};

use std::collections::VecDeque;

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::Code,
};

use check::Find;
use findings::Findings;
use moment::{Moment, RecentSample, push_recent};
use scene::Scene;

/// The codes of the checks of motion.
pub(crate) const CODES: [&[Code]; 6] = [
    codes::hand::CODES,
    codes::head::CODES,
    codes::gaze::CODES,
    codes::body::CODES,
    codes::marker::CODES,
    codes::time::CODES,
];

/// Runs the checks of motion on `clip`, with the thresholds and severities of `profile`.
pub fn check_motion(clip: &Clip, profile: &Profile) -> CheckedClip {
    let scene = Scene::new(clip);
    let times = scene.sample_times();
    let mut checked = CheckedClip::default();
    let mut running = Vec::new();
    for check in motion_checks() {
        let Some(severity) = profile.severity(check.code.as_str(), check.severity) else {
            continue;
        };
        if scene.meets(check.need, times.len()) {
            running.push(Findings::new(check, profile.threshold(check), severity));
        } else if !checked.not_applicable.contains(&check.code) {
            checked.not_applicable.push(check.code);
        }
    }
    run_on_samples(&scene, &times, &mut running);
    for mut findings in running {
        if let Find::Clip(find) = findings.check().find {
            find(&scene, &mut findings);
        }
        checked.diagnostics.append(&mut findings.finish(clip));
    }
    checked
}

fn run_on_samples(scene: &Scene<'_>, times: &[f64], running: &mut [Findings]) {
    let runs_on_samples = |findings: &Findings| matches!(findings.check().find, Find::Frame(_));
    if !running.iter().any(runs_on_samples) {
        return;
    }
    let (mut previous, mut pose) = (Pose::default(), Pose::default());
    let mut recent = VecDeque::new();
    for (index, &time) in times.iter().enumerate() {
        std::mem::swap(&mut previous, &mut pose);
        scene.clip.sample_motion(time, &mut pose);
        if index == 0 {
            previous.clone_from(&pose);
        }
        push_recent(&mut recent, RecentSample::new(scene, time, &pose));
        let moment = Moment {
            index,
            time,
            elapsed_s: time - times[index.saturating_sub(1)],
            pose: &pose,
            previous: &previous,
            recent: &recent,
        };
        for findings in &mut *running {
            if let Find::Frame(find) = findings.check().find {
                find(scene, &moment, findings);
            }
        }
    }
}
