//! The curve of a numeric signal in its lane.

use bevy_egui::egui::Color32;

use crate::ui::swatch;
use mutoscope_core::{
    clip::{Clip, Hint, Signal, Value},
    measure::timeline::TimeAxis,
};

/// The curve of a numeric signal over the visible time.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SignalShape {
    /// Numbers, as lines.
    Heights(Heights),
    /// Each as if it were opaque.
    Colors(Vec<Color32>),
}

/// How high numbers are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heights {
    /// From one place across to the next: for each component how high it is, from 0 to 1.
    pub(super) places: Vec<[f32; COMPONENTS]>,
    /// How many components there are.
    pub(super) components: usize,
    /// Where numbers are so far from nearly all others that the others would be a flat line at the
    /// same scale, from left to right. They stop at the edge.
    pub(super) beyond: Vec<Beyond>,
}

/// Neighbouring places with a number beyond the same edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Beyond {
    /// The first place, and the one after the last.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The number that is farthest beyond.
    pub(super) farthest: f64,
    /// Whether they are above what is drawn, or below.
    pub(super) is_above: bool,
}

/// More components of a value than these are not drawn.
pub(super) const COMPONENTS: usize = 4;

/// How far apart the places are that are looked at, in points.
pub(super) const STEP: f32 = 2.0;

impl SignalShape {
    /// The values of `signal` on `axis`.
    pub(super) fn new(clip: &Clip, signal: &Signal, axis: &TimeAxis) -> Self {
        let curve = &clip.track(signal.track).curve;
        let mut hint = Hint::default();
        let places = (axis.width() / STEP).max(1.0) as usize;
        let values = (0..=places).map(|place| {
            let time = axis.time_at(axis.left + place as f32 * STEP);
            curve.value_or_default(clip.span.clamp(time), &mut hint)
        });
        if curve.is_color() {
            let opaque = |value| swatch::opaque(&value).map_or(Color32::BLACK, |(color, _)| color);
            return Self::Colors(values.map(opaque).collect());
        }
        let values: Vec<_> = values.map(|value| numbers(&value)).collect();
        let count = values.iter().map(|(_, count)| *count).max().unwrap_or(0);
        Self::Heights(Heights::of(&values, count))
    }
}

/// The components of a value, as far as there are, and how many.
fn numbers(value: &Value) -> ([f64; COMPONENTS], usize) {
    let mut numbers = [0.0; COMPONENTS];
    let mut fill = |values: &mut dyn Iterator<Item = f64>| {
        let mut count = 0;
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = value;
            count += 1;
        }
        count
    };
    let count = match value {
        Value::Number(number) => fill(&mut std::iter::once(*number)),
        Value::Integer(integer) => fill(&mut std::iter::once(*integer as f64)),
        Value::Numbers(values) => fill(&mut values.iter().copied()),
        Value::Integers(values) => fill(&mut values.iter().map(|&value| value as f64)),
        Value::Bools(values) => fill(&mut values.iter().map(|&value| f64::from(u8::from(value)))),
        Value::Bool(_) | Value::Text(_) | Value::Null => 0,
    };
    (numbers, count)
}

impl Heights {
    /// From the least at 0 to the greatest at 1, without outliers; 0.5 if all are equal.
    fn of(values: &[([f64; COMPONENTS], usize)], components: usize) -> Self {
        let all = values.iter().flat_map(|(value, _)| &value[..components]).copied();
        let (least, most) = bounds_of_most(all.filter(|value| value.is_finite()).collect());
        let height = |value: f64| {
            let part = (value - least) / (most - least);
            if part.is_finite() { part.clamp(0.0, 1.0) as f32 } else { 0.5 }
        };
        let mut beyond = Vec::new();
        for is_above in [false, true] {
            let farther = |a: f64, b: &f64| if is_above { a.max(*b) } else { a.min(*b) };
            let bound = if is_above { most } else { least };
            let farthest = values.iter().map(|(value, _)| {
                let farthest = value[..components].iter().fold(bound, farther);
                (farthest.is_finite() && farthest != bound).then_some(farthest)
            });
            note_beyond(farthest, is_above, &mut beyond);
        }
        beyond.sort_by_key(|beyond| beyond.from);
        Self {
            places: values.iter().map(|(value, _)| value.map(height)).collect(),
            components,
            beyond,
        }
    }
}

