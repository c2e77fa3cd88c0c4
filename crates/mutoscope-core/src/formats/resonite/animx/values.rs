//! Reads values that are stored at a fixed stride, and writes values.

use std::sync::Arc;

use crate::{
    clip::Values,
    diagnostics::Error,
    formats::resonite::{Columns, Scalar, TypeInfo},
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

/// Appends the value of the key with index `key`. This is the inverse of [`read_columns`].
pub(super) fn write_value(
    values: &Columns,
    key: usize,
    value_type: &TypeInfo,
    bytes: &mut Vec<u8>,
) {
    match values {
        Columns::Texts(texts) => match &texts[key] {
            None => bytes.push(0),
            Some(text) => {
                bytes.push(1);
                write_name(text, bytes);
            }
        },
        Columns::Components(columns) if value_type.scalar == Scalar::Bool => {
            write_bits(columns.iter().map(|column| column.value_at(key)), bytes);
        }
        Columns::Components(columns) => {
            for column in columns {
                match column {
                    Values::I64(integers) => write_integer(integers[key].into(), value_type, bytes),
                    Values::U64(integers) => write_integer(integers[key].into(), value_type, bytes),
                    numbers => write_number(numbers.value_at(key), value_type, bytes),
                }
            }
        }
    }
}

/// Appends the numbers at index `key` of all columns, such as the tangents of a key.
pub(super) fn write_numbers(
    columns: &[Vec<f64>],
    key: usize,
    value_type: &TypeInfo,
    bytes: &mut Vec<u8>,
) {
    let numbers = columns.iter().map(|column| column[key]);
    match value_type.scalar {
        Scalar::Bool => write_bits(numbers, bytes),
        _ => numbers.for_each(|number| write_number(number, value_type, bytes)),
    }
}

/// Appends the byte that the booleans of a vector share.
fn write_bits(booleans: impl Iterator<Item = f64>, bytes: &mut Vec<u8>) {
    let bits = booleans.enumerate();
    bytes.push(bits.map(|(bit, boolean)| u8::from(boolean > 0.5) << bit).sum());
}

fn write_number(number: f64, value_type: &TypeInfo, bytes: &mut Vec<u8>) {
    match value_type.scalar {
        Scalar::Single => bytes.extend((number as f32).to_le_bytes()),
        Scalar::Double => bytes.extend(number.to_le_bytes()),
        Scalar::Unsigned(_) | Scalar::Signed(_) => {
            write_integer(number.round() as i128, value_type, bytes);
        }
        Scalar::Bool | Scalar::Text => {}
    }
}

/// Appends an integer, clamped to the range of its type.
fn write_integer(integer: i128, value_type: &TypeInfo, bytes: &mut Vec<u8>) {
    if let Some((min, max)) = value_type.integer_bounds() {
        let integer = integer.clamp(min.into(), max.into());
        let size = value_type.byte_size() / value_type.component_count();
        bytes.extend(&integer.to_le_bytes()[..size]);
    } else {
        write_number(integer as f64, value_type, bytes);
    }
}

/// Appends a count as .NET does: seven bits in each byte, the lowest first.
pub(super) fn write_count(mut count: usize, bytes: &mut Vec<u8>) {
    while count > 0x7f {
        bytes.push(count as u8 & 0x7f | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

/// Appends a string as .NET does: its length in bytes, and its bytes.
pub(super) fn write_name(name: &str, bytes: &mut Vec<u8>) {
    write_count(name.len(), bytes);
    bytes.extend(name.as_bytes());
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
