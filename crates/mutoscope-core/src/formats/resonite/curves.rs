//! Converts the keys of a file to the curves of a clip.

use std::sync::Arc;

use super::{
    codes,
    document::{Columns, Interpolation, Interpolations, Keys, Tangents, Times, Track, TrackType},
    limiter::DiagnosticLimiter,
    types::TypeInfo,
};
use crate::{
    clip::{
        AnyCurve, KeyTimes, KeyTimesPool, ScalarCurve, Segment, Shapes, TextCurve, TrackLocation,
        TypedCurve, Values,
    },
    diagnostics::{Severity, Topic},
};

/// Returns `true` if the segment after `key` uses the interpolation Tangent. If `key` is `None`,
/// returns `true` if any segment does. Such a curve is approximate, because Resonite's formula for
/// Tangent is not public.
pub(super) fn is_approximate(curve: &AnyCurve, key: Option<usize>) -> bool {
    let is_cubic = |segment: &Segment| matches!(segment, Segment::Hermite { .. });
    curve.components().iter().any(|curve| match (curve.shapes(), key) {
        (Shapes::Segments(segments), None) => segments.iter().any(is_cubic),
        (Shapes::Segments(segments), Some(key)) => segments.get(key).is_some_and(is_cubic),
        _ => false,
    })
}

pub(super) fn make_curve(
    track: &mut Track,
    pool: &mut KeyTimesPool,
    limiter: &mut DiagnosticLimiter,
) -> (AnyCurve, TrackLocation) {
    let value_type = track.value_type;
    let mut source = track.source.clone();
    let mut keys = std::mem::take(&mut track.keys);
    let (times, is_frozen) = match std::mem::take(&mut keys.times) {
        Times::Even { interval } => even_times(interval, keys.values.len()),
        Times::Each(times) => {
            let times = match time_order(&times, track, limiter) {
                None => times,
                Some(order) => {
                    keys = keys.reordered(&order);
                    source = source.reordered(&order);
                    order.iter().map(|&index| times[index as usize]).collect()
                }
            };
            (times, false)
        }
    };
    let times = pool.share(times);
    let curve = match keys.values {
        Columns::Texts(texts) => {
            let curve = TextCurve::new(times, texts);
            AnyCurve::Text(Box::new(if is_frozen { curve.frozen() } else { curve }))
        }
        Columns::Components(columns) => {
            let shapes = ShapeBuilder {
                times: &times,
                value_type,
                track_type: track.track_type,
                interpolations: &keys.interpolations,
                tangents: keys.tangents.as_deref(),
            };
            let component = |(index, values): (usize, Values)| {
                ScalarCurve::new(times.clone(), values, shapes.component_shapes(index))
            };
            let components: Vec<_> = columns.into_iter().enumerate().map(component).collect();
            let curve = TypedCurve::new(value_type.to_value_type(), components);
            AnyCurve::Typed(Box::new(if is_frozen { curve.frozen() } else { curve }))
        }
    };
    (curve, source)
}

/// Returns the times of `count` evenly spaced keys. If the file has no usable interval, all times
/// are 0 and the flag is `true`.
fn even_times(interval: Option<f64>, count: usize) -> (Arc<[f64]>, bool) {
    let last = count.saturating_sub(1) as f64;
    let usable = interval.filter(|interval| *interval > 0.0 && (interval * last).is_finite());
    let distance = usable.unwrap_or(0.0);
    ((0..count).map(|index| index as f64 * distance).collect(), usable.is_none())
}

/// Returns the indices of the keys in time order, without those whose time is not finite. `None` if
/// the file already has this order.
fn time_order(times: &[f64], track: &Track, limiter: &mut DiagnosticLimiter) -> Option<Vec<u32>> {
    let lost = times.iter().position(|time| !time.is_finite());
    let late = times.windows(2).position(|pair| pair[0] > pair[1]);
    if lost.is_none() && late.is_none() {
        return None;
    }
    if let Some(index) = lost {
        let problem = "non-finite time; skipped";
        let (code, kind) = (codes::KEY_TIME_NON_FINITE, "keys skipped");
        limiter.add_about_key(Severity::Error, code, kind, track, index, problem);
    }
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.retain(|&index| times[index as usize].is_finite());
    if let Some(before) = late {
        let problem = "earlier than the previous key; sorted by time";
        let (code, kind) = (Topic::Unsorted.code(), "tracks whose keys are not sorted by time");
        limiter.add_about_key(Severity::Warning, code, kind, track, before + 1, problem);
    }
    order.sort_by(|&a, &b| times[a as usize].total_cmp(&times[b as usize]));
    Some(order)
}

