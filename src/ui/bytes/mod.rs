//! Shows the content of the file next to the timeline: the bytes or the line of the selected key,
//! and the keys around it. A click on a byte selects its key.
//!
//! | module | purpose |
//! |---|---|
//! | `header` | names the selected key and its location |
//! | `body` | the visible rows, and the pointer over them |
//! | `scroll` | scrolls exactly in files of any length |
//! | `marks` | the key of each byte |
//! | `row` | lays out a row of bytes or of text |

mod body;
mod header;
mod marks;
mod row;
mod scroll;
#[cfg(test)]
mod tests;

use bevy_egui::egui::Ui;

use self::{marks::Marks, scroll::Scroll};
use super::{Model, widgets::dim_text};
use mutoscope_core::{clip::KeyId, diagnostics::SourceLocation};

#[derive(Clone, Debug, Default)]
pub(super) struct BytesState {
    scroll: Scroll,
    marks: Marks,
    highlighted: Option<SourceLocation>,
    /// The last target to which the rows were scrolled. The rows scroll again only if the target
    /// changes, so that the user can scroll away from it.
    scroll_target: Option<ScrollTarget>,
}

#[derive(Clone, Debug, PartialEq)]
struct ScrollTarget {
    listing: usize,
    key: Option<KeyId>,
    highlighted: Option<SourceLocation>,
}

impl BytesState {
    pub(super) fn highlight(&mut self, location: SourceLocation) {
        self.highlighted = Some(location);
    }
}

pub(super) fn bytes_ui(ui: &mut Ui, model: &Model<'_>, state: &mut BytesState) {
    let Some(clip) = model.clip() else { return };
    let key = model.selected_key().filter(|key| {
        let track = clip.tracks.get(key.track.index());
        track.is_some_and(|track| key.index < track.curve.key_count())
    });
    let before = state.scroll_target.as_ref();
    if before.is_some_and(|before| before.key != key) {
        state.highlighted = None;
    }
    header::header_ui(ui, model, clip, key, state.highlighted.as_ref());
    let Some(listing) = model.listed.listing() else {
        let message = if model.listed.is_listing() {
            "Reading the file…"
        } else {
            "The bytes of this recording are not kept"
        };
        let message = dim_text(ui, message);
        ui.label(message);
        return;
    };
    let scroll_target = ScrollTarget {
        listing: std::ptr::from_ref(listing).addr(),
        key,
        highlighted: state.highlighted.clone(),
    };
    if state.scroll_target.as_ref().is_none_or(|before| before.listing != scroll_target.listing) {
        (state.scroll, state.marks) = (Scroll::default(), Marks::default());
    }
    let highlighted_ranges = match (&state.highlighted, key) {
        (Some(location), _) => listing.location_ranges(location),
        (None, Some(key)) => listing.key_ranges(clip, key),
        (None, None) => Vec::new(),
    };
    if state.scroll_target.as_ref() != Some(&scroll_target) {
        state.scroll_target = Some(scroll_target);
        if let Some(first) = highlighted_ranges.first() {
            state.scroll.reveal(listing.row_at(first.start));
        }
    }
    body::body_ui(ui, model, clip, listing, key, &highlighted_ranges, state);
}
