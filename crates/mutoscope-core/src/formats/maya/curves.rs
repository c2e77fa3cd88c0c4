//! From a file's curves to a clip's.

use super::{
    Curve, Infinity, Key,
    tangents::{self, CurveShape, TimedKey, Units},
};
use crate::{
    clip::{Counting, Extrapolation, KeyTimesPool, Provenance, ScalarCurve, Shapes},
    diagnostics::{Notices, SourceLocation, Topic},
};

/// The rate at which Maya counts time since 2017, in ticks a second.
const TICKS_PER_SECOND: f64 = 141_120_000.0;

/// Makes a clip's curves of a file's, sharing key times where they are the same.
#[derive(Default)]
pub(super) struct CurveMaker {
    pool: KeyTimesPool,
}

impl CurveMaker {
    /// The curve and where its keys come from. `name` is for the notices.
    pub(super) fn make(
        &mut self,
        curve: &Curve,
        units: &Units,
        name: impl Fn() -> String,
        notices: &mut Notices,
    ) -> (ScalarCurve, Provenance) {
        let keys = in_order(curve, units, name, notices);
        let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
        let values: Vec<f64> = keys.iter().map(|key| key.key.value).collect();
        let lines: Vec<u32> = keys.iter().map(|key| key.key.line).collect();
        let CurveShape { segments, first_slope, last_slope } =
            tangents::run(&keys, curve.weighted, units);
        let scalar = ScalarCurve::new(self.pool.share(times), values, Shapes::Segments(segments))
            .extrapolated(
                extrapolation(curve.pre_infinity, first_slope),
                extrapolation(curve.post_infinity, last_slope),
            )
            .counted(Counting::Ticks(TICKS_PER_SECOND));
        (scalar, Provenance::lines(SourceLocation::line(curve.line), lines))
    }
}

/// The keys in the order of time; of several at one time, the last in the file, as in Maya.
fn in_order<'a>(
    curve: &'a Curve,
    units: &Units,
    name: impl Fn() -> String,
    notices: &mut Notices,
) -> Vec<TimedKey<'a>> {
    let timed = |key: &'a Key| TimedKey { time: units.time.in_seconds(key.input), key };
    let mut keys: Vec<_> = curve.keys.iter().map(timed).collect();
    if let Some(wrong) = keys.iter().find(|key| !key.time.is_finite()) {
        let message = format!("{}: a key's time is out of bounds; skipped", name());
        notices.error(SourceLocation::line(wrong.key.line), message);
        keys.retain(|key| key.time.is_finite());
    }
    if let Some(at) = keys.windows(2).position(|pair| pair[0].time > pair[1].time) {
        let message = format!("{}: keys are not in the order of time; sorted", name());
        let place = SourceLocation::line(keys[at + 1].key.line);
        notices.warning_about(Topic::Unsorted, place, None, message);
        keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
    if let Some(at) = keys.windows(2).position(|pair| pair[0].time == pair[1].time) {
        let (time, line) = (keys[at].time, keys[at + 1].key.line);
        let message = format!("{}: several keys at one time; using the last", name());
        notices.warning_about(Topic::SameTime, SourceLocation::line(line), Some(time), message);
        keep_last_of_each_time(&mut keys);
    }
    keys
}

fn keep_last_of_each_time(keys: &mut Vec<TimedKey>) {
    keys.reverse();
    keys.dedup_by(|later, kept| later.time == kept.time);
    keys.reverse();
}

fn extrapolation(infinity: Infinity, slope: f64) -> Extrapolation {
    match infinity {
        Infinity::Constant => Extrapolation::Constant,
        Infinity::Linear => Extrapolation::Linear { slope },
        Infinity::Cycle => Extrapolation::Cycle,
        Infinity::CycleRelative => Extrapolation::CycleWithOffset,
        Infinity::Oscillate => Extrapolation::Oscillate,
    }
}
