//! Entities as jointed figures, and what hands hold: parts that move on their own.

use std::{collections::HashSet, sync::Arc};

use super::meshes::Meshes;
use crate::{
    Actor, Entity, SampleTime, Slot, Take,
    shapes::{Creature, CreatureState, ItemFamily, Joint, creature_or_box, held, item_shape},
    short,
};
use mutoscope_core::clip::{
    FigureMotion, FigurePart, LikenessFigure, NodeId, PartParent, Transform,
};

/// The hand of a player: on which node and where, and what it is called.
pub(super) struct Hand {
    pub(super) is_right: bool,
    pub(super) name: String,
    pub(super) arm: NodeId,
    pub(super) place: Transform,
}

/// Adds what a player's hands hold, and the hands themselves.
pub(super) fn add_hands(
    take: &Arc<Take>,
    hands: impl IntoIterator<Item = Hand>,
    meshes: &mut Meshes,
    figures: &mut Vec<LikenessFigure>,
) {
    let mut figure = Builder::new(take, None);
    for Hand { is_right, name, arm, place } in hands {
        figure.hand(is_right, name, PartParent::Node(arm), place, meshes);
    }
    figures.push(figure.build(None));
}

/// The owner of a figure: an entity of a recording, or its player where an entity plays it.
pub(super) struct Someone<'a> {
    pub(super) take: &'a Arc<Take>,
    /// The index of the entity; nothing for the player.
    pub(super) entity: Option<usize>,
    /// The prefix of its parts' names.
    pub(super) name: String,
    /// Its figure.
    pub(super) creature: Creature,
    pub(super) kind: &'a str,
}

impl<'a> Someone<'a> {
    /// An entity, if there is anything to see of it.
    pub(super) fn entity(take: &'a Arc<Take>, index: usize) -> Option<Self> {
        let entity = &take.recording.entities[index];
        let creature = creature_or_box(&entity.kind, &entity.nbt, entity.size)?;
        let name = format!("{}entity/{}", take.prefix(), entity.id);
        Some(Self { take, entity: Some(index), name, creature, kind: &entity.kind })
    }

    /// The player of a recording that an entity plays.
    pub(super) fn player(take: &'a Arc<Take>) -> Option<Self> {
        let kind = take.kind.as_deref()?;
        let nbt = take.kind_nbt.as_deref().unwrap_or_default();
        let creature = creature_or_box(kind, nbt, take.kind_size()?)?;
        // The parts of a player's body have names of their own.
        let name = format!("{}player/{}", take.prefix(), short(kind));
        Some(Self { take, entity: None, name, creature, kind })
    }

    /// Adds its joints, and what it holds.
    pub(super) fn add(self, meshes: &mut Meshes, figures: &mut Vec<LikenessFigure>) {
        let Self { take, entity, name, creature, kind } = self;
        let mut figure = Builder::new(take, entity);
        let node = figure.node();
        let rest = CreatureState::default();
        for part in &creature.parts {
            let joint = part.joint.name();
            let mesh_name = format!("{}/{joint}", short(kind));
            let mesh = meshes.add(mesh_name, &part.shape, creature.scale);
            let rest = rest.place(&creature, part);
            figure.add(format!("{name}/{joint}"), PartParent::Node(node), rest, mesh);
        }
        for (index, part) in creature.parts.iter().enumerate() {
            if let Joint::Arm { is_right, .. } = part.joint
                && !ever_held(figure.actor(), is_right).is_empty()
            {
                let side = if is_right { "right" } else { "left" };
                let place = creature.hand(is_right);
                let hand = format!("{name}/{side}_hand");
                figure.hand(is_right, hand, PartParent::Part(index), place, meshes);
            }
        }
        figures.push(figure.build(Some(creature)));
    }
}

/// A figure that is being put together.
struct Builder<'a> {
    take: &'a Arc<Take>,
    entity: Option<usize>,
    parts: Vec<FigurePart>,
    held: Vec<HeldPart>,
    names: HashSet<String>,
}

impl<'a> Builder<'a> {
    fn new(take: &'a Arc<Take>, entity: Option<usize>) -> Self {
        Self { take, entity, parts: Vec::new(), held: Vec::new(), names: HashSet::new() }
    }

    fn node(&self) -> NodeId {
        self.entity.map_or(self.take.player(), |index| self.take.entity(index))
    }

