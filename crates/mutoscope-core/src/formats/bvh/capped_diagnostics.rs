//! Limits the number of diagnostics for one part of a file.

use crate::diagnostics::{Diagnostics, Severity, SourceLocation, format_count};

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

    pub(super) fn warning(&mut self, location: SourceLocation, message: impl FnOnce() -> String) {
        self.add(Severity::Warning, location, message);
    }

    pub(super) fn error(&mut self, location: SourceLocation, message: impl FnOnce() -> String) {
        self.add(Severity::Error, location, message);
    }

    fn add(
        &mut self,
        severity: Severity,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        if self.reported == MAX_REPORTED {
            let omitted = self.omitted.get_or_insert(Omitted {
                first_location: location,
                count: 0,
                worst: severity,
            });
            omitted.count += 1;
            omitted.worst = severity.max(omitted.worst);
            return;
        }
        self.reported += 1;
        match severity {
            Severity::Error => {
                self.diagnostics.error(crate::diagnostics::Code::PENDING, location, message());
            }
            _ => {
                self.diagnostics.warning(crate::diagnostics::Code::PENDING, location, message());
            }
        }
    }

    pub(super) fn finish(self) -> &'n mut Diagnostics {
        if let Some(Omitted { first_location: location, count, worst }) = self.omitted {
            let message = format!("{} from here on", format_count(count, "more problem"));
            match worst {
                Severity::Error => {
                    self.diagnostics.error(crate::diagnostics::Code::PENDING, location, message);
                }
                _ => {
                    self.diagnostics.warning(crate::diagnostics::Code::PENDING, location, message);
                }
            }
        }
        self.diagnostics
    }
}
