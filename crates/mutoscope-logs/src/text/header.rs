//! Finds the header of a text table, and how its cells are separated.

use csv::ByteRecord;

use super::{
    cells::CellReader,
    rows::{quoted_row_reader, split_blanks},
};
use crate::mapping::TableOptions;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The byte between cells. A space means any run of white space.
    pub(super) delimiter: u8,
    /// `true` if numbers may have a decimal comma.
    pub(super) has_decimal_comma: bool,
}

pub(super) struct Head<'a> {
    pub(super) dialect: Dialect,
    pub(super) comment: Option<&'a str>,
    /// The byte offset of the header row, or of the first row of values if the header is a comment.
    pub(super) start: usize,
    /// The line number at `start`. The first line is line 1.
    pub(super) line: u32,
    /// The lines above the header that are not part of the table: their number, and the first of
    /// them with its line number.
    pub(super) preamble: Option<(usize, u32, &'a str)>,
    /// `true` if the first cell of each row is its name, for which the header has no cell.
    pub(super) has_row_names: bool,
    /// `true` if the separator is also the decimal mark, so that each number takes two cells.
    pub(super) splits_numbers: bool,
}

impl<'a> Head<'a> {
    pub(super) fn detect(text: &'a str, options: &TableOptions) -> Self {
        let mut lines = Lines::new(text);
        let separator = text.lines().next().and_then(parse_separator_line);
        if separator.is_some() {
            lines.next();
        }
        for _ in 0..options.skip.unwrap_or(0) {
            lines.next();
        }
        let (mut comment, mut first) = (None, None);
        let mut start = (lines.offset, lines.line_number);
        while let Some(line) = lines.next() {
            match line.trim_start().strip_prefix('#') {
                Some(rest) => comment = Some(rest.trim()),
                None if line.trim().is_empty() => {}
                None => {
                    first = Some(line);
                    break;
                }
            }
            start = (lines.offset, lines.line_number);
        }
        let first = first.unwrap_or_default();
        let stated = options.delimiter.or(separator);
        let dialect = |delimiter: u8| {
            let has_decimal_comma = match options.decimal {
                Some(decimal) => decimal == b',',
                None => true,
            };
            Dialect { delimiter, has_decimal_comma }
        };
        let head = Self {
            dialect: dialect(stated.unwrap_or_else(|| detect_delimiter(first))),
            comment: None,
            start: start.0,
            line: start.1,
            preamble: None,
            has_row_names: false,
            splits_numbers: false,
        };
        if options.header == Some(false) {
            return head;
        }
        // A comment is the header if it has as many cells as the first row, and if the first row
        // contains values.
        let of_comment = comment.filter(|comment| {
            let delimiter = stated.unwrap_or_else(|| detect_delimiter(comment));
            let reader = CellReader::new(options, true);
            let cells = |line| split_cells(line, delimiter);
            cells(first).count() == cells(comment).count()
                && cells(first).any(|cell| reader.is_value(cell))
        });
        if let Some(comment) = of_comment {
            let dialect = dialect(stated.unwrap_or_else(|| detect_delimiter(comment)));
            return Self { dialect, comment: Some(comment), ..head };
        }
        head.with_layout(text, options, stated.is_some())
    }

