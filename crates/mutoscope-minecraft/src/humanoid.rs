//! The player as a humanoid body: six boxes without elbows and knees.

use glam::{DQuat, DVec3};

use super::{Part, Take, figure};
use mutoscope_core::clip::{BoneBox, HumanBone, HumanBones, Humanoid, NodeId, Transform};

/// How high above the feet the hips are, in metres.
pub(super) const HIPS: f64 = 12.0 * figure::PIXEL;

/// The bone that a part of the body is.
fn bone(part: Part) -> HumanBone {
    match part {
        Part::Head => HumanBone::Head,
        Part::Body => HumanBone::Chest,
        Part::RightArm => HumanBone::RightUpperArm,
        Part::LeftArm => HumanBone::LeftUpperArm,
        Part::RightLeg => HumanBone::RightUpperLeg,
        Part::LeftLeg => HumanBone::LeftUpperLeg,
    }
}

/// The body of a player who stands at the origin facing −Z with hanging arms, `size` times as large as others.
pub(super) fn humanoid(player: NodeId, node: impl Fn(Part) -> NodeId, size: f64) -> Humanoid {
    let mut bones = HumanBones::default();
    bones.set(HumanBone::Hips, Some(player));
    let scale = DVec3::splat(size);
    let hips = BoneBox {
        node: player,
        reference: Transform { scale, ..Transform::IDENTITY },
        joint: DVec3::Y * HIPS,
        end: None,
    };
    let parts = Part::ALL.map(|part| {
        bones.set(bone(part), Some(node(part)));
        let joint = figure::resting_joint(part);
        BoneBox {
            node: node(part),
            reference: Transform { translation: joint * size, rotation: DQuat::IDENTITY, scale },
            // The trunk bends at the hips, though the game turns it about the neck.
            joint: if part == Part::Body { DVec3::NEG_Y * (joint.y - HIPS) } else { DVec3::ZERO },
            end: match part {
                Part::Head | Part::Body => None,
                Part::RightArm | Part::LeftArm => Some(DVec3::Y * part.cuboid(false).min.y),
                // The feet are on the ground.
                Part::RightLeg | Part::LeftLeg => Some(DVec3::NEG_Y * joint.y),
            },
        }
    });
    Humanoid { bones, is_t_pose: false, boxes: [hips].into_iter().chain(parts).collect() }
}

impl Take {
    /// The body of the player; nothing if another entity plays the recording.
    pub(super) fn humanoid(&self) -> Option<Humanoid> {
        let is_player = self.kind.is_none();
        is_player.then(|| humanoid(self.player(), |part| self.part(part), self.size))
    }
}
