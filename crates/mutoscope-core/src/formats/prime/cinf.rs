//! Reads a CINF, the skeleton format of Metroid Prime, as a skeleton for recordings.

use glam::DVec3;

use super::{Tree, bone_name, decode_skeleton, is_skeleton};
use crate::{
    clip::{NodeKind, Side, Transform},
    diagnostics::{Diagnostics, Error},
    formats::{Recognition, SkeletonFormat},
    skeleton_file::{SkeletonContent, SkeletonKind, SkeletonNode, SkeletonSpace},
};

pub(in crate::formats) const CINF: SkeletonFormat = SkeletonFormat {
    kind: SkeletonKind::CINF,
    extensions: &["cinf"],
    is_kept_with_recordings: true,
    space: SkeletonSpace { up: None, mirror: None },
    recognise,
    decode: |bytes, _, diagnostics| {
        Ok(SkeletonContent {
            nodes: decode_nodes(bytes, diagnostics)?,
            ..SkeletonContent::default()
        })
    },
};

const LOCATOR_SUFFIX: &str = "_LCTR";

/// Recognises a CINF. Such a file has no signature, but few other files can be read as one. Its
/// first byte is always 0, because it begins with a 32-bit bone count, which is small. Text files
/// do not begin with a 0 byte.
fn recognise(bytes: &[u8]) -> Recognition {
    match bytes.first() {
        Some(0) if is_skeleton(bytes) => Recognition::Certain,
        Some(0) => Recognition::Plausible,
        _ => Recognition::No,
    }
}

fn decode_nodes(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Vec<SkeletonNode>, Error> {
    let skeleton = decode_skeleton(bytes, diagnostics)?;
    let tree = Tree::new(&skeleton, diagnostics);
    let parents_and_offsets = tree.parents.iter().zip(&tree.offsets);
    let nodes = skeleton.bones.iter().zip(parents_and_offsets).map(|(bone, (&parent, &offset))| {
        let name = bone.name.clone().unwrap_or_else(|| bone_name(bone.id));
        SkeletonNode {
            id: Some(bone.id),
            parent,
            bone_from: parent.filter(|&parent| !is_ground_root(&tree.parents, parent)),
            rest: Transform { translation: to_y_up(offset), ..Transform::IDENTITY },
            kind: if name.ends_with(LOCATOR_SUFFIX) { NodeKind::Locator } else { NodeKind::Joint },
            side: side_from_name(&name),
            name,
        }
    });
    Ok(nodes.collect())
}

/// Returns `true` if the bone is a root with a single child. In these skeletons such a root marks
/// the ground, and the child is the root of the body.
fn is_ground_root(parents: &[Option<usize>], bone: usize) -> bool {
    let children = parents.iter().filter(|parent| **parent == Some(bone));
    parents[bone].is_none() && children.count() == 1
}

fn side_from_name(name: &str) -> Option<Side> {
    match name.get(..2)? {
        "L_" => Some(Side::Left),
        "R_" => Some(Side::Right),
        _ => None,
    }
}

/// Converts from the space of the games (right-handed, Z up, metres) to the viewer's.
fn to_y_up(position: DVec3) -> DVec3 {
    DVec3::new(position.x, position.z, -position.y)
}
