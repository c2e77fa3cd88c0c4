//! The header of a table of text: where it is, and how cells are separated.

use super::cells::CellReader;
use crate::mapping::TableOptions;

/// The way that a text is divided into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The character between cells; any run of blanks for a blank.
    pub(super) delimiter: u8,
    pub(super) has_decimal_comma: bool,
}

/// The beginning of a table of text.
pub(super) struct Head<'a> {
    pub(super) dialect: Dialect,
    /// The header, where it is a comment line.
    pub(super) comment: Option<&'a str>,
    /// The first byte of the rows, or of the header if it is no comment.
    pub(super) start: usize,
    /// The number of the line there, from 1 on.
    pub(super) line: u32,
}

impl<'a> Head<'a> {
    /// Finds the beginning of a table.
    pub(super) fn of(text: &'a str, options: &TableOptions) -> Self {
        let mut lines = Lines::new(text);
        for _ in 0..options.skip.unwrap_or(0) {
            lines.next();
        }
        let (mut comment, mut first) = (None, None);
        let mut start = (lines.at, lines.number);
        while let Some(line) = lines.next() {
            match line.trim_start().strip_prefix('#') {
                Some(rest) => comment = Some(rest.trim()),
                None if line.trim().is_empty() => {}
                None => {
                    first = Some(line);
                    break;
                }
            }
            start = (lines.at, lines.number);
        }
        let first = first.unwrap_or_default();
        let rest = &text[start.0..];
        let dialect = |header: &str| {
            let delimiter = options.delimiter.unwrap_or_else(|| delimiter_of(header));
            let has_decimal_comma = match options.decimal {
                Some(decimal) => decimal == b',',
                None => delimiter != b',' && has_decimal_comma(rest, delimiter),
            };
            Dialect { delimiter, has_decimal_comma }
        };
        // A comment is the header if it has as many cells as the first row, which is none itself.
        let of_comment = comment.map(|comment| (comment, dialect(comment)));
        let is_header = |&(comment, dialect): &(&str, Dialect)| {
            let reader = CellReader::new(options, dialect.has_decimal_comma);
            let cells = |line| split(line, dialect.delimiter);
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

/// The cells of a line without quotes.
pub(super) fn split(line: &str, delimiter: u8) -> Box<dyn Iterator<Item = &str> + '_> {
    match delimiter {
        b' ' => Box::new(line.split_ascii_whitespace()),
        other => Box::new(line.split(char::from(other)).map(str::trim)),
    }
}

/// The separator that is in the header most often, else blanks.
fn delimiter_of(header: &str) -> u8 {
    let count = |delimiter: &u8| header.bytes().filter(|byte| byte == delimiter).count();
    let most = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
    if count(&most) == 0 { b' ' } else { most }
}

/// Whether numbers have a decimal comma: cells have one, and none has a point.
fn has_decimal_comma(text: &str, delimiter: u8) -> bool {
    const LINES: usize = 64;
    let mut any = false;
    for cell in Lines::new(text).take(LINES).flat_map(|line| split(line, delimiter)) {
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

/// The lines of a text, with their places.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// The byte that the next line begins at.
    pub(super) at: usize,
    /// The number of the next line, from 1 on.
    pub(super) number: u32,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, number: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.at += end;
        self.number = self.number.saturating_add(1);
        Some(rest[..end].trim_end_matches(['\n', '\r']))
    }
}
