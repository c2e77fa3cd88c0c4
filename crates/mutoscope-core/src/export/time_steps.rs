//! The precision of the key times that a target stores.

use super::{Job, Report, tracer::MIN_INSERTED_GAP_S};
use crate::clip::{AnyCurve, KeyTimes, TrackId};
use crate::diagnostics::{format_count, format_number};

/// The distances between a jump and the keys that are inserted directly before or after it.
///
/// Targets count time from the start of the exported range. Therefore distances grow with the time
/// since that start. If they grew with the time since time 0 of the recording, they would exceed
/// the gaps between the keys of a clock that runs for hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSteps {
    start: f64,
    max_step_s: f64,
}

impl TimeSteps {
    /// Creates the steps for times that the target stores as f32, in seconds since `start`.
    pub const fn single_precision(start: f64) -> Self {
        Self { start, max_step_s: f64::INFINITY }
    }

    /// Creates the steps for times that the target stores more precisely than f32. No step is
    /// longer than 10 µs.
    pub const fn fine(start: f64) -> Self {
        Self { start, max_step_s: 1e-5 }
    }

    /// Returns the step at `time`, in seconds.
    pub(super) fn step_at(self, time: f64) -> f64 {
        let single = f64::from(f32::EPSILON) * (time - self.start).abs().max(1.0);
        // Keep some f64 steps, so that a time minus the step differs from the time.
        single.min(self.max_step_s).max(4.0 * f64::EPSILON * time.abs())
    }

    /// Returns the step at the end of the gap between two keys. It is a small part of the gap, so
    /// that samples near both ends show whether the value jumps there, even if the target is too
    /// coarse for the gap.
    pub(super) fn step_within(self, from: f64, to: f64) -> f64 {
        self.step_at(to).min((to - from) / 16.0)
    }

    /// Returns `true` if f64 has too few times between `from` and `to` to sample there.
    pub(super) fn is_too_short(from: f64, to: f64) -> bool {
        to - from < 64.0 * f64::EPSILON * from.abs().max(to.abs())
    }
}

/// Warns if keys are so close together, and so long after the start of the range, that f32 times
/// distort the gaps between them. `reader` is the program or format that stores times as f32.
/// `is_written` returns `true` for the tracks whose keys are written.
pub(super) fn report_rounded_times(
    job: &Job<'_>,
    reader: &str,
    is_written: impl Fn(TrackId) -> bool,
    report: &mut Report,
) {
    /// The largest f32 step that is accepted, as a share of the gap. Each key is off by at most
    /// half a step.
    const MAX_STEP_SHARE: f64 = 0.1;
    let f32_step = |time: f64| {
        let since_start = (time - job.from) as f32;
        f64::from(since_start.next_up()) - f64::from(since_start)
    };
    let is_distorted = |end: f64, gap: f64| f32_step(end) > MAX_STEP_SHARE * gap;
    let mut gaps: Vec<f64> = Vec::new();
    match job.rate {
        Some(rate) => gaps.extend(Some(rate.recip()).filter(|gap| is_distorted(job.to, *gap))),
        None => {
            let mut last_checked: Option<&KeyTimes> = None;
            for (index, track) in job.clip.tracks.iter().enumerate() {
                let times = track.curve.times();
                let is_skipped =
                    matches!(track.curve, AnyCurve::Driven(_)) || !is_written(TrackId::new(index));
                if is_skipped || last_checked.is_some_and(|last| last.is_shared_with(times)) {
                    continue;
                }
                last_checked = Some(times);
                let pairs = times.as_slice().windows(2);
                let in_range = pairs.filter(|pair| job.from <= pair[0] && pair[1] <= job.to);
                // Skip closer keys, because two of them often describe a jump.
                let distorted = in_range
                    .map(|pair| (pair[1], pair[1] - pair[0]))
                    .filter(|(end, gap)| *gap >= MIN_INSERTED_GAP_S && is_distorted(*end, *gap));
                gaps.extend(distorted.map(|(_, gap)| gap));
            }
        }
    }
    let Some(shortest) = gaps.iter().copied().reduce(f64::min) else { return };
    let which = match job.rate {
        Some(_) => "the gaps between samples".to_owned(),
        None => format_count(gaps.len(), "gap") + " between keys",
    };
    report.warning(format!(
        "{which} distorted: {reader} stores times as f32, here in steps of up to {:.1e} s, and the \
         shortest gap is {} s. Export a shorter part with --range",
        f32_step(job.to),
        format_number(shortest),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        export::ExportOptions,
        formats::{ReadOptions, decode},
    };

    #[test]
    fn steps_are_small_parts_of_gaps_far_from_time_0() {
        for start in [0.0, 48111.0, 1.7e9] {
            for steps in [TimeSteps::single_precision(start), TimeSteps::fine(start)] {
                for gap in [1e-3, 1.0 / 60.0] {
                    for time in [start, start + 3600.0] {
                        let step = steps.step_within(time, time + gap);
                        assert!(step < gap / 15.0 && time - step < time, "{start} {time} {gap}");
                    }
                }
            }
        }
        let (single, fine) = (TimeSteps::single_precision(10.0), TimeSteps::fine(10.0));
        assert_eq!(single.step_at(14.0), 4.0 * f64::from(f32::EPSILON));
        assert_eq!([fine.step_at(14.0), fine.step_at(1e6)], [single.step_at(14.0), 1e-5]);
    }

    #[test]
    fn distorted_gaps_are_reported() {
        let report_for = |start: f64, gap: f64, range: Option<f64>| {
            let key = |time: f64| format!(r#"{{"time": {time}, "value": {time}}}"#);
            let keys: Vec<_> = (0..4).map(|index| key(start + f64::from(index) * gap)).collect();
            let text = format!(
                r#"{{"tracks": [{{"trackType": "Discrete", "valueType": "float", "data": {{"node": "a",
                   "property": "b", "keyframes": [{}]}}}}]}}"#,
                keys.join(",")
            );
            let clip = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
            let range = range.map(|from| from..=clip.span.end());
            let options = ExportOptions { range, ..ExportOptions::default() };
            let mut report = Report::default();
            report_rounded_times(&Job::new(&clip, &options), "glTF", |_| true, &mut report);
            report.remarks().iter().map(|remark| remark.message.clone()).collect::<Vec<_>>()
        };
        let expected = "3 gaps between keys distorted: glTF stores times as f32, here in steps of up to \
                        3.9e-3 s, and the shortest gap is 0.017 s. Export a shorter part with --range";
        assert_eq!(report_for(40_000.0, 1.0 / 60.0, None), [expected]);
        assert_eq!(report_for(40_000.0, 1.0 / 60.0, Some(40_000.0)), [""; 0]);
        assert_eq!(report_for(0.0, 1e-3, None), [""; 0]);
        assert_eq!(report_for(40_000.0, 1e-7, None), [""; 0], "they describe a jump");
    }
}
