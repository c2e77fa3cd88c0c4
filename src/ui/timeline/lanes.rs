//! What the lanes of signals show.

use std::sync::Arc;

use super::switches::spans_on;
use crate::{
    clip::{AnyCurve, Clip, Signal, Span, Value},
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{KeyTimes, TextCurve};

    #[test]
    fn words_hold_until_others_or_none_are_said() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0, 6.0]).unwrap();
        let texts = [Some("a"), Some("a"), None, Some("b")];
        let curve = TextCurve::new(times, texts.map(|text| text.map(Arc::from)).to_vec());
        let held = words_held(&AnyCurve::Text(curve.into()), Span { start: 2.5, duration: 5.0 });
        let held: Vec<_> = held.iter().map(|held| (held.start, held.end, &*held.text)).collect();
        assert_eq!(held, [(2.5, 3.0, "a"), (6.0, 7.5, "b")]);
    }
}
