//! No sound output: a browser has no ffmpeg whose sound it could play.

use std::sync::{Arc, Mutex};

use super::feed::Feed;

/// No output.
#[derive(Debug)]
pub(super) struct Speaker(State);

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(dead_code, reason = "the others are those of a desktop")]
pub(super) enum State {
    Opening,
    Open(u32),
    Closed(String),
}

impl Speaker {
    /// It stays closed.
    pub(super) fn open(_feed: Arc<Mutex<Feed>>) -> Self {
        Self(State::Closed("a browser plays no sound here".to_owned()))
    }

    /// That it is closed.
    pub(super) fn state(&mut self) -> &State {
        &self.0
    }
}
