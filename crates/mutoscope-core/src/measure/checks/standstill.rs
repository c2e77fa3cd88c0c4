//! Finds exactly equal keys between motion, such as those of a frozen sensor, or of a recorder that
//! repeats its last value.

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
};
use crate::{
    clip::Hint,
    diagnostics::{Severity, Topic},
};

const MIN_RESTING_GAPS: usize = 12;
const MIN_RESTING_S: f64 = 0.5;
const MIN_MOVING_GAPS: usize = 24;
const MIN_MOVING_SHARE: f64 = 0.95;

pub(super) const CHECK: Check = Check {
    topic: Topic::Standstill,
    severity: Severity::Info,
    rule: "Finds keys of exactly equal value for at least half a second and 12 intervals, \
           between motion, on tracks that otherwise change in 19 of 20 intervals and whose keys \
           are not quantised.",
    function: CheckFn::EachSeries(find_standstills),
};

fn find_standstills(series: &Series<'_>, report: &mut Report<'_>) {
    // Skip computed curves, because a computed curve has a key only where its value changes. Skip
    // coarse integers, because they often stay equal during slow motion.
    if !series.has_file_keys() || series.is_quantised() {
        return;
    }
    let times = series.times();
    let gaps = times.len().saturating_sub(1);
    if gaps < MIN_RESTING_GAPS + MIN_MOVING_GAPS {
        return;
    }
    let mut long_rests = Vec::new();
    let mut unmoved_gaps = 0;
    let mut keys = series.keys();
    let mut key = keys.next();
    let mut is_unmoved = || {
        let before = key;
        key = keys.next();
        key == before
    };
    for run in runs(gaps, |_| is_unmoved()) {
        unmoved_gaps += run.len();
        if run.len() >= MIN_RESTING_GAPS && times[run.end] - times[run.start] >= MIN_RESTING_S {
            long_rests.push(run);
        }
    }
    let resting_gaps: usize = long_rests.iter().map(ExactSizeIterator::len).sum();
    let (moving_gaps, elsewhere) = (gaps - unmoved_gaps, gaps - resting_gaps);
    if moving_gaps < MIN_MOVING_GAPS || (moving_gaps as f64) < MIN_MOVING_SHARE * elsewhere as f64 {
        return;
    }
    let mut hint = Hint::default();
    let is_between_motion = |run: &std::ops::Range<usize>| run.start > 0 && run.end < gaps;
    for run in long_rests.into_iter().filter(is_between_motion) {
        let is_shown = (run.start..=run.end).all(|key| series.is_visible_at(times[key], &mut hint));
        if !is_shown {
            continue;
        }
        let (start, end) = (times[run.start], times[run.end]);
        report.add(KeySpan { track: series.track(), key: run.start, end: Some(end) }, || {
            let keys = run.len() + 1;
            let message = format!(
                "stands still for {:.2} s: {keys} keys have exactly the same value",
                end - start
            );
            (series.name(), message)
        });
    }
}
