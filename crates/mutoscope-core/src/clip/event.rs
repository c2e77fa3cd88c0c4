//! Events at a point in time.

use super::{Clip, Owner, Value};
use crate::diagnostics::SourceLocation;

/// A description of an event in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDescription {
    /// The verb: `places`.
    pub verb: &'static str,
    /// The object, if any: `oak planks`.
    pub object: Option<String>,
    /// The verb and the object, without a subject: `places oak planks`.
    pub sentence: String,
}

/// An event at a point in time, such as a marker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// The clip time, in seconds.
    pub time: f64,
    /// The node or group that the event concerns. `None` if it concerns the whole recording.
    pub owner: Option<Owner>,
    /// The name, such as the text of a marker.
    pub name: String,
    /// The value, if the event has one.
    pub value: Option<Box<Value>>,
    /// The location in the file.
    pub location: SourceLocation,
    /// Further data, for formats of games.
    pub details: Option<Box<EventDetails>>,
}

impl Event {
    /// Returns the name of the node or group that the event concerns, as in the file. The name is
    /// empty if the event concerns the whole recording.
    pub fn node_name<'a>(&'a self, clip: &'a Clip) -> &'a str {
        match (self.details.as_deref(), self.owner) {
            (Some(details), _) => &details.node,
            (None, Some(owner)) => clip.owner_name(owner),
            (None, None) => "",
        }
    }
}

/// The data that a game stores with an event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDetails {
    /// The kind of event, in terms of the format: `sound`.
    pub kind: &'static str,
    /// The name of the bone or locator that the event concerns, even if the clip has no such node.
    /// Empty if there is none.
    pub node: String,
    /// `true` if the game plays the event. `false` if the event is after the end of the clip, or
    /// for another character.
    pub is_fired: bool,
    /// The effect in the game, if events of this kind can have several: `landing`.
    pub effect: Option<&'static str>,
    /// The duration, in seconds; 0 for a moment.
    pub duration: f64,
}
