//! The open panels, their layout, and the effects of commands on them.
//!
//! These are plain values. The panels read them and request changes by commands, so that the effect
//! of a command is tested without a window.

use std::path::PathBuf;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{FilePurpose, PanelCommand, SavedView};

/// The open panels and their layout.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Panels {
    /// Is `true` if all panels are hidden and the viewport fills the window.
    pub hidden: bool,
    open: Vec<Panel>,
    /// The purpose of the path that the user is typing, on desktops without a file dialog.
    pub path_dialog: Option<FilePurpose>,
    /// The files of a link that wait for the user's answer.
    pub pending_link: Option<LinkedFiles>,
    /// The options of the timeline.
    pub timeline: TimelineOptions,
    /// Is `true` for the light theme.
    pub light: bool,
    /// Is `true` if the sound of the reference video is off.
    pub is_muted: bool,
    /// The side panels and the sizes of panels.
    pub layout: SideLayout,
    /// The size of the window in logical pixels, if there is a window.
    pub window: Option<(f32, f32)>,
    /// Is `true` if the window fills the screen.
    pub full_screen: bool,
}

/// The files that a link wants to open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkedFiles {
    /// The files to open together.
    pub files: Vec<PathBuf>,
    /// The files that were not open recently, including compared ones. The user is asked about
    /// them.
    pub unknown: Vec<PathBuf>,
    /// The view to restore.
    pub view: SavedView,
}

/// A panel that opens and closes. Its name, tooltip and keys are in its row of
/// [`ACTIONS`](crate::session::ACTIONS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The name in the settings file.
    pub id: &'static str,
    /// The place in the window where the panel is shown.
    pub dock: Dock,
}

/// The place in the window where a panel is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dock {
    /// Over the viewport, until Escape closes the panel.
    Floating,
    /// Next to the timeline. The next run opens the panel again, because the settings file stores
    /// it.
    Timeline,
    /// In a corner of the viewport. The next run opens the panel again, because the settings file
    /// stores it.
    Viewport,
}

impl Panel {
    /// The sheet of keyboard shortcuts.
    pub const HELP: Self = Self::floating("help");
    /// The command palette.
    pub const PALETTE: Self = Self::floating("palette");
    /// The list of diagnostics.
    pub const ISSUES: Self = Self::floating("issues");
    /// The matched and unmatched nodes of the recording and of the attached skeleton.
    pub const NODE_MAPPING: Self = Self::floating("node mapping");
    /// The column mapping of a table.
    pub const COLUMNS: Self = Self::floating("columns");
    /// The choice of an animation by name, for files with several animations.
    pub const ANIMATIONS: Self = Self::floating("animations");
    /// The contact sheet of the listed files.
    pub const CONTACT_SHEET: Self = Self::floating("contact sheet");
    /// The dialog for exports.
    pub const EXPORT: Self = Self::floating("export");
    /// The dialog for saving a scene.
    pub const SAVE_SCENE: Self = Self::floating("save scene");
    /// The dialog for exporting labels.
    pub const EXPORT_LABELS: Self = Self::floating("export labels");
    /// The dialog for a report.
    pub const REPORT: Self = Self::floating("report");
    /// The bytes or lines of the file, with those of the selected key marked.
    pub const BYTES: Self = Self { id: "bytes", dock: Dock::Timeline };
    /// The reference video.
    pub const FOOTAGE: Self = Self { id: "reference video", dock: Dock::Viewport };

    const fn floating(id: &'static str) -> Self {
        Self { id, dock: Dock::Floating }
    }

    /// All panels.
    pub const ALL: [Self; 13] = [
        Self::ANIMATIONS,
        Self::CONTACT_SHEET,
        Self::EXPORT,
        Self::NODE_MAPPING,
        Self::COLUMNS,
        Self::BYTES,
        Self::FOOTAGE,
        Self::EXPORT_LABELS,
        Self::REPORT,
        Self::SAVE_SCENE,
        Self::ISSUES,
        Self::PALETTE,
        Self::HELP,
    ];
}

/// The options of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Shows curves below the ruler, in place of rows of keys.
    pub curves: bool,
    /// Shows velocity and acceleration among the curves.
    pub velocity: bool,
    /// Scales each curve from its own minimum to its own maximum.
    pub normalised: bool,
    /// Shows frames on the ruler, in place of seconds.
    pub frames: bool,
    /// Compresses long gaps without keys.
    pub compress_gaps: bool,
    /// Skips long gaps without keys during playback.
    pub skip_gaps: bool,
    /// Snaps dragged times to keys, markers and round times.
    pub snapping: bool,
}

