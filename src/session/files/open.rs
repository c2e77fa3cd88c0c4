//! The open recordings: A, which is the reference, and those that are compared with it, on one clock.

use bevy::{
    ecs::{query::QueryData, system::SystemParam},
    prelude::*,
};

use crate::session::{Comparing, EditedLabels, EditedScene, Issues, Source};
use crate::{
    asset::ClipAsset,
    recording::{HiddenNodes, OnClock, Overlay, PlaybackClock, Recording, RecordingSnapshot, Tint},
};
use mutoscope_core::{
    clip::Clip,
    playback::{Clock, Direction, TimeCommand},
};

/// The entity of the clock that all open recordings are on.
#[derive(Resource, Clone, Copy, Debug)]
pub struct SessionClock(pub Entity);

impl FromWorld for SessionClock {
    fn from_world(world: &mut World) -> Self {
        Self(world.spawn((Name::new("Clock"), PlaybackClock::default())).id())
    }
}

/// The letter of the recording with this index: A for the reference, then B, C and so on.
pub fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'A' + index).to_string(),
        _ => format!("#{}", index + 1),
    }
}

/// The components of an open recording.
#[derive(QueryData)]
#[query_data(mutable)]
struct OpenQuery {
    entity: Entity,
    recording: &'static mut Recording,
    source: &'static mut Source,
    issues: &'static Issues,
    tint: &'static mut Tint,
    hidden: &'static mut HiddenNodes,
    visibility: &'static mut Visibility,
    overlay: Option<&'static mut Overlay>,
    comparing: Option<&'static mut Comparing>,
    scene: Option<&'static mut EditedScene>,
    labels: Option<&'static mut EditedLabels>,
}

/// The open recordings and their clock, to be read.
#[derive(SystemParam)]
pub struct OpenRecordings<'w, 's> {
    clock: Res<'w, SessionClock>,
    clocks: Query<'w, 's, &'static PlaybackClock>,
    all: Query<'w, 's, OpenQueryReadOnly>,
}

/// One open recording.
#[derive(Clone, Copy, Debug)]
pub struct OpenRecording<'a> {
    /// Its entity.
    pub entity: Entity,
    /// Its index among those that are open: 0 for the reference.
    pub index: usize,
    /// The recording itself.
    pub recording: &'a Recording,
    /// Where it was read from.
    pub source: &'a Source,
    /// The issues in its data.
    pub issues: &'a Issues,
    /// The colour that all of it is drawn in, if not its own.
    pub tint: Tint,
    /// The nodes that are not drawn.
    pub hidden: &'a HiddenNodes,
    /// Whether it is drawn at all.
    pub is_visible: bool,
    /// Its base and its placement; `None` for the reference.
    pub overlay: Option<&'a Overlay>,
    /// Its comparison with its base.
    pub comparing: Option<&'a Comparing>,
    /// The scene that it is, if it is one.
    pub scene: Option<&'a EditedScene>,
    /// Its labels, once they were looked for.
    pub labels: Option<&'a EditedLabels>,
}

impl<'a> OpenRecording<'a> {
    fn new((index, one): (usize, OpenQueryReadOnlyItem<'a, '_>)) -> Self {
        Self {
            entity: one.entity,
            index,
            recording: one.recording,
            source: one.source,
            issues: one.issues,
            tint: *one.tint,
            hidden: one.hidden,
            is_visible: *one.visibility != Visibility::Hidden,
            overlay: one.overlay,
            comparing: one.comparing,
            scene: one.scene,
            labels: one.labels,
        }
    }

    /// The clip that plays.
    pub fn clip(&self) -> &'a Clip {
        self.recording.clip()
    }

    /// Whether it has edits that were not saved.
    pub fn is_changed(&self) -> bool {
        self.scene.is_some_and(EditedScene::is_changed)
            || self.labels.is_some_and(EditedLabels::is_changed)
    }

    /// `A`, `B` and so on.
    pub fn letter(&self) -> String {
        letter(self.index)
    }
}

impl OpenRecordings<'_, '_> {
    /// The clock of all of them.
    pub fn clock(&self) -> Option<&Clock> {
        self.clocks.get(self.clock.0).ok().map(|clock| &clock.0)
    }

