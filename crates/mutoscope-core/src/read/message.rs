//! Diagnostics and errors in printed form.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{ReadError, Recording, Source, open, open_content};
use crate::{
    clip::Clip,
    diagnostics::{Diagnostic, Diagnostics, Error, Severity, SourceLocation, escape_control_chars},
    export::Remark,
    formats::{FormatId, ReadOptions},
    io::bytes::FileContent,
    measure::checks::ClipDiagnostic,
    skeleton_file::SkeletonKind,
};

/// The result of opening one source, and the name of the source in messages.
#[derive(Debug)]
pub struct Input {
    /// The name in messages.
    pub name: String,
    /// The recording, or the reason why there is none.
    pub result: Result<Recording, ReadError>,
}

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
    pub fn for_file(path: &'a str, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self { path, format: None, severity: Severity::Error, location: None, message, time: None }
    }
}

impl Input {
    /// Reads `source` and decodes it.
    pub fn open(source: &Source, options: &ReadOptions) -> Self {
        Self { name: source.to_string(), result: open(source, options) }
    }

    /// Decodes a source that was already read.
    pub fn open_content(
        source: &Source,
        content: io::Result<FileContent>,
        options: &ReadOptions,
    ) -> Self {
        Self { name: source.to_string(), result: open_content(source, content, options) }
    }

    /// Returns the clip, or `None` if the source could not be opened.
    pub fn clip(&self) -> Option<&Clip> {
        self.result.as_ref().ok().map(|recording| &recording.clip)
    }

    /// Returns the paths of the other files that were read.
    pub fn sidecars(&self) -> &[PathBuf] {
        self.result.as_ref().map_or(&[], |recording| &recording.sidecars)
    }

    /// Returns all messages about the source: the diagnostics in the order in which they were
    /// found, followed by the error if there is no clip.
    pub fn messages(&self) -> Vec<Message<'_>> {
        let name = self.name.as_str();
        let diagnostics = |format: Option<FormatId>, diagnostics: &Diagnostics| -> Vec<_> {
            let all =
                format.into_iter().flat_map(|format| diagnostics.iter().map(move |n| (format, n)));
            all.map(|(format, diagnostic)| Message::from_diagnostic(name, format, diagnostic))
                .collect()
        };
        match &self.result {
            Ok(Recording { clip, .. }) => diagnostics(Some(clip.format), &clip.diagnostics),
            Err(ReadError::Undecodable(failure)) => {
                let mut messages = diagnostics(failure.format, &failure.diagnostics);
                messages.push(Message::from_error(name, failure.format, &failure.error));
                messages
            }
            Err(error @ (ReadError::Unreadable(_) | ReadError::WrongUsage(_))) => {
                vec![Message::for_file(name, error.to_string())]
            }
        }
    }

    /// Returns `true` if none of the messages is an error.
    pub fn is_sound(&self) -> bool {
        self.result.as_ref().is_ok_and(Recording::is_sound)
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
