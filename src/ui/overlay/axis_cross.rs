//! The axes of the viewer's space as the camera sees them, and the size of the grid's squares.

use bevy::math::Vec3;
use bevy_egui::egui::{Align2, FontId, Painter, Rect, Stroke, vec2};

use crate::{
    stage::StageScreen,
    ui::{
        style::{Palette, small},
        words,
    },
};

/// The length of an axis, in points.
const REACH: f32 = 24.0;

/// Paints both into the top right corner of `picture`.
pub(super) fn paint(painter: &Painter, screen: &StageScreen, picture: Rect) {
    let palette = Palette::over_picture();
    let centre = picture.right_top() + vec2(-50.0, 46.0);
    let axes = [(Vec3::X, "X"), (Vec3::Y, "Y"), (Vec3::Z, "Z")];
    let view_from_world = screen.camera_rotation.inverse();
    let mut arms: Vec<_> = axes
        .into_iter()
        .zip(palette.axes)
        .map(|((axis, name), color)| (view_from_world * axis, name, color))
        .collect();
    // The farthest first: nearer ones are painted over it.
    arms.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (direction, name, color) in arms {
        let color = if direction.z < -0.3 { color.gamma_multiply(0.6) } else { color };
        let tip = centre + REACH * vec2(direction.x, -direction.y);
        painter.line_segment([centre, tip], Stroke::new(2.0, color));
        painter.circle_filled(tip, 7.0, color);
        let font = FontId::proportional(11.0);
        painter.text(tip, Align2::CENTER_CENTER, name, font, palette.background);
    }
    if screen.metres_per_square > 0.0 {
        let size = words::length(f64::from(screen.metres_per_square));
        let place = picture.right_top() + vec2(-12.0, 88.0);
        let text = format!("1 square = {size}");
        painter.text(place, Align2::RIGHT_TOP, text, small(), palette.dim);
    }
}
