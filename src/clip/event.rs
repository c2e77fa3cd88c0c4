//! Things that happen at one moment.

use super::{Owner, Value};
use crate::diagnostics::SourceLocation;

/// What happens, as people say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventWords {
    /// What is done, or becomes of whom: `places`.
    pub event_name: &'static str,
    /// With what, if with anything: `oak planks`.
    pub with: Option<String>,
    /// All of it, but whom it concerns: `places oak planks`.
    pub sentence: String,
}

/// Something that happens at one moment, such as a marker somebody set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// When, in seconds.
    pub time: f64,
    /// Whom it concerns, if not the recording as a whole.
    pub owner: Option<Owner>,
    /// What happens: a marker's text.
    pub name: String,
    /// What it happens with, if with anything: few have it.
    pub value: Option<Box<Value>>,
    /// Where the file says so.
    pub place: SourceLocation,
    /// What else a game says of it, in formats of games.
    pub details: Option<Box<EventDetails>>,
}

/// What a game says of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDetails {
    /// What kind of event it is, in the format's words: `sound`.
    pub kind: &'static str,
    /// The bone or locator that it concerns, as the file names it: also one that is no node. Empty
    /// for none.
    pub node: String,
    /// Whether the game plays it: it may be after the end, or for another character.
    pub fires: bool,
}
