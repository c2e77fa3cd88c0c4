//! The bytes of a glTF's buffers: in the file itself, in data URIs, or in sidecar files.

use std::{collections::HashMap, path::Path, sync::Arc};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use gltf_json::{Index, Root, buffer::View, validation::USize64};
use percent_encoding::percent_decode_str;

use super::{Document, PartError, codes, meshopt::CompressedView};
use crate::io::bytes::Sidecars;

/// The number of decoded bytes that are allowed for each byte of the buffers. `BASE_DECODED_BYTES`
/// are allowed in addition. Without a limit, a small file could decode to any size, because many
/// views can refer to the same compressed bytes.
const MAX_DECODED_PER_BYTE: usize = 64;
const BASE_DECODED_BYTES: usize = 1 << 20;

pub(crate) struct Buffers<'a> {
    pub(super) root: &'a Root,
    buffers: Vec<Result<Bytes<'a>, PartError>>,
    /// The decoded bytes of compressed views. The file may store a placeholder without bytes for
    /// the buffer that such a view refers to.
    decoded: HashMap<usize, Result<Vec<u8>, PartError>>,
    /// The accessors whose numbers an extension compresses, each with the name of the extension.
    pub(super) compressed_accessors: &'a HashMap<usize, String>,
}

enum Bytes<'a> {
    /// The binary chunk, and its offset in the file.
    Chunk(&'a [u8], usize),
    /// Bytes from a data URI or a sidecar file. Buffers with the same URI share them.
    Loaded(Arc<[u8]>),
}

impl Bytes<'_> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes, _) => bytes,
            Self::Loaded(bytes) => bytes,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct ViewBytes<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) stride: Option<usize>,
    pub(super) offset: Option<usize>,
}

impl<'a> Buffers<'a> {
    pub(crate) fn new(document: &'a Document<'a>, sidecars: &dyn Sidecars) -> Self {
        let mut loaded: HashMap<&str, Result<Arc<[u8]>, PartError>> = HashMap::new();
        let root = &document.root;
        let mut buffer = |(index, buffer): (usize, &'a gltf_json::Buffer)| match (
            &buffer.uri,
            document.binary,
        ) {
            (None, Some((bytes, offset))) if index == 0 => Ok(Bytes::Chunk(bytes, offset)),
            (None, _) => {
                let message = format!("buffers[{index}] is not in the file");
                Err(PartError::new(codes::MISSING_DATA, message))
            }
            (Some(uri), _) => {
                let bytes = loaded.entry(uri).or_insert_with(|| load_uri(uri, sidecars));
                let bytes = bytes.clone().map(Bytes::Loaded);
                bytes.map_err(|error| error.within(format_args!("buffers[{index}]")))
            }
        };
        let buffers = root.buffers.iter().enumerate().map(&mut buffer).collect();
        let compressed_accessors = &document.compressed_accessors;
        let mut buffers = Self { root, buffers, decoded: HashMap::new(), compressed_accessors };
        let mut remaining =
            buffers.len().saturating_mul(MAX_DECODED_PER_BYTE).saturating_add(BASE_DECODED_BYTES);
        for (index, view) in &document.compressed {
            let decoded = match view {
                Ok(view) => buffers.decode_view(*index, view, &mut remaining),
                Err(why) => Err(why.clone()),
            };
            buffers.decoded.insert(*index, decoded);
        }
        buffers
    }

    pub(crate) fn len(&self) -> usize {
        let stored: usize = self.buffers.iter().flatten().map(|one| one.as_slice().len()).sum();
        stored + self.decoded.values().flatten().map(Vec::len).sum::<usize>()
    }

    fn decode_view(
        &self,
        index: usize,
        view: &CompressedView,
        remaining: &mut usize,
    ) -> Result<Vec<u8>, PartError> {
        let error = |code, message: &str| PartError::new(code, message);
        let shown = self.root.buffer_views.get(index).ok_or_else(no_buffer_view)?;
        let expected = usize::try_from(shown.byte_length.0)
            .map_err(|problem| error(codes::TOO_LARGE, &problem.to_string()))?;
        let length = view.decoded_length(expected)?;
        *remaining = remaining
            .checked_sub(length)
            .ok_or_else(|| error(codes::TOO_LARGE, "meshopt: its bytes are used too often"))?;
        let buffer = self
            .buffers
            .get(view.buffer)
            .ok_or_else(|| error(codes::MISSING_REFERENCE, "meshopt: there is no such buffer"))?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?.as_slice();
        let bytes = view.byte_offset.checked_add(view.byte_length);
        let bytes = bytes.and_then(|end| buffer.get(view.byte_offset..end));
        let bytes = bytes.ok_or_else(|| {
            error(codes::INVALID_COMPRESSION, "meshopt: its view is larger than the buffer")
        })?;
        Ok(view.decode(bytes)?)
    }

    pub(super) fn view_bytes(&self, index: Index<View>) -> Result<ViewBytes<'_>, PartError> {
        let view = self.root.get(index).ok_or_else(no_buffer_view)?;
        let stride = view.byte_stride.map(|stride| stride.0);
        if let Some(decoded) = self.decoded.get(&index.value()) {
            let bytes = decoded.as_ref().map_err(Clone::clone)?;
            return Ok(ViewBytes { bytes, stride, offset: None });
        }
        let buffer = self
            .buffers
            .get(view.buffer.value())
            .ok_or_else(|| PartError::new(codes::MISSING_REFERENCE, "there is no such buffer"))?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let start = usize_or_zero(view.byte_offset);
        let bytes = start.and_then(|start| {
            let end = start.checked_add(usize::try_from(view.byte_length.0).ok()?)?;
            buffer.as_slice().get(start..end)
        });
        let bytes = bytes.ok_or_else(|| {
            PartError::new(codes::INVALID_ACCESSOR, "its view is larger than the buffer")
        })?;
        let offset = match buffer {
            Bytes::Chunk(_, offset) => start.map(|start| offset + start),
            Bytes::Loaded(_) => None,
        };
        Ok(ViewBytes { bytes, stride, offset })
    }
}

fn no_buffer_view() -> PartError {
    PartError::new(codes::MISSING_REFERENCE, "there is no such buffer view")
}

pub(super) fn usize_or_zero(offset: Option<USize64>) -> Option<usize> {
    offset.map_or(Some(0), |offset| usize::try_from(offset.0).ok())
}

pub(super) fn load_uri(uri: &str, sidecars: &dyn Sidecars) -> Result<Arc<[u8]>, PartError> {
    let missing = |message: String| PartError::new(codes::MISSING_DATA, message);
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data
            .split_once(";base64,")
            .ok_or_else(|| missing("its data is not in base64".to_owned()))?;
        let bytes = BASE64_STANDARD.decode(text);
        return bytes.map(Arc::from).map_err(|error| missing(format!("its base64: {error}")));
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|error| missing(error.to_string()))?;
    let has_host = uri.contains("://");
    if has_host || Path::new(&*path).has_root() {
        return Err(missing(format!("{uri:?} is not a relative path; not read")));
    }
    let bytes = sidecars.read(&path);
    bytes.map(Arc::from).map_err(|error| missing(format!("sidecar file {path:?}: {error}")))
}
