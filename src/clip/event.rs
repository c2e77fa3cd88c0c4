//! Things that happen at one moment.

use super::{Owner, Value};
use crate::diagnostics::Place;

/// Something that happens at one moment, such as a marker somebody set.
#[derive(Clone, Debug, PartialEq)]
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
    pub place: Place,
}
