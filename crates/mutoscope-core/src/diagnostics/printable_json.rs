//! JSON that a terminal shows and does not obey.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};

/// Writes `value` as JSON on one line, without its end. Floats have the fewest digits that read back as the
/// same number; those that are not finite are null. Control characters are escaped, those too that JSON would
/// take as they are.
///
/// # Errors
/// If `out` cannot be written to.
pub fn printable_json(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Printable))?;
    Ok(())
}

/// JSON on one line, which cannot drive a terminal.
struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, control)) = rest.char_indices().find(|(_, c)| c.is_control()) {
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(control))?;
            rest = &rest[at + control.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}
