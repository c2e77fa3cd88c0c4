//! Parts that the readers of motion capture programs share: Motive, Vicon and Qualisys.

use mutoscope_core::{
    clip::UniqueNames,
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
};

use super::{
    cells::CellReader,
    header::{Dialect, Lines},
    motive, qualisys,
    rows::for_each_row,
    vicon,
};
use crate::{
    codes,
    mapping::TableOptions,
    table::{Column, DeclaredNode, POSE_PROPERTIES, Role, Table},
};

pub(super) const MAX_HEADER_LINES: usize = 32;

/// The number of columns before the first object: the frame, and the sub-frame or the time.
const LEADING_COLUMNS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaptureFormat {
    Motive,
    Vicon,
    Qualisys,
}

impl CaptureFormat {
    pub(super) fn detect(start: &str) -> Option<Self> {
        if motive::is_motive(start) {
            Some(Self::Motive)
        } else if vicon::is_vicon(start) {
            Some(Self::Vicon)
        } else {
            qualisys::is_qualisys(start).then_some(Self::Qualisys)
        }
    }

    pub(super) fn read(
        self,
        text: &str,
        options: &TableOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Table, Error> {
        match self {
            Self::Motive => motive::read(text, options, diagnostics),
            Self::Vicon => vicon::read(text, options, diagnostics),
            Self::Qualisys => qualisys::read(text, options, diagnostics),
        }
    }
}

/// Returns the most frequent of tab, semicolon and comma in the first lines of a text. Numbers have
/// a decimal comma if the separator is another one and a row of numbers has commas but no points.
pub(super) fn detect_dialect(text: &str, options: &TableOptions) -> Dialect {
    let start = || text.lines().take(MAX_HEADER_LINES);
    let count =
        |delimiter: &u8| start().flat_map(str::bytes).filter(|byte| byte == delimiter).count();
    let most = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
    let delimiter = options.delimiter.unwrap_or(most);
    let is_row = |line: &&str| {
        line.starts_with(|first: char| first.is_ascii_digit())
            && line.bytes().all(|byte| byte == delimiter || b"0123456789+-eE., ".contains(&byte))
    };
    let has = |mark: u8| start().filter(is_row).any(|line| line.as_bytes().contains(&mark));
    let has_decimal_comma = match options.decimal {
        Some(decimal) => decimal == b',',
        None => delimiter != b',' && has(b',') && !has(b'.'),
    };
    Dialect { delimiter, has_decimal_comma }
}

pub(super) fn split_row(line: &str, dialect: Dialect) -> Vec<String> {
    let mut row = Vec::new();
    for_each_row(line, 1, dialect, |_, cells| {
        row = cells.iter().map(|cell| cell.trim().to_owned()).collect();
    });
    row
}

/// The header rows of a file, up to the row of axes, which begins with `Frame`.
pub(super) struct HeaderRows {
    pub(super) rows: Vec<Vec<String>>,
    /// The byte offset and the line number of the first line below the header.
    pub(super) end: usize,
    pub(super) line: u32,
}

impl HeaderRows {
    pub(super) fn read(text: &str, dialect: Dialect) -> Option<Self> {
        let mut lines = Lines::new(text);
        let mut rows = Vec::new();
        while rows.len() < MAX_HEADER_LINES {
            rows.push(split_row(lines.next()?, dialect));
            if is_frame_row(rows.last()?) {
                return Some(Self { rows, end: lines.offset, line: lines.line_number });
            }
        }
        None
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|row| row.get(column)).map_or("", String::as_str)
    }

    /// Returns the index of the row of axes, which is the last one.
    pub(super) fn frame_row(&self) -> usize {
        self.rows.len() - 1
    }
}

pub(super) fn is_frame_row(row: &[String]) -> bool {
    let is = |word: &str| row.first().is_some_and(|first| first.eq_ignore_ascii_case(word));
    is("Frame") || is("Frame#")
}

/// A node of the file, with the columns of its properties.
#[derive(Clone, Debug, Default)]
pub(super) struct CaptureNode {
    pub(super) declared: DeclaredNode,
    /// The columns, and for example `position.x`.
    pub(super) columns: Vec<(usize, &'static str)>,
}

impl CaptureNode {
    pub(super) fn named(name: impl Into<String>) -> Self {
        let declared = DeclaredNode { name: name.into(), ..DeclaredNode::default() };
        Self { declared, columns: Vec::new() }
    }

