//! Diagnostics and errors in printed form.

use std::{fmt, path::Path};

use serde::Serialize;

use crate::{
    diagnostics::{Diagnostic, Error, Severity, SourceLocation, escape_control_chars},
    export::Remark,
    formats::FormatId,
    measure::checks::ClipDiagnostic,
    skeleton_file::SkeletonKind,
};

/// A message about a file: `warning: PATH: FORMAT at PLACE: MESSAGE`.
///
/// If the format is unknown, so is the location: `error: PATH: MESSAGE`. Serialised messages are
/// the output of `check --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message<'a> {
    /// The file, as the user named it.
    pub path: &'a str,
    /// The name of the format, if known.
    pub format: Option<&'static str>,
    /// The severity.
    #[serde(serialize_with = "serialize_severity")]
    pub severity: Severity,
    /// The location in the file.
    #[serde(rename = "place")]
    pub location: Option<String>,
    /// One sentence.
    pub message: String,
    /// The clip time that the message is about, in seconds.
    pub time: Option<f64>,
}

impl<'a> Message<'a> {
    /// Creates the message for a diagnostic about the file at `path`.
    pub fn from_diagnostic(path: &'a str, format: FormatId, diagnostic: &Diagnostic) -> Self {
        Self::from_diagnostic_in(path, format.as_str(), diagnostic)
    }

    /// Creates the message for a diagnostic of a check of the file at `path`.
    pub fn from_clip_diagnostic(
        path: &'a str,
        format: FormatId,
        diagnostic: &ClipDiagnostic,
    ) -> Self {
        Self {
            path,
            format: Some(format.as_str()),
            severity: diagnostic.severity,
            location: Some(diagnostic.location.to_string()),
            message: diagnostic.message.clone(),
            time: diagnostic.time,
        }
    }

    /// Creates a warning about results that were computed from the file at `path`.
    pub fn for_results(path: &'a str, format: FormatId, message: String) -> Self {
        let (format, location) = (Some(format.as_str()), Some(SourceLocation::File.to_string()));
        Self { path, format, severity: Severity::Warning, location, message, time: None }
    }

    fn from_diagnostic_in(path: &'a str, format: &'static str, diagnostic: &Diagnostic) -> Self {
        Self {
            path,
            format: Some(format),
            severity: diagnostic.severity,
            location: Some(diagnostic.location.to_string()),
            message: diagnostic.message.clone(),
            time: diagnostic.time,
        }
    }

    /// Creates the message for a diagnostic about the skeleton at `path`.
    pub fn from_skeleton_diagnostic(
        path: &'a str,
        kind: SkeletonKind,
        diagnostic: &Diagnostic,
    ) -> Self {
        Self::from_diagnostic_in(path, kind.as_str(), diagnostic)
    }

    /// Creates the message for an error that prevented decoding the file at `path`.
    pub fn from_error(path: &'a str, format: Option<FormatId>, error: &Error) -> Self {
        Self {
            path,
            format: format.map(FormatId::as_str),
            severity: Severity::Error,
            location: format.map(|_| error.location().to_string()),
            message: error.message().to_owned(),
            time: None,
        }
    }

    /// Creates the message for a remark on the export to `path`.
    pub fn from_remark(path: &'a str, remark: &Remark) -> Self {
        let Remark { severity, message } = remark.clone();
        Self { path, format: None, severity, location: None, message, time: None }
    }

    /// Creates an error that does not depend on the content of the file at `path`.
    pub fn for_file(path: &'a str, message: String) -> Self {
        Self { path, format: None, severity: Severity::Error, location: None, message, time: None }
    }
}

/// Formats a path. Bytes that are not UTF-8 become `\\xff`, so that different paths stay different.
pub fn format_path(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, severity, message, .. } = self;
        write!(f, "{severity}: {}: ", escape_control_chars(path))?;
        if let (Some(format), Some(location)) = (self.format, &self.location) {
            write!(f, "{format} at {}: ", escape_control_chars(location))?;
        }
        f.write_str(&escape_control_chars(message))
    }
}

fn serialize_severity<S: serde::Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(severity.as_str())
}
