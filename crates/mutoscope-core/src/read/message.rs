//! Notices and errors as they are printed.

use std::{fmt, path::Path};

use serde::Serialize;

use crate::{
    diagnostics::{Error, Notice, Severity, SourceLocation, printable},
    export::Remark,
    formats::FormatId,
    measure::checks::Issue,
    rig::RigKind,
};

/// A message about a file: `warning: PATH: FORMAT at PLACE: MESSAGE`.
///
/// Where no format is known, neither is a place: `error: PATH: MESSAGE`. Serialised, it is what
/// `check --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message<'a> {
    /// The file, as its user named it.
    pub path: &'a str,
    /// The word for its format, if that is known.
    pub format: Option<&'static str>,
    /// Its severity.
    #[serde(serialize_with = "severity_word")]
    pub severity: Severity,
    /// Where in the file.
    pub place: Option<String>,
    /// One sentence.
    pub message: String,
    /// The clip time it concerns, in seconds.
    pub time: Option<f64>,
}

impl<'a> Message<'a> {
    /// The message of a notice about the file at `path`.
    pub fn of_notice(path: &'a str, format: FormatId, notice: &Notice) -> Self {
        Self::of_notice_in(path, format.word(), notice)
    }

    /// The message of an issue in the file at `path`.
    pub fn of_issue(path: &'a str, format: FormatId, issue: &Issue) -> Self {
        Self {
            path,
            format: Some(format.word()),
            severity: issue.severity,
            place: Some(issue.place.to_string()),
            message: issue.message.clone(),
            time: issue.time,
        }
    }

    /// A message about results from the file at `path`.
    pub fn of_results(path: &'a str, format: FormatId, message: String) -> Self {
        let (format, place) = (Some(format.word()), Some(SourceLocation::File.to_string()));
        Self { path, format, severity: Severity::Warning, place, message, time: None }
    }

    fn of_notice_in(path: &'a str, format: &'static str, notice: &Notice) -> Self {
        Self {
            path,
            format: Some(format),
            severity: notice.severity,
            place: Some(notice.place.to_string()),
            message: notice.message.clone(),
            time: notice.time,
        }
    }

    /// The message of a notice about the skeleton at `path`.
    pub fn of_rig_notice(path: &'a str, kind: RigKind, notice: &Notice) -> Self {
        Self::of_notice_in(path, kind.word(), notice)
    }

    /// Why decoding the file at `path` failed.
    pub fn of_error(path: &'a str, format: Option<FormatId>, error: &Error) -> Self {
        Self {
            path,
            format: format.map(FormatId::word),
            severity: Severity::Error,
            place: format.map(|_| error.place().to_string()),
            message: error.message().to_owned(),
            time: None,
        }
    }

    /// The message of an export remark about the file at `path`, which was written.
    pub fn of_remark(path: &'a str, remark: &Remark) -> Self {
        let Remark { severity, message } = remark.clone();
        Self { path, format: None, severity, place: None, message, time: None }
    }

    /// An error that does not depend on the content of the file at `path`.
    pub fn about_file(path: &'a str, message: String) -> Self {
        Self { path, format: None, severity: Severity::Error, place: None, message, time: None }
    }
}

/// A path in words. Bytes that are not UTF-8 are written as `\\xff`, so that every file has a name of
/// its own.
pub fn path_text(path: &Path) -> String {
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
        write!(f, "{severity}: {}: ", printable(path))?;
        if let (Some(format), Some(place)) = (self.format, &self.place) {
            write!(f, "{format} at {}: ", printable(place))?;
        }
        f.write_str(&printable(message))
    }
}

fn severity_word<S: serde::Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(severity.word())
}
