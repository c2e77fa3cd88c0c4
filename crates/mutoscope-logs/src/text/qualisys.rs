//! Reads the TSV files of Qualisys Track Manager: markers (3D) and rigid bodies (6D).
//!
//! Each line of the header is a key and its values. The lines `MARKER_NAMES` or `BODY_NAMES` end it,
//! but a line of trajectory types and a line of column labels may follow. Rows have three numbers for
//! each marker, and sixteen for each body. The number of the frame and the time may precede them.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation, format_count};

use super::{
    capture::{CaptureNode, MAX_HEADER_LINES, add_column, component_property, declare_nodes},
    cells::CellReader,
    header::Lines,
};
use crate::{
    codes,
    mapping::TableOptions,
    matrices::is_rotation,
    table::{Declared, Role, Table},
};

const MARKER_LABELS: [&str; 3] = ["X", "Y", "Z"];

const BODY_LABELS: [&str; 16] = [
    "X", "Y", "Z", "Roll", "Pitch", "Yaw", "Residual", "Rot[0]", "Rot[1]", "Rot[2]", "Rot[3]",
    "Rot[4]", "Rot[5]", "Rot[6]", "Rot[7]", "Rot[8]",
];

/// The index of the residual in `BODY_LABELS`, and of the first element of the matrix, which is
/// stored by columns.
const RESIDUAL: usize = 6;
const MATRIX: usize = 7;

const AXES: [&str; 4] = ["x", "y", "z", "w"];

pub(super) fn is_qualisys(start: &str) -> bool {
    let keys = || start.lines().take(MAX_HEADER_LINES).map(|line| split_key(line).0);
    keys().any(|key| key == "NO_OF_FRAMES")
        && keys().any(|key| matches!(key, "MARKER_NAMES" | "BODY_NAMES"))
}

fn split_key(line: &str) -> (&str, &str) {
    let (key, value) = line.split_once('\t').unwrap_or((line, ""));
    (key.trim().trim_matches('"'), value)
}

struct Header<'a> {
    names: Vec<&'a str>,
    are_bodies: bool,
    rate_hz: Option<f64>,
    events: Vec<(f64, String)>,
    labels: Option<Vec<&'a str>>,
    /// The byte offset and the line number of the first row.
    end: usize,
    line: u32,
}

impl<'a> Header<'a> {
    fn read(text: &'a str, cells: &CellReader<'_>) -> Option<Self> {
        let mut lines = Lines::new(text);
        let (mut rate_hz, mut events) = (None, Vec::new());
        let (names, are_bodies) = loop {
            let (key, value) = split_key(lines.next()?);
            match key {
                "FREQUENCY" => rate_hz = cells.parse_number(value.trim()),
                "EVENT" => {
                    let values: Vec<&str> = value.split('\t').map(str::trim).collect();
                    if let [name, .., time] = values[..]
                        && let Some(time) = cells.parse_number(time)
                    {
                        events.push((time, name.to_owned()));
                    }
                }
                "MARKER_NAMES" | "BODY_NAMES" => {
                    let names = value.trim_end().split('\t').map(trim_cell);
                    break (names.collect(), key == "BODY_NAMES");
                }
                _ => {}
            }
        };
        let mut header = Self {
            names,
            are_bodies,
            rate_hz: rate_hz.filter(|rate| *rate > 0.0),
            events,
            labels: None,
            end: lines.offset,
            line: lines.line_number,
        };
        // The lines between the names and the rows begin with a word.
        while let Some(line) = lines.next() {
            let first = split_cells(line).into_iter().find(|cell| !cell.is_empty());
            let is_row = match first {
                Some(first) => cells.parse_number(first).is_some(),
                None => line.contains('\t'),
            };
            if is_row {
                break;
            }
            if first.is_some_and(|first| first != "TRAJECTORY_TYPES") {
                header.labels = Some(split_cells(line.trim_end()));
            }
            (header.end, header.line) = (lines.offset, lines.line_number);
        }
        Some(header)
    }

