//! Curves of strings.

use std::sync::Arc;

use super::{Hint, KeyTimes, search::KeySearch as _};
use crate::clip::Value;

/// A curve of strings over time, such as subtitles. Each string is held until the next key.
///
/// # Invariants
/// There are as many strings as key times.
#[derive(Clone, Debug)]
pub struct TextCurve {
    times: KeyTimes,
    texts: Box<[Option<Arc<str>>]>,
    is_frozen: bool,
}

impl TextCurve {
    /// Creates a curve with these keys. `None` means that there is no string from this key on.
    ///
    /// # Panics
    /// If there are not as many strings as key times.
    pub fn new(times: KeyTimes, texts: impl Into<Box<[Option<Arc<str>>]>>) -> Self {
        let texts = texts.into();
        assert_eq!(times.as_slice().len(), texts.len(), "a text for each key time");
        Self { times, texts, is_frozen: false }
    }

    /// Makes the curve constant at the string of its first key. Decoders call this for files in
    /// which the keys are 0 seconds apart.
    pub fn frozen(self) -> Self {
        Self { is_frozen: true, ..self }
    }

    /// Returns `true` if the curve is constant at the string of its first key.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// Returns a curve with the same strings at other times.
    ///
    /// # Panics
    /// If there are not as many times as strings.
    pub fn with_times(&self, times: KeyTimes) -> Self {
        assert_eq!(times.as_slice().len(), self.texts.len(), "a text for each key time");
        Self { times, ..self.clone() }
    }

    /// Returns the times of the keys.
    pub fn times(&self) -> &KeyTimes {
        &self.times
    }

    /// Returns the string of the key with index `index`, or [`Value::Null`] if there is none.
    pub fn key_value(&self, index: usize) -> Value {
        self.texts.get(index).cloned().flatten().map_or(Value::Null, Value::Text)
    }

    /// Returns the string at `time`, in seconds. Before the first key, this is the string of the
    /// first key. Returns [`Value::Null`] if there is no string.
    pub fn evaluate(&self, time: f64, hint: &mut Hint) -> Value {
        if self.texts.is_empty() || self.is_frozen {
            return self.key_value(0);
        }
        self.key_value(self.times.find_key(time, hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_holds_until_the_next_key() {
        let times = KeyTimes::new(vec![1.0, 2.0, 3.0]).unwrap();
        let curve = TextCurve::new(times, [Some("one".into()), None, Some("three".into())]);
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        let [one, three] = ["one", "three"].map(|text| Value::Text(text.into()));
        let found = [0.0, 1.5, 2.0, 2.9, 3.0, 9.0].map(value_at);
        assert_eq!(found, [one.clone(), one, Value::Null, Value::Null, three.clone(), three]);
        let none = TextCurve::new(KeyTimes::default(), []);
        assert_eq!(none.evaluate(0.0, &mut Hint::default()), Value::Null);
    }
}
