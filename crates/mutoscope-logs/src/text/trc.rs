//! Reads TRC, the marker files of Motion Analysis and OpenSim.
//!
//! A line of keys such as `DataRate NumMarkers Units` is followed by a line of values. The line that
//! begins with `Frame#` has the marker names, and the line `X1 Y1 Z1 …` below it has the axes.
//! Programs do not agree on the separators between cells, and on their number between two names, so
//! names and axes are matched by their order.

use std::collections::{HashMap, HashSet};

use mutoscope_core::{
    clip::UniqueNames,
    diagnostics::{Diagnostics, Error, SourceLocation, format_count, format_number},
};

use super::cells::CellReader;
use crate::{
    codes,
    mapping::TableOptions,
    names::parse_length_unit,
    table::{Column, Declared, Role, Table, quote_names},
};

const MAX_HEADER_LINES: usize = 32;

/// The number of columns before the first marker: the frame number and the time.
const LEADING_COLUMNS: usize = 2;

const SEPARATORS: [char; 4] = ['\t', ' ', ';', ','];

pub(super) fn is_trc(start: &str) -> bool {
    starts_with_word(start, "PathFileType")
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let text = text.trim_start_matches(['"', ' ', '\t']);
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !text[word.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
}

pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let lines: Box<dyn Iterator<Item = &str>> = match text.contains('\n') {
        true => Box::new(text.lines()),
        false => Box::new(text.split('\r')),
    };
    let lines: Vec<Line<'_>> = lines
        .zip(1..)
        .map(|(text, number)| Line { number, text })
        .filter(|line| !line.text.trim().is_empty() && !line.text.trim_start().starts_with('#'))
        .collect();
    let is_header_end = |line: &Line<'_>| starts_with_word(line.text, "Frame");
    let end = lines.iter().take(MAX_HEADER_LINES).position(is_header_end).ok_or_else(|| {
        let expected = "a header line that begins with Frame#";
        Error::malformed(SourceLocation::line(1), expected, "none")
    })?;
    let header = Header::read(&lines[..end]);
    let names = NameLine::read(lines[end])?;
    let first_row = lines[end + 1..]
        .iter()
        .position(|line| parse_first_number(line.text).is_some())
        .map_or(lines.len(), |offset| end + 1 + offset);
    let axes = lines[end + 1..first_row].iter().find_map(|line| AxisLine::read(line.text));
    let rows = &lines[first_row..];
    let delimiter = rows.first().map_or(Delimiter::Blank, |row| Delimiter::detect(row.text));
    let layout = Layout::new(&header, &names, axes, rows, delimiter, diagnostics)?;
    let mut table = Table::new("trc");
    table.declared = Declared {
        metres_per_unit: header.metres_per_unit(diagnostics),
        rate_hz: header.number("DataRate").filter(|rate| *rate > 0.0),
        ..Declared::default()
    };
    layout.add_columns(&mut table);
    let mut reader = RowReader {
        cells: CellReader::new(options, delimiter != Delimiter::Character(',')),
        delimiter,
        width: table.columns.len(),
        shift: layout.find_row_shift(rows, delimiter),
        time_decimals: 0,
        problems: RowProblems::default(),
    };
    for row in rows {
        reader.read_row(&mut table, *row);
    }
    reader.problems.report(diagnostics);
    header.check_row_count(table.rows, diagnostics);
    check_rate(&mut table, reader.time_decimals, header.location(), diagnostics);
    Ok(table)
}

#[derive(Clone, Copy)]
struct Line<'a> {
    number: u32,
    text: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delimiter {
    Character(char),
    /// Any run of white space.
    Blank,
}

impl Delimiter {
    fn detect(line: &str) -> Self {
        let line = line.trim();
        if let Some(found) = ['\t', ';'].into_iter().find(|tested| line.contains(*tested)) {
            return Self::Character(found);
        }
        // Commas between blanks are decimal commas.
        let is_comma = line.contains(',') && (line.contains(", ") || !line.contains(' '));
        if is_comma { Self::Character(',') } else { Self::Blank }
    }

