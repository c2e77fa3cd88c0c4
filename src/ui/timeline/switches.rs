//! When boolean signals are on.

use mutoscope_core::clip::{AnyCurve, Extrapolation, Hint, Span, Value};

/// How often the moment of a change between two keys is halved: to the nanosecond for minutes.
const HALVINGS: usize = 40;

/// Repetitions are followed as far as this many keys. More would be narrower than a pixel.
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
    use mutoscope_core::clip::{KeyTimes, ScalarCurve, Shapes};

    fn on(times: &[f64], values: &[f32], shapes: Shapes) -> Vec<(f64, f64)> {
        let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes);
        let spans = spans_on(&AnyCurve::Switch(curve), Span { start: 0.0, duration: 10.0 });
        let round = |time: f64| (time * 1e6).round() / 1e6;
        spans.into_iter().map(|(start, end)| (round(start), round(end))).collect()
    }

    #[test]
    fn booleans_change_where_the_curve_crosses_one_half() {
        let step = on(&[1.0, 3.0, 4.0, 8.0], &[0.0, 1.0, 0.0, 1.0], Shapes::Step);
        assert_eq!(step, [(3.0, 4.0), (8.0, 10.0)]);
        let ramp = on(&[2.0, 4.0], &[1.0, 0.0], Shapes::Linear);
        assert_eq!(ramp, [(0.0, 3.0)]);
        assert_eq!(on(&[], &[], Shapes::Step), []);
        assert_eq!(on(&[5.0], &[1.0], Shapes::Step), [(0.0, 10.0)]);
        assert_eq!(on(&[20.0], &[1.0], Shapes::Step), [(0.0, 10.0)]);
    }

    #[test]
    fn cycling_booleans_repeat_in_their_lane() {
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
    fn repetitions_are_limited() {
        let times = KeyTimes::new(vec![0.0, 1e-12]).unwrap();
        let curve = ScalarCurve::new(times, vec![1.0_f32, 0.0], Shapes::Step);
        let switch =
            AnyCurve::Switch(curve.extrapolated(Extrapolation::Cycle, Extrapolation::Cycle));
        let moments = keyed_moments(&switch, Span { start: -1e6, duration: 2e6 });
        assert!(moments.len() <= 3 * MOST_REPEATED + 2, "{}", moments.len());
    }
}
