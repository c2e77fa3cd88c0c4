//! Plays assets.

use std::sync::Arc;

use bevy::{
    asset::{AssetLoadFailedEvent, LoadState},
    prelude::*,
};

use crate::{
    ClipAsset, FollowsClock, PlaybackClock, Recording, RecordingFailed, RecordingLoaded,
    clock::clock_of,
};
use mutoscope_core::clip::Span;

/// Plays the recording that this handle refers to, as soon as it is loaded. The recording is placed
/// in the space of this entity.
///
/// The entity then gets a [`Recording`]. It also gets a playing [`PlaybackClock`], unless it
/// already has one or [follows](FollowsClock) that of another entity. If the handle or the asset
/// changes, the new clip replaces the old one. [`RecordingLoaded`] and [`RecordingFailed`] tell how
/// loading ended.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Visibility)]
pub struct RecordingPlayer(pub Handle<ClipAsset>);

type PlayerQueryData<'a> =
    (Entity, Ref<'a, RecordingPlayer>, Option<&'a mut Recording>, Option<&'a FollowsClock>);

pub(crate) fn open_loaded(
    mut commands: Commands,
    mut players: Query<PlayerQueryData>,
    mut clocks: Query<&mut PlaybackClock>,
    clips: Res<Assets<ClipAsset>>,
    mut events: MessageReader<AssetEvent<ClipAsset>>,
) {
    let modified: Vec<_> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, player, recording, follows) in &mut players {
        let is_new = player.is_changed() || modified.contains(&player.0.id());
        let Some(asset) = clips.get(&player.0).filter(|_| recording.is_none() || is_new) else {
            continue;
        };
        let default_clock = PlaybackClock::for_asset(asset);
        match recording {
            // Skip a recording that already plays this clip, because Bevy reports an inserted
            // component as changed in the next frame too.
            Some(recording) if Arc::ptr_eq(&recording.asset().clip, &asset.clip) => continue,
            Some(mut recording) => recording.replace(asset.clone()),
            None => {
                commands.entity(entity).insert(Recording::new(asset.clone()));
            }
        }
        match clocks.get_mut(clock_of(entity, follows)) {
            Ok(mut clock) if clock.span() == Span::default() => *clock = default_clock,
            Ok(mut clock) => clock.extend_span(asset.clip.span),
            Err(_) if follows.is_none() => {
                commands.entity(entity).insert(default_clock);
            }
            // The entity that the recording follows has no clock yet.
            Err(_) => {}
        }
        commands.trigger(RecordingLoaded { entity });
    }
}

pub(crate) fn report_failures(
    mut commands: Commands,
    players: Query<(Entity, Ref<RecordingPlayer>)>,
    mut failures: MessageReader<AssetLoadFailedEvent<ClipAsset>>,
    assets: Res<AssetServer>,
) {
    let failures: Vec<_> = failures.read().map(|failure| (failure.id, &failure.error)).collect();
    for (entity, player) in &players {
        let id = player.0.id();
        let reported = failures.iter().find(|(failed, _)| *failed == id).map(|(_, error)| *error);
        if let Some(error) = reported {
            commands.trigger(RecordingFailed { entity, error: error.clone() });
        } else if player.is_changed()
            && let Some(LoadState::Failed(error)) = assets.get_load_state(id)
        {
            // The file had failed before this player was spawned.
            commands.trigger(RecordingFailed { entity, error: (*error).clone() });
        }
    }
}