    fn parts(&self) -> &'static [&'static str] {
        if self.are_bodies { &BODY_LABELS } else { &MARKER_LABELS }
    }

    /// Returns the number of columns in the rows. Some exports end each row with a tab, and the cells
    /// of a lost marker may be empty.
    fn find_width(&self, rows: &str) -> usize {
        const MAX_ROWS: usize = 1000;
        let lines = || Lines::new(rows).take(MAX_ROWS).filter(|line| !line.trim().is_empty());
        let filled = lines().map(|line| split_cells(line.trim_end()).len()).max();
        let all = lines().next().map(|line| split_cells(line).len());
        let is_whole = |width: &usize| self.count_leading_columns(*width).is_some();
        filled.filter(is_whole).or(all.filter(is_whole)).or(filled).unwrap_or(0)
    }

    /// Takes the names from the labels, such as `LASI X`, if there is one for each column. The line
    /// of names may list markers that were not exported.
    fn name_by_labels(&mut self, width: usize, diagnostics: &mut Diagnostics) {
        let Some(labels) = self.labels.as_ref().filter(|labels| labels.len() == width) else {
            return;
        };
        let leading = width % self.parts().len();
        let labels = labels.iter().skip(leading).step_by(self.parts().len());
        let Some(names) = labels.map(|label| label.strip_suffix(" X")).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        let message = format!(
            "the header lists {}, but the rows have {}; using the names in the column labels",
            format_count(self.names.len(), "name"),
            names.len()
        );
        diagnostics
            .warning(codes::table::NAMES_DIFFER, SourceLocation::line(self.line), message)
            .with("expected", self.names.len())
            .with("found", names.len());
        self.names = names;
    }

    /// Returns the number of columns before those of the first marker or body. `None` if the rows
    /// have neither these columns nor up to two more.
    fn count_leading_columns(&self, width: usize) -> Option<usize> {
        let leading = width.checked_sub(self.names.len() * self.parts().len())?;
        (leading <= 2).then_some(leading)
    }
}

fn trim_cell(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

fn split_cells(line: &str) -> Vec<&str> {
    line.split('\t').map(trim_cell).collect()
}

pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    // Tabs separate the cells, so a comma between digits is a decimal comma.
    let has_decimal_comma = options.decimal.is_none_or(|decimal| decimal == b',');
    let cells = CellReader::new(options, has_decimal_comma);
    let mut header = Header::read(text, &cells).ok_or_else(|| {
        let expected = "a line that begins with MARKER_NAMES or BODY_NAMES";
        Error::malformed(SourceLocation::line(1), expected, "none")
    })?;
    let rows = &text[header.end..];
    let width = header.find_width(rows);
    if header.count_leading_columns(width).is_none() {
        header.name_by_labels(width, diagnostics);
    }
    let leading = header.count_leading_columns(width).ok_or_else(|| {
        let names = format_count(header.names.len(), "name");
        let expected = format!("{} columns for each of {names}", header.parts().len());
        let found = format_count(width, "column");
        Error::malformed(SourceLocation::line(header.line), expected, found)
    })?;
    let mut table = Table::new("qualisys");
    table.declared = Declared {
        // Qualisys Track Manager exports millimetres.
        metres_per_unit: Some(0.001),
        rate_hz: header.rate_hz,
        events: header.events.clone(),
        ..Declared::default()
    };
    declare_times(&mut table, &header, leading, rows);
    let mut reader = RowReader {
        cells,
        bodies: Vec::new(),
        leading,
        parts: header.parts().len(),
        width,
        zeros: Occurrences::default(),
        surplus: Occurrences::default(),
    };
    let mut nodes = Vec::new();
    for (index, name) in header.names.iter().enumerate() {
        let name = match (*name, header.are_bodies) {
            ("", true) => format!("body {}", index + 1),
            ("", false) => format!("marker {}", index + 1),
            (name, _) => name.to_owned(),
        };
        let mut node = CaptureNode::named(name.clone());
        reader.bodies.push(declare_columns(&mut table, &mut node, header.parts()));
        nodes.push(node);
    }
    declare_nodes(&mut table, nodes);
    let mut lines = Lines::new(rows);
    let mut line_number = header.line;
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() && table.rows < u32::MAX as usize {
            reader.read_row(&mut table, line_number, &split_cells(line));
        }
        line_number = header.line + lines.line_number - 1;
    }
    reader.report(header.are_bodies, diagnostics);
    Ok(table)
}

/// Declares the columns before those of the first marker. If there are none, the table gets a column
/// that counts the rows.
fn declare_times(table: &mut Table, header: &Header<'_>, leading: usize, rows: &str) {
    let first_label = header.labels.as_ref().and_then(|labels| labels.first());
    let is_time = || match first_label {
        Some(label) => label.eq_ignore_ascii_case("Time"),
        // Times have decimals, frames do not.
        None => Lines::new(rows).find(|line| !line.trim().is_empty()).is_some_and(|line| {
            split_cells(line).first().is_some_and(|first| first.contains(['.', ',']))
        }),
    };
    match leading {
        2 => {
            add_column(table, "Frame", Some(Role::Unused("the number of the frame")));
            add_column(table, "Time", Some(Role::Time));
        }
        1 if is_time() => {
            add_column(table, "Time", Some(Role::Time));
        }
        _ => {
            add_column(table, "Frame", Some(Role::Frame { first: 1 }));
        }
    }
}

