//! Results as JSON, an object a line.
//!
//! Floats are printed with the fewest digits that read back as the same number; those that are
//! not finite as null. Control characters are escaped, those too that JSON would take as they are.

use std::io::{self, Write};

use mutoscope_core::diagnostics::printable_json;
use serde::Serialize;

/// Prints `value` and ends the line.
///
/// # Errors
/// If `out` cannot be written to.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    printable_json(&mut *out, value)?;
    out.write_all(b"\n")
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
