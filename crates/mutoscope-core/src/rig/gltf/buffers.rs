//! The bytes of a glTF's buffers: in the file itself, in addresses, in sidecar files.

use std::{collections::HashMap, path::Path, sync::Arc};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use gltf_json::{Index, Root, buffer::View, validation::USize64};
use percent_encoding::percent_decode_str;

use super::{Document, meshopt::CompressedView};
use crate::io::bytes::Sidecars;

/// How many bytes are decoded for each byte of the buffers, and how many for any file. Views may share
/// what they are decoded from.
const DECODED_PER_BYTE: usize = 64;
const DECODED_OF_ANY: usize = 1 << 20;

/// The buffers of a file, and why those are missing that are.
pub(crate) struct Buffers<'a> {
    pub(super) root: &'a Root,
    buffers: Vec<Result<Bytes<'a>, String>>,
    /// The views that are compressed, decoded: the buffer that they show is a place for that, and
    /// may have no bytes.
    decoded: HashMap<usize, Result<Vec<u8>, String>>,
}

/// The bytes of a buffer.
enum Bytes<'a> {
    /// The binary chunk of the file, and where it begins there.
    Chunk(&'a [u8], usize),
    /// Decoded, or from another file; buffers with one address share them.
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

/// Bytes of a buffer that a view shows.
#[derive(Clone, Copy)]
pub(super) struct ViewBytes<'b> {
    pub(super) bytes: &'b [u8],
    /// How far apart its elements are, if that is stated.
    pub(super) stride: Option<usize>,
    /// Where it begins in the file, if it is in the file itself.
    pub(super) offset: Option<usize>,
}

impl<'a> Buffers<'a> {
    /// The buffers of `document`; `sidecars` are the files that it names.
    pub(crate) fn new(document: &'a Document<'a>, sidecars: &dyn Sidecars) -> Self {
        let mut loaded: HashMap<&str, Result<Arc<[u8]>, String>> = HashMap::new();
        let root = &document.root;
        let mut buffer = |(index, buffer): (usize, &'a gltf_json::Buffer)| match (
            &buffer.uri,
            document.binary,
        ) {
            (None, Some((bytes, offset))) if index == 0 => Ok(Bytes::Chunk(bytes, offset)),
            (None, _) => Err(format!("buffers[{index}] is not in the file")),
            (Some(uri), _) => {
                let bytes = loaded.entry(uri).or_insert_with(|| of_uri(uri, sidecars));
                let bytes = bytes.clone().map(Bytes::Loaded);
                bytes.map_err(|why| format!("buffers[{index}]: {why}"))
            }
        };
        let buffers = root.buffers.iter().enumerate().map(&mut buffer).collect();
        let mut buffers = Self { root, buffers, decoded: HashMap::new() };
        let mut left =
            buffers.len().saturating_mul(DECODED_PER_BYTE).saturating_add(DECODED_OF_ANY);
        for (index, view) in &document.compressed {
            let decoded = match view {
                Ok(view) => buffers.decoded(*index, view, &mut left),
                Err(why) => Err(why.clone()),
            };
            buffers.decoded.insert(*index, decoded);
        }
        buffers
    }

    /// How many bytes there are, decoded ones included.
    pub(crate) fn len(&self) -> usize {
        let stored: usize = self.buffers.iter().flatten().map(|one| one.as_slice().len()).sum();
        stored + self.decoded.values().flatten().map(Vec::len).sum::<usize>()
    }

    /// The decoded bytes of a compressed view, of which `left` may be made.
    fn decoded(
        &self,
        index: usize,
        view: &CompressedView,
        left: &mut usize,
    ) -> Result<Vec<u8>, String> {
        let shown = self.root.buffer_views.get(index).ok_or("there is no such buffer view")?;
        let expected = usize::try_from(shown.byte_length.0).map_err(|error| error.to_string())?;
        let length = view.decoded_length(expected)?;
        *left = left.checked_sub(length).ok_or("meshopt: its bytes are used too often")?;
        let buffer = self.buffers.get(view.buffer).ok_or("meshopt: there is no such buffer")?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?.as_slice();
        let bytes = view.byte_offset.checked_add(view.byte_length);
        let bytes = bytes.and_then(|end| buffer.get(view.byte_offset..end));
        view.decode(bytes.ok_or("meshopt: its view is larger than the buffer")?)
    }

    /// The bytes that a view shows.
    ///
    /// # Errors
    /// The problem with the view or its buffer.
    pub(super) fn view(&self, index: Index<View>) -> Result<ViewBytes<'_>, String> {
        let view = self.root.get(index).ok_or("there is no such buffer view")?;
        let stride = view.byte_stride.map(|stride| stride.0);
        if let Some(decoded) = self.decoded.get(&index.value()) {
            let bytes = decoded.as_ref().map_err(Clone::clone)?;
            return Ok(ViewBytes { bytes, stride, offset: None });
        }
        let buffer = self.buffers.get(view.buffer.value()).ok_or("there is no such buffer")?;
        let buffer = buffer.as_ref().map_err(Clone::clone)?;
        let start = usize_or_zero(view.byte_offset);
        let bytes = start.and_then(|start| {
            let end = start.checked_add(usize::try_from(view.byte_length.0).ok()?)?;
            buffer.as_slice().get(start..end)
        });
        let bytes = bytes.ok_or("its view is larger than the buffer")?;
        let offset = match buffer {
            Bytes::Chunk(_, offset) => start.map(|start| offset + start),
            Bytes::Loaded(_) => None,
        };
        Ok(ViewBytes { bytes, stride, offset })
    }
}

/// A stated offset, 0 if none is; nothing if it is beyond what memory could hold.
pub(super) fn usize_or_zero(offset: Option<USize64>) -> Option<usize> {
    offset.map_or(Some(0), |offset| usize::try_from(offset.0).ok())
}

/// The bytes that an address holds itself, or those of the sidecar file that it names.
///
/// # Errors
/// Why there are none.
pub(super) fn of_uri(uri: &str, sidecars: &dyn Sidecars) -> Result<Arc<[u8]>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("its data is not in base64")?;
        let bytes = BASE64_STANDARD.decode(text);
        return bytes.map(Arc::from).map_err(|error| format!("its base64: {error}"));
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|error| error.to_string())?;
    let names_a_machine = uri.contains("://");
    if names_a_machine || Path::new(&*path).has_root() {
        return Err(format!("{uri:?} is not a relative path; not read"));
    }
    let bytes = sidecars.read(&path).map_err(|error| format!("sidecar file {path:?}: {error}"))?;
    Ok(bytes.into())
}
