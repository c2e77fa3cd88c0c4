//! The clock that recordings follow.

use bevy::prelude::*;

use crate::asset::ClipAsset;
use mutoscope_core::playback::{Clock, Looping, TimeCommand};

/// A clock for the recordings on the same entity, and for recordings that refer to that entity with
/// [`OnClock`]. It advances by itself while it plays.
#[derive(Component, Clone, Debug, Default, PartialEq, Deref, DerefMut)]
pub struct PlaybackClock(pub Clock);

/// Time ranges that the [`PlaybackClock`] of the same entity skips, as (start, end) in seconds,
/// sorted.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct SkippedGaps(pub Vec<(f64, f64)>);

/// Makes a recording follow the [`PlaybackClock`] of another entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnClock(pub Entity);

impl PlaybackClock {
    /// Creates a clock that plays all of `asset` from the start. It loops unless the file declares
    /// that the clip does not loop.
    pub fn for_asset(asset: &ClipAsset) -> Self {
        let mut clock = Clock::new(asset.clip.span);
        clock.apply(TimeCommand::SetLooping(default_looping(asset)), &[]);
        clock.apply(TimeCommand::Play, &[]);
        Self(clock)
    }
}

/// Returns the looping mode of a newly opened recording: [`Looping::Off`] if its file says so,
/// otherwise [`Looping::All`].
pub fn default_looping(asset: &ClipAsset) -> Looping {
    if asset.clip.is_looping == Some(false) { Looping::Off } else { Looping::All }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn clock_loops_by_default() {
        for (is_looping, expected) in
            [(Some(true), Looping::All), (Some(false), Looping::Off), (None, Looping::All)]
        {
            let bytes = include_bytes!("../../assets/prime/walk.ANIM");
            let mut clip = decode(bytes, &ReadOptions::default()).unwrap();
            clip.is_looping = is_looping;
            let clock = PlaybackClock::for_asset(&ClipAsset::new(clip));
            assert_eq!(clock.looping(), expected, "{is_looping:?}");
            assert!(clock.is_playing());
        }
    }
}
