//! What is found in the data of the recording that plays.

use std::sync::Arc;

use bevy::prelude::*;

use super::{Job, Jobs};
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
    checking: Job<(), Arc<[Finding]>>,
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
        self.checking.is_running()
    }
}

/// Looks for findings whenever another recording plays, or its numbers are understood in another way.
pub(super) fn look_for_findings(
    player: Res<Player>,
    jobs: Res<Jobs>,
    mut findings: ResMut<Findings>,
) {
    if findings.generation != player.generation() {
        let generation = player.generation();
        let clip = player.clip().cloned();
        *findings = Findings {
            generation,
            all: clip.as_deref().map(checks::noticed).unwrap_or_default().into(),
            checking: Job::default(),
        };
        if let Some(clip) = clip {
            findings.checking.start(&jobs, (), move |_| checks::all_findings(&clip).into());
        }
    }
    // Looked at without telling anybody that something changed, until it has.
    match findings.bypass_change_detection().checking.poll() {
        None => {}
        Some((_, Ok(found))) => findings.all = found,
        // What the decoder noticed stays.
        Some((_, Err(crashed))) => error!("checking the recording: {crashed}"),
    }
}