impl Keys {
    fn reordered(self, order: &[u32]) -> Self {
        let values = match self.values {
            Columns::Texts(texts) => Columns::Texts(pick_items(&texts, order)),
            Columns::Components(columns) => {
                let sorted = columns.iter().map(|column| match column {
                    Values::F32(values) => pick_items(values, order).into(),
                    Values::Packed(column) => {
                        let picked = order.iter().map(|&index| column.value_at(index as usize));
                        picked.collect::<Vec<f32>>().into()
                    }
                    Values::F64(values) => pick_items(values, order).into(),
                    Values::I64(values) => pick_items(values, order).into(),
                    Values::U64(values) => pick_items(values, order).into(),
                    &Values::Constant { value, .. } => {
                        Values::Constant { value, count: order.len() }
                    }
                });
                Columns::Components(sorted.collect())
            }
        };
        let interpolations = match self.interpolations {
            Interpolations::Each(each) => Interpolations::Each(pick_items(&each, order)),
            all @ Interpolations::All(_) => all,
        };
        let columns =
            |columns: &[Vec<f64>]| columns.iter().map(|one| pick_items(one, order)).collect();
        let tangents = self.tangents.map(|tangents| {
            let given = match &*tangents.given {
                [] => Vec::new(),
                given => pick_items(given, order),
            };
            let (left, right) = (columns(&tangents.left), columns(&tangents.right));
            Box::new(Tangents { left, right, given })
        });
        Self { times: Times::default(), values, interpolations, tangents }
    }
}

fn pick_items<T: Clone>(column: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|&index| column[index as usize].clone()).collect()
}

struct ShapeBuilder<'a> {
    times: &'a KeyTimes,
    value_type: &'a TypeInfo,
    track_type: TrackType,
    interpolations: &'a Interpolations,
    tangents: Option<&'a Tangents>,
}

impl ShapeBuilder<'_> {
    fn component_shapes(&self, component: usize) -> Shapes {
        if self.value_type.always_holds() {
            return Shapes::Step;
        }
        match (self.track_type, self.interpolations) {
            (TrackType::Discrete, _) => Shapes::Step,
            (TrackType::Raw, _) => Shapes::Linear,
            (_, Interpolations::All(Interpolation::Hold)) => Shapes::Step,
            (_, Interpolations::All(Interpolation::Linear)) => Shapes::Linear,
            (_, Interpolations::Each(each)) if all_but_last_are(each, Interpolation::Hold) => {
                Shapes::Step
            }
            (_, Interpolations::Each(each)) if all_but_last_are(each, Interpolation::Linear) => {
                Shapes::Linear
            }
            _ => {
                let gaps = 0..self.times.as_slice().len().saturating_sub(1);
                Shapes::Segments(gaps.map(|gap| self.make_segment(component, gap)).collect())
            }
        }
    }

    fn make_segment(&self, component: usize, gap: usize) -> Segment {
        let tangent = |columns: fn(&Tangents) -> &[Vec<f64>], key: usize| {
            self.tangents.map_or(0.0, |tangents| columns(tangents)[component][key])
        };
        let (out, facing) =
            (tangent(|tangents| &tangents.right, gap), tangent(|tangents| &tangents.left, gap + 1));
        match self.interpolations.interpolation_at(gap) {
            Interpolation::Hold => Segment::Step,
            Interpolation::Linear => Segment::Linear,
            // Resonite's formula is not public. We follow its documentation.
            Interpolation::Tangent => Segment::Hermite { out_slope: out, in_slope: facing },
            Interpolation::CubicBezier => Segment::ValueBezier { out_value: out, in_value: facing },
        }
    }
}

fn all_but_last_are(each: &[Interpolation], one: Interpolation) -> bool {
    // Skip the last key, because no segment starts there.
    each.split_last().is_none_or(|(_, each)| each.iter().all(|&other| other == one))
}
