//! Shows the axes of world space as the camera sees them, the size of a grid square, and the node
//! that the camera follows.

use bevy::math::Vec3;
use bevy_egui::egui::{Align2, FontId, Painter, Rect, Stroke, vec2};

use crate::ui::{
    Model, display_text,
    style::{Palette, small_font},
};
use bevy_mutoscope::stage::{CameraMode, Follow, StageScreen};

const AXIS_LENGTH: f32 = 24.0;

pub(super) fn paint_axis_cross(
    painter: &Painter,
    palette: &Palette,
    model: &Model<'_>,
    viewport: Rect,
) {
    paint_axes(painter, palette, model.screen, viewport);
    let mut position = viewport.right_top() + vec2(-12.0, 88.0);
    let mut line = |text: String, color| {
        position.y =
            painter.text(position, Align2::RIGHT_TOP, text, small_font(), color).bottom() + 2.0;
    };
    let square = f64::from(model.screen.metres_per_square);
    if square > 0.0 {
        line(format!("1 square = {}", display_text::format_length(square)), palette.dim);
    }
    if let Some(text) = follow_text(model) {
        let turns = model.screen.follow == Follow::PositionAndRotation;
        line(text, if turns { palette.accent } else { palette.dim });
    }
}

fn follow_text(model: &Model<'_>) -> Option<String> {
    let verb = match model.screen.follow {
        Follow::Off => return None,
        Follow::Position => "Following",
        Follow::PositionAndRotation => "Following and rotating with",
    };
    let clip = model.clip()?;
    let node = model.selected().or_else(|| clip.root_motion_node())?;
    let is_free = model.view.camera == CameraMode::Free;
    is_free.then(|| format!("{verb} {}", clip.nodes[node].name))
}

fn paint_axes(painter: &Painter, palette: &Palette, screen: &StageScreen, viewport: Rect) {
    let centre = viewport.right_top() + vec2(-50.0, 46.0);
    let axes = [(Vec3::X, "X"), (Vec3::Y, "Y"), (Vec3::Z, "Z")];
    let view_from_world = screen.camera_rotation.inverse();
    let mut arms: Vec<_> = axes
        .into_iter()
        .zip(palette.axes)
        .map(|((axis, name), color)| (view_from_world * axis, name, color))
        .collect();
    // Paint the farthest axis first, so that nearer ones cover it.
    arms.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (direction, name, color) in arms {
        let color = if direction.z < -0.3 { color.gamma_multiply(0.6) } else { color };
        let tip = centre + AXIS_LENGTH * vec2(direction.x, -direction.y);
        painter.line_segment([centre, tip], Stroke::new(2.0, color));
        painter.circle_filled(tip, 7.0, color);
        let font = FontId::proportional(11.0);
        painter.text(tip, Align2::CENTER_CENTER, name, font, palette.background);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::testing::{PanelFixture, show};

    #[test]
    fn viewport_names_the_followed_node() {
        let mut fixture: PanelFixture<Option<String>> = PanelFixture::with_two_hands();
        fixture.view.selected = Some(fixture.node("left/Wrist"));
        let mut shown =
            show(fixture, [100.0, 100.0], |_, model, shown| *shown = follow_text(model));
        let modes = [Follow::Off, Follow::Off.next(), Follow::Off.next().next()];
        let expected =
            [None, Some("Following left/Wrist"), Some("Following and rotating with left/Wrist")];
        for (mode, expected) in modes.into_iter().zip(expected) {
            shown.state_mut().screen.follow = mode;
            shown.run();
            assert_eq!(shown.state().state.as_deref(), expected);
        }
        assert_eq!(modes[2].next(), modes[0], "the modes form a cycle");
        shown.state_mut().view.camera = CameraMode::Head;
        shown.run();
        assert_eq!(shown.state().state, None);
    }
}
