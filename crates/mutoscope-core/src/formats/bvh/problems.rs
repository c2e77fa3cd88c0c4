//! The issues in a file, reported one by one up to a limit.

use crate::diagnostics::{Notices, Severity, SourceLocation};

/// How many problems are reported one by one.
const TOLD: usize = 32;

/// Notices of a part of a file, up to a limit: a broken file may have one for every word.
pub(super) struct Problems<'n> {
    notices: &'n mut Notices,
    told: usize,
    /// The place of the first that was not reported, how many there are, and the worst severity.
    more: Option<(SourceLocation, usize, Severity)>,
}

impl<'n> Problems<'n> {
    pub(super) fn new(notices: &'n mut Notices) -> Self {
        Self { notices, told: 0, more: None }
    }

    /// Something is suspect.
    pub(super) fn warning(&mut self, place: SourceLocation, message: impl FnOnce() -> String) {
        self.add(Severity::Warning, place, message);
    }

    /// Something is lost.
    pub(super) fn error(&mut self, place: SourceLocation, message: impl FnOnce() -> String) {
        self.add(Severity::Error, place, message);
    }

    fn add(&mut self, severity: Severity, place: SourceLocation, message: impl FnOnce() -> String) {
        if self.told == TOLD {
            let (_, count, worst) = self.more.get_or_insert((place, 0, severity));
            *count += 1;
            *worst = severity.max(*worst);
            return;
        }
        self.told += 1;
        match severity {
            Severity::Error => self.notices.error(place, message()),
            _ => self.notices.warning(place, message()),
        }
    }

    /// Reports how many more there are, and returns the notices.
    pub(super) fn finish(self) -> &'n mut Notices {
        if let Some((place, count, worst)) = self.more {
            let message = format!("{count} more problems after this one");
            match worst {
                Severity::Error => self.notices.error(place, message),
                _ => self.notices.warning(place, message),
            }
        }
        self.notices
    }
}
