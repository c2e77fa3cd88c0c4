//! How the window is laid out, as it is remembered.

use serde::{Deserialize, Serialize};

use super::{Fold, UiState};

/// How the window is laid out: what a user expects to find as he left it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Whether the theme is the light one.
    pub light: bool,
    /// Whether the outline is folded away.
    pub outline_folded: Fold,
    /// Whether the inspector is folded away.
    pub inspector_folded: Fold,
    /// How large the panels are, as far as they were ever seen.
    pub sizes: PanelSizes,
    /// Whether there are curves below the ruler, in place of rows.
    pub curves: bool,
    /// Whether velocity and acceleration are among the curves.
    pub movement: bool,
    /// Whether the ruler counts frames.
    pub frames: bool,
    /// Whether the bytes of the file are shown.
    pub bytes: bool,
}

/// How large panels are, in points; nothing as the size of the window suggests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSizes {
    /// The width of the outline.
    pub outline: Option<f32>,
    /// The width of the inspector.
    pub inspector: Option<f32>,
    /// The height of transport and timeline.
    pub time: Option<f32>,
}

impl UiState {
    /// How the window is laid out.
    pub fn layout(&self) -> Layout {
        Layout {
            light: self.light,
            outline_folded: self.outline_folded,
            inspector_folded: self.inspector_folded,
            sizes: self.sizes,
            curves: self.timeline.shows_curves(),
            movement: self.timeline.curves.shows_moved,
            frames: self.timeline.counts_frames,
            bytes: self.bytes.open,
        }
    }

    /// Lays the window out so, before it is drawn for the first time.
    pub fn lay_out(&mut self, layout: &Layout) {
        let &Layout { light, outline_folded, inspector_folded, sizes, .. } = layout;
        let &Layout { curves, movement, frames, bytes, .. } = layout;
        self.light = light;
        self.outline_folded = outline_folded;
        self.inspector_folded = inspector_folded;
        self.sizes = sizes;
        self.timeline.show_curves(curves);
        self.timeline.curves.shows_moved = movement;
        self.timeline.counts_frames = frames;
        self.bytes.open = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_laid_out_as_it_was() {
        let layout = Layout {
            light: true,
            outline_folded: Fold::Chosen { folded: true },
            inspector_folded: Fold::Automatic,
            sizes: PanelSizes { time: Some(222.0), ..PanelSizes::default() },
            curves: true,
            movement: true,
            frames: true,
            bytes: true,
        };
        let mut state = UiState::default();
        assert_eq!(state.layout(), Layout::default());
        state.lay_out(&layout);
        assert_eq!(state.layout(), layout);
    }
}
