//! Picks joints with the pointer.

use bevy_egui::egui::{Pos2, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2};

use crate::{
    session::{CameraCommand, Command, ViewCommand},
    ui::Model,
};
use bevy_mutoscope::{RecordingNode, stage::StageScreen};
use mutoscope_core::clip::NodeId;

const PICK_RADIUS: f32 = 14.0;

pub(super) fn pick_ui(ui: &mut Ui, model: &Model<'_>, viewport: Rect) -> Option<RecordingNode> {
    // Sense clicks only, because drags in the viewport move the camera.
    let response = ui.interact(viewport, ui.id().with("viewport"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Viewport"));
    if let Some(pointer) = response.interact_pointer_pos() {
        let node = nearest_node(model.screen, pointer);
        if response.double_clicked() && node.is_some() {
            model.send_all([
                Command::View(ViewCommand::Select(node)),
                Command::Camera(CameraCommand::FrameSelected),
            ]);
        } else if response.clicked() && node != model.view.selected {
            model.send(Command::View(ViewCommand::Select(node)));
        }
    }
    if ui.input(|input| input.pointer.any_down()) {
        return None;
    }
    nearest_node(model.screen, response.hover_pos()?)
}

fn nearest_node(screen: &StageScreen, pointer: Pos2) -> Option<RecordingNode> {
    let all = screen.points.iter().flat_map(|(recording, points)| {
        let nodes = points.iter().enumerate();
        nodes.map(|(index, point)| (RecordingNode::new(*recording, NodeId::new(index)), point))
    });
    let candidates = all.filter_map(|(node, point)| {
        let point = (*point)?;
        let screen_distance = pos2(point.position.x, point.position.y).distance(pointer);
        (screen_distance <= PICK_RADIUS).then_some((node, screen_distance, point.distance))
    });
    // Prefer near nodes: twice the depth costs as much as 5.5 points (8 ln 2) on the screen.
    let cost =
        |screen_distance: f32, distance: f32| screen_distance + 8.0 * distance.max(1e-6).ln();
    let best = candidates.min_by(|a, b| cost(a.1, a.2).total_cmp(&cost(b.1, b.2)));
    best.map(|(node, ..)| node)
}

#[cfg(test)]
mod tests {
    use bevy::{math::Vec2, prelude::Entity};

    use super::*;
    use bevy_mutoscope::stage::ScreenPoint;

    #[test]
    fn nearest_and_frontmost_joint_is_picked() {
        let point = |x: f32, distance| Some(ScreenPoint { position: Vec2::new(x, 0.0), distance });
        let [first, second] = [0, 1].map(|index| Entity::from_raw_u32(index).unwrap());
        let points = [
            (first, vec![None, point(100.0, 2.0), point(110.0, 2.0)]),
            (second, vec![point(101.0, 1.0)]),
        ];
        let screen = StageScreen { points: points.into(), ..StageScreen::default() };
        let pick = |x| nearest_node(&screen, pos2(x, 0.0));
        assert_eq!(pick(111.0), Some(RecordingNode::new(first, NodeId::new(2))));
        assert_eq!(pick(99.0), Some(RecordingNode::new(second, NodeId::new(0))));
        assert_eq!(pick(130.0), None);
    }
}
