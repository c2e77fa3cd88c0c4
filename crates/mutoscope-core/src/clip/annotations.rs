//! Annotations: what a format knows about a recording beyond its motion.

use std::{borrow::Cow, fmt::Debug};

use super::{
    AnyCurve, Clip, ColumnUses, Condition, Event, EventDescription, NodeId, Owner, Track, TrackId,
    Value,
};

/// Labels, events, conditions and other facts that a format adds to the motion of a recording.
///
/// Code that shows a clip calls these methods, so that no panel and no command depends on a format.
/// All methods have defaults.
pub trait Annotations: Debug + Send + Sync {
    /// Returns the label for one sample at the recording's rate: `frame`, `tick`.
    fn frame_label(&self) -> &'static str {
        "frame"
    }

    /// Returns a label for the type of `node`, such as `cow`, if its name does not contain the
    /// type.
    fn node_type_label(&self, _node: NodeId) -> Option<Cow<'_, str>> {
        None
    }

    /// Returns a label for a property, such as `main hand`. `None` keeps the property's own name.
    fn property_label(&self, _property: &str) -> Option<String> {
        None
    }

    /// Returns a label for a value, such as `standing`. `None` if the value has no label.
    fn value_label(&self, _track: &Track, _value: &Value) -> Option<String> {
        None
    }

    /// Describes an event in words. `None` if the format has no words for the event.
    fn describe_event(&self, _event: &Event) -> Option<EventDescription> {
        None
    }

    /// Returns details of `node` at `time` (in seconds) that no track contains, such as the data of
    /// the items that a player holds. The text of a detail may have several lines.
    fn details(&self, _node: NodeId, _time: f64) -> Vec<Detail> {
        Vec::new()
    }

    /// Computes the conditions of all nodes over time.
    fn conditions(&self) -> Vec<Condition> {
        Vec::new()
    }

    /// Returns facts about the recording, each a label and a text.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Returns why the values of `curve` after the key with index `key` are approximate, or `None`
    /// if they are exact. If `key` is `None`, all keys are considered.
    fn approximation(&self, _curve: &AnyCurve, _key: Option<usize>) -> Option<Approximation> {
        None
    }

    /// Returns the types of the in and out tangents of a key, as the format names them. `None` if
    /// the format has no types of tangents.
    fn tangent_types(&self, _track: TrackId, _key: usize) -> Option<[&'static str; 2]> {
        None
    }

    /// Returns the fields that a tool would bind the tracks of `clip` to. `None` if no tool binds
    /// tracks by their names.
    fn bindings(&self, _clip: &Clip) -> Option<Bindings> {
        None
    }

    /// Returns the use of the columns of a table or log. `None` for recordings from files of any
    /// other kind.
    fn columns(&self) -> Option<&ColumnUses> {
        None
    }

    /// Returns `true` if `track` comes from a table column that was read as a signal. Listings show
    /// `signal` as the property of such a track.
    fn is_signal_column(&self, _track: TrackId) -> bool {
        false
    }
}

/// A detail of a node at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The heading: `main hand: iron axe`.
    pub label: String,
    /// The text, in the notation of the format.
    pub text: String,
}

/// A fact about a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The label: `dimension`.
    pub label: &'static str,
    /// The text.
    pub text: String,
}

/// The reason why values of a curve are approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approximation {
    /// The approximate part of the curve: `Tangent`.
    pub part: &'static str,
    /// The reason, in a few words.
    pub reason: &'static str,
}

/// The fields that the importing application binds the tracks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings {
    /// The name of the tool.
    pub tool: &'static str,
    /// The results, one for each track in the order of the tracks.
    pub fields: Vec<FieldBinding>,
}

/// The result of looking up the field for a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldBinding {
    /// The track.
    pub track: TrackId,
    /// `true` if the tool finds a field for the track.
    pub is_found: bool,
    /// `true` if another track drives the field that the tool finds.
    pub is_driven_by_other_track: bool,
    /// The result in a few words.
    pub text: String,
}

impl Clip {
    /// Returns the label for one sample at the clip's rate: `frame`, `tick`.
    pub fn frame_label(&self) -> &'static str {
        self.annotations.as_ref().map_or("frame", |annotations| annotations.frame_label())
    }

    /// Returns a label for the type of `node`, such as `cow`, if its name does not contain the
    /// type.
    pub fn node_type_label(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.annotations.as_ref()?.node_type_label(node)
    }

    /// Returns a label for `property`. Falls back to the property's own name.
    pub fn property_label<'a>(&self, property: &'a str) -> Cow<'a, str> {
        let label =
            self.annotations.as_ref().and_then(|annotations| annotations.property_label(property));
        label.map_or(property.into(), Cow::Owned)
    }

    /// Returns a label for a value of `track`, or `None` if the format has none.
    pub fn value_label(&self, track: &Track, value: &Value) -> Option<String> {
        self.annotations.as_ref()?.value_label(track, value)
    }

    /// Describes `event` in words. `None` if the format has no words for the event.
    pub fn describe_event(&self, event: &Event) -> Option<EventDescription> {
        self.annotations.as_ref()?.describe_event(event)
    }

    /// Returns details of `node` at `time` (in seconds) that no track contains.
    pub fn details(&self, node: NodeId, time: f64) -> Vec<Detail> {
        self.annotations
            .as_ref()
            .map(|annotations| annotations.details(node, time))
            .unwrap_or_default()
    }

    /// Computes the conditions of all nodes over time.
    pub fn conditions(&self) -> Vec<Condition> {
        self.annotations.as_ref().map(|annotations| annotations.conditions()).unwrap_or_default()
    }

    /// Returns facts about the recording, each a label and a text.
    pub fn facts(&self) -> Vec<Fact> {
        self.annotations.as_ref().map(|annotations| annotations.facts()).unwrap_or_default()
    }

    /// Returns why the values of a track after the key with index `key` are approximate, or `None`
    /// if they are exact. If `key` is `None`, all keys are considered.
    pub fn approximation(&self, track: TrackId, key: Option<usize>) -> Option<Approximation> {
        self.annotations.as_ref()?.approximation(&self.track(track).curve, key)
    }

    /// Returns the types of the in and out tangents of a key, as the format names them. `None` if
    /// the format has no types of tangents.
    pub fn tangent_types(&self, track: TrackId, key: usize) -> Option<[&'static str; 2]> {
        self.annotations.as_ref()?.tangent_types(track, key)
    }

    /// Returns the property of a track for listings.
    pub fn listed_property(&self, track: TrackId) -> &str {
        let is_signal = self
            .annotations
            .as_ref()
            .is_some_and(|annotations| annotations.is_signal_column(track));
        if is_signal { "signal" } else { &self.track(track).property }
    }

    /// Returns the name of the owner of a track for listings. The name is empty for a table column
    /// that belongs to no node.
    pub fn listed_owner(&self, track: TrackId) -> &str {
        let owner = self.track(track).owner;
        let is_from_table =
            self.annotations.as_ref().is_some_and(|annotations| annotations.columns().is_some());
        match owner {
            Owner::Group(_) if is_from_table && self.owner_name(owner) == "signals" => "",
            _ => self.owner_name(owner),
        }
    }

    /// Returns the use of the columns of a table or log. `None` for recordings from files of any
    /// other kind.
    pub fn columns(&self) -> Option<&ColumnUses> {
        self.annotations.as_ref()?.columns()
    }

    /// Returns the fields that a tool would bind the tracks to. `None` if there is no such tool.
    pub fn bindings(&self) -> Option<Bindings> {
        self.annotations.as_ref()?.bindings(self)
    }
}
