//! Commands on panels and on the timeline.

use super::{Panel, PanelEdge, SidePanel};

/// A command on panels.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelCommand {
    /// Opens or closes a panel.
    Toggle(Panel),
    /// Collapses or expands a side panel, regardless of the width of the window.
    Collapse(SidePanel, bool),
    /// Sets the size of a panel, in points.
    Resize(PanelEdge, f32),
    /// Closes the dialog for a path.
    ClosePathDialog,
    /// Moves the keyboard focus to the time field.
    EditTime,
}

/// A command on what the timeline shows. The timeline panel handles it, because the panel stores
/// its own view.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineCommand {
    /// Scales the value axis of the curves to their values within the visible time.
    FitCurves,
    /// Zooms to the range. If there is no range, zooms to the whole recording.
    ZoomToRange,
    /// Zooms to the whole recording.
    ZoomToAll,
    /// Expands all rows.
    ExpandRows,
    /// Collapses all rows.
    CollapseRows,
}
