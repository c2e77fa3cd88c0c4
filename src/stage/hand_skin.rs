//! The smooth skin of a hand, in place of its palm, joints and bones.

use std::collections::HashSet;

use bevy::{
    camera::visibility::NoFrustumCulling, ecs::hierarchy::ChildSpawnerCommands, mesh::Indices,
    prelude::*,
};

use super::{
    appearance::Workshop,
    palm,
    subject::{Painted, Parts, Subject, Subjects, visible},
};
use crate::recording::{Recording, RecordingNode};
use mutoscope_core::measure::figure::{FingerJoints, HandJoints, HandSkin, Palm, palms};

/// The joints that are within a skin, so that neither they nor the bones between them are drawn.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct WithinSkin(HashSet<RecordingNode>);

impl WithinSkin {
    /// Whether a joint is within a skin.
    pub(super) fn hides(&self, joint: RecordingNode) -> bool {
        self.0.contains(&joint)
    }
}

/// The skin of a hand, bent with its joints.
#[derive(Component, Clone, Debug)]
pub(super) struct SkinPart {
    wrist: RecordingNode,
    palm: Palm,
    /// Made when it is first shown.
    skin: Option<HandSkin>,
}

/// The skins of all hands of a recording.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    parts: &Parts<'_>,
    workshop: &mut Workshop<'_>,
) {
    for palm in palms(parts.clip) {
        let wrist = parts.of(palm.wrist);
        let coat = palm::coat(parts, &palm);
        root.spawn((
            Name::new("hand skin"),
            Mesh3d(workshop.meshes.add(palm::mesh(vec![0; 3]))),
            MeshMaterial3d(coat.solid.clone()),
            Painted { of: wrist, coat, glows_with: None },
            SkinPart { wrist, palm, skin: None },
            NoFrustumCulling,
            Visibility::Hidden,
        ));
    }
}

/// Bends the visible skins, and notes what is within them.
pub(super) fn bend(
    mut skins: Query<(&mut SkinPart, &Mesh3d, &mut Visibility), Without<Recording>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut within: ResMut<WithinSkin>,
    subjects: Subjects,
) {
    within.0.clear();
    for (mut part, mesh, mut visibility) in &mut skins {
        let Some(subject) = subjects.get(part.wrist.recording) else { continue };
        let hand = hand(&subject, &part.palm);
        visibility.set_if_neq(visible(hand.is_some()));
        if hand.is_some() {
            let joint = |node| RecordingNode { node, ..part.wrist };
            within.0.extend(part.palm.nodes().map(joint));
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

/// Where the joints of a hand are, if it is drawn with a skin: all of them are drawn, and it has the
/// form of a hand.
fn hand(subject: &Subject<'_>, palm: &Palm) -> Option<HandJoints> {
    if !subject.view.smooth_hands {
        return None;
    }
    let place = palm::places(subject, palm.wrist);
    let fingers = palm.fingers.iter().map(|finger| {
        let base = finger.base.map(|base| place(base).ok_or(())).transpose().ok()?;
        let joints = std::iter::once(&finger.knuckle).chain(&finger.joints);
        let joints = joints.map(|joint| place(*joint)).collect::<Option<_>>()?;
        Some(FingerJoints { base, joints, is_thumb: finger.is_thumb })
    });
    let hand = HandJoints { wrist: place(palm.wrist)?, fingers: fingers.collect::<Option<_>>()? };
    HandSkin::is_around(&hand).then_some(hand)
}
