//! The value of a check around one of its problems.

use mutoscope_core::{clip::Clip, diagnostics::Measure, measure::checks::ClipDiagnostic};

use super::{
    check::{Find, Limit, motion_checks},
    moment::RECENT_S,
    run::Sampler,
    sample_values::SampleValues,
    scene::Scene,
};

/// The time that is shown before and after a problem, in seconds.
const MARGIN_S: f64 = 0.5;

/// The maximum number of samples of a curve.
const MAX_SAMPLES: usize = 2000;

/// The value of a check around one of its problems, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemCurve {
    /// The name of the value, its worst value in the problem, its threshold and its unit.
    pub measure: Measure,
    /// Times in clip seconds, and values.
    pub points: Vec<[f64; 2]>,
}

impl ProblemCurve {
    /// Measures the value of the check that reported `problem`, from half a second before the problem
    /// until half a second after it.
    ///
    /// Returns `None` if the check does not measure a value at each sample.
    pub fn new(clip: &Clip, problem: &ClipDiagnostic) -> Option<Self> {
        let (measure, start) = (problem.measure?, problem.time?);
        let end = problem.end.unwrap_or(start);
        let check = motion_checks().find(|check| {
            let measured = check.measured.filter(|measured| measured.name == measure.name);
            let is_instant = measured.is_some_and(|measured| measured.limit != Limit::Duration);
            check.code == problem.code && is_instant && matches!(check.find, Find::Frame(_))
        })?;
        let scene = Scene::new(clip);
        // Some checks look at the last seconds, so begin earlier.
        let all = scene.sample_times();
        let first = all.partition_point(|time| *time < start - MARGIN_S - RECENT_S);
        let last = all.partition_point(|time| *time <= end + MARGIN_S);
        let times = &all[first..last.min(first + MAX_SAMPLES)];
        let mut values = [SampleValues::keeping_all(check)];
        let mut sampler = Sampler::default();
        while sampler.run_on_next(&scene, times, &mut values).is_continue() {}
        let [SampleValues { all: recorded, .. }] = values;
        let recorded = recorded.unwrap_or_default();
        let is_worst = |value: f64| (value - measure.value).abs() <= 1e-9 * measure.value.abs();
        let worst = recorded
            .iter()
            .find(|sample| (start..=end).contains(&sample.time) && is_worst(sample.value))?;
        let shown = start - MARGIN_S..=end + MARGIN_S;
        let of_subject = recorded
            .iter()
            .filter(|sample| sample.subject == worst.subject && shown.contains(&sample.time));
        let points = of_subject.map(|sample| [sample.time, sample.value]).collect();
        Some(Self { measure, points })
    }
}
