//! Blocks as boxes, by their names and states.
//!
//! | file | what it has |
//! |---|---|
//! | `state` | the name and the properties of a block; rotations of boxes |
//! | `openings` | doors, trapdoors, gates; levers, buttons, plates |
//! | `partitions` | slabs, stairs, fences, walls, panes |
//! | `lights` | torches, lanterns, candles |
//! | `furniture` | beds, chests and other blocks that do not fill their cell |
//! | `plants` | flowers, crops, ladders, rails |
//! | `toggle` | doors and levers after they were clicked |
//!
//! Boxes are in sixteenths of a block from the lowest corner of the block. y points up, north is
//! −Z.

mod furniture;
mod lights;
mod openings;
mod partitions;
mod plants;
mod state;
#[cfg(test)]
mod tests;
mod toggle;

use super::{
    colors::color_of,
    shape::{Shape, ShapeBox, darken},
};
use state::ParsedBlock;
pub use toggle::block_after_clicks;

/// Returns the boxes of a block such as `minecraft:oak_stairs[facing=east,half=top]`. Invisible
/// blocks have no boxes.
pub fn block_shape(block: &str) -> Shape {
    let state = ParsedBlock::new(block);
    if state.is_invisible() {
        return Shape::default();
    }
    let color = color_of(block);
    let families =
        [partitions::boxes, openings::boxes, lights::boxes, furniture::boxes, plants::boxes];
    let boxes = families.iter().find_map(|family| family(&state, color));
    boxes.unwrap_or_else(|| full_block(&state, color)).into()
}

fn colored_box(min: [f32; 3], max: [f32; 3], color: u32) -> ShapeBox {
    ShapeBox::between(min, max, color)
}

fn full_block(state: &ParsedBlock<'_>, color: u32) -> Vec<ShapeBox> {
    let cube = colored_box([0.0; 3], [16.0; 3], color);
    match state.name {
        "grass_block" | "mycelium" | "podzol" => vec![
            colored_box([0.0; 3], [16.0, 13.0, 16.0], 0x976d4d),
            colored_box([0.0, 13.0, 0.0], [16.0; 3], color),
        ],
        "crafting_table" => vec![
            colored_box([0.0; 3], [16.0, 14.0, 16.0], color),
            colored_box([0.0, 14.0, 0.0], [16.0; 3], darken(color, 0.35)),
        ],
        "tnt" => vec![
            colored_box([0.0; 3], [16.0; 3], 0xd83a2a),
            colored_box([-0.1, 5.5, -0.1], [16.1, 10.5, 16.1], 0xf2f2f2),
        ],
        name if name.ends_with("furnace") || matches!(name, "smoker" | "dispenser" | "dropper") => {
            let face = colored_box([4.0, 3.0, -0.2], [12.0, 9.0, 1.0], 0x2a2a2a);
            let mut boxes = vec![cube];
            boxes.extend(state.rotate_to_facing(vec![face]));
            boxes
        }
        name if ["log", "stem"].iter().any(|end| name.ends_with(end)) => log(state, color),
        _ => vec![cube],
    }
}

fn log(state: &ParsedBlock<'_>, color: u32) -> Vec<ShapeBox> {
    let rings = super::shape::mix_colors(color, 0xe6cf9a, 0.45);
    let (min, max) = match state.get("axis") {
        Some("x") => ([-0.1, 1.5, 1.5], [16.1, 14.5, 14.5]),
        Some("z") => ([1.5, 1.5, -0.1], [14.5, 14.5, 16.1]),
        _ => ([1.5, -0.1, 1.5], [14.5, 16.1, 14.5]),
    };
    vec![colored_box([0.0; 3], [16.0; 3], color), colored_box(min, max, rings)]
}
