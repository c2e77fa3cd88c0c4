//! Blocks as boxes, by their names and states.
//!
//! | file | what it has |
//! |---|---|
//! | `state` | a block's name and properties; what turns its boxes |
//! | `openings` | doors, trapdoors, gates; levers, buttons, plates |
//! | `partitions` | slabs, stairs, fences, walls, panes |
//! | `lights` | torches, lanterns, candles |
//! | `furniture` | beds, chests and what else is smaller than a block |
//! | `plants` | flowers, crops, ladders, rails |
//! | `used` | doors and levers after they were clicked |
//!
//! Boxes are in sixteenths of a block from the corner with the least coordinates: y upwards, north is
//! −Z.

mod furniture;
mod lights;
mod openings;
mod partitions;
mod plants;
mod state;
#[cfg(test)]
mod tests;
mod used;

use super::{
    colors::color_of,
    shape::{Shape, ShapeBox, darker},
};
use state::State;
pub use used::toggled;

/// The boxes of a block: `minecraft:oak_stairs[facing=east,half=top]`; none if it is invisible.
pub fn shape_of(block: &str) -> Shape {
    let state = State::new(block);
    if state.is_nothing() {
        return Shape::default();
    }
    let color = color_of(block);
    let families =
        [partitions::boxes, openings::boxes, lights::boxes, furniture::boxes, plants::boxes];
    let boxes = families.iter().find_map(|family| family(&state, color));
    boxes.unwrap_or_else(|| whole(&state, color)).into()
}

/// A box from corner to corner.
fn boxed(min: [f32; 3], max: [f32; 3], color: u32) -> ShapeBox {
    ShapeBox::between(min, max, color)
}

/// All of a block; of logs and of grass the ends have another colour.
fn whole(state: &State<'_>, color: u32) -> Vec<ShapeBox> {
    let cube = boxed([0.0; 3], [16.0; 3], color);
    match state.name {
        "grass_block" | "mycelium" | "podzol" => vec![
            boxed([0.0; 3], [16.0, 13.0, 16.0], 0x976d4d),
            boxed([0.0, 13.0, 0.0], [16.0; 3], color),
        ],
        "crafting_table" => vec![
            boxed([0.0; 3], [16.0, 14.0, 16.0], color),
            boxed([0.0, 14.0, 0.0], [16.0; 3], darker(color, 0.35)),
        ],
        "tnt" => vec![
            boxed([0.0; 3], [16.0; 3], 0xd83a2a),
            boxed([-0.1, 5.5, -0.1], [16.1, 10.5, 16.1], 0xf2f2f2),
        ],
        name if name.ends_with("furnace") || matches!(name, "smoker" | "dispenser" | "dropper") => {
            let face = boxed([4.0, 3.0, -0.2], [12.0, 9.0, 1.0], 0x2a2a2a);
            let mut boxes = vec![cube];
            boxes.extend(state.facing_from_north(vec![face]));
            boxes
        }
        name if ["log", "stem"].iter().any(|end| name.ends_with(end)) => log(state, color),
        _ => vec![cube],
    }
}

/// Bark, and rings at both ends.
fn log(state: &State<'_>, color: u32) -> Vec<ShapeBox> {
    let rings = super::shape::mixed(color, 0xe6cf9a, 0.45);
    let (min, max) = match state.get("axis") {
        Some("x") => ([-0.1, 1.5, 1.5], [16.1, 14.5, 14.5]),
        Some("z") => ([1.5, 1.5, -0.1], [14.5, 14.5, 16.1]),
        _ => ([1.5, -0.1, 1.5], [14.5, 16.1, 14.5]),
    };
    vec![boxed([0.0; 3], [16.0; 3], color), boxed(min, max, rings)]
}
