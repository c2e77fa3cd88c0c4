//! Builds the figures of entities, whose joints move on their own, and the items in hands.

use std::{collections::HashSet, sync::Arc};

use super::meshes::MeshSet;
use crate::{
    Actor, Entity, SampleTime, Slot, Take,
    shapes::{
        Creature, CreatureState, ItemFamily, Joint, creature_or_box, held_item_transform,
        item_shape,
    },
    short_name,
};
use mutoscope_core::clip::{ExportFigure, FigureMotion, FigurePart, NodeId, PartParent, Transform};

pub(super) struct Hand {
    pub(super) is_right: bool,
    pub(super) name: String,
    pub(super) arm: NodeId,
    pub(super) transform: Transform,
}

pub(super) fn add_hands(
    take: &Arc<Take>,
    hands: impl IntoIterator<Item = Hand>,
    meshes: &mut MeshSet,
    figures: &mut Vec<ExportFigure>,
) {
    let mut figure = FigureBuilder::new(take, None);
    for Hand { is_right, name, arm, transform } in hands {
        figure.add_hand(is_right, name, PartParent::Node(arm), transform, meshes);
    }
    figures.push(figure.build(None));
}

pub(super) struct FigureOwner<'a> {
    pub(super) take: &'a Arc<Take>,
    pub(super) entity: Option<usize>,
    pub(super) name: String,
    pub(super) creature: Creature,
    pub(super) kind: &'a str,
}

impl<'a> FigureOwner<'a> {
    pub(super) fn for_entity(take: &'a Arc<Take>, index: usize) -> Option<Self> {
        let entity = &take.recording.entities[index];
        let creature = creature_or_box(&entity.kind, &entity.nbt, entity.size)?;
        let name = format!("{}entity/{}", take.prefix(), entity.id);
        Some(Self { take, entity: Some(index), name, creature, kind: &entity.kind })
    }

    pub(super) fn for_player(take: &'a Arc<Take>) -> Option<Self> {
        let kind = take.entity_kind.as_deref()?;
        let nbt = take.entity_nbt.as_deref().unwrap_or_default();
        let creature = creature_or_box(kind, nbt, take.entity_size()?)?;
        // Put the kind into the prefix, because the parts of the player's own body already have the
        // prefix `player/`.
        let name = format!("{}player/{}", take.prefix(), short_name(kind));
        Some(Self { take, entity: None, name, creature, kind })
    }

    pub(super) fn add_figure(self, meshes: &mut MeshSet, figures: &mut Vec<ExportFigure>) {
        let Self { take, entity, name, creature, kind } = self;
        let mut figure = FigureBuilder::new(take, entity);
        let node = figure.node();
        let rest = CreatureState::default();
        for part in &creature.parts {
            let joint = part.joint.name();
            let mesh_name = format!("{}/{joint}", short_name(kind));
            let mesh = meshes.add(mesh_name, &part.shape, creature.scale);
            let rest = rest.part_transform(&creature, part);
            figure.add_part(format!("{name}/{joint}"), PartParent::Node(node), rest, mesh);
        }
        for (index, part) in creature.parts.iter().enumerate() {
            if let Joint::Arm { is_right, .. } = part.joint
                && !held_item_ids(figure.actor(), is_right).is_empty()
            {
                let side = if is_right { "right" } else { "left" };
                let transform = creature.held_item_origin(is_right);
                let hand = format!("{name}/{side}_hand");
                figure.add_hand(is_right, hand, PartParent::Part(index), transform, meshes);
            }
        }
        figures.push(figure.build(Some(creature)));
    }
}

struct FigureBuilder<'a> {
    take: &'a Arc<Take>,
    entity: Option<usize>,
    parts: Vec<FigurePart>,
    held: Vec<HeldPart>,
    names: HashSet<String>,
}

