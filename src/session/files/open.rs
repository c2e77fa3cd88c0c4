//! The open recordings on one clock: A, the reference, and the recordings that are compared with
//! it.

use std::{borrow::Cow, sync::Arc};

use bevy::{
    ecs::{
        query::{QueryData, ReadOnlyQueryData},
        system::SystemParam,
    },
    prelude::*,
};

use super::{RecordingDiagnostics, Source};
use crate::session::history::{Document, EditHistory};
use bevy_mutoscope::{
    ClipAsset, FollowsClock, PlaybackClock, Recording,
    stage::{HiddenNodes, Overlay, RecordingSnapshot, Tint, View},
};
use mutoscope_core::{
    clip::Clip,
    export::InputFiles,
    io::bytes::FileContent,
    playback::{Clock, Direction, TimeCommand},
};

/// The entity of the clock that all open recordings share.
#[derive(Resource, Clone, Copy, Debug)]
pub struct SessionClock(pub Entity);

impl FromWorld for SessionClock {
    fn from_world(world: &mut World) -> Self {
        Self(world.spawn((Name::new("Clock"), PlaybackClock::default())).id())
    }
}

/// The content of a file in memory.
pub type FileBytes = Arc<Cow<'static, [u8]>>;

/// Triggered after a recording was saved to another file, which is its source from now on.
#[derive(EntityEvent, Clone, Debug)]
pub(in crate::session) struct SourceChanged {
    pub(in crate::session) entity: Entity,
    pub(in crate::session) source: Source,
}

/// Returns the letter of the recording with this index: A for the reference, then B, C and so on,
/// and `#27` after Z.
pub fn recording_letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'A' + index).to_string(),
        _ => format!("#{}", index + 1),
    }
}

#[derive(QueryData)]
#[query_data(mutable)]
struct OpenQuery {
    entity: Entity,
    recording: &'static mut Recording,
    source: &'static mut Source,
    diagnostics: &'static RecordingDiagnostics,
    tint: &'static mut Tint,
    hidden: &'static mut HiddenNodes,
    visibility: &'static mut Visibility,
    overlay: Option<&'static mut Overlay>,
}

/// Read access to the open recordings and their clock. `F` is a query for the components of
/// features, which each [`RecordingItem`] contains.
#[derive(SystemParam)]
pub struct OpenRecordings<'w, 's, F: ReadOnlyQueryData + 'static = ()> {
    clock: Res<'w, SessionClock>,
    clocks: Query<'w, 's, &'static PlaybackClock>,
    all: Query<'w, 's, (OpenQueryReadOnly, F)>,
}

/// An open recording.
#[derive(Clone, Copy, Debug)]
pub struct RecordingItem<'a, F = ()> {
    /// The entity of the recording.
    pub entity: Entity,
    /// The index among the open recordings; 0 is the reference.
    pub index: usize,
    /// The recording itself.
    pub recording: &'a Recording,
    /// The source of the recording.
    pub source: &'a Source,
    /// The diagnostics on the data of the recording.
    pub diagnostics: &'a RecordingDiagnostics,
    /// The colour that the whole recording is drawn in. The default keeps its own colours.
    pub tint: Tint,
    /// The nodes that are not drawn.
    pub hidden: &'a HiddenNodes,
    /// Is `true` if the recording is drawn.
    pub is_visible: bool,
    /// The base and the placement of a compared recording. `None` for the reference.
    pub overlay: Option<&'a Overlay>,
    /// The components of features.
    pub features: F,
}

impl<'a, F> RecordingItem<'a, F> {
    /// Returns the clip of the recording.
    pub fn clip(&self) -> &'a Clip {
        self.recording.clip()
    }

    /// Returns the letter of the recording: `A`, `B` and so on.
    pub fn letter(&self) -> String {
        recording_letter(self.index)
    }
}

