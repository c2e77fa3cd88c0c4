//! The curve view draws tracks as curves over the axis of the timeline, with keys and tangent
//! handles to scale.
//!
//! We paint the curves ourselves, because a plotting crate would bring its own time axis. Here
//! zooming, panning, the range and the playhead match the timeline to the pixel.
//!
//! | module | purpose |
//! |---|---|
//! | `pane` | panes, and the curves that share their axes |
//! | `channels` | finds the channels and groups them into panes |
//! | `source` | reads the values of a channel |
//! | `kinematic_curves` | computes velocity and acceleration, which no track has |
//! | `measured` | samples measurements of nodes, which no track has |
//! | `typical` | finds the bounds of a curve without outliers |
//! | `extremes` | finds the minimum and maximum of many keys |
//! | `trace` | turns a curve into a line |
//! | `cache` | caches lines while the axis is unchanged |
//! | `values` | the value axis and its round values |
//! | `layout` | divides the height among the panes |
//! | `toolbar` | owner, fitting, normalising, seconds or frames |
//! | `legend` | names and values next to each pane |
//! | `plot` | one pane: its value axis, zooming and panning in value |
//! | `paint` | paints lines, keys, handles and grid lines |
//! | `keys` | the key under the pointer |
//! | `strips` | paints colours and text |
//! | `reloaded` | carries the state over to a reloaded recording |

mod cache;
mod channels;
mod extremes;
mod keys;
mod kinematic_curves;
mod layout;
mod legend;
mod measured;
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
    style::{Palette, small_font, snap_to_pixel},
};
use crate::session::TimelineOptions;
use mutoscope_core::{
    clip::{Clip, NodeId, Owner},
    measure::{Measurement, compare::KinematicQuantity},
};
use mutoscope_view::timeline::TimeAxis;

pub(super) use toolbar::toolbar_ui;

#[derive(Clone, Debug, Default)]
pub(super) struct CurvesState {
    pub(super) normalised: bool,
    pub(super) shows_kinematics: bool,
    pinned: Vec<Owner>,
    toggled: HashSet<ChannelId>,
    collapsed: HashSet<PaneId>,
    windows: HashMap<PaneId, ValueWindow>,
    fits_next_frame: bool,
    is_under_pointer: bool,
    cache: Cache,
}

impl CurvesState {
    /// Applies `options`. If the scale of the curves changes, shows all values, because the old
    /// value ranges have no meaning on the new scale.
    pub(super) fn set_options(&mut self, options: TimelineOptions) {
        if self.normalised != options.normalised {
            self.show_all();
        }
        self.normalised = options.normalised;
        self.shows_kinematics = options.velocity;
    }

    pub(super) fn show_all(&mut self) {
        self.windows.clear();
    }

    pub(super) fn fit(&mut self) {
        self.fits_next_frame = true;
    }

    fn shows(&self, id: ChannelId) -> bool {
        id.is_shown_by_default() != self.toggled.contains(&id)
    }

    pub(super) fn is_under_pointer(&self) -> bool {
        self.is_under_pointer
    }

    pub(super) fn for_another_recording(&self) -> Self {
        let &Self { normalised, shows_kinematics, .. } = self;
        Self { normalised, shows_kinematics, ..Self::default() }
    }

    fn owners(&self, clip: &Clip, selected: Option<NodeId>) -> Vec<Owner> {
        channels::owners(clip, &self.pinned, selected)
    }

    fn panes(&self, model: &Model<'_>, clip: &Clip) -> Vec<Pane> {
        let owners = self.owners(clip, model.selected());
        channels::panes(clip, &owners, &model.measured_from(), self.shows_kinematics)
    }
}

/// Returns the measured quantities and the speeds that the curve view shows.
pub(super) fn shown_measurements(
    model: &Model<'_>,
    clip: &Clip,
    state: &CurvesState,
) -> Vec<Measurement> {
    let measurement = |pane: &Pane| match pane.id() {
        PaneId::Measured(measurement) => Some(measurement),
        PaneId::Kinematic(node, KinematicQuantity::Velocity) => Some(Measurement::Speed(node)),
        PaneId::Kinematic(..) | PaneId::Track(_) => None,
    };
    state.panes(model, clip).iter().filter_map(measurement).collect()
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CurvesLayout {
    pub(super) body: Rect,
    pub(super) x: Rangef,
}

impl CurvesLayout {
    fn plot_rect(&self) -> Rect {
        Rect::from_x_y_ranges(self.x, self.body.y_range())
    }
}

#[derive(Clone, Copy)]
struct Scene<'a> {
    model: &'a Model<'a>,
    clip: &'a Clip,
    axis: &'a TimeAxis,
    /// The time whose values are shown, in seconds: the time under the pointer, or else the
    /// playhead.
    readout_time: f64,
    names_owners: bool,
}