/// Adds the columns of a marker or a body, and after them the columns of the rotation. Returns the
/// indices of the columns.
fn declare_columns(table: &mut Table, node: &mut CaptureNode, labels: &[&str]) -> BodyColumns {
    let name = node.declared.name.clone();
    let mut columns = Vec::new();
    for (part, label) in labels.iter().enumerate() {
        let role = match part {
            0..3 => None,
            RESIDUAL => None,
            3..RESIDUAL => Some(Role::Unused("the rotation matrix states the rotation")),
            _ => Some(Role::Unused("became the rotation")),
        };
        let index = add_column(table, format!("{name}.{label}"), role);
        columns.push(index);
        let property = AXES[..3].get(part).and_then(|axis| component_property("position", axis));
        node.columns.extend(property.map(|property| (index, property)));
    }
    let mut rotation = None;
    if labels.len() > MATRIX {
        let made = AXES.map(|axis| {
            let index = add_column(table, format!("{name}.rotation.{axis}"), None);
            node.columns.extend(component_property("rotation", axis).map(|it| (index, it)));
            index
        });
        rotation = Some(made);
    }
    BodyColumns { columns, rotation }
}

struct BodyColumns {
    columns: Vec<usize>,
    rotation: Option<[usize; 4]>,
}

#[derive(Default)]
struct Occurrences {
    count: usize,
    first: Option<u32>,
}

impl Occurrences {
    fn add(&mut self, line: u32) {
        self.count += 1;
        self.first.get_or_insert(line);
    }
}

struct RowReader<'a> {
    cells: CellReader<'a>,
    bodies: Vec<BodyColumns>,
    leading: usize,
    parts: usize,
    width: usize,
    zeros: Occurrences,
    surplus: Occurrences,
}

impl RowReader<'_> {
    fn read_row(&mut self, table: &mut Table, line: u32, values: &[&str]) {
        let row = table.rows;
        if self.leading == 0 {
            table.push_number(0, row, (row + 1) as f64);
        }
        for (column, value) in values.iter().take(self.leading).enumerate() {
            self.cells.add_cell(table, column, row, value);
        }
        let values = values.get(self.leading..).unwrap_or_default();
        for (body, values) in self.bodies.iter().zip(values.chunks(self.parts)) {
            let number = |part: usize| {
                values
                    .get(part)
                    .and_then(|value| self.cells.parse_number(value))
                    .unwrap_or(f64::NAN)
            };
            let position = DVec3::new(number(0), number(1), number(2));
            // Qualisys Track Manager writes zeros if a marker or a body is lost.
            let is_zero = position == DVec3::ZERO;
            let is_lost = is_zero || self.parts > RESIDUAL && number(RESIDUAL) < 0.0;
            if is_zero {
                self.zeros.add(line);
            }
            if self.parts > RESIDUAL {
                self.cells.add_cell(
                    table,
                    body.columns[RESIDUAL],
                    row,
                    values.get(RESIDUAL).unwrap_or(&""),
                );
            }
            if is_lost {
                continue;
            }
            for (column, value) in body.columns[..3].iter().zip(values) {
                self.cells.add_cell(table, *column, row, value);
            }
            if let Some(columns) = body.rotation {
                let column = |index: usize| {
                    let first = MATRIX + 3 * index;
                    DVec3::new(number(first), number(first + 1), number(first + 2))
                };
                let matrix = DMat3::from_cols(column(0), column(1), column(2));
                if let Some(rotation) = to_rotation(matrix) {
                    for (column, number) in columns.iter().zip(rotation.to_array()) {
                        table.push_number(*column, row, number);
                    }
                }
            }
        }
        let expected = self.width - self.leading;
        if values.iter().skip(expected).any(|value| !value.is_empty()) {
            self.surplus.add(line);
        }
        table.rows += 1;
        table.lines.push(line);
    }

    fn report(&self, are_bodies: bool, diagnostics: &mut Diagnostics) {
        if let Some(line) = self.zeros.first {
            let what = if are_bodies { "a body" } else { "a marker" };
            let message = format!(
                "{what} is at 0, 0, 0, which means that it was lost; hidden there. Such positions: {}",
                self.zeros.count
            );
            diagnostics
                .info(codes::table::LOST_POSITION, SourceLocation::line(line), message)
                .with("count", self.zeros.count);
        }
        if let Some(line) = self.surplus.first {
            let rows = format_count(self.surplus.count, "row");
            let message =
                format!("{rows} have more cells than the header explains; these cells are skipped");
            diagnostics
                .warning(codes::table::UNEVEN_ROWS, SourceLocation::line(line), message)
                .with("count", self.surplus.count);
        }
    }
}

/// Returns the rotation of a matrix. `None` if the matrix is not a rotation.
fn to_rotation(matrix: DMat3) -> Option<DQuat> {
    /// Qualisys Track Manager writes six decimals, but users may choose fewer.
    const TOLERANCE: f64 = 0.05;
    is_rotation(&matrix, TOLERANCE).then(|| DQuat::from_mat3(&matrix).normalize())
}
