//! Filters the list of issues and groups them by kind.

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use crate::ui::{search::Search, verdict::problem_name};
use mutoscope_core::{
    diagnostics::{Code, Severity, Topic},
    measure::checks::ClipDiagnostic,
};
use mutoscope_study::verdict::{find_check, motion_checks};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    pub(super) hidden_severities: Vec<Severity>,
    /// `None` lists all sources.
    pub(super) source: Option<IssueSource>,
    pub(super) query: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum IssueSource {
    /// The decoder of the file.
    Decoder,
    /// A check of tracks.
    Check(Topic),
    /// A check of motion.
    Motion(Code),
}

impl IssueSource {
    pub(super) fn from_issue(issue: &ClipDiagnostic) -> Self {
        match issue.topic() {
            Some(topic) => Self::Check(topic),
            None if find_check(issue.code.as_str()).is_some() => Self::Motion(issue.code),
            None => Self::Decoder,
        }
    }

    pub(super) fn name(self) -> Cow<'static, str> {
        match self {
            Self::Decoder => "Reading the file".into(),
            Self::Check(topic) => topic.name().into(),
            Self::Motion(code) => problem_name(code.as_str()),
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        let motion: BTreeMap<_, _> =
            motion_checks().map(|check| (check.code.as_str(), Self::Motion(check.code))).collect();
        let tracks = std::iter::once(Self::Decoder).chain(Topic::ALL.map(Self::Check));
        tracks.chain(motion.into_values())
    }
}

impl Filter {
    fn accepts(&self, search: &Search, issue: &ClipDiagnostic) -> bool {
        let source = IssueSource::from_issue(issue);
        !self.hidden_severities.contains(&issue.severity)
            && self.source.is_none_or(|only| only == source)
            && (self.query.trim().is_empty()
                || search.matches(&format!(
                    "{} {} {}",
                    source.name(),
                    issue.message,
                    issue.location
                )))
    }

    pub(super) fn toggle(&mut self, severity: Severity) {
        match self.hidden_severities.iter().position(|hidden| *hidden == severity) {
            Some(index) => {
                self.hidden_severities.remove(index);
            }
            None => self.hidden_severities.push(severity),
        }
    }
}

const MAX_UNGROUPED_ISSUES: usize = 3;

/// A kind of issue. Issues of one kind differ only in location, time and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct IssueKind {
    severity: Severity,
    source: IssueSource,
    /// The decoder's message without numbers and quoted names. Empty for checks, because all issues
    /// of a check and severity are of one kind.
    message: String,
}

impl IssueKind {
    pub(super) fn from_issue(issue: &ClipDiagnostic) -> Self {
        let source = IssueSource::from_issue(issue);
        let message = match source {
            IssueSource::Decoder => message_template(&issue.message),
            IssueSource::Check(_) | IssueSource::Motion(_) => String::new(),
        };
        Self { severity: issue.severity, source, message }
    }
}

fn message_template(message: &str) -> String {
    let mut in_quotes = false;
    let mut template = String::with_capacity(message.len());
    for letter in message.chars() {
        if letter == '"' {
            in_quotes = !in_quotes;
        } else if !in_quotes && !letter.is_ascii_digit() {
            template.push(letter);
        }
    }
    template
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A group of issues of one kind, by its index.
    Group(usize),
    /// An issue, by its index, and `true` if it belongs to a group.
    Issue(usize, bool),
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    kind: IssueKind,
    /// Indices of the issues, sorted by time.
    pub(super) issues: Vec<usize>,
    pub(super) is_expanded: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct GroupedIssues {
    input: Option<(usize, usize)>,
    filter: Filter,
    pub(super) groups: Vec<Group>,
    rows: Vec<Row>,
    expanded: HashSet<IssueKind>,
}

impl GroupedIssues {
    pub(super) fn update(&mut self, all: &[ClipDiagnostic], filter: &Filter) -> bool {
        let input = Some((all.as_ptr().addr(), all.len()));
        let is_new_input = self.input != input;
        if is_new_input || self.filter != *filter {
            let search = Search::new(&filter.query);
            let listed = (0..all.len()).filter(|&index| filter.accepts(&search, &all[index]));
            self.groups = group_issues(all, listed, &self.expanded);
            (self.input, self.filter) = (input, filter.clone());
            self.rebuild_rows();
        }
        is_new_input
    }

    pub(super) fn toggle(&mut self, group: usize) {
        let Group { kind, is_expanded, .. } = &mut self.groups[group];
        *is_expanded = !*is_expanded;
        if *is_expanded {
            self.expanded.insert(kind.clone());
        } else {
            self.expanded.remove(kind);
        }
        self.rebuild_rows();
    }

    fn rebuild_rows(&mut self) {
        self.rows.clear();
        for (index, group) in self.groups.iter().enumerate() {
            let is_group = group.issues.len() > MAX_UNGROUPED_ISSUES;
            self.rows.extend(is_group.then_some(Row::Group(index)));
            if !is_group || group.is_expanded {
                self.rows.extend(group.issues.iter().map(|&one| Row::Issue(one, is_group)));
            }
        }
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }
}

fn group_issues(
    all: &[ClipDiagnostic],
    listed: impl Iterator<Item = usize>,
    expanded: &HashSet<IssueKind>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_indices = HashMap::new();
    for index in listed {
        let kind = IssueKind::from_issue(&all[index]);
        let group = *group_indices.entry(kind.clone()).or_insert_with(|| {
            let is_expanded = expanded.contains(&kind);
            groups.push(Group { kind, issues: Vec::new(), is_expanded });
            groups.len() - 1
        });
        groups[group].issues.push(index);
    }
    groups.sort_by_key(|group| Reverse(group.kind.severity));
    groups
}
