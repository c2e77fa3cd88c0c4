//! A sound output that is always closed. A browser cannot run ffmpeg, so there is no sound to play.

use std::sync::{Arc, Mutex};

use super::feed::Feed;

#[derive(Debug)]
pub(super) struct Speaker(SpeakerState);

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(dead_code, reason = "only a desktop opens a sound output")]
pub(super) enum SpeakerState {
    Opening,
    Open(u32),
    Closed(String),
}

impl Speaker {
    pub(super) fn open(_feed: Arc<Mutex<Feed>>) -> Self {
        Self(SpeakerState::Closed("browsers cannot play the sound of footage".to_owned()))
    }

    pub(super) fn state(&mut self) -> &SpeakerState {
        &self.0
    }
}
