//! The report of an export.

use crate::diagnostics::Severity;

/// The report of an export: remarks on what is kept, approximated and lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report(Vec<Remark>);

/// One remark about an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// [`Severity::Info`] for how it was done; [`Severity::Warning`] for what is approximate, or
    /// lost.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
}

impl Report {
    /// Adds how something was done.
    pub fn info(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Info, message: message.into() });
    }

    /// Adds a remark on what is approximate, or lost.
    pub fn warning(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Warning, message: message.into() });
    }

    /// Adds the remarks about a table in a file of its own.
    pub(super) fn add_of_table(&mut self, table: &str, other: Self) {
        self.0.extend(
            other
                .0
                .into_iter()
                .map(|remark| Remark { message: format!("{table}: {}", remark.message), ..remark }),
        );
    }

    /// All remarks, in the order in which they were added.
    pub fn remarks(&self) -> &[Remark] {
        &self.0
    }
}

/// `1 key`, `2 keys`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
