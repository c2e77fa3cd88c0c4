//! The open panels, their layout, and the effects of commands on them.
//!
//! Plain values: the panels themselves read them and request changes by commands, so that
//! the effect of a command on the window is tested without one.

use std::path::PathBuf;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::session::{ACTIONS, Command, FilePurpose, PanelCommand, SavedView, Toggle};

/// The open panels and their layout.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Panels {
    /// Whether all panels are hidden and the viewport fills the window.
    pub hidden: bool,
    /// The open panels, the last opened last.
    open: Vec<Panel>,
    /// The purpose of a path that is being typed, where the desktop has no file dialog of its own.
    pub path_dialog: Option<FilePurpose>,
    /// The command that would discard unsaved edits, which is asked about.
    pub would_discard: Option<Box<Command>>,
    /// The command that would replace a file, and what is asked before.
    pub would_replace: Option<(Box<Command>, String)>,
    /// The files that a link asks for, which are asked about.
    pub would_open: Option<LinkedFiles>,
    /// The options of the timeline.
    pub timeline: TimelineOptions,
    /// Whether the theme is the light one.
    pub light: bool,
    /// Whether the sound of the reference video is off.
    pub is_muted: bool,
    /// The side panels and how large they are.
    pub layout: SideLayout,
    /// The size of the window, in logical pixels, as far as there is a window.
    pub window: Option<(f32, f32)>,
    /// Whether the window fills the screen, as far as there is a window.
    pub full_screen: bool,
}

/// Files that a link asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkedFiles {
    /// The files to open together.
    pub files: Vec<PathBuf>,
    /// Recordings that were not open lately, with the ones to compare them with.
    pub unknown: Vec<PathBuf>,
    /// The view of them.
    pub view: SavedView,
}

/// A panel that opens and closes: its name, help and keys are in its row of
/// [`ACTIONS`](crate::session::ACTIONS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Its name in the settings.
    pub id: &'static str,
    /// Where it is shown.
    pub dock: Dock,
}

/// Where a panel is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dock {
    /// Over the viewport, until Escape closes it.
    Floating,
    /// Beside the timeline, also in the next run.
    Timeline,
    /// In a corner of the viewport, also in the next run.
    Viewport,
}

impl Panel {
    /// The sheet of keys.
    pub const HELP: Self = Self::floating("help");
    /// The list to find any command, file or node in.
    pub const PALETTE: Self = Self::floating("palette");
    /// The list of errors, warnings and other issues.
    pub const ISSUES: Self = Self::floating("issues");
    /// The matched and unmatched nodes of the recording and of the attached skeleton.
    pub const NODE_MAPPING: Self = Self::floating("node mapping");
    /// The columns of a table, and what each is read as.
    pub const COLUMNS: Self = Self::floating("columns");
    /// The choice of an animation, by name, in a file with several.
    pub const ANIMATIONS: Self = Self::floating("animations");
    /// The dialog for exports.
    pub const EXPORT: Self = Self::floating("export");
    /// The dialog for saving a scene.
    pub const SAVE_SCENE: Self = Self::floating("save scene");
    /// The dialog for exporting labels.
    pub const EXPORT_LABELS: Self = Self::floating("export labels");
    /// The dialog for a report.
    pub const REPORT: Self = Self::floating("report");
    /// The bytes or lines of the file, with those of the selected key.
    pub const BYTES: Self = Self { id: "bytes", dock: Dock::Timeline };
    /// The reference video.
    pub const FOOTAGE: Self = Self { id: "reference video", dock: Dock::Viewport };

    const fn floating(id: &'static str) -> Self {
        Self { id, dock: Dock::Floating }
    }

    /// All panels that have a row in the table of actions.
    pub fn all() -> impl Iterator<Item = Self> {
        ACTIONS.iter().filter_map(|action| match action.command {
            Command::Panel(PanelCommand::Toggle(panel)) => Some(panel),
            _ => None,
        })
    }
}

/// The options of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineOptions {
    /// Curves below the ruler, in place of rows of keys.
    pub curves: bool,
    /// Velocity and acceleration among the curves.
    pub velocity: bool,
    /// Each curve from its own least value to its greatest.
    pub normalised: bool,
    /// Frames on the ruler, in place of seconds.
    pub frames: bool,
    /// Long stretches without keys compressed.
    pub compress_gaps: bool,
    /// Long stretches without keys skipped by playback.
    pub skip_gaps: bool,
    /// Dragged times snap to keys, markers and round times.
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
    /// The nodes, at the left.
    Outline,
    /// The properties of what is selected, at the right.
    Inspector,
}

