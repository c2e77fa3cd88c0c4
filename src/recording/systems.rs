//! Systems that open loaded clips, advance clocks and sample poses.

use std::sync::Arc;

use bevy::prelude::*;

use super::{OnClock, PlaybackClock, Recording, SkippedGaps};
use crate::asset::{ClipAsset, ClipLoader};
use mutoscope_core::{clip::Span, playback::Clock};

/// Registers [`ClipAsset`], its loader and the playback systems.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordingPlugin;

/// The systems that prepare each [`Recording`] for drawing, within [`Update`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordingSystems {
    /// Opens clips that have finished loading, advances the clocks, and samples the poses.
    Sample,
}

/// Plays the recording that this handle refers to, as soon as it is loaded. The recording is placed
/// in the space of this entity.
///
/// The entity then gets a [`Recording`]. It also gets a playing [`PlaybackClock`], unless it
/// already has one or is [`OnClock`] of another entity. If the handle or the asset changes, the new
/// clip replaces the old one.
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

type PlayingQueryData<'a> =
    (Entity, Ref<'a, PlayRecording>, Option<&'a mut Recording>, Option<&'a OnClock>);

fn open_loaded(
    mut commands: Commands,
    mut playing: Query<PlayingQueryData>,
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
        match clocks.get_mut(on_clock.map_or(entity, |on| on.0)) {
            Ok(mut clock) if clock.span() == Span::default() => *clock = default_clock,
            Ok(mut clock) => extend_span(&mut clock, asset.clip.span),
            Err(_) if on_clock.is_none() => {
                commands.entity(entity).insert(default_clock);
            }
            // The entity that `OnClock` names has no clock yet.
            Err(_) => {}
        }
    }
}

fn extend_span(clock: &mut Clock, span: Span) {
    let (start, end) = (clock.span().start.min(span.start), clock.span().end().max(span.end()));
    clock.set_span(Span { start, duration: end - start });
}

fn advance_clocks(mut clocks: Query<(&mut PlaybackClock, Option<&SkippedGaps>)>, time: Res<Time>) {
    for (mut clock, gaps) in &mut clocks {
        // Do not change a clock that stands still. Otherwise Bevy would report a change, and the
        // viewer would redraw.
        if clock.is_running() {
            clock.advance_skipping_gaps(gaps.map_or(&[], |gaps| &gaps.0), time.delta_secs_f64());
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
