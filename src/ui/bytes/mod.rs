//! The file as it is, beside the timeline: the bytes or the line of the selected key, and the keys
//! around it. A click on a byte selects the key that has it.
//!
//! | file | what it does |
//! |---|---|
//! | `head.rs` | what is selected, and where it is |
//! | `body.rs` | the rows that are seen, and the pointer over them |
//! | `scroll.rs` | which rows are seen: exact for files of any length |
//! | `marks.rs` | whose each byte is |
//! | `row.rs` | what stands where in a row: of bytes, or of a text |

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
use crate::{clip::KeyId, viewer::Command};

/// What the pane remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BytesState {
    /// Whether it is open.
    pub(super) open: bool,
    scroll: Scroll,
    marks: Marks,
    /// Of which listing, and for which key, the rows were brought into sight.
    shown: Option<(usize, Option<KeyId>)>,
}

/// The pane, over all the room that `ui` has.
pub(super) fn bytes_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut BytesState,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.player.clip() else { return };
    let key = model.view.selected_key.filter(|key| {
        let track = clip.tracks.get(key.track.index());
        track.is_some_and(|track| key.index < track.curve.key_count())
    });
    head::head_ui(ui, model, clip, key, commands);
    let Some(listing) = model.listed.listing() else {
        let words = if model.listed.is_under_way() {
            "Looking through the file…"
        } else {
            "The bytes of this recording are not at hand"
        };
        let words = dim(ui, words);
        ui.label(words);
        return;
    };
    let id = std::ptr::from_ref(listing).addr();
    if state.shown.is_none_or(|(of, _)| of != id) {
        (state.scroll, state.marks) = (Scroll::default(), Marks::default());
    }
    let bytes = key.map(|key| listing.bytes_of(clip, key)).unwrap_or_default();
    if state.shown != Some((id, key)) {
        state.shown = Some((id, key));
        if let Some(first) = bytes.first() {
            state.scroll.reveal(listing.row_at(first.start));
        }
    }
    body::body_ui(ui, clip, listing, key, state, commands);
}
