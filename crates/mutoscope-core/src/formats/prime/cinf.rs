//! The bones of Metroid Prime as a skeleton for recordings: CINF.

use glam::DVec3;

use super::{Tree, bone_name, decode_skeleton, is_skeleton};
use crate::{
    clip::{NodeKind, Side, Transform},
    diagnostics::{Error, Notices},
    formats::{Recognition, SkeletonFormat},
    rig::{RigContent, RigKind, RigNode, RigSpace},
};

/// The row in [`SKELETON_FORMATS`](crate::formats::SKELETON_FORMATS).
pub(in crate::formats) const CINF: SkeletonFormat = SkeletonFormat {
    kind: RigKind::CINF,
    extensions: &["cinf"],
    is_kept_with_recordings: true,
    space: RigSpace { up: None, mirror: None },
    recognise,
    decode: |bytes, _, notices| {
        Ok(RigContent { nodes: decode(bytes, notices)?, ..RigContent::default() })
    },
};

/// The suffix of locators' names.
const LOCATOR: &str = "_LCTR";

/// There is no signature to go by, but a valid file can hardly be anything else. It begins with a
/// 32-bit count of bones, which is small enough for its first byte to be 0. No text begins so.
fn recognise(bytes: &[u8]) -> Recognition {
    match bytes.first() {
        Some(0) if is_skeleton(bytes) => Recognition::Certain,
        Some(0) => Recognition::Plausible,
        _ => Recognition::No,
    }
}

/// Reads the bones, in file order. Those without a name are called by their id.
///
/// # Errors
/// If it is no skeleton of Metroid Prime 1 or 2.
fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Vec<RigNode>, Error> {
    let skeleton = decode_skeleton(bytes, notices)?;
    let tree = Tree::new(&skeleton, notices);
    let places = tree.parents.iter().zip(&tree.offsets);
    let nodes = skeleton.bones.iter().zip(places).map(|(bone, (&parent, &offset))| {
        let name = bone.name.clone().unwrap_or_else(|| bone_name(bone.id));
        RigNode {
            id: Some(bone.id),
            parent,
            bone_from: parent.filter(|&parent| !stands_below(&tree.parents, parent)),
            rest: Transform { translation: y_up(offset), ..Transform::IDENTITY },
            kind: if name.ends_with(LOCATOR) { NodeKind::Locator } else { NodeKind::Joint },
            side: side(&name),
            name,
        }
    });
    Ok(nodes.collect())
}

/// Whether a bone is the root and a place on the ground below the body, which is then its only
/// child.
fn stands_below(parents: &[Option<usize>], bone: usize) -> bool {
    let children = parents.iter().filter(|parent| **parent == Some(bone));
    parents[bone].is_none() && children.count() == 1
}

/// The side of the body that a bone's name tells.
fn side(name: &str) -> Option<Side> {
    match name.get(..2)? {
        "L_" => Some(Side::Left),
        "R_" => Some(Side::Right),
        _ => None,
    }
}

/// From the games' space, right-handed with Z up and in metres, to the viewer's.
fn y_up(place: DVec3) -> DVec3 {
    DVec3::new(place.x, place.z, -place.y)
}
