//! The text encoding of FBX 7.5.

use std::{
    fmt::{Display, LowerExp},
    io::{self, Read as _, Write},
};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::read::ZlibDecoder;

use super::document::{Array, ArrayType, Element, Value};
use crate::io::spooled::SpooledBytes;

/// Writes a file with these elements, and reads from `spooled` the arrays that were moved there.
pub(super) fn write(
    elements: &[Element],
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(
        b"; FBX 7.5.0 project file\n; ----------------------------------------------------\n\n",
    )?;
    elements.iter().try_for_each(|element| write_element(element, 0, spooled, out))
}

fn write_element(
    element: &Element,
    depth: usize,
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let indent = "\t".repeat(depth);
    write!(out, "{indent}{}: ", element.name)?;
    for (index, value) in element.values.iter().enumerate() {
        if index > 0 {
            out.write_all(b", ")?;
        }
        write_value(value, &indent, spooled, out)?;
    }
    match &element.children {
        None => out.write_all(b"\n"),
        Some(children) => {
            out.write_all(b" {\n")?;
            children.iter().try_for_each(|child| write_element(child, depth + 1, spooled, out))?;
            writeln!(out, "{indent}}}")
        }
    }
}

fn write_value(
    value: &Value,
    indent: &str,
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<()> {
    match value {
        Value::Bool(value) => out.write_all(if *value { b"T" } else { b"F" }),
        Value::I32(value) => write!(out, "{value}"),
        Value::I64(value) => write!(out, "{value}"),
        Value::F64(value) => write!(out, "{}", format_number(*value)),
        Value::Text(text) => write!(out, "\"{}\"", escape(text)),
        Value::ObjectName { name, class } => write!(out, "\"{class}::{}\"", escape(name)),
        // Embedded files have an empty value before their content.
        Value::Bytes(bytes) => write!(out, ", \"{}\"", BASE64_STANDARD.encode(bytes)),
        Value::Array(array) => write_array(array, indent, spooled, out),
    }
}

/// Escapes quotation marks. FBX cannot escape `&`.
fn escape(text: &str) -> String {
    text.replace('"', "&quot;")
}

fn write_array(
    array: &Array,
    indent: &str,
    spooled: &mut SpooledBytes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    array.bytes.write_to(spooled, &mut bytes)?;
    if array.is_compressed {
        let mut unpacked = Vec::new();
        ZlibDecoder::new(&bytes[..]).read_to_end(&mut unpacked)?;
        bytes = unpacked;
    }
    write!(out, "*{} {{\n{indent}\ta: ", array.len)?;
    match array.array_type {
        ArrayType::I32 => write_numbers(&bytes, i32::from_le_bytes, out)?,
        ArrayType::I64 => write_numbers(&bytes, i64::from_le_bytes, out)?,
        ArrayType::F32 => write_numbers(&bytes, f32::from_le_bytes, out)?,
        ArrayType::F64 => write_numbers(&bytes, f64::from_le_bytes, out)?,
    }
    write!(out, "\n{indent}}}")
}

/// Formats a number with an exponent if it has many digits otherwise. Readers limit the length of
/// numbers.
fn format_number(number: impl Display + LowerExp) -> String {
    /// The length of the longest 64-bit integer.
    const MAX_LENGTH: usize = 20;
    let plain = number.to_string();
    if plain.len() > MAX_LENGTH { format!("{number:e}") } else { plain }
}

fn write_numbers<const N: usize, T: Display + LowerExp>(
    bytes: &[u8],
    number: fn([u8; N]) -> T,
    out: &mut dyn Write,
) -> io::Result<()> {
    /// The count of numbers in a line. Some readers limit the length of lines.
    const NUMBERS_PER_LINE: usize = 64;
    let (chunks, _) = bytes.as_chunks::<N>();
    let mut line = String::new();
    for (index, &chunk) in chunks.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        if index > 0 && index % NUMBERS_PER_LINE == 0 {
            line.push('\n');
            out.write_all(line.as_bytes())?;
            line.clear();
        }
        line.push_str(&format_number(number(chunk)));
    }
    out.write_all(line.as_bytes())
}
