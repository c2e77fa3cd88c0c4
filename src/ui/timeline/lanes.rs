//! Finds out what the lane of a signal shows.

use std::sync::Arc;

use super::switches::spans_on;
use crate::ui::display_text;
use mutoscope_core::clip::{AnyCurve, Clip, Signal, Span, Value};

#[derive(Clone, Debug)]
pub(super) enum Lane {
    /// A boolean. Has the spans in which it is `true`.
    Switch(Arc<[(f64, f64)]>),
    /// Texts with their spans.
    Texts(Arc<[TextSpan]>),
    /// Numbers or colours, which are sampled for each axis.
    Values,
    /// No values, or a constant value that carries no information. The timeline shows no row for
    /// the signal.
    Empty,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextSpan {
    /// In seconds.
    pub(super) start: f64,
    /// In seconds.
    pub(super) end: f64,
    pub(super) text: String,
}

const SAMPLE_COUNT: u32 = 64;

impl Lane {
    pub(super) fn for_signal(clip: &Clip, signal: &Signal) -> Self {
        let track = clip.track(signal.track);
        let curve = &track.curve;
        let is_computed = matches!(curve, AnyCurve::Computed(_));
        let is_switch = curve.is_switch();
        if is_switch && !is_computed {
            return Self::Switch(spans_on(curve, clip.span).into());
        }
        let samples = || sample_values(curve, clip.span);
        let Some(first) = samples().find(|value| *value != Value::Null) else { return Self::Empty };
        let value_label = |value: &Value| clip.value_label(track, value);
        if matches!(first, Value::Text(_)) || value_label(&first).is_some() {
            let to_text = |value: &Value| {
                value_label(value).unwrap_or_else(|| display_text::format_value(value))
            };
            let spans = text_spans(curve, clip.span, to_text);
            return if spans.is_empty() { Self::Empty } else { Self::Texts(spans.into()) };
        }
        // A computed curve can be constant even if it has keys.
        let may_be_empty = is_computed || curve.key_count() == 0;
        if may_be_empty && samples().all(|value| value == first) {
            return Self::Empty;
        }
        if is_switch { Self::Switch(spans_on(curve, clip.span).into()) } else { Self::Values }
    }
}

fn sample_values(curve: &AnyCurve, span: Span) -> impl Iterator<Item = Value> {
    let time_at =
        move |part| span.start + span.duration * f64::from(part) / f64::from(SAMPLE_COUNT);
    let times = (0..=SAMPLE_COUNT).map(time_at).chain(curve.key_times().iter().copied());
    times.map(|time| curve.value(time))
}

/// Returns the texts of `curve` within `span`. Only key times are evaluated, because texts cannot
/// change between keys.
fn text_spans(curve: &AnyCurve, span: Span, to_text: impl Fn(&Value) -> String) -> Vec<TextSpan> {
    let inside = curve.key_times().iter().copied();
    let times = std::iter::once(span.start)
        .chain(inside.filter(|&time| time > span.start && time <= span.end()));
    let mut spans: Vec<TextSpan> = Vec::new();
    let mut last = Value::Null;
    for time in times {
        let value = curve.value(time);
        if value == last {
            continue;
        }
        if let Some(before) = spans.last_mut().filter(|_| !is_empty_value(&last)) {
            before.end = time;
        }
        if !is_empty_value(&value) {
            spans.push(TextSpan { start: time, end: span.end(), text: to_text(&value) });
        }
        last = value;
    }
    spans
}

fn is_empty_value(value: &Value) -> bool {
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
    fn text_spans_end_at_the_next_value() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0, 6.0]).unwrap();
        let texts = [Some("a"), Some("a"), None, Some("b")];
        let curve = TextCurve::new(times, texts.map(|text| text.map(Arc::from)).to_vec());
        let span = Span { start: 2.5, duration: 5.0 };
        let spans = text_spans(&AnyCurve::Text(curve.into()), span, display_text::format_value);
        let spans: Vec<_> = spans.iter().map(|span| (span.start, span.end, &*span.text)).collect();
        assert_eq!(spans, [(2.5, 3.0, "a"), (6.0, 7.5, "b")]);
    }
}
