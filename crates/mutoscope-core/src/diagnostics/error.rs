//! Why a file could not be read.

use std::fmt;

use super::SourceLocation;

/// Why reading stopped: one sentence that says where, what was expected and what was found.
///
/// The text does not name the file: the caller knows it, and adds it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {place}: {message}")]
pub struct Error {
    kind: ErrorKind,
    place: SourceLocation,
    message: String,
}

/// The kind of error, for callers that act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No format recognises the bytes.
    Unrecognised,
    /// The bytes contradict the format they claim to be in.
    Malformed,
    /// The file ends before what it announces.
    Truncated,
    /// The file seems valid, but is of a kind that is not supported.
    Unsupported,
    /// The file does not have the chosen variant.
    NoVariants,
    /// The options that came with the file do not fit it, or are invalid.
    WrongOptions,
    /// The file cannot be read, or has changed while it was.
    Unreadable,
}

impl Error {
    /// The bytes at `place` contradict the format: `expected` should be there.
    pub fn malformed(
        place: SourceLocation,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self::new(ErrorKind::Malformed, place, format!("expected {expected}, found {found}"))
    }

    /// The file ends too early: `expected` needs `needed` bytes from `place` on and `left` are left.
    pub fn truncated(
        place: SourceLocation,
        expected: impl fmt::Display,
        needed: u64,
        left: usize,
    ) -> Self {
        let message = format!(
            "expected {expected} ({needed} bytes), found the end of the file after {left} bytes"
        );
        Self::new(ErrorKind::Truncated, place, message)
    }

    /// The file is of a kind that is not supported; `message` names it and the remedy.
    pub fn unsupported(place: SourceLocation, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, place, message.into())
    }

    /// The file does not have the chosen variant; `message` names it.
    pub(crate) fn no_variants(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NoVariants, SourceLocation::File, message.into())
    }

    /// The options that came with the file do not fit it, or are invalid; `message` names them and
    /// the place in them.
    pub fn wrong_options(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::WrongOptions, SourceLocation::File, message.into())
    }

    /// The file cannot be read at `place`; `message` says why.
    pub(crate) fn unreadable(place: SourceLocation, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unreadable, place, message.into())
    }

    /// No format recognises the bytes; `message` says what was looked for.
    pub fn unrecognised(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unrecognised, SourceLocation::byte(0), message.into())
    }

    fn new(kind: ErrorKind, place: SourceLocation, message: String) -> Self {
        Self { kind, place, message }
    }

    /// The same, at `place` and with `message`: for what is a file within another file.
    pub(crate) fn relocated(self, place: SourceLocation, message: String) -> Self {
        Self { kind: self.kind, place, message }
    }

    /// The kind of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where in the file reading stopped.
    pub fn place(&self) -> &SourceLocation {
        &self.place
    }

    /// The message without the source location: what was expected and found.
    pub fn message(&self) -> &str {
        &self.message
    }
}
