//! Versions 3 and 4 wrote what entities do after the end of its tick.

use crate::{Action, Dialect, Step};

/// Holds the end of a tick back until what belongs to it has been written.
#[derive(Debug)]
pub(super) struct LateTick {
    is_late: bool,
    is_held: bool,
}

impl LateTick {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { is_late: dialect.writes_entities_late(), is_held: false }
    }

    /// Takes the end of a tick; `true` if it is to be held back.
    pub(super) fn holds(&mut self, count: u8) -> bool {
        self.is_held = self.is_late && count == 1;
        self.is_held
    }

    /// Whether the end of a tick is due before a step is written.
    pub(super) fn is_due(&mut self, step: &Step<'_>) -> bool {
        let belongs = step.entity.is_some() || matches!(step.action, Action::Update { .. });
        !belongs && self.release()
    }

    /// Whether the end of a tick was held back; it is not any more.
    pub(super) fn release(&mut self) -> bool {
        std::mem::take(&mut self.is_held)
    }
}
