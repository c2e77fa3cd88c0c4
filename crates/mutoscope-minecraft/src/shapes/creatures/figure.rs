//! The parts of figures, and their joints.

use glam::Vec3;

use super::super::shape::{Rgb, Shape, ShapeBox};
use crate::{Part, Size};
use mutoscope_core::clip::Transform;

/// A jointed figure of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creature {
    /// The parts.
    pub parts: Vec<CreaturePart>,
    /// The length in metres of a sixteenth of a block of the figure. Scaling the figure changes
    /// this length.
    pub scale: f32,
    /// `true` if the figure has the limbs of a player. Armour then fits the figure.
    pub is_humanoid: bool,
    /// `true` if the figure turns onto its back when it dies. Otherwise it falls onto its side.
    pub falls_on_back: bool,
}

/// A part of a figure: boxes that move with a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct CreaturePart {
    /// The joint that moves the part.
    pub joint: Joint,
    /// The position of the joint, in sixteenths of a block.
    pub pivot: Vec3,
    /// The boxes, relative to the joint.
    pub shape: Shape,
}

/// The motion of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// The part moves with the body.
    Body,
    /// The part turns with the look direction.
    Head,
    /// A leg that swings with the steps.
    Leg {
        /// The amplitude of the swing, as a multiple of that of a cow's leg.
        swing: f64,
        /// The phase of the step, in radians.
        phase: f64,
        /// `true` for a right leg.
        is_right: bool,
    },
    /// An arm. An arm that swings has the opposite phase of the leg on the same side.
    Arm {
        /// `true` for the right arm.
        is_right: bool,
        /// The pose of the arm.
        pose: ArmPose,
    },
    /// A leg of a spider.
    SpiderLeg {
        /// The pair, from 0 (front) to 3 (back).
        pair: u8,
        /// `true` for a right leg.
        is_right: bool,
    },
    /// A wing that flaps.
    Wing {
        /// `true` for the right wing.
        is_right: bool,
        /// The frequency in radians per tick. 0 if the wing does not flap.
        rate: f64,
        /// The amplitude, in radians.
        width: f64,
    },
    /// A tail or fin that beats from side to side.
    Fin {
        /// The amplitude, in radians.
        width: f64,
    },
    /// A part that rotates about the vertical axis and bobs up and down, like items on the ground.
    Spinning {
        /// The height above the entity, in metres.
        lift: f64,
    },
}

impl Joint {
    /// Returns the name of a part with this joint.
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

/// The pose of arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArmPose {
    /// The arms swing with the steps.
    Swinging,
    /// The arms point forwards, like a zombie's.
    Ahead,
    /// The arms do not move.
    Still,
}

impl Creature {
    pub(super) fn new() -> Self {
        Self { scale: 1.0 / 16.0, ..Self::default() }
    }

    pub(super) fn with_part(
        mut self,
        joint: Joint,
        pivot: [f32; 3],
        boxes: &[([f32; 3], [f32; 3], Rgb)],
    ) -> Self {
        let pivot = Vec3::from(pivot);
        let boxes = boxes.iter().map(|&(min, size, color)| {
            let max = (Vec3::from(min) + Vec3::from(size)).to_array();
            ShapeBox::between(min, max, color).translated(-pivot)
        });
        self.parts.push(CreaturePart { joint, pivot, shape: boxes.collect::<Vec<_>>().into() });
        self
    }

    pub(super) fn with_mirrored_parts(
        self,
        joint: impl Fn(bool) -> Joint,
        pivot: [f32; 3],
        boxes: &[([f32; 3], [f32; 3], Rgb)],
    ) -> Self {
        let mirrored: Vec<_> = boxes
            .iter()
            .map(|&([x, y, z], size, color)| ([-x - size[0], y, z], size, color))
            .collect();
        self.with_part(joint(true), pivot, boxes).with_part(
            joint(false),
            [-pivot[0], pivot[1], pivot[2]],
            &mirrored,
        )
    }

    pub(super) fn box_of_size(Size { width, height }: Size, color: Rgb) -> Self {
        let [width, height] = [width, height].map(|side| side as f32 * 16.0);
        let nose = width.min(height) / 4.0;
        Self::new().with_part(
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

    /// Returns the transform of a held item relative to the shoulder. It is that of players, scaled
    /// to the size of the figure.
    pub fn held_item_origin(&self, is_right: bool) -> Transform {
        let part = if is_right { Part::RightArm } else { Part::LeftArm };
        let hand = part.hand_transform(false).unwrap_or(Transform::IDENTITY);
        // `Part::hand_transform` is for the player's model, which the game scales by 0.9375.
        let size = f64::from(self.scale) * 16.0 / 0.9375;
        Transform { translation: hand.translation * size, scale: hand.scale * size, ..hand }
    }

    pub(super) fn into_humanoid(self) -> Self {
        Self { is_humanoid: true, ..self }
    }

    /// Returns the lowest and the highest corner of the figure at rest, in sixteenths of a block.
    pub fn bounds(&self) -> [Vec3; 2] {
        let parts = self
            .parts
            .iter()
            .map(|part| part.shape.bounds().map(|shape_box| shape_box + part.pivot));
        parts.reduce(|[min, max], [from, to]| [min.min(from), max.max(to)]).unwrap_or_default()
    }

    pub(super) fn scaled_to_height(self, height: f64) -> Self {
        let [_, max] = self.bounds();
        let scale = if max.y > 0.0 { height as f32 / max.y } else { self.scale };
        Self { scale, ..self }
    }
}
