//! Limits the number of diagnostics for one part of a file.

use super::codes;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Severity, SourceLocation, format_count};

const MAX_REPORTED: usize = 32;

/// Adds diagnostics up to a limit, because a damaged file may have a problem in every word.
pub(super) struct CappedDiagnostics<'n> {
    diagnostics: &'n mut Diagnostics,
    reported: usize,
    omitted: Option<Omitted>,
}

struct Omitted {
    first_location: SourceLocation,
    count: usize,
    worst: Severity,
}

impl<'n> CappedDiagnostics<'n> {
    pub(super) fn new(diagnostics: &'n mut Diagnostics) -> Self {
        Self { diagnostics, reported: 0, omitted: None }
    }

    pub(super) fn warning(
        &mut self,
        code: Code,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        self.add(code, Severity::Warning, location, message);
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) -> Option<&mut Diagnostic> {
        self.add(code, Severity::Error, location, message)
    }

    /// Returns the diagnostic, or `None` if the limit has been reached.
    fn add(
        &mut self,
        code: Code,
        severity: Severity,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) -> Option<&mut Diagnostic> {
        if self.reported == MAX_REPORTED {
            let omitted = self.omitted.get_or_insert(Omitted {
                first_location: location,
                count: 0,
                worst: severity,
            });
            omitted.count += 1;
            omitted.worst = severity.max(omitted.worst);
            return None;
        }
        self.reported += 1;
        Some(self.diagnostics.add(code, severity, location, message()))
    }

    pub(super) fn finish(self) -> &'n mut Diagnostics {
        if let Some(Omitted { first_location: location, count, worst }) = self.omitted {
            let message = format!("{} from here on", format_count(count, "more problem"));
            let diagnostic = self.diagnostics.add(codes::MORE_PROBLEMS, worst, location, message);
            diagnostic.with("count", count);
        }
        self.diagnostics
    }
}
