//! The nodes of a glTF.

use glam::{DMat4, DQuat, DVec3};
use gltf_json::{Root, scene::Node};

use crate::{
    clip::{NodeKind, Transform},
    diagnostics::{Notices, SourceLocation},
    rig::RigNode,
};

/// The nodes, in file order. Contradictions are worked around, with notices.
pub(crate) fn nodes(root: &Root, notices: &mut Notices) -> Vec<RigNode> {
    let is_joint = joints(root, notices);
    let has_skins = is_joint.contains(&true);
    let parents = parents(root, notices);
    let make = |(index, node): (usize, &Node)| RigNode {
        name: node.name.clone().unwrap_or_else(|| format!("node {index}")),
        id: None,
        parent: parents[index],
        bone_from: None,
        side: None,
        rest: rest(index, node, notices),
        kind: match node {
            _ if is_joint[index] => NodeKind::Joint,
            Node { camera: Some(_), .. } => NodeKind::Helper,
            // Without skins, meshes are moved by their nodes: these are the joints.
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

/// For each node whether a skin is bound to it.
fn joints(root: &Root, notices: &mut Notices) -> Vec<bool> {
    let mut is_joint = vec![false; root.nodes.len()];
    for (index, skin) in root.skins.iter().enumerate() {
        for joint in &skin.joints {
            match is_joint.get_mut(joint.value()) {
                Some(is_joint) => *is_joint = true,
                None => {
                    let message = format!("skins[{index}]: there is no node {}", joint.value());
                    notices.warning(SourceLocation::File, message);
                }
            }
        }
    }
    is_joint
}

/// For each node its parent; of several, the first.
fn parents(root: &Root, notices: &mut Notices) -> Vec<Option<usize>> {
    let mut parents = vec![None; root.nodes.len()];
    for (parent, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(|child| child.value()) {
            match parents.get_mut(child) {
                Some(slot @ None) => *slot = Some(parent),
                Some(Some(first)) => {
                    let message = format!(
                        "nodes[{child}] is a child of nodes[{first}] and of nodes[{parent}]: the \
                         first counts"
                    );
                    notices.warning(SourceLocation::File, message);
                }
                None => {
                    let message = format!("nodes[{parent}].children: there is no node {child}");
                    notices.warning(SourceLocation::File, message);
                }
            }
        }
    }
    parents
}

fn rest(index: usize, node: &Node, notices: &mut Notices) -> Transform {
    let rest = match &node.matrix {
        Some(matrix) => of_matrix(matrix.map(f64::from)),
        None => Transform {
            translation: node.translation.map_or(DVec3::ZERO, vector),
            rotation: node.rotation.map_or(DQuat::IDENTITY, |turn| {
                DQuat::from_array(turn.0.map(f64::from)).normalize()
            }),
            scale: node.scale.map_or(DVec3::ONE, vector),
        },
    };
    if rest.is_finite() {
        return rest;
    }
    let message = format!("nodes[{index}]: its position is not finite; skipped");
    notices.error(SourceLocation::File, message);
    Transform::IDENTITY
}

fn of_matrix(columns: [f64; 16]) -> Transform {
    let (scale, rotation, translation) =
        DMat4::from_cols_array(&columns).to_scale_rotation_translation();
    Transform { translation, rotation: rotation.normalize(), scale }
}

fn vector(numbers: [f32; 3]) -> DVec3 {
    DVec3::from_array(numbers.map(f64::from))
}
