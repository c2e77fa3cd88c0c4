//! Reads the nodes and meshes of glTF 2.0, binary or text.
//!
//! Meshes that need an unsupported extension or a missing file are skipped. Like the viewer, glTF
//! is right-handed with Y up, in metres.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | the JSON, parsed by `gltf_json`, and the binary chunk |
//! | `targets` | animation channels that name their node in a JSON pointer |
//! | `integers` | whole numbers that the JSON does not write as integers |
//! | `buffers` | the bytes of buffers: in the file, in data URIs, in sidecar files |
//! | `meshopt` | compressed buffer views |
//! | `accessors` | the numbers in buffers, read by the element readers of `gltf` |
//! | `nodes` | nodes with their parents and rest poses |
//! | `shear` | matrices with shear |
//! | `skins` | checks of skins |
//! | `meshes` | triangles, skins, colours |
//! | `morphs` | morph targets: their names, weights and displacements |
//! | `vrm`, `expressions` | the bones of humanoids; the expressions of avatars |
//! | `textures` | the images of base colour textures |
//! | `part_error`, `codes` | why a part of a file cannot be read |

mod accessors;
mod buffers;
pub(crate) mod codes;
mod container;
mod expressions;
mod integers;
mod meshes;
mod meshopt;
mod morphs;
mod nodes;
mod part_error;
mod shear;
mod skins;
mod targets;
mod textures;
mod vrm;

pub(crate) use buffers::Buffers;
pub(crate) use container::{Document, has_animations, is_recognised};
pub(crate) use expressions::vrm1_preset_name;
pub(crate) use meshes::read_model;
pub(crate) use morphs::{target_count, target_names};
pub(crate) use nodes::convert_nodes;
pub(crate) use part_error::PartError;
pub(crate) use vrm::DeclaredHumanoid;

use super::SkeletonContent;
use crate::{
    diagnostics::{Diagnostics, Error},
    io::bytes::Sidecars,
};

pub(crate) fn decode(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Result<SkeletonContent, Error> {
    let document = Document::parse(bytes, diagnostics)?;
    let nodes = convert_nodes(&document.root, diagnostics);
    let buffers = Buffers::new(&document, sidecars);
    let model = read_model(&document, &buffers, sidecars, diagnostics);
    let humanoid = document.humanoid.as_ref().map(|declared| Box::new(declared.humanoid.clone()));
    Ok(SkeletonContent { nodes, model, humanoid })
}
