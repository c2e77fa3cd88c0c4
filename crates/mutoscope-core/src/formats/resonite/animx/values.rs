//! Reads values that are stored at a fixed stride.

use std::sync::Arc;

use crate::{
    clip::Values,
    diagnostics::Error,
    formats::resonite::{Scalar, TypeInfo},
    io::bytes::Cursor,
};

/// Returns a column for each component of the values. `bytes` consists of records of `stride`
/// bytes, each with a value at `offset`.
///
/// # Panics
/// If `value_type` is a string, or if its values do not fit between `offset` and `stride`.
pub(super) fn read_columns(
    bytes: &[u8],
    stride: usize,
    offset: usize,
    value_type: &TypeInfo,
) -> Vec<Values> {
    let column = |component: usize| {
        let from = offset + component * component_bytes(value_type);
        match value_type.scalar {
            Scalar::Bool => {
                let bit = |byte: [u8; 1]| f32::from(byte[0] >> component & 1);
                collect_values(bytes, stride, offset, bit).into()
            }
            Scalar::Unsigned(1) => {
                collect_values(bytes, stride, from, |[b]: [u8; 1]| i64::from(b)).into()
            }
            Scalar::Unsigned(2) => {
                collect_values(bytes, stride, from, |b| i64::from(u16::from_le_bytes(b))).into()
            }
            Scalar::Unsigned(4) => {
                collect_values(bytes, stride, from, |b| i64::from(u32::from_le_bytes(b))).into()
            }
            Scalar::Unsigned(_) => collect_values(bytes, stride, from, u64::from_le_bytes).into(),
            Scalar::Signed(1) => {
                collect_values(bytes, stride, from, |b| i64::from(i8::from_le_bytes(b))).into()
            }
            Scalar::Signed(2) => {
                collect_values(bytes, stride, from, |b| i64::from(i16::from_le_bytes(b))).into()
            }
            Scalar::Signed(4) => {
                collect_values(bytes, stride, from, |b| i64::from(i32::from_le_bytes(b))).into()
            }
            Scalar::Signed(_) => collect_values(bytes, stride, from, i64::from_le_bytes).into(),
            Scalar::Single => collect_values(bytes, stride, from, f32::from_le_bytes).into(),
            Scalar::Double => collect_values(bytes, stride, from, f64::from_le_bytes).into(),
            Scalar::Text => unreachable!("strings have no columns"),
        }
    };
    (0..value_type.component_count()).map(column).collect()
}

pub(super) fn read_times(
    bytes: &[u8],
    stride: usize,
    offset: usize,
    known: &Arc<[f64]>,
) -> Arc<[f64]> {
    let read = || strided_arrays(bytes, stride, offset).map(|b| f64::from(f32::from_le_bytes(b)));
    if read().eq(known.iter().copied()) { known.clone() } else { read().collect() }
}

fn component_bytes(value_type: &TypeInfo) -> usize {
    if value_type.scalar == Scalar::Bool {
        0
    } else {
        value_type.byte_size() / value_type.component_count()
    }
}

fn collect_values<T, const N: usize>(
    bytes: &[u8],
    stride: usize,
    offset: usize,
    read: impl Fn([u8; N]) -> T,
) -> Vec<T> {
    strided_arrays(bytes, stride, offset).map(read).collect()
}

fn strided_arrays<const N: usize>(
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

pub(super) fn read_text(cursor: &mut Cursor) -> Result<Option<Arc<str>>, Error> {
    match cursor.u8("the null flag of a string")? {
        0 => Ok(None),
        _ => {
            let bytes = cursor.dotnet_string("a string")?;
            Ok(Some(String::from_utf8_lossy(bytes).into()))
        }
    }
}