    /// Finds the header below other lines, and cells for which the header has no name. The rows of
    /// numbers decide.
    fn with_layout(self, text: &'a str, options: &TableOptions, is_delimiter_stated: bool) -> Self {
        let rest = &text[self.start..];
        let reader = CellReader::new(options, self.dialect.has_decimal_comma);
        let layout = |delimiter: u8| Layout::detect(rest, delimiter, &reader);
        let first = self.dialect.delimiter;
        let of_first = || layout(first).map(|layout| (first, layout));
        let others = || {
            let others = [b'\t', b';', b',', b' '].into_iter().filter(|other| *other != first);
            let others = others.filter(|_| !is_delimiter_stated);
            let mut found = others.filter_map(|other| Some((other, layout(other)?)));
            found.find(|(_, layout)| layout.lines_before > 0)
        };
        let found = match first {
            // Prose above the header has blanks too, even if tabs separate the cells.
            b' ' => others().filter(|(_, layout)| !layout.has_row_names).or_else(of_first),
            _ => of_first().or_else(others),
        };
        let Some((delimiter, layout)) = found else { return self };
        let has_skip = options.skip.is_some();
        let (start, lines) = if has_skip { (0, 0) } else { (layout.start, layout.lines_before) };
        let is_comment = |line: &&str| line.trim().is_empty() || line.starts_with('#');
        let before: Vec<&str> = rest[..start].lines().filter(|line| !is_comment(line)).collect();
        Self {
            dialect: Dialect { delimiter, ..self.dialect },
            start: self.start + start,
            line: self.line + lines,
            preamble: before.first().map(|first| (before.len(), self.line, *first)),
            has_row_names: layout.has_row_names,
            splits_numbers: layout.splits_numbers && options.decimal != Some(b'.'),
            ..self
        }
    }
}

/// Parses the line `sep=;`, which names the separator for Excel.
fn parse_separator_line(line: &str) -> Option<u8> {
    let line = line.trim_matches(['"', '\r', ' ']);
    let (key, separator) = line.split_at_checked(4)?;
    match separator.as_bytes() {
        [separator, ..] if key.eq_ignore_ascii_case("sep=") => Some(*separator),
        _ => None,
    }
}

/// The numbers of cells in the first rows, and what follows from them.
struct Layout {
    /// The byte offset of the header.
    start: usize,
    lines_before: u32,
    has_row_names: bool,
    splits_numbers: bool,
}

/// A row in the start of the text.
#[derive(Default)]
struct Record {
    start: usize,
    /// The number of lines before this row.
    line: u32,
    cells: usize,
    /// The number of cells up to the last one that is not empty.
    filled: usize,
    values: usize,
    is_first_empty: bool,
    has_gap: bool,
    /// `true` if each pair of cells is an integer and digits.
    is_split_numbers: bool,
}

impl Record {
    fn new<'a>(
        start: usize,
        line: u32,
        cells: impl Iterator<Item = &'a str>,
        reader: &CellReader<'_>,
    ) -> Self {
        let mut record = Self { start, line, is_split_numbers: true, ..Self::default() };
        let mut is_integer = false;
        for cell in cells.map(str::trim) {
            let is_digits = !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
            if record.cells.is_multiple_of(2) {
                let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
                is_integer = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
            } else {
                record.is_split_numbers &= is_integer && is_digits;
            }
            record.is_first_empty |= record.cells == 0 && cell.is_empty();
            record.cells += 1;
            if !cell.is_empty() {
                record.has_gap |= record.filled + 1 < record.cells;
                record.filled = record.cells;
                record.values += usize::from(reader.is_value(cell));
            }
        }
        record.is_split_numbers &= record.cells.is_multiple_of(2);
        record
    }
}

impl Layout {
    /// Returns `None` if there are no rows of numbers with as many cells as the header.
    fn detect(text: &str, delimiter: u8, reader: &CellReader<'_>) -> Option<Self> {
        let records = read_first_records(text, delimiter, reader);
        let cells = usual_cell_count(&records)?;
        let is_row = |index: usize| {
            records.get(index).is_none_or(|it| {
                it.cells == cells
                    && it.filled + 1 >= cells
                    && it.values >= 2.min(cells - 1)
                    && 2 * it.values >= it.filled
            })
        };
        let first_row = (0..records.len()).find(|index| is_row(*index) && is_row(index + 1))?;
        let above = &records[..first_row];
        let header =
            above.iter().position(|it| it.values == 0 && it.filled >= cells).or_else(|| {
                let last = above.last().filter(|it| it.values == 0)?;
                let lacks_name = last.filled + 1 == cells || 2 * last.filled == cells;
                lacks_name.then_some(above.len() - 1)
            })?;
        let mut start = header;
        // A row above the header that names groups of columns has empty cells, or a cell where the
        // header has none.
        while let Some(group) = start.checked_sub(1).map(|index| &records[index])
            && group.values == 0
            && group.line + 1 == records[start].line
            && (group.has_gap || records[start].is_first_empty && !group.is_first_empty)
        {
            start -= 1;
        }
        let names = above[start..].iter().map(|it| it.filled).max()?;
        let has_names_for = above[start..].iter().map(|it| it.cells).max()?;
        let rows = &records[first_row..];
        let usual = rows.iter().filter(|it| it.cells == cells);
        Some(Self {
            start: if start == 0 { 0 } else { records[start].start },
            lines_before: if start == 0 { 0 } else { records[start].line },
            has_row_names: names + 1 == cells
                && has_names_for < cells
                && usual.clone().any(|it| it.filled == cells),
            splits_numbers: delimiter == b','
                && 2 * names == cells
                && rows.iter().all(|it| it.cells == cells && it.is_split_numbers),
        })
    }
}

