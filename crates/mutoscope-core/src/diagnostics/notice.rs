//! Issues in a file that could be read all the same.

use std::fmt;

use super::{SourceLocation, Topic};

/// The severity of a [`Notice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong with the file.
    Info,
    /// Suspect: the file breaks a rule, or an assumption had to be made; the motion may differ from
    /// what its author intended.
    Warning,
    /// Something of the file was lost.
    Error,
}

impl Severity {
    /// The word for it in messages and JSON: `info`, `warning` or `error`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// An issue in a file that could be worked around.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// How much it matters.
    pub severity: Severity,
    /// Where in the file it is.
    pub place: SourceLocation,
    /// One sentence, in words that the format's own users know.
    pub message: String,
    /// The clip time it concerns, in seconds, if it concerns one.
    pub time: Option<f64>,
    /// Its topic, if the checks of every clip look for the same.
    pub topic: Option<Topic>,
}

/// The notices of one file, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices(Vec<Notice>);

impl Notices {
    /// No notices yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a notice of severity [`Severity::Info`].
    pub fn info(&mut self, place: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Info, place, None, message.into());
    }

    /// Adds a notice of severity [`Severity::Warning`].
    pub fn warning(&mut self, place: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Warning, place, None, message.into());
    }

    /// Adds a notice of severity [`Severity::Warning`] that concerns the clip time `time_secs`.
    pub fn warning_at(
        &mut self,
        place: SourceLocation,
        time_secs: f64,
        message: impl Into<String>,
    ) {
        self.add(Severity::Warning, place, Some(time_secs), message.into());
    }

    /// Adds a notice of severity [`Severity::Warning`] about what the checks of every clip look for,
    /// which therefore do not repeat it. A format that reports one reports all.
    pub fn warning_about(
        &mut self,
        topic: Topic,
        place: SourceLocation,
        time_secs: Option<f64>,
        message: impl Into<String>,
    ) {
        let (severity, message, topic) = (Severity::Warning, message.into(), Some(topic));
        self.0.push(Notice { severity, place, message, time: time_secs, topic });
    }

    /// Adds a notice of severity [`Severity::Error`].
    pub fn error(&mut self, place: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Error, place, None, message.into());
    }

    /// Adds a notice of severity [`Severity::Error`] that concerns the clip time `time_secs`.
    pub fn error_at(&mut self, place: SourceLocation, time_secs: f64, message: impl Into<String>) {
        self.add(Severity::Error, place, Some(time_secs), message.into());
    }

    fn add(
        &mut self,
        severity: Severity,
        place: SourceLocation,
        time: Option<f64>,
        message: String,
    ) {
        self.0.push(Notice { severity, place, message, time, topic: None });
    }

    /// The notices in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Notice> {
        self.0.iter()
    }

    /// The same, to be changed.
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Notice> {
        self.0.iter_mut()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The worst severity among them.
    pub fn worst(&self) -> Option<Severity> {
        self.0.iter().map(|notice| notice.severity).max()
    }
}

impl<'a> IntoIterator for &'a Notices {
    type Item = &'a Notice;
    type IntoIter = std::slice::Iter<'a, Notice>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Notice> for Notices {
    fn extend<T: IntoIterator<Item = Notice>>(&mut self, notices: T) {
        self.0.extend(notices);
    }
}

impl IntoIterator for Notices {
    type Item = Notice;
    type IntoIter = std::vec::IntoIter<Notice>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