impl<'a> FigureBuilder<'a> {
    fn new(take: &'a Arc<Take>, entity: Option<usize>) -> Self {
        Self { take, entity, parts: Vec::new(), held: Vec::new(), names: HashSet::new() }
    }

    fn node(&self) -> NodeId {
        self.entity.map_or(self.take.player_node(), |index| self.take.entity_node(index))
    }

    fn actor(&self) -> &'a Actor {
        let recording = &self.take.recording;
        self.entity.map_or(&recording.player, |index| &recording.entities[index].actor)
    }

    fn add_part(
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

    fn add_hand(
        &mut self,
        is_right: bool,
        name: String,
        parent: PartParent,
        transform: Transform,
        meshes: &mut MeshSet,
    ) {
        let hand = self.add_part(name.clone(), parent, transform, None);
        for id in held_item_ids(self.actor(), is_right) {
            let item = short_name(&id);
            let mesh = meshes.add(item.to_owned(), &item_shape(&id), 1.0 / 16.0);
            let rest = held_item_transform(ItemFamily::from_id(&id), is_right, false);
            let part = self.add_part(format!("{name}/{item}"), PartParent::Part(hand), rest, mesh);
            self.held.push(HeldPart { part, is_right, id, rest });
        }
    }

    fn build(self, creature: Option<Creature>) -> ExportFigure {
        let node = self.node();
        let Self { take, entity, parts, held, .. } = self;
        let motion = RecordedFigureMotion { take: Arc::clone(take), entity, creature, held };
        ExportFigure { node, parts, motion: Arc::new(motion) }
    }
}

fn held_item_ids(actor: &Actor, is_right: bool) -> Vec<Arc<str>> {
    let slots = [Slot::MainHand, Slot::OffHand].map(|slot| actor.items[slot as usize].frames());
    let changes = slots.concat().into_iter().chain(actor.main_hand_right.frames().iter().copied());
    let mut frames: Vec<u32> = changes.chain([0]).collect();
    frames.sort_unstable();
    frames.dedup();
    let items = frames.into_iter().filter_map(|frame| actor.held_item(is_right, frame));
    let mut listed = HashSet::new();
    items.filter(|item| listed.insert(&item.id)).map(|item| Arc::clone(&item.id)).collect()
}

#[derive(Debug)]
struct HeldPart {
    part: usize,
    is_right: bool,
    id: Arc<str>,
    rest: Transform,
}

#[derive(Debug)]
struct RecordedFigureMotion {
    take: Arc<Take>,
    entity: Option<usize>,
    /// The creature. The first parts of the figure are the joints of the creature. `None` for
    /// players, because the limbs of players are nodes.
    creature: Option<Creature>,
    held: Vec<HeldPart>,
}

impl RecordedFigureMotion {
    fn entity(&self) -> Option<&Entity> {
        self.take.recording.entities.get(self.entity?)
    }

    fn actor(&self) -> &Actor {
        self.entity().map_or(&self.take.recording.player, |entity| &entity.actor)
    }

    fn moment(&self, time: f64) -> Option<SampleTime> {
        let moment = self.take.sample_time(time)?;
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

impl FigureMotion for RecordedFigureMotion {
    fn is_visible(&self, time: f64) -> bool {
        self.moment(time).is_some()
    }

    fn pose_parts(&self, time: f64, set_part: &mut dyn FnMut(usize, Transform, bool)) {
        let moment = self.moment(time);
        if let Some(creature) = &self.creature {
            let state = moment.map(|moment| self.state(moment)).unwrap_or_default();
            for (index, part) in creature.parts.iter().enumerate() {
                set_part(index, state.part_transform(creature, part), true);
            }
        }
        for HeldPart { part, is_right, id, rest } in &self.held {
            let held =
                moment.and_then(|moment| self.actor().held_item_transform(*is_right, moment.frame));
            match held.filter(|(item, _)| item.id == *id) {
                Some((_, transform)) => set_part(*part, transform, true),
                None => set_part(*part, *rest, false),
            }
        }
    }
}