impl<'s, F: ReadOnlyQueryData + 'static> OpenRecordings<'_, 's, F> {
    /// Returns the clock of all open recordings.
    pub fn clock(&self) -> Option<&Clock> {
        self.clocks.get(self.clock.0).ok().map(|clock| &clock.0)
    }

    /// Returns the open recordings: the reference first, then the others in the order in which they
    /// were opened.
    pub fn in_order(&self) -> Vec<RecordingItem<'_, F::Item<'_, 's>>> {
        let mut all: Vec<_> = self.all.iter().collect();
        all.sort_by_key(|(open, _)| open.recording.order());
        let open_recording = |(index, (open, features)): (usize, _)| {
            let open: OpenQueryReadOnlyItem<'_, '_> = open;
            RecordingItem {
                entity: open.entity,
                index,
                recording: open.recording,
                source: open.source,
                diagnostics: open.diagnostics,
                tint: *open.tint,
                hidden: open.hidden,
                is_visible: *open.visibility != Visibility::Hidden,
                overlay: open.overlay,
                features,
            }
        };
        all.into_iter().enumerate().map(open_recording).collect()
    }

    /// Returns the reference, or `None` if no recording is open.
    pub fn reference(&self) -> Option<RecordingItem<'_, F::Item<'_, 's>>> {
        self.in_order().into_iter().next()
    }

    /// Returns the open recording of this entity.
    pub fn get(&self, entity: Entity) -> Option<RecordingItem<'_, F::Item<'_, 's>>> {
        self.in_order().into_iter().find(|open| open.entity == entity)
    }

    /// Returns the recording of the selected node, or else the reference.
    pub(in crate::session) fn focused(
        &self,
        view: &View,
    ) -> Option<RecordingItem<'_, F::Item<'_, 's>>> {
        let selected = view.selected.and_then(|selected| self.get(selected.recording));
        selected.or_else(|| self.reference())
    }

    /// Returns the source of the reference.
    pub(in crate::session) fn reference_source(&self) -> Option<&Source> {
        let reference = self.all.iter().min_by_key(|(open, _)| open.recording.order());
        reference.map(|(open, _)| open.source)
    }

    pub(in crate::session) fn snapshots(&self) -> (Vec<RecordingSnapshot>, Vec<Entity>) {
        let all = self.in_order();
        let entities: Vec<_> = all.iter().map(|open| open.entity).collect();
        let index_of = |entity| entities.iter().position(|other| *other == entity);
        let snapshots = all.iter().map(|open| {
            RecordingSnapshot::from_components(
                open.recording,
                open.overlay,
                open.tint,
                open.hidden,
                open.is_visible,
                index_of,
            )
        });
        let snapshots = snapshots.collect();
        (snapshots, entities)
    }

    /// Returns the files that are open. No output may replace them.
    pub(in crate::session) fn input_files(
        &self,
        skeleton: Option<&super::AttachedSkeleton>,
    ) -> InputFiles {
        let all = self.in_order();
        input_files(all.iter().map(|open| open.source), skeleton)
    }
}

fn input_files<'a>(
    sources: impl Iterator<Item = &'a Source>,
    skeleton: Option<&super::AttachedSkeleton>,
) -> InputFiles {
    let mut inputs = InputFiles::default();
    for source in sources {
        if let Source::File(path) = source {
            inputs.add(path, "an open recording");
        }
    }
    if let Some(path) = skeleton.and_then(|skeleton| skeleton.path.as_deref()) {
        inputs.add(path, "the skeleton");
    }
    inputs
}

/// Write access to the open recordings and their clock.
#[derive(SystemParam)]
pub(in crate::session) struct OpenRecordingsMut<'w, 's> {
    clock: Res<'w, SessionClock>,
    clocks: Query<'w, 's, &'static mut PlaybackClock>,
    all: Query<'w, 's, OpenQuery>,
    commands: Commands<'w, 's>,
}

