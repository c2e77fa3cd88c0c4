//! Results as JSON, an object a line.
//!
//! Floats are printed with the fewest digits that read back as the same number; those that are
//! not finite as null. Control characters are escaped, those too that JSON would take as they are.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};

/// Prints `value` and ends the line.
///
/// # Errors
/// If `out` cannot be written to.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Printable))?;
    out.write_all(b"\n")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_read_back() {
        let text = "é\u{1b}[2J\u{9b}2J\u{7f}\n\"";
        let mut out = Vec::new();
        line(&mut out, &text).unwrap();
        let printed = String::from_utf8(out).unwrap();
        assert_eq!(printed, "\"é\\u001b[2J\\u009b2J\\u007f\\n\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), text);
    }
}
