//! The file's content, next to the timeline: the bytes or the line of the selected key, and the
//! keys around it. A click on a byte selects the key that has it.
//!
//! | file | what it does |
//! |---|---|
//! | `head.rs` | the selected key, and its location |
//! | `body.rs` | the visible rows, and the pointer over them |
//! | `scroll.rs` | the visible rows: exact for files of any length |
//! | `marks.rs` | the owner of each byte |
//! | `row.rs` | the layout of a row: of bytes, or of a text |

mod body;
mod head;
mod marks;
mod row;
mod scroll;
#[cfg(test)]
mod tests;

use bevy_egui::egui::Ui;

use self::{marks::Marks, scroll::Scroll};
use super::{Model, widgets::dim};
use mutoscope_core::{clip::KeyId, diagnostics::SourceLocation};

/// The state of the pane.
#[derive(Clone, Debug, Default)]
pub(super) struct BytesState {
    scroll: Scroll,
    marks: Marks,
    /// The highlighted place in place of the selected key, until another is selected.
    focus: Option<SourceLocation>,
    /// Of which listing, and for what, the rows were scrolled into view.
    shown: Option<Shown>,
}

/// The reason for which rows were scrolled into view.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    listing: usize,
    key: Option<KeyId>,
    focus: Option<SourceLocation>,
}

impl BytesState {
    /// Highlights a place of the file, until another key is selected.
    pub(super) fn point_out(&mut self, place: SourceLocation) {
        self.focus = Some(place);
    }
}

/// The pane, over all the room that `ui` has.
pub(super) fn bytes_ui(ui: &mut Ui, model: &Model<'_>, state: &mut BytesState) {
    let Some(clip) = model.clip() else { return };
    let key = model.selected_key().filter(|key| {
        let track = clip.tracks.get(key.track.index());
        track.is_some_and(|track| key.index < track.curve.key_count())
    });
    let before = state.shown.as_ref();
    if before.is_some_and(|before| before.key != key) {
        state.focus = None;
    }
    head::head_ui(ui, model, clip, key, state.focus.as_ref());
    let Some(listing) = model.listed.listing() else {
        let words = if model.listed.is_under_way() {
            "Reading the file…"
        } else {
            "The bytes of this recording are not kept"
        };
        let words = dim(ui, words);
        ui.label(words);
        return;
    };
    let shown =
        Shown { listing: std::ptr::from_ref(listing).addr(), key, focus: state.focus.clone() };
    if state.shown.as_ref().is_none_or(|before| before.listing != shown.listing) {
        (state.scroll, state.marks) = (Scroll::default(), Marks::default());
    }
    let pointed_out = match (&state.focus, key) {
        (Some(place), _) => listing.bytes_at(place),
        (None, Some(key)) => listing.bytes_of(clip, key),
        (None, None) => Vec::new(),
    };
    if state.shown.as_ref() != Some(&shown) {
        state.shown = Some(shown);
        if let Some(first) = pointed_out.first() {
            state.scroll.reveal(listing.row_at(first.start));
        }
    }
    body::body_ui(ui, model, (clip, listing), key, &pointed_out, state);
}
