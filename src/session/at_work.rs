//! Whether anything is going on off the frame.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{Comparing, Exports, Files, Findings, Listed, glance::Looking, watch::Watch};

/// All that may be at work while nothing moves.
#[derive(SystemParam)]
pub struct AtWork<'w> {
    files: Res<'w, Files>,
    looking: Res<'w, Looking>,
    findings: Res<'w, Findings>,
    listed: Res<'w, Listed>,
    watch: Res<'w, Watch>,
    exports: Res<'w, Exports>,
    comparing: Res<'w, Comparing>,
}

impl AtWork<'_> {
    /// Whether an answer of any of them is waited for.
    pub fn any(&self) -> bool {
        self.files.loading.is_some()
            || self.looking.is_under_way()
            || self.findings.is_under_way()
            || self.listed.is_under_way()
            || self.watch.expects_more()
            || self.exports.running().is_some()
            || self.comparing.is_busy()
    }
}