    pub(super) fn has(&self, property: &str) -> bool {
        self.columns.iter().any(|(_, own)| *own == property)
    }

    fn has_all(&self, quantity: &str) -> bool {
        let axes: &[&str] =
            if quantity == "rotation" { &["x", "y", "z", "w"] } else { &["x", "y", "z"] };
        axes.iter().all(|axis| self.has(&format!("{quantity}.{axis}")))
    }

    /// Drops quantities that lack a component, so that their columns become signals.
    fn drop_incomplete(&mut self) {
        let kept: Vec<_> = self
            .columns
            .iter()
            .filter(|(_, property)| {
                property.split_once('.').is_some_and(|(quantity, _)| self.has_all(quantity))
            })
            .copied()
            .collect();
        self.columns = kept;
    }
}

/// Declares the nodes that have a whole position or rotation, and the roles of their columns.
/// Repeated names get a number. Parents are indices in `nodes`.
pub(super) fn declare_nodes(table: &mut Table, mut nodes: Vec<CaptureNode>) {
    nodes.iter_mut().for_each(CaptureNode::drop_incomplete);
    let mut names = UniqueNames::default();
    let mut declared = Vec::with_capacity(nodes.len());
    for node in &mut nodes {
        let own = node.declared.name.clone();
        // A name is only taken by a node, so that signals do not number the nodes.
        if !node.columns.is_empty() {
            node.declared.name = names.make_unique(own.clone());
        }
        for (column, property) in &node.columns {
            let name = &mut table.columns[*column].name;
            if let Some(part) = name.strip_prefix(&own) {
                *name = format!("{}{part}", node.declared.name);
            }
            let role = Role::Property(node.declared.name.clone(), property);
            table.declared.roles.insert(*column, role);
        }
        declared.push(node.declared.clone());
    }
    table.declared.nodes = declared;
    table.make_column_names_unique();
}

/// Returns the name of the component of a vector, for example `position.x`. `None` if the axis is
/// not one of the quantity.
pub(super) fn component_property(quantity: &str, axis: &str) -> Option<&'static str> {
    const ANGLES: [&str; 6] = [
        "euler.x",
        "euler.y",
        "euler.z",
        "rotation_vector.x",
        "rotation_vector.y",
        "rotation_vector.z",
    ];
    POSE_PROPERTIES.into_iter().chain(ANGLES).find(|property| {
        property
            .split_once('.')
            .is_some_and(|(known, its)| known == quantity && its.eq_ignore_ascii_case(axis))
    })
}

pub(super) fn add_column(table: &mut Table, name: impl Into<String>, role: Option<Role>) -> usize {
    let index = table.columns.len();
    if let Some(role) = role {
        table.declared.roles.insert(index, role);
    }
    table.columns.push(Column::new(name));
    index
}

/// The cells of a file that its header does not explain.
#[derive(Default)]
pub(super) struct SurplusCells {
    count: usize,
}

impl SurplusCells {
    /// Adds the cells of a row to a table. `columns` are the columns of the table for each cell.
    /// Counts the cells of columns without a name, but not those of the frame and the sub-frame.
    pub(super) fn add_row(
        &mut self,
        table: &mut Table,
        cells: &CellReader<'_>,
        row: usize,
        columns: impl Iterator<Item = Option<usize>>,
        values: &[&str],
    ) {
        let columns = columns.chain(std::iter::repeat(None));
        for (index, (value, column)) in values.iter().zip(columns).enumerate() {
            let value = value.trim();
            match column {
                _ if value.is_empty() => {}
                Some(column) => cells.add_cell(table, column, row, value),
                None => self.count += usize::from(index >= LEADING_COLUMNS),
            }
        }
    }

    pub(super) fn report(&self, line: u32, diagnostics: &mut Diagnostics) {
        if self.count > 0 {
            let count = format_count(self.count, "cell");
            let message = format!("{count} in columns that the header does not name; skipped");
            diagnostics
                .warning(codes::table::UNEVEN_ROWS, SourceLocation::line(line), message)
                .with("count", self.count);
        }
    }
}