pub(super) fn curves_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    state: &mut CurvesState,
    layout: &CurvesLayout,
    axis: &TimeAxis,
) {
    state.cache.set_axis(axis, clip.convention.rotation.value);
    state.is_under_pointer = ui.rect_contains_pointer(layout.plot_rect());
    let panes = state.panes(model, clip);
    if panes.is_empty() {
        let text = "No curves. Select an animated node";
        let color = Palette::for_visuals(ui.visuals()).dim;
        let centre = layout.plot_rect().center();
        ui.painter().text(centre, Align2::CENTER_CENTER, text, small_font(), color);
        return;
    }
    let now = model.time();
    let readout_time = hovered_time(ui, layout, axis).or(model.hovered_time()).unwrap_or(now);
    if state.shows_kinematics {
        let owners = state.owners(clip, model.selected());
        let nodes = owners.iter().filter_map(|owner| match owner {
            Owner::Node(node) => Some(*node),
            Owner::Group(_) => None,
        });
        if !state.cache.sample_kinematics(clip, nodes, axis, [readout_time, now]) {
            ui.ctx().request_repaint();
        }
    }
    let measurements = panes.iter().filter_map(|pane| match pane.id() {
        PaneId::Measured(measurement) => Some(measurement),
        PaneId::Track(_) | PaneId::Kinematic(..) => None,
    });
    if !state.cache.measure(clip, measurements) {
        ui.ctx().request_repaint();
    }
    if std::mem::take(&mut state.fits_next_frame) {
        plot::fit_panes(clip, &panes, state, axis);
    }
    let is_of_owner = |pane: &Pane| matches!(pane.owner, Owner::Node(_));
    let mut nodes = panes.iter().filter(|pane| is_of_owner(pane)).map(|pane| pane.owner);
    let first = nodes.next();
    let names_owners = nodes.any(|owner| Some(owner) != first);
    let scene = Scene { model, clip, axis, readout_time, names_owners };
    panes_ui(ui, &scene, &panes, state, layout, model.commands);
}

fn hovered_time(ui: &Ui, layout: &CurvesLayout, axis: &TimeAxis) -> Option<f64> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    ui.rect_contains_pointer(layout.plot_rect()).then(|| axis.time_at(pointer.x))
}

fn panes_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    panes: &[Pane],
    state: &mut CurvesState,
    layout: &CurvesLayout,
    commands: &CommandSender,
) {
    let rows = |pane: &Pane| legend::row_count(pane, state);
    let heights = layout::pane_heights(panes, rows, layout.body.height());
    let mut body = ui.new_child(UiBuilder::new().max_rect(layout.body));
    let area = ScrollArea::vertical().auto_shrink(false).scroll_source(ScrollSource {
        drag: DragScroll::Never,
        mouse_wheel: !state.is_under_pointer,
        ..ScrollSource::ALL
    });
    area.show_viewport(&mut body, |ui, viewport| {
        let (top, shown) = (ui.max_rect().top(), layout.body.y_range());
        ui.set_height(heights.iter().sum());
        let mut y = top;
        for (pane, height) in panes.iter().zip(heights) {
            let rows = Rangef::new(y, y + height);
            y += height;
            if rows.max < shown.min || rows.min > shown.max || viewport.height() <= 0.0 {
                continue;
            }
            let legend = Rect::from_x_y_ranges(layout.body.left()..=layout.x.min - 6.0, rows);
            legend::legend_ui(ui, scene, pane, legend, state);
            let line = Stroke::new(1.0, Palette::for_visuals(ui.visuals()).line);
            let painter = ui.painter();
            painter.hline(
                layout.body.left()..=layout.x.max,
                snap_to_pixel(painter, rows.max - 1.0),
                line,
            );
            let visible = layout::plot_range(rows, shown);
            let rect = Rect::from_x_y_ranges(layout.x, visible);
            plot::plot_ui(ui, scene, pane, rect, state, commands);
        }
    });
}
