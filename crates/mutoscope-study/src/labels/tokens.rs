//! Splits a TextGrid into tokens: quoted strings, free-standing numbers and flags. Praat treats
//! everything else as a comment.

use mutoscope_core::diagnostics::{Error, SourceLocation};

use super::Result;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Text(String),
    Number(f64),
    /// A flag such as `<exists>`, without the brackets.
    Flag(String),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "<{flag}>"),
        }
    }
}

pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    pub(super) fn location(&self) -> SourceLocation {
        SourceLocation::line(self.line)
    }

    pub(super) fn next(&mut self) -> Result<Option<Token>> {
        loop {
            self.skip_while(|character| character.is_whitespace());
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            match first {
                '"' => return self.read_string().map(Some),
                '!' => self.skip_while(|character| character != '\n'),
                _ => {
                    let end = self
                        .rest
                        .find(|character: char| character.is_whitespace() || character == '"');
                    let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                    self.rest = rest;
                    let flag = word.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
                    if let Some(flag) = flag {
                        return Ok(Some(Token::Flag(flag.to_owned())));
                    }
                    if let Some(number) = parse_number(word) {
                        return Ok(Some(Token::Number(number)));
                    }
                }
            }
        }
    }

    fn skip_while(&mut self, should_skip: impl Fn(char) -> bool) {
        let end = self.rest.find(|character| !should_skip(character)).unwrap_or(self.rest.len());
        let (skipped, rest) = self.rest.split_at(end);
        self.count_lines(skipped);
        self.rest = rest;
    }

    fn count_lines(&mut self, text: &str) {
        let lines = text.bytes().filter(|character| *character == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    }

    fn read_string(&mut self) -> Result<Token> {
        let (mut text, mut rest) = (String::new(), &self.rest[1..]);
        loop {
            let Some(end) = rest.find('"') else {
                return Err(Error::malformed(
                    self.location(),
                    "the end of a quoted text",
                    "the end of the file",
                ));
            };
            text.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    text.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        self.count_lines(&text);
        self.rest = rest;
        Ok(Token::Text(text))
    }
}

/// Parses a number as Praat writes it. Words that Rust would parse, such as `inf`, are comments.
fn parse_number(word: &str) -> Option<f64> {
    let starts_like_number = word.starts_with(|character: char| {
        character.is_ascii_digit() || matches!(character, '-' | '+' | '.')
    });
    word.parse().ok().filter(|number: &f64| starts_like_number && number.is_finite())
}
