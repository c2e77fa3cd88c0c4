//! From bytes to document.
//!
//! Maya reads word by word and takes `;` for a blank; a word runs to the next blank. People and
//! other programs write lines. Here both are read: a statement ends at `;`, or with its line if it
//! is complete. Deviations from what Maya reads are each an [`Oddity`].

mod anim_line;
mod curve;
mod header;
mod keys;
mod lexer;
mod numbers;
mod oddities;
mod words;

use std::borrow::Cow;

pub(super) use header::is_header;

use self::{
    lexer::{BYTE_ORDER_MARK, Lexer, Token},
    numbers::Number,
    oddities::{Oddities, Oddity},
};
use super::{Curve, Document, Item, Target};
use crate::diagnostics::{Error, Notices, SourceLocation};

/// Reads a file. What had to be worked around goes to `notices`; a file that is truncated is kept
/// as far as it goes, and a notice of severity error says so.
///
/// # Errors
/// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if nothing in it belongs to the format.
pub fn decode<'a>(bytes: &'a [u8], notices: &mut Notices) -> Result<Document<'a>, Error> {
    let mut decoder = Decoder::new(bytes);
    decoder.note_encoding(bytes);
    decoder.body();
    decoder.finish(notices)
}

struct Decoder<'a> {
    lexer: Lexer<'a>,
    document: Document<'a>,
    oddities: Oddities,
    /// The first word, for the error if there is nothing else.
    first_word: Option<(SourceLocation, &'a [u8])>,
    /// Where and within what the file is truncated.
    broken_off: Option<(SourceLocation, String)>,
    /// The words of the statement that is being read.
    words: Vec<&'a [u8]>,
    /// How many flags a key has in this version of the format.
    flags: usize,
}

