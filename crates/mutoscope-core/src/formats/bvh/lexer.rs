//! Splits a BVH file into tokens and lines.

use crate::diagnostics::SourceLocation;

/// Some editors write this mark before UTF-8 text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A brace, or a run of other bytes between white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a [u8],
    /// Counted from 1.
    pub(super) line: u32,
    /// In bytes, counted from 1.
    pub(super) column: u32,
}

impl Token<'_> {
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    pub(super) fn location(&self) -> SourceLocation {
        SourceLocation::column(self.line, self.column)
    }

    pub(super) fn quoted(&self) -> String {
        quoted(self.text)
    }
}

pub(super) fn quoted(text: &[u8]) -> String {
    const MAX_QUOTED_BYTES: usize = 40;
    let shown = String::from_utf8_lossy(&text[..text.len().min(MAX_QUOTED_BYTES)]);
    if text.len() > MAX_QUOTED_BYTES { format!("{shown:?}…") } else { format!("{shown:?}") }
}

/// A read position in a BVH file. Lines end in LF, CR LF or CR.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let offset = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { bytes, offset, line: 1, line_start: offset }
    }

    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0);
        let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | 0);
        self.read_token(is_end)
    }

    /// The header of the motion separates tokens by colons as well as by white space.
    pub(super) fn next_header_token(&mut self) -> Option<Token<'a>> {
        let is_space = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b':' | 0);
        self.skip_while(is_space);
        self.read_token(is_space)
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next_token()
    }

    pub(super) fn read_rest_of_line(&mut self) -> &'a [u8] {
        let left = &self.bytes[self.offset..];
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'{' | b'}');
        let length = left.iter().position(is_end).unwrap_or(left.len());
        self.offset += length;
        left[..length].trim_ascii()
    }

    pub(super) fn next_line(&mut self) -> Option<(u32, &'a [u8])> {
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0);
        self.read_line()
    }

    /// Returns the next line that is not blank, even if it is a comment.
    pub(super) fn next_line_with_comments(&mut self) -> Option<(u32, &'a [u8])> {
        self.skip_space(|byte| byte.is_ascii_whitespace() || byte == 0);
        self.read_line()
    }

    fn read_line(&mut self) -> Option<(u32, &'a [u8])> {
        let left = &self.bytes[self.offset..];
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let length = left.iter().position(is_end).unwrap_or(left.len());
        self.offset += length;
        (length > 0).then_some((self.line, &left[..length]))
    }

    pub(super) fn location(&self) -> SourceLocation {
        SourceLocation::column(self.line, self.column())
    }

    fn column(&self) -> u32 {
        u32::try_from(self.offset - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn read_token(&mut self, is_end: impl Fn(u8) -> bool) -> Option<Token<'a>> {
        let left = &self.bytes[self.offset..];
        let is_brace = matches!(left.first()?, b'{' | b'}');
        let end = left.iter().position(|&byte| is_end(byte)).unwrap_or(left.len());
        let length = if is_brace { 1 } else { end };
        let token = Token { text: &left[..length], line: self.line, column: self.column() };
        self.offset += length;
        Some(token)
    }

    /// Skips white space and comments. The format has no comments, but some writers add lines that
    /// begin with `#` or `//`.
    fn skip_while(&mut self, is_space: impl Fn(u8) -> bool) {
        self.skip_space(&is_space);
        while self.bytes[self.offset..].starts_with(b"#")
            || self.bytes[self.offset..].starts_with(b"//")
        {
            self.read_line();
            self.skip_space(&is_space);
        }
    }

    fn skip_space(&mut self, is_space: impl Fn(u8) -> bool) {
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
    fn lexer_splits_tokens_braces_and_line_ends() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfROOT Left Hip{\r\n\tOFFSET 1\r}\nFrames:2");
        let mut next = |in_header: bool| {
            let token = if in_header { lexer.next_header_token() } else { lexer.next_token() };
            let token = token.unwrap();
            (String::from_utf8(token.text.to_vec()).unwrap(), token.line, token.column)
        };
        let tokens = [(); 8].map(|()| next(false));
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
        assert_eq!(tokens, expected.map(|(text, line, column)| (text.to_owned(), line, column)));
        let mut lexer = Lexer::new(b"Frames :2\n");
        let tokens = [(); 3].map(|()| lexer.next_header_token().map(|token| token.text));
        assert_eq!(tokens, [Some(&b"Frames"[..]), Some(b"2"), None]);
    }

    #[test]
    fn comments_are_skipped_except_in_names() {
        let mut lexer = Lexer::new(b"# {\r\n// a\nROOT #1 {\n} # b\n\n# c\n1 2\n#d\n3");
        assert_eq!(
            lexer.next_token().map(|token| (token.text, token.line)),
            Some((&b"ROOT"[..], 3))
        );
        assert_eq!(lexer.read_rest_of_line(), b"#1");
        lexer.next_token();
        lexer.next_token();
        assert_eq!(lexer.next_line(), Some((7, &b"1 2"[..])));
        assert_eq!(lexer.next_line(), Some((9, &b"3"[..])));
        assert_eq!(lexer.next_line(), None);
    }

    #[test]
    fn names_extend_to_the_line_end() {
        let mut lexer = Lexer::new(b"ROOT  Left Hip {\nJOINT\n");
        lexer.next_token();
        assert_eq!(lexer.read_rest_of_line(), b"Left Hip");
        assert_eq!(lexer.next_token().map(|token| token.text), Some(&b"{"[..]));
        lexer.next_token();
        assert_eq!(lexer.read_rest_of_line(), b"");
        assert_eq!((lexer.next_token(), lexer.next_line()), (None, None));
    }
}