impl OpenRecordingsMut<'_, '_> {
    pub(in crate::session) fn entities(&self) -> Vec<Entity> {
        let mut all: Vec<_> =
            self.all.iter().map(|open| (open.recording.order(), open.entity)).collect();
        all.sort();
        all.into_iter().map(|(_, entity)| entity).collect()
    }

    pub(in crate::session) fn reference(&self) -> Option<Entity> {
        self.all.iter().min_by_key(|open| open.recording.order()).map(|open| open.entity)
    }

    pub(in crate::session) fn recording(&self, entity: Entity) -> Option<&Recording> {
        self.all.get(entity).ok().map(|open| open.recording)
    }

    pub(in crate::session) fn recording_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, Recording>> {
        self.all.get_mut(entity).ok().map(|open| open.recording)
    }

    pub(in crate::session) fn reference_clip(&self) -> Option<&Clip> {
        Some(self.recording(self.reference()?)?.clip())
    }

    pub(in crate::session) fn source(&self, entity: Entity) -> Option<&Source> {
        self.all.get(entity).ok().map(|open| open.source)
    }

    pub(in crate::session) fn reference_source(&self) -> Option<&Source> {
        self.source(self.reference()?)
    }

    pub(in crate::session) fn input_files(
        &self,
        skeleton: Option<&super::AttachedSkeleton>,
    ) -> InputFiles {
        let entities = self.entities();
        input_files(entities.iter().filter_map(|entity| self.source(*entity)), skeleton)
    }

    /// Returns the sources of the scenes with unsaved edits, and their edited content. Reloading
    /// decodes that content instead of the file, so that it keeps the edits.
    pub(in crate::session) fn unsaved_content(
        &self,
        history: &EditHistory,
    ) -> Vec<(Source, FileBytes)> {
        let is_edited = |entity| history.is_unsaved(Document::Scene(entity));
        let edited = self.all.iter().filter(|open| is_edited(open.entity));
        let content = edited.filter_map(|open| match open.recording.file() {
            Some(FileContent::Memory(content)) => Some((open.source.clone(), content.clone())),
            _ => None,
        });
        content.collect()
    }

    pub(in crate::session) fn diagnostics(&self, entity: Entity) -> Option<&RecordingDiagnostics> {
        self.all.get(entity).ok().map(|open| open.diagnostics)
    }

    pub(in crate::session) fn hidden_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, HiddenNodes>> {
        self.all.get_mut(entity).ok().map(|open| open.hidden)
    }

    pub(in crate::session) fn overlay(&self, entity: Entity) -> Option<&Overlay> {
        self.all.get(entity).ok()?.overlay
    }

