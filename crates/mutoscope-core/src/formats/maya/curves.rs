//! Converts the curves of a document into curves of a clip.

use super::{
    Curve, Infinity, Key, Tangent,
    annotations::TangentTypes,
    codes,
    tangents::{self, CurveShape, TangentUnits, TimedKey},
};
use crate::{
    clip::{Extrapolation, KeyTimesPool, ScalarCurve, Shapes, TimeResolution, TrackLocation},
    diagnostics::{Diagnostics, SourceLocation, Topic},
};

/// The number of ticks per second in Maya's internal times, since Maya 2017.
const TICKS_PER_SECOND: f64 = 141_120_000.0;

/// A curve of a clip, with what its keys were in the file.
pub(super) struct ConvertedCurve {
    pub(super) curve: ScalarCurve,
    pub(super) source: TrackLocation,
    pub(super) tangents: TangentTypes,
}

#[derive(Default)]
pub(super) struct CurveBuilder {
    pool: KeyTimesPool,
}

impl CurveBuilder {
    pub(super) fn build(
        &mut self,
        curve: &Curve,
        units: &TangentUnits,
        name: impl Fn() -> String,
        diagnostics: &mut Diagnostics,
    ) -> ConvertedCurve {
        let keys = sorted_keys(curve, units, name, diagnostics);
        let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
        let values: Vec<f64> = keys.iter().map(|key| key.key.value).collect();
        let lines: Vec<u32> = keys.iter().map(|key| key.key.line).collect();
        let CurveShape { segments, first_slope, last_slope } =
            tangents::build_shape(&keys, curve.weighted, units);
        let scalar = ScalarCurve::new(self.pool.share(times), values, Shapes::Segments(segments))
            .with_extrapolation(
                extrapolation(curve.pre_infinity, first_slope),
                extrapolation(curve.post_infinity, last_slope),
            )
            .with_time_resolution(TimeResolution::Ticks(TICKS_PER_SECOND));
        let types = |key: &TimedKey| [key.key.in_tangent, key.key.out_tangent];
        ConvertedCurve {
            curve: scalar,
            source: TrackLocation::lines(SourceLocation::line(curve.line), lines),
            tangents: keys.iter().map(|key| types(key).map(Tangent::keyword_index)).collect(),
        }
    }
}

/// Returns the keys in time order. If several keys have the same time, only the last of them in the
/// file is kept, as in Maya.
fn sorted_keys<'a>(
    curve: &'a Curve,
    units: &TangentUnits,
    name: impl Fn() -> String,
    diagnostics: &mut Diagnostics,
) -> Vec<TimedKey<'a>> {
    let timed = |key: &'a Key| TimedKey { time: units.time.to_seconds(key.input), key };
    let mut keys: Vec<_> = curve.keys.iter().map(timed).collect();
    if let Some(invalid) = keys.iter().find(|key| !key.time.is_finite()) {
        let message = format!("{}: a key's time is out of bounds; skipped", name());
        diagnostics.error(codes::LOST_KEY, SourceLocation::line(invalid.key.line), message);
        keys.retain(|key| key.time.is_finite());
    }
    if let Some(index) = keys.windows(2).position(|pair| pair[0].time > pair[1].time) {
        let message = format!("{}: keys are not in the order of time; sorted", name());
        let location = SourceLocation::line(keys[index + 1].key.line);
        diagnostics.warning(Topic::Unsorted.code(), location, message);
        keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
    if let Some(index) = keys.windows(2).position(|pair| pair[0].time == pair[1].time) {
        let (time, line) = (keys[index].time, keys[index + 1].key.line);
        let message = format!("{}: several keys at one time; using the last", name());
        diagnostics
            .warning(Topic::SameTime.code(), SourceLocation::line(line), message)
            .at_time(time);
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