    fn split(self, line: &str) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Character(character) => Box::new(line.split(character).map(trim_cell)),
            Self::Blank => Box::new(line.split_whitespace().map(trim_cell)),
        }
    }

    /// Splits a line at every single separator, so that each cell keeps its column. A blank counts as
    /// a separator, because editors may replace each tab by one blank.
    fn split_exactly(self, line: &str) -> impl Iterator<Item = &str> {
        let character = if let Self::Character(character) = self { character } else { ' ' };
        line.split(character).map(trim_cell)
    }
}

fn trim_cell(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

fn parse_number(cell: &str) -> Option<f64> {
    cell.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

fn parse_first_number(line: &str) -> Option<f64> {
    let line = line.trim_start_matches(|next: char| next.is_whitespace() || next == '"');
    let end = line.find(['\t', ' ', ';', ',', '"']).unwrap_or(line.len());
    line[..end].parse().ok()
}

/// The line of keys and the line of values below it.
#[derive(Default)]
struct Header<'a> {
    line: u32,
    /// The values by their lower-case keys.
    values: HashMap<String, &'a str>,
    all_values: Vec<&'a str>,
}

impl<'a> Header<'a> {
    fn read(lines: &[Line<'a>]) -> Self {
        const KEYS: [&str; 4] = ["datarate", "nummarkers", "numframes", "units"];
        let tokens = |line: &'a str| line.split(['\t', ' ', ';', ',']).map(trim_cell);
        let keys_of = |line: &Line<'a>| -> Vec<String> {
            let keys = tokens(line.text).filter(|key| !key.is_empty());
            keys.map(str::to_ascii_lowercase).collect()
        };
        let found = lines.windows(2).find_map(|pair| {
            let keys = keys_of(&pair[0]);
            keys.iter().any(|key| KEYS.contains(&key.as_str())).then_some((keys, pair))
        });
        let Some((keys, pair)) = found else { return Self::default() };
        let values = pair[1];
        let delimiter = match Delimiter::detect(pair[0].text) {
            Delimiter::Character(',') => Delimiter::Character(','),
            _ => Delimiter::detect(values.text),
        };
        let cells: Vec<&str> = delimiter.split(values.text).collect();
        let filled = |cells: &[&'a str]| -> Vec<&'a str> {
            cells.iter().copied().filter(|cell| !cell.is_empty()).collect()
        };
        let words: Vec<&str> = cells.iter().flat_map(|cell| cell.split_whitespace()).collect();
        // Cells may be padded with any number of separators. Unless a value is missing, the values
        // are therefore matched by their order.
        let in_order = [filled(&cells), words.clone()];
        let in_order = in_order.into_iter().find(|values| values.len() == keys.len());
        let by_key = in_order.unwrap_or(cells);
        let values = keys.into_iter().zip(by_key).filter(|(_, value)| !value.is_empty()).collect();
        Self { line: pair[1].number, values, all_values: words }
    }

    fn location(&self) -> SourceLocation {
        if self.line > 0 { SourceLocation::line(self.line) } else { SourceLocation::File }
    }

    fn value(&self, key: &str) -> Option<&'a str> {
        self.values.get(&key.to_ascii_lowercase()).copied()
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.value(key).and_then(parse_number)
    }

    fn count(&self, key: &str) -> Option<usize> {
        self.number(key).filter(|count| *count >= 0.0).map(|count| count as usize)
    }

    fn metres_per_unit(&self, diagnostics: &mut Diagnostics) -> Option<f64> {
        let stated = self.value("Units");
        let unit = stated
            .and_then(parse_length_unit)
            .or_else(|| self.all_values.iter().find_map(|value| parse_length_unit(value)));
        if let (Some(stated), None) = (stated, unit) {
            let message = format!(
                "the unit {stated:?} is not a known unit of length; ignored. Set [space] unit in a \
                 mapping file"
            );
            diagnostics
                .warning(codes::trc::UNKNOWN_UNIT, self.location(), message)
                .with("found", stated);
        }
        unit
    }

    fn check_row_count(&self, rows: usize, diagnostics: &mut Diagnostics) {
        let Some(stated) = self.count("NumFrames").filter(|stated| *stated != rows) else { return };
        let outcome = if stated > rows { "the rest is missing" } else { "using all of them" };
        let message =
            format!("NumFrames states {}, found {rows}; {outcome}", format_count(stated, "frame"));
        diagnostics
            .warning(codes::trc::COUNT_DIFFERS, self.location(), message)
            .with("expected", stated)
            .with("found", rows);
    }
}

/// The line that begins with `Frame#` and `Time`.
struct NameLine<'a> {
    number: u32,
    delimiter: Delimiter,
    /// The text after `Time`, which begins with a separator.
    names: &'a str,
}

