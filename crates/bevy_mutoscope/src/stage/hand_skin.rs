//! Draws the smooth skin of a hand in place of its palm, joints and bones.

use std::collections::HashSet;

use bevy::{
    camera::visibility::NoFrustumCulling, ecs::hierarchy::ChildSpawnerCommands, mesh::Indices,
    prelude::*,
};

use super::{
    appearance::PartAssets,
    palm,
    subject::{Painted, PartContext, Subject, Subjects, visibility_if},
};
use crate::{Recording, RecordingNode};
use mutoscope_view::figure::{FingerJoints, HandJoints, HandSkin, Palm, find_palms};

#[derive(Resource, Clone, Debug, Default)]
pub(super) struct SkinCoveredJoints(HashSet<RecordingNode>);

impl SkinCoveredJoints {
    pub(super) fn contains(&self, joint: RecordingNode) -> bool {
        self.0.contains(&joint)
    }
}

#[derive(Component, Clone, Debug)]
pub(super) struct SkinPart {
    wrist: RecordingNode,
    palm: Palm,
    skin: Option<HandSkin>,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    parts: &PartContext<'_>,
    assets: &mut PartAssets<'_>,
) {
    for palm in find_palms(parts.clip) {
        let wrist = parts.node_ref(palm.wrist);
        let materials = palm::palm_materials(parts, &palm);
        root.spawn((
            Name::new("hand skin"),
            Mesh3d(assets.meshes.add(palm::collapsed_mesh(vec![0; 3]))),
            MeshMaterial3d(materials.solid.clone()),
            Painted { node: wrist, materials, glow_signal: None },
            SkinPart { wrist, palm, skin: None },
            NoFrustumCulling,
            Visibility::Hidden,
        ));
    }
}

pub(super) fn bend_skins(
    mut skins: Query<(&mut SkinPart, &Mesh3d, &mut Visibility), Without<Recording>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut covered: ResMut<SkinCoveredJoints>,
    subjects: Subjects,
) {
    covered.0.clear();
    for (mut part, mesh, mut visibility) in &mut skins {
        let Some(subject) = subjects.get(part.wrist.recording) else { continue };
        let hand = hand_joints(&subject, &part.palm);
        visibility.set_if_neq(visibility_if(hand.is_some()));
        if hand.is_some() {
            let joint = |node| RecordingNode { node, ..part.wrist };
            covered.0.extend(part.palm.nodes().map(joint));
        }
        let Some((hand, mut mesh)) = hand.zip(meshes.get_mut(&mesh.0)) else { continue };
        if part.skin.is_none() {
            part.skin = HandSkin::new(&hand);
            let triangles = part.skin.as_ref().map(|skin| skin.triangles().to_vec());
            mesh.insert_indices(Indices::U32(triangles.unwrap_or_default()));
        }
        let Some(skin) = &mut part.skin else { continue };
        skin.bend(&hand);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, skin.positions.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, skin.normals.clone());
    }
}

/// Returns the positions of the joints of a hand. `None` if the hand is drawn without a skin. This
/// is the case if a joint is hidden, if the joints do not form a hand, or if the view disables
/// skins.
fn hand_joints(subject: &Subject<'_>, palm: &Palm) -> Option<HandJoints> {
    if !subject.view.smooth_hands {
        return None;
    }
    let position_of = palm::joint_positions(subject, palm.wrist);
    let fingers = palm.fingers.iter().map(|finger| {
        let base = finger.base.map(|base| position_of(base).ok_or(())).transpose().ok()?;
        let joints = std::iter::once(&finger.knuckle).chain(&finger.joints);
        let joints = joints.map(|joint| position_of(*joint)).collect::<Option<_>>()?;
        Some(FingerJoints { base, joints, is_thumb: finger.is_thumb })
    });
    let hand =
        HandJoints { wrist: position_of(palm.wrist)?, fingers: fingers.collect::<Option<_>>()? };
    HandSkin::supports(&hand).then_some(hand)
}
