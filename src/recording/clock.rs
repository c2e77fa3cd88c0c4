//! The clock that recordings follow.

use bevy::prelude::*;

use crate::asset::ClipAsset;
use mutoscope_core::playback::{Clock, Looping, TimeCommand};

/// A clock that recordings follow: those on the same entity, and those that name it with
/// [`OnClock`]. It advances by itself while it plays.
#[derive(Component, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub struct PlaybackClock(pub Clock);

/// The times that the [`PlaybackClock`] of the same entity does not play: from when to when, in seconds, ascending.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct SkippedGaps(pub Vec<(f64, f64)>);

/// Lets a recording follow the [`PlaybackClock`] of another entity instead of one of its own.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnClock(pub Entity);

impl PlaybackClock {
    /// A clock that plays all of `asset` from its start, looping unless its file declares that it does not
    /// loop.
    pub fn of(asset: &ClipAsset) -> Self {
        let mut clock = Clock::new(asset.clip.span);
        clock.apply(TimeCommand::SetLooping(default_looping(asset)), &[]);
        clock.apply(TimeCommand::Play, &[]);
        Self(clock)
    }
}

/// The default looping of a recording.
pub fn default_looping(asset: &ClipAsset) -> Looping {
    if asset.clip.is_looping == Some(false) { Looping::Off } else { Looping::All }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{clip::Clip, formats};

    #[test]
    fn clock_loops_by_default() {
        for (is_looping, expected) in
            [(Some(true), Looping::All), (Some(false), Looping::Off), (None, Looping::All)]
        {
            let bytes = include_bytes!("../../assets/prime/walk.ANIM");
            let clip = formats::decode(bytes, &formats::DecodeRequest::default()).unwrap();
            let clock = PlaybackClock::of(&ClipAsset::new(Clip { is_looping, ..clip }));
            assert_eq!(clock.looping(), expected, "{is_looping:?}");
            assert!(clock.is_playing());
        }
    }
}