impl<'a> NameLine<'a> {
    fn read(line: Line<'a>) -> Result<Self, Error> {
        let delimiter = Delimiter::detect(line.text);
        let text = line.text.trim_start();
        let after_frame = &text[text.find(SEPARATORS).unwrap_or(text.len())..];
        let time = after_frame.trim_start_matches(SEPARATORS);
        if !time.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("Time")) {
            let location = SourceLocation::line(line.number);
            let found = time.split(SEPARATORS).next().unwrap_or_default();
            return Err(Error::malformed(location, "a column Time", format_args!("{found:?}")));
        }
        let end = match delimiter {
            Delimiter::Character(character) => time.find(character),
            Delimiter::Blank => time.find(char::is_whitespace),
        };
        let names = &time[end.unwrap_or(time.len())..];
        Ok(Self { number: line.number, delimiter, names })
    }

    fn in_order(&self) -> Vec<&'a str> {
        self.delimiter.split(self.names).filter(|name| !name.is_empty()).collect()
    }

    /// Returns the names between two or more blanks. Such a name may contain a single blank.
    fn between_wide_gaps(&self) -> Vec<&'a str> {
        self.names.split("  ").map(trim_cell).filter(|name| !name.is_empty()).collect()
    }

    /// Returns the name of each column that has one. Column 0 is the first column after the time.
    fn with_columns(&self) -> HashMap<usize, &'a str> {
        let cells = self.delimiter.split_exactly(self.names).enumerate();
        cells
            .filter(|(_, name)| !name.is_empty())
            .filter_map(|(cell, name)| Some((cell.checked_sub(1)?, name)))
            .collect()
    }
}

/// A label such as `X12`.
struct AxisLabel<'a> {
    /// The column of the cell, as in [`NameLine::with_columns`].
    cell: Option<usize>,
    text: &'a str,
    /// The axis of a position, from 0 to 2. `None` for any other quantity.
    axis: Option<usize>,
    /// The index of the marker. `None` unless the marker has labels of all three axes.
    marker: Option<usize>,
}

struct AxisLine<'a> {
    labels: Vec<AxisLabel<'a>>,
    /// The number of markers with three axes.
    markers: usize,
    first_cell: usize,
}

impl<'a> AxisLine<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let delimiter = Delimiter::detect(line);
        let cells = delimiter.split_exactly(line).enumerate().filter(|(_, text)| !text.is_empty());
        let mut labels = Vec::new();
        let mut numbers = Vec::new();
        for (cell, text) in cells {
            let letters = text.trim_end_matches(|last: char| last.is_ascii_digit());
            if letters.is_empty() || parse_number(text).is_some() {
                return None;
            }
            let axis = ["x", "y", "z"].iter().position(|axis| letters.eq_ignore_ascii_case(axis));
            numbers.push(text[letters.len()..].parse::<usize>().ok());
            let cell = cell.checked_sub(LEADING_COLUMNS);
            labels.push(AxisLabel { cell, text, axis, marker: None });
        }
        let first_cell = labels.iter().find(|label| label.axis.is_some())?.cell.unwrap_or(0);
        let groups = group_labels(&labels, &numbers);
        let mut axes: HashMap<usize, [bool; 3]> = HashMap::new();
        for (label, group) in labels.iter().zip(&groups) {
            if let Some(axis) = label.axis {
                axes.entry(*group).or_default()[axis] = true;
            }
        }
        let mut markers = HashMap::new();
        for (label, group) in labels.iter_mut().zip(groups) {
            if axes.get(&group) == Some(&[true; 3]) {
                let next = markers.len();
                label.marker = Some(*markers.entry(group).or_insert(next));
            }
        }
        Some(Self { labels, markers: markers.len(), first_cell })
    }

    /// Returns `true` if the columns are x, y and z of one marker after the other.
    fn is_plain(&self) -> bool {
        let mut labels = self.labels.iter().enumerate();
        labels
            .all(|(index, label)| (label.marker, label.axis) == (Some(index / 3), Some(index % 3)))
    }
}

