//! Where the lines of a text begin.

use super::SourceLocation;

/// Where the lines of a text begin, to convert offsets to lines and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// The offset of the first byte of each line but the first.
    starts: Box<[u32]>,
}

impl Lines {
    /// The lines of `text`, as far as the first four gibibytes.
    pub fn new(text: &[u8]) -> Self {
        let ends = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        Self { starts: ends.map_while(|(end, _)| u32::try_from(end + 1).ok()).collect() }
    }

    /// The line and column of the byte at `offset`.
    pub fn place(&self, offset: usize) -> SourceLocation {
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        let start = line.checked_sub(1).map_or(0, |before| self.starts[before] as usize);
        SourceLocation::column(
            line as u32 + 1,
            u32::try_from(offset - start + 1).unwrap_or(u32::MAX),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let lines = Lines::new(b"ab\n\ncd");
        let places = [0, 1, 2, 3, 4, 5, 6].map(|offset| lines.place(offset));
        let expected = [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)];
        assert_eq!(places, expected.map(|(line, column)| SourceLocation::column(line, column)));
    }
}
