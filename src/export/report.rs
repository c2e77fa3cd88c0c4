//! What an export kept, approximated and lost, in words.

use std::path::Path;

use crate::diagnostics::Severity;

/// What an export kept, approximated and lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report(Vec<Remark>);

/// One thing to know about an export.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// [`Severity::Info`] for how it was done; [`Severity::Warning`] for what is only nearly so, or
    /// lost.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
}

impl Report {
    /// Adds how something was done.
    pub(super) fn info(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Info, message: message.into() });
    }

    /// Adds what is only nearly so, or lost.
    pub(super) fn warning(&mut self, message: impl Into<String>) {
        self.0.push(Remark { severity: Severity::Warning, message: message.into() });
    }

    /// Adds what there is to know of a file beside the target's own.
    pub(super) fn add_of(&mut self, path: &Path, other: Self) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.0.extend(other.0.into_iter().map(|remark| Remark {
            message: format!("beside it, {name}: {}", remark.message),
            ..remark
        }));
    }

    /// All there is to know, in the order in which it came up.
    pub fn remarks(&self) -> &[Remark] {
        &self.0
    }
}

/// `1 key`, `2 keys`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
