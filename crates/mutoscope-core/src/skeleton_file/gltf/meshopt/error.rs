//! The error of a compressed buffer view.

use super::{Filter, Mode};
use crate::{
    diagnostics::format_count,
    skeleton_file::gltf::{PartError, codes},
};

/// The reason why a compressed buffer view cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::skeleton_file::gltf) enum MeshoptError {
    #[error("elements of {stride} bytes do not suit the mode {mode:?} and the filter {filter:?}")]
    UnsuitableElements { stride: usize, mode: Mode, filter: Filter },
    #[error("expected three indices a triangle, found {0}")]
    IncompleteTriangle(usize),
    #[error("expected {expected} bytes, found {count} elements of {stride} bytes")]
    DecodedLength { expected: usize, count: usize, stride: usize },
    #[error("it is empty")]
    Empty,
    #[error("truncated: expected {expected}, found {found}")]
    Truncated { expected: String, found: String },
    #[error("expected a header of {expected:02x?}, found {found:02x}")]
    Header { expected: Vec<u8>, found: u8 },
    #[error("expected a channel of mode 0 to 2, found {0:#04x}")]
    ChannelMode(u8),
    #[error("expected a number of five bytes at most, found a longer one")]
    LongNumber,
    #[error("it refers to a vertex before the first")]
    MissingVertex,
    #[error("{} left over", format_count(*.0, "byte"))]
    BytesLeftOver(usize),
}

impl From<MeshoptError> for PartError {
    fn from(error: MeshoptError) -> Self {
        Self::new(codes::INVALID_COMPRESSION, format!("meshopt: {error}"))
    }
}