    /// All of them, the reference first, then in the order in which they were opened.
    pub fn in_order(&self) -> Vec<OpenRecording<'_>> {
        let mut all: Vec<_> = self.all.iter().collect();
        all.sort_by_key(|one| one.recording.order());
        all.into_iter().enumerate().map(OpenRecording::new).collect()
    }

    /// The reference.
    pub fn reference(&self) -> Option<OpenRecording<'_>> {
        self.in_order().into_iter().next()
    }

    /// The recording of this entity.
    pub fn get(&self, entity: Entity) -> Option<OpenRecording<'_>> {
        self.in_order().into_iter().find(|one| one.entity == entity)
    }

    /// All of them and how they are shown, apart from this world, and their entities.
    pub(in crate::session) fn snapshots(&self) -> (Vec<RecordingSnapshot>, Vec<Entity>) {
        let all = self.in_order();
        let entities: Vec<_> = all.iter().map(|one| one.entity).collect();
        let index_of = |entity| entities.iter().position(|one| *one == entity);
        let snapshot = |one: &OpenRecording<'_>| {
            let shown = (one.recording, one.overlay, one.tint);
            RecordingSnapshot::of(shown, one.hidden, one.is_visible, index_of)
        };
        (all.iter().map(snapshot).collect(), entities)
    }
}

/// The open recordings and their clock, to be changed.
#[derive(SystemParam)]
pub(in crate::session) struct OpenRecordingsMut<'w, 's> {
    clock: Res<'w, SessionClock>,
    clocks: Query<'w, 's, &'static mut PlaybackClock>,
    all: Query<'w, 's, OpenQuery>,
    commands: Commands<'w, 's>,
}

impl OpenRecordingsMut<'_, '_> {
    /// Their entities, the reference first.
    pub(in crate::session) fn entities(&self) -> Vec<Entity> {
        let mut all: Vec<_> =
            self.all.iter().map(|one| (one.recording.order(), one.entity)).collect();
        all.sort();
        all.into_iter().map(|(_, entity)| entity).collect()
    }

    pub(in crate::session) fn reference(&self) -> Option<Entity> {
        self.all.iter().min_by_key(|one| one.recording.order()).map(|one| one.entity)
    }

    pub(in crate::session) fn recording(&self, entity: Entity) -> Option<&Recording> {
        self.all.get(entity).ok().map(|one| one.recording)
    }

    pub(in crate::session) fn recording_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, Recording>> {
        self.all.get_mut(entity).ok().map(|one| one.recording)
    }

    /// The clip of the reference.
    pub(in crate::session) fn reference_clip(&self) -> Option<&Clip> {
        Some(self.recording(self.reference()?)?.clip())
    }

    pub(in crate::session) fn source(&self, entity: Entity) -> Option<&Source> {
        self.all.get(entity).ok().map(|one| one.source)
    }

    pub(in crate::session) fn issues(&self, entity: Entity) -> Option<&Issues> {
        self.all.get(entity).ok().map(|one| one.issues)
    }

    pub(in crate::session) fn hidden_mut(
        &mut self,
        entity: Entity,
    ) -> Option<Mut<'_, HiddenNodes>> {
        self.all.get_mut(entity).ok().map(|one| one.hidden)
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

    /// Whether a recording has edits that were not saved.
    pub(in crate::session) fn is_changed(&self, entity: Entity) -> bool {
        self.scene(entity).is_some_and(EditedScene::is_changed)
            || self.labels(entity).is_some_and(EditedLabels::is_changed)
    }

    /// Notes that a recording is in another file now.
    pub(in crate::session) fn set_source(&mut self, entity: Entity, source: Source) {
        if let Ok(mut one) = self.all.get_mut(entity) {
            if let Some(mut labels) = one.labels {
                labels.follow(source.clone());
            }
            one.source.set_if_neq(source);
        }
    }

    /// Whether a recording is drawn.
    pub(in crate::session) fn is_visible(&self, entity: Entity) -> bool {
        self.all.get(entity).is_ok_and(|one| *one.visibility != Visibility::Hidden)
    }

    /// Draws a recording, or hides it.
    pub(in crate::session) fn show(&mut self, entity: Entity, is_visible: bool) {
        if let Ok(mut one) = self.all.get_mut(entity) {
            let wanted = if is_visible { Visibility::Inherited } else { Visibility::Hidden };
            one.visibility.set_if_neq(wanted);
        }
    }

    /// The recording that a node is selected of, if it is open, else the reference.
    pub(in crate::session) fn focus(&self, selected: Option<Entity>) -> Option<Entity> {
        selected.filter(|entity| self.all.contains(*entity)).or_else(|| self.reference())
    }

