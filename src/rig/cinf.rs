//! The bones of Metroid Prime: CINF.

use glam::DVec3;

use super::RigNode;
use crate::{
    clip::{NodeKind, Transform},
    diagnostics::{Error, Notices},
    formats::prime::{Tree, bone_name, decode_skeleton, is_skeleton},
};

/// What the names of locators end in.
const LOCATOR: &str = "_LCTR";

/// Whether `bytes` may be such a file: it begins with a count of bones, which are not so many that
/// its first byte is not 0. No text begins so.
pub(super) fn begins_like(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0)
}

/// Whether `bytes` are such a file, and a sound one: there is no signature to go by.
pub(super) fn is_recognised(bytes: &[u8]) -> bool {
    begins_like(bytes) && is_skeleton(bytes)
}

/// Reads the bones, in file order. Those without a name are called by their id.
///
/// # Errors
/// If it is no skeleton of Metroid Prime 1 or 2.
pub(super) fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Vec<RigNode>, Error> {
    let skeleton = decode_skeleton(bytes, notices)?;
    let tree = Tree::new(&skeleton, notices);
    let places = tree.parents.iter().zip(&tree.offsets);
    let nodes = skeleton.bones.iter().zip(places).map(|(bone, (&parent, &offset))| {
        let name = bone.name.clone().unwrap_or_else(|| bone_name(bone.id));
        RigNode {
            id: Some(bone.id),
            parent,
            rest: Transform { translation: y_up(offset), ..Transform::IDENTITY },
            kind: if name.ends_with(LOCATOR) { NodeKind::Locator } else { NodeKind::Joint },
            name,
        }
    });
    Ok(nodes.collect())
}

/// From the games' space, right-handed with Z up and in metres, to the viewer's.
fn y_up(place: DVec3) -> DVec3 {
    DVec3::new(place.x, place.z, -place.y)
}
