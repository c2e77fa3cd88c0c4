//! Events at one time.

use super::{Clip, Owner, Value};
use crate::diagnostics::SourceLocation;

/// An event in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventWords {
    /// The verb: `places`.
    pub event_name: &'static str,
    /// The object, if any: `oak planks`.
    pub with: Option<String>,
    /// Both, without the subject: `places oak planks`.
    pub sentence: String,
}

/// An event at one time, such as a marker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Its time, in seconds.
    pub time: f64,
    /// The node or group that it concerns, if not the recording as a whole.
    pub owner: Option<Owner>,
    /// Its name: a marker's text.
    pub name: String,
    /// Its value, if it has one.
    pub value: Option<Box<Value>>,
    /// Where the file has it.
    pub place: SourceLocation,
    /// Further data, in formats of games.
    pub details: Option<Box<EventDetails>>,
}

impl Event {
    /// The name of the node or group that it concerns, as the file has it; empty for the recording as a
    /// whole.
    pub fn node_name<'a>(&'a self, clip: &'a Clip) -> &'a str {
        match (self.details.as_deref(), self.owner) {
            (Some(details), _) => &details.node,
            (None, Some(owner)) => clip.owner_name(owner),
            (None, None) => "",
        }
    }
}

/// The data that a game has for an event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDetails {
    /// The kind of event, in the format's words: `sound`.
    pub kind: &'static str,
    /// The bone or locator that it concerns, as the file names it, even if it is no node. Empty for
    /// none.
    pub node: String,
    /// Whether the game plays it: it may be after the end, or for another character.
    pub fires: bool,
    /// The effect in the game, where an event of this kind can have several: `landing`.
    pub effect: Option<&'static str>,
    /// How long it lasts, in seconds; 0 for a moment.
    pub duration: f64,
}
