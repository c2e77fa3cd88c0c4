//! The report of an export.

use crate::diagnostics::Severity;

/// The report of an export: remarks on what it kept, approximated and lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report(Vec<Remark>);

/// One remark on an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// [`Severity::Info`] for how the export was done; [`Severity::Warning`] for an approximation
    /// or a loss.
    pub severity: Severity,
    /// The message, a single sentence.
    pub message: String,
}

impl Report {
    /// Adds a remark on how the export was done.
    pub fn info(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Info, message: message.into() });
    }

    /// Adds a remark on an approximation or a loss.
    pub fn warning(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Warning, message: message.into() });
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
