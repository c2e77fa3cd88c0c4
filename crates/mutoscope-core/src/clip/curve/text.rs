//! Curves of text.

use std::sync::Arc;

use super::{Hint, KeyTimes, search::Keyed as _};
use crate::clip::Value;

/// A curve of text over time, such as subtitles: a key's text holds until the next key.
///
/// # Invariants
/// As many texts as key times.
#[derive(Clone, Debug)]
pub struct TextCurve {
    times: KeyTimes,
    texts: Box<[Option<Arc<str>>]>,
    is_frozen: bool,
}

impl TextCurve {
    /// A curve with these keys. `None` in place of a text is no text at all.
    ///
    /// # Panics
    /// If there are not as many texts as key times.
    pub fn new(times: KeyTimes, texts: impl Into<Box<[Option<Arc<str>>]>>) -> Self {
        let texts = texts.into();
        assert_eq!(times.as_slice().len(), texts.len(), "a text for each key time");
        Self { times, texts, is_frozen: false }
    }

    /// The same curve, constant at the text of its first key: for keys at intervals of length 0.
    pub fn frozen(self) -> Self {
        Self { is_frozen: true, ..self }
    }

    /// Whether it is constant at the text of its first key.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// The same texts at other times.
    ///
    /// # Panics
    /// If there are not as many times.
    pub fn at_times(&self, times: KeyTimes) -> Self {
        assert_eq!(times.as_slice().len(), self.texts.len(), "a text for each key time");
        Self { times, ..self.clone() }
    }

    /// The times of its keys.
    pub fn times(&self) -> &KeyTimes {
        &self.times
    }

    /// The text of the key with this index; [`Value::Null`] for none.
    pub fn key_value(&self, index: usize) -> Value {
        self.texts.get(index).cloned().flatten().map_or(Value::Null, Value::Text)
    }

    /// The text at `time`, in seconds: that of the first key before it; [`Value::Null`] for none.
    pub fn evaluate(&self, time: f64, hint: &mut Hint) -> Value {
        if self.texts.is_empty() || self.is_frozen {
            return self.key_value(0);
        }
        self.key_value(self.times.key_at(time, hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_holds_until_the_next_key() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0]).unwrap();
        let curve = TextCurve::new(times, [Some("one".into()), None, Some("three".into())]);
        let at = |time| curve.evaluate(time, &mut Hint::default());
        let [one, three] = ["one", "three"].map(|text| Value::Text(text.into()));
        let found = [0.0, 1.5, 2.0, 2.9, 3.0, 9.0].map(at);
        assert_eq!(found, [one.clone(), one, Value::Null, Value::Null, three.clone(), three]);
        let none = TextCurve::new(KeyTimes::default(), []);
        assert_eq!(none.evaluate(0.0, &mut Hint::default()), Value::Null);
    }
}
