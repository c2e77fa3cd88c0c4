//! Results as JSON, an object a line.
//!
//! Floats are printed with the fewest digits that read back as the same number; those that are
//! not finite as null.

use std::io::{self, Write};

use serde::Serialize;

/// Prints `value` and ends the line.
///
/// # Errors
/// If `out` cannot be written to.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
