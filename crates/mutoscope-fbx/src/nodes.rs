//! The nodes of a file in their bind pose.

use std::collections::HashMap;

use glam::DAffine3;
use mutoscope_core::{
    clip::{NodeKind, Transform},
    diagnostics::{Diagnostics, Error, SourceLocation},
    io::bytes::Sidecars,
    skeleton_file::{SkeletonContent, SkeletonNode},
};
use ufbx::{ElementType, Node, Scene};

use crate::{
    meshes,
    scene::{Content, affine, load, report_problems, transform},
};

pub(crate) fn decode_skeleton(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Result<SkeletonContent, Error> {
    let scene = load(bytes, Content::All)?;
    report_problems(&scene, diagnostics);
    let nodes = rest_nodes(&scene, diagnostics);
    if nodes.is_empty() {
        return Err(Error::unsupported(
            SourceLocation::File,
            "expected nodes, found none in this FBX",
        ));
    }
    Ok(SkeletonContent {
        nodes,
        model: meshes::read_model(&scene, sidecars, diagnostics),
        humanoid: None,
    })
}

/// Returns the index of the node. Returns `None` for the root node, because ufbx adds the root and
/// no file contains it.
pub(crate) fn node_index(node: &Node) -> Option<usize> {
    (node.element.typed_id as usize).checked_sub(1)
}

pub(crate) fn non_root_nodes(scene: &Scene) -> impl Iterator<Item = &Node> {
    scene.nodes.iter().skip(1).map(|node| &**node)
}

pub(crate) fn rest_nodes(scene: &Scene, diagnostics: &mut Diagnostics) -> Vec<SkeletonNode> {
    let bind_transforms = bind_transforms(scene);
    let is_bone = |node: &Node| node.attrib_type == ElementType::Bone;
    let has_bones = non_root_nodes(scene).any(is_bone);
    if has_bones && bind_transforms.is_empty() {
        let message = "no bind pose; using the local transforms as the rest pose";
        diagnostics.info(SourceLocation::File, message);
    }
    let mut worlds: Vec<DAffine3> = Vec::new();
    let mut nodes: Vec<SkeletonNode> = Vec::new();
    for node in non_root_nodes(scene) {
        let parent = node
            .parent
            .as_ref()
            .and_then(|parent| node_index(parent))
            .filter(|&parent| parent < nodes.len());
        let above = parent.map_or(DAffine3::IDENTITY, |parent| worlds[parent]);
        let local = transform(&node.local_transform);
        let bind_pose = bind_transforms
            .get(&node.element.typed_id)
            .and_then(|world| decompose(above.inverse() * *world));
        let rest = bind_pose.unwrap_or(local);
        worlds.push(
            above
                * DAffine3::from_scale_rotation_translation(
                    rest.scale,
                    rest.rotation,
                    rest.translation,
                ),
        );
        let kind = node_kind(node, has_bones);
        let is_joint =
            |index: &usize| nodes[*index].kind == NodeKind::Joint && kind == NodeKind::Joint;
        nodes.push(SkeletonNode {
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

fn node_kind(node: &Node, has_bones: bool) -> NodeKind {
    match node.attrib_type {
        ElementType::Bone => NodeKind::Joint,
        ElementType::Mesh if has_bones => NodeKind::Shape,
        ElementType::Mesh => NodeKind::Joint,
        _ => NodeKind::Helper,
    }
}

/// Maps node ids to their bind transforms in world space. A bind pose has priority over the bind
/// matrices of skins.
fn bind_transforms(scene: &Scene) -> HashMap<u32, DAffine3> {
    let mut bound = HashMap::new();
    for cluster in scene.skin_clusters.iter() {
        if let Some(bone) = &cluster.bone_node {
            bound.entry(bone.element.typed_id).or_insert_with(|| affine(&cluster.bind_to_world));
        }
    }
    for node in non_root_nodes(scene) {
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

/// Returns `None` if the transform mirrors or flattens, because a rotation and a positive scale
/// cannot express that.
fn decompose(local: DAffine3) -> Option<Transform> {
    let determinant = local.matrix3.determinant();
    if !(determinant.is_finite() && determinant > 0.0) {
        return None;
    }
    let (scale, rotation, translation) = local.to_scale_rotation_translation();
    let transform = Transform { translation, rotation: rotation.normalize(), scale };
    transform.is_finite().then_some(transform)
}
