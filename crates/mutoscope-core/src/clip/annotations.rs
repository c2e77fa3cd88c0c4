//! A format's annotations of a recording beyond its motion.

use std::{borrow::Cow, fmt::Debug};

use super::{
    AnyCurve, Clip, ColumnUses, Condition, Event, EventWords, NodeId, Owner, Track, TrackId, Value,
};

/// A format's annotations of a recording beyond its motion: words for its properties, values and
/// events, conditions over time, bindings of its tracks. Code that shows a clip asks here, so that
/// no panel and no command needs to know formats. All of it is optional.
pub trait Annotations: Debug + Send + Sync {
    /// The word for one sample at the recording's rate.
    fn frame_word(&self) -> &'static str {
        "frame"
    }

    /// The kind of a node, where its name does not give it: `cow`.
    fn kind_of(&self, _node: NodeId) -> Option<Cow<'_, str>> {
        None
    }

    /// The plain word for a property that has one: `main hand`.
    fn property_words(&self, _property: &str) -> Option<String> {
        None
    }

    /// The plain word for a value that has one: `standing`.
    fn value_words(&self, _track: &Track, _value: &Value) -> Option<String> {
        None
    }

    /// The plain words for an event.
    fn event_words(&self, _event: &Event) -> Option<EventWords> {
        None
    }

    /// Details of a node at `time`, in seconds, that no track has: the data of the items that it
    /// holds. A text may have many lines.
    fn details(&self, _node: NodeId, _time: f64) -> Vec<Detail> {
        Vec::new()
    }

    /// The conditions of its nodes over time. It is computed on each call.
    fn conditions(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// Facts about such a recording: labels and texts.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Why the values of `curve` are approximate after the key with this index, or after any if none
    /// is given; nothing if they are exact.
    fn approximation(&self, _curve: &AnyCurve, _key: Option<usize>) -> Option<Approximation> {
        None
    }

    /// The fields that a tool would bind the tracks of `clip` to; `None` if it binds none by their
    /// names.
    fn bindings(&self, _clip: &Clip) -> Option<Bindings> {
        None
    }

    /// How the columns of a table were read, for recordings from tables and logs.
    fn columns(&self) -> Option<&ColumnUses> {
        None
    }

    /// Whether a track is a column of a table that is a signal: listings call its property
    /// `signal`.
    fn is_column_of_signal(&self, _track: TrackId) -> bool {
        false
    }
}

/// A detail of a node at some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Its heading: `main hand: iron axe`.
    pub label: String,
    /// Its text, as the file's users write it.
    pub text: String,
}

/// A fact about a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its label: `dimension`.
    pub label: &'static str,
    /// Its text.
    pub text: String,
}

/// Why values of a curve are approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// The part of the curve that is approximate: `Tangent`.
    pub subject: &'static str,
    /// Why, in a few words.
    pub reason: &'static str,
}

/// The fields that a tool would bind tracks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings {
    /// The tool.
    pub tool: &'static str,
    /// One for each track, in their order.
    pub fields: Vec<FieldBinding>,
}

/// The result of looking up the field of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldBinding {
    /// The track.
    pub track: TrackId,
    /// Whether a field is found for it.
    pub is_found: bool,
    /// Whether that field is driven by another track.
    pub is_shifted: bool,
    /// The result in a few words.
    pub text: String,
}

impl Clip {
    /// The word for one sample at its rate: `frame`.
    pub fn frame_word(&self) -> &'static str {
        self.annotations.as_ref().map_or("frame", |annotations| annotations.frame_word())
    }

    /// The kind of a node, where its name does not give it: `cow`.
    pub fn kind_of(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.annotations.as_ref()?.kind_of(node)
    }

    /// The plain word for a property: its own name, if its format has no other.
    pub fn property_words<'a>(&self, property: &'a str) -> Cow<'a, str> {
        let words = self.annotations.as_ref().and_then(|known| known.property_words(property));
        words.map_or(property.into(), Cow::Owned)
    }

    /// The plain word for a value of `track`, if its format has one.
    pub fn value_words(&self, track: &Track, value: &Value) -> Option<String> {
        self.annotations.as_ref()?.value_words(track, value)
    }

    /// The plain words for an event, if its format has them.
    pub fn event_words(&self, event: &Event) -> Option<EventWords> {
        self.annotations.as_ref()?.event_words(event)
    }

    /// Details of a node at `time`, in seconds, that no track has.
    pub fn details(&self, node: NodeId, time: f64) -> Vec<Detail> {
        self.annotations.as_ref().map(|known| known.details(node, time)).unwrap_or_default()
    }

    /// The conditions of its nodes over time. It is computed on each call.
    pub fn conditions(&self) -> Vec<Condition> {
        self.annotations.as_ref().map(|known| known.conditions()).unwrap_or_default()
    }

    /// Facts about such a recording: labels and texts.
    pub fn facts(&self) -> Vec<Fact> {
        self.annotations.as_ref().map(|known| known.facts()).unwrap_or_default()
    }

    /// Why the values of a track are approximate after the key with this index, or after any if none
    /// is given; nothing if they are exact.
    pub fn approximation(&self, track: TrackId, key: Option<usize>) -> Option<Approximation> {
        self.annotations.as_ref()?.approximation(&self.track(track).curve, key)
    }

    /// The property of a track as listings have it.
    pub fn listed_property(&self, track: TrackId) -> &str {
        let is_signal =
            self.annotations.as_ref().is_some_and(|known| known.is_column_of_signal(track));
        if is_signal { "signal" } else { &self.track(track).property }
    }

    /// The owner of a track as listings have it; empty for a column of a table that is of no node.
    pub fn listed_owner(&self, track: TrackId) -> &str {
        let owner = self.track(track).owner;
        let is_of_table = self.annotations.as_ref().is_some_and(|it| it.columns().is_some());
        match owner {
            Owner::Group(_) if is_of_table && self.owner_name(owner) == "signals" => "",
            _ => self.owner_name(owner),
        }
    }

    /// How the columns of a table were read; `None` if it is from no table.
    pub fn columns(&self) -> Option<&ColumnUses> {
        self.annotations.as_ref()?.columns()
    }

    /// The fields that a tool would bind its tracks to; `None` if there is no such tool.
    pub fn bindings(&self) -> Option<Bindings> {
        self.annotations.as_ref()?.bindings(self)
    }
}
