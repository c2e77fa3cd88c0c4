//! Reports diagnostics up to a limit for each kind.

use std::collections::BTreeMap;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity, SourceLocation, Topic};

const MAX_REPORTED_PER_KIND: usize = 20;

/// Adds diagnostics of each kind up to a limit and counts the others. `kind` must be a plural noun
/// phrase, because the count is reported as “12 more {kind}”.
pub(super) struct DiagnosticLimiter<'a> {
    diagnostics: &'a mut Diagnostics,
    counts: BTreeMap<(Severity, &'static str), usize>,
    topics: BTreeMap<&'static str, Topic>,
}

impl<'a> DiagnosticLimiter<'a> {
    pub(super) fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Self { diagnostics, counts: BTreeMap::new(), topics: BTreeMap::new() }
    }

    pub(super) fn info(
        &mut self,
        kind: &'static str,
        location: SourceLocation,
        message: impl Into<String>,
    ) {
        if self.count_and_check_limit(Severity::Info, kind) {
            self.diagnostics.info(location, message);
        }
    }

    pub(super) fn warning(
        &mut self,
        kind: &'static str,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        if self.count_and_check_limit(Severity::Warning, kind) {
            self.diagnostics.warning(location, message());
        }
    }

    pub(super) fn warning_about(
        &mut self,
        topic: Topic,
        kind: &'static str,
        location: SourceLocation,
        time: Option<f64>,
        message: impl FnOnce() -> String,
    ) {
        self.topics.insert(kind, topic);
        if self.count_and_check_limit(Severity::Warning, kind) {
            self.diagnostics.warning_about(topic, location, time, message());
        }
    }

    pub(super) fn error(
        &mut self,
        kind: &'static str,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        if self.count_and_check_limit(Severity::Error, kind) {
            self.diagnostics.error(location, message());
        }
    }

    pub(super) fn report(
        &mut self,
        severity: Severity,
        kind: &'static str,
        what: impl FnOnce() -> (SourceLocation, String),
    ) {
        if self.count_and_check_limit(severity, kind) {
            let (location, message) = what();
            add_diagnostic(self.diagnostics, severity, location, message);
        }
    }

    pub(super) fn finish(self) {
        let untold = self.counts.into_iter().filter(|&(_, count)| count > MAX_REPORTED_PER_KIND);
        for ((severity, kind), count) in untold {
            let message = format!("{} more {kind}", count - MAX_REPORTED_PER_KIND);
            let topic = self.topics.get(kind).copied();
            let location = SourceLocation::File;
            self.diagnostics.extend([Diagnostic {
                severity,
                location,
                message,
                time: None,
                topic,
            }]);
        }
    }

    fn count_and_check_limit(&mut self, severity: Severity, kind: &'static str) -> bool {
        let count = self.counts.entry((severity, kind)).or_default();
        *count += 1;
        *count <= MAX_REPORTED_PER_KIND
    }
}

fn add_diagnostic(
    diagnostics: &mut Diagnostics,
    severity: Severity,
    location: SourceLocation,
    message: String,
) {
    match severity {
        Severity::Info => diagnostics.info(location, message),
        Severity::Warning => diagnostics.warning(location, message),
        Severity::Error => diagnostics.error(location, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_diagnostics_are_counted() {
        let mut diagnostics = Diagnostics::new();
        let mut limiter = DiagnosticLimiter::new(&mut diagnostics);
        for key in 0..1000 {
            limiter.warning("keys before 0", SourceLocation::line(1), || format!("key {key}"));
        }
        limiter.error("tracks lost", SourceLocation::line(2), || "one".to_owned());
        limiter.finish();
        assert_eq!(diagnostics.len(), MAX_REPORTED_PER_KIND + 2);
        let last = diagnostics
            .iter()
            .last()
            .map(|diagnostic| (diagnostic.severity, diagnostic.message.as_str()));
        assert_eq!(last, Some((Severity::Warning, "980 more keys before 0")));
    }
}
