//! The file of a recording, row by row, for the pane that shows its bytes.

use std::sync::Arc;

use bevy::prelude::*;

use crate::session::{Job, Jobs, Panels, files::open::OpenRecordings};
use crate::stage::View;
use mutoscope_core::{clip::Clip, io::bytes::FileContent, measure::listing::Listing};

/// The listing of the file of the recording that a node is selected of, else of the reference. It is made when the pane for it is first open: rows and keys
/// of hundreds of megabytes take a while to look through, and memory.
#[derive(Resource, Debug, Default)]
pub struct Listed {
    /// Of which file it is, or will be.
    of: Option<FileContent>,
    listing: Option<Listing>,
    making: Job<(), Listing>,
}

impl Listed {
    /// The listing of `file`, which `clip` was decoded from, made at once.
    pub fn of(clip: &Clip, file: &FileContent) -> Self {
        let listing = Some(Listing::new(clip, file));
        Self { of: Some(file.clone()), listing, making: Job::default() }
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

/// Makes a listing of the file, once its bytes are shown.
pub(in crate::session) fn list_the_file(
    open: OpenRecordings,
    view: Res<View>,
    panels: Res<Panels>,
    jobs: Res<Jobs>,
    mut listed: ResMut<Listed>,
) {
    let selected = view.selected.and_then(|selected| open.get(selected.recording));
    let shown = selected.or_else(|| open.reference()).map(|one| one.recording);
    let (clip, file) = (shown.map(|one| one.clip()), shown.and_then(|one| one.file()));
    let is_same = match (&listed.of, file) {
        (None, None) => true,
        (Some(one), Some(other)) => one.is_shared_with(other),
        _ => false,
    };
    if !is_same && (panels.shows_bytes() || listed.of.is_some()) {
        *listed = Listed::default();
        if let (true, Some(file), Some(clip)) = (panels.shows_bytes(), file, clip) {
            let (clip, file) = (Arc::clone(clip), file.clone());
            listed.of = Some(file.clone());
            listed.making.start(&jobs, (), move |_| Listing::new(&clip, &file));
        }
    }
    // Accessed without triggering change detection, until something has changed.
    match listed.bypass_change_detection().making.poll() {
        None => {}
        Some((_, Ok(listing))) => listed.listing = Some(listing),
        Some((_, Err(crashed))) => error!("listing the file: {crashed}"),
    }
}
