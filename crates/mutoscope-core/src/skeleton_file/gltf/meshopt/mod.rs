//! Buffer views compressed with meshoptimizer: `EXT_meshopt_compression` and its successor
//! `KHR_meshopt_compression`, as specified in Khronos' registry.
//!
//! | file | what it does |
//! |---|---|
//! | `attributes` | decodes vertex attributes |
//! | `indices` | decodes triangle indices and other indices |
//! | `filters` | reverses the transformation of numbers before compression |

mod attributes;
mod error;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;

use super::{PartError, codes};
use error::MeshoptError;
use filters::Filter;

/// The two extensions, which have the same members.
const EXTENSIONS: [&str; 2] = ["KHR_meshopt_compression", "EXT_meshopt_compression"];

/// The end of both extension names. A file that does not contain these bytes has no compressed
/// view.
pub(super) const NAME_SUFFIX: &[u8] = b"_meshopt_compression";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompressedView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

pub(super) fn find_compressed_views(
    json: &[u8],
) -> Vec<(usize, Result<CompressedView, PartError>)> {
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
            let invalid = |error: serde_json::Error| {
                PartError::new(codes::INVALID_COMPRESSION, error.to_string()).within(name)
            };
            Some(read.map_err(invalid))
        });
        found.map(|found| (index, found))
    };
    views.into_iter().enumerate().filter_map(read).collect()
}

impl CompressedView {
    pub(super) fn decoded_length(&self, expected: usize) -> Result<usize, MeshoptError> {
        let Self { byte_stride: stride, count, mode, filter, .. } = *self;
        let is_stride = match mode {
            Mode::Attributes => stride.is_multiple_of(4) && (4..=256).contains(&stride),
            Mode::Triangles | Mode::Indices => matches!(stride, 2 | 4),
        };
        let is_filter =
            filter == Filter::None || mode == Mode::Attributes && filter.supports_stride(stride);
        if !is_stride || !is_filter {
            return Err(MeshoptError::UnsuitableElements { stride, mode, filter });
        }
        if mode == Mode::Triangles && !count.is_multiple_of(3) {
            return Err(MeshoptError::IncompleteTriangle(count));
        }
        match count.checked_mul(stride) {
            Some(length) if length == expected => Ok(length),
            _ => Err(MeshoptError::DecodedLength { expected, count, stride }),
        }
    }

    /// Decodes the view. The memory that is allocated is limited by the number of compressed bytes.
    ///
    /// # Errors
    /// Fails if the stream is malformed or has bytes left over.
    pub(super) fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, MeshoptError> {
        let Self { byte_stride: stride, count, .. } = *self;
        let mut decoded = match self.mode {
            Mode::Attributes => attributes::decode_attributes(bytes, count, stride)?,
            Mode::Triangles => {
                indices_to_bytes(&indices::decode_triangles(bytes, count / 3)?, stride)
            }
            Mode::Indices => indices_to_bytes(&indices::decode_sequence(bytes, count)?, stride),
        };
        self.filter.reverse(&mut decoded, stride);
        Ok(decoded)
    }
}

fn indices_to_bytes(indices: &[u32], stride: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(stride)).collect()
}

#[derive(Default)]
struct Stream<'a> {
    bytes: &'a [u8],
}

impl<'a> Stream<'a> {
    fn take_bytes(&mut self, count: usize) -> Result<&'a [u8], MeshoptError> {
        let (taken, rest) =
            self.bytes.split_at_checked(count).ok_or_else(|| MeshoptError::Truncated {
                expected: format!("{count} bytes more"),
                found: self.bytes.len().to_string(),
            })?;
        self.bytes = rest;
        Ok(taken)
    }

    fn take_byte(&mut self) -> Result<u8, MeshoptError> {
        Ok(self.take_bytes(1)?[0])
    }

    /// Reads an integer in groups of seven bits, the lowest first, of at most five bytes.
    fn read_varint(&mut self) -> Result<u32, MeshoptError> {
        let mut number = 0;
        for group in 0..5 {
            let byte = self.take_byte()?;
            number |= u32::from(byte & 127) << (7 * group);
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(MeshoptError::LongNumber)
    }

    fn expect_end(&self) -> Result<(), MeshoptError> {
        match self.bytes.len() {
            0 => Ok(()),
            left => Err(MeshoptError::BytesLeftOver(left)),
        }
    }
}

/// Splits a stream into its first byte, its body and its tail. The first byte must be one of
/// `headers`. `tail` returns the size of the tail for the first byte.
fn split_frame<'a>(
    bytes: &'a [u8],
    headers: &[u8],
    tail: impl FnOnce(u8) -> usize,
) -> Result<(u8, Stream<'a>, &'a [u8]), MeshoptError> {
    let (&header, rest) = bytes.split_first().ok_or(MeshoptError::Empty)?;
    if !headers.contains(&header) {
        return Err(MeshoptError::Header { expected: headers.to_vec(), found: header });
    }
    let tail = tail(header);
    let middle = rest.len().checked_sub(tail);
    let middle = middle.ok_or_else(|| MeshoptError::Truncated {
        expected: format!("a tail of {tail} bytes"),
        found: rest.len().to_string(),
    })?;
    let (middle, tail) = rest.split_at(middle);
    Ok((header, Stream { bytes: middle }, tail))
}