    pub(in crate::session) fn clock(&self) -> Clock {
        self.clocks.get(self.clock.0).map(|clock| clock.0.clone()).unwrap_or_default()
    }

    pub(in crate::session) fn clock_mut(&mut self) -> Option<Mut<'_, PlaybackClock>> {
        self.clocks.get_mut(self.clock.0).ok()
    }

    /// Steers the clock. Steps are among the samples of `stepped`, else of the reference.
    pub(in crate::session) fn steer(&mut self, command: TimeCommand, stepped: Option<Entity>) {
        let stepped = self.focus(stepped);
        let times = stepped.and_then(|entity| {
            let recording = self.recording(entity)?;
            Some((entity, recording.asset().sample_times.clone()))
        });
        match (command, times) {
            (TimeCommand::Step(direction), Some((entity, times))) => {
                self.step_among(entity, direction, &times);
            }
            (command, _) => {
                if let Some(mut clock) = self.clock_mut() {
                    clock.apply(command, &[]);
                }
            }
        }
    }

    /// Pauses at the next of `times` of a recording, which ascend, in this direction.
    pub(in crate::session) fn step_among(
        &mut self,
        entity: Entity,
        direction: Direction,
        times: &[f64],
    ) {
        let Some(timing) = self.recording(entity).map(Recording::timing) else { return };
        let Some(mut clock) = self.clock_mut() else { return };
        if timing == mutoscope_core::measure::compare::Timing::default() {
            clock.apply(TimeCommand::Step(direction), times);
            return;
        }
        let on_clock: Vec<f64> = times.iter().map(|time| timing.first(*time)).collect();
        clock.apply(TimeCommand::Step(direction), &on_clock);
    }

    /// Opens `recording` as the only one, in place of all that are open, and plays it from its start;
    /// tells its entity.
    pub(in crate::session) fn open(&mut self, recording: Recording, source: Source) -> Entity {
        self.close_all();
        if let Some(mut clock) = self.clock_mut() {
            *clock = PlaybackClock::of(recording.asset());
        }
        self.spawn(recording, source, 0)
    }

    /// Spawns a recording, with how it is compared, as the one with this index; tells its entity.
    pub(in crate::session) fn spawn(
        &mut self,
        recording: impl Bundle,
        source: Source,
        index: usize,
    ) -> Entity {
        let kept = (source, Issues::default(), OnClock(self.clock.0), Tint::in_turn(index));
        self.commands.spawn((recording, kept)).id()
    }

    /// Takes `asset` in place of the reference's; `start` tells how the clock goes on.
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

    /// Takes `asset` in place of that of an open recording.
    pub(in crate::session) fn replace(
        &mut self,
        entity: Entity,
        asset: ClipAsset,
        source: Source,
    ) -> Option<Entity> {
        let mut one = self.all.get_mut(entity).ok()?;
        one.recording.replace(asset);
        one.source.set_if_neq(source);
        Some(entity)
    }

    /// Closes one of them. Where it is the reference, the next becomes it, and those that were compared
    /// with it are compared with that.
    pub(in crate::session) fn close(&mut self, entity: Entity) {
        let mut rest = self.entities();
        rest.retain(|one| *one != entity);
        self.commands.entity(entity).try_despawn();
        let Some(&reference) = rest.first() else {
            self.close_all();
            return;
        };
        let mut clip = None;
        for (index, &one) in rest.iter().enumerate() {
            let Ok(mut open) = self.all.get_mut(one) else { continue };
            if one == reference {
                open.recording.set_timing(Default::default());
                clip = Some(open.recording.asset().clone());
                self.commands.entity(one).remove::<(Overlay, Comparing)>();
            } else if let Some(mut overlay) = open.overlay
                && overlay.base == entity
            {
                overlay.base = reference;
            }
            open.tint.set_if_neq(Tint::in_turn(index));
        }
        if let (Some(asset), Some(mut clock)) = (clip, self.clock_mut()) {
            clock.set_span(asset.clip.span);
        }
    }

    /// Closes all of them.
    pub(in crate::session) fn close_all(&mut self) {
        for one in &self.all {
            self.commands.entity(one.entity).try_despawn();
        }
        if let Some(mut clock) = self.clock_mut() {
            *clock = PlaybackClock::default();
        }
    }
}
