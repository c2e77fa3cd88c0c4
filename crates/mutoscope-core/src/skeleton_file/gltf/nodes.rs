//! The nodes of a glTF.

use glam::{DMat4, DQuat, DVec3};
use gltf_json::{Root, scene::Node};

use crate::{
    clip::{NodeKind, Transform},
    diagnostics::{Diagnostics, SourceLocation},
    skeleton_file::SkeletonNode,
};

pub(crate) fn convert_nodes(root: &Root, diagnostics: &mut Diagnostics) -> Vec<SkeletonNode> {
    let is_joint = joint_flags(root, diagnostics);
    let has_skins = is_joint.contains(&true);
    let parents = node_parents(root, diagnostics);
    let make = |(index, node): (usize, &Node)| SkeletonNode {
        name: node.name.clone().unwrap_or_else(|| format!("node {index}")),
        id: None,
        parent: parents[index],
        bone_from: None,
        side: None,
        rest: rest_transform(index, node, diagnostics),
        kind: match node {
            _ if is_joint[index] => NodeKind::Joint,
            Node { camera: Some(_), .. } => NodeKind::Helper,
            // If the file has no skins, nodes move rigid meshes, so treat the nodes as joints.
            _ if !has_skins => NodeKind::Joint,
            Node { mesh: Some(_), .. } => NodeKind::Shape,
            _ => NodeKind::Helper,
        },
    };
    let mut nodes: Vec<_> = root.nodes.iter().enumerate().map(make).collect();
    let kinds: Vec<_> = nodes.iter().map(|node| node.kind).collect();
    for (node, &parent) in nodes.iter_mut().zip(&parents) {
        let is_bone = |parent: &usize| [node.kind, kinds[*parent]] == [NodeKind::Joint; 2];
        node.bone_from = parent.filter(is_bone);
    }
    nodes
}

fn joint_flags(root: &Root, diagnostics: &mut Diagnostics) -> Vec<bool> {
    let mut is_joint = vec![false; root.nodes.len()];
    for (index, skin) in root.skins.iter().enumerate() {
        for joint in &skin.joints {
            match is_joint.get_mut(joint.value()) {
                Some(is_joint) => *is_joint = true,
                None => {
                    let message = format!("skins[{index}]: there is no node {}", joint.value());
                    diagnostics.warning(SourceLocation::File, message);
                }
            }
        }
    }
    is_joint
}

fn node_parents(root: &Root, diagnostics: &mut Diagnostics) -> Vec<Option<usize>> {
    let mut parents = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            match parents.get_mut(child) {
                Some(slot @ None) => *slot = Some(parent),
                Some(Some(first)) => {
                    let message = format!(
                        "nodes[{child}] is a child of nodes[{first}] and of nodes[{parent}]; using \
                         the first"
                    );
                    diagnostics.warning(SourceLocation::File, message);
                }
                None => {
                    let message = format!("nodes[{parent}].children: there is no node {child}");
                    diagnostics.warning(SourceLocation::File, message);
                }
            }
        }
    }
    parents
}

fn rest_transform(index: usize, node: &Node, diagnostics: &mut Diagnostics) -> Transform {
    let rest = match &node.matrix {
        Some(matrix) => decompose_matrix(matrix.map(f64::from)),
        None => Transform {
            translation: node.translation.map_or(DVec3::ZERO, to_dvec3),
            rotation: node.rotation.map_or(DQuat::IDENTITY, |rotation| {
                DQuat::from_array(rotation.0.map(f64::from)).normalize()
            }),
            scale: node.scale.map_or(DVec3::ONE, to_dvec3),
        },
    };
    if rest.is_finite() {
        return rest;
    }
    let message = format!("nodes[{index}]: its transform is not finite; using the identity");
    diagnostics.error(SourceLocation::File, message);
    Transform::IDENTITY
}

fn decompose_matrix(columns: [f64; 16]) -> Transform {
    let (scale, rotation, translation) =
        DMat4::from_cols_array(&columns).to_scale_rotation_translation();
    Transform { translation, rotation: rotation.normalize(), scale }
}

fn to_dvec3(numbers: [f32; 3]) -> DVec3 {
    DVec3::from_array(numbers.map(f64::from))
}