    fn actor(&self) -> &'a Actor {
        let recording = &self.take.recording;
        self.entity.map_or(&recording.player, |index| &recording.entities[index].actor)
    }

    /// Adds a part; names that come again are numbered.
    fn add(
        &mut self,
        name: String,
        parent: PartParent,
        rest: Transform,
        mesh: Option<usize>,
    ) -> usize {
        let mut unique = name.clone();
        let mut count = 1;
        while !self.names.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}_{count}");
        }
        self.parts.push(FigurePart { name: unique, parent, rest, mesh });
        self.parts.len() - 1
    }

    /// Adds a hand and everything that it ever holds.
    fn hand(
        &mut self,
        is_right: bool,
        name: String,
        parent: PartParent,
        place: Transform,
        meshes: &mut Meshes,
    ) {
        let hand = self.add(name.clone(), parent, place, None);
        for id in ever_held(self.actor(), is_right) {
            let word = short(&id);
            let mesh = meshes.add(word.to_owned(), &item_shape(&id), 1.0 / 16.0);
            let rest = held(ItemFamily::of(&id), is_right, false);
            let part = self.add(format!("{name}/{word}"), PartParent::Part(hand), rest, mesh);
            self.held.push(HeldPart { part, is_right, id, rest });
        }
    }

    fn build(self, creature: Option<Creature>) -> LikenessFigure {
        let node = self.node();
        let Self { take, entity, parts, held, .. } = self;
        let motion = Moving { take: Arc::clone(take), entity, creature, held };
        LikenessFigure { node, parts, motion: Arc::new(motion) }
    }
}

/// The ids of the items that a hand ever holds, in the order in which it holds them first.
fn ever_held(actor: &Actor, is_right: bool) -> Vec<Arc<str>> {
    let slots = [Slot::MainHand, Slot::OffHand].map(|slot| actor.items[slot as usize].frames());
    let changes = slots.concat().into_iter().chain(actor.main_hand_right.frames().iter().copied());
    let mut frames: Vec<u32> = changes.chain([0]).collect();
    frames.sort_unstable();
    frames.dedup();
    let items = frames.into_iter().filter_map(|frame| actor.held(is_right, frame));
    let mut known = HashSet::new();
    items.filter(|item| known.insert(&item.id)).map(|item| Arc::clone(&item.id)).collect()
}

/// An item in a hand: the part it is.
#[derive(Debug)]
struct HeldPart {
    part: usize,
    is_right: bool,
    id: Arc<str>,
    rest: Transform,
}

/// The motion of a figure's parts: the formulas of its joints, and the items in its hands.
#[derive(Debug)]
struct Moving {
    take: Arc<Take>,
    /// The index of the entity; nothing for the player.
    entity: Option<usize>,
    /// The figure whose joints are the first parts; nothing for players, whose limbs are nodes.
    creature: Option<Creature>,
    held: Vec<HeldPart>,
}

impl Moving {
    fn entity(&self) -> Option<&Entity> {
        self.take.recording.entities.get(self.entity?)
    }

    fn actor(&self) -> &Actor {
        self.entity().map_or(&self.take.recording.player, |entity| &entity.actor)
    }

    /// The moment of its recording at `time`, in seconds; nothing while it is not there.
    fn moment(&self, time: f64) -> Option<SampleTime> {
        let moment = self.take.moment(time)?;
        let is_shown = match self.entity() {
            Some(entity) => self.take.is_entity_shown(entity, moment, time),
            None => self.take.recording.is_player_shown(moment.frame),
        };
        is_shown.then_some(moment)
    }

    fn state(&self, moment: SampleTime) -> CreatureState {
        match self.entity() {
            Some(entity) => self.take.creature_state(entity, moment),
            None => self.take.player_state(moment),
        }
    }
}

impl FigureMotion for Moving {
    fn is_there(&self, time: f64) -> bool {
        self.moment(time).is_some()
    }

    fn place(&self, time: f64, place: &mut dyn FnMut(usize, Transform, bool)) {
        let moment = self.moment(time);
        if let Some(creature) = &self.creature {
            let state = moment.map(|moment| self.state(moment)).unwrap_or_default();
            for (index, part) in creature.parts.iter().enumerate() {
                place(index, state.place(creature, part), true);
            }
        }
        for HeldPart { part, is_right, id, rest } in &self.held {
            let found = moment.and_then(|moment| self.actor().held_at(*is_right, moment.frame));
            match found.filter(|(item, _)| item.id == *id) {
                Some((_, transform)) => place(*part, transform, true),
                None => place(*part, *rest, false),
            }
        }
    }
}
