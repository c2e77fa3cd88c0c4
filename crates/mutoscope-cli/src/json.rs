//! Writes results as JSON, one object on each line.
//!
//! Floats are printed with the fewest digits that read back as the same number, NaN and infinities
//! as null. All control characters are escaped, including those that JSON allows in strings.

use std::io::{self, Write};

use mutoscope_core::diagnostics::write_printable_json;
use serde::Serialize;

pub(super) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    write_printable_json(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_read_back() {
        let text = "é\u{1b}[2J\u{9b}2J\u{7f}\n\"";
        let mut out = Vec::new();
        write_line(&mut out, &text).unwrap();
        let printed = String::from_utf8(out).unwrap();
        assert_eq!(printed, "\"é\\u001b[2J\\u009b2J\\u007f\\n\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), text);
    }
}
