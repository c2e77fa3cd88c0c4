//! A block's name and properties, and what turns its boxes.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};

use super::super::shape::ShapeBox;
use crate::short;

/// A block's name and properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<'a> {
    /// Without the namespace `minecraft:`.
    pub(super) name: &'a str,
    properties: &'a str,
}

impl<'a> State<'a> {
    pub(super) fn new(block: &'a str) -> Self {
        let properties = block.split_once('[').map_or("", |(_, properties)| properties);
        Self { name: short(block), properties: properties.trim_end_matches(']') }
    }

    /// The value of a property.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        let mut pairs = self.properties.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// Whether a property is `true`.
    pub(super) fn is(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }

    /// A property that is a number, kept within these.
    pub(super) fn number(&self, key: &str, [least, most]: [i32; 2]) -> Option<f32> {
        let number: i32 = self.get(key)?.parse().ok()?;
        Some(number.clamp(least, most) as f32)
    }

    /// Whether it is invisible.
    pub(super) fn is_nothing(&self) -> bool {
        let name = self.name;
        matches!(name, "air" | "cave_air" | "void_air" | "light" | "barrier" | "structure_void")
    }

    /// Boxes of a block that faces north, turned to where it faces.
    pub(super) fn facing_from_north(&self, boxes: Vec<ShapeBox>) -> Vec<ShapeBox> {
        quarters(boxes, self.quarters_from_north())
    }

    /// How many quarters clockwise from north it faces; none for up, down and what is no side.
    pub(super) fn quarters_from_north(&self) -> usize {
        side(self.get("facing").unwrap_or_default()).unwrap_or(0)
    }

    /// The boxes of each side whose property has a value of which there are boxes, given as of the
    /// north.
    pub(super) fn sides(&self, boxes: impl Fn(&str) -> Vec<ShapeBox>) -> Vec<ShapeBox> {
        let sides = ["north", "east", "south", "west"].into_iter().enumerate();
        let of_side = |(quarter, side)| quarters(boxes(self.get(side).unwrap_or("none")), quarter);
        sides.flat_map(of_side).collect()
    }
}

/// How many quarters clockwise from north a side is.
fn side(name: &str) -> Option<usize> {
    ["north", "east", "south", "west"].iter().position(|side| *side == name)
}

/// Boxes turned clockwise, seen from above, about the middle of the block: (x, z) becomes (16 − z, x).
pub(super) fn quarters(boxes: Vec<ShapeBox>, count: usize) -> Vec<ShapeBox> {
    let turned = |one: ShapeBox| (0..count % 4).fold(one, |one, _| quarter(one));
    boxes.into_iter().map(turned).collect()
}

fn quarter(one: ShapeBox) -> ShapeBox {
    let turn = |point: Vec3| Vec3::new(16.0 - point.z, point.y, point.x);
    let (a, b) = (turn(one.min), turn(one.max));
    let clockwise = Quat::from_rotation_y(-FRAC_PI_2);
    ShapeBox {
        min: a.min(b),
        max: a.max(b),
        about: turn(one.about),
        rotation: if one.rotation == Quat::IDENTITY {
            one.rotation
        } else {
            clockwise * one.rotation * clockwise.inverse()
        },
        color: one.color,
    }
}

/// Boxes upside down: y becomes 16 − y.
pub(super) fn upside_down(boxes: Vec<ShapeBox>) -> Vec<ShapeBox> {
    let turned = |one: ShapeBox| {
        let (low, high) = (16.0 - one.max.y, 16.0 - one.min.y);
        ShapeBox { min: one.min.with_y(low), max: one.max.with_y(high), ..one }
    };
    boxes.into_iter().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_as_they_are() {
        let state = State::new("minecraft:oak_door[facing=east,open=true,age=7]");
        assert_eq!((state.name, state.get("facing")), ("oak_door", Some("east")));
        assert!(state.is("open") && !state.is("powered"));
        assert_eq!(state.number("age", [0, 3]), Some(3.0));
        assert_eq!(state.number("facing", [0, 3]), None);
        for odd in ["", "x[", "x[=", "x[a=b", "#836"] {
            assert_eq!(State::new(odd).get("open"), None, "{odd}");
        }
    }
}
