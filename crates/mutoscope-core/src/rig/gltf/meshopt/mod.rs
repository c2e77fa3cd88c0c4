//! Buffer views that meshoptimizer compressed: `EXT_meshopt_compression` and its successor
//! `KHR_meshopt_compression`, as Khronos' registry describes them.
//!
//! | file | what it does |
//! |---|---|
//! | `attributes` | elements of any content: bytes as differences from the element before |
//! | `indices` | vertices of triangles, and other indices |
//! | `filters` | numbers that were transformed before they were compressed |

mod attributes;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;

use filters::Filter;

/// Both extensions have the same members.
const EXTENSIONS: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// A part of both names: a file without it has no compressed view.
pub(super) const MARK: &[u8] = b"_meshopt_compression";

/// The compressed content of a buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompressedView {
    /// The index of the buffer that the compressed bytes are in.
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    /// How many bytes an element has.
    byte_stride: usize,
    /// How many elements there are.
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// The buffer views of a file, as far as they are compressed: which one, and how.
///
/// A view that says so in a way that the standard does not know has an error.
pub(super) fn compressed_views(json: &[u8]) -> Vec<(usize, Result<CompressedView, String>)> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default, rename = "bufferViews")]
        views: Vec<View>,
    }
    #[derive(Deserialize)]
    struct View {
        #[serde(default)]
        extensions: Value,
    }
    let Ok(File { views }) = serde_json::from_slice(json) else { return Vec::new() };
    let read = |(index, mut view): (usize, View)| {
        let found = EXTENSIONS.into_iter().find_map(|name| {
            let extension = view.extensions.get_mut(name)?.take();
            let read = serde_json::from_value(extension);
            Some(read.map_err(|error| format!("{name}: {error}")))
        });
        found.map(|found| (index, found))
    };
    views.into_iter().enumerate().filter_map(read).collect()
}

impl CompressedView {
    /// How many bytes it has when it is not compressed.
    ///
    /// # Errors
    /// If that is not `expected`, or no content of its mode and its filter.
    pub(super) fn decoded_length(&self, expected: usize) -> Result<usize, String> {
        let Self { byte_stride: stride, count, mode, filter, .. } = *self;
        let is_stride = match mode {
            Mode::Attributes => stride.is_multiple_of(4) && (4..=256).contains(&stride),
            Mode::Triangles | Mode::Indices => matches!(stride, 2 | 4),
        };
        let is_filter = filter == Filter::None || mode == Mode::Attributes && filter.takes(stride);
        if !is_stride || !is_filter {
            return Err(format!(
                "meshopt: elements of {stride} bytes do not suit the mode {mode:?} and the filter {filter:?}"
            ));
        }
        if mode == Mode::Triangles && !count.is_multiple_of(3) {
            return Err(format!("meshopt: expected three indices a triangle, found {count}"));
        }
        match count.checked_mul(stride) {
            Some(length) if length == expected => Ok(length),
            _ => Err(format!(
                "meshopt: expected {expected} bytes, found {count} elements of {stride} bytes"
            )),
        }
    }

    /// Decodes it. No more is allocated than the compressed bytes can stand for.
    ///
    /// # Errors
    /// If the bytes are not what they should be; none is left over.
    pub(super) fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let Self { byte_stride: stride, count, .. } = *self;
        let decoded = match self.mode {
            Mode::Attributes => attributes::decode(bytes, count, stride),
            Mode::Triangles => {
                indices::triangles(bytes, count / 3).map(|found| as_bytes(&found, stride))
            }
            Mode::Indices => indices::sequence(bytes, count).map(|found| as_bytes(&found, stride)),
        };
        let mut decoded = decoded.map_err(|why| format!("meshopt: {why}"))?;
        self.filter.apply(&mut decoded, stride);
        Ok(decoded)
    }
}

/// Indices as little-endian numbers of two or four bytes.
fn as_bytes(indices: &[u32], stride: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(stride)).collect()
}

/// The bytes of a stream that are left, up to its tail.
#[derive(Default)]
struct Stream<'a> {
    bytes: &'a [u8],
}

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(|| {
            format!("truncated: expected {count} bytes more, found {}", self.bytes.len())
        })?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// A number in groups of seven bits, the lowest first; five at most.
    fn variable_length(&mut self) -> Result<u32, String> {
        let mut number = 0;
        for group in 0..5 {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << (7 * group);
            if byte < 128 {
                return Ok(number);
            }
        }
        Err("expected a number of five bytes at most, found a longer one".to_owned())
    }

    fn end(&self) -> Result<(), String> {
        match self.bytes.len() {
            0 => Ok(()),
            left => Err(format!("{left} bytes are left over")),
        }
    }
}

/// The first byte of a stream, which must be one of `headers`, and what is before and in its tail, which
/// has as many bytes as `tail` says for that.
fn framed<'a>(
    bytes: &'a [u8],
    headers: &[u8],
    tail: impl FnOnce(u8) -> usize,
) -> Result<(u8, Stream<'a>, &'a [u8]), String> {
    let (&header, rest) = bytes.split_first().ok_or("it is empty")?;
    if !headers.contains(&header) {
        return Err(format!("expected the header {headers:#04x?}, found {header:#04x}"));
    }
    let tail = tail(header);
    let middle = rest.len().checked_sub(tail);
    let middle = middle.ok_or_else(|| {
        format!("truncated: expected a tail of {tail} bytes, found {}", rest.len())
    })?;
    let (middle, tail) = rest.split_at(middle);
    Ok((header, Stream { bytes: middle }, tail))
}
