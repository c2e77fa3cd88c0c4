//! Boats, rafts and minecarts, at the size of the game's models. The height of a model above the
//! entity's position is included in the boxes.

use super::{
    super::shape::{Rgb, darken},
    figure::{Creature, Joint},
};

const METAL: Rgb = 0x6f7377;

pub(super) fn boat(wood: Rgb, has_chest: bool) -> Creature {
    let (floor, side) = (darken(wood, 0.25), wood);
    let mut boxes = vec![
        ([-8.0, 0.0, -14.0], [16.0, 3.0, 28.0], floor),
        ([-10.0, 3.0, -14.0], [2.0, 6.0, 28.0], side),
        ([8.0, 3.0, -14.0], [2.0, 6.0, 28.0], side),
        ([-8.0, 3.0, -16.0], [16.0, 6.0, 2.0], side),
        ([-9.0, 3.0, 14.0], [18.0, 6.0, 2.0], side),
    ];
    if has_chest {
        boxes.extend(chest(3.0));
    }
    let paddle = [
        ([10.0, 7.0, -2.0], [1.2, 1.2, 10.0], darken(wood, 0.1)),
        ([10.2, 4.0, 6.0], [0.8, 5.0, 6.0], darken(wood, 0.1)),
    ];
    Creature::new().with_part(Joint::Body, [0.0; 3], &boxes).with_mirrored_parts(
        |_| Joint::Body,
        [10.0, 7.0, 0.0],
        &paddle,
    )
}

pub(super) fn raft(wood: Rgb, has_chest: bool) -> Creature {
    let mut boxes = vec![
        ([-10.0, 0.0, -14.0], [20.0, 4.0, 28.0], wood),
        ([-10.1, 4.0, -10.0], [20.2, 2.0, 3.0], darken(wood, 0.3)),
        ([-10.1, 4.0, 7.0], [20.2, 2.0, 3.0], darken(wood, 0.3)),
    ];
    if has_chest {
        boxes.extend(chest(4.0));
    }
    Creature::new().with_part(Joint::Body, [0.0; 3], &boxes)
}

fn chest(floor: f32) -> [([f32; 3], [f32; 3], Rgb); 3] {
    const WOOD: Rgb = 0xa5712b;
    [
        ([-6.0, floor, 2.0], [12.0, 6.0, 12.0], WOOD),
        ([-6.0, floor + 6.2, 2.0], [12.0, 3.0, 12.0], WOOD),
        ([-1.0, floor + 4.0, 1.0], [2.0, 4.0, 1.0], 0xcfcfcf),
    ]
}

pub(super) fn minecart(load: Option<Rgb>) -> Creature {
    let (floor, side) = (darken(METAL, 0.35), METAL);
    let mut boxes = vec![
        ([-8.0, 1.0, -10.0], [16.0, 2.0, 20.0], floor),
        ([-8.0, 3.0, -10.0], [2.0, 8.0, 20.0], side),
        ([6.0, 3.0, -10.0], [2.0, 8.0, 20.0], side),
        ([-6.0, 3.0, -10.0], [12.0, 8.0, 2.0], side),
        ([-6.0, 3.0, 8.0], [12.0, 8.0, 2.0], side),
        ([-7.0, 0.0, -7.0], [14.0, 1.0, 3.0], 0x3a3c40),
        ([-7.0, 0.0, 4.0], [14.0, 1.0, 3.0], 0x3a3c40),
    ];
    if let Some(color) = load {
        boxes.push(([-6.0, 4.0, -6.0], [12.0, 12.0, 12.0], color));
    }
    Creature::new().with_part(Joint::Body, [0.0; 3], &boxes)
}
