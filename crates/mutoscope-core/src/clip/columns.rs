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
