//! Provides the player as a built-in character for retargeting.

use glam::DVec3;

use super::{player, skin::SkinImage};
use crate::{Part, figure::resting_joint, humanoid};
use mutoscope_core::{
    clip::{Clip, Model, NodeId, NodeKind, Side, Transform},
    formats::BuiltInCharacter,
    skeleton_file::{SkeletonContent, SkeletonKind, SkeletonNode},
};

pub(crate) static CHARACTERS: [BuiltInCharacter; 1] = [BuiltInCharacter {
    keyword: ID,
    name: NAME,
    kind: SkeletonKind::new(ID, NAME),
    build: skeleton_content,
}];

const ID: &str = "minecraft";

const NAME: &str = "Minecraft player";

const FIRST_PART_NODE: usize = 1;

fn skeleton_content() -> SkeletonContent {
    let humanoid =
        humanoid::player_humanoid(NodeId::new(0), |part| NodeId::new(part_node_index(part)), 1.0);
    SkeletonContent {
        nodes: [player_node()].into_iter().chain(Part::ALL.map(part_node)).collect(),
        model: body_model(&SkinImage::default_skin(false)),
        humanoid: Some(Box::new(humanoid)),
    }
}

fn part_node_index(part: Part) -> usize {
    FIRST_PART_NODE + part as usize
}

fn player_node() -> SkeletonNode {
    SkeletonNode {
        name: "player".to_owned(),
        id: None,
        parent: None,
        rest: Transform::IDENTITY,
        bone_from: None,
        kind: NodeKind::Joint,
        side: None,
    }
}

/// Returns the node of a part of the body. The head and arms are children of the trunk, although in
/// the game they follow the trunk only while the player crouches.
fn part_node(part: Part) -> SkeletonNode {
    let trunk = resting_joint(Part::Body);
    let (parent, from) = match part {
        Part::Head | Part::RightArm | Part::LeftArm => (part_node_index(Part::Body), trunk),
        Part::Body | Part::RightLeg | Part::LeftLeg => (0, DVec3::ZERO),
    };
    SkeletonNode {
        name: format!("player/{}", part.name()),
        parent: Some(parent),
        rest: Transform { translation: resting_joint(part) - from, ..Transform::IDENTITY },
        bone_from: (part != Part::Body).then(|| part_node_index(Part::Body)),
        kind: if part == Part::Head { NodeKind::Head } else { NodeKind::Joint },
        side: match part {
            Part::RightArm | Part::RightLeg => Some(Side::Right),
            Part::LeftArm | Part::LeftLeg => Some(Side::Left),
            Part::Head | Part::Body => None,
        },
        ..player_node()
    }
}

fn body_model(skin: &SkinImage) -> Model {
    let mut model = Model::default();
    let (skin, texture) = player::add_texture("skin".to_owned(), skin.clone(), &mut model);
    player::add_body(&skin, texture, part_node_index, &mut model);
    model
}

pub(super) fn character_model(clip: &Clip, skin: &SkinImage) -> Option<Model> {
    let is_player = clip.skeleton.attached().is_some_and(|attached| attached.name == NAME);
    is_player.then(|| body_model(skin))
}
