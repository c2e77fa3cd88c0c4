//! What is found in the data of the recording that plays.

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use crate::{
    checks::{self, Finding},
    clip::Clip,
    player::Player,
};

/// What is found in the data of the recording that plays: at first what its decoder noticed, and
/// all that the checks find as soon as they are through with it.
#[derive(Resource, Debug, Default)]
pub struct Findings {
    /// Which recording they are about.
    generation: u32,
    all: Arc<[Finding]>,
    checking: Option<Task<Arc<[Finding]>>>,
}

impl Findings {
    /// All that is found in `clip`, looked for at once.
    pub fn of(clip: &Clip) -> Self {
        Self { all: checks::all_findings(clip).into(), ..Self::default() }
    }

    /// The findings in the order of time, those without one first.
    pub fn all(&self) -> &[Finding] {
        &self.all
    }

    /// Whether checks are still looking.
    pub fn is_under_way(&self) -> bool {
        self.checking.is_some()
    }
}

/// Looks for findings whenever another recording plays, or its numbers are understood in another way.
pub(super) fn look_for_findings(player: Res<Player>, mut findings: ResMut<Findings>) {
    if findings.generation != player.generation() {
        let generation = player.generation();
        let clip = player.clip().cloned();
        *findings = Findings {
            generation,
            all: clip.as_deref().map(checks::noticed).unwrap_or_default().into(),
            checking: clip.map(|clip| {
                let check = async move { checks::all_findings(&clip).into() };
                AsyncComputeTaskPool::get().spawn(check)
            }),
        };
    }
    // Looked at without telling anybody that something changed, until it has.
    let checking = &mut findings.bypass_change_detection().checking;
    let Some(found) = checking.as_mut().and_then(check_ready) else { return };
    findings.all = found;
    findings.checking = None;
}
