//! Shows names next to nodes in the viewport.

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, pos2, vec2};

use crate::{
    session::OpenRecording,
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use bevy_mutoscope::{RecordingNode, stage::TagPoint};
use mutoscope_core::clip::NodeId;

const MAX_NAMES: usize = 250;

struct Name<'a> {
    recording: &'a OpenRecording<'a>,
    node: NodeId,
    position: Pos2,
    rank: f32,
}

/// Paints the names of the selected and the hovered node. Paints the names of all nodes if the view
/// option is on. Rigid bodies have names unless the option is on, because nothing else distinguishes
/// them. If names would overlap, the one in front is painted.
pub(super) fn paint_names(
    painter: &Painter,
    palette: &Palette,
    model: &Model<'_>,
    viewport: Rect,
    hovered: Option<RecordingNode>,
) {
    let selected = model.view.selected;
    let mut names: Vec<Name<'_>> = Vec::new();
    for recording in model.recordings {
        let all = model.view.labels != recording.clip().has_only_rigid_bodies();
        let points = model.screen.points.get(&recording.entity).into_iter().flatten();
        for (index, point) in points.enumerate().take(recording.clip().nodes.len()) {
            let (node, Some(point)) = (NodeId::new(index), point) else { continue };
            let this_node = Some(RecordingNode::new(recording.entity, node));
            let rank = if selected == this_node {
                -2.0
            } else if hovered == this_node {
                -1.0
            } else if all {
                point.distance
            } else {
                continue;
            };
            names.push(Name {
                recording,
                node,
                position: pos2(point.position.x, point.position.y),
                rank,
            });
        }
    }
    names.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let mut placer = NamePlacer { painter, palette, viewport, occupied: Vec::new() };
    for name in names.iter().take(MAX_NAMES) {
        let clip = name.recording.clip();
        let node = &clip.nodes[name.node];
        let is_forced = name.rank < 0.0;
        let text = if is_forced {
            node.name.as_str()
        } else {
            display_text::short_name(node, &clip.groups)
        };
        let is_selected = selected == Some(RecordingNode::new(name.recording.entity, name.node));
        let color = if is_selected { palette.accent } else { palette.text };
        placer.paint_name(text, name.position, color, is_forced);
    }
    let mut tags: Vec<&TagPoint> = model.screen.tags.iter().collect();
    tags.sort_by(|a, b| a.point.distance.total_cmp(&b.point.distance));
    for tag in tags.into_iter().take(MAX_NAMES) {
        let position = pos2(tag.point.position.x, tag.point.position.y);
        placer.paint_name(&tag.text, position, palette.dim, false);
    }
}

struct NamePlacer<'a> {
    painter: &'a Painter,
    palette: &'a Palette,
    viewport: Rect,
    occupied: Vec<Rect>,
}

impl NamePlacer<'_> {
    fn paint_name(&mut self, text: &str, position: Pos2, color: Color32, is_forced: bool) {
        let galley = self.painter.layout_no_wrap(text.to_owned(), small_font(), color);
        let size = galley.size() + vec2(8.0, 2.0);
        let rect = Rect::from_min_size(position + vec2(9.0, -size.y - 3.0), size);
        let overlaps = self.occupied.iter().any(|other| other.intersects(rect.expand(1.0)));
        if (overlaps && !is_forced) || !self.viewport.intersects(rect) {
            return;
        }
        self.occupied.push(rect);
        self.painter.rect_filled(rect, 3.0, self.palette.background);
        self.painter.galley(rect.min + vec2(4.0, 1.0), galley, color);
    }
}
