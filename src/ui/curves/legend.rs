//! Lists the names and values of the curves next to their pane. A click on a name hides or shows
//! its curve.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, Painter, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::{
    CurvesState, Scene,
    layout::{ROW_HEIGHT, TITLE_HEIGHT},
    pane::{Channel, ChannelId, Content, Pane, PaneId, Role},
    plot,
};
use crate::ui::{
    display_text,
    icons::{self, Icon},
    style::{Palette, small_font, small_mono_font},
    swatch,
    widgets::toggle_in_set,
};
use mutoscope_core::clip::{Clip, Owner};

const MARK_LEFT: f32 = 14.0;
const NAME_LEFT: f32 = 32.0;
const CELL_WIDTH: f32 = 34.0;

pub(super) fn legend_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    rect: Rect,
    state: &mut CurvesState,
) {
    let title = rect.with_max_y(rect.top() + TITLE_HEIGHT);
    title_ui(ui, scene, pane, title, state);
    if state.collapsed.contains(&pane.id()) {
        return;
    }
    let bounds = plot::pane_bounds(scene.clip, pane, state);
    let (listed, hidden) = split_listed(pane, state);
    let row = |index: usize| {
        let top = title.bottom() + ROW_HEIGHT * index as f32;
        Rect::from_x_y_ranges(rect.x_range(), top..=top + ROW_HEIGHT)
    };
    for (index, channel) in listed.iter().enumerate() {
        channel_ui(ui, scene, pane, channel, bounds, row(index), state);
    }
    for (index, channel) in hidden.iter().enumerate() {
        let left = rect.left() + CELL_WIDTH * index as f32;
        let cell = row(listed.len()).with_min_x(left).with_max_x(left + MARK_LEFT + CELL_WIDTH);
        hidden_channel_ui(ui, scene, pane, channel, cell, state);
    }
}

fn split_listed<'a>(pane: &'a Pane, state: &CurvesState) -> (Vec<&'a Channel>, Vec<&'a Channel>) {
    let is_listed = |it: &&Channel| it.id.is_shown_by_default() || state.shows(it.id);
    pane.channels().iter().partition(is_listed)
}

/// Returns the number of rows of names. `None` means that the pane is collapsed.
pub(super) fn row_count(pane: &Pane, state: &CurvesState) -> Option<usize> {
    let (listed, hidden) = split_listed(pane, state);
    let rows = listed.len() + usize::from(!hidden.is_empty());
    (!state.collapsed.contains(&pane.id())).then_some(rows)
}

pub(super) fn pane_title(clip: &Clip, pane: &Pane, names_owner: bool) -> String {
    let title = plain_title(clip, pane, names_owner);
    let mut tracks = pane.channels().iter().filter_map(|channel| channel.id.track());
    if tracks.any(|track| clip.approximation(track, None).is_some()) {
        return format!("{title} (approximate)");
    }
    title
}

fn plain_title(clip: &Clip, pane: &Pane, names_owner: bool) -> String {
    match pane.owner {
        Owner::Group(_) => format!("{} {}", clip.owner_name(pane.owner), pane.title),
        Owner::Node(node) if names_owner => {
            format!("{} {}", display_text::short_name(&clip.nodes[node], &clip.groups), pane.title)
        }
        Owner::Node(_) => pane.title.clone(),
    }
}

fn title_ui(ui: &mut Ui, scene: &Scene<'_>, pane: &Pane, rect: Rect, state: &mut CurvesState) {
    let palette = Palette::for_visuals(ui.visuals());
    let text = pane_title(scene.clip, pane, scene.names_owners);
    let response = ui.interact(rect, ui.id().with(("title", pane.id())), Sense::click());
    let is_collapsed = state.collapsed.contains(&pane.id());
    let verb = if is_collapsed { "Expand" } else { "Collapse" };
    response
        .widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("{verb} {text}")));
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, palette.raised);
    }
    if response.clicked() {
        toggle_in_set(&mut state.collapsed, pane.id());
    }
    let kinematic_channel = pane.channels().iter().find_map(|channel| match channel.id {
        ChannelId::Kinematic(kinematic) => Some(kinematic),
        ChannelId::Keyed { .. } | ChannelId::Measured(_) => None,
    });
    if let Some(kinematic) = kinematic_channel {
        response.on_hover_text(state.cache.kinematics.explanation(kinematic, scene.axis));
    } else if matches!(pane.id(), PaneId::Measured(_)) {
        response.on_hover_text("Measured between positions in world space. Not stored in the file");
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let chevron = if is_collapsed { Icon::ChevronRight } else { Icon::ChevronDown };
    icons::paint(&painter, rect.with_max_x(rect.left() + 14.0), chevron, palette.dim);
    let right = match &pane.content {
        Content::Curves(_) => {
            let unit = if state.normalised { "own range" } else { "" };
            let position = rect.right_center();
            painter.text(position, Align2::RIGHT_CENTER, unit, small_font(), palette.dim).left()
        }
        Content::Colors(track) => {
            let rect = Rect::from_center_size(
                pos2(rect.right() - 12.0, rect.center().y),
                vec2(20.0, 10.0),
            );
            let color = swatch::value_color(&scene.clip.value(*track, scene.readout_time), palette);
            painter.rect_filled(rect, 2.0, color);
            rect.left()
        }
        Content::Text(_) => rect.right(),
    };
    let painter = painter.with_clip_rect(painter.clip_rect().with_max_x(right - 4.0));
    let position = pos2(rect.left() + 16.0, rect.center().y);
    painter.text(position, Align2::LEFT_CENTER, text, small_font(), palette.text);
}

