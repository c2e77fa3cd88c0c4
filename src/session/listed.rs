//! The file that plays, row by row, for whoever looks at its bytes.

use std::sync::Arc;

use bevy::prelude::*;

use super::{Job, Jobs, Panels};
use crate::{
    clip::Clip,
    listing::{FileBytes, Listing},
    player::Player,
};

/// The listing of the file that plays. It is made when the pane for it is first open: rows and keys
/// of hundreds of megabytes take a while to look through, and memory.
#[derive(Resource, Debug, Default)]
pub struct Listed {
    /// Of which file it is, or will be.
    of: Option<FileBytes>,
    listing: Option<Listing>,
    making: Job<(), Listing>,
}

impl Listed {
    /// The listing of `file`, which `clip` was decoded from, made at once.
    pub fn of(clip: &Clip, file: &FileBytes) -> Self {
        let listing = Some(Listing::new(clip, file));
        Self { of: Some(Arc::clone(file)), listing, making: Job::default() }
    }

    /// The listing, as soon as there is one.
    pub fn listing(&self) -> Option<&Listing> {
        self.listing.as_ref()
    }

    /// Whether it is being made.
    pub fn is_under_way(&self) -> bool {
        self.making.is_running()
    }
}

/// Makes a listing of the file that plays, once somebody looks at its bytes.
pub(super) fn list_the_file(
    player: Res<Player>,
    panels: Res<Panels>,
    jobs: Res<Jobs>,
    mut listed: ResMut<Listed>,
) {
    let is_same = match (&listed.of, player.file()) {
        (None, None) => true,
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    };
    if !is_same && (panels.shows_bytes() || listed.of.is_some()) {
        *listed = Listed::default();
        if let (true, Some(file), Some(clip)) = (panels.shows_bytes(), player.file(), player.clip())
        {
            let (clip, file) = (Arc::clone(clip), Arc::clone(file));
            listed.of = Some(Arc::clone(&file));
            listed.making.start(&jobs, (), move |_| Listing::new(&clip, &file));
        }
    }
    // Looked at without telling anybody that something changed, until it has.
    match listed.bypass_change_detection().making.poll() {
        None => {}
        Some((_, Ok(listing))) => listed.listing = Some(listing),
        Some((_, Err(crashed))) => error!("listing the file: {crashed}"),
    }
}
