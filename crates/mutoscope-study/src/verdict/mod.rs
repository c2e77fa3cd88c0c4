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
//! | `scene` | the subjects of a recording, the sampled times, and what is usual |
//! | `subject` | hands and bodies |
//! | `moment` | two consecutive samples |
//! | `sample_values` | the values that a check measures at single samples |
//! | `findings` | joins the samples with a problem, and describes them |
//! | `hand`, `head`, `gaze`, `body`, `marker`, `time` | the checks |
//! | `codes` | their codes |
//! | `profile` | thresholds and severities, in TOML files |
//! | `run` | runs the checks in steps |
//! | `outcome` | the verdict: pass, review or fail |
//! | `problem_curve` | the measured value around a problem, over time |

mod body;
mod check;
mod codes;
mod findings;
mod gaze;
mod hand;
mod head;
mod marker;
mod moment;
mod outcome;
mod problem_curve;
mod profile;
mod run;
mod sample_values;
mod scene;
mod subject;
mod time;

pub use check::{Limit, Measured, MotionCheck, Need, find_check, motion_checks};
pub use outcome::{Outcome, Reason, Verdict};
pub use problem_curve::ProblemCurve;
pub use profile::{CheckedClip, Profile, WorstValue};
pub use run::ClipRun;

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Code, Severity},
    measure::checks::check_clip,
};

use run::MotionRun;

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
    check_motion_for(clip, profile, |_| true)
}

/// Runs only the checks whose severity `is_needed`.
fn check_motion_for(
    clip: &Clip,
    profile: &Profile,
    is_needed: impl Fn(Severity) -> bool,
) -> CheckedClip {
    let mut run = MotionRun::new(clip, profile, is_needed);
    run.run_on_all_threads();
    run.finish()
}

/// Returns the same as [`check_motion`], with the diagnostics of the decoder and of the checks of
/// tracks. All diagnostics are sorted by time, and those without a time come first.
pub fn check_all(clip: &Clip, profile: &Profile) -> CheckedClip {
    run::join(profile, check_clip(clip), check_motion(clip, profile))
}
