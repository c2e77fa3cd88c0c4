//! Shows the measurement line to the selected node with its length, and the speed scale of motion
//! trails.

use bevy::color::{Color, ColorToPacked as _};
use bevy_egui::egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, TextStyle, Ui, Vec2, pos2,
    vec2,
};

use crate::ui::{
    Model, display_text,
    style::{Palette, small_font},
};
use bevy_mutoscope::{
    RecordingNode,
    stage::{ScreenPoint, speed_color},
};

const SCALE_SIZE: Vec2 = vec2(72.0, 6.0);
const SCALE_PIECES: usize = 16;

pub(super) fn paint_measurement(ui: &Ui, painter: &Painter, model: &Model<'_>, viewport: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    paint_measuring_hint(painter, palette, model, viewport);
    if let (Some(&from), Some(to)) = (model.view.measured_from.last(), model.view.selected) {
        paint_distance(painter, palette, model, [from, to]);
    }
    if let [first, middle] = model.view.measured_from[..] {
        paint_distance(painter, palette, model, [first, middle]);
    }
    if let Some(fastest) = model.screen.max_speed {
        paint_speed_scale(ui, painter, fastest, viewport);
    }
}

/// Tells the user what to click next while only one node of a measurement is chosen.
fn paint_measuring_hint(painter: &Painter, palette: &Palette, model: &Model<'_>, viewport: Rect) {
    let Some(&from) = model.view.measured_from.last() else { return };
    if model.view.selected.is_some_and(|selected| selected != from) {
        return;
    }
    let open = model.recordings.iter().find(|open| open.entity == from.recording);
    let Some(node) = open.and_then(|open| open.clip().nodes.get(from.node.index())) else { return };
    let text = match model.view.measured_from.len() {
        1 => format!("Click another joint to measure from {}", node.name),
        _ => format!("Click a third joint to measure the angle at {}", node.name),
    };
    let galley = painter.layout_no_wrap(text, FontId::proportional(13.0), palette.accent);
    let position = viewport.center_top() + vec2(0.0, 12.0);
    let rect = Align2::CENTER_TOP.anchor_size(position, galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(rect, 4.0, palette.panel);
    painter.galley(rect.min + vec2(8.0, 4.0), galley, palette.accent);
}

fn paint_distance(
    painter: &Painter,
    palette: &Palette,
    model: &Model<'_>,
    [from, to]: [RecordingNode; 2],
) {
    let screen_position = |node: RecordingNode| -> Option<Pos2> {
        let ScreenPoint { position, .. } = model.screen.point(node.recording, node.node)?;
        Some(pos2(position.x, position.y))
    };
    let (Some(a), Some(b)) = (screen_position(from), screen_position(to)) else { return };
    let world_transform = |node: RecordingNode| {
        let open = model.recordings.iter().find(|one| one.entity == node.recording)?;
        open.recording.pose().nodes.get(node.node.index()).map(|node| node.world)
    };
    let Some((one, other)) = world_transform(from).zip(world_transform(to)).filter(|_| from != to)
    else {
        return;
    };
    let metres = one.translation.distance(other.translation);
    let stroke = Stroke::new(1.0, palette.accent);
    painter.extend(Shape::dashed_line(&[a, b], stroke, 5.0, 4.0));
    let text = format!("{} m", display_text::format_fixed(metres, 3));
    let galley = painter.layout_no_wrap(text, FontId::monospace(11.0), palette.accent);
    let rect = Align2::CENTER_CENTER.anchor_size(a.lerp(b, 0.5), galley.size() + vec2(10.0, 4.0));
    painter.rect_filled(rect, 3.0, palette.panel);
    painter.galley(rect.min + vec2(5.0, 2.0), galley, palette.accent);
}

fn paint_speed_scale(ui: &Ui, painter: &Painter, fastest: f32, viewport: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    let right = viewport.right() - 14.0;
    let top = viewport.top() + 118.0 + ui.text_style_height(&TextStyle::Small);
    let bar = Rect::from_min_size(pos2(right - SCALE_SIZE.x, top), SCALE_SIZE);
    let mut mesh = Mesh::default();
    for piece in 0..SCALE_PIECES {
        let part = |index: usize| index as f32 / SCALE_PIECES as f32;
        let color = to_color32(speed_color((part(piece) + part(piece + 1)) / 2.0));
        let [left, right] = [piece, piece + 1].map(|at| bar.left() + part(at) * bar.width());
        mesh.add_colored_rect(Rect::from_x_y_ranges(left..=right, bar.y_range()), color);
    }
    painter.add(mesh);
    let text = format!("0 – {} m/s", display_text::format_decimal(f64::from(fastest), 2));
    let position = bar.right_bottom() + vec2(0.0, 3.0);
    painter.text(position, Align2::RIGHT_TOP, text, small_font(), palette.dim);
}

fn to_color32(color: Color) -> Color32 {
    let [red, green, blue, _] = color.to_srgba().to_u8_array();
    Color32::from_rgb(red, green, blue)
}
