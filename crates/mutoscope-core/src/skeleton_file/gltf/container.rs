//! The JSON of a glTF, and the binary chunk that may follow it.

use gltf_json::Root;
use serde::Deserialize;
use serde_json::Value;

use super::{
    expressions,
    meshopt::{self, CompressedView},
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
    pub(super) compressed: Vec<(usize, Result<CompressedView, String>)>,
    pub(super) binary: Option<(&'a [u8], usize)>,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let (json, binary) = split_container(bytes)?;
        let version = json.parse::<VersionHeader>()?.asset.version;
        if !version.starts_with("2.") {
            let message = format!("expected glTF 2, found version {version:?}");
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        let root = match json.parse::<Root>() {
            Ok(root) => root,
            Err(error) => json.parse_without_extension_channels(diagnostics).ok_or(error)?,
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
        let is_compressed = contains_bytes(json.bytes, meshopt::NAME_SUFFIX);
        let compressed =
            if is_compressed { meshopt::find_compressed_views(json.bytes) } else { Vec::new() };
        Ok(Self { root, humanoid, expressions: avatar_expressions, compressed, binary })
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
    let is_cut_off = match json.map(serde_json::from_slice::<Animations>) {
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
    bytes: &'a [u8],
    /// The offset of the first byte. `None` for a text file, whose locations are lines and columns.
    offset: Option<usize>,
}

impl<'a> Json<'a> {
    fn from_text(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes), offset: None }
    }

    fn parse<T: Deserialize<'a>>(&self) -> Result<T, Error> {
        serde_json::from_slice(self.bytes).map_err(|error| {
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

    /// Parses the JSON without the animation channels that have no node. Extensions may add such
    /// channels, but `gltf_json` rejects them. `None` if the JSON is invalid for another reason.
    fn parse_without_extension_channels(&self, diagnostics: &mut Diagnostics) -> Option<Root> {
        let mut json: Value = serde_json::from_slice(self.bytes).ok()?;
        let mut skipped = 0;
        for animation in json.get_mut("animations")?.as_array_mut()? {
            let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) else {
                continue;
            };
            let before = channels.len();
            channels.retain(|channel| channel.pointer("/target/node").is_some());
            skipped += before - channels.len();
        }
        let root = serde_json::from_slice(&serde_json::to_vec(&json).ok()?).ok()?;
        let message = format!(
            "{skipped} animation channels have no node: they belong to an extension that is not \
             read; skipped"
        );
        diagnostics.warning(SourceLocation::File, message);
        Some(root)
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
    let json =
        Json { bytes: cursor.read_bytes(length, "the chunk of JSON")?, offset: Some(offset) };
    // Ignore the length of the chunk, because it is redundant: accessors are checked against the
    // remaining bytes of the file.
    let has_second =
        cursor.read_bytes(8, "the second chunk").is_ok_and(|head| head.ends_with(b"BIN\0"));
    let offset = cursor.offset();
    Ok((json, has_second.then(|| (cursor.remaining_bytes(), offset))))
}
