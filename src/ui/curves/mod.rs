//! The curve view: tracks as curves over the timeline's own axis, with keys and tangent handles to
//! scale.
//!
//! Painted by hand rather than with a plotting crate, whose axes would be its own: here time is
//! the timeline's, to the pixel, and so are zooming, panning, the range and the playhead.
//!
//! | module | what it does |
//! |---|---|
//! | `pane` | panes, and the curves that share their axes |
//! | `channels` | the channels, and their grouping into panes |
//! | `source` | the numbers of one of them |
//! | `moved` | velocity and acceleration, which no track has |
//! | `typical` | the range of most values |
//! | `extremes` | the least and the greatest of many keys |
//! | `trace` | the line of a curve |
//! | `cache` | cached lines, kept while the axis is unchanged |
//! | `values` | the value axis, round values |
//! | `layout` | how the panes share the room |
//! | `toolbar` | owner, fitting, normalising, seconds or frames |
//! | `legend` | names and values next to each pane |
//! | `plot` | one pane: its value axis, zooming and panning in value |
//! | `paint` | lines, keys, handles, grid |
//! | `keys` | the key under the pointer |
//! | `strips` | colours and words |
//! | `reloaded` | the same state for a recording that was reloaded |

mod cache;
mod channels;
mod extremes;
mod keys;
mod kinematic_curves;
mod layout;
mod legend;
mod paint;
mod pane;
mod plot;
mod reloaded;
mod source;
mod strips;
#[cfg(test)]
mod tests;
mod toolbar;
mod trace;
mod typical;
mod values;

use std::collections::{HashMap, HashSet};

use bevy_egui::egui::{
    Align2, Rangef, Rect, ScrollArea, Stroke, Ui, UiBuilder,
    scroll_area::{DragScroll, ScrollSource},
};

use self::{
    cache::Cache,
    pane::{ChannelId, Pane, PaneId},
    values::ValueWindow,
};
use super::{
    CommandSender, Model,
    style::{Palette, crisp, small},
};
use crate::session::TimelineOptions;
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::timeline::TimeAxis,
};

pub(super) use toolbar::toolbar_ui;

/// The state of the curve view.
#[derive(Clone, Debug, Default)]
pub(super) struct CurvesState {
    /// Whether each curve is stretched to its own least and greatest value.
    pub(super) normalised: bool,
    /// Whether velocity and acceleration of nodes are shown above their curves.
    pub(super) shows_moved: bool,
    /// The pinned owners.
    kept: Vec<Owner>,
    /// Curves that are drawn or not, other than at first.
    switched: HashSet<ChannelId>,
    /// Panes of which only the title is shown.
    folded: HashSet<PaneId>,
    /// The value ranges that panes show, if not all.
    windows: HashMap<PaneId, ValueWindow>,
    /// The panes to be fitted in the next frame.
    fits_next: bool,
    /// Whether the pointer is over a pane.
    is_under_pointer: bool,
    cache: Cache,
}

impl CurvesState {
    /// Applies `options`, and shows all values if the scale of curves has changed.
    pub(super) fn set_options(&mut self, options: TimelineOptions) {
        if self.normalised != options.normalised {
            self.show_all();
        }
        self.normalised = options.normalised;
        self.shows_moved = options.velocity;
    }

    /// Shows all values of every curve.
    pub(super) fn show_all(&mut self) {
        self.windows.clear();
    }

    /// Shows the values that curves have within the time that is shown, from the next frame on.
    pub(super) fn fit(&mut self) {
        self.fits_next = true;
    }

    /// Whether a curve is drawn.
    fn shows(&self, id: ChannelId) -> bool {
        id.is_shown_at_first() != self.switched.contains(&id)
    }

    /// Whether the pointer was over a pane in the last frame.
    pub(super) fn is_under_pointer(&self) -> bool {
        self.is_under_pointer
    }

    /// The same for another recording.
    pub(super) fn for_another_recording(&self) -> Self {
        let &Self { normalised, shows_moved, .. } = self;
        Self { normalised, shows_moved, ..Self::default() }
    }

    /// The owners of the shown curves.
    fn owners(&self, clip: &Clip, selected: Option<NodeId>) -> Vec<Owner> {
        channels::owners(clip, &self.kept, selected)
    }
}

