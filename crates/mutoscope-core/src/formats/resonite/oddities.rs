//! Reporting issues up to a limit.

use std::collections::BTreeMap;

use crate::diagnostics::{Notice, Notices, Severity, SourceLocation, Topic};

/// How many times each kind of oddity is reported in full.
const TOLD: usize = 20;

/// Puts oddities among the notices, and counts those of a kind beyond the limit.
pub(super) struct Oddities<'a> {
    notices: &'a mut Notices,
    counts: BTreeMap<(Severity, &'static str), usize>,
    topics: BTreeMap<&'static str, Topic>,
}

impl<'a> Oddities<'a> {
    pub(super) fn new(notices: &'a mut Notices) -> Self {
        Self { notices, counts: BTreeMap::new(), topics: BTreeMap::new() }
    }

    /// A fact worth knowing about the file.
    pub(super) fn info(
        &mut self,
        kind: &'static str,
        place: SourceLocation,
        message: impl Into<String>,
    ) {
        if self.is_told(Severity::Info, kind) {
            self.notices.info(place, message);
        }
    }

    /// Something is wrong, and nothing is lost. `kind` says what, in the plural.
    pub(super) fn warning(
        &mut self,
        kind: &'static str,
        place: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        if self.is_told(Severity::Warning, kind) {
            self.notices.warning(place, message());
        }
    }

    /// The same about what the checks of every clip look for, at a time of the clip in seconds if it
    /// has one.
    pub(super) fn warning_about(
        &mut self,
        topic: Topic,
        kind: &'static str,
        place: SourceLocation,
        time: Option<f64>,
        message: impl FnOnce() -> String,
    ) {
        self.topics.insert(kind, topic);
        if self.is_told(Severity::Warning, kind) {
            self.notices.warning_about(topic, place, time, message());
        }
    }

    /// Something is lost.
    pub(super) fn error(
        &mut self,
        kind: &'static str,
        place: SourceLocation,
        message: impl FnOnce() -> String,
    ) {
        if self.is_told(Severity::Error, kind) {
            self.notices.error(place, message());
        }
    }

    /// An issue of this severity. `what` gives its place and message, and is only called if it is
    /// reported.
    pub(super) fn tell(
        &mut self,
        severity: Severity,
        kind: &'static str,
        what: impl FnOnce() -> (SourceLocation, String),
    ) {
        if self.is_told(severity, kind) {
            let (place, message) = what();
            put(self.notices, severity, place, message);
        }
    }

    /// Reports how many were not listed.
    pub(super) fn finish(self) {
        let untold = self.counts.into_iter().filter(|&(_, count)| count > TOLD);
        for ((severity, kind), count) in untold {
            let message = format!("{} more {kind}", count - TOLD);
            let topic = self.topics.get(kind).copied();
            let place = SourceLocation::File;
            self.notices.extend([Notice { severity, place, message, time: None, topic }]);
        }
    }

    fn is_told(&mut self, severity: Severity, kind: &'static str) -> bool {
        let count = self.counts.entry((severity, kind)).or_default();
        *count += 1;
        *count <= TOLD
    }
}

fn put(notices: &mut Notices, severity: Severity, place: SourceLocation, message: String) {
    match severity {
        Severity::Info => notices.info(place, message),
        Severity::Warning => notices.warning(place, message),
        Severity::Error => notices.error(place, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_issues_are_counted() {
        let mut notices = Notices::new();
        let mut oddities = Oddities::new(&mut notices);
        for key in 0..1000 {
            oddities.warning("keys before 0", SourceLocation::line(1), || format!("key {key}"));
        }
        oddities.error("tracks lost", SourceLocation::line(2), || "one".to_owned());
        oddities.finish();
        assert_eq!(notices.len(), TOLD + 2);
        let last = notices.iter().last().map(|notice| (notice.severity, notice.message.as_str()));
        assert_eq!(last, Some((Severity::Warning, "980 more keys before 0")));
    }
}
