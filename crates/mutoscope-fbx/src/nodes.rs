//! The nodes of a file in their bind pose.

use std::collections::{HashMap, HashSet};

use glam::DAffine3;
use mutoscope_core::{
    clip::{NodeKind, Transform, UniqueNames},
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    io::bytes::Sidecars,
    skeleton_file::{SkeletonContent, SkeletonNode},
};
use ufbx::{ElementType, Node, Scene};

use crate::{
    codes, meshes,
    scene::{Content, affine, convention, load, report_problems, transform},
};

pub(crate) fn decode_skeleton(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Result<SkeletonContent, Error> {
    let scene = load(bytes, Content::All)?;
    report_problems(&scene, bytes, diagnostics);
    let to_viewer = convention(&scene).viewer_from_source();
    let mut nodes = rest_nodes(&scene, diagnostics);
    for node in &mut nodes {
        node.rest = to_viewer.convert_transform(&node.rest);
    }
    if nodes.is_empty() {
        return Err(Error::unsupported(
            SourceLocation::File,
            "expected nodes, found none in this FBX",
        ));
    }
    Ok(SkeletonContent {
        nodes,
        model: meshes::read_model(&scene, bytes.len(), &to_viewer, sidecars, diagnostics),
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

/// Returns the node with this index among [`non_root_nodes`].
pub(crate) fn node_at(scene: &Scene, index: usize) -> &Node {
    &scene.nodes[index + 1]
}

pub(crate) fn rest_nodes(scene: &Scene, diagnostics: &mut Diagnostics) -> Vec<SkeletonNode> {
    let bind_transforms = bind_transforms(scene);
    let is_bone = |node: &Node| node.attrib_type == ElementType::Bone;
    let has_bones = non_root_nodes(scene).any(is_bone);
    if has_bones && bind_transforms.is_empty() {
        let message = "no bind pose; using the local transforms as the rest pose";
        diagnostics.info(codes::NO_BIND_POSE, SourceLocation::File, message);
    }
    let names = unique_helper_names(scene);
    let mut invalid = 0;
    let mut worlds: Vec<DAffine3> = Vec::new();
    let mut nodes: Vec<SkeletonNode> = Vec::new();
    for (node, name) in non_root_nodes(scene).zip(names) {
        let parent = node
            .parent
            .as_ref()
            .and_then(|parent| node_index(parent))
            .filter(|&parent| parent < nodes.len());
        let above = parent.map_or(DAffine3::IDENTITY, |parent| worlds[parent]);
        let local = transform(&node.local_transform);
        invalid += usize::from(!local.is_finite());
        let local = finite_or_default(local);
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
        let parent_joint = owner(node).parent.as_ref().and_then(|parent| node_index(owner(parent)));
        let is_joint = |index: &usize| {
            let parent = nodes.get(*index).map(|parent| parent.kind);
            parent == Some(NodeKind::Joint) && kind == NodeKind::Joint
        };
        nodes.push(SkeletonNode {
            name,
            id: None,
            parent,
            rest,
            bone_from: parent_joint.filter(is_joint),
            kind,
            side: None,
        });
    }
    if invalid > 0 {
        let message = format!(
            "the transforms of {} are not finite; using the default for these",
            format_count(invalid, "node")
        );
        diagnostics
            .warning(codes::INVALID_TRANSFORM, SourceLocation::File, message)
            .with("count", invalid);
    }
    nodes
}

/// Replaces each part of a transform that is infinite or NaN.
pub(crate) fn finite_or_default(transform: Transform) -> Transform {
    let Transform { translation, rotation, scale } = transform;
    let default = Transform::IDENTITY;
    Transform {
        translation: if translation.is_finite() { translation } else { default.translation },
        rotation: if rotation.is_finite() { rotation } else { default.rotation },
        scale: if scale.is_finite() { scale } else { default.scale },
    }
}

/// Returns the node of the file that a helper node of ufbx was inserted for, or else `node`.
pub(crate) fn owner(mut node: &Node) -> &Node {
    while let Some(parent) = node.parent.as_ref().filter(|_| is_helper(node)) {
        node = parent;
    }
    node
}

fn is_helper(node: &Node) -> bool {
    node.is_scale_helper || node.is_geometry_transform_helper
}

/// Returns the names of all nodes but the root. ufbx does not name the helper nodes that it
/// inserts, so name each after its node.
fn unique_helper_names(scene: &Scene) -> Vec<String> {
    let in_file: HashSet<&str> = non_root_nodes(scene)
        .filter(|node| !is_helper(node))
        .map(|node| &*node.element.name)
        .collect();
    let mut unique = UniqueNames::default();
    let mut name = |node: &Node| {
        if !is_helper(node) {
            return node.element.name.to_string();
        }
        let what = if node.is_scale_helper { "scale" } else { "geometry" };
        let base = format!("{} ({what})", &*owner(node).element.name);
        loop {
            let name = unique.make_unique(base.clone());
            if !in_file.contains(name.as_str()) {
                return name;
            }
        }
    };
    non_root_nodes(scene).map(&mut name).collect()
}

/// Returns the kind of a node. ufbx moves the attribute of a node, such as a bone or a mesh, to its
/// helper node.
fn node_kind(node: &Node, has_bones: bool) -> NodeKind {
    if is_helper(node) {
        return NodeKind::Helper;
    }
    let mut attributed = node;
    while let Some(helper) =
        attributed.geometry_transform_helper.as_ref().or(attributed.scale_helper.as_ref())
    {
        if attributed.attrib_type != ElementType::Unknown {
            break;
        }
        attributed = helper;
    }
    match attributed.attrib_type {
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
