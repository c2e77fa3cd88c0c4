//! From a file's keys to a clip's curves.

use std::sync::Arc;

use super::{
    document::{Columns, Interpolation, Interpolations, Keys, Tangents, Times, Track, TrackType},
    oddities::Oddities,
    types::TypeInfo,
};
use crate::{
    clip::{
        AnyCurve, KeyTimes, KeyTimesPool, Provenance, ScalarCurve, Segment, Shapes, TextCurve,
        TypedCurve, Values,
    },
    diagnostics::Topic,
};

/// Whether `curve` runs by the interpolation Tangent, whose formula is not public, after the key with
/// this index, or after any if none is given: what is shown there is approximate.
pub(super) fn is_approximate(curve: &AnyCurve, key: Option<usize>) -> bool {
    let is_cubic = |segment: &Segment| matches!(segment, Segment::Hermite { .. });
    curve.components().iter().any(|curve| match (curve.shapes(), key) {
        (Shapes::Segments(segments), None) => segments.iter().any(is_cubic),
        (Shapes::Segments(segments), Some(key)) => segments.get(key).is_some_and(is_cubic),
        _ => false,
    })
}

/// Makes the curve of `track`, in the order of time, and tells where its keys come from.
pub(super) fn make(
    track: &mut Track,
    pool: &mut KeyTimesPool,
    oddities: &mut Oddities,
) -> (AnyCurve, Provenance) {
    let value_type = track.value_type;
    let mut source = track.source.clone();
    let mut keys = std::mem::take(&mut track.keys);
    let (times, is_frozen) = match std::mem::take(&mut keys.times) {
        Times::Even { interval } => even_times(interval, keys.values.len()),
        Times::Each(times) => {
            let times = match order(&times, track, oddities) {
                None => times,
                Some(order) => {
                    keys = keys.in_order(&order);
                    source = source.in_order(&order);
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
            let shapes = Shaper {
                times: &times,
                value_type,
                track_type: track.track_type,
                interpolations: &keys.interpolations,
                tangents: keys.tangents.as_deref(),
            };
            let component = |(index, values): (usize, Values)| {
                ScalarCurve::new(times.clone(), values, shapes.of_component(index))
            };
            let components: Vec<_> = columns.into_iter().enumerate().map(component).collect();
            let curve = TypedCurve::new(value_type.value_type(), components);
            AnyCurve::Typed(Box::new(if is_frozen { curve.frozen() } else { curve }))
        }
    };
    (curve, source)
}

/// The times of this many keys at even distances, and whether there is no distance between them.
fn even_times(interval: Option<f64>, count: usize) -> (Arc<[f64]>, bool) {
    let last = count.saturating_sub(1) as f64;
    let usable = interval.filter(|interval| *interval > 0.0 && (interval * last).is_finite());
    let distance = usable.unwrap_or(0.0);
    ((0..count).map(|index| index as f64 * distance).collect(), usable.is_none())
}

/// The order of time, if it is not that of the file, without the keys whose time is not finite.
fn order(times: &[f64], track: &Track, oddities: &mut Oddities) -> Option<Vec<u32>> {
    let lost = times.iter().position(|time| !time.is_finite());
    let late = times.windows(2).position(|pair| pair[0] > pair[1]);
    if lost.is_none() && late.is_none() {
        return None;
    }
    if let Some(index) = lost {
        let message = || format!("{}: its time is not finite; skipped", track.key_name(index));
        oddities.error("keys skipped", track.source.key(index), message);
    }
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.retain(|&index| times[index as usize].is_finite());
    if let Some(before) = late {
        let name = track.key_name(before + 1);
        let message = || format!("{name}: before the key that it follows; sorted by time");
        let (topic, kind) = (Topic::Unsorted, "tracks not in the order of time");
        oddities.warning_about(topic, kind, track.source.key(before + 1), None, message);
    }
    order.sort_by(|&a, &b| times[a as usize].total_cmp(&times[b as usize]));
    Some(order)
}

impl Keys {
    /// The keys with these indices; their times are skipped.
    fn in_order(self, order: &[u32]) -> Self {
        let values = match self.values {
            Columns::Texts(texts) => Columns::Texts(picked(&texts, order)),
            Columns::Components(columns) => {
                let sorted = columns.iter().map(|column| match column {
                    Values::Single(values) => picked(values, order).into(),
                    Values::Packed(column) => {
                        let picked = order.iter().map(|&index| column.at(index as usize));
                        picked.collect::<Vec<f32>>().into()
                    }
                    Values::Double(values) => picked(values, order).into(),
                    Values::Signed(values) => picked(values, order).into(),
                    Values::Unsigned(values) => picked(values, order).into(),
                    &Values::Same { value, .. } => Values::Same { value, count: order.len() },
                });
                Columns::Components(sorted.collect())
            }
        };
        let interpolations = match self.interpolations {
            Interpolations::Each(each) => Interpolations::Each(picked(&each, order)),
            all @ Interpolations::All(_) => all,
        };
        let columns = |columns: &[Vec<f64>]| columns.iter().map(|one| picked(one, order)).collect();
        let tangents = self.tangents.map(|tangents| {
            let given = match &*tangents.given {
                [] => Vec::new(),
                given => picked(given, order),
            };
            let (left, right) = (columns(&tangents.left), columns(&tangents.right));
            Box::new(Tangents { left, right, given })
        });
        Self { times: Times::default(), values, interpolations, tangents }
    }
}

fn picked<T: Clone>(column: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|&index| column[index as usize].clone()).collect()
}

/// Derives the shapes between the keys of a track.
struct Shaper<'a> {
    times: &'a KeyTimes,
    value_type: &'a TypeInfo,
    track_type: TrackType,
    interpolations: &'a Interpolations,
    tangents: Option<&'a Tangents>,
}

