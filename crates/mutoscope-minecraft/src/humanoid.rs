//! Describes the player as a humanoid body: six boxes without elbows and knees.

use glam::{DQuat, DVec3};

use super::{Part, Take, figure};
use mutoscope_core::clip::{BoneBox, HumanBone, HumanBones, Humanoid, NodeId, Transform};

pub(super) const HIP_HEIGHT: f64 = 12.0 * figure::PIXEL;

fn human_bone(part: Part) -> HumanBone {
    match part {
        Part::Head => HumanBone::Head,
        Part::Body => HumanBone::Chest,
        Part::RightArm => HumanBone::RightUpperArm,
        Part::LeftArm => HumanBone::LeftUpperArm,
        Part::RightLeg => HumanBone::RightUpperLeg,
        Part::LeftLeg => HumanBone::LeftUpperLeg,
    }
}

/// Returns the body of a player who stands at the origin, faces −Z and lets the arms hang. `size`
/// scales the body.
pub(super) fn player_humanoid(
    player: NodeId,
    node: impl Fn(Part) -> NodeId,
    size: f64,
) -> Humanoid {
    let mut bones = HumanBones::default();
    bones.set(HumanBone::Hips, Some(player));
    let scale = DVec3::splat(size);
    let hips = BoneBox {
        node: player,
        reference: Transform { scale, ..Transform::IDENTITY },
        joint: DVec3::Y * HIP_HEIGHT,
        end: None,
    };
    let parts = Part::ALL.map(|part| {
        bones.set(human_bone(part), Some(node(part)));
        let joint = figure::resting_joint(part);
        BoneBox {
            node: node(part),
            reference: Transform { translation: joint * size, rotation: DQuat::IDENTITY, scale },
            // Put the joint of the trunk at the hips, as in other skeletons, although the game
            // rotates the trunk about the neck.
            joint: if part == Part::Body {
                DVec3::NEG_Y * (joint.y - HIP_HEIGHT)
            } else {
                DVec3::ZERO
            },
            end: match part {
                Part::Head | Part::Body => None,
                Part::RightArm | Part::LeftArm => Some(DVec3::Y * part.cuboid(false).min.y),
                // The end of a leg is on the ground.
                Part::RightLeg | Part::LeftLeg => Some(DVec3::NEG_Y * joint.y),
            },
        }
    });
    Humanoid { bones, is_t_pose: false, boxes: [hips].into_iter().chain(parts).collect() }
}

impl Take {
    pub(super) fn humanoid(&self) -> Option<Humanoid> {
        let is_player = self.entity_kind.is_none();
        is_player.then(|| {
            player_humanoid(self.player_node(), |part| self.part_node(part), self.actor_scale)
        })
    }
}
