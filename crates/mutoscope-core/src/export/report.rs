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

    pub(super) fn add_table_report(&mut self, table: &str, other: Self) {
        self.0.extend(
            other
                .0
                .into_iter()
                .map(|remark| Remark { message: format!("{table}: {}", remark.message), ..remark }),
        );
    }

    /// Returns all remarks, in the order in which they were added.
    pub fn remarks(&self) -> &[Remark] {
        &self.0
    }
}