/// Returns the marker number of each label. If numbers are missing or repeated, counts the markers
/// instead: a marker ends before a label that it already has.
fn group_labels(labels: &[AxisLabel<'_>], numbers: &[Option<usize>]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let are_unique = labels.iter().all(|label| seen.insert(label.text));
    if let (true, Some(numbers)) = (are_unique, numbers.iter().copied().collect()) {
        return numbers;
    }
    seen.clear();
    let mut marker = 0;
    let mut groups = Vec::with_capacity(labels.len());
    for label in labels {
        let letters = label.text.trim_end_matches(|last: char| last.is_ascii_digit());
        if !seen.insert(letters) {
            marker += 1;
            seen = HashSet::from([letters]);
        }
        groups.push(marker);
    }
    groups
}

/// The columns of the rows after the frame number and the time.
struct Layout<'a> {
    /// The marker and the axis of each column, or the name of a column without a position.
    columns: Vec<Result<(usize, usize), String>>,
    names: Vec<Option<&'a str>>,
    /// The number of empty cells between `Time` and the first axis.
    first_cell: usize,
}

impl<'a> Layout<'a> {
    fn new(
        header: &Header<'_>,
        names: &NameLine<'a>,
        axes: Option<AxisLine<'a>>,
        rows: &[Line<'_>],
        delimiter: Delimiter,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Error> {
        let location = SourceLocation::line(names.number);
        let in_order = names.in_order();
        let has_other_columns =
            axes.as_ref().is_some_and(|axes| axes.labels.iter().any(|label| label.axis.is_none()));
        let labelled = axes.as_ref().map_or(0, |axes| axes.markers);
        let stated = header.count("NumMarkers");
        let has_names = labelled > 0 || !in_order.is_empty();
        let count_cells = |row: &Line<'_>| {
            let is_filled = |cell: &&str| !cell.is_empty();
            // Without names, the position of the last cell tells the number of markers. Otherwise
            // count the cells, because separators may be doubled.
            match has_names {
                true => delimiter.split(row.text).filter(is_filled).count(),
                false => trim_row(delimiter.split(row.text).collect()).len(),
            }
        };
        let cells = rows.iter().map(count_cells).max().unwrap_or(0);
        let in_rows = cells.saturating_sub(LEADING_COLUMNS) / 3;
        // Any of these counts may be wrong, so the most frequent one decides.
        let counts = [labelled, in_rows, in_order.len(), stated.unwrap_or(0)];
        let votes = |count: usize| counts.iter().filter(|other| **other == count).count();
        let mut candidates = counts[..3].iter().copied().filter(|count| *count > 0).rev();
        let markers = match has_other_columns && labelled > 0 {
            true => labelled,
            false => candidates.by_ref().max_by_key(|count| votes(*count)).unwrap_or(0),
        };
        if markers == 0 {
            let found = format!("{} and no coordinates", format_count(in_order.len(), "name"));
            return Err(Error::malformed(location, "markers", found));
        }
        if let Some(stated) = stated.filter(|stated| *stated != markers) {
            let message = format!(
                "NumMarkers states {}, found the columns of {markers}; using {markers}",
                format_count(stated, "marker")
            );
            diagnostics
                .warning(codes::trc::COUNT_DIFFERS, header.location(), message)
                .with("expected", stated)
                .with("found", markers);
        }
        let axes = axes.filter(|axes| axes.markers == markers);
        let mut layout = Self {
            columns: (0..3 * markers).map(|column| Ok((column / 3, column % 3))).collect(),
            names: vec![None; markers],
            first_cell: axes.as_ref().map_or(0, |axes| axes.first_cell),
        };
        let with_columns = names.with_columns();
        let is_exact = axes.as_ref().is_some_and(|axes| {
            let starts = axes.labels.iter().filter(|label| label.axis.is_none_or(|axis| axis == 0));
            let starts: HashSet<usize> = starts.filter_map(|label| label.cell).collect();
            with_columns.keys().all(|cell| starts.contains(cell))
        });
        let wide = names.between_wide_gaps();
        if in_order.len() == markers {
            layout.names = in_order.into_iter().map(Some).collect();
        } else if is_exact {
            for label in axes.iter().flat_map(|axes| &axes.labels) {
                if let (Some(0), Some(marker), Some(cell)) = (label.axis, label.marker, label.cell)
                {
                    layout.names[marker] = with_columns.get(&cell).copied();
                }
            }
        } else if names.delimiter == Delimiter::Blank && wide.len() == markers {
            layout.names = wide.into_iter().map(Some).collect();
        } else if in_order.is_empty() {
            let message = format!(
                "the header does not name its {}; numbered",
                format_count(markers, "marker")
            );
            diagnostics
                .warning(codes::trc::NAMES_DIFFER, location.clone(), message)
                .with("expected", markers)
                .with("found", 0);
        } else {
            let message = format!(
                "expected names of {}, found {}; assigned in order, so they may be wrong",
                format_count(markers, "marker"),
                in_order.len()
            );
            diagnostics
                .warning(codes::trc::NAMES_DIFFER, location.clone(), message)
                .with("expected", markers)
                .with("found", in_order.len());
            let given = in_order.into_iter().map(Some).chain(std::iter::repeat(None));
            layout.names = given.take(markers).collect();
        }
        if let Some(axes) = axes.filter(|axes| !axes.is_plain()) {
            let mut others = Vec::new();
            layout.columns.clear();
            for label in &axes.labels {
                if let (Some(marker), Some(axis)) = (label.marker, label.axis) {
                    layout.columns.push(Ok((marker, axis)));
                    continue;
                }
                let own = label.cell.and_then(|cell| with_columns.get(&cell));
                let marker = label.marker.and_then(|marker| layout.names[marker]);
                let name = match (own.filter(|_| is_exact), marker) {
                    (Some(own), _) => (*own).to_owned(),
                    (None, Some(marker)) => format!("{marker}.{}", label.text),
                    (None, None) => label.text.to_owned(),
                };
                layout.columns.push(Err(name));
                others.push(label.text);
            }
            if !others.is_empty() {
                let message = format!(
                    "the columns {} are not x, y or z of a marker; used as signals",
                    quote_names(others.into_iter())
                );
                diagnostics.warning(codes::trc::OTHER_COLUMNS, location, message);
            }
        }
        Ok(layout)
    }

    fn add_columns(&self, table: &mut Table) {
        let mut unique = UniqueNames::default();
        let names: Vec<String> = self
            .names
            .iter()
            .enumerate()
            .map(|(marker, name)| {
                let name = name.map_or_else(|| format!("marker {}", marker + 1), str::to_owned);
                unique.make_unique(name)
            })
            .collect();
        table.columns = vec![Column::new("Frame#"), Column::new("Time")];
        table.declared.roles =
            HashMap::from([(0, Role::Unused("the number of the frame")), (1, Role::Time)]);
        for column in &self.columns {
            match column {
                Ok((marker, axis)) => {
                    let property = ["position.x", "position.y", "position.z"][*axis];
                    let role = Role::Property(names[*marker].clone(), property);
                    table.declared.roles.insert(table.columns.len(), role);
                    let axis = ["x", "y", "z"][*axis];
                    table.columns.push(Column::new(format!("{}.{axis}", names[*marker])));
                }
                Err(name) => table.columns.push(Column::new(name.as_str())),
            }
        }
        table.make_column_names_unique();
    }

    /// Returns the number of empty cells between the time and the first marker in every row. Some
    /// programs write an empty cell there in the header only, others also in the rows.
    fn find_row_shift(&self, rows: &[Line<'_>], delimiter: Delimiter) -> usize {
        let shift = self.first_cell;
        let Delimiter::Character(character) = delimiter else { return 0 };
        if shift == 0 {
            return 0;
        }
        let start = LEADING_COLUMNS + shift;
        let mut has_full = false;
        for row in rows {
            let cells = row.text.split(character).map(trim_cell).skip(LEADING_COLUMNS);
            let cells: Vec<&str> = cells.take(start + 1).collect();
            if cells.iter().take(shift).any(|cell| !cell.is_empty()) {
                return 0;
            }
            has_full |= cells.len() >= shift + 3
                && cells[shift..shift + 3].iter().all(|cell| !cell.is_empty());
        }
        if has_full { shift } else { 0 }
    }
}

struct RowReader<'a> {
    cells: CellReader<'a>,
    delimiter: Delimiter,
    width: usize,
    shift: usize,
    /// The largest number of decimals of a time.
    time_decimals: usize,
    problems: RowProblems,
}

impl RowReader<'_> {
    fn read_row(&mut self, table: &mut Table, line: Line<'_>) {
        let cells = self.split_row(line);
        let is_number = |cell: Option<&&str>| cell.is_some_and(|cell| parse_number(cell).is_some());
        if !is_number(cells.first()) && !is_number(cells.get(1)) {
            self.problems.without_numbers.add(line.number, 1);
            return;
        }
        let row = table.rows;
        if let Some(time) = cells.get(1) {
            self.time_decimals = self.time_decimals.max(count_decimals(time));
        }
        for (column, cell) in cells.iter().enumerate().take(self.width) {
            if !cell.is_empty() {
                self.cells.add_cell(table, column, row, cell);
            }
        }
        let beyond = cells.iter().skip(self.width).filter(|cell| !cell.is_empty()).count();
        self.problems.beyond_header.add(line.number, beyond);
        table.rows += 1;
        table.lines.push(line.number);
    }

