//! The nodes of a file, as they rest.

use std::collections::HashMap;

use glam::DAffine3;
use mutoscope_core::{
    clip::{NodeKind, Transform},
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::Sidecars,
    rig::{RigContent, RigNode},
};
use ufbx::{ElementType, Node, Scene};

use crate::{
    meshes,
    scene::{Content, affine, load, report, transform},
};

/// Reads a character: its nodes in the pose in which they were bound, and their meshes.
///
/// # Errors
/// If it is no FBX, or has no nodes.
pub(crate) fn decode_skeleton(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> Result<RigContent, Error> {
    let scene = load(bytes, Content::All)?;
    report(&scene, notices);
    let nodes = nodes(&scene, notices);
    if nodes.is_empty() {
        return Err(Error::unsupported(
            SourceLocation::File,
            "expected nodes, found none in this FBX",
        ));
    }
    Ok(RigContent { nodes, model: meshes::model(&scene, sidecars, notices), humanoid: None })
}

/// The index of a node among those that are read; nothing for the root, which no file has.
pub(crate) fn index_of(node: &Node) -> Option<usize> {
    (node.element.typed_id as usize).checked_sub(1)
}

/// The nodes that are read: all but the root, parents before children.
pub(crate) fn all(scene: &Scene) -> impl Iterator<Item = &Node> {
    scene.nodes.iter().skip(1).map(|node| &**node)
}

/// The nodes as they were bound, or where the file does not say, as they stand.
pub(crate) fn nodes(scene: &Scene, notices: &mut Notices) -> Vec<RigNode> {
    let bound = bound(scene);
    let is_bone = |node: &Node| node.attrib_type == ElementType::Bone;
    let has_bones = all(scene).any(is_bone);
    if has_bones && bound.is_empty() {
        let message = "no bind pose; using how the nodes stand as the rest pose";
        notices.info(SourceLocation::File, message);
    }
    let mut worlds: Vec<DAffine3> = Vec::new();
    let mut nodes: Vec<RigNode> = Vec::new();
    for node in all(scene) {
        let parent = node
            .parent
            .as_ref()
            .and_then(|parent| index_of(parent))
            .filter(|&parent| parent < nodes.len());
        let above = parent.map_or(DAffine3::IDENTITY, |parent| worlds[parent]);
        let stands = transform(&node.local_transform);
        let of_bind = bound
            .get(&node.element.typed_id)
            .and_then(|world| decomposed(above.inverse() * *world));
        let rest = of_bind.unwrap_or(stands);
        worlds.push(
            above
                * DAffine3::from_scale_rotation_translation(
                    rest.scale,
                    rest.rotation,
                    rest.translation,
                ),
        );
        let kind = kind(node, has_bones);
        let is_joint =
            |index: &usize| nodes[*index].kind == NodeKind::Joint && kind == NodeKind::Joint;
        nodes.push(RigNode {
            name: node.element.name.to_string(),
            id: None,
            parent,
            rest,
            bone_from: parent.filter(is_joint),
            kind,
            side: None,
        });
    }
    nodes
}

fn kind(node: &Node, has_bones: bool) -> NodeKind {
    match node.attrib_type {
        ElementType::Bone => NodeKind::Joint,
        ElementType::Mesh if has_bones => NodeKind::Shape,
        ElementType::Mesh => NodeKind::Joint,
        _ => NodeKind::Helper,
    }
}

/// For nodes by their ids where they were in the world when they were bound: by a bind pose, or else by a skin.
fn bound(scene: &Scene) -> HashMap<u32, DAffine3> {
    let mut bound = HashMap::new();
    for cluster in scene.skin_clusters.iter() {
        if let Some(bone) = &cluster.bone_node {
            bound.entry(bone.element.typed_id).or_insert_with(|| affine(&cluster.bind_to_world));
        }
    }
    for node in all(scene) {
        let Some(pose) = node.bind_pose.as_ref().filter(|pose| pose.is_bind_pose) else { continue };
        let entry = pose
            .bone_poses
            .iter()
            .find(|one| one.bone_node.element.typed_id == node.element.typed_id);
        if let Some(entry) = entry {
            bound.insert(node.element.typed_id, affine(&entry.bone_to_world));
        }
    }
    bound
}

/// Translation, rotation and scale; nothing of what has none, as it flattens or mirrors.
fn decomposed(local: DAffine3) -> Option<Transform> {
    let determinant = local.matrix3.determinant();
    if !(determinant.is_finite() && determinant > 0.0) {
        return None;
    }
    let (scale, rotation, translation) = local.to_scale_rotation_translation();
    let transform = Transform { translation, rotation: rotation.normalize(), scale };
    transform.is_finite().then_some(transform)
}
