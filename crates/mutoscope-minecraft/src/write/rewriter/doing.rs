//! Rewriting actions of the player or an entity.

use super::Rewriter;
use crate::{Action, ItemData, Movement, PoseName, write::actions};

impl<'a> Rewriter<'a> {
    pub(super) fn act(&mut self, entity: Option<i32>, action: Action<'a>) {
        let Some(tracked) = self.tracked(entity) else { return self.count_unknown(entity) };
        tracked.states.take(&action);
        match action {
            Action::Move(movement) => self.movement(entity, &movement),
            Action::Items(items) => self.items(entity, &items),
            Action::Break { .. } | Action::Place { .. } => self.block(entity, &action),
            Action::Model(_) => self.counts.models += 1,
            Action::Die => {
                self.player.died = Some(self.frame);
                self.player.states.take_pose(PoseName::Dying);
                self.write(None, &action);
            }
            Action::Respawn => {
                self.player.died = None;
                self.player.states.take_pose(PoseName::Standing);
                self.write(None, &action);
            }
            _ => self.write(entity, &action),
        }
    }

    pub(super) fn count_unknown(&mut self, entity: Option<i32>) {
        if entity.is_none_or(|id| !self.left_out.contains(&id)) {
            self.counts.unknown += 1;
        }
    }

    pub(super) fn write(&mut self, entity: Option<i32>, action: &Action<'_>) {
        if action == &Action::Data(None) {
            return;
        }
        if let Some(out) = self.output() {
            actions::whose(out, entity);
            actions::write(out, action);
        }
    }

    fn movement(&mut self, entity: Option<i32>, movement: &Movement) {
        let (from, is_old) = (self.document.header.start, self.is_old());
        let Some(tracked) = self.tracked(entity) else { return };
        let turns = tracked.follow(movement, from);
        if is_old {
            // The head may follow.
            self.moved = Some(entity);
        } else {
            self.write_movement(entity, turns);
        }
    }

    /// Writes a movement that is still to be written in an old version, if the position or look
    /// differs.
    pub(super) fn write_moved(&mut self) {
        let Some(entity) = self.moved.take() else { return };
        let angle = self.angle();
        let Some(tracked) = self.tracked(entity) else { return };
        let turns = tracked.has_turned(angle);
        if turns || tracked.has_moved() {
            self.write_movement(entity, turns);
        }
    }

    fn write_movement(&mut self, entity: Option<i32>, turns: bool) {
        let (Some(start), angle) = (self.start, self.angle()) else { return };
        self.ticks.flush(&mut self.out);
        self.is_open = true;
        actions::whose(&mut self.out, entity);
        // Not by `tracked`, which borrows all.
        let tracked = match entity {
            None => Some(&mut self.player),
            Some(id) => self.entities.get_mut(&id),
        };
        if let Some(tracked) = tracked {
            tracked.write(&mut self.out, start, turns, angle);
            self.counts.place(tracked.error());
        }
    }

    fn items(&mut self, entity: Option<i32>, items: &[ItemData<'a>]) {
        let keeps_unnamed = self.dialect.keeps_unnamed_slots();
        let Some(tracked) = self.tracked(entity) else { return };
        let mut items =
            if keeps_unnamed { tracked.take_items(items).to_vec() } else { items.to_vec() };
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
            tracked.states.take(&action);
        }
        if self.start.is_some() {
            self.counts.items += lost;
        }
        self.write(entity, &action);
    }

    fn block(&mut self, entity: Option<i32>, action: &Action<'_>) {
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
            self.write(entity, action);
        } else {
            self.counts.blocks += 1;
        }
    }
}
