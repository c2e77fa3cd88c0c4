//! What a format knows of a recording beyond its motion, in words.

use std::{borrow::Cow, fmt::Debug};

use super::{AnyCurve, Clip, Condition, Event, EventWords, NodeId, Track, TrackId, Value};

/// What a format knows of a recording beyond its motion: words for its properties, values and
/// events, what holds when, what a tool would do with its tracks. Code that shows a clip asks here,
/// so that no panel and no command needs to know formats. All of it is optional.
pub trait Annotations: Debug + Send + Sync {
    /// What one sample of the recording's rate is called.
    fn frame_word(&self) -> &'static str {
        "frame"
    }

    /// What a node is, where its name does not tell: `cow`.
    fn kind_of(&self, _node: NodeId) -> Option<Cow<'_, str>> {
        None
    }

    /// What people call a property that has a word of its own: `main hand`.
    fn property_words(&self, _property: &str) -> Option<String> {
        None
    }

    /// What people call a value that has a word of its own: `standing`.
    fn value_words(&self, _track: &Track, _value: &Value) -> Option<String> {
        None
    }

    /// What happens, as people say it.
    fn event_words(&self, _event: &Event) -> Option<EventWords> {
        None
    }

    /// What there is to say of a node at `time`, in seconds, that no track has: the data of what it
    /// holds. A text may have many lines.
    fn details(&self, _node: NodeId, _time: f64) -> Vec<Detail> {
        Vec::new()
    }

    /// What holds of its nodes at times. It is computed on each call.
    fn conditions(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// What people ask of such a recording: labels, and what they say.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Why the values of `curve` are approximate after the key with this index, or after any if none
    /// is given; nothing if they are exact.
    fn approximation(&self, _curve: &AnyCurve, _key: Option<usize>) -> Option<Approximation> {
        None
    }

    /// Which fields a tool would bind the tracks of `clip` to; nothing if it binds none by their
    /// names.
    fn bindings(&self, _clip: &Clip) -> Option<Bindings> {
        None
    }
}

/// Something worth knowing about a node at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What it is about: `main hand: iron axe`.
    pub label: String,
    /// What there is to say, as the file's users write it.
    pub text: String,
}

/// Something worth knowing about a recording, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is about: `dimension`.
    pub label: &'static str,
    /// What there is to say.
    pub text: String,
}

/// Why values of a curve are approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// What of the curve is: `Tangent`.
    pub subject: &'static str,
    /// Why, in a few words.
    pub reason: &'static str,
}

/// Which fields a tool would bind tracks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings {
    /// The tool.
    pub tool: &'static str,
    /// One for each track, in their order.
    pub fields: Vec<FieldBinding>,
}

/// What becomes of a track when a tool looks for its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldBinding {
    /// The track.
    pub track: TrackId,
    /// Whether a field is found for it.
    pub is_found: bool,
    /// Whether that field is driven by another track.
    pub is_shifted: bool,
    /// What becomes of it, in a few words.
    pub text: String,
}

impl Clip {
    /// What one sample of its rate is called: `frame`.
    pub fn frame_word(&self) -> &'static str {
        self.annotations.as_ref().map_or("frame", |annotations| annotations.frame_word())
    }

    /// What a node is, where its name does not tell: `cow`.
    pub fn kind_of(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.annotations.as_ref()?.kind_of(node)
    }

    /// What people call a property: its own name, if its format knows no other.
    pub fn property_words<'a>(&self, property: &'a str) -> Cow<'a, str> {
        let words = self.annotations.as_ref().and_then(|known| known.property_words(property));
        words.map_or(property.into(), Cow::Owned)
    }

    /// What people call a value of `track`, if its format has words of its own for it.
    pub fn value_words(&self, track: &Track, value: &Value) -> Option<String> {
        self.annotations.as_ref()?.value_words(track, value)
    }

    /// What happens, as people say it, if its format has words of its own for it.
    pub fn event_words(&self, event: &Event) -> Option<EventWords> {
        self.annotations.as_ref()?.event_words(event)
    }

    /// What there is to say of a node at `time`, in seconds, that no track has.
    pub fn details(&self, node: NodeId, time: f64) -> Vec<Detail> {
        self.annotations.as_ref().map(|known| known.details(node, time)).unwrap_or_default()
    }

    /// What holds of its nodes at times. It is computed on each call.
    pub fn conditions(&self) -> Vec<Condition> {
        self.annotations.as_ref().map(|known| known.conditions()).unwrap_or_default()
    }

    /// What people ask of such a recording: labels, and what they say.
    pub fn facts(&self) -> Vec<Fact> {
        self.annotations.as_ref().map(|known| known.facts()).unwrap_or_default()
    }

    /// Why the values of a track are approximate after the key with this index, or after any if none
    /// is given; nothing if they are exact.
    pub fn approximation(&self, track: TrackId, key: Option<usize>) -> Option<Approximation> {
        self.annotations.as_ref()?.approximation(&self.track(track).curve, key)
    }

    /// Which fields a tool would bind its tracks to; nothing if there is no such tool.
    pub fn bindings(&self) -> Option<Bindings> {
        self.annotations.as_ref()?.bindings(self)
    }
}
