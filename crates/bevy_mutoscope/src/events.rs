//! Events of playback. Observe them on the entity, or in the whole app.

use std::sync::Arc;

use bevy::{asset::AssetLoadError, prelude::*};

use crate::{
    ClipLoaderError, FollowsClock, Recording,
    clock::{ClockStep, clock_of},
};
use mutoscope_core::{
    clip::{Clip, Event},
    formats::Failure,
};

/// A recording was loaded, or loaded again after its file changed. The entity now has a
/// [`Recording`].
#[derive(EntityEvent, Clone, Debug)]
pub struct RecordingLoaded {
    /// The entity of the player.
    pub entity: Entity,
}

/// A recording could not be loaded. The entity keeps the recording that it played before, if any.
#[derive(EntityEvent, Clone, Debug)]
pub struct RecordingFailed {
    /// The entity of the player.
    pub entity: Entity,
    /// The reason.
    pub error: AssetLoadError,
}

impl RecordingFailed {
    /// Returns what is wrong with the bytes of the file: the format, the location and the reason.
    /// `None` if the bytes could not be read at all.
    pub fn failure(&self) -> Option<&Failure> {
        let AssetLoadError::AssetLoaderError(error) = &self.error else { return None };
        match error.error().downcast_ref()? {
            ClipLoaderError::Decode(failure) => Some(failure),
            _ => None,
        }
    }
}

/// A clock reached the end and continued at the start, or changed its direction (ping-pong).
#[derive(EntityEvent, Clone, Debug)]
pub struct PlaybackLooped {
    /// The entity of the [`PlaybackClock`](crate::PlaybackClock).
    pub entity: Entity,
}

/// A clock that does not loop reached the end and stopped.
#[derive(EntityEvent, Clone, Debug)]
pub struct PlaybackFinished {
    /// The entity of the [`PlaybackClock`](crate::PlaybackClock).
    pub entity: Entity,
}

/// Playback passed an event of the file, such as a marker. Seeking passes no events.
#[derive(EntityEvent, Clone, Debug)]
pub struct RecordingEvent {
    /// The entity of the player.
    pub entity: Entity,
    clip: Arc<Clip>,
    index: usize,
}

impl RecordingEvent {
    /// Returns the event of the file.
    pub fn marker(&self) -> &Event {
        &self.clip.events[self.index]
    }

    /// Returns the clip that contains the event.
    pub fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }
}

pub(crate) fn report_clocks(
    mut commands: Commands,
    steps: Query<(Entity, &ClockStep), Changed<ClockStep>>,
) {
    for (entity, step) in &steps {
        if step.has_looped {
            commands.trigger(PlaybackLooped { entity });
        }
        if step.has_finished {
            commands.trigger(PlaybackFinished { entity });
        }
    }
}

pub(crate) fn report_markers(
    mut commands: Commands,
    recordings: Query<(Entity, &Recording, Option<&FollowsClock>)>,
    steps: Query<&ClockStep>,
) {
    for (entity, recording, follows) in &recordings {
        let (clip, timing) = (recording.clip(), recording.timing());
        if clip.events.is_empty() {
            continue;
        }
        let Ok(step) = steps.get(clock_of(entity, follows)) else { continue };
        for pass in step.passes.iter().flatten() {
            let (from, to) = (timing.to_clip_time(pass.from), timing.to_clip_time(pass.to));
            let is_passed = |time: f64| {
                let is_between =
                    if from <= to { from < time && time <= to } else { to <= time && time < from };
                is_between || pass.includes_from && time == from
            };
            for (index, event) in clip.events.iter().enumerate() {
                if is_passed(event.time) {
                    commands.trigger(RecordingEvent { entity, clip: clip.clone(), index });
                }
            }
        }
    }
}
