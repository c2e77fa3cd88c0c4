//! Items with their own models in the game. Those models are upside down relative to the space of
//! items.

use super::super::shape::{Rgb, Shape, ShapeBox};

/// Converts a box of the game's model to the space of items, in which y and z point in the opposite
/// directions. The box is given by its lowest corner and its size.
fn flipped_box([x, y, z]: [f32; 3], [width, height, depth]: [f32; 3], color: Rgb) -> ShapeBox {
    ShapeBox::between([x, -y - height, -z - depth], [x + width, -y, -z], color)
}

pub(super) fn shield() -> Shape {
    const WOOD: Rgb = 0x7a5a34;
    const RIM: Rgb = 0xa9adb3;
    vec![
        flipped_box([-6.0, -11.0, -2.0], [12.0, 22.0, 1.0], RIM),
        flipped_box([-5.0, -10.0, -2.1], [10.0, 20.0, 1.0], WOOD),
        flipped_box([-1.0, -3.0, -1.0], [2.0, 6.0, 6.0], 0x5a4226),
    ]
    .into()
}

pub(super) fn trident() -> Shape {
    const POLE: Rgb = 0x4a8a80;
    const SPIKES: Rgb = 0x6fc0b0;
    vec![
        flipped_box([-0.5, 2.0, -0.5], [1.0, 25.0, 1.0], POLE),
        flipped_box([-1.5, 0.0, -0.5], [3.0, 2.0, 1.0], SPIKES),
        flipped_box([-2.5, -3.0, -0.5], [1.0, 4.0, 1.0], SPIKES),
        flipped_box([-0.5, -4.0, -0.5], [1.0, 4.0, 1.0], SPIKES),
        flipped_box([1.5, -3.0, -0.5], [1.0, 4.0, 1.0], SPIKES),
    ]
    .into()
}

pub(super) fn spyglass() -> Shape {
    vec![
        ShapeBox::between([7.0, 8.5, 7.0], [9.0, 13.5, 9.0], 0xb87440),
        ShapeBox::between([6.9, 2.4, 6.9], [9.1, 8.6, 9.1], 0xd89a52),
    ]
    .into()
}
