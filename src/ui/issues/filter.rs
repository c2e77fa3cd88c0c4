//! The filter of the list of issues.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use crate::ui::search::Search;
use mutoscope_core::{
    diagnostics::{Severity, Topic},
    measure::checks::Issue,
};

/// The filter of issues.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// Severities that are skipped.
    pub(super) without: Vec<Severity>,
    /// The only topic, if one was chosen.
    pub(super) only: Option<About>,
    /// Words that all must be in it.
    pub(super) words: String,
}

/// The source of an issue, for filtering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum About {
    /// Notices of the decoder.
    Reading,
    /// Issues of a check.
    Topic(Topic),
}

impl About {
    /// The source of `issue`.
    pub(super) fn of(issue: &Issue) -> Self {
        issue.topic.map_or(Self::Reading, Self::Topic)
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
    /// Whether `issue` is listed.
    fn lets_through(&self, search: &Search, issue: &Issue) -> bool {
        let about = About::of(issue);
        !self.without.contains(&issue.severity)
            && self.only.is_none_or(|only| only == about)
            && (self.words.trim().is_empty()
                || search.finds(&format!("{} {} {}", about.name(), issue.message, issue.place)))
    }

    /// Hides issues of this severity, or shows them again.
    pub(super) fn toggle(&mut self, severity: Severity) {
        match self.without.iter().position(|without| *without == severity) {
            Some(place) => {
                self.without.remove(place);
            }
            None => self.without.push(severity),
        }
    }
}

/// How many issues of a kind are listed one by one; more are a group.
const ALONE: usize = 3;

/// A kind of issue: those of one kind differ in place, time and numbers only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    severity: Severity,
    about: About,
    /// The decoder's message, without its numbers and names; empty for checks, whose topic says it.
    message: String,
}

impl Kind {
    /// The kind of `issue`.
    pub(super) fn of(issue: &Issue) -> Self {
        let about = About::of(issue);
        let message = match about {
            About::Reading => without_particulars(&issue.message),
            About::Topic(_) => String::new(),
        };
        Self { severity: issue.severity, about, message }
    }
}

/// `message` without its numbers and what is in quotes.
fn without_particulars(message: &str) -> String {
    let mut in_quotes = false;
    let mut kept = String::with_capacity(message.len());
    for letter in message.chars() {
        if letter == '"' {
            in_quotes = !in_quotes;
        } else if !in_quotes && !letter.is_ascii_digit() {
            kept.push(letter);
        }
    }
    kept
}

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A group of issues of one kind, with its index among the groups.
    Group(usize),
    /// An issue, with its index, and whether it is in a group.
    Issue(usize, bool),
}

/// Issues of one kind.
#[derive(Clone, Debug)]
pub(super) struct Group {
    kind: Kind,
    /// Their indices, in the order of time.
    pub(super) issues: Vec<usize>,
    /// Whether they are listed below it.
    pub(super) is_expanded: bool,
}

/// The issues that a filter lets through, by kind, kept while neither changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    /// Of which issues: where they are, and how many.
    of: Option<(usize, usize)>,
    filter: Filter,
    pub(super) groups: Vec<Group>,
    rows: Vec<Row>,
    expanded: HashSet<Kind>,
}

impl Listed {
    /// Lists those of `all` that `filter` lets through; tells whether `all` are others than before.
    pub(super) fn bring_up_to_date(&mut self, all: &[Issue], filter: &Filter) -> bool {
        let of = Some((all.as_ptr().addr(), all.len()));
        let are_others = self.of != of;
        if are_others || self.filter != *filter {
            let search = Search::new(&filter.words);
            let listed = (0..all.len()).filter(|&index| filter.lets_through(&search, &all[index]));
            self.groups = groups(all, listed, &self.expanded);
            (self.of, self.filter) = (of, filter.clone());
            self.lay_out();
        }
        are_others
    }

    /// Lists the issues of a group below it, or no longer.
    pub(super) fn toggle(&mut self, group: usize) {
        let Group { kind, is_expanded, .. } = &mut self.groups[group];
        *is_expanded = !*is_expanded;
        if *is_expanded {
            self.expanded.insert(kind.clone());
        } else {
            self.expanded.remove(kind);
        }
        self.lay_out();
    }

    fn lay_out(&mut self) {
        self.rows.clear();
        for (index, group) in self.groups.iter().enumerate() {
            let is_group = group.issues.len() > ALONE;
            self.rows.extend(is_group.then_some(Row::Group(index)));
            if !is_group || group.is_expanded {
                self.rows.extend(group.issues.iter().map(|&one| Row::Issue(one, is_group)));
            }
        }
    }

    /// The rows: the worst first, then in the order of time.
    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// The `listed` of all issues by kind: the worst first, then in the order of their first.
fn groups(
    all: &[Issue],
    listed: impl Iterator<Item = usize>,
    expanded: &HashSet<Kind>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known = HashMap::new();
    for index in listed {
        let kind = Kind::of(&all[index]);
        let group = *known.entry(kind.clone()).or_insert_with(|| {
            let is_expanded = expanded.contains(&kind);
            groups.push(Group { kind, issues: Vec::new(), is_expanded });
            groups.len() - 1
        });
        groups[group].issues.push(index);
    }
    groups.sort_by_key(|group| Reverse(group.kind.severity));
    groups
}
