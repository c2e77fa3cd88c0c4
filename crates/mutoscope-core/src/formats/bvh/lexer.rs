//! Words of a BVH file, with their lines.

use crate::diagnostics::SourceLocation;

/// A word: a brace, or bytes between white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    /// Counted from 1.
    pub(super) line: u32,
    /// In bytes, counted from 1.
    pub(super) column: u32,
}

impl Word<'_> {
    /// Whether it is this keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// Where it stands.
    pub(super) fn place(&self) -> SourceLocation {
        SourceLocation::column(self.line, self.column)
    }

    /// Its text for messages.
    pub(super) fn quoted(&self) -> String {
        quoted(self.text)
    }
}

/// Text for messages, shortened.
pub(super) fn quoted(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    if text.len() > LONGEST { format!("{shown:?}…") } else { format!("{shown:?}") }
}

/// Goes through a file word by word. Lines end in LF, CR LF, or CR.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    /// From the first byte on; a byte order mark is passed over.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let offset = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, offset, line: 1, line_start: offset }
    }

    /// The next word, if there is one; a brace is a word of its own.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == 0);
        let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | 0);
        self.word(is_end)
    }

    /// The next word in the header of the motion, where colons end words as blanks do.
    pub(super) fn next_of_motion(&mut self) -> Option<Word<'a>> {
        let is_space = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b':' | 0);
        self.skip(is_space);
        self.word(is_space)
    }

    /// The same as [`Self::next`], and stays before it.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.clone().next()
    }

    /// The rest of the line up to a brace, without surrounding white space.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let left = &self.bytes[self.offset..];
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'{' | b'}');
        let length = left.iter().position(is_end).unwrap_or(left.len());
        self.offset += length;
        left[..length].trim_ascii()
    }

    /// The next line that has words, with its number: nothing at the end of the file.
    pub(super) fn next_line(&mut self) -> Option<(u32, &'a [u8])> {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == 0);
        let left = &self.bytes[self.offset..];
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let length = left.iter().position(is_end).unwrap_or(left.len());
        self.offset += length;
        (length > 0).then_some((self.line, &left[..length]))
    }

    /// Where it is.
    pub(super) fn place(&self) -> SourceLocation {
        SourceLocation::column(self.line, self.column())
    }

    fn column(&self) -> u32 {
        u32::try_from(self.offset - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn word(&mut self, is_end: impl Fn(u8) -> bool) -> Option<Word<'a>> {
        let left = &self.bytes[self.offset..];
        let is_brace = matches!(left.first()?, b'{' | b'}');
        let end = left.iter().position(|&byte| is_end(byte)).unwrap_or(left.len());
        let length = if is_brace { 1 } else { end };
        let word = Word { text: &left[..length], line: self.line, column: self.column() };
        self.offset += length;
        Some(word)
    }

    fn skip(&mut self, is_space: impl Fn(u8) -> bool) {
        while let Some(&byte) = self.bytes.get(self.offset).filter(|&&byte| is_space(byte)) {
            self.offset += 1;
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => self.bytes.get(self.offset) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                self.line = self.line.saturating_add(1);
                self.line_start = self.offset;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lexer_splits_words_braces_and_line_ends() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfROOT Left Hip{\r\n\tOFFSET 1\r}\nFrames:2");
        let mut next = |of_motion: bool| {
            let word = if of_motion { lexer.next_of_motion() } else { lexer.next() };
            let word = word.unwrap();
            (String::from_utf8(word.text.to_vec()).unwrap(), word.line, word.column)
        };
        let words = [(); 8].map(|()| next(false));
        let expected = [
            ("ROOT", 1, 1),
            ("Left", 1, 6),
            ("Hip", 1, 11),
            ("{", 1, 14),
            ("OFFSET", 2, 2),
            ("1", 2, 9),
            ("}", 3, 1),
            ("Frames:2", 4, 1),
        ];
        assert_eq!(words, expected.map(|(text, line, column)| (text.to_owned(), line, column)));
        let mut lexer = Lexer::new(b"Frames :2\n");
        let words = [(); 3].map(|()| lexer.next_of_motion().map(|word| word.text));
        assert_eq!(words, [Some(&b"Frames"[..]), Some(b"2"), None]);
    }

    #[test]
    fn names_extend_to_the_line_end() {
        let mut lexer = Lexer::new(b"ROOT  Left Hip {\nJOINT\n");
        lexer.next();
        assert_eq!(lexer.rest_of_line(), b"Left Hip");
        assert_eq!(lexer.next().map(|word| word.text), Some(&b"{"[..]));
        lexer.next();
        assert_eq!(lexer.rest_of_line(), b"");
        assert_eq!((lexer.next(), lexer.next_line()), (None, None));
    }
}
