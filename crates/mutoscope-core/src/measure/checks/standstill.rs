//! Keys that are exactly equal, amid motion: a sensor that froze, a recorder that repeated what it
//! had.

use super::{
    Check, Find,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
};
use crate::{
    clip::Hint,
    diagnostics::{Severity, Topic},
};

/// At least this many gaps in a row do not move.
const ENOUGH: usize = 12;
/// For at least this long, in seconds.
const LONG: f64 = 0.5;
/// At least this many gaps elsewhere move.
const MOVING: usize = 24;
/// And at least this fraction of all elsewhere.
const PART: f64 = 0.95;

pub(super) const CHECK: Check = Check {
    topic: Topic::Standstill,
    severity: Severity::Info,
    rule: "keys of exactly equal value for half a second and 12 gaps between keys or more, between \
           motion, on tracks that elsewhere change in 19 of 20 gaps and whose keys are not \
           quantised",
    find: Find::EachSeries(find),
};

fn find(series: &Series<'_>, report: &mut Report<'_>) {
    // Computed curves have keys only where they change, and coarse integers rest for long.
    if !series.is_keyed() || series.is_coded() {
        return;
    }
    let times = series.times();
    let gaps = times.len().saturating_sub(1);
    if gaps < ENOUGH + MOVING {
        return;
    }
    let mut resting = Vec::new();
    let mut still = 0;
    for run in runs(gaps, |gap| series.key(gap) == series.key(gap + 1)) {
        still += run.len();
        if run.len() >= ENOUGH && times[run.end] - times[run.start] >= LONG {
            resting.push(run);
        }
    }
    let rests: usize = resting.iter().map(ExactSizeIterator::len).sum();
    let (moving, elsewhere) = (gaps - still, gaps - rests);
    if moving < MOVING || (moving as f64) < PART * elsewhere as f64 {
        return;
    }
    let mut hint = Hint::default();
    let is_amid = |run: &std::ops::Range<usize>| run.start > 0 && run.end < gaps;
    for run in resting.into_iter().filter(is_amid) {
        let is_shown = (run.start..=run.end).all(|key| series.is_shown_at(times[key], &mut hint));
        if !is_shown {
            continue;
        }
        let (start, end) = (times[run.start], times[run.end]);
        report.add(KeySpan { track: series.track(), key: run.start, end: Some(end) }, || {
            let keys = run.len() + 1;
            let what = format!(
                "stands still for {:.2} s, {keys} keys of exactly equal value",
                end - start
            );
            (series.name(), what)
        });
    }
}