    fn split_row<'t>(&mut self, line: Line<'t>) -> Vec<&'t str> {
        let mut cells: Vec<&str> = self.delimiter.split(line.text).collect();
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        if self.delimiter == Delimiter::Blank {
            if cells.len() < self.width && cells.len() > LEADING_COLUMNS {
                let mut exact: Vec<&str> = self.delimiter.split_exactly(line.text).collect();
                exact.truncate(exact.len().min(self.width).max(1));
                if exact.len() == self.width
                    && exact.iter().filter(|cell| !cell.is_empty()).count() == filled
                {
                    return exact;
                }
                self.problems.ambiguous.add(line.number, 1);
                cells.truncate(LEADING_COLUMNS);
            }
            return cells;
        }
        let is_doubled = cells.len() > 3 && cells.iter().skip(1).step_by(2).all(|it| it.is_empty());
        let start = LEADING_COLUMNS + self.shift;
        if is_doubled {
            cells = cells.into_iter().step_by(2).collect();
        } else if self.shift > 0 && cells.len() > start {
            cells.drain(LEADING_COLUMNS..start);
        } else if cells.len() > self.width && filled == self.width {
            cells.retain(|cell| !cell.is_empty());
        }
        let cells = trim_row(cells);
        let coordinates = cells.len().saturating_sub(LEADING_COLUMNS);
        if cells.len() < self.width && !coordinates.is_multiple_of(3) {
            self.problems.incomplete.add(line.number, 1);
        }
        cells
    }
}

