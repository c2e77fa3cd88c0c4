//! Splits text into rows and cells.

use csv::{ByteRecord, ReaderBuilder};

use super::header::{Dialect, Lines};

pub(super) fn for_each_row(
    text: &str,
    first_line: u32,
    dialect: Dialect,
    mut each: impl FnMut(u32, &[&str]),
) {
    if dialect.delimiter == b' ' {
        let mut lines = Lines::new(text);
        let mut number = lines.line_number;
        let mut cells = Vec::new();
        while let Some(line) = lines.next() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                cells.clear();
                cells.extend(split_blanks(line));
                each(first_line + number - 1, &cells);
            }
            number = lines.line_number;
        }
        return;
    }
    let plain = read_plain_rows(text, first_line, dialect.delimiter, &mut each);
    if plain.at < text.len() {
        read_quoted_rows(&text[plain.at..], plain.line, dialect.delimiter, &mut each);
    }
}

/// Some whole rows of a text, one after the other.
pub(super) struct Block<'a> {
    /// The line number of the first row.
    pub(super) line: u32,
    pub(super) text: &'a str,
}

/// Divides a text into blocks of rows of about `size` bytes. The last block has all rows from the
/// first quoted cell with a line break on, and from the first line break on that is neither LF nor
/// CRLF.
pub(super) fn divide_rows(
    text: &str,
    first_line: u32,
    dialect: Dialect,
    size: usize,
) -> Vec<Block<'_>> {
    let is_divisible = |block: &str| {
        let bytes = block.as_bytes();
        let has_quotes = bytes.contains(&b'"');
        block.match_indices('\r').all(|(at, _)| bytes.get(at + 1) == Some(&b'\n'))
            && !(has_quotes && block.lines().any(|line| ends_in_quotes(line, dialect.delimiter)))
    };
    let line_end = |text: &str| text.as_bytes().get(size..)?.iter().position(|it| *it == b'\n');
    let mut blocks = Vec::new();
    let mut rest = Block { line: first_line, text };
    while let Some(end) = line_end(rest.text) {
        let (block, after) = rest.text.split_at(size + end + 1);
        if !is_divisible(block) {
            break;
        }
        let lines = block.bytes().filter(|byte| *byte == b'\n').count();
        let line = rest.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        blocks.push(Block { text: block, ..rest });
        rest = Block { line, text: after };
    }
    blocks.push(rest);
    blocks
}

/// Returns `true` if the last cell of a row continues in the next line, because the cell has an
/// opening quote only. Quotes inside an unquoted cell are text, as the crate `csv` reads them.
fn ends_in_quotes(line: &str, delimiter: u8) -> bool {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        CellStart,
        Unquoted,
        Quoted,
        /// After a quote in a quoted cell: the end of the cell, or the first of two quotes.
        AfterQuote,
    }
    let next = |state: State, byte: u8| match (state, byte) {
        (State::Quoted, b'"') => State::AfterQuote,
        (State::Quoted, _) | (State::CellStart | State::AfterQuote, b'"') => State::Quoted,
        (_, byte) if byte == delimiter => State::CellStart,
        _ => State::Unquoted,
    };
    !line.starts_with('#') && line.bytes().fold(State::CellStart, next) == State::Quoted
}

/// Splits a line at runs of blanks, except within quotes. R writes quoted cells with blanks between
/// them.
pub(super) fn split_blanks(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let is_blank = |character: char| character.is_ascii_whitespace();
        let (cell, after) = match rest.strip_prefix('"').and_then(|it| it.split_once('"')) {
            Some((cell, after)) if after.is_empty() || after.starts_with(is_blank) => (cell, after),
            _ => rest.split_at(rest.find(is_blank).unwrap_or(rest.len())),
        };
        let is_end = rest.is_empty();
        rest = after;
        (!is_end).then_some(cell)
    })
}

#[derive(Clone, Copy)]
struct RowStart {
    at: usize,
    line: u32,
}

