//! Defines the parts of the body and their boxes.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3};

use mutoscope_core::clip::Transform;

/// The size of a pixel of the model, in metres. A pixel is a sixteenth of a block, but the game
/// scales players by 0.9375.
pub(in super::super) const PIXEL: f64 = 0.9375 / 16.0;

/// A part of the player's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "their names state it")]
pub enum Part {
    Head,
    Body,
    RightArm,
    LeftArm,
    RightLeg,
    LeftLeg,
}

/// A box in metres, relative to the joint of its part, with y up and −Z ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// The corner with the smallest coordinates.
    pub min: DVec3,
    /// The corner with the largest coordinates.
    pub max: DVec3,
}

impl Part {
    /// All parts of the body.
    pub const ALL: [Self; 6] =
        [Self::Head, Self::Body, Self::RightArm, Self::LeftArm, Self::RightLeg, Self::LeftLeg];

    /// Returns the name of the part in snake case: `right_arm`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the transform of held items relative to the arm's joint, or `None` if the part is
    /// not an arm.
    ///
    /// The display transform of the item has to be appended, because it depends on the kind of
    /// item.
    pub fn hand_transform(self, slim: bool) -> Option<Transform> {
        let side = match self {
            Self::RightArm => 1.0,
            Self::LeftArm => -1.0,
            Self::Head | Self::Body | Self::RightLeg | Self::LeftLeg => return None,
        };
        // The distance from the joint to the middle of the arm, in pixels. The middle of a slim arm
        // is closer to the joint.
        let across = if slim { 0.5 } else { 1.0 };
        // The game's model has y down and x to the player's left, so rotate by half a turn about z.
        let from_model = DQuat::from_rotation_z(PI);
        let rotation = from_model * DQuat::from_rotation_x(-FRAC_PI_2) * DQuat::from_rotation_y(PI);
        Some(Transform {
            translation: DVec3::new(side * across, -10.0, -2.0) * PIXEL,
            rotation,
            scale: DVec3::splat(0.9375),
        })
    }

    /// Returns the box of the part. Slim arms are narrower.
    pub fn cuboid(self, slim: bool) -> Cuboid {
        // These boxes are in the game's model: y down, x to the player's left.
        let (min, size) = match (self, slim) {
            (Self::Head, _) => ([-4.0, -8.0, -4.0], [8.0, 8.0, 8.0]),
            (Self::Body, _) => ([-4.0, 0.0, -2.0], [8.0, 12.0, 4.0]),
            (Self::RightArm, false) => ([-3.0, -2.0, -2.0], [4.0, 12.0, 4.0]),
            (Self::RightArm, true) => ([-2.0, -2.0, -2.0], [3.0, 12.0, 4.0]),
            (Self::LeftArm, false) => ([-1.0, -2.0, -2.0], [4.0, 12.0, 4.0]),
            (Self::LeftArm, true) => ([-1.0, -2.0, -2.0], [3.0, 12.0, 4.0]),
            (Self::RightLeg | Self::LeftLeg, _) => ([-2.0, 0.0, -2.0], [4.0, 12.0, 4.0]),
        };
        let (min, size) = (DVec3::from_array(min), DVec3::from_array(size));
        let max = min + size;
        Cuboid {
            min: DVec3::new(-max.x, -max.y, min.z) * PIXEL,
            max: DVec3::new(-min.x, -min.y, max.z) * PIXEL,
        }
    }
}
