//! Doors, trapdoors, gates, levers, buttons and pressure plates.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::Quat;

use super::{
    super::shape::{Rgb, ShapeBox, darken},
    colored_box,
    state::{ParsedBlock, flip_vertically, rotate_quarter_turns},
};

pub(super) fn boxes(state: &ParsedBlock<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if name.ends_with("trapdoor") => trapdoor(state, color),
        name if name.ends_with("door") => door(state, color),
        name if name.ends_with("fence_gate") => gate(state, color),
        name if name.ends_with("button") => button(state, color),
        "lever" => lever(state),
        name if name.ends_with("pressure_plate") => {
            let is_pressed =
                state.is_true("powered") || state.clamped_integer("power", [0, 15]) > Some(0.0);
            let height = if is_pressed { 0.5 } else { 1.0 };
            vec![colored_box([1.0, 0.0, 1.0], [15.0, height, 15.0], color)]
        }
        _ => return None,
    })
}

/// Builds a door. A door faces away from the player who placed it, and its closed panel is on the
/// side of the player. For example, the panel of a door that faces east is at the west edge.
fn door(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let is_upper = state.get("half") == Some("upper");
    let is_right = state.get("hinge") == Some("right");
    let mut boxes = vec![colored_box([0.0; 3], [3.0, 16.0, 16.0], color)];
    // The handle is at the edge opposite to the hinge.
    let handle = if is_right { 1.5 } else { 12.5 };
    let (dark, metal) = (darken(color, 0.35), 0x3c3c40);
    if is_upper {
        boxes.push(colored_box([-0.1, 6.0, 3.0], [3.1, 13.0, 7.0], dark));
        boxes.push(colored_box([-0.1, 6.0, 9.0], [3.1, 13.0, 13.0], dark));
    } else {
        boxes.push(colored_box([-0.6, 13.0, handle], [3.6, 15.0, handle + 2.0], metal));
        boxes.push(colored_box([-0.1, 3.0, 3.0], [3.1, 11.0, 13.0], dark));
    }
    let turn = match (state.is_true("open"), is_right) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 3,
    };
    // The boxes are those of a door that faces east. Three quarter turns make the door face north.
    rotate_quarter_turns(boxes, state.facing_quarter_turns() + 3 + turn)
}

fn trapdoor(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    if state.is_true("open") {
        let boxes = vec![
            colored_box([0.0, 0.0, 13.0], [16.0; 3], color),
            colored_box([3.0, 3.0, 12.9], [13.0, 13.0, 16.1], darken(color, 0.35)),
        ];
        return state.rotate_to_facing(boxes);
    }
    let boxes = vec![
        colored_box([0.0; 3], [16.0, 3.0, 16.0], color),
        colored_box([3.0, -0.1, 3.0], [13.0, 3.1, 13.0], darken(color, 0.35)),
    ];
    if state.get("half") == Some("top") { flip_vertically(boxes) } else { boxes }
}

fn gate(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let mut boxes = vec![
        colored_box([0.0, 5.0, 7.0], [2.0, 16.0, 9.0], color),
        colored_box([14.0, 5.0, 7.0], [16.0, 16.0, 9.0], color),
    ];
    if state.is_true("open") {
        // Both wings of an open gate point in the direction in which the gate faces.
        for x in [0.0, 14.0] {
            boxes.push(colored_box([x, 6.0, 1.0], [x + 2.0, 9.0, 7.0], color));
            boxes.push(colored_box([x, 12.0, 1.0], [x + 2.0, 15.0, 7.0], color));
            boxes.push(colored_box([x, 9.0, 1.0], [x + 2.0, 12.0, 3.0], color));
        }
    } else {
        boxes.push(colored_box([2.0, 6.0, 7.0], [14.0, 9.0, 9.0], color));
        boxes.push(colored_box([2.0, 12.0, 7.0], [14.0, 15.0, 9.0], color));
        boxes.push(colored_box([6.0, 9.0, 7.0], [10.0, 12.0, 9.0], color));
    }
    state.rotate_to_facing(boxes)
}

fn button(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let high = if state.is_true("powered") { 1.0 } else { 2.0 };
    let boxes = match state.get("face") {
        Some("wall") => vec![colored_box([5.0, 6.0, 16.0 - high], [11.0, 10.0, 16.0], color)],
        Some("ceiling") => vec![colored_box([5.0, 16.0 - high, 6.0], [11.0, 16.0, 10.0], color)],
        _ => vec![colored_box([5.0, 0.0, 6.0], [11.0, high, 10.0], color)],
    };
    state.rotate_to_facing(boxes)
}

fn lever(state: &ParsedBlock<'_>) -> Vec<ShapeBox> {
    const STONE: Rgb = 0x707070;
    const STICK: Rgb = 0x8f7748;
    let lean = if state.is_true("powered") { FRAC_PI_4 } else { -FRAC_PI_4 };
    let foot = [8.0, 1.0, 8.0];
    let stick = colored_box([7.0, 1.0, 7.0], [9.0, 11.0, 9.0], STICK);
    let boxes = vec![
        colored_box([5.0, 0.0, 4.0], [11.0, 3.0, 12.0], STONE),
        stick.rotated_about(Quat::from_rotation_x(lean), foot),
    ];
    let boxes = match state.get("face") {
        Some("wall") => tilt_about_centre(boxes, FRAC_PI_2),
        Some("ceiling") => tilt_about_centre(boxes, 2.0 * FRAC_PI_2),
        _ => boxes,
    };
    state.rotate_to_facing(boxes)
}

fn tilt_about_centre(boxes: Vec<ShapeBox>, angle: f32) -> Vec<ShapeBox> {
    let turn = Quat::from_rotation_x(-angle);
    let middle = glam::Vec3::splat(8.0);
    let tilt = |shape_box: ShapeBox| {
        // Also rotate the pivot about the centre, because each box has a rotation of its own about
        // its pivot.
        let about = middle + turn * (shape_box.pivot - middle);
        let by = about - shape_box.pivot;
        ShapeBox {
            min: shape_box.min + by,
            max: shape_box.max + by,
            pivot: about,
            rotation: turn * shape_box.rotation,
            ..shape_box
        }
    };
    boxes.into_iter().map(tilt).collect()
}
