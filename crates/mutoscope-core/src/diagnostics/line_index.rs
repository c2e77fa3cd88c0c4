//! An index of the lines of a text.

use super::SourceLocation;

/// An index of the lines of a text, which converts byte offsets to lines and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    later_line_starts: Box<[u32]>,
}

impl LineIndex {
    /// Indexes the lines of `text`. Lines that begin after the first 4 GiB are not indexed, because
    /// offsets are stored as `u32`.
    pub fn new(text: &[u8]) -> Self {
        let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        Self { later_line_starts: ends.map_while(|(end, _)| u32::try_from(end + 1).ok()).collect() }
    }

    /// Returns the line and the column of the byte at `offset`.
    pub fn location(&self, offset: usize) -> SourceLocation {
        let line = self.line_number(offset);
        let start = match line {
            1 => 0,
            _ => self.later_line_starts[line as usize - 2] as usize,
        };
        SourceLocation::column(line, u32::try_from(offset - start + 1).unwrap_or(u32::MAX))
    }

    /// Returns the line of the byte at `offset`. The first line is line 1.
    pub fn line_number(&self, offset: usize) -> u32 {
        1 + self.later_line_starts.partition_point(|&start| start as usize <= offset) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let lines = LineIndex::new(b"ab\n\ncd");
        let locations = [0, 1, 2, 3, 4, 5, 6].map(|offset| lines.location(offset));
        let expected = [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)];
        assert_eq!(locations, expected.map(|(line, column)| SourceLocation::column(line, column)));
    }
}
