//! Beds, chests and other blocks that do not fill their cell.

use super::{
    super::shape::{Rgb, ShapeBox, darken},
    colored_box,
    state::ParsedBlock,
};

pub(super) fn boxes(state: &ParsedBlock<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    let low = |height: f32| vec![colored_box([0.0; 3], [16.0, height, 16.0], color)];
    Some(match state.name {
        name if name.ends_with("_bed") => bed(state, color),
        name if name.ends_with("chest") => chest(state, color),
        name if name.ends_with("carpet") => low(1.0),
        "snow" => low(2.0 * state.clamped_integer("layers", [1, 8]).unwrap_or(1.0)),
        "farmland" | "dirt_path" | "grass_path" => low(15.0),
        "enchanting_table" => low(12.0),
        "repeater" | "comparator" => low(2.0),
        "daylight_detector" => low(6.0),
        "lily_pad" => low(1.5),
        "water" | "lava" => {
            let is_falling =
                state.clamped_integer("level", [0, 15]).is_some_and(|level| level >= 8.0);
            low(if is_falling { 16.0 } else { 14.0 })
        }
        name if name.ends_with("anvil") => anvil(state, color),
        "cactus" => vec![colored_box([1.0, 0.0, 1.0], [15.0, 16.0, 15.0], color)],
        "cake" => {
            let eaten = state.clamped_integer("bites", [0, 6]).unwrap_or(0.0);
            let left = 1.0 + 2.0 * eaten;
            vec![
                colored_box([left, 0.0, 1.0], [15.0, 8.0, 15.0], 0xf5efe6),
                colored_box([left - 0.1, 0.1, 0.9], [15.1, 4.0, 15.1], 0xb5743b),
            ]
        }
        name if name == "flower_pot" || name.starts_with("potted_") => {
            vec![colored_box([5.0, 0.0, 5.0], [11.0, 6.0, 11.0], 0x8a4a38)]
        }
        name if name.ends_with("wall_sign") => {
            let board = vec![colored_box([0.0, 4.5, 14.0], [16.0, 12.5, 16.0], color)];
            state.rotate_to_facing(board)
        }
        name if name.ends_with("sign") => sign(state, color),
        name if is_head(name) => {
            vec![colored_box([4.0, 0.0, 4.0], [12.0, 8.0, 12.0], 0xb9a88f)]
        }
        _ => return None,
    })
}

fn is_head(name: &str) -> bool {
    name.ends_with("_head") && !name.starts_with("piston") || name.ends_with("_skull")
}

/// Builds a half of a bed. If the bed faces north, its head is in the north: the legs of the foot
/// half are at the south edge, and those of the head half are at the north edge.
fn bed(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    const WOOD: Rgb = 0x8f7748;
    let is_head = state.get("part") == Some("head");
    let z = if is_head { 0.0 } else { 13.0 };
    let leg = |x: f32| colored_box([x, 0.0, z], [x + 3.0, 3.0, z + 3.0], WOOD);
    let mut boxes = vec![
        colored_box([0.0, 3.0, 0.0], [16.0, 9.0, 16.0], color),
        leg(0.0),
        leg(13.0),
        colored_box([-0.05, 2.95, -0.05], [16.05, 5.0, 16.05], WOOD),
    ];
    if is_head {
        boxes.push(colored_box([1.0, 8.0, 1.0], [15.0, 10.0, 7.0], 0xf2f2ee));
        boxes.push(colored_box([0.0, 8.9, 8.0], [16.0, 9.3, 16.0], darken(color, 0.12)));
    }
    state.rotate_to_facing(boxes)
}

/// Builds a chest. If the chest is half of a double chest, it extends to the edge of its cell where
/// the other half begins.
fn chest(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let color = if state.name.starts_with("ender") { 0x2a3a3c } else { color };
    let (min, max) = match state.get("type") {
        Some("left") => (1.0, 16.0),
        Some("right") => (0.0, 15.0),
        _ => (1.0, 15.0),
    };
    let lock = match state.get("type") {
        Some("left") => 15.0,
        Some("right") => 0.0,
        _ => 7.0,
    };
    let boxes = vec![
        colored_box([min, 0.0, 1.0], [max, 14.0, 15.0], color),
        colored_box([min - 0.05, 9.0, 0.95], [max + 0.05, 9.8, 15.05], darken(color, 0.5)),
        colored_box(
            [lock, 7.0, 0.0],
            [lock + if lock == 7.0 { 2.0 } else { 1.0 }, 11.0, 1.0],
            0xcfcfcf,
        ),
    ];
    state.rotate_to_facing(boxes)
}

fn anvil(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let boxes = vec![
        colored_box([2.0, 0.0, 2.0], [14.0, 4.0, 14.0], color),
        colored_box([4.0, 4.0, 3.0], [12.0, 5.0, 13.0], color),
        colored_box([6.0, 5.0, 4.0], [10.0, 10.0, 12.0], color),
        colored_box([3.0, 10.0, 0.0], [13.0, 16.0, 16.0], color),
    ];
    state.rotate_to_facing(boxes)
}

/// Builds a sign on a post. The property `rotation` is the direction that the sign faces, clockwise
/// from the south in sixteenths of a turn.
fn sign(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let sixteenths = state.clamped_integer("rotation", [0, 15]).unwrap_or(0.0);
    let turn = glam::Quat::from_rotation_y(-sixteenths * std::f32::consts::TAU / 16.0);
    let board = colored_box([0.0, 9.0, 7.0], [16.0, 17.0, 9.0], color);
    vec![
        colored_box([7.0, 0.0, 7.0], [9.0, 9.0, 9.0], darken(color, 0.3)),
        board.rotated_about(turn, [8.0, 8.0, 8.0]),
    ]
}
