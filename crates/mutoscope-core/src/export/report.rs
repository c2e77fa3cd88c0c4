//! The report of an export.

use crate::diagnostics::{Code, Severity};

/// The report of an export: remarks on what it kept, approximated and lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report(Vec<Remark>);

/// One remark on an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// [`Severity::Info`] for how the export was done; [`Severity::Warning`] for an approximation
    /// or a loss.
    pub severity: Severity,
    /// The code, if programs may want to act on the remark.
    pub code: Option<Code>,
    /// The message, a single sentence.
    pub message: String,
}

impl Report {
    /// Adds a remark on how the export was done.
    pub fn info(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Info, code: None, message: message.into() });
    }

    /// Adds a remark on an approximation or a loss.
    pub fn warning(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Warning, code: None, message: message.into() });
    }

    /// Adds a remark on an approximation or a loss of the kind that `code` describes.
    pub fn warning_with_code(&mut self, code: Code, message: impl Into<String>) {
        let (severity, message) = (Severity::Warning, message.into());
        self.0.push(Remark { severity, code: Some(code), message });
    }

    /// Adds the remarks on a part of the export. `part` is put before their messages.
    pub(super) fn add_part(&mut self, part: &str, other: Self) {
        let name_part =
            |remark: Remark| Remark { message: format!("{part}: {}", remark.message), ..remark };
        self.0.extend(other.0.into_iter().map(name_part));
    }

    /// Adds the warnings about a part of the export, like [`Self::add_part`].
    pub(super) fn add_warnings(&mut self, part: &str, mut other: Self) {
        other.0.retain(|remark| remark.severity == Severity::Warning);
        self.add_part(part, other);
    }

    /// Returns all remarks, in the order in which they were added.
    pub fn remarks(&self) -> &[Remark] {
        &self.0
    }
}
