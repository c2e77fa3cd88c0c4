//! Parses the bytes of an `.anim` file into a document.
//!
//! Maya reads word by word, treats `;` as white space, and ends a word at the next white space.
//! People and other programs write lines. This parser accepts both: a statement ends at `;`, or at
//! the end of its line if it is complete. Every kind of deviation from what Maya reads is an entry
//! of `deviations::Deviation`.

mod anim_line;
mod curve;
mod deviations;
mod header;
mod keys;
mod keywords;
mod lexer;
mod numbers;

use std::borrow::Cow;

pub(super) use header::starts_with_header;

use self::{
    deviations::{Deviation, DeviationLog},
    lexer::{BYTE_ORDER_MARK, Lexer, Token},
    numbers::Number,
};
use super::{Curve, Document, Item, Target, codes};
use crate::diagnostics::{Diagnostics, Error, SourceLocation};

/// Parses an `.anim` file. Each deviation from Maya's format is added to `diagnostics`. A truncated
/// file is parsed as far as it goes, and an error diagnostic reports the truncation.
///
/// # Errors
/// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if nothing in the file belongs to the
/// format.
pub fn decode<'a>(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> Result<Document<'a>, Error> {
    let mut decoder = Decoder::new(bytes);
    decoder.check_encoding(bytes);
    decoder.read_body();
    decoder.finish(diagnostics)
}

