//! The JSON of a glTF, and the binary chunk that may come with it.

use gltf_json::Root;
use serde::Deserialize;
use serde_json::Value;

use super::{
    expressions,
    meshopt::{self, CompressedView},
    vrm::{Declared, VrmExtensions},
};
use crate::{
    clip::Expression,
    diagnostics::{Error, ErrorKind, Notices, SourceLocation},
    io::bytes::Cursor,
};

/// The first bytes of the binary container.
const MAGIC: &[u8] = b"glTF";

/// The byte order mark that a text may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A glTF 2.0, binary or text, as its JSON says: no index in it has been looked at.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    /// The JSON.
    pub(crate) root: Root,
    /// The humanoid that it declares, if it does.
    pub(crate) humanoid: Option<Declared>,
    /// The expressions of the avatar that it has, if it has one.
    pub(super) expressions: Vec<Expression>,
    /// The buffer views that are compressed, by their indices, or why what is stated about one is wrong.
    pub(super) compressed: Vec<(usize, Result<CompressedView, String>)>,
    /// The binary chunk, and where it begins in the file.
    pub(super) binary: Option<(&'a [u8], usize)>,
}

impl<'a> Document<'a> {
    /// Reads the JSON of a `.glb` or `.gltf`.
    ///
    /// # Errors
    /// If it is no glTF of version 2, or has no nodes.
    pub(crate) fn read(bytes: &'a [u8], notices: &mut Notices) -> Result<Self, Error> {
        let (json, binary) = parts(bytes)?;
        let version = json.parse::<Head>()?.asset.version;
        if !version.starts_with("2.") {
            let message = format!("expected glTF 2, found version {version:?}");
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        let root = match json.parse::<Root>() {
            Ok(root) => root,
            Err(error) => json.without_extended_channels(notices).ok_or(error)?,
        };
        if root.nodes.is_empty() {
            return Err(Error::unsupported(
                SourceLocation::File,
                "expected nodes, found none in this glTF",
            ));
        }
        // What is no object, or has others of these names, declares nothing.
        let extensions = json.parse::<VrmFile>().unwrap_or_default().extensions;
        let humanoid = extensions.declared(root.nodes.len(), notices);
        let avatar = expressions::expressions(&extensions, &root, notices);
        expressions::report_unread(&extensions, &root, notices);
        let is_compressed = has_word(json.bytes, meshopt::MARK);
        let compressed =
            if is_compressed { meshopt::compressed_views(json.bytes) } else { Vec::new() };
        Ok(Self { root, humanoid, expressions: avatar, compressed, binary })
    }
}

/// Whether `bytes` are a binary container, or an object of JSON with the one member that every glTF
/// has.
pub(crate) fn is_recognised(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
        || Json::text(bytes).bytes.trim_ascii_start().starts_with(b"{")
            && has_word(bytes, b"\"asset\"")
}

/// Whether there are animations in a glTF; of one whose JSON is broken, whether that speaks of them.
/// Nothing if it is cut off before it does.
pub(crate) fn has_animations(bytes: &[u8]) -> Option<bool> {
    #[derive(Deserialize)]
    struct Animations {
        #[serde(default)]
        animations: Vec<serde::de::IgnoredAny>,
    }
    let json = parts(bytes).map(|(json, _)| json.bytes);
    let is_cut_off = match json.map(serde_json::from_slice::<Animations>) {
        Ok(Ok(found)) => return Some(!found.animations.is_empty()),
        Ok(Err(error)) => error.is_eof(),
        Err(error) => error.kind() == ErrorKind::Truncated,
    };
    let is_named = has_word(bytes, b"\"animations\"");
    (is_named || !is_cut_off).then_some(is_named)
}

fn has_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// The part of a glTF that is about humanoids.
#[derive(Default, Deserialize)]
struct VrmFile {
    #[serde(default)]
    extensions: VrmExtensions,
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

/// The JSON of a file, and the binary chunk that follows it, with its offset.
type Chunks<'a> = (Json<'a>, Option<(&'a [u8], usize)>);

/// The JSON of a file, binary or text, and its binary chunk.
fn parts(bytes: &[u8]) -> Result<Chunks<'_>, Error> {
    if bytes.starts_with(MAGIC) { chunks(bytes) } else { Ok((Json::text(bytes), None)) }
}

/// The JSON of a file, and where in the file it is.
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
                Some(offset) if line == 1 => {
                    SourceLocation::byte(offset + column.saturating_sub(1))
                }
                Some(offset) => SourceLocation::span(offset, self.bytes.len()),
                None => SourceLocation::column(line as u32, column as u32),
            };
            let text = error.to_string();
            let found = text.rsplit_once(" at line ").map_or(text.as_str(), |(found, _)| found);
            Error::malformed(place, "glTF 2.0", found)
        })
    }

    /// The JSON without the animation channels that have no node, which extensions may have and the
    /// reader of glTF does not know; nothing if these are not what is wrong with it.
    fn without_extended_channels(&self, notices: &mut Notices) -> Option<Root> {
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
        notices.warning(SourceLocation::File, message);
        Some(root)
    }
}

/// The JSON in a binary container, which is its first chunk, and the bytes of its second, if it has
/// one, with their offset.
fn chunks(bytes: &[u8]) -> Result<Chunks<'_>, Error> {
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
    let offset = cursor.offset();
    Ok((json, has_second.then(|| (cursor.rest(), offset))))
}
