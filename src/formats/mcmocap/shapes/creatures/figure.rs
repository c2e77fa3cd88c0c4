//! What figures are made of.

use glam::Vec3;

use super::super::shape::{Rgb, Shape, ShapeBox};

/// A jointed figure of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creature {
    /// Its parts.
    pub parts: Vec<CreaturePart>,
    /// How long a sixteenth of a block of its parts is, in metres.
    pub scale: f32,
    /// Whether armour fits it: it has the limbs of a player.
    pub is_humanoid: bool,
    /// Whether it falls onto its back when it dies, and not onto its side.
    pub falls_over: bool,
}

/// A part of a figure: boxes on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct CreaturePart {
    /// How it moves.
    pub joint: Joint,
    /// Where its joint is, in sixteenths of a block.
    pub pivot: Vec3,
    /// Its boxes, relative to its joint.
    pub shape: Shape,
}

/// How a part moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// With the body.
    Body,
    /// With the look.
    Head,
    /// A leg that swings, by this part of the game's swing, from this phase of a step on, in radians.
    Leg {
        /// How much wider it swings than a cow's.
        swing: f64,
        /// In radians.
        phase: f64,
        /// Whether it is on the right.
        is_right: bool,
    },
    /// An arm that swings against its leg.
    Arm {
        /// Whether it is the right one.
        is_right: bool,
        /// How it is held.
        carriage: Carriage,
    },
    /// A leg of a spider: from the first pair to the last.
    SpiderLeg {
        /// From 0, the foremost, to 3.
        pair: u8,
        /// Whether it is on the right.
        is_right: bool,
    },
    /// A wing that flaps, if `rate` is not 0: radians a tick.
    Wing {
        /// Whether it is the right one.
        is_right: bool,
        /// Radians a tick.
        rate: f64,
        /// To how many radians.
        width: f64,
    },
    /// A tail or fin that beats from side to side.
    Fin {
        /// To how many radians.
        width: f64,
    },
    /// What turns about the vertical and bobs, as items on the ground do: `lift` metres above the
    /// place of the game's model.
    Spinning {
        /// How far above, in metres.
        lift: f64,
    },
}

/// How arms are carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Carriage {
    /// They swing.
    Swinging,
    /// Straight ahead, as zombies have them.
    Ahead,
    /// They do not move.
    Still,
}

impl Creature {
    /// One without parts.
    pub(super) fn new() -> Self {
        Self { scale: 1.0 / 16.0, ..Self::default() }
    }

    /// Adds a part: boxes, each its least corner, its size and its colour, at places of the whole
    /// figure.
    pub(super) fn with(
        mut self,
        joint: Joint,
        pivot: [f32; 3],
        boxes: &[([f32; 3], [f32; 3], Rgb)],
    ) -> Self {
        let pivot = Vec3::from(pivot);
        let boxes = boxes.iter().map(|&(min, size, color)| {
            let max = (Vec3::from(min) + Vec3::from(size)).to_array();
            ShapeBox::between(min, max, color).moved(-pivot)
        });
        self.parts.push(CreaturePart { joint, pivot, shape: boxes.collect::<Vec<_>>().into() });
        self
    }

    /// The same for a part and its mirror image.
    pub(super) fn with_both(
        self,
        joint: impl Fn(bool) -> Joint,
        pivot: [f32; 3],
        boxes: &[([f32; 3], [f32; 3], Rgb)],
    ) -> Self {
        let mirrored: Vec<_> = boxes
            .iter()
            .map(|&([x, y, z], size, color)| ([-x - size[0], y, z], size, color))
            .collect();
        self.with(joint(true), pivot, boxes).with(
            joint(false),
            [-pivot[0], pivot[1], pivot[2]],
            &mirrored,
        )
    }

    /// The same with the limbs of a player, which armour fits.
    pub(super) fn humanoid(self) -> Self {
        Self { is_humanoid: true, ..self }
    }

    /// The corners with the least and the greatest coordinates at rest, in sixteenths of a block.
    pub fn bounds(&self) -> [Vec3; 2] {
        let parts = self.parts.iter().map(|part| part.shape.bounds().map(|one| one + part.pivot));
        parts
            .reduce(|[least, most], [from, to]| [least.min(from), most.max(to)])
            .unwrap_or_default()
    }

    /// The same as high as this, in metres.
    pub(super) fn of_height(self, height: f64) -> Self {
        let [_, most] = self.bounds();
        let scale = if most.y > 0.0 { height as f32 / most.y } else { self.scale };
        Self { scale, ..self }
    }
}