fn channel_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    channel: &Channel,
    bounds: Option<(f64, f64)>,
    rect: Rect,
    state: &mut CurvesState,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let is_shown = channel_toggle_ui(ui, scene, pane, channel, rect, state);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    paint_mark(&painter, rect, is_shown, role_color(palette, channel.role));
    let text = if is_shown { palette.text } else { palette.dim };
    let number = state.cache.value_at(scene.clip, channel.id, scene.axis, scene.readout_time);
    let is_switch = channel.id.track().is_some_and(|id| scene.clip.track(id).curve.is_switch());
    let value = match is_switch {
        true => if number > 0.5 { "on" } else { "off" }.to_owned(),
        false => format_value(number, bounds, pane.unit),
    };
    let position = rect.right_center();
    let value = painter.text(position, Align2::RIGHT_CENTER, value, small_mono_font(), text);
    let painter = painter.with_clip_rect(painter.clip_rect().with_max_x(value.left() - 4.0));
    let position = pos2(rect.left() + NAME_LEFT, rect.center().y);
    painter.text(position, Align2::LEFT_CENTER, &channel.name, small_font(), text);
}

fn hidden_channel_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    channel: &Channel,
    cell: Rect,
    state: &mut CurvesState,
) {
    let palette = Palette::for_visuals(ui.visuals());
    channel_toggle_ui(ui, scene, pane, channel, cell.with_min_x(cell.left() + MARK_LEFT), state);
    let painter = ui.painter();
    paint_mark(painter, cell, false, role_color(palette, channel.role));
    let position = pos2(cell.left() + NAME_LEFT, cell.center().y);
    painter.text(position, Align2::LEFT_CENTER, &channel.name, small_font(), palette.dim);
}

fn channel_toggle_ui(
    ui: &mut Ui,
    scene: &Scene<'_>,
    pane: &Pane,
    channel: &Channel,
    rect: Rect,
    state: &mut CurvesState,
) -> bool {
    let is_shown = state.shows(channel.id);
    let response = ui.interact(rect, ui.id().with(("channel", channel.id)), Sense::click());
    let title = pane_title(scene.clip, pane, scene.names_owners);
    response.widget_info(|| {
        let label = format!("Curve {title} {}", channel.name);
        WidgetInfo::selected(WidgetType::Checkbox, true, is_shown, label)
    });
    if response.hovered() {
        ui.painter().rect_filled(rect, 3.0, Palette::for_visuals(ui.visuals()).raised);
    }
    if response.clicked() {
        toggle_in_set(&mut state.toggled, channel.id);
    }
    is_shown
}

fn paint_mark(painter: &Painter, row: Rect, is_shown: bool, color: Color32) {
    let centre = pos2(row.left() + MARK_LEFT + 8.0, row.center().y);
    let mark = Rect::from_center_size(centre, vec2(9.0, 9.0));
    if is_shown {
        painter.rect_filled(mark, 2.0, color);
    } else {
        let stroke = Stroke::new(1.0, color.gamma_multiply(0.7));
        painter.rect_stroke(mark, CornerRadius::same(2), stroke, StrokeKind::Inside);
    }
}

pub(super) fn role_color(palette: &Palette, role: Role) -> Color32 {
    match role {
        Role::X => palette.axes[0],
        Role::Y => palette.axes[1],
        Role::Z => palette.axes[2],
        Role::W => palette.neutral,
        Role::Other(index) => palette.series[index % palette.series.len()],
    }
}

pub(super) fn format_value(value: f64, bounds: Option<(f64, f64)>, unit: &str) -> String {
    if !value.is_finite() {
        return "none".to_owned();
    }
    let (low, high) = bounds.unwrap_or((value, value));
    let height = if high > low { high - low } else { value.abs().max(1.0) };
    let decimals = (3.0 - height.log10().floor()).clamp(0.0, 6.0) as usize;
    display_text::append_unit(display_text::format_fixed(value, decimals), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_significant_decimals_and_a_unit() {
        let cases = [
            (1.234_567, Some((0.0, 2.0)), "m", "1.235 m"),
            (84.0, Some((-22.75, 84.0)), "°", "84.0°"),
            (12.0, Some((-3.25, 12.0)), "cm", "12.00 cm"),
            (0.000_123_4, Some((0.0, 0.001)), "", "0.000123"),
            (5000.0, Some((0.0, 90_000.0)), "m/s²", "5000 m/s²"),
            (1.0, Some((1.0, 1.0)), "", "1.000"),
            (f64::NAN, None, "m/s", "none"),
        ];
        for (value, bounds, unit, expected) in cases {
            assert_eq!(format_value(value, bounds, unit), expected);
        }
    }
}
