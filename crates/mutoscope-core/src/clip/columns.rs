//! The columns of a table that a recording was read from, and how they are used.

/// How the columns of a table, or the topics of a log, make a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnUses {
    /// The shape of the table: `wide`, `long` or `messages`.
    pub shape: &'static str,
    /// The name of the column of times; empty where there is none.
    pub time: String,
    /// The unit of the times: `s`, `ms`, `us`, `ns`, `ticks`, `frames` or `date`.
    pub time_unit: &'static str,
    /// The columns that are used.
    pub used: Vec<ColumnUse>,
    /// The other columns.
    pub ignored: Vec<UnusedColumn>,
    /// The facts that the file does not state and nobody chose.
    pub assumed: Vec<AssumedFact>,
    /// The same as a mapping file that can be edited, in TOML.
    pub mapping: String,
    /// The facts that a mapping file may say otherwise.
    pub choices: Vec<MappingChoice>,
    /// The mapping file by which it was read, if there was one.
    pub read_by: Option<ReadMapping>,
}

/// A fact about a table that a mapping file may say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingChoice {
    /// Its key in a mapping file, behind the section: `space.axes`.
    pub key: &'static str,
    /// Its label: `Axes`.
    pub label: &'static str,
    /// The current value, for people: `right up back`.
    pub value: String,
    /// How the value came about.
    pub origin: ChoiceOrigin,
    /// The reason for it; empty where there is nothing to explain.
    pub why: String,
    /// The other values, and the current one; none where the file states it.
    pub options: Vec<MappingOption>,
}

/// A value that a mapping file may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingOption {
    /// The value, for people: `right up back`.
    pub text: String,
    /// Its typical sources: `OpenXR, WebXR`; may be empty.
    pub note: &'static str,
    /// The value in TOML: `["right", "up", "back"]`.
    pub toml: String,
}

/// How a value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceOrigin {
    /// The file states it.
    Stated,
    /// By the name of a column, which no other fits.
    Recognised,
    /// By the name of a column, which others fit too.
    FitsTwice,
    /// The file does not state it.
    Assumed,
    /// A mapping file states it.
    Chosen,
}

/// The mapping file by which a table was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMapping {
    /// Its name in messages.
    pub name: String,
    /// Its content, in TOML.
    pub text: String,
    /// Whether it is kept beside the table, and was not given.
    pub is_beside: bool,
}

/// A column, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// The name of the column.
    pub column: String,
    /// The node that it is of; empty if of none, or of each.
    pub node: String,
    /// The property of that node, or `signal`, `event`, `node`, `side`.
    pub property: String,
}

/// A column that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedColumn {
    /// The name of the column.
    pub column: String,
    /// The reason.
    pub why: String,
}

/// A fact that a file does not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedFact {
    /// The fact: `time.unit`, `axes`.
    pub fact: &'static str,
    /// The assumed value: `ms`.
    pub value: String,
    /// The reason for it.
    pub why: String,
}
