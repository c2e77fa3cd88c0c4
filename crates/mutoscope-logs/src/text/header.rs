//! Finds the header of a text table, and how its cells are separated.

use super::cells::CellReader;
use crate::mapping::TableOptions;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The byte between cells. A space means any run of white space.
    pub(super) delimiter: u8,
    pub(super) has_decimal_comma: bool,
}

pub(super) struct Head<'a> {
    pub(super) dialect: Dialect,
    pub(super) comment: Option<&'a str>,
    /// The byte offset of the header row, or of the first row of values if the header is a comment.
    pub(super) start: usize,
    /// The line number at `start`. The first line is line 1.
    pub(super) line: u32,
}

impl<'a> Head<'a> {
    pub(super) fn detect(text: &'a str, options: &TableOptions) -> Self {
        let mut lines = Lines::new(text);
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
        let rest = &text[start.0..];
        let dialect = |header: &str| {
            let delimiter = options.delimiter.unwrap_or_else(|| detect_delimiter(header));
            let has_decimal_comma = match options.decimal {
                Some(decimal) => decimal == b',',
                None => delimiter != b',' && detect_decimal_comma(rest, delimiter),
            };
            Dialect { delimiter, has_decimal_comma }
        };
        // A comment is the header if it has as many cells as the first row, and if the first row
        // contains values.
        let of_comment = comment.map(|comment| (comment, dialect(comment)));
        let is_header = |&(comment, dialect): &(&str, Dialect)| {
            let reader = CellReader::new(options, dialect.has_decimal_comma);
            let cells = |line| split_cells(line, dialect.delimiter);
            options.header != Some(false)
                && cells(first).count() == cells(comment).count()
                && cells(first).any(|cell| reader.is_value(cell))
        };
        let of_comment = of_comment.filter(is_header);
        let dialect = of_comment.map_or_else(|| dialect(first), |(_, dialect)| dialect);
        Self {
            dialect,
            comment: of_comment.map(|(comment, _)| comment),
            start: start.0,
            line: start.1,
        }
    }
}

pub(super) fn split_cells(line: &str, delimiter: u8) -> Box<dyn Iterator<Item = &str> + '_> {
    match delimiter {
        b' ' => Box::new(line.split_ascii_whitespace()),
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

fn detect_decimal_comma(text: &str, delimiter: u8) -> bool {
    const MAX_LINES: usize = 64;
    let mut any = false;
    for cell in Lines::new(text).take(MAX_LINES).flat_map(|line| split_cells(line, delimiter)) {
        let is_numeric = |byte: u8| byte.is_ascii_digit() || b"+-eE.,".contains(&byte);
        let begins = cell.bytes().next().is_some_and(|byte| !byte.is_ascii_alphabetic());
        if begins && cell.bytes().all(is_numeric) {
            if cell.contains('.') {
                return false;
            }
            any |= cell.contains(',');
        }
    }
    any
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
