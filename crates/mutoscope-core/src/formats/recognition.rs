//! Recognises the format of a file by its content.

use super::{Format, all, foreign_formats};
use crate::diagnostics::Error;

/// The certainty that some bytes belong to a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recognition {
    /// The bytes do not belong to the format.
    No,
    /// The bytes may belong to the format, but have no signature to confirm it.
    Plausible,
    /// The bytes have the signature of the format.
    Certain,
}

/// Returns the format that recognises `bytes` with the greatest certainty. If several are equally
/// certain, the format with this `extension` is preferred.
///
/// # Errors
/// If no format recognises the bytes. The message names the likely kind of file.
pub fn recognise(bytes: &[u8], extension: Option<&str>) -> Result<&'static Format, Error> {
    let has_extension = |format: &Format| {
        extension.is_some_and(|given| {
            format.extensions.iter().any(|known| known.eq_ignore_ascii_case(given))
        })
    };
    all()
        .map(|format| ((format.recognise)(bytes), has_extension(format), format))
        .filter(|(recognition, ..)| *recognition > Recognition::No)
        .max_by_key(|(recognition, has_extension, _)| (*recognition, *has_extension))
        .map(|(.., format)| format)
        .ok_or_else(|| unrecognised_error(bytes))
}

fn unrecognised_error(bytes: &[u8]) -> Error {
    if bytes.is_empty() {
        return Error::unrecognised("the file is empty");
    }
    let known: Vec<_> = all().map(|format| format.name).collect();
    if let Some(kind) = foreign_formats::describe_foreign_format(bytes) {
        let message =
            format!("expected a recording of a known format ({}), found {kind}", known.join(", "));
        return Error::unrecognised(message);
    }
    let start: Vec<_> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let message = format!(
        "expected a recording of a known format ({}), found a file that starts with {}",
        known.join(", "),
        start.join(" ")
    );
    Error::unrecognised(message)
}
