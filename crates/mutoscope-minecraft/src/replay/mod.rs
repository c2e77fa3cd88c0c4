//! From document to replayed recording.

mod apply;
mod entities;
mod events;

use std::collections::{HashMap, HashSet};

use super::{
    Action, Actor, Blocks, Client, Dialect, Document, Entity, Held, Person, Recording, Stand, Step,
    Use,
    ids::Ids,
    issues::{Issue, Issues},
    recording::DYING,
    scene::EntityFilter,
    state::Cast,
};
use events::Events;
pub(super) use events::MOST as MOST_EVENTS;
use mutoscope_core::{
    clip::Event,
    diagnostics::{Notices, SourceLocation},
};

/// How a recording is replayed.
#[derive(Clone, Copy, Default)]
pub(super) struct Replay<'a> {
    /// The filter of played entities; all if there is none. As in the game, actions of the others
    /// are ignored.
    pub(super) filter: Option<&'a EntityFilter>,
    /// Whether a scene plays it, which may go on when it has ended: a player who dies at the end
    /// lies there.
    pub(super) in_scene: bool,
}

/// Replays a recording: follows it once from start to end. What happens at one moment becomes
/// events.
pub(super) fn replay(document: &Document<'_>, notices: &mut Notices) -> (Recording, Vec<Event>) {
    replay_as(document, Replay::default(), notices)
}

/// The same in this way.
pub(super) fn replay_as(
    document: &Document<'_>,
    how: Replay<'_>,
    notices: &mut Notices,
) -> (Recording, Vec<Event>) {
    let mut replayer = Replayer { filter: how.filter, ..Replayer::new(document) };
    for step in document.steps() {
        replayer.step(&step);
    }
    if how.in_scene && document.header.ends_with_death() {
        replayer.die_at_end(document);
    }
    replayer.finish(document, notices)
}

/// The state of a replay up to the current frame.
struct Replayer<'a> {
    dialect: Dialect,
    start: Stand,
    ids: Ids,
    /// The frame that is being made.
    frame: u32,
    /// How many frames follow the last that the file has, and what trails it.
    frames_after: u32,
    player: Actor,
    /// Whether the player's next movement is a jump.
    jumps: bool,
    vehicle: Held<Option<i32>>,
    entities: Vec<Entity>,
    /// The filter of played entities; all if there is none.
    filter: Option<&'a EntityFilter>,
    /// The numbers of those that are not.
    left_out: HashSet<i32>,
    /// The positions in `entities` by number.
    by_id: HashMap<i32, usize>,
    blocks: Blocks,
    uses: Vec<(u32, Use)>,
    /// For each extension of the header its name, and how many actions it has.
    custom: Vec<(&'a str, u32)>,
    models: u32,
    events: Events,
    issues: Issues,
}

impl<'a> Replayer<'a> {
    fn new(document: &'a Document<'_>) -> Self {
        let header = &document.header;
        let start = Stand {
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
            jumps: false,
            vehicle: Held::new(None),
            entities: Vec::new(),
            filter: None,
            left_out: HashSet::new(),
            by_id: HashMap::new(),
            blocks: Blocks::default(),
            uses: Vec::new(),
            custom: header.extensions.iter().map(|extension| (&*extension.id, 0)).collect(),
            models: 0,
            events: Events::default(),
            issues: Issues::default(),
        }
    }

    fn note(&mut self, issue: Issue, step: &Step<'_>) {
        self.issues.note(issue, SourceLocation::byte(step.offset), Some(self.frame));
    }

    /// Notes an action of an absent entity, unless the entity was skipped.
    fn note_unknown(&mut self, id: i32, step: &Step<'_>) {
        if !self.left_out.contains(&id) {
            self.note(Issue::UnknownEntity, step);
        }
    }

    fn step(&mut self, step: &Step<'_>) {
        match (&step.action, step.entity) {
            (Action::Ticks(count), None) => self.frame += u32::from(*count),
            (Action::Ticks(_) | Action::Die | Action::Respawn, Some(_)) => {
                self.note(Issue::NestedWrongly, step);
            }
            (Action::Update { entity, update }, _) => self.update(step, *entity, update),
            _ => self.act(step),
        }
    }

    /// In the tick after the last the player dies, and falls.
    fn die_at_end(&mut self, document: &Document<'_>) {
        let offset = document.actions.end;
        self.frame = document.ticks;
        self.die(offset);
        self.frames_after = DYING;
    }

    fn finish(mut self, document: &Document<'_>, notices: &mut Notices) -> (Recording, Vec<Event>) {
        self.report(notices);
        let header = &document.header;
        let trailing = u32::from(document.has_trailing_actions || self.frames_after > 0);
        let frames = (document.ticks + trailing + self.frames_after).max(1);
        self.player.shrink();
        for entity in &mut self.entities {
            entity.actor.shrink();
            entity.note_age();
        }
        let seats = self.vehicle.frames().iter().zip(self.vehicle.values());
        let seats = seats.filter(|(_, vehicle)| vehicle.is_some()).map(|(frame, _)| *frame);
        self.player.path.take_seats(seats);
        let cast = Cast { player: &self.player, entities: &self.entities };
        let client = Client::new(cast, &self.vehicle, header.start_yaw, frames);
        let recording = Recording {
            dialect: self.dialect,
            frames,
            ticks: document.ticks,
            start: self.start,
            dimension: header.dimension.as_deref().map(str::to_owned),
            person: Person::new(&header.profile),
            extensions: self.custom.iter().map(|custom| custom.0.to_owned()).collect(),
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

    fn report(&mut self, notices: &mut Notices) {
        std::mem::take(&mut self.issues).report(notices);
        self.events.report(notices);
        for (name, count) in self.custom.iter().filter(|custom| custom.1 > 0) {
            let actions = if *count == 1 { "action" } else { "actions" };
            let message = format!("{count} {actions} of the extension {name:?}; skipped");
            notices.info(SourceLocation::File, message);
        }
        if self.models > 0 {
            let message =
                format!("{} changes of a player model by an add-on; skipped", self.models);
            notices.info(SourceLocation::File, message);
        }
    }
}
