//! Diagnostics: problems in a file that did not prevent reading it.

use std::fmt;

use serde_json::{Map, Value};

use super::{Code, SourceLocation};

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
    /// The kind of the problem.
    pub code: Code,
    /// The severity of the problem.
    pub severity: Severity,
    /// The location of the problem in the file.
    pub location: SourceLocation,
    /// The message: one sentence in terms that users of the format know.
    pub message: String,
    /// The clip time that the problem concerns, in seconds. `None` if it concerns no particular
    /// time.
    pub time: Option<f64>,
    /// The values that the message contains, for programs.
    pub data: Vec<(&'static str, Value)>,
}

impl Diagnostic {
    /// Creates a diagnostic without a time and without values.
    pub fn new(
        code: Code,
        severity: Severity,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> Self {
        Self { code, severity, location, message: message.into(), time: None, data: Vec::new() }
    }

    /// Sets the clip time that the problem concerns, in seconds.
    pub fn at_time(&mut self, time_secs: f64) -> &mut Self {
        self.time = Some(time_secs);
        self
    }

    /// Adds a value for programs. `name` is a key in snake case, with the unit as its ending.
    pub fn with(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Self {
        self.data.push((name, value.into()));
        self
    }

    /// Returns the values as a JSON object.
    pub fn data_object(data: &[(&'static str, Value)]) -> Map<String, Value> {
        data.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    /// Returns the value with this name, or `None` if the diagnostic does not have it.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.data.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// The diagnostics about one file, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic of [`Severity::Info`], and returns it for its time and its values.
    pub fn info(
        &mut self,
        code: Code,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(code, Severity::Info, location, message)
    }

    /// Adds a diagnostic of [`Severity::Warning`], and returns it for its time and its values.
    ///
    /// If the checks that run on every clip look for the topic of `code`, their diagnostics replace
    /// those of the decoder, so that no problem is listed twice. A decoder that reports one problem
    /// of a topic has to report all problems of that topic. Otherwise a caller that skips all topics
    /// that the decoder has reported would miss the others.
    pub fn warning(
        &mut self,
        code: Code,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(code, Severity::Warning, location, message)
    }

    /// Adds a diagnostic of [`Severity::Error`], and returns it for its time and its values.
    pub fn error(
        &mut self,
        code: Code,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(code, Severity::Error, location, message)
    }

    /// Adds a diagnostic, and returns it for its time and its values.
    pub fn add(
        &mut self,
        code: Code,
        severity: Severity,
        location: SourceLocation,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.0.push_mut(Diagnostic::new(code, severity, location, message))
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