/// Removes the empty cells at the end of a row.
fn trim_row(mut cells: Vec<&str>) -> Vec<&str> {
    while cells.pop_if(|last| last.is_empty()).is_some() {}
    cells
}

#[derive(Default)]
struct RowProblems {
    without_numbers: ProblemCount,
    beyond_header: ProblemCount,
    ambiguous: ProblemCount,
    incomplete: ProblemCount,
}

#[derive(Default)]
struct ProblemCount {
    count: usize,
    first_line: u32,
}

impl ProblemCount {
    fn add(&mut self, line: u32, count: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += count;
    }
}

impl RowProblems {
    fn report(&self, diagnostics: &mut Diagnostics) {
        let mut warn = |code, problem: &ProblemCount, message: String| {
            if problem.count > 0 {
                diagnostics
                    .warning(code, SourceLocation::line(problem.first_line), message)
                    .with("count", problem.count);
            }
        };
        let count = |problem: &ProblemCount, what| format_count(problem.count, what);
        warn(
            codes::trc::ROW_SKIPPED,
            &self.without_numbers,
            format!(
                "{} without a frame number and a time; skipped",
                count(&self.without_numbers, "row")
            ),
        );
        warn(
            codes::trc::SURPLUS_CELLS,
            &self.beyond_header,
            format!(
                "{} beyond the columns of the header; skipped",
                count(&self.beyond_header, "cell")
            ),
        );
        warn(
            codes::trc::UNCLEAR_ROW,
            &self.ambiguous,
            format!(
                "{} with fewer numbers than columns, separated by blanks, so the missing markers \
                 are unknown; all markers hidden there",
                count(&self.ambiguous, "row")
            ),
        );
        warn(
            codes::trc::INCOMPLETE_ROW,
            &self.incomplete,
            format!(
                "{} ending before the z of a marker; the rest is missing",
                count(&self.incomplete, "row")
            ),
        );
    }
}

