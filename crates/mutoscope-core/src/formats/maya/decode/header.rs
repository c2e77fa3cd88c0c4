//! Reads the header: versions, units and the range of the clipboard.

use super::{Decoder, Deviation, Lexer, StatementEnd, Token, keywords, lossy_text, quote};
use crate::formats::maya::{HeaderNumber, Text};

const MAX_SNIFFED_BYTES: usize = 1024;

impl<'a> Decoder<'a> {
    pub(super) fn read_header_statement(&mut self, keyword: &'a [u8]) {
        let line = self.lexer.line();
        let location = self.lexer.location();
        if keyword == b"mayaVersion" {
            return self.read_maya_version(line);
        }
        let end = self.read_statement(|words| !words.is_empty());
        if end == StatementEnd::Line && !self.words.is_empty() {
            self.record_deviation(Deviation::NoSemicolon, || "");
        }
        if self.document.header.end_line != 0 {
            self.deviations.record(
                Deviation::LateHeader,
                line,
                || location,
                || lossy_text(keyword),
            );
            return;
        }
        let value = self.words.join(&b' ');
        if value.is_empty() {
            let problem = || format!("{} without a value", lossy_text(keyword));
            self.deviations.record(Deviation::BadValue, line, || location, problem);
            return;
        }
        let is_repeated = match keyword {
            b"startTime" | b"endTime" | b"startUnitless" | b"endUnitless" => {
                let Some(number) = self.parse_number(&value, line) else {
                    let problem = || format!("{} {}", lossy_text(keyword), quote(&value));
                    self.deviations.record(Deviation::BadValue, line, || location, problem);
                    return;
                };
                self.number_field(keyword).replace(HeaderNumber { value: number, line }).is_some()
            }
            _ => {
                let text = lossy_text(&value).into_owned().into();
                self.text_field(keyword).replace(Text { text, line }).is_some()
            }
        };
        if is_repeated {
            self.deviations.record(
                Deviation::RepeatedHeader,
                line,
                || location.clone(),
                || lossy_text(keyword),
            );
        }
        if keyword == b"animVersion" && !matches!(value.as_slice(), b"1.0" | b"1.1" | b"1") {
            self.deviations.record(Deviation::UnknownVersion, line, || location, || quote(&value));
        }
    }

    /// Reads the version of Maya up to the `;`. Without a `;`, the version ends with the line or
    /// before a comment.
    fn read_maya_version(&mut self, line: u32) {
        let mut version = self.lexer.read_rest_of_statement();
        let mut ahead = self.lexer;
        if ahead.next_token() != Token::Semicolon {
            self.record_deviation(Deviation::NoSemicolon, || "");
            let comment =
                version.windows(2).position(|pair| matches!(pair, b" #" | b" /" | b"\t#"));
            version = &version[..comment.unwrap_or(version.len())];
        }
        let text = self.decode_text(version.trim_ascii());
        if self.document.header.end_line == 0 {
            self.document.header.maya_version = Some(Text { text, line });
        } else {
            self.record_deviation(Deviation::LateHeader, || "mayaVersion");
        }
    }

    fn number_field(&mut self, keyword: &[u8]) -> &mut Option<HeaderNumber> {
        let header = &mut self.document.header;
        match keyword {
            b"startTime" => &mut header.start_time,
            b"endTime" => &mut header.end_time,
            b"startUnitless" => &mut header.start_unitless,
            _ => &mut header.end_unitless,
        }
    }

    fn text_field(&mut self, keyword: &[u8]) -> &mut Option<Text<'a>> {
        let header = &mut self.document.header;
        match keyword {
            b"animVersion" => &mut header.anim_version,
            b"timeUnit" => &mut header.time_unit,
            b"linearUnit" => &mut header.linear_unit,
            _ => &mut header.angular_unit,
        }
    }
}

/// Returns `true` if `bytes` begin with a header: apart from comments, a header keyword is first,
/// and `animVersion` occurs before any `anim` line or brace.
pub(crate) fn starts_with_header(bytes: &[u8]) -> bool {
    let mut lexer = Lexer::new(&bytes[..bytes.len().min(MAX_SNIFFED_BYTES)]);
    let mut is_first = true;
    loop {
        match lexer.next_token() {
            Token::LineEnd | Token::Semicolon => {}
            Token::Word(b"animVersion") => return true,
            Token::Word(word) if is_first && !keywords::HEADER.contains(&word) => return false,
            Token::Open | Token::Close | Token::End | Token::Word(b"anim") => return false,
            Token::Word(_) => is_first = false,
        }
    }
}