/// Reads rows without copying cells. Stops at the first quote, or at a line break other than LF and
/// CRLF. Returns the start of the first row that was not read.
fn read_plain_rows(
    text: &str,
    first_line: u32,
    delimiter: u8,
    each: &mut impl FnMut(u32, &[&str]),
) -> RowStart {
    let bytes = text.as_bytes();
    let mut row = RowStart { at: 0, line: first_line };
    let mut cells: Vec<&str> = Vec::new();
    while row.at < bytes.len() {
        cells.clear();
        let mut cell = row.at;
        let mut at = cell;
        let end = loop {
            match bytes.get(at) {
                Some(b'\n') | None => break at,
                Some(b'"') => return row,
                Some(b'\r') if bytes.get(at + 1).is_some_and(|next| *next != b'\n') => {
                    return row;
                }
                Some(byte) if *byte == delimiter => {
                    cells.push(&text[cell..at]);
                    cell = at + 1;
                }
                Some(_) => {}
            }
            at += 1;
        };
        let is_crlf = end > cell && bytes[end - 1] == b'\r';
        cells.push(&text[cell..end - usize::from(is_crlf)]);
        let is_empty = cells.len() == 1 && cells[0].is_empty();
        if !is_empty && bytes[row.at] != b'#' {
            each(row.line, &cells);
        }
        row = RowStart { at: end + 1, line: row.line.saturating_add(1) };
    }
    row
}

pub(super) fn quoted_row_reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
}

/// Reads rows with the crate `csv`, which handles quotes but copies each cell.
fn read_quoted_rows(
    text: &str,
    first_line: u32,
    delimiter: u8,
    each: &mut impl FnMut(u32, &[&str]),
) {
    let mut reader = quoted_row_reader(text, delimiter);
    let mut record = ByteRecord::new();
    // Reading from memory cannot fail, because the reader accepts rows with any number of cells.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        let (line, start) =
            record.position().map_or((1, 0), |position| (position.line(), position.byte()));
        // The reader states its position before it skips comments and empty lines, and between CR
        // and LF.
        let before = text.get(start as usize..).unwrap_or_default().split('\n');
        let is_skipped = |line: &&str| matches!(*line, "" | "\r") || line.starts_with('#');
        let line = line + before.take_while(is_skipped).count() as u64 - 1;
        let line = u32::try_from(u64::from(first_line) + line).unwrap_or(u32::MAX);
        let cells = record.iter().map(|cell| str::from_utf8(cell).unwrap_or_default());
        each(line, &cells.collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(u32, Vec<String>)> {
        let mut rows = Vec::new();
        let dialect = Dialect { delimiter: b',', has_decimal_comma: false };
        for_each_row(text, 3, dialect, |line, cells| {
            rows.push((line, cells.iter().map(|cell| (*cell).to_owned()).collect()));
        });
        rows
    }

    #[test]
    fn cells_with_line_breaks_end_in_quotes() {
        let lines = ["a,\"b", "\"", "\"a\"\"", "\"a,b", "1,\"\"\"", "\"a\"b,\"c"];
        for line in lines {
            assert!(ends_in_quotes(line, b','), "{line}");
            let text = format!("{line}\nrest\"\n");
            assert_eq!(rows(&text).len(), 1, "{text}");
        }
        for line in
            ["", "a", "\"a\"", "5\",b", "\"a\"\"b\"", "\"\"", "# \"a", "\"a\"b\",c", "a\"b,\"c\""]
        {
            assert!(!ends_in_quotes(line, b','), "{line}");
            let text = format!("first\n{line}\nrest,1\n");
            assert_eq!(rows(&text).last().unwrap().1, ["rest", "1"], "{text}");
        }
    }

    fn by_csv(text: &str) -> Vec<(u32, Vec<String>)> {
        let mut rows = Vec::new();
        read_quoted_rows(text, 3, b',', &mut |line, cells: &[&str]| {
            rows.push((line, cells.iter().map(|cell| (*cell).to_owned()).collect()));
        });
        rows
    }

    #[test]
    fn rows_equal_those_of_the_csv_crate() {
        let texts = [
            "",
            "a",
            "a,b\n1,2\n",
            "a,b\r\n1,2\r\n\r\n3,4",
            "\n\n# a comment, with \"quotes\"\na,,\n,\n#b\n1,2,3",
            "a,b\n1,\"x,\ny\"\n3,4\n# c\n5,6\n",
            "a,b\r1,2\r3,4",
            "a,b\n1,2\r\r\n3,4\n\r\n5,6\r",
            "é,ü\n1,µ\n",
            "a,b\n \n1,2\n",
        ];
        for text in texts {
            assert_eq!(rows(text), by_csv(text), "{text:?}");
        }
        let lines = |text| -> Vec<u32> { rows(text).into_iter().map(|(line, _)| line).collect() };
        assert_eq!(lines("a\n\n# c\nb\n"), [3, 6]);
        assert_eq!(lines("a\r\n1\r\n\r\n3"), [3, 4, 6]);
    }
}
