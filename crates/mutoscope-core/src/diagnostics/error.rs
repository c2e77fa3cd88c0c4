//! The error that stops the reading of a file.

use std::fmt;

use super::SourceLocation;

/// The reason why a file could not be read.
///
/// The message is one sentence. The message does not name the file, because the caller knows the
/// name and adds it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at {location}: {message}")]
pub struct Error {
    kind: ErrorKind,
    location: SourceLocation,
    message: String,
}

/// The kind of an [`Error`], for callers that react to some kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// No format recognises the bytes.
    Unrecognised,
    /// The bytes break the rules of their format.
    Malformed,
    /// The file ends before the data that it announces.
    Truncated,
    /// The file seems valid, but uses a feature or a version that is not supported.
    Unsupported,
    /// The file does not contain the variant that the user chose.
    UnknownVariant,
    /// The options are invalid, or do not fit the file.
    InvalidOptions,
    /// The file cannot be read, or changed while it was read.
    Unreadable,
}

impl ErrorKind {
    /// Returns the name in codes, such as `malformed` in `bvh/malformed`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the meaning and the remedy for users.
    pub fn description(self) -> (&'static str, &'static str) {
        match self {
            Self::Unrecognised => (
                "No format recognises the bytes.",
                "Check that the file is a recording. If it is a table, pass `--as table` and a mapping with `--columns`.",
            ),
            Self::Malformed => (
                "The bytes break the rules of their format, so nothing could be read.",
                "Export the file again from the program that wrote it.",
            ),
            Self::Truncated => (
                "The file ends before the data that it announces, so nothing could be read.",
                "Copy or record the file again.",
            ),
            Self::Unsupported => (
                "The file uses a feature or a version that is not supported.",
                "The message names the feature and, if there is one, a way around it.",
            ),
            Self::UnknownVariant => (
                "The file does not contain the animation, character or clip that was chosen.",
                "Run `mutoscope info` to list what the file contains.",
            ),
            Self::InvalidOptions => (
                "The options are invalid, or do not fit the file.",
                "Correct the option that the message names.",
            ),
            Self::Unreadable => (
                "The file cannot be read, or changed while it was read.",
                "Check the permissions of the file, and that no program writes it.",
            ),
        }
    }
}

impl Error {
    /// Creates the error for bytes at `location` that are not the `expected` ones.
    pub fn malformed(
        location: SourceLocation,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self::new(ErrorKind::Malformed, location, format!("expected {expected}, found {found}"))
    }

    /// Creates the error for a file that ends too early: `expected` needs `needed` bytes from
    /// `location` on, but only `left` bytes are left.
    pub fn truncated(
        location: SourceLocation,
        expected: impl fmt::Display,
        needed: u64,
        left: usize,
    ) -> Self {
        let message = format!(
            "expected {expected} ({needed} bytes), found the end of the file after {left} bytes"
        );
        Self::new(ErrorKind::Truncated, location, message)
    }

    /// Creates the error for a file that is not supported. `message` names the unsupported feature
    /// and a remedy.
    pub fn unsupported(location: SourceLocation, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, location, message.into())
    }

    pub(crate) fn unknown_variant(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::UnknownVariant, SourceLocation::File, message.into())
    }

    /// Creates the error for options that are invalid or do not fit the file. `message` names the
    /// option, and the location within its value if there is one.
    pub fn invalid_options(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidOptions, SourceLocation::File, message.into())
    }

    pub(crate) fn unreadable(location: SourceLocation, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unreadable, location, message.into())
    }

    /// Creates the error for bytes that no format recognises. `message` says what was expected.
    pub fn unrecognised(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unrecognised, SourceLocation::byte(0), message.into())
    }

    fn new(kind: ErrorKind, location: SourceLocation, message: String) -> Self {
        Self { kind, location, message }
    }

    pub(crate) fn relocated(self, location: SourceLocation, message: String) -> Self {
        Self { kind: self.kind, location, message }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the location in the file at which reading stopped.
    pub fn location(&self) -> &SourceLocation {
        &self.location
    }

    /// Returns the message without the location: what was expected, and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }
}
