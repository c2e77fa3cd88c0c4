//! Lists the bytes or lines of a recording's file, for the panel that shows them.

use std::sync::Arc;

use bevy::prelude::*;

use super::OpenRecordings;
use crate::session::{
    jobs::{Job, Jobs},
    view::Panels,
};
use bevy_mutoscope::stage::View;
use mutoscope_core::{clip::Clip, io::bytes::FileContent};
use mutoscope_view::listing::Listing;

/// The listing of the focused recording's file.
///
/// The listing is made when its panel is opened, because reading the rows and keys of hundreds of
/// megabytes takes time and memory.
#[derive(Resource, Debug, Default)]
pub struct FileListing {
    file: Option<FileContent>,
    listing: Option<Listing>,
    making: Job<(), Listing>,
}

impl FileListing {
    /// Returns the listing of `file`, which `clip` was decoded from. Makes the listing immediately.
    pub fn for_clip(clip: &Clip, file: &FileContent) -> Self {
        let listing = Some(Listing::new(clip, file, crate::registry()));
        Self { file: Some(file.clone()), listing, making: Job::default() }
    }

    /// Returns the listing, or `None` until it was made.
    pub fn listing(&self) -> Option<&Listing> {
        self.listing.as_ref()
    }

    /// Returns `true` while the listing is being made.
    pub fn is_listing(&self) -> bool {
        self.making.is_running()
    }
}

pub(in crate::session) fn update_file_listing(
    open: OpenRecordings,
    view: Res<View>,
    panels: Res<Panels>,
    jobs: Res<Jobs>,
    mut listed: ResMut<FileListing>,
) {
    let shown = open.focused(&view).map(|open| open.recording);
    let (clip, file) = (shown.map(|shown| shown.clip()), shown.and_then(|shown| shown.file()));
    let is_current = match (&listed.file, file) {
        (None, None) => true,
        (Some(one), Some(other)) => one.is_shared_with(other),
        _ => false,
    };
    if !is_current && (panels.is_bytes_panel_visible() || listed.file.is_some()) {
        *listed = FileListing::default();
        if let (true, Some(file), Some(clip)) = (panels.is_bytes_panel_visible(), file, clip) {
            let (clip, file) = (Arc::clone(clip), file.clone());
            listed.file = Some(file.clone());
            listed.making.start(&jobs, (), move |_| Listing::new(&clip, &file, crate::registry()));
        }
    }
    // Bypass change detection, because polling a running job is not a change of the resource.
    match listed.bypass_change_detection().making.poll() {
        None => {}
        Some((_, Ok(listing))) => listed.listing = Some(listing),
        Some((_, Err(crashed))) => error!("listing the file: {crashed}"),
    }
}
