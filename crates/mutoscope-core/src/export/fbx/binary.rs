//! The binary encoding of FBX 7.5.

use std::io::{self, Write};

use super::{
    VERSION,
    document::{Array, ArrayType, Element, Value},
};
use crate::io::spooled::SpooledBytes;

const MAGIC: &[u8; 23] = b"Kaydara FBX Binary  \0\x1a\0";

/// The end of a block: an element of zeros. In 7.5, the header of an element has three 64-bit
/// integers and the length of the name.
const BLOCK_END: [u8; 25] = [0; 25];

/// The identification of a file that was created at [`super::header::CREATION_TIME`]. Readers
/// compute it from the time, so both belong together.
pub(super) const FILE_ID: [u8; 16] = [
    0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1,
];

const FOOTER_ID: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];

const FOOTER_END: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

/// Writes a file with these elements, and reads from `spooled` the arrays that were moved there.
pub(super) fn write(
    elements: &[Element],
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    let mut offset = (MAGIC.len() + size_of_val(&VERSION)) as u64;
    for element in elements {
        offset = write_element(element, offset, spooled, out)?;
    }
    out.write_all(&BLOCK_END)?;
    offset += BLOCK_END.len() as u64;
    out.write_all(&FOOTER_ID)?;
    out.write_all(&[0; 4])?;
    offset += FOOTER_ID.len() as u64 + 4;
    // The padding has 1 to 16 bytes.
    let padding = 16 - offset % 16;
    out.write_all(&[0; 16][..padding as usize])?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&[0; 120])?;
    out.write_all(&FOOTER_END)
}

/// Writes an element that begins at `offset`. Returns the offset of its end.
fn write_element(
    element: &Element,
    offset: u64,
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let values_size: u64 = element.values.iter().map(value_size).sum();
    let end = offset + element_size(element);
    for number in [end, element.values.len() as u64, values_size] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(&[element.name.len() as u8])?;
    out.write_all(element.name.as_bytes())?;
    element.values.iter().try_for_each(|value| write_value(value, spooled, out))?;
    if let Some(children) = &element.children {
        let mut offset = offset + header_size(element) + values_size;
        for child in children {
            offset = write_element(child, offset, spooled, out)?;
        }
        out.write_all(&BLOCK_END)?;
    }
    Ok(end)
}

fn header_size(element: &Element) -> u64 {
    (BLOCK_END.len() + element.name.len()) as u64
}

fn element_size(element: &Element) -> u64 {
    let values: u64 = element.values.iter().map(value_size).sum();
    let children = element.children.as_ref().map_or(0, |children| {
        children.iter().map(element_size).sum::<u64>() + BLOCK_END.len() as u64
    });
    header_size(element) + values + children
}

fn value_size(value: &Value) -> u64 {
    let content = match value {
        Value::Bool(_) => 1,
        Value::I32(_) => 4,
        Value::I64(_) | Value::F64(_) => 8,
        Value::Text(text) => 4 + text.len(),
        Value::ObjectName { name, class } => 4 + name.len() + 2 + class.len(),
        Value::Bytes(bytes) => 4 + bytes.len(),
        Value::Array(array) => 12 + array.bytes.len(),
    };
    1 + content as u64
}

fn write_value(value: &Value, spooled: &mut SpooledBytes, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Value::Bool(value) => out.write_all(&[b'C', u8::from(*value)]),
        Value::I32(value) => write_typed(b'I', &value.to_le_bytes(), out),
        Value::I64(value) => write_typed(b'L', &value.to_le_bytes(), out),
        Value::F64(value) => write_typed(b'D', &value.to_le_bytes(), out),
        Value::Text(text) => write_sized(b'S', &[text.as_bytes()], out),
        Value::ObjectName { name, class } => {
            write_sized(b'S', &[name.as_bytes(), b"\0\x01", class.as_bytes()], out)
        }
        Value::Bytes(bytes) => write_sized(b'R', &[bytes], out),
        Value::Array(array) => write_array(array, spooled, out),
    }
}

fn write_typed(code: u8, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&[code])?;
    out.write_all(bytes)
}

fn write_sized(code: u8, parts: &[&[u8]], out: &mut dyn Write) -> io::Result<()> {
    let size = parts.iter().map(|part| part.len()).sum();
    write_typed(code, &to_u32(size)?.to_le_bytes(), out)?;
    parts.iter().try_for_each(|part| out.write_all(part))
}

fn write_array(array: &Array, spooled: &mut SpooledBytes, out: &mut dyn Write) -> io::Result<()> {
    let code = match array.array_type {
        ArrayType::I32 => b'i',
        ArrayType::I64 => b'l',
        ArrayType::F32 => b'f',
        ArrayType::F64 => b'd',
    };
    out.write_all(&[code])?;
    for number in [array.len, u32::from(array.is_compressed), to_u32(array.bytes.len())?] {
        out.write_all(&number.to_le_bytes())?;
    }
    array.bytes.write_to(spooled, out)
}

fn to_u32(size: usize) -> io::Result<u32> {
    let too_large = |_| io::Error::new(io::ErrorKind::FileTooLarge, "a value has 4 GiB or more");
    u32::try_from(size).map_err(too_large)
}
