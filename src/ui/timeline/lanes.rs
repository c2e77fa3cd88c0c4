//! What the lanes of signals show: when switches are on, which words hold, how numbers run.

use std::sync::Arc;

use super::axis::TimeAxis;
use crate::{
    clip::{AnyCurve, Clip, Extrapolation, Hint, Signal, Span, Value},
    ui::words,
};

/// What the lane of a signal shows, whatever times are shown.
#[derive(Clone, Debug)]
pub(super) enum Lane {
    /// When it is on.
    On(Arc<[(f64, f64)]>),
    /// Which words hold when.
    Words(Arc<[Held]>),
    /// Numbers, or colours: drawn for each axis anew.
    Run,
    /// Nothing ever: not worth a row.
    Silent,
}

/// Words that hold for a while.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    /// From when, in seconds.
    pub(super) start: f64,
    /// Until when.
    pub(super) end: f64,
    pub(super) text: String,
}

/// How many times numbers are looked at to see whether they change.
const LOOKS: u32 = 64;

impl Lane {
    /// The lane of `signal`.
    pub(super) fn of(clip: &Clip, signal: &Signal) -> Self {
        let curve = &clip.track(signal.track).curve;
        if curve.is_switch() {
            return Self::On(spans_on(curve, clip.span).into());
        }
        let first = curve.value(clip.span.start);
        let is_wordy = matches!(curve, AnyCurve::Text(_))
            || matches!((curve, first), (AnyCurve::Folded(_), Value::Text(_) | Value::Null));
        if is_wordy {
            let held = words_held(curve, clip.span);
            return if held.is_empty() { Self::Silent } else { Self::Words(held.into()) };
        }
        let changes = || {
            let at =
                |part| clip.span.start + clip.span.duration * f64::from(part) / f64::from(LOOKS);
            let values = (0..=LOOKS).map(|part| curve.value(at(part)));
            values.skip(1).any(|value| value != curve.value(clip.span.start))
        };
        if curve.key_count() == 0 && !changes() { Self::Silent } else { Self::Run }
    }
}

/// Which words `curve` says within `span`, and when. Words change at keys only.
fn words_held(curve: &AnyCurve, span: Span) -> Vec<Held> {
    let inside = curve.key_times().iter().copied();
    let moments = std::iter::once(span.start)
        .chain(inside.filter(|&time| time > span.start && time <= span.end()));
    let mut held: Vec<Held> = Vec::new();
    let mut last = Value::Null;
    for time in moments {
        let value = curve.value(time);
        if value == last {
            continue;
        }
        if let Some(before) = held.last_mut().filter(|_| !is_nothing(&last)) {
            before.end = time;
        }
        if !is_nothing(&value) {
            held.push(Held { start: time, end: span.end(), text: words::value(&value) });
        }
        last = value;
    }
    held
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        _ => false,
    }
}

/// How the numbers of a signal run, as far as they are shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Run {
    /// From one place across to the next: for each component how high it is, from 0 to 1.
    Heights(Vec<[f32; COMPONENTS]>, usize),
    /// Red, green, blue and alpha, from 0 to 1.
    Colors(Vec<[f32; 4]>),
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
        let places = ((axis.x.max - axis.x.min) / STEP).max(1.0) as usize;
        let values = (0..=places).map(|place| {
            let time = axis.time_at(axis.x.min + place as f32 * STEP);
            numbers(&curve.value_or_default(clip.span.clamp(time), &mut hint))
        });
        let values: Vec<_> = values.collect();
        let count = values.iter().map(|(_, count)| *count).max().unwrap_or(0);
        match curve.type_name() {
            "color" => {
                Self::Colors(values.iter().map(|(value, _)| value.map(|v| v as f32)).collect())
            }
            "color32" => Self::Colors(
                values.iter().map(|(value, _)| value.map(|v| (v / 255.0) as f32)).collect(),
            ),
            _ => Self::Heights(heights(&values, count), count),
        }
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

/// How often the moment of a change between two keys is halved: to the nanosecond for minutes.
const HALVINGS: usize = 40;

/// Repetitions are followed as far as so many keys. More would be narrower than a pixel.
const MOST_REPEATED: usize = 100_000;

/// When `curve` is on within `span`, in seconds, each from start to end, ascending.
///
/// Looked at are the keys, also where they repeat, and the ends of the span: a switch that flips twice between two keys
/// would be missed, and no recorder writes one.
pub(super) fn spans_on(curve: &AnyCurve, span: Span) -> Vec<(f64, f64)> {
    let mut hint = Hint::default();
    let mut is_on = |time: f64| curve.value_or_default(time, &mut hint) == Value::Bool(true);
    let inside = keyed_moments(curve, span);
    let moments = std::iter::once(span.start).chain(inside).chain(std::iter::once(span.end()));

    let mut spans = Vec::new();
    let mut since = None;
    let mut before = span.start;
    for moment in moments {
        let on = is_on(moment);
        if on != since.is_some() {
            let change = change_between(before, moment, on, &mut is_on);
            match since.take() {
                None => since = Some(change),
                Some(start) => spans.push((start, change)),
            }
        }
        before = moment;
    }
    spans.extend(since.map(|start| (start, span.end())));
    spans
}

/// A moment after the start of a repetition, as a part of its length.
const JUST_AFTER: f64 = 1e-6;

