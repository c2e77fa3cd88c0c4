//! Splits the bytes into words, braces and line ends.

use crate::diagnostics::SourceLocation;

/// The position in the text of an `.anim` file at which the next token begins. To look ahead, copy
/// the lexer and read from the copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: u32,
    line_start: usize,
    token_start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A word, or the text between quotes.
    Word(&'a [u8]),
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// `;`.
    Semicolon,
    /// A line end: LF, CR LF, or a lone CR.
    LineEnd,
    /// The end of the file.
    End,
}

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let all = b" \t\r\n\x0b\x0c;{}";
    let mut index = 0;
    while index < all.len() {
        ends[all[index] as usize] = true;
        index += 1;
    }
    ends
};

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Self { bytes, offset: start, line: 1, line_start: start, token_start: start }
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// Returns the start of the latest token. The location is wrong if that token is a line end,
    /// because the lexer has already advanced to the next line.
    pub(super) fn location(&self) -> SourceLocation {
        let column = self.token_start.saturating_sub(self.line_start) + 1;
        SourceLocation::column(self.line, column as u32)
    }

    pub(super) fn is_before_brace(&self) -> bool {
        matches!(self.bytes.get(self.offset), Some(b'{' | b'}'))
    }

    #[inline]
    pub(super) fn next_token(&mut self) -> Token<'a> {
        loop {
            let Some(&byte) = self.bytes.get(self.offset) else {
                self.token_start = self.offset;
                return Token::End;
            };
            match byte {
                b' ' | b'\t' | b'\x0b' | b'\x0c' => self.offset += 1,
                b'#' | b'/' => self.skip_line(),
                _ => return self.read_token(byte),
            }
        }
    }

    fn read_token(&mut self, first: u8) -> Token<'a> {
        self.token_start = self.offset;
        match first {
            b'\n' | b'\r' => {
                self.end_line();
                Token::LineEnd
            }
            b';' => self.read_single(Token::Semicolon),
            b'{' => self.read_single(Token::Open),
            b'}' => self.read_single(Token::Close),
            b'"' => Token::Word(self.read_quoted()),
            _ => {
                let word = &self.bytes[self.offset..];
                let ends = word.iter().position(|&byte| ENDS_WORD[usize::from(byte)]);
                let length = ends.unwrap_or(word.len());
                self.offset += length;
                Token::Word(&word[..length])
            }
        }
    }

    fn read_single(&mut self, token: Token<'a>) -> Token<'a> {
        self.offset += 1;
        token
    }

    /// Returns the text between quotes, which may contain line ends. If the closing quote is
    /// missing, returns the rest of the statement.
    fn read_quoted(&mut self) -> &'a [u8] {
        self.offset += 1;
        let text = &self.bytes[self.offset..];
        let Some(length) = text.iter().position(|&byte| byte == b'"') else {
            let length = text.iter().position(|&byte| matches!(byte, b'\r' | b'\n' | b';'));
            let length = length.unwrap_or(text.len());
            self.offset += length;
            return &text[..length];
        };
        let closing = self.offset + length;
        while self.offset < closing {
            match self.bytes[self.offset] {
                b'\n' | b'\r' => self.end_line(),
                _ => self.offset += 1,
            }
        }
        self.offset = closing + 1;
        &text[..length]
    }

    pub(super) fn read_rest_of_statement(&mut self) -> &'a [u8] {
        let text = &self.bytes[self.offset..];
        let ends = text.iter().position(|&byte| matches!(byte, b'\r' | b'\n' | b';'));
        let length = ends.unwrap_or(text.len());
        self.offset += length;
        text[..length].trim_ascii()
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.offset..];
        let ends = rest.iter().position(|&byte| matches!(byte, b'\r' | b'\n'));
        self.offset += ends.unwrap_or(rest.len());
    }

    fn end_line(&mut self) {
        let is_pair = self.bytes[self.offset..].starts_with(b"\r\n");
        self.offset += if is_pair { 2 } else { 1 };
        self.line += 1;
        self.line_start = self.offset;
    }
}

#[cfg(test)]
mod tests {
    use super::{Token::*, *};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| Some(lexer.next_token()).filter(|&token| token != End)).collect()
    }

    #[test]
    fn words_end_at_blanks_braces_and_quotes() {
        let cases: [(&str, &str, &[Token]); 11] = [
            ("blanks", " a\tb\x0b\x0cc ", &[Word(b"a"), Word(b"b"), Word(b"c")]),
            ("semicolons", "a;b ;", &[Word(b"a"), Semicolon, Word(b"b"), Semicolon]),
            ("glued braces", "keys{}", &[Word(b"keys"), Open, Close]),
            ("a comment", "a # b\nc", &[Word(b"a"), LineEnd, Word(b"c")]),
            ("a slash", "/ b\n// c", &[LineEnd]),
            ("a comment after all", "a;//b", &[Word(b"a"), Semicolon]),
            ("names keep what comes later", "a/b#c", &[Word(b"a/b#c")]),
            (
                "line ends",
                "a\r\nb\rc\n",
                &[Word(b"a"), LineEnd, Word(b"b"), LineEnd, Word(b"c"), LineEnd],
            ),
            ("quotes", "\"a; b\" c", &[Word(b"a; b"), Word(b"c")]),
            ("an open quote", "\"a b\nc", &[Word(b"a b"), LineEnd, Word(b"c")]),
            ("a byte order mark", "\u{feff}a", &[Word(b"a")]),
        ];
        for (case, text, expected) in cases {
            assert_eq!(tokens(text), expected, "{case}");
        }
    }

    #[test]
    fn locations_count_lines_and_columns_from_one() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbfab\r\n\r  c \"d\ne\" f");
        let mut locations = Vec::new();
        loop {
            match lexer.next_token() {
                End => break,
                Word(word) => locations.push((word, lexer.location().to_string())),
                _ => {}
            }
        }
        let location = |line, column| format!("line {line}, column {column}");
        let expected: [(&[u8], _); 4] = [
            (b"ab", location(1, 1)),
            (b"c", location(3, 3)),
            (b"d\ne", location(4, 1)),
            (b"f", location(4, 4)),
        ];
        assert_eq!(locations, expected);
    }

    #[test]
    fn rest_of_statement_keeps_blanks() {
        let mut lexer = Lexer::new(b"mayaVersion 2012 x64 ;\nnext");
        lexer.next_token();
        assert_eq!(lexer.read_rest_of_statement(), b"2012 x64");
        assert_eq!(lexer.next_token(), Semicolon);
    }
}
