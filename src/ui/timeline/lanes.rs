//! The content of the lanes of signals.

use std::sync::Arc;

use super::switches::spans_on;
use crate::ui::words;
use mutoscope_core::clip::{AnyCurve, Clip, Signal, Span, Value};

/// The content of the lane of a signal, for all times.
#[derive(Clone, Debug)]
pub(super) enum Lane {
    /// When it is on.
    On(Arc<[(f64, f64)]>),
    /// Texts, each with the time for which it holds.
    Words(Arc<[Held]>),
    /// Numbers, or colours: drawn again for each axis.
    Signal,
    /// Never any value: no row.
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

/// How many times curves are sampled to find their kind.
const LOOKS: u32 = 64;

impl Lane {
    /// The lane of `signal`.
    pub(super) fn of(clip: &Clip, signal: &Signal) -> Self {
        let track = clip.track(signal.track);
        let curve = &track.curve;
        let is_folded = matches!(curve, AnyCurve::Computed(_));
        let is_switch = curve.is_switch();
        if is_switch && !is_folded {
            return Self::On(spans_on(curve, clip.span).into());
        }
        let looks = || looks(curve, clip.span);
        let Some(some) = looks().find(|value| *value != Value::Null) else { return Self::Silent };
        let in_words = |value: &Value| clip.value_words(track, value);
        if matches!(some, Value::Text(_)) || in_words(&some).is_some() {
            let say = |value: &Value| in_words(value).unwrap_or_else(|| words::value(value));
            let held = words_held(curve, clip.span, say);
            return if held.is_empty() { Self::Silent } else { Self::Words(held.into()) };
        }
        // Computed curves may have keys without a change.
        let may_be_silent = is_folded || curve.key_count() == 0;
        if may_be_silent && looks().all(|value| value == some) {
            return Self::Silent;
        }
        if is_switch { Self::On(spans_on(curve, clip.span).into()) } else { Self::Signal }
    }
}

/// Samples of `curve`, and its values at each of its keys.
fn looks(curve: &AnyCurve, span: Span) -> impl Iterator<Item = Value> {
    let at = move |part| span.start + span.duration * f64::from(part) / f64::from(LOOKS);
    let times = (0..=LOOKS).map(at).chain(curve.key_times().iter().copied());
    times.map(|time| curve.value(time))
}

/// The texts of `curve` within `span`, with their times. Texts change at keys only.
fn words_held(curve: &AnyCurve, span: Span, say: impl Fn(&Value) -> String) -> Vec<Held> {
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
            held.push(Held { start: time, end: span.end(), text: say(&value) });
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
    use mutoscope_core::clip::{KeyTimes, TextCurve};

    #[test]
    fn text_lanes_hold_until_the_next_value() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0, 6.0]).unwrap();
        let texts = [Some("a"), Some("a"), None, Some("b")];
        let curve = TextCurve::new(times, texts.map(|text| text.map(Arc::from)).to_vec());
        let span = Span { start: 2.5, duration: 5.0 };
        let held = words_held(&AnyCurve::Text(curve.into()), span, words::value);
        let held: Vec<_> = held.iter().map(|held| (held.start, held.end, &*held.text)).collect();
        assert_eq!(held, [(2.5, 3.0, "a"), (6.0, 7.5, "b")]);
    }
}
