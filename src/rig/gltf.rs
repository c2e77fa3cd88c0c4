//! The nodes and meshes of glTF 2.0, binary or text.
//!
//! What cannot be read of meshes, because it needs an extension or lies in a file that is not there,
//! is no obstacle. glTF is right-handed with Y up and in metres, as the viewer is.

mod buffers;
mod meshes;

use glam::{DMat4, DQuat, DVec3};
use gltf_json::{Root, scene::Node};
use serde::Deserialize;

use buffers::Buffers;

use super::RigNode;
use crate::{
    bytes::{Cursor, Sidecars},
    clip::{Model, NodeKind, Transform},
    diagnostics::{Error, Notices, Place},
};

/// What the binary container begins with.
const MAGIC: &[u8] = b"glTF";

/// What a text may begin with before its first character.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether `bytes` are a binary container, or an object of JSON with the one member that every glTF
/// has.
pub(crate) fn is_recognised(bytes: &[u8]) -> bool {
    const MEMBER: &[u8] = b"\"asset\"";
    let text = Json::text(bytes).bytes.trim_ascii_start();
    bytes.starts_with(MAGIC)
        || text.starts_with(b"{") && text.windows(MEMBER.len()).any(|window| window == MEMBER)
}

/// Reads the nodes of a `.glb` or `.gltf`, and the meshes that they carry.
///
/// # Errors
/// If it is no glTF of version 2, or has no nodes.
pub(crate) fn decode(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> Result<(Vec<RigNode>, Model), Error> {
    let (json, binary) =
        if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (Json::text(bytes), None) };
    let version = json.parse::<Head>()?.asset.version;
    if !version.starts_with("2.") {
        let message = format!("expected glTF 2, found version {version:?}");
        return Err(Error::unsupported(Place::File, message));
    }
    let root: Root = json.parse()?;
    if root.nodes.is_empty() {
        return Err(Error::unsupported(Place::File, "expected nodes, found none in this glTF"));
    }
    let nodes = nodes(&root, notices);
    Ok((nodes, meshes::model(&root, &Buffers::new(&root, binary, sidecars), notices)))
}

/// The start of every glTF: its version, of which the rest depends.
#[derive(Deserialize)]
struct Head {
    asset: Asset,
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

/// The JSON of a file, and where in the file it stands.
struct Json<'a> {
    bytes: &'a [u8],
    /// The offset of its first byte; nothing if the file is a text that has lines.
    offset: Option<usize>,
}

impl<'a> Json<'a> {
    fn text(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes), offset: None }
    }

    fn parse<T: Deserialize<'a>>(&self) -> Result<T, Error> {
        serde_json::from_slice(self.bytes).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let place = match self.offset {
                // Written without line breaks, as is usual, its columns are offsets.
                Some(offset) if line == 1 => Place::byte(offset + column.saturating_sub(1)),
                Some(offset) => Place::span(offset, self.bytes.len()),
                None => Place::column(line as u32, column as u32),
            };
            let text = error.to_string();
            let found = text.rsplit_once(" at line ").map_or(text.as_str(), |(found, _)| found);
            Error::malformed(place, "glTF 2.0", found)
        })
    }
}

/// The JSON in a binary container, which is its first chunk, and the bytes of its second, if it has
/// one.
fn chunks(bytes: &[u8]) -> Result<(Json<'_>, Option<&[u8]>), Error> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(MAGIC.len(), "the word glTF")?;
    let place = cursor.place();
    let version = cursor.i32_le("the version of the container")?;
    if version != 2 {
        let message = format!("expected a container of version 2, found {version}");
        return Err(Error::unsupported(place, message));
    }
    cursor.i32_le("the length of the file")?;
    let length = cursor.i32_le("the length of the first chunk")?;
    let place = cursor.place();
    let kind = cursor.take(4, "the type of the first chunk")?;
    if kind != b"JSON" {
        return Err(Error::malformed(place, "a chunk of JSON", kind.escape_ascii()));
    }
    let length = usize::try_from(length)
        .map_err(|_| Error::malformed(cursor.place(), "the length of a chunk", length))?;
    let offset = cursor.offset();
    let json = Json { bytes: cursor.take(length, "the chunk of JSON")?, offset: Some(offset) };
    // Its length is of no use where it is wrong: what accessors need is checked against what is left.
    let has_second = cursor.take(8, "the second chunk").is_ok_and(|head| head.ends_with(b"BIN\0"));
    Ok((json, has_second.then(|| cursor.rest())))
}

fn nodes(root: &Root, notices: &mut Notices) -> Vec<RigNode> {
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

/// For each node whether a skin hangs on it.
fn joints(root: &Root, notices: &mut Notices) -> Vec<bool> {
    let mut is_joint = vec![false; root.nodes.len()];
    for (index, skin) in root.skins.iter().enumerate() {
        for joint in &skin.joints {
            match is_joint.get_mut(joint.value()) {
                Some(is_joint) => *is_joint = true,
                None => {
                    let message = format!("skins[{index}]: there is no node {}", joint.value());
                    notices.warning(Place::File, message);
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
                    notices.warning(Place::File, message);
                }
                None => {
                    let message = format!("nodes[{parent}].children: there is no node {child}");
                    notices.warning(Place::File, message);
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
    let message = format!("nodes[{index}]: its place is not finite: left out");
    notices.error(Place::File, message);
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
