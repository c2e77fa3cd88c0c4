//! How the numbers of a signal run.

use bevy_egui::egui::Color32;

use crate::{
    clip::{Clip, Hint, Signal, Value},
    timeline::TimeAxis,
    ui::swatch,
};

/// How the numbers of a signal run, as far as they are shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Run {
    /// From one place across to the next: for each component how high it is, from 0 to 1.
    Heights(Vec<[f32; COMPONENTS]>, usize),
    /// Each as if it were opaque.
    Colors(Vec<Color32>),
}

/// More components of a value than these are not drawn.
pub(super) const COMPONENTS: usize = 4;

/// How far apart the places are that are looked at, in points.
pub(super) const STEP: f32 = 2.0;

impl Run {
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
        Self::Heights(heights(&values, count), count)
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

/// From the least of all values at 0 to the greatest at 1; a half if they are all the same.
fn heights(values: &[([f64; COMPONENTS], usize)], count: usize) -> Vec<[f32; COMPONENTS]> {
    let all = || values.iter().flat_map(|(value, _)| &value[..count]).filter(|v| v.is_finite());
    let least = all().copied().fold(f64::INFINITY, f64::min);
    let most = all().copied().fold(f64::NEG_INFINITY, f64::max);
    let height = |value: f64| {
        let part = (value - least) / (most - least);
        if part.is_finite() { part as f32 } else { 0.5 }
    };
    values.iter().map(|(value, _)| value.map(height)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_from_the_least_to_the_greatest() {
        let values = [([2.0, 4.0, 0.0, 0.0], 2), ([3.0, f64::NAN, 0.0, 0.0], 2)];
        let heights = heights(&values, 2);
        assert_eq!(
            (heights[0][0], heights[0][1], heights[1][0], heights[1][1]),
            (0.0, 1.0, 0.5, 0.5)
        );
    }
}