struct Decoder<'a> {
    lexer: Lexer<'a>,
    document: Document<'a>,
    deviations: DeviationLog,
    first_word: Option<(SourceLocation, &'a [u8])>,
    truncation: Option<(SourceLocation, String)>,
    words: Vec<&'a [u8]>,
    flags: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum StatementEnd {
    Semicolon,
    Line,
    /// The statement ended before a brace or another statement.
    Next,
    /// The statement ended with the file.
    File,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            lexer: Lexer::new(bytes),
            document: Document::default(),
            deviations: DeviationLog::new(),
            first_word: None,
            truncation: None,
            words: Vec::new(),
            flags: 0,
        }
    }

    fn check_encoding(&mut self, bytes: &[u8]) {
        if bytes.starts_with(BYTE_ORDER_MARK) {
            self.record_deviation(Deviation::ByteOrderMark, || "");
        }
        let first_line_end = bytes.iter().position(|&byte| matches!(byte, b'\r' | b'\n'));
        if let Some(end) = first_line_end
            && bytes[end] == b'\r'
            && bytes.get(end + 1) != Some(&b'\n')
        {
            self.record_deviation(Deviation::CarriageReturns, || "");
        }
    }

    fn read_body(&mut self) {
        loop {
            match self.lexer.next_token() {
                Token::End => return,
                Token::LineEnd | Token::Semicolon => {}
                Token::Open => {
                    self.record_deviation(Deviation::StrayBrace, || "");
                    self.skip_block();
                }
                Token::Close => self.record_deviation(Deviation::StrayBrace, || ""),
                Token::Word(word) => {
                    self.first_word.get_or_insert((self.lexer.location(), word));
                    match word {
                        b"anim" => self.read_anim_line(),
                        b"animData" => self.read_anim_data(),
                        _ if keywords::HEADER.contains(&word) => self.read_header_statement(word),
                        _ => self.read_unknown_statement(word),
                    }
                }
            }
        }
    }

    fn read_unknown_statement(&mut self, word: &'a [u8]) {
        let (line, location) = (self.lexer.line(), self.lexer.location());
        if self.read_statement(|_| true) == StatementEnd::File {
            self.record_truncation(
                location,
                format!("a statement that begins with {}", quote(word)),
            );
            return;
        }
        self.deviations.record(Deviation::UnknownKeyword, line, || location, || quote(word));
        let (token, ahead) = self.peek_significant_token();
        if token == Token::Open {
            self.lexer = ahead;
            self.skip_block();
        }
    }

    fn peek_significant_token(&self) -> (Token<'a>, Lexer<'a>) {
        let mut ahead = self.lexer;
        loop {
            match ahead.next_token() {
                Token::LineEnd | Token::Semicolon => {}
                token => return (token, ahead),
            }
        }
    }

    /// Skips a block up to its closing brace. If an `anim` line occurs first, the block ends before
    /// that line, because the closing brace must be missing.
    fn skip_block(&mut self) {
        let mut depth = 1;
        let mut at_line_start = false;
        while depth > 0 {
            let before = self.lexer;
            let token = self.lexer.next_token();
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Word(b"anim") if at_line_start => {
                    self.record_deviation(Deviation::NoBrace, || "");
                    self.lexer = before;
                    return;
                }
                Token::End => {
                    return self.record_truncation(self.lexer.location(), "a block".to_owned());
                }
                _ => {}
            }
            at_line_start = token == Token::LineEnd;
        }
    }

    fn finish(mut self, diagnostics: &mut Diagnostics) -> Result<Document<'a>, Error> {
        if let Some(error) = self.foreign_file_error() {
            return Err(error);
        }
        let Document { header, items } = &mut self.document;
        if header.end_line == 0 {
            header.end_line = self.lexer.line();
        }
        if header.anim_version.is_none() {
            let line = header.end_line;
            self.deviations.record(
                Deviation::NoVersion,
                line,
                || SourceLocation::line(line),
                || "",
            );
        }
        let is_empty = items.is_empty();
        self.deviations.report(diagnostics);
        match self.truncation {
            Some((location, within)) => {
                let message = format!("the file is truncated within {within}; loaded up to there");
                diagnostics.error(codes::TRUNCATED, location, message);
            }
            None if is_empty => {
                let message = "expected an anim line, found the end of the file; nothing moves";
                diagnostics.error(codes::NO_CURVES, self.lexer.location(), message);
            }
            None => {}
        }
        Ok(self.document)
    }

    fn foreign_file_error(&self) -> Option<Error> {
        let expected = "the word animVersion";
        match self.first_word {
            None => Some(Error::malformed(self.lexer.location(), expected, "nothing")),
            Some((_, word)) if keywords::begins_statement(word) => None,
            Some(_) if !self.document.items.is_empty() => None,
            Some((ref location, word)) => {
                Some(Error::malformed(location.clone(), expected, quote(word)))
            }
        }
    }

    fn record_deviation<T: std::fmt::Display>(
        &mut self,
        deviation: Deviation,
        example: impl FnOnce() -> T,
    ) {
        let lexer = self.lexer;
        self.deviations.record(deviation, lexer.line(), || lexer.location(), example);
    }

    fn record_truncation(&mut self, location: SourceLocation, within: String) {
        self.truncation.get_or_insert((location, within));
    }

    /// Reads the words of a statement into `self.words`. The statement ends at the end of a line
    /// only if `is_complete` accepts the words or if the next line cannot continue the statement.
    fn read_statement(&mut self, is_complete: impl Fn(&[&[u8]]) -> bool) -> StatementEnd {
        self.words.clear();
        loop {
            let before = self.lexer;
            match self.lexer.next_token() {
                Token::Word(word) if word == b"animData" => {
                    self.lexer = before;
                    return StatementEnd::Next;
                }
                Token::Word(word) => self.words.push(word),
                Token::Semicolon => return StatementEnd::Semicolon,
                Token::End => return StatementEnd::File,
                Token::Open | Token::Close => {
                    self.lexer = before;
                    return StatementEnd::Next;
                }
                Token::LineEnd => {
                    self.skip_line_ends();
                    if is_complete(&self.words) || !self.statement_continues() {
                        self.lexer = before;
                        return StatementEnd::Line;
                    }
                }
            }
        }
    }

    fn statement_continues(&self) -> bool {
        let mut ahead = self.lexer;
        match ahead.next_token() {
            Token::Word(word) => !keywords::begins_statement(word),
            Token::Semicolon => true,
            Token::LineEnd | Token::Open | Token::Close | Token::End => false,
        }
    }

    /// Moves to the next line that is not empty. Otherwise each look ahead would scan the same
    /// empty lines.
    fn skip_line_ends(&mut self) {
        let mut ahead = self.lexer;
        while ahead.next_token() == Token::LineEnd {
            self.lexer = ahead;
        }
    }

    #[inline]
    fn parse_number(&mut self, word: &[u8], line: u32) -> Option<f64> {
        let number = Number::parse(word)?;
        let deviation = match number {
            Number::Plain(value) => return Some(value),
            Number::Grouped(_) => Deviation::GroupedNumber,
            Number::DecimalComma(_) => Deviation::DecimalComma,
        };
        self.deviations.record(deviation, line, || SourceLocation::line(line), || lossy_text(word));
        Some(number.value())
    }

    fn decode_text(&mut self, word: &'a [u8]) -> Cow<'a, str> {
        let text = lossy_text(word);
        if let Cow::Owned(_) = text {
            self.record_deviation(Deviation::NotUtf8, || quote(word));
        }
        text
    }
}

fn lossy_text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

fn quote(word: &[u8]) -> String {
    const MAX_QUOTED_BYTES: usize = 40;
    let text = lossy_text(&word[..word.len().min(MAX_QUOTED_BYTES)]);
    let more = if word.len() > MAX_QUOTED_BYTES { "…" } else { "" };
    format!("{:?}{more}", text)
}
