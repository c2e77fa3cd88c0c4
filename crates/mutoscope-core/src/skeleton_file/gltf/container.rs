//! The JSON of a glTF, and the binary chunk that may follow it.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use gltf_json::Root;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    PartError, expressions,
    integers::write_whole_numbers_as_integers,
    meshopt::{self, CompressedView},
    targets,
    vrm::{DeclaredHumanoid, VrmExtensions},
};
use crate::{
    clip::Expression,
    diagnostics::{Diagnostics, Error, ErrorKind, SourceLocation},
    io::bytes::Cursor,
};

const MAGIC: &[u8] = b"glTF";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A parsed glTF 2.0, binary or text. The indices in it have not been checked.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) root: Root,
    pub(crate) humanoid: Option<DeclaredHumanoid>,
    pub(super) expressions: Vec<Expression>,
    pub(super) compressed: Vec<(usize, Result<CompressedView, PartError>)>,
    /// The accessors of primitives that an extension compresses, each with the name of the
    /// extension.
    pub(super) compressed_accessors: HashMap<usize, String>,
    /// The animation channels that move no node, by the indices of animation and channel. A
    /// diagnostic has reported them.
    pub(crate) skipped_channels: HashSet<(usize, usize)>,
    pub(super) binary: Option<(&'a [u8], usize)>,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let (json, binary) = split_container(bytes)?;
        let json = Json { bytes: write_whole_numbers_as_integers(json.bytes), ..json };
        let version = json.parse::<VersionHeader>()?.asset.version;
        if !version.starts_with("2.") {
            let message = format!("expected glTF 2, found version {version:?}");
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        let has_pointers = contains_bytes(&json.bytes, targets::ANIMATION_POINTER.as_bytes());
        let (root, skipped_channels) = match json.parse::<Root>() {
            Ok(root) if !has_pointers => (root, HashSet::new()),
            parsed => match json.parse_with_resolved_targets(diagnostics) {
                Some(resolved) => resolved,
                None => (parsed?, HashSet::new()),
            },
        };
        if root.nodes.is_empty() {
            return Err(Error::unsupported(
                SourceLocation::File,
                "expected nodes, found none in this glTF",
            ));
        }
        // Ignore extensions that are not an object of the expected form, because they may belong to
        // something else.
        let extensions = json.parse::<VrmFile>().unwrap_or_default().extensions;
        let humanoid = extensions.declared_humanoid(root.nodes.len(), diagnostics);
        let avatar_expressions = expressions::read_expressions(&extensions, &root, diagnostics);
        expressions::report_unsupported(&extensions, &root, diagnostics);
        let is_compressed = contains_bytes(&json.bytes, meshopt::NAME_SUFFIX);
        let compressed =
            if is_compressed { meshopt::find_compressed_views(&json.bytes) } else { Vec::new() };
        Ok(Self {
            humanoid,
            expressions: avatar_expressions,
            compressed,
            compressed_accessors: json.find_compressed_accessors(&root),
            skipped_channels,
            binary,
            root,
        })
    }
}

/// Returns `true` if `bytes` begin a binary glTF, or begin a JSON object and contain `"asset"`, the
/// name of the only member that every glTF must have.
pub(crate) fn is_recognised(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
        || Json::from_text(bytes).bytes.trim_ascii_start().starts_with(b"{")
            && contains_bytes(bytes, b"\"asset\"")
}

/// Returns `true` if a glTF has animations. If the JSON is broken, this searches for the name of
/// the member instead. `None` if the file is truncated and the name was not found.
pub(crate) fn has_animations(bytes: &[u8]) -> Option<bool> {
    #[derive(Deserialize)]
    struct Animations {
        #[serde(default)]
        animations: Vec<serde::de::IgnoredAny>,
    }
    let json = split_container(bytes).map(|(json, _)| json.bytes);
    let is_cut_off = match json.map(|json| serde_json::from_slice::<Animations>(&json)) {
        Ok(Ok(found)) => return Some(!found.animations.is_empty()),
        Ok(Err(error)) => error.is_eof(),
        Err(error) => error.kind() == ErrorKind::Truncated,
    };
    let is_named = contains_bytes(bytes, b"\"animations\"");
    (is_named || !is_cut_off).then_some(is_named)
}

fn contains_bytes(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[derive(Default, Deserialize)]
struct VrmFile {
    #[serde(default)]
    extensions: VrmExtensions,
}

/// The version of the file. It is checked first, because the rest of another version could not be
/// parsed.
#[derive(Deserialize)]
struct VersionHeader {
    asset: Asset,
}

#[derive(Deserialize)]
struct Asset {
    version: String,
}

type Chunks<'a> = (Json<'a>, Option<(&'a [u8], usize)>);

fn split_container(bytes: &[u8]) -> Result<Chunks<'_>, Error> {
    if bytes.starts_with(MAGIC) { split_chunks(bytes) } else { Ok((Json::from_text(bytes), None)) }
}

struct Json<'a> {
    bytes: Cow<'a, [u8]>,
    /// The offset of the first byte. `None` for a text file, whose locations are lines and columns.
    offset: Option<usize>,
}

