//! Diagnostics and errors in printed form.

use std::{
    borrow::Cow,
    fmt, io,
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer, ser::SerializeMap as _};
use serde_json::Value;

use super::{ReadError, Recording, Source, open, open_content};
use crate::{
    clip::Clip,
    diagnostics::{
        Diagnostic, Diagnostics, Error, Measure, Severity, SourceLocation, escape_control_chars,
    },
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
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'a> {
    /// The file, as the user named it.
    pub path: &'a str,
    /// The name of the format, if known.
    pub format: Option<&'static str>,
    /// The code of the kind of problem: that of the diagnostic, or the format and the kind of the
    /// error, such as `bvh/malformed`. `None` for messages that do not depend on a file's content.
    pub code: Option<Cow<'static, str>>,
    /// The severity.
    pub severity: Severity,
    /// The location in the file.
    pub location: Option<SourceLocation>,
    /// One sentence.
    pub message: String,
    /// The clip time that the message is about, or its start, in seconds.
    pub time: Option<f64>,
    /// The end of the problem in clip seconds. `None` if the problem has no duration.
    pub end: Option<f64>,
    /// The names of the nodes concerned.
    pub nodes: Vec<&'a str>,
    /// The value that crossed a threshold, if the problem is one of degree.
    pub measure: Option<Measure>,
    /// The values that the message contains, for programs.
    pub data: &'a [(&'static str, Value)],
}

impl<'a> Message<'a> {
    /// Creates the message for a diagnostic about the file at `path`.
    pub fn from_diagnostic(path: &'a str, format: FormatId, diagnostic: &'a Diagnostic) -> Self {
        Self::from_diagnostic_in(path, format.as_str(), diagnostic)
    }

    fn from_diagnostics(
        path: &'a str,
        format: Option<FormatId>,
        diagnostics: &'a Diagnostics,
    ) -> Vec<Self> {
        let Some(format) = format else { return Vec::new() };
        let message = |diagnostic| Self::from_diagnostic(path, format, diagnostic);
        diagnostics.iter().map(message).collect()
    }

    /// Creates the message for a diagnostic of a check of `clip`, which was read from `path`.
    pub fn from_clip_diagnostic(
        path: &'a str,
        clip: &'a Clip,
        diagnostic: &ClipDiagnostic,
    ) -> Self {
        Self {
            format: Some(clip.format.as_str()),
            code: Some(diagnostic.code.as_str().into()),
            severity: diagnostic.severity,
            location: Some(diagnostic.location.clone()),
            time: diagnostic.time,
            end: diagnostic.end,
            nodes: diagnostic.node_names(clip),
            measure: diagnostic.measure,
            ..Self::for_file(path, diagnostic.message.clone())
        }
    }

    /// Creates a warning about results that were computed from the file at `path`.
    pub fn for_results(path: &'a str, format: FormatId, message: String) -> Self {
        Self {
            format: Some(format.as_str()),
            severity: Severity::Warning,
            location: Some(SourceLocation::File),
            ..Self::for_file(path, message)
        }
    }

    /// Creates the message for a diagnostic about the file at `path`, which has this format.
    pub fn from_diagnostic_in(
        path: &'a str,
        format: &'static str,
        diagnostic: &'a Diagnostic,
    ) -> Self {
        Self {
            format: Some(format),
            code: Some(diagnostic.code.as_str().into()),
            severity: diagnostic.severity,
            location: Some(diagnostic.location.clone()),
            time: diagnostic.time,
            data: &diagnostic.data,
            ..Self::for_file(path, &diagnostic.message)
        }
    }

    /// Creates the message for a diagnostic about the skeleton at `path`.
    pub fn from_skeleton_diagnostic(
        path: &'a str,
        kind: SkeletonKind,
        diagnostic: &'a Diagnostic,
    ) -> Self {
        Self::from_diagnostic_in(path, kind.as_str(), diagnostic)
    }

    /// Creates the message for an error that prevented decoding the file at `path`.
    pub fn from_error(path: &'a str, format: Option<FormatId>, error: &Error) -> Self {
        let area = format.map_or("file", FormatId::as_str);
        Self {
            format: format.map(FormatId::as_str),
            code: Some(format!("{area}/{}", error.kind().as_str()).into()),
            location: format.map(|_| error.location().clone()),
            ..Self::for_file(path, error.message().to_owned())
        }
    }

    /// Creates the message for a remark on the export to `path`.
    pub fn from_remark(path: &'a str, remark: &Remark) -> Self {
        let Remark { severity, code, message } = remark.clone();
        let code = code.map(|code| code.as_str().into());
        Self { severity, code, ..Self::for_file(path, message) }
    }

    /// Creates an error that does not depend on the content of the file at `path`.
    pub fn for_file(path: &'a str, message: impl fmt::Display) -> Self {
        Self {
            path,
            format: None,
            code: None,
            severity: Severity::Error,
            location: None,
            message: message.to_string(),
            time: None,
            end: None,
            nodes: Vec::new(),
            measure: None,
            data: &[],
        }
    }
}

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let location = self.location.as_ref().map(ToString::to_string);
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", self.path)?;
        map.serialize_entry("format", &self.format)?;
        map.serialize_entry("severity", self.severity.as_str())?;
        map.serialize_entry("place", &location)?;
        map.serialize_entry("message", &self.message)?;
        map.serialize_entry("time", &self.time)?;
        map.serialize_entry("code", &self.code)?;
        // `place` is the key of earlier versions.
        map.serialize_entry("location", &location)?;
        map.serialize_entry("data", &Diagnostic::data_object(self.data))?;
        map.serialize_entry("end", &self.end)?;
        map.serialize_entry("nodes", &self.nodes)?;
        map.serialize_entry("measure", &self.measure)?;
        map.end()
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
        match &self.result {
            Ok(Recording { clip, .. }) => {
                Message::from_diagnostics(name, Some(clip.format), &clip.diagnostics)
            }
            Err(ReadError::Undecodable(failure)) => {
                let mut messages =
                    Message::from_diagnostics(name, failure.format, &failure.diagnostics);
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
            write!(f, "{format} at {location}: ")?;
        }
        f.write_str(&escape_control_chars(message))
    }
}
