//! The axes of the viewer's space as the camera sees them, the size of the grid's squares, and what
//! the camera follows.

use bevy::math::Vec3;
use bevy_egui::egui::{Align2, FontId, Painter, Rect, Stroke, vec2};

use crate::{
    stage::{CameraMode, Follow, StageScreen},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};

/// The length of an axis, in points.
const REACH: f32 = 24.0;

/// Paints all of it into the top right corner of `viewport`.
pub(super) fn paint(painter: &Painter, model: &Model<'_>, viewport: Rect) {
    let palette = Palette::over_picture();
    cross(painter, palette, model.screen, viewport);
    let mut place = viewport.right_top() + vec2(-12.0, 88.0);
    let mut line = |text: String, color| {
        place.y = painter.text(place, Align2::RIGHT_TOP, text, small(), color).bottom() + 2.0;
    };
    let square = f64::from(model.screen.metres_per_square);
    if square > 0.0 {
        line(format!("1 square = {}", words::length(square)), palette.dim);
    }
    if let Some(text) = follow_text(model) {
        let turns = model.screen.follows == Follow::PositionAndRotation;
        line(text, if turns { palette.accent } else { palette.dim });
    }
}

/// The label of the followed node.
fn follow_text(model: &Model<'_>) -> Option<String> {
    let verb = match model.screen.follows {
        Follow::Off => return None,
        Follow::Position => "Following",
        Follow::PositionAndRotation => "Following and rotating with",
    };
    let clip = model.clip()?;
    let node = model.selected().or_else(|| clip.root_motion_node())?;
    let is_free = model.view.camera == CameraMode::Free;
    is_free.then(|| format!("{verb} {}", clip.nodes[node].name))
}

fn cross(painter: &Painter, palette: &Palette, screen: &StageScreen, viewport: Rect) {
    let centre = viewport.right_top() + vec2(-50.0, 46.0);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::{Desk, show};

    #[test]
    fn viewport_shows_what_the_camera_follows() {
        let mut desk: Desk<Option<String>> = Desk::with_two_hands();
        desk.view.selected = Some(desk.node("left/Wrist"));
        let mut told = show(desk, [100.0, 100.0], |_, model, told| *told = follow_text(model));
        let ways = [Follow::Off, Follow::Off.next(), Follow::Off.next().next()];
        let expected =
            [None, Some("Following left/Wrist"), Some("Following and rotating with left/Wrist")];
        for (way, expected) in ways.into_iter().zip(expected) {
            told.state_mut().screen.follows = way;
            told.run();
            assert_eq!(told.state().state.as_deref(), expected);
        }
        assert_eq!(ways[2].next(), ways[0], "round and round");
        told.state_mut().view.camera = CameraMode::Head;
        told.run();
        assert_eq!(told.state().state, None);
    }
}