    pub(in crate::session) fn overlay_mut(&mut self, entity: Entity) -> Option<Mut<'_, Overlay>> {
        self.all.get_mut(entity).ok()?.overlay
    }

    /// Returns the recordings that are compared with another, in order.
    pub(in crate::session) fn compared(&self) -> Vec<Entity> {
        let mut compared = self.entities();
        compared.retain(|entity| self.overlay(*entity).is_some());
        compared
    }

    pub(in crate::session) fn set_source(&mut self, entity: Entity, source: Source) {
        if let Ok(mut open) = self.all.get_mut(entity) {
            open.source.set_if_neq(source.clone());
            self.commands.trigger(SourceChanged { entity, source });
        }
    }

    pub(in crate::session) fn is_visible(&self, entity: Entity) -> bool {
        self.all.get(entity).is_ok_and(|open| *open.visibility != Visibility::Hidden)
    }

    pub(in crate::session) fn set_visible(&mut self, entity: Entity, is_visible: bool) {
        if let Ok(mut open) = self.all.get_mut(entity) {
            let visibility = if is_visible { Visibility::Inherited } else { Visibility::Hidden };
            open.visibility.set_if_neq(visibility);
        }
    }

    /// Returns the recording of the selected node, or else the reference.
    pub(in crate::session) fn focused(&self, view: &View) -> Option<Entity> {
        let selected = view.selected.map(|selected| selected.recording);
        selected.filter(|entity| self.all.contains(*entity)).or_else(|| self.reference())
    }

    pub(in crate::session) fn clock(&self) -> Clock {
        self.clocks.get(self.clock.0).map(|clock| clock.0.clone()).unwrap_or_default()
    }

    pub(in crate::session) fn clock_mut(&mut self) -> Option<Mut<'_, PlaybackClock>> {
        self.clocks.get_mut(self.clock.0).ok()
    }

    /// Applies commands to the clock. No command may step through samples.
    pub(in crate::session) fn apply_to_clock(
        &mut self,
        commands: impl IntoIterator<Item = TimeCommand>,
    ) {
        if let Some(mut clock) = self.clock_mut() {
            commands.into_iter().for_each(|command| clock.0.apply(command, &[]));
        }
    }

    /// Pauses at the nearest of `times` in this direction. `times` are clip times of `entity`,
    /// ascending.
    pub(in crate::session) fn step_through(
        &mut self,
        entity: Entity,
        direction: Direction,
        times: &[f64],
    ) {
        let Some(timing) = self.recording(entity).map(Recording::timing) else { return };
        let Some(mut clock) = self.clock_mut() else { return };
        if timing == mutoscope_core::measure::compare::Timing::default() {
            clock.0.apply(TimeCommand::Step(direction), times);
            return;
        }
        let on_clock: Vec<f64> = times.iter().map(|time| timing.to_clock_time(*time)).collect();
        clock.0.apply(TimeCommand::Step(direction), &on_clock);
    }

    pub(in crate::session) fn open(&mut self, recording: Recording, source: Source) -> Entity {
        self.close_all();
        if let Some(mut clock) = self.clock_mut() {
            *clock = PlaybackClock::for_asset(recording.asset());
        }
        self.spawn(recording, source, 0)
    }

    pub(in crate::session) fn spawn(
        &mut self,
        recording: impl Bundle,
        source: Source,
        index: usize,
    ) -> Entity {
        let components = (
            source,
            RecordingDiagnostics::default(),
            FollowsClock(self.clock.0),
            Tint::for_index(index),
        );
        self.commands.spawn((recording, components)).id()
    }

    pub(in crate::session) fn replace(
        &mut self,
        entity: Entity,
        asset: ClipAsset,
        source: Source,
    ) -> Option<Entity> {
        let mut open = self.all.get_mut(entity).ok()?;
        open.recording.replace(asset);
        open.source.set_if_neq(source);
        Some(entity)
    }

    pub(in crate::session) fn close(&mut self, entity: Entity) {
        let mut rest = self.entities();
        rest.retain(|other| *other != entity);
        self.commands.entity(entity).try_despawn();
        let Some(&reference) = rest.first() else {
            self.close_all();
            return;
        };
        let mut clip = None;
        for (index, &other) in rest.iter().enumerate() {
            let Ok(mut open) = self.all.get_mut(other) else { continue };
            if other == reference {
                open.recording.set_timing(Default::default());
                clip = Some(open.recording.asset().clone());
                // Remove the comparison too. The overlay requires it as a component.
                self.commands.entity(other).remove_with_requires::<Overlay>();
            } else if let Some(mut overlay) = open.overlay
                && overlay.base == entity
            {
                overlay.base = reference;
            }
            open.tint.set_if_neq(Tint::for_index(index));
        }
        if let (Some(asset), Some(mut clock)) = (clip, self.clock_mut()) {
            clock.set_span(asset.clip.span);
        }
    }

    pub(in crate::session) fn close_all(&mut self) {
        for open in &self.all {
            self.commands.entity(open.entity).try_despawn();
        }
        if let Some(mut clock) = self.clock_mut() {
            *clock = PlaybackClock::default();
        }
    }
}