/// Returns the number of cells that most of the last rows have, or `None` if it is below 2.
fn usual_cell_count(records: &[Record]) -> Option<usize> {
    const MAX_ROWS: usize = 4;
    let last = &records[records.len().saturating_sub(MAX_ROWS)..];
    let count = |cells: usize| last.iter().filter(|it| it.cells == cells).count();
    let usual = last.iter().map(|it| it.cells).max_by_key(|cells| (count(*cells), *cells))?;
    (usual >= 2).then_some(usual)
}

/// Reads the rows in the first 64 KiB, but at least three.
fn read_first_records(text: &str, delimiter: u8, reader: &CellReader<'_>) -> Vec<Record> {
    const MAX_BYTES: usize = 1 << 16;
    const MIN_RECORDS: usize = 3;
    const MAX_RECORDS: usize = 256;
    let is_enough = |records: &[Record], at: usize| {
        records.len() >= MAX_RECORDS || at > MAX_BYTES && records.len() >= MIN_RECORDS
    };
    let mut records: Vec<Record> = Vec::new();
    if delimiter == b' ' {
        let mut lines = Lines::new(text);
        let (mut start, mut line_number) = (0, 0);
        while let Some(line) = lines.next()
            && !is_enough(&records, start)
        {
            if !line.trim().is_empty() && !line.starts_with('#') {
                records.push(Record::new(start, line_number, split_blanks(line), reader));
            }
            (start, line_number) = (lines.offset, lines.line_number - 1);
        }
        return records;
    }
    let mut csv = quoted_row_reader(text, delimiter);
    let mut record = ByteRecord::new();
    while !is_enough(&records, csv.position().byte() as usize)
        && csv.read_byte_record(&mut record).unwrap_or(false)
    {
        let cells = record.iter().map(|cell| str::from_utf8(cell).unwrap_or_default());
        // The position is the end of the row before, which may be in the middle of a CRLF, or above
        // empty lines.
        let position = record.position().map_or((0, 1), |it| (it.byte() as usize, it.line()));
        let blank =
            text[position.0..].len() - text[position.0..].trim_start_matches(['\r', '\n']).len();
        let breaks = text[position.0..position.0 + blank].matches('\n').count();
        let line = position.1 as u32 - 1 + breaks as u32;
        records.push(Record::new(position.0 + blank, line, cells, reader));
    }
    records
}

pub(super) fn split_cells(line: &str, delimiter: u8) -> Box<dyn Iterator<Item = &str> + '_> {
    match delimiter {
        b' ' => Box::new(split_blanks(line)),
        other => Box::new(line.split(char::from(other)).map(str::trim)),
    }
}

/// Returns the most frequent of tab, semicolon and comma. Returns a space if the header has none of
/// them.
fn detect_delimiter(header: &str) -> u8 {
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    let most = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
    if count(&most) == 0 { b' ' } else { most }
}

pub(super) struct Lines<'a> {
    text: &'a str,
    pub(super) offset: usize,
    /// The number of the next line. The first line is line 1.
    pub(super) line_number: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, offset: 0, line_number: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.offset..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.offset += end;
        self.line_number = self.line_number.saturating_add(1);
        Some(rest[..end].trim_end_matches(['\n', '\r']))
    }
}
