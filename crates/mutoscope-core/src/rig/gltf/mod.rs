//! The nodes and meshes of glTF 2.0, binary or text.
//!
//! Meshes that need an extension, or a file that is missing, are skipped. glTF is right-handed with
//! Y up and in metres, as the viewer is.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | the JSON, by `gltf_json`, and the binary chunk |
//! | `buffers` | the bytes of buffers: in the file, in addresses, in sidecar files |
//! | `meshopt` | buffer views that are compressed |
//! | `accessors` | the numbers in them, by the element readers of `gltf` |
//! | `nodes` | nodes with their parents and rest poses |
//! | `meshes` | triangles, skins, colours |
//! | `morphs` | morph targets: their names, weights and displacements |
//! | `vrm`, `expressions` | the bones of humanoids; the expressions of avatars |
//! | `textures` | images of the base colour |

mod accessors;
mod buffers;
mod container;
mod expressions;
mod meshes;
mod meshopt;
mod morphs;
mod nodes;
mod textures;
mod vrm;

pub(crate) use buffers::Buffers;
pub(crate) use container::{Document, has_animations, is_recognised};
pub(crate) use meshes::model;
pub(crate) use morphs::{target_count, target_names};
pub(crate) use nodes::nodes;
pub(crate) use vrm::Declared;

use super::RigContent;
use crate::{
    diagnostics::{Error, Notices},
    io::bytes::Sidecars,
};

/// Reads the nodes of a `.glb` or `.gltf`, and the meshes that they carry.
///
/// # Errors
/// If it is no glTF of version 2, or has no nodes.
pub(crate) fn decode(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> Result<RigContent, Error> {
    let document = Document::read(bytes, notices)?;
    let nodes = nodes(&document.root, notices);
    let buffers = Buffers::new(&document, sidecars);
    let model = model(&document, &buffers, sidecars, notices);
    let humanoid = document.humanoid.as_ref().map(|declared| Box::new(declared.humanoid.clone()));
    Ok(RigContent { nodes, model, humanoid })
}
