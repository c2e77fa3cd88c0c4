//! Names next to nodes in the viewport.

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, pos2, vec2};

use crate::{
    recording::RecordingNode,
    session::OpenRecording,
    stage::TagPoint,
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};
use mutoscope_core::clip::NodeId;

/// How many names are placed at most.
const MOST: usize = 250;

/// A name to be placed.
struct Name<'a> {
    of: &'a OpenRecording<'a>,
    node: NodeId,
    at: Pos2,
    /// Smaller comes first.
    rank: f32,
}

/// Paints the names of the selected and the hovered node, and of all nodes if the view says so or
/// nothing else would distinguish them; of names that would overlap, the one in front.
pub(super) fn paint(
    painter: &Painter,
    model: &Model<'_>,
    viewport: Rect,
    hovered: Option<RecordingNode>,
) {
    let selected = model.view.selected;
    let mut names: Vec<Name<'_>> = Vec::new();
    for of in model.recordings {
        let all = model.view.labels || of.clip().is_loose();
        let points = model.screen.points.get(&of.entity).into_iter().flatten();
        for (index, point) in points.enumerate().take(of.clip().nodes.len()) {
            let (node, Some(point)) = (NodeId::new(index), point) else { continue };
            let here = Some(RecordingNode::new(of.entity, node));
            let rank = if selected == here {
                -2.0
            } else if hovered == here {
                -1.0
            } else if all {
                point.distance
            } else {
                continue;
            };
            names.push(Name { of, node, at: pos2(point.position.x, point.position.y), rank });
        }
    }
    names.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let palette = Palette::over_picture();
    let mut placing = Placing { painter, palette, viewport, taken: Vec::new() };
    for name in names.iter().take(MOST) {
        let clip = name.of.clip();
        let node = &clip.nodes[name.node];
        let is_asked_for = name.rank < 0.0;
        let text =
            if is_asked_for { node.name.as_str() } else { words::short_name(node, &clip.groups) };
        let is_selected = selected == Some(RecordingNode::new(name.of.entity, name.node));
        let color = if is_selected { palette.accent } else { palette.text };
        placing.place(text, name.at, color, is_asked_for);
    }
    let mut tags: Vec<&TagPoint> = model.screen.tags.iter().collect();
    tags.sort_by(|a, b| a.at.distance.total_cmp(&b.at.distance));
    for tag in tags.into_iter().take(MOST) {
        let at = pos2(tag.at.position.x, tag.at.position.y);
        placing.place(&tag.text, at, palette.dim, false);
    }
}

/// Where words have been put, and where there is room for more.
struct Placing<'a> {
    painter: &'a Painter,
    palette: &'a Palette,
    viewport: Rect,
    taken: Vec<Rect>,
}

impl Placing<'_> {
    /// Puts `text` next to `at`, if there is room or it is `asked_for`.
    fn place(&mut self, text: &str, at: Pos2, color: Color32, asked_for: bool) {
        let galley = self.painter.layout_no_wrap(text.to_owned(), small(), color);
        let size = galley.size() + vec2(8.0, 2.0);
        let rect = Rect::from_min_size(at + vec2(9.0, -size.y - 3.0), size);
        let overlaps = self.taken.iter().any(|other| other.intersects(rect.expand(1.0)));
        if (overlaps && !asked_for) || !self.viewport.intersects(rect) {
            return;
        }
        self.taken.push(rect);
        self.painter.rect_filled(rect, 3.0, self.palette.background.gamma_multiply(0.75));
        self.painter.galley(rect.min + vec2(4.0, 1.0), galley, color);
    }
}