/// Adds the stretches of places that have such a number.
fn note_beyond(
    farthest: impl Iterator<Item = Option<f64>>,
    is_above: bool,
    beyond: &mut Vec<Beyond>,
) {
    let first = beyond.len();
    for (place, number) in farthest.enumerate() {
        let Some(number) = number else { continue };
        match beyond[first..].last_mut().filter(|last| last.to == place) {
            Some(last) => {
                last.to += 1;
                let is_farther = (number > last.farthest) == is_above;
                last.farthest = if is_farther { number } else { last.farthest };
            }
            None => beyond.push(Beyond { from: place, to: place + 1, farthest: number, is_above }),
        }
    }
}

/// The least and the greatest of `numbers`, without those many times as far from the median as
/// nearly all are: recorders park things far away.
fn bounds_of_most(mut numbers: Vec<f64>) -> (f64, f64) {
    const NEARLY_ALL: f64 = 0.85;
    const FARTHER: f64 = 40.0;
    let at = |numbers: &mut Vec<f64>, part: f64| {
        let index = (numbers.len().saturating_sub(1) as f64 * part) as usize;
        if numbers.is_empty() {
            return 0.0;
        }
        *numbers.select_nth_unstable_by(index, f64::total_cmp).1
    };
    let middle = at(&mut numbers, 0.5);
    let mut distances = numbers.iter().map(|number| (number - middle).abs()).collect();
    let reach = FARTHER * at(&mut distances, NEARLY_ALL);
    let is_near = |number: &f64| reach == 0.0 || (number - middle).abs() <= reach;
    let near = numbers.into_iter().filter(is_near);
    near.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_from_the_least_to_the_greatest() {
        let values = [([2.0, 4.0, 0.0, 0.0], 2), ([3.0, f64::NAN, 0.0, 0.0], 2)];
        let Heights { places, components, beyond } = Heights::of(&values, 2);
        assert_eq!([places[0][0], places[0][1], places[1][0], places[1][1]], [0.0, 1.0, 0.5, 0.5]);
        assert_eq!((components, beyond), (2, vec![]));
        let same = Heights::of(&[([7.0, 0.0, 0.0, 0.0], 1); 3], 1);
        assert_eq!((same.places[1][0], same.beyond.len()), (0.5, 0));
        assert_eq!(Heights::of(&[], 0).places, Vec::<[f32; COMPONENTS]>::new());
    }

    #[test]
    fn outliers_are_clipped_and_marked() {
        let walk = |place: usize| ([place as f64 * 0.1, 64.0, 0.0, 0.0], 2);
        let mut values: Vec<_> = (0..100).map(walk).collect();
        for place in [40, 41, 42] {
            values[place].0[0] = 1e6 + place as f64;
        }
        values[70].0[1] = -2e6;
        let heights = Heights::of(&values, 2);
        let height = |place: usize| heights.places[place][0];
        assert!(height(10) < height(90) && height(90) - height(10) > 0.1, "{}", height(90));
        assert_eq!([height(40), height(42), heights.places[70][1]], [1.0, 1.0, 0.0]);
        let above = Beyond { from: 40, to: 43, farthest: 1e6 + 42.0, is_above: true };
        let below = Beyond { from: 70, to: 71, farthest: -2e6, is_above: false };
        assert_eq!(heights.beyond, [above, below]);
        // Values that occur half of the time are no outliers.
        for value in &mut values[..50] {
            value.0[0] = 1e6;
        }
        assert_eq!(Heights::of(&values, 2).beyond, []);
    }

    #[test]
    fn occasional_large_values_are_not_outliers() {
        let values: Vec<_> =
            (0..100).map(|place| ([f64::from(u8::from(place == 50)), 0.0, 0.0, 0.0], 1)).collect();
        let heights = Heights::of(&values, 1);
        assert_eq!((heights.places[50][0], heights.places[0][0]), (1.0, 0.0));
        assert!(heights.beyond.is_empty());
    }
}
