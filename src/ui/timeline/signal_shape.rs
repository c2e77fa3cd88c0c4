//! Samples a numeric signal for its lane.

use bevy_egui::egui::Color32;

use crate::ui::swatch;
use mutoscope_core::clip::{Clip, Hint, Signal, Value};
use mutoscope_view::timeline::TimeAxis;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum SignalShape {
    /// Numbers, which are drawn as lines.
    Heights(Heights),
    /// One colour per column, without alpha.
    Colors(Vec<Color32>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heights {
    /// The heights of the components at each column boundary, from 0 to 1.
    pub(super) columns: Vec<[f32; MAX_COMPONENTS]>,
    pub(super) components: usize,
    /// The spans with outliers, from left to right. Outliers are clamped to the edge. If the scale
    /// included them, all other values would be a flat line.
    pub(super) clipped: Vec<ClippedSpan>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClippedSpan {
    /// The first column, and the one after the last.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) extreme: f64,
    pub(super) is_above: bool,
}

pub(super) const MAX_COMPONENTS: usize = 4;

pub(super) const COLUMN_WIDTH: f32 = 2.0;

impl SignalShape {
    pub(super) fn new(clip: &Clip, signal: &Signal, axis: &TimeAxis) -> Self {
        let curve = &clip.track(signal.track).curve;
        let mut hint = Hint::default();
        let columns = (axis.width() / COLUMN_WIDTH).max(1.0) as usize;
        let values = (0..=columns).map(|column| {
            let time = axis.time_at(axis.left + column as f32 * COLUMN_WIDTH);
            curve.value_or_default(clip.span.clamp(time), &mut hint)
        });
        if curve.is_color() {
            let opaque =
                |value| swatch::opaque_color(&value).map_or(Color32::BLACK, |(color, _)| color);
            return Self::Colors(values.map(opaque).collect());
        }
        let values: Vec<_> = values.map(|value| component_values(&value)).collect();
        let count = values.iter().map(|(_, count)| *count).max().unwrap_or(0);
        Self::Heights(Heights::from_values(&values, count))
    }
}

fn component_values(value: &Value) -> ([f64; MAX_COMPONENTS], usize) {
    let mut numbers = [0.0; MAX_COMPONENTS];
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
    fn from_values(values: &[([f64; MAX_COMPONENTS], usize)], components: usize) -> Self {
        let all = values.iter().flat_map(|(value, _)| &value[..components]).copied();
        let (min, max) = bounds_without_outliers(all.filter(|value| value.is_finite()).collect());
        let height = |value: f64| {
            let part = (value - min) / (max - min);
            if part.is_finite() { part.clamp(0.0, 1.0) as f32 } else { 0.5 }
        };
        let mut clipped = Vec::new();
        for is_above in [false, true] {
            let farther = |a: f64, b: &f64| if is_above { a.max(*b) } else { a.min(*b) };
            let bound = if is_above { max } else { min };
            let farthest = values.iter().map(|(value, _)| {
                let farthest = value[..components].iter().fold(bound, farther);
                (farthest.is_finite() && farthest != bound).then_some(farthest)
            });
            add_clipped_spans(farthest, is_above, &mut clipped);
        }
        clipped.sort_by_key(|clipped| clipped.from);
        Self {
            columns: values.iter().map(|(value, _)| value.map(height)).collect(),
            components,
            clipped,
        }
    }
}

fn add_clipped_spans(
    farthest: impl Iterator<Item = Option<f64>>,
    is_above: bool,
    clipped: &mut Vec<ClippedSpan>,
) {
    let first = clipped.len();
    for (column, number) in farthest.enumerate() {
        let Some(number) = number else { continue };
        match clipped[first..].last_mut().filter(|last| last.to == column) {
            Some(last) => {
                last.to += 1;
                let is_farther = (number > last.extreme) == is_above;
                last.extreme = if is_farther { number } else { last.extreme };
            }
            None => clipped.push(ClippedSpan {
                from: column,
                to: column + 1,
                extreme: number,
                is_above,
            }),
        }
    }
}

/// Returns the minimum and maximum without outliers.
///
/// We need this because recorders park objects far away. A value is an outlier if its distance from
/// the median is more than 40 times the 85 % quantile of all distances from the median.
fn bounds_without_outliers(mut numbers: Vec<f64>) -> (f64, f64) {
    const INLIER_QUANTILE: f64 = 0.85;
    const OUTLIER_FACTOR: f64 = 40.0;
    let quantile = |numbers: &mut Vec<f64>, part: f64| {
        let index = (numbers.len().saturating_sub(1) as f64 * part) as usize;
        if numbers.is_empty() {
            return 0.0;
        }
        *numbers.select_nth_unstable_by(index, f64::total_cmp).1
    };
    let middle = quantile(&mut numbers, 0.5);
    let mut distances = numbers.iter().map(|number| (number - middle).abs()).collect();
    let reach = OUTLIER_FACTOR * quantile(&mut distances, INLIER_QUANTILE);
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
    fn heights_run_from_the_minimum_to_the_maximum() {
        let values = [([2.0, 4.0, 0.0, 0.0], 2), ([3.0, f64::NAN, 0.0, 0.0], 2)];
        let Heights { columns, components, clipped } = Heights::from_values(&values, 2);
        assert_eq!(
            [columns[0][0], columns[0][1], columns[1][0], columns[1][1]],
            [0.0, 1.0, 0.5, 0.5]
        );
        assert_eq!((components, clipped), (2, vec![]));
        let same = Heights::from_values(&[([7.0, 0.0, 0.0, 0.0], 1); 3], 1);
        assert_eq!((same.columns[1][0], same.clipped.len()), (0.5, 0));
        assert_eq!(Heights::from_values(&[], 0).columns, Vec::<[f32; MAX_COMPONENTS]>::new());
    }

    #[test]
    fn outliers_are_clipped_and_marked() {
        let walk = |column: usize| ([column as f64 * 0.1, 64.0, 0.0, 0.0], 2);
        let mut values: Vec<_> = (0..100).map(walk).collect();
        for column in [40, 41, 42] {
            values[column].0[0] = 1e6 + column as f64;
        }
        values[70].0[1] = -2e6;
        let heights = Heights::from_values(&values, 2);
        let height = |column: usize| heights.columns[column][0];
        assert!(height(10) < height(90) && height(90) - height(10) > 0.1, "{}", height(90));
        assert_eq!([height(40), height(42), heights.columns[70][1]], [1.0, 1.0, 0.0]);
        let above = ClippedSpan { from: 40, to: 43, extreme: 1e6 + 42.0, is_above: true };
        let below = ClippedSpan { from: 70, to: 71, extreme: -2e6, is_above: false };
        assert_eq!(heights.clipped, [above, below]);
        // Values that occur half of the time are not outliers.
        for value in &mut values[..50] {
            value.0[0] = 1e6;
        }
        assert_eq!(Heights::from_values(&values, 2).clipped, []);
    }

    #[test]
    fn occasional_large_values_are_not_outliers() {
        let values: Vec<_> = (0..100)
            .map(|column| ([f64::from(u8::from(column == 50)), 0.0, 0.0, 0.0], 1))
            .collect();
        let heights = Heights::from_values(&values, 1);
        assert_eq!((heights.columns[50][0], heights.columns[0][0]), (1.0, 0.0));
        assert!(heights.clipped.is_empty());
    }
}