impl Shaper<'_> {
    /// The shapes of the curve of one component.
    fn of_component(&self, component: usize) -> Shapes {
        if self.value_type.always_holds() {
            return Shapes::Step;
        }
        match (self.track_type, self.interpolations) {
            (TrackType::Discrete, _) => Shapes::Step,
            (TrackType::Raw, _) => Shapes::Linear,
            (_, Interpolations::All(Interpolation::Hold)) => Shapes::Step,
            (_, Interpolations::All(Interpolation::Linear)) => Shapes::Linear,
            (_, Interpolations::Each(each)) if is_all(each, Interpolation::Hold) => Shapes::Step,
            (_, Interpolations::Each(each)) if is_all(each, Interpolation::Linear) => {
                Shapes::Linear
            }
            _ => {
                let gaps = 0..self.times.as_slice().len().saturating_sub(1);
                Shapes::Segments(gaps.map(|gap| self.segment(component, gap)).collect())
            }
        }
    }

    /// From the key with this index to the next. The key that starts it decides.
    fn segment(&self, component: usize, gap: usize) -> Segment {
        let tangent = |columns: fn(&Tangents) -> &[Vec<f64>], key: usize| {
            self.tangents.map_or(0.0, |tangents| columns(tangents)[component][key])
        };
        let (out, facing) =
            (tangent(|tangents| &tangents.right, gap), tangent(|tangents| &tangents.left, gap + 1));
        match self.interpolations.at(gap) {
            Interpolation::Hold => Segment::Step,
            Interpolation::Linear => Segment::Linear,
            // Resonite's formula is not public; this follows its documentation.
            Interpolation::Tangent => Segment::Hermite { out_slope: out, in_slope: facing },
            Interpolation::CubicBezier => Segment::EvenBezier { out_value: out, in_value: facing },
        }
    }
}

fn is_all(each: &[Interpolation], one: Interpolation) -> bool {
    // The last leads nowhere.
    each.split_last().is_none_or(|(_, each)| each.iter().all(|&other| other == one))
}