impl Default for TimelineOptions {
    fn default() -> Self {
        Self {
            curves: false,
            velocity: false,
            normalised: false,
            frames: false,
            compress_gaps: false,
            skip_gaps: false,
            snapping: true,
        }
    }
}

/// A panel at the side of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidePanel {
    /// The nodes, on the left.
    Outline,
    /// The properties of the selection, on the right.
    Inspector,
}

/// The layout of the side panels. Sizes are in points; `None` means the default for the window
/// size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideLayout {
    /// The state of the outline.
    pub outline: Collapse,
    /// The state of the inspector.
    pub inspector: Collapse,
    /// The sizes of the panels.
    pub sizes: PanelSizes,
}

/// The state of a side panel. Either the width of the window or the user decides whether the panel
/// is collapsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collapse {
    /// The panel is collapsed if the window is narrow.
    #[default]
    Automatic,
    /// The user has collapsed or expanded the panel.
    Chosen {
        /// Is `true` if the panel is collapsed.
        #[serde(rename = "folded")]
        collapsed: bool,
    },
}

/// The sizes of panels in points. `None` means the default for the window size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PanelSizes {
    /// The width of the outline.
    pub outline: Option<f32>,
    /// The width of the inspector.
    pub inspector: Option<f32>,
    /// The height of the transport and the timeline.
    pub time: Option<f32>,
    /// The width of the reference video.
    pub footage: Option<f32>,
}

/// A panel whose edge the user drags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelEdge {
    /// The outline, resized in width.
    Outline,
    /// The inspector, resized in width.
    Inspector,
    /// The transport and the timeline, resized in height.
    Time,
    /// The reference video, resized in width.
    Footage,
}

/// The layout of the window, as the settings file stores it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Is `true` for the light theme.
    pub light: bool,
    /// The state of the outline.
    pub outline_folded: Collapse,
    /// The state of the inspector.
    pub inspector_folded: Collapse,
    /// The sizes of the panels whose edges the user has dragged.
    pub sizes: PanelSizes,
    /// Is `true` if curves are shown in place of rows.
    pub curves: bool,
    /// Is `true` if velocity and acceleration are among the curves.
    pub movement: bool,
    /// Is `true` if the ruler shows frames.
    pub frames: bool,
    /// The ids of the open docked panels.
    pub open: Vec<String>,
}

/// The minimum width of a window, in points, for which the inspector is expanded by default.
const MIN_WIDTH_FOR_INSPECTOR: f32 = 1000.0;
const MIN_WIDTH_FOR_OUTLINE: f32 = 720.0;

impl Collapse {
    /// Returns `true` if the panel is collapsed in a window of `width`. If the user has not chosen,
    /// the panel is collapsed if `width` is less than `limit`. Both are in points.
    fn is_collapsed(self, width: f32, limit: f32) -> bool {
        match self {
            Self::Automatic => width < limit,
            Self::Chosen { collapsed } => collapsed,
        }
    }
}

impl Panels {
    /// Applies `command`.
    pub fn apply(&mut self, command: &PanelCommand) {
        match *command {
            PanelCommand::Toggle(panel) => self.toggle_panel(panel),
            PanelCommand::Collapse(panel, collapsed) => {
                *self.collapse_mut(panel) = Collapse::Chosen { collapsed };
            }
            PanelCommand::Resize(edge, size) => *self.size_mut(edge) = Some(size),
            // Show the panels, because the time field is in one of them.
            PanelCommand::EditTime => self.hidden = false,
            PanelCommand::ClosePathDialog => self.path_dialog = None,
        }
    }

    /// Returns `true` if the panel is open.
    pub fn is_open(&self, panel: Panel) -> bool {
        self.open.contains(&panel)
    }

    pub(in crate::session) fn open_panel(&mut self, panel: Panel) {
        if !self.is_open(panel) {
            self.open.push(panel);
        }
    }

    fn toggle_panel(&mut self, panel: Panel) {
        match self.open.iter().position(|open| *open == panel) {
            Some(index) => drop(self.open.remove(index)),
            None => self.open.push(panel),
        }
    }

    pub(in crate::session) fn close_floating(&mut self) -> bool {
        let before = self.open.len();
        self.open.retain(|panel| panel.dock != Dock::Floating);
        let asked = self.pending_link.take().is_some();
        self.path_dialog.take().is_some() || asked || self.open.len() < before
    }

