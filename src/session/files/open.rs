//! The open recordings on one clock: A, the reference, and the recordings that are compared with
//! it.

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
};

use crate::session::{Comparing, EditedLabels, EditedScene, RecordingDiagnostics, Source};
use crate::{
    asset::ClipAsset,
    recording::{HiddenNodes, OnClock, Overlay, PlaybackClock, Recording, RecordingSnapshot, Tint},
};
use mutoscope_core::{
    clip::Clip,
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
    comparing: Option<&'static mut Comparing>,
    scene: Option<&'static mut EditedScene>,
    labels: Option<&'static mut EditedLabels>,
}

/// Read access to the open recordings and their clock.
#[derive(SystemParam)]
pub struct OpenRecordings<'w, 's> {
    clock: Res<'w, SessionClock>,
    clocks: Query<'w, 's, &'static PlaybackClock>,
    all: Query<'w, 's, OpenQueryReadOnly>,
}

/// An open recording.
#[derive(Clone, Copy, Debug)]
pub struct OpenRecording<'a> {
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
    /// The comparison with the base. `None` for the reference.
    pub comparing: Option<&'a Comparing>,
    /// The edited scene, if the recording is a scene.
    pub scene: Option<&'a EditedScene>,
    /// The labels. `None` until the label file was looked for.
    pub labels: Option<&'a EditedLabels>,
}

impl<'a> OpenRecording<'a> {
    fn new(index: usize, open: OpenQueryReadOnlyItem<'a, '_>) -> Self {
        Self {
            entity: open.entity,
            index,
            recording: open.recording,
            source: open.source,
            diagnostics: open.diagnostics,
            tint: *open.tint,
            hidden: open.hidden,
            is_visible: *open.visibility != Visibility::Hidden,
            overlay: open.overlay,
            comparing: open.comparing,
            scene: open.scene,
            labels: open.labels,
        }
    }

    /// Returns the clip of the recording.
    pub fn clip(&self) -> &'a Clip {
        self.recording.clip()
    }

    /// Returns `true` if the scene or the labels have unsaved edits.
    pub fn has_unsaved_edits(&self) -> bool {
        self.scene.is_some_and(EditedScene::has_unsaved_edits)
            || self.labels.is_some_and(EditedLabels::has_unsaved_edits)
    }

    /// Returns the letter of the recording: `A`, `B` and so on.
    pub fn letter(&self) -> String {
        recording_letter(self.index)
    }
}

impl OpenRecordings<'_, '_> {
    /// Returns the clock of all open recordings.
    pub fn clock(&self) -> Option<&Clock> {
        self.clocks.get(self.clock.0).ok().map(|clock| &clock.0)
    }

    /// Returns the open recordings: the reference first, then the others in the order in which they
    /// were opened.
    pub fn in_order(&self) -> Vec<OpenRecording<'_>> {
        let mut all: Vec<_> = self.all.iter().collect();
        all.sort_by_key(|open| open.recording.order());
        all.into_iter().enumerate().map(|(index, open)| OpenRecording::new(index, open)).collect()
    }

    /// Returns the reference, or `None` if no recording is open.
    pub fn reference(&self) -> Option<OpenRecording<'_>> {
        self.in_order().into_iter().next()
    }

    /// Returns the open recording of this entity.
    pub fn get(&self, entity: Entity) -> Option<OpenRecording<'_>> {
        self.in_order().into_iter().find(|open| open.entity == entity)
    }

    pub(in crate::session) fn snapshots(&self) -> (Vec<RecordingSnapshot>, Vec<Entity>) {
        let all = self.in_order();
        let entities: Vec<_> = all.iter().map(|open| open.entity).collect();
        let index_of = |entity| entities.iter().position(|other| *other == entity);
        let snapshot = |open: &OpenRecording<'_>| {
            RecordingSnapshot::from_components(
                open.recording,
                open.overlay,
                open.tint,
                open.hidden,
                open.is_visible,
                index_of,
            )
        };
        (all.iter().map(snapshot).collect(), entities)
    }
}

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

    pub(in crate::session) fn comparing_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, Comparing>> {
        self.all.get_mut(entity).ok()?.comparing
    }

    pub(in crate::session) fn scene(&self, entity: Entity) -> Option<&EditedScene> {
        self.all.get(entity).ok()?.scene
    }

    pub(in crate::session) fn scene_mut(&mut self, entity: Entity) -> Option<Mut<'_, EditedScene>> {
        self.all.get_mut(entity).ok()?.scene
    }

    pub(in crate::session) fn labels(&self, entity: Entity) -> Option<&EditedLabels> {
        self.all.get(entity).ok()?.labels
    }

    pub(in crate::session) fn labels_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, EditedLabels>> {
        self.all.get_mut(entity).ok()?.labels
    }

    pub(in crate::session) fn has_unsaved_edits(&self, entity: Entity) -> bool {
        self.scene(entity).is_some_and(EditedScene::has_unsaved_edits)
            || self.labels(entity).is_some_and(EditedLabels::has_unsaved_edits)
    }

    pub(in crate::session) fn set_source(&mut self, entity: Entity, source: Source) {
        if let Ok(mut open) = self.all.get_mut(entity) {
            if let Some(mut labels) = open.labels {
                labels.set_source(source.clone());
            }
            open.source.set_if_neq(source);
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

    pub(in crate::session) fn focused_recording(&self, selected: Option<Entity>) -> Option<Entity> {
        selected.filter(|entity| self.all.contains(*entity)).or_else(|| self.reference())
    }

    pub(in crate::session) fn clock(&self) -> Clock {
        self.clocks.get(self.clock.0).map(|clock| clock.0.clone()).unwrap_or_default()
    }

    pub(in crate::session) fn clock_mut(&mut self) -> Option<Mut<'_, PlaybackClock>> {
        self.clocks.get_mut(self.clock.0).ok()
    }

    pub(in crate::session) fn apply_time_command(
        &mut self,
        command: TimeCommand,
        stepped: Option<Entity>,
    ) {
        let stepped = self.focused_recording(stepped);
        let times = stepped.and_then(|entity| {
            let recording = self.recording(entity)?;
            Some((entity, recording.asset().sample_times.clone()))
        });
        match (command, times) {
            (TimeCommand::Step(direction), Some((entity, times))) => {
                self.step_through(entity, direction, &times);
            }
            (command, _) => {
                if let Some(mut clock) = self.clock_mut() {
                    clock.0.apply(command, &[]);
                }
            }
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
            OnClock(self.clock.0),
            Tint::for_index(index),
        );
        self.commands.spawn((recording, components)).id()
    }

    pub(in crate::session) fn replace_reference(
        &mut self,
        asset: ClipAsset,
        source: Source,
        restart: impl FnOnce(&mut Clock, &ClipAsset),
    ) -> Option<Entity> {
        let entity = self.reference()?;
        if let Some(mut clock) = self.clock_mut() {
            restart(&mut clock, &asset);
        }
        self.replace(entity, asset, source)
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
                self.commands.entity(other).remove::<(Overlay, Comparing)>();
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
