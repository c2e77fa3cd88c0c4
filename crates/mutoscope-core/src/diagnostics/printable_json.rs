//! JSON without control characters.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};

/// Writes `value` as JSON on one line, without a line end after it.
///
/// Floats are written with the fewest digits that read back as the same number, and as `null` if
/// they are not finite. All control characters are escaped, including the ones that JSON allows in
/// strings, so that the output cannot control a terminal.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_printable_json(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, PrintableFormatter))?;
    Ok(())
}

struct PrintableFormatter;

impl Formatter for PrintableFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((index, control)) = rest.char_indices().find(|(_, c)| c.is_control()) {
            out.write_all(&rest.as_bytes()[..index])?;
            write!(out, "\\u{:04x}", u32::from(control))?;
            rest = &rest[index + control.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}