/// The side panels and how large panels are, in points; nothing as the size of the window suggests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideLayout {
    /// Whether the outline is collapsed.
    pub outline: Collapse,
    /// Whether the inspector is collapsed.
    pub inspector: Collapse,
    /// How large panels are.
    pub sizes: PanelSizes,
}

/// Whether a side panel is collapsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collapse {
    /// As the width of the window suggests.
    #[default]
    Automatic,
    /// As the user chose.
    Chosen {
        /// Whether it is.
        #[serde(rename = "folded")]
        collapsed: bool,
    },
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
    /// The width of the reference video.
    pub footage: Option<f32>,
}

/// A panel whose edge is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelEdge {
    /// The outline, by its width.
    Outline,
    /// The inspector, by its width.
    Inspector,
    /// Transport and timeline, by their height.
    Time,
    /// The reference video, by its width.
    Footage,
}

/// How the window is laid out, as the settings keep it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Whether the theme is the light one.
    pub light: bool,
    /// Whether the outline is collapsed.
    pub outline_folded: Collapse,
    /// Whether the inspector is collapsed.
    pub inspector_folded: Collapse,
    /// How large the panels are, as far as their edges were ever dragged.
    pub sizes: PanelSizes,
    /// Whether there are curves below the ruler, in place of rows.
    pub curves: bool,
    /// Whether velocity and acceleration are among the curves.
    pub movement: bool,
    /// Whether the ruler counts frames.
    pub frames: bool,
    /// The docked panels that are open, by their ids.
    pub open: Vec<String>,
}

/// In narrower windows the inspector is collapsed, unless the user expands it. In points.
const ROOM_FOR_INSPECTOR: f32 = 1000.0;
/// In narrower windows the outline is collapsed as well. In points.
const ROOM_FOR_OUTLINE: f32 = 720.0;

impl Collapse {
    /// Whether the panel is collapsed, if it is meant to be in windows narrower than `limit`.
    fn holds(self, width: f32, limit: f32) -> bool {
        match self {
            Self::Automatic => width < limit,
            Self::Chosen { collapsed } => collapsed,
        }
    }
}

impl Panels {
    /// Does what `command` asks for.
    pub fn apply(&mut self, command: &PanelCommand) {
        match *command {
            PanelCommand::Toggle(panel) => self.toggle_panel(panel),
            PanelCommand::Collapse(panel, collapsed) => {
                *self.collapse(panel) = Collapse::Chosen { collapsed };
            }
            PanelCommand::Resize(edge, size) => *self.size(edge) = Some(size),
            // Its field is in one of them.
            PanelCommand::EditTime => self.hidden = false,
            PanelCommand::ClosePathDialog => self.path_dialog = None,
        }
    }

    /// Does what `toggle` asks for, if it is about panels; returns whether it was.
    pub fn toggle(&mut self, toggle: Toggle) -> bool {
        let timeline = &mut self.timeline;
        match toggle {
            Toggle::Panels => self.hidden ^= true,
            Toggle::LightTheme => self.light ^= true,
            Toggle::ReferenceSound => self.is_muted ^= true,
            Toggle::Curves => timeline.curves ^= true,
            Toggle::Velocity => {
                // Where there are no curves at all, it is for these that they are wanted.
                timeline.velocity = !(timeline.curves && timeline.velocity);
                timeline.curves = true;
            }
            Toggle::NormalisedCurves => timeline.normalised ^= true,
            Toggle::Frames => timeline.frames ^= true,
            Toggle::CompressGaps => timeline.compress_gaps ^= true,
            Toggle::SkipGaps => timeline.skip_gaps ^= true,
            Toggle::Snapping => timeline.snapping ^= true,
            _ => return false,
        }
        true
    }

