//! Names beside what they name.

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, pos2, vec2};

use crate::{
    clip::{Clip, NodeId},
    ui::{
        Model,
        style::{Palette, small},
        words,
    },
};

/// How many names are placed at most.
const MOST: usize = 250;

/// A name to be placed.
struct Name {
    node: NodeId,
    at: Pos2,
    /// Smaller comes first.
    rank: f32,
}

/// Paints the names of what is selected, of what the pointer is on, and of everything if the view
/// says so; of names that would overlap, the one in front.
pub(super) fn paint(
    painter: &Painter,
    model: &Model<'_>,
    clip: &Clip,
    picture: Rect,
    hovered: Option<NodeId>,
) {
    let selected = model.view.selected;
    let mut names: Vec<Name> = Vec::new();
    for (index, point) in model.screen.points.iter().enumerate().take(clip.nodes.len()) {
        let (node, Some(point)) = (NodeId::new(index), point) else { continue };
        let rank = if selected == Some(node) {
            -2.0
        } else if hovered == Some(node) {
            -1.0
        } else if model.view.labels {
            point.distance
        } else {
            continue;
        };
        names.push(Name { node, at: pos2(point.position.x, point.position.y), rank });
    }
    names.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let palette = Palette::over_picture();
    let mut taken: Vec<Rect> = Vec::new();
    for name in names.iter().take(MOST) {
        let is_selected = selected == Some(name.node);
        let node = &clip.nodes[name.node];
        let text = if name.rank < 0.0 {
            node.name.as_str()
        } else {
            words::short_name(node, &clip.groups)
        };
        let color = if is_selected { palette.accent } else { palette.text };
        place(painter, palette, text, name, color, picture, &mut taken);
    }
}

fn place(
    painter: &Painter,
    palette: &Palette,
    text: &str,
    name: &Name,
    color: Color32,
    picture: Rect,
    taken: &mut Vec<Rect>,
) {
    let galley = painter.layout_no_wrap(text.to_owned(), small(), color);
    let size = galley.size() + vec2(8.0, 2.0);
    let rect = Rect::from_min_size(name.at + vec2(9.0, -size.y - 3.0), size);
    let overlaps = taken.iter().any(|other| other.intersects(rect.expand(1.0)));
    if (overlaps && name.rank >= 0.0) || !picture.intersects(rect) {
        return;
    }
    taken.push(rect);
    painter.rect_filled(rect, 3.0, palette.background.gamma_multiply(0.75));
    painter.galley(rect.min + vec2(4.0, 1.0), galley, color);
}
