//! Applies the actions of the player or of an entity.

use std::sync::Arc;

use super::Replayer;
use crate::{
    Action, Actor, BlockChange, Coordinate, Crack, Effect, Item, ItemData, Movement, PoseName,
    Slot, Step, Use, chat, format_diagnostics::FormatDiagnostic, nodes, state::AIR,
};
use mutoscope_core::clip::{NodeId, Value};

impl Replayer<'_> {
    pub(super) fn apply_action(&mut self, step: &Step<'_>) {
        let (frame, offset) = (self.frame, step.offset);
        let index = match step.entity {
            None => None,
            Some(id) => match self.find_present(id) {
                Some(index) => Some(index),
                None => return self.record_unknown_entity(id, step),
            },
        };
        let node = index.map_or(nodes::PLAYER, nodes::entity_node);
        match &step.action {
            Action::Move(movement) => self.apply_movement(step, index, movement),
            Action::Items(items) => self.apply_items(step, index, items),
            Action::Pose(number) => {
                let pose = PoseName::from_id(*number);
                if pose.is_none() {
                    self.record_diagnostic(FormatDiagnostic::UnknownPose, step);
                }
                self.actor_mut(index).pose.set(frame, offset, pose.unwrap_or_default());
            }
            Action::Break { .. } | Action::Place { .. } | Action::Crack { .. } | Action::Use(_) => {
                self.apply_block_action(step, node);
            }
            Action::Swing { off_hand } => {
                self.actor_mut(index).start_swing(frame, *off_hand);
                self.events.add(frame, offset, node, "swing", hand_name(*off_hand));
            }
            Action::Hurt => {
                self.actor_mut(index).add_hurt(frame);
                self.events.add(frame, offset, node, "hurt", Value::Null);
            }
            Action::Die => self.apply_death(offset),
            Action::Respawn => {
                self.player.pose.set(frame, offset, PoseName::Standing);
                self.player.dead.set(frame, offset, false);
                self.next_move_jumps = true;
                self.events.add(frame, offset, node, "respawn", Value::Null);
            }
            Action::Chat(json) => {
                let text = Value::Text(chat::plain_text(json).into());
                self.events.add(frame, offset, node, "chat", text);
            }
            Action::CloseContainer => self.events.add(frame, offset, node, "close", Value::Null),
            Action::Custom { extension, .. } => self.apply_custom_action(step, node, *extension),
            Action::Model(_) => self.model_changes += 1,
            _ => self.actor_mut(index).set_state(frame, offset, &step.action),
        }
    }

    pub(super) fn apply_death(&mut self, offset: usize) {
        self.player.pose.set(self.frame, offset, PoseName::Dying);
        self.player.dead.set(self.frame, offset, true);
        self.events.add(self.frame, offset, nodes::PLAYER, "die", Value::Null);
    }

    fn actor_mut(&mut self, index: Option<usize>) -> &mut Actor {
        match index {
            None => &mut self.player,
            Some(index) => &mut self.entities[index].actor,
        }
    }

    fn apply_movement(&mut self, step: &Step<'_>, index: Option<usize>, movement: &Movement) {
        let (frame, offset, start) = (self.frame, step.offset, self.start.position.to_array());
        let jumps = index.is_none() && std::mem::take(&mut self.next_move_jumps);
        let actor = self.actor_mut(index);
        let mut is_finite = true;
        let mut transform = actor.path.latest();
        let mut position = transform.position.to_array();
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
        transform.position = position.into();
        let angles = [
            (&mut transform.pitch, movement.pitch),
            (&mut transform.yaw, movement.yaw),
            (&mut transform.head_yaw, movement.head_yaw),
        ];
        for (angle, to) in angles {
            match to {
                Some(to) if to.is_finite() => *angle = to.into(),
                Some(_) => is_finite = false,
                None => {}
            }
        }
        actor.path.set(frame, offset, transform, jumps);
        if let Some(on_ground) = movement.on_ground {
            actor.on_ground.set(frame, offset, on_ground);
        }
        if !is_finite {
            self.record_diagnostic(FormatDiagnostic::NonFinite, step);
        }
    }

    fn apply_items(&mut self, step: &Step<'_>, index: Option<usize>, items: &[ItemData<'_>]) {
        let (frame, offset) = (self.frame, step.offset);
        let keeps_others = self.dialect.keeps_unnamed_slots();
        for slot in Slot::ALL {
            let item = match items.get(slot as usize) {
                None | Some(ItemData::None) if keeps_others => continue,
                None | Some(ItemData::None) => None,
                Some(ItemData::Some { id, data, .. }) => {
                    let name = self.ids.item_name(*id);
                    if name.as_ref().is_some_and(|name| !name.is_known) {
                        self.record_diagnostic(FormatDiagnostic::UnknownItemId, step);
                    }
                    name.map(|name| Item { id: name.text, data: data.as_deref().map(Arc::from) })
                }
            };
            self.actor_mut(index).items[slot as usize].set(frame, offset, item);
        }
    }

    fn apply_custom_action(&mut self, step: &Step<'_>, node: NodeId, extension: u8) {
        let value = match self.extension_actions.get_mut(usize::from(extension)) {
            Some((name, count)) => {
                *count += 1;
                Value::Text((*name).into())
            }
            None => {
                self.record_diagnostic(FormatDiagnostic::UnknownExtension, step);
                Value::Null
            }
        };
        self.events.add(self.frame, step.offset, node, "custom", value);
    }

    fn apply_block_action(&mut self, step: &Step<'_>, node: NodeId) {
        let (frame, offset) = (self.frame, step.offset);
        let (name, value) = match &step.action {
            Action::Break { previous, position } => {
                let previous = self.block_name(step, *previous);
                let value = Value::Text(previous.clone());
                self.blocks.add_change(BlockChange {
                    frame,
                    position: *position,
                    previous,
                    block: AIR.into(),
                });
                ("break", value)
            }
            Action::Place { previous, block, position, .. } => {
                let previous = self.block_name(step, *previous);
                let block = self.block_name(step, *block);
                let value = Value::Text(block.clone());
                self.blocks.add_change(BlockChange { frame, position: *position, previous, block });
                ("place", value)
            }
            Action::Crack { position, progress } => {
                const MAX_STAGE: u8 = 9;
                let progress = u8::try_from(*progress).ok().filter(|&stage| stage <= MAX_STAGE);
                self.blocks.add_crack(Crack { frame, position: *position, progress });
                ("crack", Value::Null)
            }
            Action::Use(right_click) => {
                let Use { off_hand, .. } = *right_click;
                self.uses.push((frame, *right_click));
                ("use", hand_name(off_hand))
            }
            _ => return,
        };
        self.events.add(frame, offset, node, name, value);
    }

    fn block_name(&mut self, step: &Step<'_>, id: i32) -> Arc<str> {
        let name = self.ids.block_name(id);
        if !name.is_known {
            self.record_diagnostic(FormatDiagnostic::UnknownBlockId, step);
        }
        name.text
    }
}

impl Actor {
    fn set_state(&mut self, frame: u32, offset: usize, action: &Action<'_>) {
        match action {
            Action::EntityFlags(flags) => self.entity_flags.set(frame, offset, *flags),
            Action::LivingFlags(flags) => self.living_flags.set(frame, offset, *flags),
            Action::MainHand(is_right) => self.main_hand_right.set(frame, offset, *is_right),
            Action::Arrows { arrows, stingers } => {
                self.arrows.set(frame, offset, *arrows);
                self.stingers.set(frame, offset, *stingers);
            }
            Action::Sleep(bed) => self.bed.set(frame, offset, *bed),
            Action::Spectator(is_spectator) => self.spectator.set(frame, offset, *is_spectator),
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
            // Neither action changes anything.
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

fn hand_name(is_off_hand: bool) -> Value {
    let slot = if is_off_hand { Slot::OffHand } else { Slot::MainHand };
    Value::Text(slot.name().into())
}
