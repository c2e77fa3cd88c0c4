//! Moves the end of a tick behind the actions of entities that belong to it, because versions 3 and
//! 4 wrote those actions after the end of their tick.

use crate::{Action, Dialect, Step};

#[derive(Debug)]
pub(super) struct DeferredTick {
    defers_ticks: bool,
    is_held_back: bool,
}

impl DeferredTick {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { defers_ticks: dialect.writes_entities_late(), is_held_back: false }
    }

    pub(super) fn hold_back(&mut self, count: u8) -> bool {
        self.is_held_back = self.defers_ticks && count == 1;
        self.is_held_back
    }

    pub(super) fn release_before(&mut self, step: &Step<'_>) -> bool {
        let belongs = step.entity.is_some() || matches!(step.action, Action::Update { .. });
        !belongs && self.release()
    }

    pub(super) fn release(&mut self) -> bool {
        std::mem::take(&mut self.is_held_back)
    }
}