    /// Whether what `toggle` is about is on; nothing if it is not about panels.
    pub fn is_on(&self, toggle: Toggle) -> Option<bool> {
        let timeline = self.timeline;
        Some(match toggle {
            Toggle::Panels => !self.hidden,
            Toggle::LightTheme => self.light,
            Toggle::ReferenceSound => !self.is_muted,
            Toggle::FullScreen => self.full_screen,
            Toggle::Curves => timeline.curves,
            Toggle::Velocity => timeline.curves && timeline.velocity,
            Toggle::NormalisedCurves => timeline.normalised,
            Toggle::Frames => timeline.frames,
            Toggle::CompressGaps => timeline.compress_gaps,
            Toggle::SkipGaps => timeline.skip_gaps,
            Toggle::Snapping => timeline.snapping,
            _ => return None,
        })
    }

    /// Whether a panel is open.
    pub fn is_open(&self, panel: Panel) -> bool {
        self.open.contains(&panel)
    }

    /// Opens a panel, if it is not open.
    pub(in crate::session) fn show(&mut self, panel: Panel) {
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

    /// Closes what floats over the viewport; returns whether anything was open.
    pub(in crate::session) fn close_floating(&mut self) -> bool {
        let before = self.open.len();
        self.open.retain(|panel| panel.dock != Dock::Floating);
        let asked = self.would_discard.take().is_some()
            | self.would_replace.take().is_some()
            | self.would_open.take().is_some();
        self.path_dialog.take().is_some() || asked || self.open.len() < before
    }

    /// Whether the bytes of the file are shown.
    pub fn shows_bytes(&self) -> bool {
        self.is_open(Panel::BYTES) && !self.hidden
    }

    /// Whether a side panel is collapsed in a window of this width, in points.
    pub fn is_collapsed(&self, panel: SidePanel, width: f32) -> bool {
        match panel {
            SidePanel::Outline => self.layout.outline.holds(width, ROOM_FOR_OUTLINE),
            SidePanel::Inspector => self.layout.inspector.holds(width, ROOM_FOR_INSPECTOR),
        }
    }

    fn collapse(&mut self, panel: SidePanel) -> &mut Collapse {
        match panel {
            SidePanel::Outline => &mut self.layout.outline,
            SidePanel::Inspector => &mut self.layout.inspector,
        }
    }

    fn size(&mut self, edge: PanelEdge) -> &mut Option<f32> {
        let sizes = &mut self.layout.sizes;
        match edge {
            PanelEdge::Outline => &mut sizes.outline,
            PanelEdge::Inspector => &mut sizes.inspector,
            PanelEdge::Time => &mut sizes.time,
            PanelEdge::Footage => &mut sizes.footage,
        }
    }

    /// How the window is laid out.
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

    /// Lays the window out as it was in an earlier run.
    pub fn restore(&mut self, layout: &Layout) {
        let &Layout { light, outline_folded: outline, inspector_folded: inspector, sizes, .. } =
            layout;
        let &Layout { curves, movement: velocity, frames, .. } = layout;
        self.light = light;
        self.layout = SideLayout { outline, inspector, sizes };
        self.timeline = TimelineOptions { curves, velocity, frames, ..self.timeline };
        let is_kept = |panel: &Panel| layout.open.iter().any(|id| id == panel.id);
        let docked = Panel::all().filter(|panel| panel.dock != Dock::Floating);
        self.open = docked.filter(is_kept).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_restored_as_it_was() {
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
    fn velocity_toggle_shows_the_curves() {
        let mut panels = Panels::default();
        let shown = |panels: &Panels| (panels.timeline.curves, panels.timeline.velocity);
        assert!(panels.toggle(Toggle::Velocity));
        assert_eq!(shown(&panels), (true, true));
        panels.toggle(Toggle::Velocity);
        assert_eq!(shown(&panels), (true, false), "the curves stay");
        for toggle in [Toggle::Velocity, Toggle::Curves, Toggle::Velocity] {
            panels.toggle(toggle);
        }
        assert_eq!(shown(&panels), (true, true));
    }

    #[test]
    fn escape_closes_floating_panels_only() {
        let mut panels = Panels { path_dialog: Some(FilePurpose::Recordings), ..Panels::default() };
        for panel in Panel::all() {
            panels.apply(&PanelCommand::Toggle(panel));
            assert!(panels.is_open(panel));
        }
        assert!(panels.close_floating());
        assert_eq!(panels.path_dialog, None);
        for panel in Panel::all() {
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
    fn every_panel_has_an_id_of_its_own() {
        let ids: Vec<_> = Panel::all().map(|panel| panel.id).collect();
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[index + 1..].contains(id), "{id}");
        }
        assert!(!ids.is_empty());
    }
}
