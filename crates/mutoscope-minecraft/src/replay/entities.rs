//! Applies the updates of entities: added, removed, killed, hurt, mounted.

use std::collections::hash_map::Entry;

use glam::DVec3;

use super::Replayer;
use crate::{
    Actor, ActorTransform, Entity, Life, PoseName, Step, Update,
    format_diagnostics::FormatDiagnostic, nodes, snbt::parse_entity_tag,
};
use mutoscope_core::clip::Value;

const MAX_ENTITIES: usize = 10_000;

impl Replayer<'_> {
    pub(super) fn find_present(&self, id: i32) -> Option<usize> {
        let index = *self.by_id.get(&id)?;
        self.entities[index].lives.last().is_some_and(|life| life.to.is_none()).then_some(index)
    }

    pub(super) fn apply_update(&mut self, step: &Step<'_>, id: i32, update: &Update<'_>) {
        let (frame, offset) = (self.frame, step.offset);
        match update {
            Update::None => return,
            Update::Add { nbt, position } => return self.add_entity(step, id, nbt, *position),
            // Handle `Dismount` before `id` is looked up, because this action has no entity id.
            Update::Dismount => {
                self.vehicle.set(frame, offset, None);
                self.events.add(frame, offset, nodes::PLAYER, "dismount", Value::Null);
                return;
            }
            Update::Remove | Update::Kill | Update::Hurt | Update::Mount => {}
        }
        let Some(index) = self.find_present(id) else {
            return self.record_unknown_entity(id, step);
        };
        let Entity { actor, lives, .. } = &mut self.entities[index];
        let mut node = nodes::entity_node(index);
        let mut value = Value::Null;
        let name = match update {
            Update::Remove => {
                lives.iter_mut().last().expect("it is there").to = Some(frame);
                if *self.vehicle.latest() == Some(id) {
                    self.vehicle.set(frame, offset, None);
                }
                "remove"
            }
            Update::Kill => {
                lives.iter_mut().last().expect("it is there").killed.get_or_insert(frame);
                actor.dead.set(frame, offset, true);
                "kill"
            }
            Update::Hurt => {
                actor.add_hurt(frame);
                "hurt"
            }
            _ => {
                self.vehicle.set(frame, offset, Some(id));
                node = nodes::PLAYER;
                value = Value::Integer(id.into());
                "mount"
            }
        };
        self.events.add(frame, offset, node, name, value);
    }

    fn add_entity(&mut self, step: &Step<'_>, id: i32, nbt: &str, position: DVec3) {
        let (frame, offset) = (self.frame, step.offset);
        if self.find_present(id).is_some() {
            return self.record_diagnostic(FormatDiagnostic::EntityAddedTwice, step);
        }
        if !position.is_finite() {
            return self.record_diagnostic(FormatDiagnostic::NonFinite, step);
        }
        let tag = parse_entity_tag(nbt);
        let kind = tag.id.unwrap_or_default();
        if self.filter.is_some_and(|filter| !filter.plays(&kind, &tag.tags)) {
            self.filtered_out.insert(id);
            return;
        }
        let [yaw, pitch] = tag.rotation.unwrap_or_default().map(f64::from);
        let transform = ActorTransform { position, pitch, yaw, head_yaw: yaw };
        let life = Life { from: frame, killed: None, to: None };
        let index = match self.by_id.entry(id) {
            Entry::Occupied(known) => {
                let entity = &mut self.entities[*known.get()];
                entity.actor.reset(frame, offset, transform);
                entity.lives.push(life);
                *known.get()
            }
            Entry::Vacant(_) if self.entities.len() == MAX_ENTITIES => {
                return self.record_diagnostic(FormatDiagnostic::TooManyEntities, step);
            }
            Entry::Vacant(new) => {
                let mut actor = Actor::new(transform);
                actor.path.set(frame, offset, transform, true);
                self.entities.push(Entity::new(id, kind, nbt.into(), actor, vec![life]));
                *new.insert(self.entities.len() - 1)
            }
        };
        self.events.add(frame, offset, nodes::entity_node(index), "add", Value::Null);
    }
}

impl Actor {
    fn reset(&mut self, frame: u32, offset: usize, transform: ActorTransform) {
        self.path.set(frame, offset, transform, true);
        self.on_ground.set(frame, offset, false);
        self.pose.set(frame, offset, PoseName::Standing);
        self.entity_flags.set(frame, offset, 0);
        self.living_flags.set(frame, offset, 0);
        self.main_hand_right.set(frame, offset, true);
        for item in &mut self.items {
            item.set(frame, offset, None);
        }
        self.arrows.set(frame, offset, 0);
        self.stingers.set(frame, offset, 0);
        self.dead.set(frame, offset, false);
        self.bed.set(frame, offset, None);
        self.spectator.set(frame, offset, false);
        self.effect.set(frame, offset, None);
        self.data.set(frame, offset, None);
    }

    pub(super) fn add_hurt(&mut self, frame: u32) {
        if self.hurts.last() != Some(&frame) {
            self.hurts.push(frame);
        }
    }
}
