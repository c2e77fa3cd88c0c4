//! The header: versions, units, the range of the clipboard.

use super::{Decoder, Ending, Lexer, Oddity, Token, quote, text_of, words};
use crate::formats::maya::{Stated, Text};

/// How far into a file recognition looks, in bytes.
const SNIFFED: usize = 1024;

impl<'a> Decoder<'a> {
    /// Everything after a `keyword` of the header.
    pub(super) fn header_statement(&mut self, keyword: &'a [u8]) {
        let line = self.lexer.line();
        let place = self.lexer.place();
        if keyword == b"mayaVersion" {
            return self.maya_version(line);
        }
        let ending = self.statement(|words| !words.is_empty());
        if ending == Ending::Line && !self.words.is_empty() {
            self.note(Oddity::NoSemicolon, || "");
        }
        if self.document.header.end_line != 0 {
            self.oddities.note(Oddity::LateHeader, line, || place, || text_of(keyword));
            return;
        }
        let value = self.words.join(&b' ');
        if value.is_empty() {
            let problem = || format!("{} without a value", text_of(keyword));
            self.oddities.note(Oddity::BadValue, line, || place, problem);
            return;
        }
        let is_repeated = match keyword {
            b"startTime" | b"endTime" | b"startUnitless" | b"endUnitless" => {
                let Some(number) = self.number(&value, line) else {
                    let problem = || format!("{} {}", text_of(keyword), quote(&value));
                    self.oddities.note(Oddity::BadValue, line, || place, problem);
                    return;
                };
                self.number_of(keyword).replace(Stated { value: number, line }).is_some()
            }
            _ => {
                let text = text_of(&value).into_owned().into();
                self.text_of_header(keyword).replace(Text { text, line }).is_some()
            }
        };
        if is_repeated {
            self.oddities.note(Oddity::RepeatedHeader, line, || place.clone(), || text_of(keyword));
        }
        if keyword == b"animVersion" && !matches!(value.as_slice(), b"1.0" | b"1.1" | b"1") {
            self.oddities.note(Oddity::UnknownVersion, line, || place, || quote(&value));
        }
    }

    /// The version of Maya: all up to the `;`, or to the end of the line but for a comment.
    fn maya_version(&mut self, line: u32) {
        let mut version = self.lexer.rest_of_statement();
        let mut ahead = self.lexer;
        if ahead.next() != Token::Semicolon {
            self.note(Oddity::NoSemicolon, || "");
            let comment =
                version.windows(2).position(|pair| matches!(pair, b" #" | b" /" | b"\t#"));
            version = &version[..comment.unwrap_or(version.len())];
        }
        let text = self.text(version.trim_ascii());
        if self.document.header.end_line == 0 {
            self.document.header.maya_version = Some(Text { text, line });
        } else {
            self.note(Oddity::LateHeader, || "mayaVersion");
        }
    }

    fn number_of(&mut self, keyword: &[u8]) -> &mut Option<Stated> {
        let header = &mut self.document.header;
        match keyword {
            b"startTime" => &mut header.start_time,
            b"endTime" => &mut header.end_time,
            b"startUnitless" => &mut header.start_unitless,
            _ => &mut header.end_unitless,
        }
    }

    fn text_of_header(&mut self, keyword: &[u8]) -> &mut Option<Text<'a>> {
        let header = &mut self.document.header;
        match keyword {
            b"animVersion" => &mut header.anim_version,
            b"timeUnit" => &mut header.time_unit,
            b"linearUnit" => &mut header.linear_unit,
            _ => &mut header.angular_unit,
        }
    }
}

/// Whether `bytes` begin with a header: a statement of it is first, comments aside, and the
/// version is among the first.
pub(crate) fn is_header(bytes: &[u8]) -> bool {
    let mut lexer = Lexer::new(&bytes[..bytes.len().min(SNIFFED)]);
    let mut first = true;
    loop {
        match lexer.next() {
            Token::LineEnd | Token::Semicolon => {}
            Token::Word(b"animVersion") => return true,
            Token::Word(word) if first && !words::HEADER.contains(&word) => return false,
            Token::Open | Token::Close | Token::End | Token::Word(b"anim") => return false,
            Token::Word(_) => first = false,
        }
    }
}
