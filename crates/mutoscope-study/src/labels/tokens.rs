//! The tokens of a TextGrid: quoted strings, free-standing numbers and flags. Everything else is comment.

use mutoscope_core::diagnostics::{Error, SourceLocation};

use super::Result;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Text(String),
    Number(f64),
    /// Such as `<exists>`, without the brackets.
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

/// The tokens of a text, one after the other, with the line of each.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    pub(super) fn place(&self) -> SourceLocation {
        SourceLocation::line(self.line)
    }

    /// The next token; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>> {
        loop {
            self.skip(|one| one.is_whitespace());
            let Some(first) = self.rest.chars().next() else { return Ok(None) };
            match first {
                '"' => return self.text().map(Some),
                '!' => self.skip(|one| one != '\n'),
                _ => {
                    let end = self.rest.find(|one: char| one.is_whitespace() || one == '"');
                    let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                    self.rest = rest;
                    let flag = word.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
                    if let Some(flag) = flag {
                        return Ok(Some(Token::Flag(flag.to_owned())));
                    }
                    if let Some(number) = number(word) {
                        return Ok(Some(Token::Number(number)));
                    }
                }
            }
        }
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        let end = self.rest.find(|one| !is_skipped(one)).unwrap_or(self.rest.len());
        let (skipped, rest) = self.rest.split_at(end);
        self.count(skipped);
        self.rest = rest;
    }

    fn count(&mut self, text: &str) {
        let lines = text.bytes().filter(|one| *one == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    }

    /// A string, in which two quotes stand for one.
    fn text(&mut self) -> Result<Token> {
        let (mut text, mut rest) = (String::new(), &self.rest[1..]);
        loop {
            let Some(end) = rest.find('"') else {
                return Err(Error::malformed(
                    self.place(),
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
        self.count(&text);
        self.rest = rest;
        Ok(Token::Text(text))
    }
}

/// A number as Praat writes it; words such as `inf` are comment.
fn number(word: &str) -> Option<f64> {
    let begins =
        word.starts_with(|one: char| one.is_ascii_digit() || matches!(one, '-' | '+' | '.'));
    word.parse().ok().filter(|number: &f64| begins && number.is_finite())
}
