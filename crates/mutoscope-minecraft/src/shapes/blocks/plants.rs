//! Flowers, crops, ladders, rails and other flat blocks.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::Quat;

use super::{
    super::shape::{Rgb, ShapeBox},
    colored_box,
    state::ParsedBlock,
};

/// Half the thickness of the sheets of plants, in sixteenths of a block. In the game, these sheets
/// have no thickness.
const SHEET_HALF_THICKNESS: f32 = 0.12;

const GREEN: Rgb = 0x3f8a2e;

const CROSSED_PLANT_ENDINGS: [&str; 34] = [
    "sapling",
    "propagule",
    "poppy",
    "dandelion",
    "tulip",
    "orchid",
    "allium",
    "azure_bluet",
    "daisy",
    "cornflower",
    "lily_of_the_valley",
    "wither_rose",
    "torchflower",
    "short_grass",
    "tall_grass",
    "fern",
    "dead_bush",
    "brown_mushroom",
    "red_mushroom",
    "cobweb",
    "sugar_cane",
    "crimson_fungus",
    "warped_fungus",
    "roots",
    "sprouts",
    "lilac",
    "rose_bush",
    "peony",
    "sunflower",
    "seagrass",
    "kelp",
    "kelp_plant",
    "berry_bush",
    "closed_eyeblossom",
];

const CROPS: [&str; 5] = ["wheat", "carrots", "potatoes", "beetroots", "nether_wart"];

pub(super) fn boxes(state: &ParsedBlock<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if CROPS.contains(&name) => crops(state, color),
        // In older versions, `short_grass` is called `grass`.
        "grass" => cross(color, color),
        name if CROSSED_PLANT_ENDINGS.iter().any(|end| name.ends_with(end)) => plant(state, color),
        "fire" | "soul_fire" => cross(0xffa62e, 0xffd27f),
        "ladder" => {
            let boxes = vec![
                colored_box([2.0, 0.0, 15.0], [4.0, 16.0, 16.0], color),
                colored_box([12.0, 0.0, 15.0], [14.0, 16.0, 16.0], color),
                rung(1.5, color),
                rung(5.5, color),
                rung(9.5, color),
                rung(13.5, color),
            ];
            state.rotate_to_facing(boxes)
        }
        "vine" | "glow_lichen" | "sculk_vein" => state.boxes_of_sides(|value| match value {
            "true" => {
                vec![colored_box([0.0, 0.0, 0.6], [16.0, 16.0, 0.6 + SHEET_HALF_THICKNESS], color)]
            }
            _ => Vec::new(),
        }),
        name if name.ends_with("rail") => rail(state),
        "redstone_wire" => vec![colored_box([3.0, 0.0, 3.0], [13.0, 0.4, 13.0], 0xc81e1e)],
        _ => return None,
    })
}

fn rung(y: f32, color: Rgb) -> ShapeBox {
    colored_box([1.0, y, 15.2], [15.0, y + 1.5, 15.8], color)
}

fn cross(lower: Rgb, upper: Rgb) -> Vec<ShapeBox> {
    // The sheets are diagonals that extend from 0.8 to 15.2 along x and z. Half of a diagonal is
    // 7.2 · √2 long.
    let half = 7.2 * std::f32::consts::SQRT_2;
    let sheet = |low: f32, high: f32, color: Rgb, turn: f32| {
        colored_box(
            [8.0 - half, low, 8.0 - SHEET_HALF_THICKNESS],
            [8.0 + half, high, 8.0 + SHEET_HALF_THICKNESS],
            color,
        )
        .rotated_about(Quat::from_rotation_y(turn), [8.0; 3])
    };
    let both = [FRAC_PI_4, -FRAC_PI_4];
    let sheets =
        both.iter().flat_map(|&turn| [sheet(0.0, 9.0, lower, turn), sheet(9.0, 16.0, upper, turn)]);
    sheets.collect()
}

