//! The player as a character that other motions are put on.

use glam::DVec3;

use super::{player, skin::SkinPicture};
use crate::{Part, figure::resting_joint, humanoid};
use mutoscope_core::{
    clip::{Clip, Model, NodeId, NodeKind, Side, Transform},
    formats::BuiltInCharacter,
    rig::{RigContent, RigKind, RigNode},
};

/// The row of the registry.
pub(crate) static CHARACTERS: [BuiltInCharacter; 1] =
    [BuiltInCharacter { word: WORD, name: NAME, kind: RigKind::new(WORD, NAME), content }];

/// The word for Minecraft's player in place of a file with a skeleton.
const WORD: &str = "minecraft";

const NAME: &str = "Minecraft player";

/// Where the nodes of the parts begin, after that of the player.
const FIRST_PART: usize = 1;

fn content() -> RigContent {
    let humanoid = humanoid::humanoid(NodeId::new(0), |part| NodeId::new(index(part)), 1.0);
    RigContent {
        nodes: [player_node()].into_iter().chain(Part::ALL.map(part_node)).collect(),
        model: model(&SkinPicture::default_of(false)),
        humanoid: Some(Box::new(humanoid)),
    }
}

fn index(part: Part) -> usize {
    FIRST_PART + part as usize
}

fn player_node() -> RigNode {
    RigNode {
        name: "player".to_owned(),
        id: None,
        parent: None,
        rest: Transform::IDENTITY,
        bone_from: None,
        kind: NodeKind::Joint,
        side: None,
    }
}

/// Head and arms move with the trunk, which the game has them do only when the player crouches.
fn part_node(part: Part) -> RigNode {
    let trunk = resting_joint(Part::Body);
    let (parent, from) = match part {
        Part::Head | Part::RightArm | Part::LeftArm => (index(Part::Body), trunk),
        Part::Body | Part::RightLeg | Part::LeftLeg => (0, DVec3::ZERO),
    };
    RigNode {
        name: format!("player/{}", part.name()),
        parent: Some(parent),
        rest: Transform { translation: resting_joint(part) - from, ..Transform::IDENTITY },
        bone_from: (part != Part::Body).then(|| index(Part::Body)),
        kind: if part == Part::Head { NodeKind::Head } else { NodeKind::Joint },
        side: match part {
            Part::RightArm | Part::RightLeg => Some(Side::Right),
            Part::LeftArm | Part::LeftLeg => Some(Side::Left),
            Part::Head | Part::Body => None,
        },
        ..player_node()
    }
}

fn model(skin: &SkinPicture) -> Model {
    let mut model = Model::default();
    let (skin, texture) = player::add_texture("skin".to_owned(), skin.clone(), &mut model);
    player::add_body(&skin, texture, index, &mut model);
    model
}

/// The player that a clip's motion was put on, in a skin; nothing of other clips.
pub(super) fn dressed(clip: &Clip, skin: &SkinPicture) -> Option<Model> {
    let is_player = clip.skeleton.attached().is_some_and(|attached| attached.name == NAME);
    is_player.then(|| model(skin))
}
