//! Values side by side.

use std::sync::Arc;

use crate::{
    clip::Values,
    diagnostics::Error,
    formats::resonite::{Scalar, TypeInfo},
    io::bytes::Cursor,
};

/// The values at `offset` of every `stride` bytes of `bytes`, in their columns.
///
/// # Panics
/// If `value_type` is words, or its values do not fit between `offset` and `stride`.
pub(super) fn columns(
    bytes: &[u8],
    stride: usize,
    offset: usize,
    value_type: &TypeInfo,
) -> Vec<Values> {
    let column = |component: usize| {
        let from = offset + component * bytes_of_component(value_type);
        match value_type.scalar {
            Scalar::Bool => {
                let bit = |byte: [u8; 1]| f32::from(byte[0] >> component & 1);
                collected(bytes, stride, offset, bit).into()
            }
            Scalar::Unsigned(1) => {
                collected(bytes, stride, from, |[b]: [u8; 1]| i64::from(b)).into()
            }
            Scalar::Unsigned(2) => {
                collected(bytes, stride, from, |b| i64::from(u16::from_le_bytes(b))).into()
            }
            Scalar::Unsigned(4) => {
                collected(bytes, stride, from, |b| i64::from(u32::from_le_bytes(b))).into()
            }
            Scalar::Unsigned(_) => collected(bytes, stride, from, u64::from_le_bytes).into(),
            Scalar::Signed(1) => {
                collected(bytes, stride, from, |b| i64::from(i8::from_le_bytes(b))).into()
            }
            Scalar::Signed(2) => {
                collected(bytes, stride, from, |b| i64::from(i16::from_le_bytes(b))).into()
            }
            Scalar::Signed(4) => {
                collected(bytes, stride, from, |b| i64::from(i32::from_le_bytes(b))).into()
            }
            Scalar::Signed(_) => collected(bytes, stride, from, i64::from_le_bytes).into(),
            Scalar::Single => collected(bytes, stride, from, f32::from_le_bytes).into(),
            Scalar::Double => collected(bytes, stride, from, f64::from_le_bytes).into(),
            Scalar::Text => unreachable!("words have no columns"),
        }
    };
    (0..value_type.components()).map(column).collect()
}

/// The times at `offset` of every `stride` bytes of `bytes`, in seconds: `known`, if they are the same.
pub(super) fn times(bytes: &[u8], stride: usize, offset: usize, known: &Arc<[f64]>) -> Arc<[f64]> {
    let read = || pieces(bytes, stride, offset).map(|b| f64::from(f32::from_le_bytes(b)));
    if read().eq(known.iter().copied()) { known.clone() } else { read().collect() }
}

fn bytes_of_component(value_type: &TypeInfo) -> usize {
    if value_type.scalar == Scalar::Bool { 0 } else { value_type.bytes() / value_type.components() }
}

fn collected<T, const N: usize>(
    bytes: &[u8],
    stride: usize,
    offset: usize,
    read: impl Fn([u8; N]) -> T,
) -> Vec<T> {
    pieces(bytes, stride, offset).map(read).collect()
}

/// The `N` bytes at `offset` of every `stride` bytes.
fn pieces<const N: usize>(
    bytes: &[u8],
    stride: usize,
    offset: usize,
) -> impl ExactSizeIterator<Item = [u8; N]> {
    bytes.chunks_exact(stride).map(move |chunk| {
        let mut piece = [0; N];
        piece.copy_from_slice(&chunk[offset..offset + N]);
        piece
    })
}

/// The next words of a track, which may be none. What is not UTF-8 in them is replaced.
pub(super) fn text(cursor: &mut Cursor) -> Result<Option<Arc<str>>, Error> {
    match cursor.u8("whether there are words")? {
        0 => Ok(None),
        _ => {
            let bytes = cursor.dotnet_string("words")?;
            Ok(Some(String::from_utf8_lossy(bytes).into()))
        }
    }
}