fn plant(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    const GRASSY: [&str; 8] =
        ["grass", "fern", "sapling", "cane", "cobweb", "seagrass", "kelp", "dead_bush"];
    if GRASSY.iter().any(|grassy| state.name.contains(grassy)) {
        return cross(color, color);
    }
    let stem = |turn: f32| {
        colored_box(
            [4.0, 0.0, 8.0 - SHEET_HALF_THICKNESS],
            [12.0, 6.0, 8.0 + SHEET_HALF_THICKNESS],
            GREEN,
        )
        .rotated_about(Quat::from_rotation_y(turn), [8.0; 3])
    };
    let petal = |turn: f32| {
        colored_box(
            [4.5, 8.0, 8.0 - SHEET_HALF_THICKNESS],
            [11.5, 14.0, 8.0 + SHEET_HALF_THICKNESS],
            color,
        )
        .rotated_about(Quat::from_rotation_y(turn), [8.0; 3])
    };
    vec![
        colored_box([7.4, 0.0, 7.4], [8.6, 9.0, 8.6], GREEN),
        stem(FRAC_PI_4),
        stem(FRAC_PI_4 + FRAC_PI_2),
        petal(FRAC_PI_4),
        petal(FRAC_PI_4 + FRAC_PI_2),
    ]
}

fn crops(state: &ParsedBlock<'_>, color: Rgb) -> Vec<ShapeBox> {
    let max = if matches!(state.name, "beetroots" | "nether_wart") { 3.0 } else { 7.0 };
    let age = state.clamped_integer("age", [0, 7]).unwrap_or(max).min(max);
    let grown = age / max;
    let height = 3.0 + 12.0 * grown;
    let color = super::super::shape::mix_colors(GREEN, color, grown * grown);
    [4.0, 12.0]
        .into_iter()
        .flat_map(|at| {
            [
                colored_box(
                    [at - SHEET_HALF_THICKNESS, -1.0, 0.0],
                    [at + SHEET_HALF_THICKNESS, height, 16.0],
                    color,
                ),
                colored_box(
                    [0.0, -1.0, at - SHEET_HALF_THICKNESS],
                    [16.0, height, at + SHEET_HALF_THICKNESS],
                    color,
                ),
            ]
        })
        .collect()
}

fn rail(state: &ParsedBlock<'_>) -> Vec<ShapeBox> {
    const IRON: Rgb = 0xb5b5b5;
    const WOOD: Rgb = 0x7a5c38;
    let mut boxes: Vec<_> = [1.0, 5.0, 9.0, 13.0]
        .map(|z| colored_box([1.0, 0.0, z], [15.0, 0.6, z + 2.0], WOOD))
        .into();
    boxes.push(colored_box([2.0, 0.4, 0.0], [4.0, 1.0, 16.0], IRON));
    boxes.push(colored_box([12.0, 0.4, 0.0], [14.0, 1.0, 16.0], IRON));
    let shape = state.get("shape").unwrap_or("north_south");
    let quarters = match shape {
        "east_west" | "ascending_east" => 1,
        "ascending_south" => 2,
        "ascending_west" => 3,
        _ => 0,
    };
    if shape.starts_with("ascending") {
        // Stretch the rails to the length of the slope, and rotate them so that they rise by one
        // block towards the north.
        let slope = Quat::from_rotation_x(FRAC_PI_4);
        let stretched = |shape_box: ShapeBox| {
            let stretch = |z: f32| 16.0 + (z - 16.0) * std::f32::consts::SQRT_2;
            let (min, max) = (shape_box.min, shape_box.max);
            ShapeBox {
                min: min.with_z(stretch(min.z)),
                max: max.with_z(stretch(max.z)),
                ..shape_box
            }
            .rotated_about(slope, [8.0, 0.0, 16.0])
        };
        boxes = boxes.into_iter().map(stretched).collect();
    }
    super::state::rotate_quarter_turns(boxes, quarters)
}
