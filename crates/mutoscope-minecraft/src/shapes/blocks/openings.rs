//! Doors, trapdoors and gates; levers, buttons and plates.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::Quat;

use super::{
    super::shape::{Rgb, ShapeBox, darker},
    boxed,
    state::{State, quarters, upside_down},
};

pub(super) fn boxes(state: &State<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if name.ends_with("trapdoor") => trapdoor(state, color),
        name if name.ends_with("door") => door(state, color),
        name if name.ends_with("fence_gate") => gate(state, color),
        name if name.ends_with("button") => button(state, color),
        "lever" => lever(state),
        name if name.ends_with("pressure_plate") => {
            let is_pressed = state.is("powered") || state.number("power", [0, 15]) > Some(0.0);
            let height = if is_pressed { 0.5 } else { 1.0 };
            vec![boxed([1.0, 0.0, 1.0], [15.0, height, 15.0], color)]
        }
        _ => return None,
    })
}

/// Closed and facing east it is at the west edge: the side that one comes from.
fn door(state: &State<'_>, color: Rgb) -> Vec<ShapeBox> {
    let is_upper = state.get("half") == Some("upper");
    let is_right = state.get("hinge") == Some("right");
    let mut boxes = vec![boxed([0.0; 3], [3.0, 16.0, 16.0], color)];
    // Seen from the outside, the handle is away from the hinge.
    let handle = if is_right { 1.5 } else { 12.5 };
    let (dark, metal) = (darker(color, 0.35), 0x3c3c40);
    if is_upper {
        boxes.push(boxed([-0.1, 6.0, 3.0], [3.1, 13.0, 7.0], dark));
        boxes.push(boxed([-0.1, 6.0, 9.0], [3.1, 13.0, 13.0], dark));
    } else {
        boxes.push(boxed([-0.6, 13.0, handle], [3.6, 15.0, handle + 2.0], metal));
        boxes.push(boxed([-0.1, 3.0, 3.0], [3.1, 11.0, 13.0], dark));
    }
    let turn = match (state.is("open"), is_right) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 3,
    };
    // From east to north are three quarters.
    quarters(boxes, state.quarters_from_north() + 3 + turn)
}

fn trapdoor(state: &State<'_>, color: Rgb) -> Vec<ShapeBox> {
    if state.is("open") {
        let boxes = vec![
            boxed([0.0, 0.0, 13.0], [16.0; 3], color),
            boxed([3.0, 3.0, 12.9], [13.0, 13.0, 16.1], darker(color, 0.35)),
        ];
        return state.facing_from_north(boxes);
    }
    let boxes = vec![
        boxed([0.0; 3], [16.0, 3.0, 16.0], color),
        boxed([3.0, -0.1, 3.0], [13.0, 3.1, 13.0], darker(color, 0.35)),
    ];
    if state.get("half") == Some("top") { upside_down(boxes) } else { boxes }
}

fn gate(state: &State<'_>, color: Rgb) -> Vec<ShapeBox> {
    let mut boxes = vec![
        boxed([0.0, 5.0, 7.0], [2.0, 16.0, 9.0], color),
        boxed([14.0, 5.0, 7.0], [16.0, 16.0, 9.0], color),
    ];
    if state.is("open") {
        // Both wings away from who opens it: towards where it faces.
        for x in [0.0, 14.0] {
            boxes.push(boxed([x, 6.0, 1.0], [x + 2.0, 9.0, 7.0], color));
            boxes.push(boxed([x, 12.0, 1.0], [x + 2.0, 15.0, 7.0], color));
            boxes.push(boxed([x, 9.0, 1.0], [x + 2.0, 12.0, 3.0], color));
        }
    } else {
        boxes.push(boxed([2.0, 6.0, 7.0], [14.0, 9.0, 9.0], color));
        boxes.push(boxed([2.0, 12.0, 7.0], [14.0, 15.0, 9.0], color));
        boxes.push(boxed([6.0, 9.0, 7.0], [10.0, 12.0, 9.0], color));
    }
    state.facing_from_north(boxes)
}

fn button(state: &State<'_>, color: Rgb) -> Vec<ShapeBox> {
    let high = if state.is("powered") { 1.0 } else { 2.0 };
    let boxes = match state.get("face") {
        Some("wall") => vec![boxed([5.0, 6.0, 16.0 - high], [11.0, 10.0, 16.0], color)],
        Some("ceiling") => vec![boxed([5.0, 16.0 - high, 6.0], [11.0, 16.0, 10.0], color)],
        _ => vec![boxed([5.0, 0.0, 6.0], [11.0, high, 10.0], color)],
    };
    state.facing_from_north(boxes)
}

fn lever(state: &State<'_>) -> Vec<ShapeBox> {
    const STONE: Rgb = 0x707070;
    const STICK: Rgb = 0x8f7748;
    let lean = if state.is("powered") { FRAC_PI_4 } else { -FRAC_PI_4 };
    let foot = [8.0, 1.0, 8.0];
    let stick = boxed([7.0, 1.0, 7.0], [9.0, 11.0, 9.0], STICK);
    let boxes = vec![
        boxed([5.0, 0.0, 4.0], [11.0, 3.0, 12.0], STONE),
        stick.turned(Quat::from_rotation_x(lean), foot),
    ];
    let boxes = match state.get("face") {
        Some("wall") => tilted(boxes, FRAC_PI_2),
        Some("ceiling") => tilted(boxes, 2.0 * FRAC_PI_2),
        _ => boxes,
    };
    state.facing_from_north(boxes)
}

/// Boxes of the floor turned onto the south wall, or the ceiling, about the block's middle.
fn tilted(boxes: Vec<ShapeBox>, angle: f32) -> Vec<ShapeBox> {
    let turn = Quat::from_rotation_x(-angle);
    let middle = glam::Vec3::splat(8.0);
    let tilt = |one: ShapeBox| {
        // Turned about its own point first, then about the middle.
        let about = middle + turn * (one.about - middle);
        let by = about - one.about;
        ShapeBox {
            min: one.min + by,
            max: one.max + by,
            about,
            rotation: turn * one.rotation,
            ..one
        }
    };
    boxes.into_iter().map(tilt).collect()
}