impl<'a> Json<'a> {
    fn from_text(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        Self { bytes: bytes.into(), offset: None }
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.bytes).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let location = match self.offset {
                // If the JSON is on one line, as in most binary files, the column is the position
                // in the JSON. Adding the position to the offset of the JSON gives the byte offset
                // in the file.
                Some(offset) if line == 1 => {
                    SourceLocation::byte(offset + column.saturating_sub(1))
                }
                Some(offset) => SourceLocation::span(offset, self.bytes.len()),
                None => SourceLocation::column(line as u32, column as u32),
            };
            let text = error.to_string();
            let found = text.rsplit_once(" at line ").map_or(text.as_str(), |(found, _)| found);
            Error::malformed(location, "glTF 2.0", found)
        })
    }

    /// Parses the JSON after giving a node to each animation channel that has none, because
    /// `gltf_json` rejects such channels. `None` if the JSON is invalid for another reason.
    fn parse_with_resolved_targets(
        &self,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Root, HashSet<(usize, usize)>)> {
        let mut json: Value = serde_json::from_slice(&self.bytes).ok()?;
        let targets = targets::resolve_targets(&mut json);
        let root = serde_json::from_slice(&serde_json::to_vec(&json).ok()?).ok()?;
        targets.report(diagnostics);
        Some((root, targets.skipped_channels))
    }

    /// Finds the accessors whose numbers are in a buffer view of an extension, such as
    /// `KHR_draco_mesh_compression`. Without the extension, these accessors would be all zeros.
    fn find_compressed_accessors(&self, root: &Root) -> HashMap<usize, String> {
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            meshes: Vec<Mesh>,
        }
        #[derive(Deserialize)]
        struct Mesh {
            primitives: Vec<Primitive>,
        }
        #[derive(Deserialize)]
        struct Primitive {
            #[serde(default)]
            extensions: Map<String, Value>,
        }
        let may_be_compressed = root.accessors.iter().any(|one| one.buffer_view.is_none());
        if root.extensions_used.is_empty() && root.extensions_required.is_empty()
            || !may_be_compressed
        {
            return HashMap::new();
        }
        let meshes = self.parse::<File>().map(|file| file.meshes).unwrap_or_default();
        let mut accessors = HashMap::new();
        for (mesh, extended) in root.meshes.iter().zip(&meshes) {
            for (primitive, Primitive { extensions }) in
                mesh.primitives.iter().zip(&extended.primitives)
            {
                let compresses = |(_, value): &(&String, &Value)| value.get("bufferView").is_some();
                let Some((name, _)) = extensions.iter().find(compresses) else { continue };
                let used = primitive.attributes.values().chain(&primitive.indices);
                accessors.extend(used.map(|accessor| (accessor.value(), name.clone())));
            }
        }
        accessors
    }
}

/// Returns the JSON of a binary glTF, which is its first chunk, and the binary chunk with its
/// offset, if there is one.
fn split_chunks(bytes: &[u8]) -> Result<Chunks<'_>, Error> {
    let mut cursor = Cursor::new(bytes);
    cursor.read_bytes(MAGIC.len(), "the word glTF")?;
    let location = cursor.location();
    let version = cursor.i32_le("the version of the container")?;
    if version != 2 {
        let message = format!("expected a container of version 2, found {version}");
        return Err(Error::unsupported(location, message));
    }
    cursor.i32_le("the length of the file")?;
    let length = cursor.i32_le("the length of the first chunk")?;
    let location = cursor.location();
    let kind = cursor.read_bytes(4, "the type of the first chunk")?;
    if kind != b"JSON" {
        return Err(Error::malformed(location, "a chunk of JSON", kind.escape_ascii()));
    }
    let length = usize::try_from(length)
        .map_err(|_| Error::malformed(cursor.location(), "the length of a chunk", length))?;
    let offset = cursor.offset();
    let bytes = cursor.read_bytes(length, "the chunk of JSON")?.into();
    let json = Json { bytes, offset: Some(offset) };
    // Ignore the length of the chunk, because it is redundant: accessors are checked against the
    // remaining bytes of the file.
    let has_second =
        cursor.read_bytes(8, "the second chunk").is_ok_and(|head| head.ends_with(b"BIN\0"));
    let offset = cursor.offset();
    Ok((json, has_second.then(|| (cursor.remaining_bytes(), offset))))
}
