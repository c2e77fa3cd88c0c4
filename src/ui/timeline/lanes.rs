//! When switches are on: tracked, pinch.

use crate::clip::{AnyCurve, Hint, Span, Value};

/// How often the moment of a change between two keys is halved: to the nanosecond for minutes.
const HALVINGS: usize = 40;

/// When `curve` is on within `span`, in seconds, each from start to end, ascending.
///
/// Looked at are the keys and the ends of the span: a switch that flips twice between two keys
/// would be missed, and no recorder writes one.
pub(super) fn spans_on(curve: &AnyCurve, span: Span) -> Vec<(f64, f64)> {
    let mut hint = Hint::default();
    let mut is_on = |time: f64| curve.value_or_default(time, &mut hint) == Value::Bool(true);
    let inside = curve.key_times().iter().copied();
    let moments = std::iter::once(span.start)
        .chain(inside.filter(|&time| time > span.start && time < span.end()))
        .chain(std::iter::once(span.end()));

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
    use crate::clip::{KeyTimes, ScalarCurve, Shapes};

    fn on(times: &[f64], values: &[f32], shapes: Shapes) -> Vec<(f64, f64)> {
        let curve = ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes);
        let spans = spans_on(&AnyCurve::Switch(curve), Span { start: 0.0, duration: 10.0 });
        let round = |time: f64| (time * 1e6).round() / 1e6;
        spans.into_iter().map(|(start, end)| (round(start), round(end))).collect()
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
