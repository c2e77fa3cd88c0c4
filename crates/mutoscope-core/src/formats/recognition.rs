//! Distinguishing formats by content.

use super::{Format, all, foreign_formats};
use crate::diagnostics::Error;

/// How certain it is that some bytes are of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recognition {
    /// They are not.
    No,
    /// Nothing speaks against it, but there is no signature.
    Plausible,
    /// They bear its signature.
    Certain,
}

/// The format that is surest of `bytes`; of equally sure ones, the one that `extension` names.
///
/// # Errors
/// If no format recognises them; the message names the likely kind.
pub fn recognise(bytes: &[u8], extension: Option<&str>) -> Result<&'static Format, Error> {
    let fits = |format: &Format| {
        extension.is_some_and(|given| {
            format.extensions.iter().any(|known| known.eq_ignore_ascii_case(given))
        })
    };
    all()
        .map(|format| ((format.recognise)(bytes), fits(format), format))
        .filter(|(recognition, ..)| *recognition > Recognition::No)
        .max_by_key(|(recognition, fits, _)| (*recognition, *fits))
        .map(|(.., format)| format)
        .ok_or_else(|| unrecognised(bytes))
}

fn unrecognised(bytes: &[u8]) -> Error {
    if bytes.is_empty() {
        return Error::unrecognised("the file is empty");
    }
    let known: Vec<_> = all().map(|format| format.name).collect();
    if let Some(kind) = foreign_formats::kind_of(bytes) {
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
