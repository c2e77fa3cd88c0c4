//! Slabs, stairs, fences, walls and panes.

use super::{
    super::shape::{Rgb, ShapeBox},
    colored_box,
    state::{ParsedBlock, flip_vertically, rotate_quarter_turns},
};

pub(super) fn boxes(state: &ParsedBlock<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if name.ends_with("slab") => slab(state, color),
        name if name.ends_with("stairs") => stairs(state, color),
        name if name.ends_with("fence") => fence(state, color),
        name if name.ends_with("_wall") => wall(state, color),
        name if name.ends_with("pane") || name.ends_with("bars") => pane(state, color),
        _ => return None,
    })
}

fn slab(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let (low, high) = match state.get("type") {
        Some("top") => (8.0, 16.0),
        Some("double") => (0.0, 16.0),
        _ => (0.0, 8.0),
    };
    vec![colored_box([0.0, low, 0.0], [16.0, high, 16.0], color)]
}

/// Builds stairs. Stairs face in the direction of their high half.
fn stairs(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let upper = |min: [f32; 2], max: [f32; 2]| {
        colored_box([min[0], 8.0, min[1]], [max[0], 16.0, max[1]], color)
    };
    // The boxes are those of stairs that face east.
    let mut boxes = vec![colored_box([0.0; 3], [16.0, 8.0, 16.0], color)];
    match state.get("shape") {
        Some("outer_right") => boxes.push(upper([8.0, 8.0], [16.0, 16.0])),
        Some("outer_left") => boxes.push(upper([8.0, 0.0], [16.0, 8.0])),
        shape => {
            boxes.push(upper([8.0, 0.0], [16.0, 16.0]));
            match shape {
                Some("inner_right") => boxes.push(upper([0.0, 8.0], [8.0, 16.0])),
                Some("inner_left") => boxes.push(upper([0.0, 0.0], [8.0, 8.0])),
                _ => {}
            }
        }
    }
    // Three quarter turns make the stairs face north.
    let boxes = rotate_quarter_turns(boxes, state.facing_quarter_turns() + 3);
    if state.get("half") == Some("top") { flip_vertically(boxes) } else { boxes }
}

fn fence(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let mut boxes = vec![colored_box([6.0, 0.0, 6.0], [10.0, 16.0, 10.0], color)];
    boxes.extend(state.boxes_of_sides(|value| match value {
        "true" => vec![
            colored_box([7.0, 12.0, 0.0], [9.0, 15.0, 9.0], color),
            colored_box([7.0, 6.0, 0.0], [9.0, 9.0, 9.0], color),
        ],
        _ => Vec::new(),
    }));
    boxes
}

fn wall(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let mut boxes = Vec::new();
    let sides = state.boxes_of_sides(|value| match value {
        "low" | "true" => vec![colored_box([5.0, 0.0, 0.0], [11.0, 14.0, 8.0], color)],
        "tall" => vec![colored_box([5.0, 0.0, 0.0], [11.0, 16.0, 8.0], color)],
        _ => Vec::new(),
    });
    if state.get("up") != Some("false") || sides.is_empty() {
        boxes.push(colored_box([4.0, 0.0, 4.0], [12.0, 16.0, 12.0], color));
    }
    boxes.extend(sides);
    boxes
}

fn pane(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let mut boxes = vec![colored_box([7.0, 0.0, 7.0], [9.0, 16.0, 9.0], color)];
    boxes.extend(state.boxes_of_sides(|value| match value {
        "true" => vec![colored_box([7.0, 0.0, 0.0], [9.0, 16.0, 7.0], color)],
        _ => Vec::new(),
    }));
    boxes
}
