//! Parses the name and the properties of a block, and rotates boxes.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use super::super::shape::ShapeBox;
use crate::short_name;

#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedBlock<'a> {
    /// The name without the namespace `minecraft:`.
    pub(super) name: &'a str,
    properties: &'a str,
}

impl<'a> ParsedBlock<'a> {
    pub(super) fn new(block: &'a str) -> Self {
        let properties = block.split_once('[').map_or("", |(_, properties)| properties);
        Self { name: short_name(block), properties: properties.trim_end_matches(']') }
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        let mut pairs = self.properties.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }

    /// Returns an integer property, clamped to the range. Returns `None` if the property is missing
    /// or not an integer.
    pub(super) fn clamped_integer(&self, key: &str, [min, max]: [i32; 2]) -> Option<f32> {
        let number: i32 = self.get(key)?.parse().ok()?;
        Some(number.clamp(min, max) as f32)
    }

    pub(super) fn is_invisible(&self) -> bool {
        let name = self.name;
        matches!(name, "air" | "cave_air" | "void_air" | "light" | "barrier" | "structure_void")
    }

    pub(super) fn rotate_to_facing(&self, boxes: Vec<ShapeBox>) -> Vec<ShapeBox> {
        rotate_quarter_turns(boxes, self.facing_quarter_turns())
    }

    /// Returns the number of clockwise quarter turns from north to the side that the block faces.
    /// Returns 0 if the block faces no side.
    pub(super) fn facing_quarter_turns(&self) -> usize {
        side_index(self.get("facing").unwrap_or_default()).unwrap_or(0)
    }

    pub(super) fn boxes_of_sides(&self, boxes: impl Fn(&str) -> Vec<ShapeBox>) -> Vec<ShapeBox> {
        let sides = ["north", "east", "south", "west"].into_iter().enumerate();
        let of_side = |(quarter, side)| {
            rotate_quarter_turns(boxes(self.get(side).unwrap_or("none")), quarter)
        };
        sides.flat_map(of_side).collect()
    }
}

fn side_index(name: &str) -> Option<usize> {
    ["north", "east", "south", "west"].iter().position(|side| *side == name)
}

/// Rotates boxes about the centre of the block by quarter turns, clockwise seen from above: (x, z)
/// becomes (16 − z, x).
pub(super) fn rotate_quarter_turns(boxes: Vec<ShapeBox>, count: usize) -> Vec<ShapeBox> {
    let turned = |shape_box: ShapeBox| {
        (0..count % 4).fold(shape_box, |shape_box, _| rotate_quarter_turn(shape_box))
    };
    boxes.into_iter().map(turned).collect()
}

fn rotate_quarter_turn(shape_box: ShapeBox) -> ShapeBox {
    let turn = |point: Vec3| Vec3::new(16.0 - point.z, point.y, point.x);
    let (a, b) = (turn(shape_box.min), turn(shape_box.max));
    let clockwise = Quat::from_rotation_y(-FRAC_PI_2);
    ShapeBox {
        min: a.min(b),
        max: a.max(b),
        pivot: turn(shape_box.pivot),
        rotation: if shape_box.rotation == Quat::IDENTITY {
            shape_box.rotation
        } else {
            clockwise * shape_box.rotation * clockwise.inverse()
        },
        color: shape_box.color,
    }
}

/// Turns boxes upside down by mirroring: y becomes 16 − y.
pub(super) fn flip_vertically(boxes: Vec<ShapeBox>) -> Vec<ShapeBox> {
    let turned = |shape_box: ShapeBox| {
        let (low, high) = (16.0 - shape_box.max.y, 16.0 - shape_box.min.y);
        ShapeBox { min: shape_box.min.with_y(low), max: shape_box.max.with_y(high), ..shape_box }
    };
    boxes.into_iter().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_parsed() {
        let state = ParsedBlock::new("minecraft:oak_door[facing=east,open=true,age=7]");
        assert_eq!((state.name, state.get("facing")), ("oak_door", Some("east")));
        assert!(state.is_true("open") && !state.is_true("powered"));
        assert_eq!(state.clamped_integer("age", [0, 3]), Some(3.0));
        assert_eq!(state.clamped_integer("facing", [0, 3]), None);
        for odd in ["", "x[", "x[=", "x[a=b", "#836"] {
            assert_eq!(ParsedBlock::new(odd).get("open"), None, "{odd}");
        }
    }
}
