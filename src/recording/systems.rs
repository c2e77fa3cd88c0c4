//! Opening what was loaded, advancing clocks, sampling poses.

use std::sync::Arc;

use bevy::prelude::*;

use super::{OnClock, PlaybackClock, Recording, SkippedGaps};
use crate::asset::{ClipAsset, ClipLoader};
use mutoscope_core::{clip::Span, playback::Clock};

/// Adds the asset type of recordings, its loader, and what lets every [`Recording`] play.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordingPlugin;

/// When recordings are sampled, within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordingSystems {
    /// Clips whose loading ended are opened, clocks advance, poses are sampled.
    Sample,
}

/// Plays the recording behind a handle in the space of this entity, as soon as it is loaded: a
/// [`Recording`] joins it then, and a [`PlaybackClock`] that plays, unless it has one or is
/// [`OnClock`] of another. A changed handle or asset takes the place of what plays.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[require(Transform, Visibility)]
pub struct PlayRecording(pub Handle<ClipAsset>);

impl Plugin for RecordingPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<ClipAsset>().init_asset_loader::<ClipLoader>().add_systems(
            Update,
            (open_loaded, advance_clocks, sample_recordings)
                .chain()
                .in_set(RecordingSystems::Sample),
        );
    }
}

/// The recordings that [`open_loaded`] opens: the handle, the open recording, and the clocks it may
/// follow.
type Playing<'a> = (Entity, Ref<'a, PlayRecording>, Option<&'a mut Recording>, Option<&'a OnClock>);

fn open_loaded(
    mut commands: Commands,
    mut playing: Query<Playing>,
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
    for (entity, handle, recording, on_clock) in &mut playing {
        let is_new = handle.is_changed() || modified.contains(&handle.0.id());
        let Some(asset) = clips.get(&handle.0).filter(|_| recording.is_none() || is_new) else {
            continue;
        };
        let started = PlaybackClock::of(asset);
        match recording {
            // A component counts as changed in the frame after its insertion too.
            Some(recording) if Arc::ptr_eq(&recording.asset().clip, &asset.clip) => continue,
            Some(mut recording) => recording.replace(asset.clone()),
            None => {
                commands.entity(entity).insert(Recording::new(asset.clone()));
            }
        }
        match clocks.get_mut(on_clock.map_or(entity, |on| on.0)) {
            Ok(mut clock) if clock.span() == Span::default() => *clock = started,
            Ok(mut clock) => extend(&mut clock, asset.clip.span),
            Err(_) if on_clock.is_none() => {
                commands.entity(entity).insert(started);
            }
            // Its clock may still be spawned.
            Err(_) => {}
        }
    }
}

/// Lets `clock` play `span` too.
fn extend(clock: &mut Clock, span: Span) {
    let (start, end) = (clock.span().start.min(span.start), clock.span().end().max(span.end()));
    clock.set_span(Span { start, duration: end - start });
}

fn advance_clocks(mut clocks: Query<(&mut PlaybackClock, Option<&SkippedGaps>)>, time: Res<Time>) {
    for (mut clock, gaps) in &mut clocks {
        // Left untouched while nothing moves, so that change detection tells whether to draw.
        if clock.is_running() {
            clock.advance_over(gaps.map_or(&[], |gaps| &gaps.0), time.delta_secs_f64());
        }
    }
}

fn sample_recordings(
    mut recordings: Query<(Entity, &mut Recording, Option<&OnClock>)>,
    clocks: Query<&PlaybackClock>,
) {
    recordings.par_iter_mut().for_each(|(entity, mut recording, on_clock)| {
        let Ok(clock) = clocks.get(on_clock.map_or(entity, |on| on.0)) else { return };
        if recording.needs_sample(clock.time()) {
            recording.sample(clock.time());
        }
    });
}
