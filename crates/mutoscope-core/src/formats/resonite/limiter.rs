//! Reports diagnostics up to a limit for each kind.

use std::{collections::BTreeMap, fmt};

use super::document::Track;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Severity, SourceLocation};

const MAX_REPORTED_PER_KIND: usize = 20;

/// Adds diagnostics of each kind up to a limit and counts the others. `kind` must be a plural noun
/// phrase, because the count is reported as “12 more {kind}”.
pub(super) struct DiagnosticLimiter<'a> {
    diagnostics: &'a mut Diagnostics,
    counts: BTreeMap<(Severity, &'static str), (Code, usize)>,
}

impl<'a> DiagnosticLimiter<'a> {
    pub(super) fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { diagnostics, counts: BTreeMap::new() }
    }

    /// Adds a diagnostic, and returns it for its time and its values. Returns `None` if the limit
    /// is reached.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: Code,
        kind: &'static str,
        what: impl FnOnce() -> (SourceLocation, String),
    ) -> Option<&mut Diagnostic> {
        let (_, count) = self.counts.entry((severity, kind)).or_insert((code, 0));
        *count += 1;
        (*count <= MAX_REPORTED_PER_KIND).then(|| {
            let (location, message) = what();
            self.diagnostics.add(code, severity, location, message)
        })
    }

    pub(super) fn add_about_track(
        &mut self,
        severity: Severity,
        code: Code,
        kind: &'static str,
        track: &Track,
        problem: impl fmt::Display,
    ) {
        let what = || (track.source.location.clone(), format!("{}: {problem}", track.name()));
        if let Some(diagnostic) = self.add(severity, code, kind, what) {
            diagnostic.with("track", track.index);
        }
    }

    pub(super) fn add_about_key(
        &mut self,
        severity: Severity,
        code: Code,
        kind: &'static str,
        track: &Track,
        key: usize,
        problem: impl fmt::Display,
    ) {
        let what =
            || (track.source.key_location(key), format!("{}: {problem}", track.key_name(key)));
        if let Some(diagnostic) = self.add(severity, code, kind, what) {
            diagnostic.with("track", track.index).with("key", key);
        }
    }

    pub(super) fn finish(self) {
        for ((severity, kind), (code, count)) in self.counts {
            if let Some(omitted @ 1..) = count.checked_sub(MAX_REPORTED_PER_KIND) {
                let message = format!("{omitted} more {kind}");
                self.diagnostics
                    .add(code, severity, SourceLocation::File, message)
                    .with("omitted", omitted);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::resonite::codes;

    #[test]
    fn frequent_diagnostics_are_counted() {
        let mut diagnostics = Diagnostics::new();
        let mut limiter = DiagnosticLimiter::new(&mut diagnostics);
        for key in 0..1000 {
            let what = || (SourceLocation::line(1), format!("key {key}"));
            limiter.add(Severity::Warning, codes::NEGATIVE_TIME, "keys before 0", what);
        }
        let what = || (SourceLocation::line(2), "one".to_owned());
        limiter.add(Severity::Error, codes::TRACKS_LOST, "tracks lost", what);
        limiter.finish();
        assert_eq!(diagnostics.len(), MAX_REPORTED_PER_KIND + 2);
        let last = diagnostics.iter().last().unwrap();
        assert_eq!((last.severity, last.code), (Severity::Warning, codes::NEGATIVE_TIME));
        assert_eq!(last.message, "980 more keys before 0");
        assert_eq!(last.value("omitted"), Some(&980.into()));
    }
}
