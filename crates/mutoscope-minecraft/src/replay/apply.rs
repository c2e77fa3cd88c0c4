//! Actions of the player or an entity.

use std::sync::Arc;

use super::Replayer;
use crate::{
    Action, Actor, BlockChange, Coordinate, Crack, Effect, Item, ItemData, Movement, PoseName,
    Slot, Step, Use, chat, issues::Issue, nodes, state::AIR,
};
use mutoscope_core::clip::{NodeId, Value};

impl Replayer<'_> {
    /// Does what the player, or an entity that is there, does.
    pub(super) fn act(&mut self, step: &Step<'_>) {
        let (frame, offset) = (self.frame, step.offset);
        let index = match step.entity {
            None => None,
            Some(id) => match self.present(id) {
                Some(index) => Some(index),
                None => return self.note_unknown(id, step),
            },
        };
        let node = index.map_or(nodes::PLAYER, nodes::entity);
        match &step.action {
            Action::Move(movement) => self.movement(step, index, movement),
            Action::Items(items) => self.items(step, index, items),
            Action::Pose(number) => {
                let pose = PoseName::numbered(*number);
                if pose.is_none() {
                    self.note(Issue::Pose, step);
                }
                self.actor(index).pose.set(frame, offset, pose.unwrap_or_default());
            }
            Action::Break { .. } | Action::Place { .. } | Action::Crack { .. } | Action::Use(_) => {
                self.block(step, node);
            }
            Action::Swing { off_hand } => {
                self.actor(index).swing_from(frame, *off_hand);
                self.events.add(frame, offset, node, "swing", hand(*off_hand));
            }
            Action::Hurt => {
                self.actor(index).hurt(frame);
                self.events.add(frame, offset, node, "hurt", Value::Null);
            }
            Action::Die => self.die(offset),
            Action::Respawn => {
                self.player.pose.set(frame, offset, PoseName::Standing);
                self.player.dead.set(frame, offset, false);
                self.jumps = true;
                self.events.add(frame, offset, node, "respawn", Value::Null);
            }
            Action::Chat(json) => {
                let text = Value::Text(chat::plain(json).into());
                self.events.add(frame, offset, node, "chat", text);
            }
            Action::CloseContainer => self.events.add(frame, offset, node, "close", Value::Null),
            Action::Custom { extension, .. } => self.custom(step, node, *extension),
            Action::Model(_) => self.models += 1,
            _ => self.actor(index).hold(frame, offset, &step.action),
        }
    }

    /// The player dies in this frame, as the action at `offset` says.
    pub(super) fn die(&mut self, offset: usize) {
        self.player.pose.set(self.frame, offset, PoseName::Dying);
        self.player.dead.set(self.frame, offset, true);
        self.events.add(self.frame, offset, nodes::PLAYER, "die", Value::Null);
    }

    /// The player, or the entity at this position.
    fn actor(&mut self, index: Option<usize>) -> &mut Actor {
        match index {
            None => &mut self.player,
            Some(index) => &mut self.entities[index].actor,
        }
    }

    fn movement(&mut self, step: &Step<'_>, index: Option<usize>, movement: &Movement) {
        let (frame, offset, start) = (self.frame, step.offset, self.start.position.to_array());
        let jumps = index.is_none() && std::mem::take(&mut self.jumps);
        let actor = self.actor(index);
        let mut is_finite = true;
        let mut stand = actor.path.latest();
        let mut position = stand.position.to_array();
        for axis in 0..3 {
            let to = match movement.position[axis] {
                Coordinate::Same => continue,
                Coordinate::FromLast(by) => position[axis] + by,
                Coordinate::FromStart(by) => start[axis] + by,
                Coordinate::Absolute(to) => to,
            };
            if to.is_finite() {
                position[axis] = to;
            } else {
                is_finite = false;
            }
        }
        stand.position = position.into();
        let angles = [
            (&mut stand.pitch, movement.pitch),
            (&mut stand.yaw, movement.yaw),
            (&mut stand.head_yaw, movement.head_yaw),
        ];
        for (angle, to) in angles {
            match to {
                Some(to) if to.is_finite() => *angle = to.into(),
                Some(_) => is_finite = false,
                None => {}
            }
        }
        actor.path.set(frame, offset, stand, jumps);
        if let Some(on_ground) = movement.on_ground {
            actor.on_ground.set(frame, offset, on_ground);
        }
        if !is_finite {
            self.note(Issue::NotFinite, step);
        }
    }

    fn items(&mut self, step: &Step<'_>, index: Option<usize>, items: &[ItemData<'_>]) {
        let (frame, offset) = (self.frame, step.offset);
        let keeps_others = self.dialect.keeps_unnamed_slots();
        for slot in Slot::ALL {
            let item = match items.get(slot as usize) {
                None | Some(ItemData::None) if keeps_others => continue,
                None | Some(ItemData::None) => None,
                Some(ItemData::Some { id, data, .. }) => {
                    let name = self.ids.item(*id);
                    if name.as_ref().is_some_and(|name| !name.is_known) {
                        self.note(Issue::ItemId, step);
                    }
                    name.map(|name| Item { id: name.text, data: data.as_deref().map(Arc::from) })
                }
            };
            self.actor(index).items[slot as usize].set(frame, offset, item);
        }
    }

    fn custom(&mut self, step: &Step<'_>, node: NodeId, extension: u8) {
        let value = match self.custom.get_mut(usize::from(extension)) {
            Some((name, count)) => {
                *count += 1;
                Value::Text((*name).into())
            }
            None => {
                self.note(Issue::UnknownExtension, step);
                Value::Null
            }
        };
        self.events.add(self.frame, step.offset, node, "custom", value);
    }

    fn block(&mut self, step: &Step<'_>, node: NodeId) {
        let (frame, offset) = (self.frame, step.offset);
        let (name, value) = match &step.action {
            Action::Break { previous, place } => {
                let previous = self.block_name(step, *previous);
                let value = Value::Text(previous.clone());
                self.blocks.change(BlockChange {
                    frame,
                    place: *place,
                    previous,
                    block: AIR.into(),
                });
                ("break", value)
            }
            Action::Place { previous, block, place, .. } => {
                let previous = self.block_name(step, *previous);
                let block = self.block_name(step, *block);
                let value = Value::Text(block.clone());
                self.blocks.change(BlockChange { frame, place: *place, previous, block });
                ("place", value)
            }
            Action::Crack { place, progress } => {
                /// How far a block can be broken.
                const FARTHEST: u8 = 9;
                let progress = u8::try_from(*progress).ok().filter(|&far| far <= FARTHEST);
                self.blocks.crack(Crack { frame, place: *place, progress });
                ("crack", Value::Null)
            }
            Action::Use(click) => {
                let Use { off_hand, .. } = *click;
                self.uses.push((frame, *click));
                ("use", hand(off_hand))
            }
            _ => return,
        };
        self.events.add(frame, offset, node, name, value);
    }

    fn block_name(&mut self, step: &Step<'_>, id: i32) -> Arc<str> {
        let name = self.ids.block(id);
        if !name.is_known {
            self.note(Issue::BlockId, step);
        }
        name.text
    }
}

