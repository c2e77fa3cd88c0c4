//! The nodes of a glTF.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};
use gltf_json::{Root, scene::Node};

use super::{
    codes,
    shear::{has_shear, transforms_below},
};
use crate::{
    clip::{NodeKind, Transform},
    diagnostics::{Diagnostics, SourceLocation, format_number},
    skeleton_file::SkeletonNode,
};

/// Reads all nodes, in the order of the file. Two nodes follow for each node whose matrix has shear
/// and that has children: they carry the shear, and the children are below them.
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
    report_scenes(root, &parents, diagnostics);
    add_shear(root, &mut nodes, diagnostics);
    nodes
}

fn report_scenes(root: &Root, parents: &[Option<usize>], diagnostics: &mut Diagnostics) {
    for (index, scene) in root.scenes.iter().enumerate() {
        for node in scene.nodes.iter().map(|node| node.value()) {
            let found = match parents.get(node) {
                Some(None) => continue,
                Some(Some(parent)) => format!("nodes[{node}], a child of nodes[{parent}]"),
                None => format!("{node}, but there is no such node"),
            };
            let message = format!("scenes[{index}]: expected nodes without parents, found {found}");
            diagnostics.info(codes::INVALID_TREE, SourceLocation::File, message);
        }
    }
}

fn add_shear(root: &Root, nodes: &mut Vec<SkeletonNode>, diagnostics: &mut Diagnostics) {
    let mut carriers = HashMap::new();
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(matrix) = node.matrix.map(|matrix| DMat4::from_cols_array(&matrix.map(f64::from)))
        else {
            continue;
        };
        let name = nodes[index].name.clone();
        if matrix.row(3) != DVec4::W {
            let message = format!(
                "nodes[{index}] ({name:?}): expected 0, 0, 0, 1 as the last row of the matrix, \
                 found {}; ignored",
                matrix.row(3).to_array().map(format_number).join(", ")
            );
            diagnostics.warning(codes::INVALID_TRANSFORM, SourceLocation::File, message);
        }
        let linear = DMat3::from_mat4(matrix);
        if !has_shear(linear) {
            continue;
        }
        let outcome = match transforms_below(&nodes[index].rest, linear) {
            _ if node.children.is_none() => "meshes of the node are shown without the shear",
            Some([outer, inner]) => {
                carriers.insert(index, nodes.len() + 1);
                for (name, parent, rest) in [
                    (format!("{name} (shear)"), index, outer),
                    (format!("{name} (shear, inner)"), nodes.len(), inner),
                ] {
                    nodes.push(SkeletonNode {
                        name,
                        id: None,
                        parent: Some(parent),
                        bone_from: None,
                        side: None,
                        rest,
                        kind: NodeKind::Helper,
                    });
                }
                "its children are at the positions that follow from the matrix, but meshes and \
                 rotations are shown without the shear"
            }
            None => "shown without the shear, so its children may be misplaced",
        };
        let message = format!(
            "nodes[{index}] ({name:?}): expected the matrix of a translation, a rotation and a \
             scale, found shear; {outcome}"
        );
        diagnostics
            .warning(codes::SHEAR, SourceLocation::File, message)
            .with("name", nodes[index].name.as_str());
    }
    for node in &mut nodes[..root.nodes.len()] {
        let carrier = node.parent.and_then(|parent| carriers.get(&parent));
        node.parent = carrier.copied().or(node.parent);
    }
}

fn joint_flags(root: &Root, diagnostics: &mut Diagnostics) -> Vec<bool> {
    let mut is_joint = vec![false; root.nodes.len()];
    for (index, skin) in root.skins.iter().enumerate() {
        for joint in &skin.joints {
            match is_joint.get_mut(joint.value()) {
                Some(is_joint) => *is_joint = true,
                None => {
                    let message = format!("skins[{index}]: there is no node {}", joint.value());
                    diagnostics.warning(codes::MISSING_REFERENCE, SourceLocation::File, message);
                }
            }
        }
    }
    is_joint
}

pub(super) fn node_parents(root: &Root, diagnostics: &mut Diagnostics) -> Vec<Option<usize>> {
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
                    diagnostics.warning(codes::INVALID_TREE, SourceLocation::File, message);
                }
                None => {
                    let message = format!("nodes[{parent}].children: there is no node {child}");
                    diagnostics.warning(codes::MISSING_REFERENCE, SourceLocation::File, message);
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
    report_contradictions(index, node, diagnostics);
    if rest.is_finite() {
        return rest;
    }
    let message = format!("nodes[{index}]: its transform is not finite; using the identity");
    diagnostics.error(codes::INVALID_TRANSFORM, SourceLocation::File, message);
    Transform::IDENTITY
}

fn report_contradictions(index: usize, node: &Node, diagnostics: &mut Diagnostics) {
    /// Rotations that were rounded to two digits stay within this distance.
    const MAX_LENGTH_ERROR: f64 = 0.01;
    let has_transform =
        node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if node.matrix.is_some() && has_transform {
        let message = format!(
            "nodes[{index}]: expected a matrix or a translation, rotation and scale, found both; \
             using the matrix"
        );
        diagnostics.warning(codes::INVALID_TRANSFORM, SourceLocation::File, message);
        return;
    }
    let length = node.rotation.map(|one| DQuat::from_array(one.0.map(f64::from)).length());
    // A rotation of length 0 has no direction, so the transform is not finite, which is an error.
    let is_wrong = |length: &f64| *length > 0.0 && (length - 1.0).abs() > MAX_LENGTH_ERROR;
    if let Some(length) = length.filter(is_wrong) {
        let message = format!(
            "nodes[{index}]: expected a rotation of length 1, found {}; normalised",
            format_number(length)
        );
        diagnostics.warning(codes::INVALID_TRANSFORM, SourceLocation::File, message);
    }
}

fn decompose_matrix(columns: [f64; 16]) -> Transform {
    let (scale, rotation, translation) =
        DMat4::from_cols_array(&columns).to_scale_rotation_translation();
    Transform { translation, rotation: rotation.normalize(), scale }
}

fn to_dvec3(numbers: [f32; 3]) -> DVec3 {
    DVec3::from_array(numbers.map(f64::from))
}