    /// Returns `true` if the bytes panel is visible.
    pub fn is_bytes_panel_visible(&self) -> bool {
        self.is_open(Panel::BYTES) && !self.hidden
    }

    /// Returns `true` if a side panel is collapsed in a window of this width, in points.
    pub fn is_collapsed(&self, panel: SidePanel, width: f32) -> bool {
        match panel {
            SidePanel::Outline => self.layout.outline.is_collapsed(width, MIN_WIDTH_FOR_OUTLINE),
            SidePanel::Inspector => {
                self.layout.inspector.is_collapsed(width, MIN_WIDTH_FOR_INSPECTOR)
            }
        }
    }

    fn collapse_mut(&mut self, panel: SidePanel) -> &mut Collapse {
        match panel {
            SidePanel::Outline => &mut self.layout.outline,
            SidePanel::Inspector => &mut self.layout.inspector,
        }
    }

    fn size_mut(&mut self, edge: PanelEdge) -> &mut Option<f32> {
        let sizes = &mut self.layout.sizes;
        match edge {
            PanelEdge::Outline => &mut sizes.outline,
            PanelEdge::Inspector => &mut sizes.inspector,
            PanelEdge::Time => &mut sizes.time,
            PanelEdge::Footage => &mut sizes.footage,
        }
    }

    /// Returns the layout of the window, as the settings file stores it.
    pub fn layout(&self) -> Layout {
        let docked = self.open.iter().filter(|panel| panel.dock != Dock::Floating);
        Layout {
            light: self.light,
            outline_folded: self.layout.outline,
            inspector_folded: self.layout.inspector,
            sizes: self.layout.sizes,
            curves: self.timeline.curves,
            movement: self.timeline.velocity,
            frames: self.timeline.frames,
            open: docked.map(|panel| panel.id.to_owned()).collect(),
        }
    }

    /// Restores the layout of an earlier run.
    pub fn restore(&mut self, layout: &Layout) {
        let &Layout { light, outline_folded: outline, inspector_folded: inspector, sizes, .. } =
            layout;
        let &Layout { curves, movement: velocity, frames, .. } = layout;
        self.light = light;
        self.layout = SideLayout { outline, inspector, sizes };
        self.timeline = TimelineOptions { curves, velocity, frames, ..self.timeline };
        let is_kept = |panel: &Panel| layout.open.iter().any(|id| id == panel.id);
        let docked = Panel::ALL.into_iter().filter(|panel| panel.dock != Dock::Floating);
        self.open = docked.filter(is_kept).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_round_trips() {
        let layout = Layout {
            light: true,
            outline_folded: Collapse::Chosen { collapsed: true },
            inspector_folded: Collapse::Automatic,
            sizes: PanelSizes { time: Some(222.0), ..PanelSizes::default() },
            curves: true,
            movement: true,
            frames: true,
            open: vec!["bytes".to_owned()],
        };
        let mut panels = Panels::default();
        assert_eq!(panels.layout(), Layout::default());
        panels.restore(&layout);
        assert_eq!(panels.layout(), layout);
    }

    #[test]
    fn escape_closes_floating_panels_only() {
        let mut panels = Panels { path_dialog: Some(FilePurpose::Recordings), ..Panels::default() };
        for panel in Panel::ALL {
            panels.apply(&PanelCommand::Toggle(panel));
            assert!(panels.is_open(panel));
        }
        assert!(panels.close_floating());
        assert_eq!(panels.path_dialog, None);
        for panel in Panel::ALL {
            assert_eq!(panels.is_open(panel), panel.dock != Dock::Floating, "{}", panel.id);
        }
        assert!(!panels.close_floating());
    }

    #[test]
    fn side_panels_collapse_in_narrow_windows_unless_chosen() {
        let mut panels = Panels::default();
        let collapsed = |panels: &Panels, width| {
            [SidePanel::Outline, SidePanel::Inspector].map(|side| panels.is_collapsed(side, width))
        };
        assert_eq!(collapsed(&panels, 1280.0), [false, false]);
        assert_eq!(collapsed(&panels, 900.0), [false, true]);
        assert_eq!(collapsed(&panels, 640.0), [true, true]);
        panels.apply(&PanelCommand::Collapse(SidePanel::Inspector, false));
        panels.apply(&PanelCommand::Collapse(SidePanel::Outline, true));
        assert_eq!(collapsed(&panels, 900.0), [true, false]);
    }

    #[test]
    fn panel_ids_are_unique() {
        let ids: Vec<_> = Panel::ALL.iter().map(|panel| panel.id).collect();
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[index + 1..].contains(id), "{id}");
        }
    }
}