/// How a statement has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    Semicolon,
    Line,
    /// With a brace or a statement, which is left to be read.
    Next,
    /// With the file.
    File,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            lexer: Lexer::new(bytes),
            document: Document::default(),
            oddities: Oddities::new(),
            first_word: None,
            broken_off: None,
            words: Vec::new(),
            flags: 0,
        }
    }

    fn note_encoding(&mut self, bytes: &[u8]) {
        if bytes.starts_with(BYTE_ORDER_MARK) {
            self.note(Oddity::ByteOrderMark, || "");
        }
        let first_line_end = bytes.iter().position(|&byte| matches!(byte, b'\r' | b'\n'));
        if let Some(end) = first_line_end
            && bytes[end] == b'\r'
            && bytes.get(end + 1) != Some(&b'\n')
        {
            self.note(Oddity::CarriageReturns, || "");
        }
    }

    /// Everything outside of `animData` blocks.
    fn body(&mut self) {
        loop {
            match self.lexer.next() {
                Token::End => return,
                Token::LineEnd | Token::Semicolon => {}
                Token::Open => {
                    self.note(Oddity::StrayBrace, || "");
                    self.skip_block();
                }
                Token::Close => self.note(Oddity::StrayBrace, || ""),
                Token::Word(word) => {
                    self.first_word.get_or_insert((self.lexer.place(), word));
                    match word {
                        b"anim" => self.anim_line(),
                        b"animData" => self.anim_data(),
                        _ if words::HEADER.contains(&word) => self.header_statement(word),
                        _ => self.unknown_statement(word),
                    }
                }
            }
        }
    }

    /// A statement that begins with an unknown `word`, and the block that may follow it.
    fn unknown_statement(&mut self, word: &'a [u8]) {
        let (line, place) = (self.lexer.line(), self.lexer.place());
        if self.statement(|_| true) == Ending::File {
            self.break_off(place, format!("a statement that begins with {}", quote(word)));
            return;
        }
        self.oddities.note(Oddity::UnknownKeyword, line, || place, || quote(word));
        let (token, ahead) = self.next_in_sight();
        if token == Token::Open {
            self.lexer = ahead;
            self.skip_block();
        }
    }

    /// The next token that is neither a line end nor a semicolon, and the position after it.
    fn next_in_sight(&self) -> (Token<'a>, Lexer<'a>) {
        let mut ahead = self.lexer;
        loop {
            match ahead.next() {
                Token::LineEnd | Token::Semicolon => {}
                token => return (token, ahead),
            }
        }
    }

    /// Everything up to the brace that closes the one just read, or to an `anim` line.
    fn skip_block(&mut self) {
        let mut depth = 1;
        let mut at_line_start = false;
        while depth > 0 {
            let before = self.lexer;
            let token = self.lexer.next();
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Word(b"anim") if at_line_start => {
                    self.note(Oddity::NoBrace, || "");
                    self.lexer = before;
                    return;
                }
                Token::End => return self.break_off(self.lexer.place(), "a block".to_owned()),
                _ => {}
            }
            at_line_start = token == Token::LineEnd;
        }
    }

    fn finish(mut self, notices: &mut Notices) -> Result<Document<'a>, Error> {
        if let Some(error) = self.foreign() {
            return Err(error);
        }
        let Document { header, items } = &mut self.document;
        if header.end_line == 0 {
            header.end_line = self.lexer.line();
        }
        if header.anim_version.is_none() {
            let line = header.end_line;
            self.oddities.note(Oddity::NoVersion, line, || SourceLocation::line(line), || "");
        }
        let is_empty = items.is_empty();
        self.oddities.report(notices);
        match self.broken_off {
            Some((place, within)) => notices
                .error(place, format!("the file is truncated within {within}; loaded up to there")),
            None if is_empty => notices.error(
                self.lexer.place(),
                "the file ends before its first anim line: nothing moves",
            ),
            None => {}
        }
        Ok(self.document)
    }

    /// The error if nothing in the file belongs to the format.
    fn foreign(&self) -> Option<Error> {
        let expected = "the word animVersion";
        match self.first_word {
            None => Some(Error::malformed(self.lexer.place(), expected, "nothing")),
            Some((_, word)) if words::begins_statement(word) => None,
            Some(_) if !self.document.items.is_empty() => None,
            Some((ref place, word)) => Some(Error::malformed(place.clone(), expected, quote(word))),
        }
    }

    /// Notes an oddity at the token that was read last.
    fn note<T: std::fmt::Display>(&mut self, oddity: Oddity, example: impl FnOnce() -> T) {
        let lexer = self.lexer;
        self.oddities.note(oddity, lexer.line(), || lexer.place(), example);
    }

    fn break_off(&mut self, place: SourceLocation, within: String) {
        self.broken_off.get_or_insert((place, within));
    }

    /// Reads the words up to the end of a statement into `self.words`. It ends with its line only
    /// if `is_complete` says so of the words, or a statement that is known follows.
    fn statement(&mut self, is_complete: impl Fn(&[&[u8]]) -> bool) -> Ending {
        self.words.clear();
        loop {
            let before = self.lexer;
            match self.lexer.next() {
                Token::Word(word) if word == b"animData" => {
                    self.lexer = before;
                    return Ending::Next;
                }
                Token::Word(word) => self.words.push(word),
                Token::Semicolon => return Ending::Semicolon,
                Token::End => return Ending::File,
                Token::Open | Token::Close => {
                    self.lexer = before;
                    return Ending::Next;
                }
                Token::LineEnd => {
                    self.skip_line_ends();
                    if is_complete(&self.words) || !self.goes_on() {
                        self.lexer = before;
                        return Ending::Line;
                    }
                }
            }
        }
    }

    /// Whether what follows can belong to the statement before it.
    fn goes_on(&self) -> bool {
        let mut ahead = self.lexer;
        match ahead.next() {
            Token::Word(word) => !words::begins_statement(word),
            Token::Semicolon => true,
            Token::LineEnd | Token::Open | Token::Close | Token::End => false,
        }
    }

    /// Moves to the next line that is not empty, so that it is searched for once only.
    fn skip_line_ends(&mut self) {
        let mut ahead = self.lexer;
        while ahead.next() == Token::LineEnd {
            self.lexer = ahead;
        }
    }

    /// The number that `word` is, if it is one. `line` is where it stands.
    #[inline]
    fn number(&mut self, word: &[u8], line: u32) -> Option<f64> {
        let number = Number::read(word)?;
        let oddity = match number {
            Number::Plain(value) => return Some(value),
            Number::Grouped(_) => Oddity::GroupedNumber,
            Number::DecimalComma(_) => Oddity::DecimalComma,
        };
        self.oddities.note(oddity, line, || SourceLocation::line(line), || text_of(word));
        Some(number.value())
    }

    /// The text of a name. One that is not in UTF-8 is repaired, and noted.
    fn text(&mut self, word: &'a [u8]) -> Cow<'a, str> {
        let text = text_of(word);
        if let Cow::Owned(_) = text {
            self.note(Oddity::NotUtf8, || quote(word));
        }
        text
    }
}

fn text_of(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

/// `word` for a message: in quotes, and shortened.
fn quote(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = text_of(&word[..word.len().min(LONGEST)]);
    let more = if word.len() > LONGEST { "…" } else { "" };
    format!("{:?}{more}", text)
}
