//! The parts of figures, and their joints.

use glam::Vec3;

use super::super::shape::{Rgb, Shape, ShapeBox};
use crate::{Part, Size};
use mutoscope_core::clip::Transform;

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
    /// A part that turns about the vertical and bobs, as items on the ground do.
    Spinning {
        /// How far above, in metres.
        lift: f64,
    },
}

impl Joint {
    /// The name of a part with this joint.
    pub fn name(self) -> &'static str {
        let side = |is_right: bool, right, left| if is_right { right } else { left };
        match self {
            Self::Body => "body",
            Self::Head => "head",
            Self::Leg { is_right, .. } | Self::SpiderLeg { is_right, .. } => {
                side(is_right, "right_leg", "left_leg")
            }
            Self::Arm { is_right, .. } => side(is_right, "right_arm", "left_arm"),
            Self::Wing { is_right, .. } => side(is_right, "right_wing", "left_wing"),
            Self::Fin { .. } => "fin",
            Self::Spinning { .. } => "item",
        }
    }
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

    /// A box of a size with a nose that marks its front, for kinds without a figure.
    pub(super) fn of_size(Size { width, height }: Size, color: Rgb) -> Self {
        let [width, height] = [width, height].map(|side| side as f32 * 16.0);
        let nose = width.min(height) / 4.0;
        Self::new().with(
            Joint::Body,
            [0.0; 3],
            &[
                (
                    [-0.48 * width, 0.02 * height, -0.48 * width],
                    [0.96 * width, 0.96 * height, 0.96 * width],
                    color,
                ),
                (
                    [-nose / 2.0, 0.75 * height - nose / 2.0, -(width + nose) / 2.0],
                    [nose; 3],
                    color,
                ),
            ],
        )
    }

    /// Where a hand holds things, relative to the shoulder: as players do, at its own size.
    pub fn hand(&self, is_right: bool) -> Transform {
        let part = if is_right { Part::RightArm } else { Part::LeftArm };
        let hand = part.hand(false).unwrap_or(Transform::IDENTITY);
        // The hand of players is for a model that is drawn 15/16 as large.
        let size = f64::from(self.scale) * 16.0 / 0.9375;
        Transform { translation: hand.translation * size, scale: hand.scale * size, ..hand }
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
