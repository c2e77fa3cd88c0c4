//! Diagnostics: problems in a file that did not prevent reading it.

use std::fmt;

use super::{SourceLocation, Topic};

/// The severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The file is valid, but the user may want to know something about it.
    Info,
    /// The file breaks a rule, or the decoder had to make an assumption. The motion may differ from
    /// what its author intended.
    Warning,
    /// A part of the file's data was lost.
    Error,
}

impl Severity {
    /// Returns the name in messages and JSON: `info`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A problem in a file that the decoder could work around.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The severity of the problem.
    pub severity: Severity,
    /// The location of the problem in the file.
    pub location: SourceLocation,
    /// The message: one sentence in terms that users of the format know.
    pub message: String,
    /// The clip time that the problem concerns, in seconds. `None` if it concerns no particular
    /// time.
    pub time: Option<f64>,
    /// The topic, if the checks that run on every clip also look for the problem.
    pub topic: Option<Topic>,
}

/// The diagnostics about one file, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic of [`Severity::Info`].
    pub fn info(&mut self, location: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Info, location, None, message.into());
    }

    /// Adds a diagnostic of [`Severity::Warning`].
    pub fn warning(&mut self, location: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Warning, location, None, message.into());
    }

    /// Adds a diagnostic of [`Severity::Warning`] about the clip time `time_secs`.
    pub fn warning_at(
        &mut self,
        location: SourceLocation,
        time_secs: f64,
        message: impl Into<String>,
    ) {
        self.add(Severity::Warning, location, Some(time_secs), message.into());
    }

    /// Adds a diagnostic of [`Severity::Warning`] about a topic of the checks that run on every
    /// clip.
    ///
    /// If the checks run, their diagnostics about `topic` replace those of the decoder, so that no
    /// problem is listed twice. A decoder that reports one problem of a topic has to report all
    /// problems of that topic. Otherwise a caller that skips all topics that the decoder has
    /// reported would miss the others.
    pub fn warning_about(
        &mut self,
        topic: Topic,
        location: SourceLocation,
        time_secs: Option<f64>,
        message: impl Into<String>,
    ) {
        let (severity, message, topic) = (Severity::Warning, message.into(), Some(topic));
        self.0.push(Diagnostic { severity, location, message, time: time_secs, topic });
    }

    /// Adds a diagnostic of [`Severity::Error`].
    pub fn error(&mut self, location: SourceLocation, message: impl Into<String>) {
        self.add(Severity::Error, location, None, message.into());
    }

    /// Adds a diagnostic of [`Severity::Error`] about the clip time `time_secs`.
    pub fn error_at(
        &mut self,
        location: SourceLocation,
        time_secs: f64,
        message: impl Into<String>,
    ) {
        self.add(Severity::Error, location, Some(time_secs), message.into());
    }

    fn add(
        &mut self,
        severity: Severity,
        location: SourceLocation,
        time: Option<f64>,
        message: String,
    ) {
        self.0.push(Diagnostic { severity, location, message, time, topic: None });
    }

    /// Returns an iterator over the diagnostics, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.0.iter_mut()
    }

    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the highest severity, or `None` if there are no diagnostics.
    pub fn worst_severity(&self) -> Option<Severity> {
        self.0.iter().map(|diagnostic| diagnostic.severity).max()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        self.0.extend(diagnostics);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