impl Actor {
    /// Takes over what simply holds until it is set again.
    fn hold(&mut self, frame: u32, offset: usize, action: &Action<'_>) {
        match action {
            Action::EntityFlags(flags) => self.entity_flags.set(frame, offset, *flags),
            Action::LivingFlags(flags) => self.living_flags.set(frame, offset, *flags),
            Action::MainHand(is_right) => self.main_hand_right.set(frame, offset, *is_right),
            Action::Arrows { arrows, stingers } => {
                self.arrows.set(frame, offset, *arrows);
                self.stingers.set(frame, offset, *stingers);
            }
            Action::Sleep(bed) => self.bed.set(frame, offset, *bed),
            Action::Spectator(is_one) => self.spectator.set(frame, offset, *is_one),
            Action::EffectColour { colour, ambient } => {
                let effect = Effect::Colour { colour: *colour, ambient: *ambient };
                self.effect.set(frame, offset, Some(effect));
            }
            Action::EffectParticles { particles, ambient } => {
                let particles = particles.iter().map(|particle| Arc::from(&**particle)).collect();
                let effect = Effect::Particles { particles, ambient: *ambient };
                self.effect.set(frame, offset, Some(effect));
            }
            Action::Data(Some(data)) => self.data.set(frame, offset, Some(*data)),
            // The file has an action without content.
            Action::Data(None) | Action::Nothing => {}
            Action::Ticks(_)
            | Action::Move(_)
            | Action::Pose(_)
            | Action::Items(_)
            | Action::Swing { .. }
            | Action::Break { .. }
            | Action::Place { .. }
            | Action::Use(_)
            | Action::Update { .. }
            | Action::Hurt
            | Action::Crack { .. }
            | Action::Die
            | Action::Respawn
            | Action::Chat(_)
            | Action::CloseContainer
            | Action::Model(_)
            | Action::Custom { .. } => unreachable!("done where it was told apart"),
        }
    }
}

/// A hand, by the name of its slot.
fn hand(is_off: bool) -> Value {
    let slot = if is_off { Slot::OffHand } else { Slot::MainHand };
    Value::Text(slot.name().into())
}
