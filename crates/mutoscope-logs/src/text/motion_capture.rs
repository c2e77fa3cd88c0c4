//! Reads text by motion capture programs whose header has several rows: OptiTrack Motive and Vicon.

use mutoscope_core::{
    diagnostics::format_count,
    diagnostics::{Diagnostics, Error, SourceLocation},
};

use super::{
    cells::CellReader,
    header::{Dialect, Lines},
    rows::for_each_row,
};
use crate::{
    mapping::TableOptions,
    names::parse_length_unit,
    table::{Column, Declared, Role, Table},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaptureFormat {
    Motive,
    Vicon,
}

const MAX_HEADER_LINES: usize = 32;

impl CaptureFormat {
    pub(super) fn detect(start: &str) -> Option<Self> {
        let first = start.lines().next()?;
        let word = |word: &str| {
            let rest = first.trim_start_matches('"').strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if word("Format Version") {
            Some(Self::Motive)
        } else {
            word("Trajectories").then_some(Self::Vicon)
        }
    }

    fn version(self) -> &'static str {
        match self {
            Self::Motive => "motive",
            Self::Vicon => "vicon",
        }
    }
}

pub(super) fn read(
    text: &str,
    kind: CaptureFormat,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let delimiter = if text.lines().take(4).any(|line| line.contains('\t')) { b'\t' } else { b',' };
    let dialect = Dialect { delimiter, has_decimal_comma: false };
    let head = Header::parse(text, dialect).ok_or_else(|| {
        let expected = "a header row that begins with Frame";
        Error::malformed(SourceLocation::line(1), expected, "none")
    })?;
    let mut table = Table::new(kind.version());
    let mut scale_of_time = 1.0;
    let mut frame_offset = 0.0;
    match kind {
        CaptureFormat::Motive => head.declare_motive(&mut table),
        CaptureFormat::Vicon => {
            let rate = head.declare_vicon(&mut table);
            scale_of_time = rate;
            frame_offset = 1.0;
        }
    }
    table.make_column_names_unique();
    let cells = CellReader::new(options, dialect.has_decimal_comma);
    let width = table.columns.len();
    let time = table.declared.roles.iter().find(|(_, role)| **role == Role::Time);
    let time = time.map(|(column, _)| *column);
    let (mut uneven, mut ended) = (0, None);
    for_each_row(&text[head.end..], head.line, dialect, |line, row| {
        if ended.is_some() {
            return;
        }
        let index = table.rows;
        let mut filled = 0;
        for (column, cell) in row.iter().enumerate() {
            let cell = cell.trim();
            if column >= width {
                uneven += usize::from(!cell.is_empty());
                continue;
            }
            if cell.is_empty() {
                continue;
            }
            filled += 1;
            match cells.parse_number(cell) {
                Some(number) if time == Some(column) => {
                    table.push_number(column, index, (number - frame_offset) / scale_of_time);
                }
                // If a row holds only a word, the block of another device begins, such as a force
                // plate.
                None if column == 0 && filled == 1 && index > 0 => {
                    ended = Some((line, cell.to_owned()));
                    return;
                }
                _ => cells.add_cell(&mut table, column, index, cell),
            }
        }
        if filled > 0 && index < u32::MAX as usize {
            table.rows += 1;
            table.lines.push(line);
        }
    });
    if let Some((line, word)) = ended {
        let message = format!("a block of {word:?} follows the trajectories; skipped");
        diagnostics.info(SourceLocation::line(line), message);
    }
    if uneven > 0 {
        let message =
            format!("{} beyond the columns of the header; skipped", format_count(uneven, "cell"));
        diagnostics.warning(SourceLocation::line(head.line), message);
    }
    Ok(table)
}

/// The header rows, including the row that begins with `Frame` and at most one row below it.
struct Header {
    rows: Vec<Vec<String>>,
    frame: usize,
    end: usize,
    line: u32,
}

impl Header {
    fn parse(text: &str, dialect: Dialect) -> Option<Self> {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut lines = Lines::new(text);
        while rows.len() < MAX_HEADER_LINES {
            let line = lines.next()?;
            let mut row = Vec::new();
            for_each_row(line, 1, dialect, |_, cells| {
                row = cells.iter().map(|cell| cell.trim().to_owned()).collect();
            });
            let is_frame = row.first().is_some_and(|first| {
                first.eq_ignore_ascii_case("Frame") || first.eq_ignore_ascii_case("Frame#")
            });
            rows.push(row);
            if is_frame {
                let frame = rows.len() - 1;
                return Some(
                    Self { rows, frame, end: lines.offset, line: lines.line_number }
                        .with_row_below(text, dialect),
                );
            }
        }
        None
    }

    fn with_row_below(mut self, text: &str, dialect: Dialect) -> Self {
        let mut lines = Lines::new(&text[self.end..]);
        let Some(line) = lines.next() else { return self };
        let mut row: Vec<String> = Vec::new();
        for_each_row(line, 1, dialect, |_, cells| {
            row = cells.iter().map(|cell| cell.trim().to_owned()).collect();
        });
        if row.first().is_none_or(|first| first.parse::<f64>().is_err()) {
            self.rows.push(row);
            self.end += lines.offset;
            self.line += 1;
        }
        self
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|row| row.get(column)).map_or("", String::as_str)
    }

    fn width(&self) -> usize {
        self.rows[self.frame..].iter().map(Vec::len).max().unwrap_or(0)
    }

    fn first_row_value(&self, key: &str) -> Option<&str> {
        let first = self.rows.first()?;
        let at = first.iter().position(|cell| cell.eq_ignore_ascii_case(key))?;
        first.get(at + 1).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn declare_motive(&self, table: &mut Table) {
        let number = |key: &str| self.first_row_value(key)?.parse().ok();
        table.declared = Declared {
            metres_per_unit: self.first_row_value("Length Units").and_then(parse_length_unit),
            rate_hz: number("Export Frame Rate").or_else(|| number("Capture Frame Rate")),
            name: self.first_row_value("Take Name").unwrap_or_default().to_owned(),
            ..Declared::default()
        };
        let turns = self.first_row_value("Rotation Type").unwrap_or("Quaternion").to_owned();
        let is_quaternion = turns.eq_ignore_ascii_case("Quaternion");
        if !is_quaternion {
            table.declared.euler = Some(turns.to_ascii_uppercase());
        }
        let row_called =
            |name: &str| (0..self.frame).find(|row| self.cell(*row, 1).eq_ignore_ascii_case(name));
        let (names, quantities) = (row_called("Name"), self.frame.saturating_sub(1));
        for column in 0..self.width() {
            let axis = self.cell(self.frame, column);
            let node = names.map_or("", |row| self.cell(row, column));
            let quantity = self.cell(quantities, column);
            let name = match column {
                0 | 1 => axis.to_owned(),
                _ if axis.is_empty() => format!("{node}.{quantity}"),
                _ => format!("{node}.{quantity}.{axis}"),
            };
            let role = match (column, quantity, axis) {
                (0, ..) => Some(Role::Unused("the number of the frame")),
                (1, ..) => Some(Role::Time),
                (_, "Position", axis) => component_role("position", axis),
                (_, "Rotation", axis) if is_quaternion => component_role("rotation", axis),
                (_, "Rotation", axis) => component_role("euler", axis),
                _ => None,
            };
            table.add_column(name, node, role);
        }
    }

    fn declare_vicon(&self, table: &mut Table) -> f64 {
        let rate = self.cell(1, 0).parse().ok().filter(|rate: &f64| *rate > 0.0);
        let units = self.rows.get(self.frame + 1);
        let unit = units.and_then(|row| row.iter().find_map(|cell| parse_length_unit(cell)));
        table.declared = Declared { metres_per_unit: unit, rate_hz: rate, ..Declared::default() };
        let names = self.frame.saturating_sub(1);
        self.add_point_columns(table, names, |column| match column {
            0 => Some(Role::Time),
            _ => Some(Role::Unused("the number of the sub-frame")),
        });
        rate.unwrap_or(crate::DEFAULT_FRAME_RATE_HZ)
    }

    fn add_point_columns(
        &self,
        table: &mut Table,
        names: usize,
        first: impl Fn(usize) -> Option<Role>,
    ) {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // The row of names ends with the last name, but the columns do not, because each name has
        // three columns.
        let named = self.rows[names].iter().rposition(|cell| !cell.is_empty());
        let width = named.filter(|last| *last >= 2).map_or(width.min(2), |last| last + 3);
        for column in 0..width {
            if column < 2 {
                table.add_column(self.cell(self.frame, column).to_owned(), "", first(column));
                continue;
            }
            let axis = (column - 2) % 3;
            let node = self.cell(names, column - axis);
            let axis = ["x", "y", "z"][axis];
            table.add_column(format!("{node}.{axis}"), node, component_role("position", axis));
        }
    }
}

impl Table {
    fn add_column(&mut self, name: String, node: &str, role: Option<Role>) {
        let role = match role {
            Some(Role::Property(_, property)) => Some(Role::Property(node.to_owned(), property)),
            role => role,
        };
        if let Some(role) = role {
            self.declared.roles.insert(self.columns.len(), role);
        }
        self.columns.push(Column::new(name));
    }
}

fn component_role(quantity: &str, axis: &str) -> Option<Role> {
    let property = match (quantity, axis.to_ascii_lowercase().as_str()) {
        ("position", "x") => "position.x",
        ("position", "y") => "position.y",
        ("position", "z") => "position.z",
        ("rotation", "x") => "rotation.x",
        ("rotation", "y") => "rotation.y",
        ("rotation", "z") => "rotation.z",
        ("rotation", "w") => "rotation.w",
        ("euler", "x") => "euler.x",
        ("euler", "y") => "euler.y",
        ("euler", "z") => "euler.z",
        _ => return None,
    };
    Some(Role::Property(String::new(), property))
}
