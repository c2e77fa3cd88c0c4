//! Finds the times at which boolean signals are on.

use mutoscope_core::clip::{AnyCurve, Extrapolation, Hint, Span, Value};

/// The number of bisections between two keys. 40 bisections locate the switch to within a
/// nanosecond, even if the keys are minutes apart.
const BISECTION_STEPS: usize = 40;

/// The largest number of keys after repeating a cyclic curve. More keys would be narrower than a
/// pixel.
const MAX_REPEATED_KEYS: usize = 100_000;

/// Returns the spans within `span` in which `curve` is on, in seconds, ascending.
///
/// Evaluates the curve at its keys, at their repetitions and at the ends of `span`. A switch that
/// changes twice between two keys is missed, but no recorder writes such a switch.
pub(super) fn spans_on(curve: &AnyCurve, span: Span) -> Vec<(f64, f64)> {
    let mut hint = Hint::default();
    let mut is_on = |time: f64| curve.value_or_default(time, &mut hint) == Value::Bool(true);
    let inside = key_times_with_repetitions(curve, span);
    let times = std::iter::once(span.start).chain(inside).chain(std::iter::once(span.end()));

    let mut spans = Vec::new();
    let mut since = None;
    let mut before = span.start;
    for time in times {
        let on = is_on(time);
        if on != since.is_some() {
            let change = find_change(before, time, on, &mut is_on);
            match since.take() {
                None => since = Some(change),
                Some(start) => spans.push((start, change)),
            }
        }
        before = time;
    }
    spans.extend(since.map(|start| (start, span.end())));
    spans
}

const REPETITION_NUDGE: f64 = 1e-6;

fn key_times_with_repetitions(curve: &AnyCurve, span: Span) -> Vec<f64> {
    let keys = curve.key_times();
    let is_inside = |time: &f64| *time > span.start && *time < span.end();
    let mut times: Vec<f64> = keys.iter().copied().filter(is_inside).collect();
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return times };
    let length = last - first;
    if length <= 0.0 {
        return times;
    }
    let (before, after) = curve.extrapolation();
    let repetitions = |seconds: f64| {
        let max_count = (MAX_REPEATED_KEYS / keys.len()) as f64;
        (seconds / length).ceil().clamp(0.0, max_count) as i64
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
            let repeated_time = |&key: &f64| start + if turns { last - key } else { key - first };
            times.extend(keys.iter().map(repeated_time).filter(is_inside));
            // At the seam between two repetitions, the curve may have the value of either
            // repetition. So also evaluate the curve right after the seam.
            times.extend(Some(start + REPETITION_NUDGE * length).filter(is_inside));
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    times
}

/// Finds the time at which the switch becomes `on`, by bisection. The switch must differ from `on`
/// at `before` and equal `on` at `after`.
fn find_change(
    mut before: f64,
    mut after: f64,
    on: bool,
    is_on: &mut impl FnMut(f64) -> bool,
) -> f64 {
    for _ in 0..BISECTION_STEPS {
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
            let switch = AnyCurve::Switch(curve.clone().with_extrapolation(before, after));
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
            AnyCurve::Switch(curve.with_extrapolation(Extrapolation::Cycle, Extrapolation::Cycle));
        let times = key_times_with_repetitions(&switch, Span { start: -1e6, duration: 2e6 });
        assert!(times.len() <= 3 * MAX_REPEATED_KEYS + 2, "{}", times.len());
    }
}