/// The times within `span` at which `curve` is at one of its keys, ascending.
fn keyed_moments(curve: &AnyCurve, span: Span) -> Vec<f64> {
    let keys = curve.key_times();
    let is_inside = |time: &f64| *time > span.start && *time < span.end();
    let mut moments: Vec<f64> = keys.iter().copied().filter(is_inside).collect();
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return moments };
    let length = last - first;
    if length <= 0.0 {
        return moments;
    }
    let (before, after) = curve.extrapolation();
    let repetitions = |seconds: f64| {
        let most = (MOST_REPEATED / keys.len()) as f64;
        (seconds / length).ceil().clamp(0.0, most) as i64
    };
    let sides = [
        (before, -repetitions(first - span.start)..0),
        (after, 1..repetitions(span.end() - last) + 1),
    ];
    for (extrapolation, numbers) in sides {
        if matches!(extrapolation, Extrapolation::Constant | Extrapolation::Linear { .. }) {
            continue;
        }
        for number in numbers {
            let turns = extrapolation == Extrapolation::Oscillate && number % 2 != 0;
            let start = first + number as f64 * length;
            let at = |&key: &f64| start + if turns { last - key } else { key - first };
            moments.extend(keys.iter().map(at).filter(is_inside));
            // Where two repetitions meet the value may be that of either.
            moments.extend(Some(start + JUST_AFTER * length).filter(is_inside));
        }
    }
    moments.sort_unstable_by(f64::total_cmp);
    moments
}

/// When the switch becomes `on` between `before`, when it is not, and `after`, when it is.
fn change_between(
    mut before: f64,
    mut after: f64,
    on: bool,
    is_on: &mut impl FnMut(f64) -> bool,
) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            break;
        }
        *(if is_on(middle) == on { &mut after } else { &mut before }) = middle;
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{KeyTimes, ScalarCurve, Shapes, TextCurve};

    fn on(times: &[f64], values: &[f32], shapes: Shapes) -> Vec<(f64, f64)> {
        let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes);
        let spans = spans_on(&AnyCurve::Switch(curve), Span { start: 0.0, duration: 10.0 });
        let round = |time: f64| (time * 1e6).round() / 1e6;
        spans.into_iter().map(|(start, end)| (round(start), round(end))).collect()
    }

    #[test]
    fn words_hold_until_others_or_none_are_said() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0, 6.0]).unwrap();
        let texts = [Some("a"), Some("a"), None, Some("b")];
        let curve = TextCurve::new(times, texts.map(|text| text.map(Arc::from)).to_vec());
        let held = words_held(&AnyCurve::Text(curve.into()), Span { start: 2.5, duration: 5.0 });
        let held: Vec<_> = held.iter().map(|held| (held.start, held.end, &*held.text)).collect();
        assert_eq!(held, [(2.5, 3.0, "a"), (6.0, 7.5, "b")]);
    }

    #[test]
    fn numbers_run_from_the_least_to_the_greatest() {
        let values = [([2.0, 4.0, 0.0, 0.0], 2), ([3.0, f64::NAN, 0.0, 0.0], 2)];
        let heights = heights(&values, 2);
        assert_eq!(
            (heights[0][0], heights[0][1], heights[1][0], heights[1][1]),
            (0.0, 1.0, 0.5, 0.5)
        );
    }

    #[test]
    fn switches_that_repeat_do_so_in_their_lane() {
        let times = KeyTimes::new(vec![3.0, 3.5, 5.0]).unwrap();
        let curve = ScalarCurve::new(times, vec![1.0_f32, 0.0, 0.0], Shapes::Step);
        let spans = |before, after| -> Vec<_> {
            let switch = AnyCurve::Switch(curve.clone().extrapolated(before, after));
            let round = |time: f64| (time * 1e6).round() / 1e6;
            let spans = spans_on(&switch, Span { start: 0.0, duration: 10.0 });
            spans.into_iter().map(|(start, end)| (round(start), round(end))).collect()
        };
        let cycle = spans(Extrapolation::Cycle, Extrapolation::Cycle);
        assert_eq!(cycle, [(1.0, 1.5), (3.0, 3.5), (5.0, 5.5), (7.0, 7.5), (9.0, 9.5)]);
        let there_and_back = spans(Extrapolation::Constant, Extrapolation::Oscillate);
        assert_eq!(there_and_back, [(0.0, 3.5), (6.5, 7.5)]);
    }

    #[test]
    fn endless_repetitions_end() {
        let times = KeyTimes::new(vec![0.0, 1e-12]).unwrap();
        let curve = ScalarCurve::new(times, vec![1.0_f32, 0.0], Shapes::Step);
        let switch =
            AnyCurve::Switch(curve.extrapolated(Extrapolation::Cycle, Extrapolation::Cycle));
        let moments = keyed_moments(&switch, Span { start: -1e6, duration: 2e6 });
        assert!(moments.len() <= 3 * MOST_REPEATED + 2, "{}", moments.len());
    }

    #[test]
    fn switches_change_where_their_curve_crosses_one_half() {
        let step = on(&[1.0, 3.0, 4.0, 8.0], &[0.0, 1.0, 0.0, 1.0], Shapes::Step);
        assert_eq!(step, [(3.0, 4.0), (8.0, 10.0)]);
        let ramp = on(&[2.0, 4.0], &[1.0, 0.0], Shapes::Linear);
        assert_eq!(ramp, [(0.0, 3.0)]);
        assert_eq!(on(&[], &[], Shapes::Step), []);
        assert_eq!(on(&[5.0], &[1.0], Shapes::Step), [(0.0, 10.0)]);
        assert_eq!(on(&[20.0], &[1.0], Shapes::Step), [(0.0, 10.0)]);
    }
}
