//! Whether anything is going on off the frame.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Jobs, glance::Looking};

/// All that may be at work while nothing moves.
#[derive(SystemParam)]
pub struct AtWork<'w> {
    jobs: Res<'w, Jobs>,
    looking: Res<'w, Looking>,
}

impl AtWork<'_> {
    /// Whether an answer of any of them is waited for.
    pub fn any(&self) -> bool {
        self.jobs.busy() > 0 || self.looking.is_under_way()
    }
}
