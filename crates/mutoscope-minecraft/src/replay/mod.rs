//! Replays a decoded document into a recording.

mod apply;
mod entities;
mod events;

use std::collections::{HashMap, HashSet};

use super::{
    Action, Actor, ActorTransform, Blocks, Client, Dialect, Document, Entity, PlayerProfile,
    Recording, Step, StepTrack, Use, codes,
    format_diagnostics::{FormatDiagnostic, FormatDiagnostics},
    ids::Ids,
    recording::DEATH_TICKS,
    scene::EntityFilter,
    state::Actors,
};
use events::Events;
pub(super) use events::MAX_EVENTS as MOST_EVENTS;
use mutoscope_core::{
    clip::Event,
    diagnostics::format_count,
    diagnostics::{Diagnostics, SourceLocation},
};

#[derive(Clone, Copy, Default)]
pub(super) struct ReplayOptions<'a> {
    /// The filter of played entities. `None` plays all entities. The actions of the other entities
    /// are ignored, as in the game.
    pub(super) filter: Option<&'a EntityFilter>,
    /// `true` if the recording is part of a scene. If the player dies at the end, frames are added
    /// in which the player falls, because the scene may continue after the recording.
    pub(super) in_scene: bool,
}

pub(super) fn replay(
    document: &Document<'_>,
    diagnostics: &mut Diagnostics,
) -> (Recording, Vec<Event>) {
    replay_with(document, ReplayOptions::default(), diagnostics)
}

pub(super) fn replay_with(
    document: &Document<'_>,
    options: ReplayOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> (Recording, Vec<Event>) {
    let mut replayer = Replayer { filter: options.filter, ..Replayer::new(document) };
    for step in document.steps() {
        replayer.apply_step(&step);
    }
    if options.in_scene && document.header.ends_with_death() {
        replayer.die_at_end(document);
    }
    replayer.finish(document, diagnostics)
}

struct Replayer<'a> {
    dialect: Dialect,
    start: ActorTransform,
    ids: Ids,
    frame: u32,
    frames_after: u32,
    player: Actor,
    next_move_jumps: bool,
    vehicle: StepTrack<Option<i32>>,
    entities: Vec<Entity>,
    filter: Option<&'a EntityFilter>,
    filtered_out: HashSet<i32>,
    by_id: HashMap<i32, usize>,
    blocks: Blocks,
    uses: Vec<(u32, Use)>,
    extension_actions: Vec<(&'a str, u32)>,
    model_changes: u32,
    events: Events,
    diagnostics: FormatDiagnostics,
}

impl<'a> Replayer<'a> {
    fn new(document: &'a Document<'_>) -> Self {
        let header = &document.header;
        let start = ActorTransform {
            position: header.start,
            pitch: header.start_pitch.into(),
            yaw: header.start_yaw.into(),
            head_yaw: header.start_yaw.into(),
        };
        Self {
            dialect: document.layout.dialect,
            start,
            ids: Ids::new(header),
            frame: 0,
            frames_after: 0,
            player: Actor::new(start),
            next_move_jumps: false,
            vehicle: StepTrack::new(None),
            entities: Vec::new(),
            filter: None,
            filtered_out: HashSet::new(),
            by_id: HashMap::new(),
            blocks: Blocks::default(),
            uses: Vec::new(),
            extension_actions: header
                .extensions
                .iter()
                .map(|extension| (&*extension.id, 0))
                .collect(),
            model_changes: 0,
            events: Events::default(),
            diagnostics: FormatDiagnostics::default(),
        }
    }

    fn record_diagnostic(&mut self, diagnostic: FormatDiagnostic, step: &Step<'_>) {
        self.diagnostics.record(diagnostic, SourceLocation::byte(step.offset), Some(self.frame));
    }

    fn record_unknown_entity(&mut self, id: i32, step: &Step<'_>) {
        if !self.filtered_out.contains(&id) {
            self.record_diagnostic(FormatDiagnostic::UnknownEntity, step);
        }
    }

    fn apply_step(&mut self, step: &Step<'_>) {
        match (&step.action, step.entity) {
            (Action::Ticks(count), None) => self.frame += u32::from(*count),
            (Action::Ticks(_) | Action::Die | Action::Respawn, Some(_)) => {
                self.record_diagnostic(FormatDiagnostic::InvalidNesting, step);
            }
            (Action::Update { entity, update }, _) => self.apply_update(step, *entity, update),
            _ => self.apply_action(step),
        }
    }

    fn die_at_end(&mut self, document: &Document<'_>) {
        let offset = document.actions.end;
        self.frame = document.ticks;
        self.apply_death(offset);
        self.frames_after = DEATH_TICKS;
    }

    fn finish(
        mut self,
        document: &Document<'_>,
        diagnostics: &mut Diagnostics,
    ) -> (Recording, Vec<Event>) {
        self.report(diagnostics);
        let header = &document.header;
        let trailing = u32::from(document.has_trailing_actions || self.frames_after > 0);
        let frames = (document.ticks + trailing + self.frames_after).max(1);
        self.player.shrink();
        for entity in &mut self.entities {
            entity.actor.shrink();
            entity.apply_baby_flag();
        }
        let seats = self.vehicle.frames().iter().zip(self.vehicle.values());
        let seats = seats.filter(|(_, vehicle)| vehicle.is_some()).map(|(frame, _)| *frame);
        self.player.path.mark_seats(seats);
        let actors = Actors { player: &self.player, entities: &self.entities };
        let client = Client::new(actors, &self.vehicle, header.start_yaw, frames);
        let recording = Recording {
            dialect: self.dialect,
            frames,
            ticks: document.ticks,
            start: self.start,
            dimension: header.dimension.as_deref().map(str::to_owned),
            profile: PlayerProfile::new(&header.profile),
            extensions: self.extension_actions.iter().map(|custom| custom.0.to_owned()).collect(),
            ends_with_death: header.ends_with_death(),
            intact: document.stopped.is_none(),
            player: self.player,
            client,
            vehicle: self.vehicle,
            entities: self.entities,
            blocks: self.blocks,
            uses: self.uses,
        };
        (recording, self.events.into_list())
    }

    fn report(&mut self, diagnostics: &mut Diagnostics) {
        std::mem::take(&mut self.diagnostics).report(diagnostics);
        self.events.report(diagnostics);
        for (name, count) in self.extension_actions.iter().filter(|custom| custom.1 > 0) {
            let actions = format_count(*count as usize, "action");
            let message = format!("{actions} of the extension {name:?}; skipped");
            diagnostics
                .info(codes::EXTENSION_SKIPPED, SourceLocation::File, message)
                .with("name", &**name)
                .with("count", *count);
        }
        if self.model_changes > 0 {
            let message = {
                let changes = format_count(self.model_changes as usize, "change");
                format!("{changes} of a player model by an add-on; skipped")
            };
            diagnostics
                .info(codes::EXTENSION_SKIPPED, SourceLocation::File, message)
                .with("count", self.model_changes);
        }
    }
}
