//! Splits a text into rows: its lines, with long lines in several rows.

use std::ops::Range;

const MAX_ROW_BYTES: usize = 128;

/// The row starts of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRows {
    starts: Box<[u32]>,
    /// The first row of each line, or `None` if every line is a single row.
    lines: Option<Box<[u32]>>,
}

impl TextRows {
    /// Splits `text` into rows. Only the first 4 GiB are split, because offsets have 32 bits.
    pub fn new(text: &[u8]) -> Self {
        let mut rows = RowBuilder { starts: vec![0], lines: vec![0], text };
        let mut line = 0;
        for (end, _) in text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            if u32::try_from(end + 1).is_err() {
                break;
            }
            rows.split_line(line..end);
            line = end + 1;
            rows.lines.push(rows.starts.len() as u32);
            rows.starts.push(line as u32);
        }
        rows.split_line(line..text.len().min(u32::MAX as usize));
        let has_one_row_per_line = rows.lines.len() == rows.starts.len();
        Self {
            starts: rows.starts.into(),
            lines: (!has_one_row_per_line).then(|| rows.lines.into()),
        }
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn row_range(&self, row: usize, text: &[u8]) -> Range<usize> {
        let at = |row: usize| self.starts.get(row).map_or(text.len(), |&start| start as usize);
        let (start, mut end) = (at(row), at(row + 1));
        while end > start && matches!(text[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        start..end
    }

    pub(super) fn row_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// Returns the line number of a row, starting at 1, and `true` if the line begins with this
    /// row.
    pub fn line_of_row(&self, row: usize) -> (u32, bool) {
        match &self.lines {
            None => (row as u32 + 1, true),
            Some(lines) => {
                let line = lines.partition_point(|&first| first as usize <= row);
                (line as u32, line > 0 && lines[line - 1] as usize == row)
            }
        }
    }

    pub(super) fn line_range(&self, number: u32, text: &[u8]) -> Option<Range<usize>> {
        let line = (number as usize).checked_sub(1)?;
        let (first, next) = match &self.lines {
            None => (line, line + 1),
            Some(lines) => {
                let next = lines.get(line + 1).map_or(self.starts.len(), |&row| row as usize);
                (*lines.get(line)? as usize, next)
            }
        };
        (first < self.starts.len()).then(|| {
            let last = self.row_range(next - 1, text);
            self.starts[first] as usize..last.end
        })
    }
}

struct RowBuilder<'a> {
    starts: Vec<u32>,
    lines: Vec<u32>,
    text: &'a [u8],
}

impl RowBuilder<'_> {
    /// Splits a line into rows, at the boundaries of UTF-8 characters. The caller has already added
    /// the first row.
    fn split_line(&mut self, line: Range<usize>) {
        let mut start = line.start;
        while line.end - start > MAX_ROW_BYTES {
            let limit = start + MAX_ROW_BYTES;
            let is_within_character = |&at: &usize| self.text[at] & 0xc0 == 0x80;
            start = (start + 1..=limit).rev().find(|at| !is_within_character(at)).unwrap_or(limit);
            self.starts.push(start as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_split_between_characters() {
        let text = format!("short\r\n{}\n\nlast", "aé".repeat(100));
        let rows = TextRows::new(text.as_bytes());
        let texts: Vec<&str> =
            (0..rows.row_count()).map(|row| &text[rows.row_range(row, text.as_bytes())]).collect();
        assert_eq!(texts[0], "short");
        assert_eq!(texts[1..4].concat(), "aé".repeat(100));
        assert!(texts[1].len() <= 128 && texts[2].len() <= 128);
        assert_eq!(&texts[4..], ["", "last"]);
        let lines: Vec<_> = (0..rows.row_count()).map(|row| rows.line_of_row(row)).collect();
        assert_eq!(lines, [(1, true), (2, true), (2, false), (2, false), (3, true), (4, true)]);
        assert_eq!(rows.line_range(2, text.as_bytes()), Some(7..307));
        assert_eq!([0, 5].map(|line| rows.line_range(line, text.as_bytes())), [None, None]);
    }
}
