//! Reports diagnostics up to a limit for each kind.

use std::collections::BTreeMap;

use crate::diagnostics::{Code, Diagnostics, Severity, SourceLocation};

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

    pub(super) fn info(
        &mut self,
        code: Code,
        kind: &'static str,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        self.report(code, Severity::Info, kind, || (location, None, message()));
    }

    pub(super) fn warning(
        &mut self,
        code: Code,
        kind: &'static str,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        self.report(code, Severity::Warning, kind, || (location, None, message()));
    }

    pub(super) fn warning_at(
        &mut self,
        code: Code,
        kind: &'static str,
        location: SourceLocation,
        time: f64,
        message: impl FnOnce() -> String,
    ) {
        self.report(code, Severity::Warning, kind, || (location, Some(time), message()));
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        kind: &'static str,
        location: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        self.report(code, Severity::Error, kind, || (location, None, message()));
    }

    pub(super) fn report(
        &mut self,
        code: Code,
        severity: Severity,
        kind: &'static str,
        what: impl FnOnce() -> (SourceLocation, Option<f64>, String),
    ) {
        let (_, count) = self.counts.entry((severity, kind)).or_insert((code, 0));
        *count += 1;
        if *count <= MAX_REPORTED_PER_KIND {
            let (location, time, message) = what();
            self.diagnostics.add(code, severity, location, message).time = time;
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

    #[test]
    fn frequent_diagnostics_are_counted() {
        let mut diagnostics = Diagnostics::new();
        let mut limiter = DiagnosticLimiter::new(&mut diagnostics);
        for key in 0..1000 {
            limiter.warning(Code::PENDING, "keys before 0", SourceLocation::line(1), || {
                format!("key {key}")
            });
        }
        limiter.error(Code::PENDING, "tracks lost", SourceLocation::line(2), || "one".to_owned());
        limiter.finish();
        assert_eq!(diagnostics.len(), MAX_REPORTED_PER_KIND + 2);
        let last = diagnostics
            .iter()
            .last()
            .map(|diagnostic| (diagnostic.severity, diagnostic.message.as_str()));
        assert_eq!(last, Some((Severity::Warning, "980 more keys before 0")));
    }
}
