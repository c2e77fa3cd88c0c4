//! Rewrites the actions of the player or of an entity.

use super::Rewriter;
use crate::{Action, ItemData, Movement, PoseName, write::actions};

impl<'a> Rewriter<'a> {
    pub(super) fn rewrite_action(&mut self, entity: Option<i32>, action: Action<'a>) {
        let Some(tracked) = self.tracked(entity) else { return self.count_unknown(entity) };
        tracked.states.record(&action);
        match action {
            Action::Move(movement) => self.rewrite_movement(entity, &movement),
            Action::Items(items) => self.rewrite_items(entity, &items),
            Action::Break { .. } | Action::Place { .. } => {
                self.rewrite_block_action(entity, &action)
            }
            Action::Model(_) => self.counts.models += 1,
            Action::Die => {
                self.player.death_frame = Some(self.frame);
                self.player.states.record_pose(PoseName::Dying);
                self.write_action(None, &action);
            }
            Action::Respawn => {
                self.player.death_frame = None;
                self.player.states.record_pose(PoseName::Standing);
                self.write_action(None, &action);
            }
            _ => self.write_action(entity, &action),
        }
    }

    pub(super) fn count_unknown(&mut self, entity: Option<i32>) {
        if entity.is_none_or(|id| !self.filtered_out.contains(&id)) {
            self.counts.unknown_entities += 1;
        }
    }

    pub(super) fn write_action(&mut self, entity: Option<i32>, action: &Action<'_>) {
        if action == &Action::Data(None) {
            return;
        }
        if let Some(out) = self.open_output() {
            actions::write_actor_prefix(out, entity);
            actions::write_action(out, action);
        }
    }

    fn rewrite_movement(&mut self, entity: Option<i32>, movement: &Movement) {
        let (from, is_old) = (self.document.header.start, self.has_f32_angles());
        let Some(tracked) = self.tracked(entity) else { return };
        let turns = tracked.apply_movement(movement, from);
        if is_old {
            // In old versions, a separate action for the head may follow. Delay the movement, so
            // that it contains the new direction of the head.
            self.pending_movement = Some(entity);
        } else {
            self.write_movement(entity, turns);
        }
    }

    pub(super) fn write_pending_movement(&mut self) {
        let Some(entity) = self.pending_movement.take() else { return };
        let angle = self.angle_encoder();
        let Some(tracked) = self.tracked(entity) else { return };
        let turns = tracked.has_turned(angle);
        if turns || tracked.has_moved() {
            self.write_movement(entity, turns);
        }
    }

    fn write_movement(&mut self, entity: Option<i32>, turns: bool) {
        let (Some(start), angle) = (self.start, self.angle_encoder()) else { return };
        self.ticks.flush(&mut self.out);
        self.has_open_tick = true;
        actions::write_actor_prefix(&mut self.out, entity);
        // Do not call `self.tracked` here, because it borrows all of `self` and we also need
        // `self.out`.
        let tracked = match entity {
            None => Some(&mut self.player),
            Some(id) => self.entities.get_mut(&id),
        };
        if let Some(tracked) = tracked {
            tracked.write_movement(&mut self.out, start, turns, angle);
            self.counts.add_position_error(tracked.position_error());
        }
    }

    fn rewrite_items(&mut self, entity: Option<i32>, items: &[ItemData<'a>]) {
        let keeps_unnamed = self.dialect.keeps_unnamed_slots();
        let Some(tracked) = self.tracked(entity) else { return };
        let mut items =
            if keeps_unnamed { tracked.merge_items(items).to_vec() } else { items.to_vec() };
        let is_named = |id: i32| id == 0 || self.document.header.has_item(id);
        let mut lost = 0;
        for item in &mut items {
            if matches!(item, ItemData::Some { id, .. } if !is_named(*id)) {
                *item = ItemData::None;
                lost = 1;
            }
        }
        let action = Action::Items(items);
        if let Some(tracked) = self.tracked(entity) {
            tracked.states.record(&action);
        }
        if self.start.is_some() {
            self.counts.items += lost;
        }
        self.write_action(entity, &action);
    }

    fn rewrite_block_action(&mut self, entity: Option<i32>, action: &Action<'_>) {
        let (previous, block) = match *action {
            Action::Break { previous, .. } => (previous, 0),
            Action::Place { previous, block, .. } => (previous, block),
            _ => return,
        };
        let header = &self.document.header;
        let is_named = [previous, block].iter().all(|&id| id == 0 || header.has_block(id));
        if self.start.is_none() {
            self.counts.blocks_before += 1;
        } else if is_named && header.ids.is_some() {
            self.write_action(entity, action);
        } else {
            self.counts.blocks += 1;
        }
    }
}
