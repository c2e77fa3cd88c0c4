//! The measurement line to the selected node, with its length; and the speed scale of trails.

use bevy::color::{Color, ColorToPacked as _};
use bevy_egui::egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, TextStyle, Ui, pos2, vec2,
};

use crate::{
    recording::RecordingNode,
    stage::{ScreenPoint, speed_color},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};

/// The size of the bar of colours.
const BAR: (f32, f32) = (72.0, 6.0);
/// How many pieces it is painted in.
const PIECES: usize = 16;

/// Both, where there is reason to.
pub(super) fn paint(ui: &Ui, painter: &Painter, model: &Model<'_>, viewport: Rect) {
    distance(painter, model);
    if let Some(fastest) = model.screen.fastest {
        speeds(ui, painter, fastest, viewport);
    }
}

fn distance(painter: &Painter, model: &Model<'_>) {
    let (Some(from), Some(to)) = (model.view.measured_from, model.view.selected) else { return };
    let place = |of: RecordingNode| -> Option<Pos2> {
        let ScreenPoint { position, .. } = model.screen.point(of.recording, of.node)?;
        Some(pos2(position.x, position.y))
    };
    let (Some(a), Some(b)) = (place(from), place(to)) else { return };
    let world = |of: RecordingNode| {
        let open = model.recordings.iter().find(|one| one.entity == of.recording)?;
        open.recording.pose().nodes.get(of.node.index()).map(|node| node.world)
    };
    let Some((one, other)) = world(from).zip(world(to)).filter(|_| from != to) else { return };
    let metres = one.translation.distance(other.translation);
    let palette = Palette::over_picture();
    let stroke = Stroke::new(1.0, palette.accent);
    painter.extend(Shape::dashed_line(&[a, b], stroke, 5.0, 4.0));
    let text = format!("{} m", words::fixed(metres, 3));
    let galley = painter.layout_no_wrap(text, FontId::monospace(11.0), palette.accent);
    let rect = Align2::CENTER_CENTER.anchor_size(a.lerp(b, 0.5), galley.size() + vec2(10.0, 4.0));
    painter.rect_filled(rect, 3.0, palette.panel.gamma_multiply(0.9));
    painter.galley(rect.min + vec2(5.0, 2.0), galley, palette.accent);
}

/// The bar of colours, at the right edge below the size of a square.
fn speeds(ui: &Ui, painter: &Painter, fastest: f32, viewport: Rect) {
    let palette = Palette::over_picture();
    let right = viewport.right() - 14.0;
    let top = viewport.top() + 118.0 + ui.text_style_height(&TextStyle::Small);
    let bar = Rect::from_min_size(pos2(right - BAR.0, top), vec2(BAR.0, BAR.1));
    let mut mesh = Mesh::default();
    for piece in 0..PIECES {
        let part = |index: usize| index as f32 / PIECES as f32;
        let color = stage_color(speed_color((part(piece) + part(piece + 1)) / 2.0));
        let [left, right] = [piece, piece + 1].map(|at| bar.left() + part(at) * bar.width());
        mesh.add_colored_rect(Rect::from_x_y_ranges(left..=right, bar.y_range()), color);
    }
    painter.add(mesh);
    let text = format!("0 – {} m/s", words::trimmed(f64::from(fastest), 2));
    let place = bar.right_bottom() + vec2(0.0, 3.0);
    painter.text(place, Align2::RIGHT_TOP, text, small(), palette.dim);
}

fn stage_color(color: Color) -> Color32 {
    let [red, green, blue, _] = color.to_srgba().to_u8_array();
    Color32::from_rgb(red, green, blue)
}