/// Where the curve view is.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaneRects {
    /// All of it, its column of names included.
    pub(super) body: Rect,
    /// Where time runs.
    pub(super) x: Rangef,
}

impl PaneRects {
    /// The part in which time runs.
    fn plots(&self) -> Rect {
        Rect::from_x_y_ranges(self.x, self.body.y_range())
    }
}

/// The common input of all panes.
#[derive(Clone, Copy)]
struct Scene<'a> {
    model: &'a Model<'a>,
    clip: &'a Clip,
    axis: &'a TimeAxis,
    /// The time whose values are shown: under the pointer, else the playhead's.
    told: f64,
    /// Whether titles name the owner.
    names_owners: bool,
}

/// The curves, over all of `place`.
pub(super) fn curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut CurvesState,
    place: &PaneRects,
    axis: &TimeAxis,
) {
    state.cache.aim_at(axis, clip.convention.rotation.value);
    state.is_under_pointer = ui.rect_contains_pointer(place.plots());
    let owners = state.owners(clip, model.selected());
    let panes = channels::panes(clip, &owners, state.shows_moved);
    if panes.is_empty() {
        let text = "No curves. Select an animated node";
        let color = Palette::of(ui.visuals()).dim;
        let centre = place.plots().center();
        ui.painter().text(centre, Align2::CENTER_CENTER, text, small(), color);
        return;
    }
    let now = model.time();
    let told = hovered_time(ui, place, axis).or(model.hovered_time()).unwrap_or(now);
    if state.shows_moved {
        let nodes = owners.iter().filter_map(|owner| match owner {
            Owner::Node(node) => Some(*node),
            Owner::Group(_) => None,
        });
        if !state.cache.look_at_movement(clip, nodes, axis, [told, now]) {
            ui.ctx().request_repaint();
        }
    }
    if std::mem::take(&mut state.fits_next) {
        plot::fit(clip, &panes, state, axis);
    }
    let is_of_owner = |pane: &Pane| matches!(pane.owner, Owner::Node(_));
    let mut nodes = panes.iter().filter(|pane| is_of_owner(pane)).map(|pane| pane.owner);
    let first = nodes.next();
    let names_owners = nodes.any(|owner| Some(owner) != first);
    let scene = Scene { model, clip, axis, told, names_owners };
    panes_ui(ui, &scene, &panes, state, place, model.commands);
}

fn hovered_time(ui: &Ui, place: &PaneRects, axis: &TimeAxis) -> Option<f64> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    ui.rect_contains_pointer(place.plots()).then(|| axis.time_at(pointer.x))
}

/// The panes one below the other. Where they have no room they scroll; the wheel, which zooms over
/// curves, does so over their names.
fn panes_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    panes: &[Pane],
    state: &mut CurvesState,
    place: &PaneRects,
    commands: &CommandSender,
) {
    let rows = |pane: &Pane| legend::rows(pane, state);
    let heights = layout::heights(panes, rows, place.body.height());
    let mut body = ui.new_child(UiBuilder::new().max_rect(place.body));
    let area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource {
        drag: DragScroll::Never,
        mouse_wheel: !state.is_under_pointer,
        ..ScrollSource::ALL
    });
    area.show_viewport(&mut body, |ui, viewport| {
        let (top, shown) = (ui.max_rect().top(), place.body.y_range());
        ui.set_height(heights.iter().sum());
        let mut y = top;
        for (pane, height) in panes.iter().zip(heights) {
            let rows = Rangef::new(y, y + height);
            y += height;
            if rows.max < shown.min || rows.min > shown.max || viewport.height() <= 0.0 {
                continue;
            }
            let legend = Rect::from_x_y_ranges(place.body.left()..=place.x.min - 6.0, rows);
            legend::legend_ui(ui, scene, pane, legend, state);
            let line = Stroke::new(1.0, Palette::of(ui.visuals()).line);
            let painter = ui.painter();
            painter.hline(place.body.left()..=place.x.max, crisp(painter, rows.max - 1.0), line);
            let visible = layout::plot(rows, shown);
            let rect = Rect::from_x_y_ranges(place.x, visible);
            plot::plot_ui(ui, scene, pane, rect, state, commands);
        }
    });
}