/// Returns the number of decimals of a time. Zeros at the end do not count beyond the third decimal,
/// because programs write rounded milliseconds with more decimals.
fn count_decimals(time: &str) -> usize {
    let decimals = time.split_once(['.', ',']).map_or("", |(_, decimals)| decimals);
    let end = decimals.find(|next: char| !next.is_ascii_digit()).unwrap_or(decimals.len());
    let decimals = &decimals[..end];
    decimals.trim_end_matches('0').len().max(decimals.len().min(3))
}

/// Reports a rate that the times contradict, and replaces it by the rate of the times. Rounded times
/// do not contradict it.
fn check_rate(
    table: &mut Table,
    time_decimals: usize,
    location: SourceLocation,
    diagnostics: &mut Diagnostics,
) {
    const TOLERANCE: f64 = 0.005;
    /// The largest part of a step by which rounding may change it.
    const MAX_STEP_ROUNDING: f64 = 0.05;
    let Some(rate) = table.declared.rate_hz else { return };
    let times: Vec<f64> = table.columns[1].numbers().map(|(_, time)| time).collect();
    let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let Some(step) = crate::median(&mut steps) else { return };
    let span = times[times.len() - 1] - times[0];
    let resolution = 0.1_f64.powi(time_decimals.min(12) as i32);
    // Rounding changes each step, but hardly all steps together, unless a program adds up rounded
    // steps. The rate is wrong if it agrees neither with a step nor with all steps together.
    let differs = |found: f64, expected: f64, rounding: f64| {
        (found - expected).abs() > rounding + TOLERANCE * expected
    };
    let step_rounding = (0.5 * resolution).min(MAX_STEP_ROUNDING / rate);
    let expected_span = (times.len() - 1) as f64 / rate;
    if step > 0.0
        && differs(step, 1.0 / rate, step_rounding)
        && differs(span, expected_span, resolution)
    {
        let found = format_number(1.0 / step);
        let message = format!(
            "DataRate states {} Hz, but the times are {} s apart, which is {found} Hz; using the times",
            format_number(rate),
            format_number(step)
        );
        diagnostics
            .warning(codes::trc::RATE_DIFFERS, location, message)
            .with("expected_hz", rate)
            .with("found_hz", 1.0 / step);
        table.declared.rate_hz = found.parse().ok();
    }
}
