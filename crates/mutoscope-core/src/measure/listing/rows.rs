//! The rows of a text: its lines, long ones in pieces.

use std::ops::Range;

/// The most bytes of a line in one row.
const LONGEST: usize = 128;

/// Where the rows of a text begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRows {
    /// The offset of the first byte of each row.
    starts: Box<[u32]>,
    /// The first row of each line; nothing if every line is one row.
    lines: Option<Box<[u32]>>,
}

impl TextRows {
    /// The rows of `text`, as far as the first four gibibytes.
    pub fn new(text: &[u8]) -> Self {
        let mut rows = Rows { starts: vec![0], lines: vec![0], text };
        let mut line = 0;
        for (end, _) in text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
            if u32::try_from(end + 1).is_err() {
                break;
            }
            rows.break_up(line..end);
            line = end + 1;
            rows.lines.push(rows.starts.len() as u32);
            rows.starts.push(line as u32);
        }
        rows.break_up(line..text.len().min(u32::MAX as usize));
        let are_whole = rows.lines.len() == rows.starts.len();
        Self { starts: rows.starts.into(), lines: (!are_whole).then(|| rows.lines.into()) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a row of `text`, without the end of its line.
    pub(super) fn row(&self, row: usize, text: &[u8]) -> Range<usize> {
        let at = |row: usize| self.starts.get(row).map_or(text.len(), |&start| start as usize);
        let (start, mut end) = (at(row), at(row + 1));
        while end > start && matches!(text[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        start..end
    }

    /// The row that the byte at `offset` is in.
    pub(super) fn row_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// The number of the line that a row is of, from 1 on, and whether the line begins with it.
    pub fn line_of(&self, row: usize) -> (u32, bool) {
        match &self.lines {
            None => (row as u32 + 1, true),
            Some(lines) => {
                let line = lines.partition_point(|&first| first as usize <= row);
                (line as u32, line > 0 && lines[line - 1] as usize == row)
            }
        }
    }

    /// The bytes of the line with this number, from 1 on, without its end; nothing if there is none.
    pub(super) fn line(&self, number: u32, text: &[u8]) -> Option<Range<usize>> {
        let line = (number as usize).checked_sub(1)?;
        let (first, next) = match &self.lines {
            None => (line, line + 1),
            Some(lines) => {
                let next = lines.get(line + 1).map_or(self.starts.len(), |&row| row as usize);
                (*lines.get(line)? as usize, next)
            }
        };
        (first < self.starts.len()).then(|| {
            let last = self.row(next - 1, text);
            self.starts[first] as usize..last.end
        })
    }
}

/// Rows under construction.
struct Rows<'a> {
    starts: Vec<u32>,
    lines: Vec<u32>,
    text: &'a [u8],
}

impl Rows<'_> {
    /// Breaks a line, whose first row is there, into rows, never within a letter.
    fn break_up(&mut self, line: Range<usize>) {
        let mut start = line.start;
        while line.end - start > LONGEST {
            let limit = start + LONGEST;
            let is_within_letter = |&at: &usize| self.text[at] & 0xc0 == 0x80;
            start = (start + 1..=limit).rev().find(|at| !is_within_letter(at)).unwrap_or(limit);
            self.starts.push(start as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_letters() {
        let text = format!("short\r\n{}\n\nlast", "aé".repeat(100));
        let rows = TextRows::new(text.as_bytes());
        let texts: Vec<&str> =
            (0..rows.count()).map(|row| &text[rows.row(row, text.as_bytes())]).collect();
        assert_eq!(texts[0], "short");
        assert_eq!(texts[1..4].concat(), "aé".repeat(100));
        assert!(texts[1].len() <= 128 && texts[2].len() <= 128);
        assert_eq!(&texts[4..], ["", "last"]);
        let lines: Vec<_> = (0..rows.count()).map(|row| rows.line_of(row)).collect();
        assert_eq!(lines, [(1, true), (2, true), (2, false), (2, false), (3, true), (4, true)]);
        assert_eq!(rows.line(2, text.as_bytes()), Some(7..307));
        assert_eq!([0, 5].map(|line| rows.line(line, text.as_bytes())), [None, None]);
    }
}
