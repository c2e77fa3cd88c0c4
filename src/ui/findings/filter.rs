//! Which findings are listed.

use crate::{
    checks::Finding,
    diagnostics::{Severity, Topic},
    ui::search::Search,
};

/// The filter of findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Severities that are skipped.
    pub(super) without: Vec<Severity>,
    /// The only topic, if one was chosen.
    pub(super) only: Option<About>,
    /// Words that all must be in it.
    pub(super) words: String,
}

/// The source of a finding, for filtering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Notices of the decoder.
    Reading,
    /// Findings of a check.
    Topic(Topic),
}

impl About {
    /// The source of `finding`.
    pub(super) fn of(finding: &Finding) -> Self {
        finding.topic.map_or(Self::Reading, Self::Topic)
    }

    /// Its name in the list.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reading => "Reading the file",
            Self::Topic(topic) => topic.name(),
        }
    }

    /// All there are, in the order in which they are offered.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Reading).chain(Topic::ALL.map(Self::Topic))
    }
}

impl Filter {
    /// Whether `finding` is listed.
    fn lets_through(&self, search: &Search, finding: &Finding) -> bool {
        let about = About::of(finding);
        !self.without.contains(&finding.severity)
            && self.only.is_none_or(|only| only == about)
            && (self.words.trim().is_empty()
                || search.finds(&format!("{} {} {}", about.name(), finding.message, finding.place)))
    }

    /// Hides findings of this severity, or shows them again.
    pub(super) fn toggle(&mut self, severity: Severity) {
        match self.without.iter().position(|without| *without == severity) {
            Some(place) => {
                self.without.remove(place);
            }
            None => self.without.push(severity),
        }
    }
}

/// The findings that a filter lets through, kept while neither changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// Of which findings: where they are, and how many.
    of: Option<(usize, usize)>,
    filter: Filter,
    indices: Vec<usize>,
}

impl Listed {
    /// Lists those of `all` that `filter` lets through; tells whether `all` are others than before.
    pub(super) fn bring_up_to_date(&mut self, all: &[Finding], filter: &Filter) -> bool {
        let of = Some((all.as_ptr().addr(), all.len()));
        let are_others = self.of != of;
        if are_others || self.filter != *filter {
            let search = Search::new(&filter.words);
            let indices = (0..all.len()).filter(|&index| filter.lets_through(&search, &all[index]));
            *self = Self { of, filter: filter.clone(), indices: indices.collect() };
        }
        are_others
    }

    /// Their indices, in the order of time.
    pub(super) fn indices(&self) -> &[usize] {
        &self.indices
    }
}
