//! Changes of entities.

use std::collections::hash_map::Entry;

use glam::DVec3;

use super::Replayer;
use crate::{
    Actor, Entity, Life, PoseName, Stand, Step, Update, issues::Issue, nodes, snbt::entity_tag,
};
use mutoscope_core::clip::Value;

/// More entities than this are skipped: even a siege has fewer.
const MOST: usize = 10_000;

impl Replayer<'_> {
    /// The position in `entities` of the one with this number, if it is there now.
    pub(super) fn present(&self, id: i32) -> Option<usize> {
        let index = *self.by_id.get(&id)?;
        self.entities[index].lives.last().is_some_and(|life| life.to.is_none()).then_some(index)
    }

    pub(super) fn update(&mut self, step: &Step<'_>, id: i32, update: &Update<'_>) {
        let (frame, offset) = (self.frame, step.offset);
        match update {
            Update::None => return,
            Update::Add { nbt, position } => return self.add(step, id, nbt, *position),
            // Says the number of no entity.
            Update::Dismount => {
                self.vehicle.set(frame, offset, None);
                self.events.add(frame, offset, nodes::PLAYER, "dismount", Value::Null);
                return;
            }
            Update::Remove | Update::Kill | Update::Hurt | Update::Mount => {}
        }
        let Some(index) = self.present(id) else { return self.note_unknown(id, step) };
        let Entity { actor, lives, .. } = &mut self.entities[index];
        let mut node = nodes::entity(index);
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
                actor.hurt(frame);
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

    fn add(&mut self, step: &Step<'_>, id: i32, nbt: &str, position: DVec3) {
        let (frame, offset) = (self.frame, step.offset);
        if self.present(id).is_some() {
            return self.note(Issue::AddedTwice, step);
        }
        if !position.is_finite() {
            return self.note(Issue::NotFinite, step);
        }
        let tag = entity_tag(nbt);
        let kind = tag.id.unwrap_or_default();
        if self.filter.is_some_and(|filter| !filter.plays(&kind, &tag.tags)) {
            self.left_out.insert(id);
            return;
        }
        let [yaw, pitch] = tag.rotation.unwrap_or_default().map(f64::from);
        let stand = Stand { position, pitch, yaw, head_yaw: yaw };
        let life = Life { from: frame, killed: None, to: None };
        let index = match self.by_id.entry(id) {
            Entry::Occupied(known) => {
                let entity = &mut self.entities[*known.get()];
                entity.actor.begin_anew(frame, offset, stand);
                entity.lives.push(life);
                *known.get()
            }
            Entry::Vacant(_) if self.entities.len() == MOST => {
                return self.note(Issue::TooManyEntities, step);
            }
            Entry::Vacant(new) => {
                let mut actor = Actor::new(stand);
                actor.path.set(frame, offset, stand, true);
                self.entities.push(Entity::of_kind(id, kind, nbt.into(), actor, vec![life]));
                *new.insert(self.entities.len() - 1)
            }
        };
        self.events.add(frame, offset, nodes::entity(index), "add", Value::Null);
    }
}

impl Actor {
    /// It was gone and is there again, as if nothing had been.
    fn begin_anew(&mut self, frame: u32, offset: usize, stand: Stand) {
        self.path.set(frame, offset, stand, true);
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

    pub(super) fn hurt(&mut self, frame: u32) {
        if self.hurts.last() != Some(&frame) {
            self.hurts.push(frame);
        }
    }
}
