//! The columns of a table, and how the recording uses them.

/// The use of the columns of a table, or of the topics of a log, in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnUses {
    /// The shape of the table: `wide`, `long` or `messages`.
    pub shape: &'static str,
    /// The name of the time column. Empty if there is none.
    pub time: String,
    /// The unit of the times: `s`, `ms`, `us`, `ns`, `ticks`, `frames` or `date`.
    pub time_unit: &'static str,
    /// The columns that are used.
    pub used: Vec<ColumnUse>,
    /// The columns that are not used.
    pub ignored: Vec<UnusedColumn>,
    /// The facts that were assumed, because neither the file nor the user states them.
    pub assumed: Vec<AssumedFact>,
    /// A mapping file, in TOML, that reads the table in the same way. The user can edit it.
    pub mapping: String,
    /// The facts that a mapping file can change.
    pub choices: Vec<MappingChoice>,
    /// The mapping file that was used to read the table, if any.
    pub mapping_file: Option<AppliedMapping>,
}

/// A fact about a table that a mapping file can change.
#[derive(Clone, Debug, PartialEq)]
pub struct MappingChoice {
    /// The key in a mapping file, after its section: `space.axes`.
    pub key: &'static str,
    /// The label for the user: `Axes`.
    pub label: &'static str,
    /// The current value, for the user: `right up back`.
    pub value: String,
    /// The origin of the current value.
    pub origin: ChoiceOrigin,
    /// The reason for the current value. Empty if it needs no explanation.
    pub why: String,
    /// All possible values, including the current one. Empty if the file states the value.
    pub options: Vec<MappingOption>,
}

/// A possible value of a [`MappingChoice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingOption {
    /// The value, for the user: `right up back`.
    pub text: String,
    /// The programs that typically use this value: `OpenXR, WebXR`. May be empty.
    pub note: &'static str,
    /// The value in TOML: `["right", "up", "back"]`.
    pub toml: String,
}

/// The origin of a value in a [`MappingChoice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceOrigin {
    /// Recognised from a column name that has only this meaning.
    Stated,
    /// Recognised from a column name that may also have another meaning.
    Recognised,
    /// Recognised from a column name that allows other values, too.
    Ambiguous,
    /// Assumed, because the file does not state the value.
    Assumed,
    /// Stated by a mapping file.
    Chosen,
}

/// The mapping file that was used to read a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedMapping {
    /// The name of the mapping file in messages.
    pub name: String,
    /// The content of the mapping file, in TOML.
    pub text: String,
    /// `true` if the mapping file was found next to the table, rather than named by the user.
    pub is_sidecar: bool,
}

/// A column that is used, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// The name of the column.
    pub column: String,
    /// The name of the node. Empty if the column belongs to no node, or to all nodes.
    pub node: String,
    /// The property of the node, or `signal`, `event`, `node` or `side`.
    pub property: String,
}

/// A column that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedColumn {
    /// The name of the column.
    pub column: String,
    /// The reason why the column is not used.
    pub why: String,
}

/// A fact that was assumed, because the file does not state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedFact {
    /// The name of the fact: `time.unit`, `axes`.
    pub fact: &'static str,
    /// The assumed value: `ms`.
    pub value: String,
    /// The reason for the assumption.
    pub why: String,
}
