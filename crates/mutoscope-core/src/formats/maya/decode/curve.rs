//! Reads `animData` blocks: the properties of a curve, and its keys.

use super::{Curve, Decoder, Deviation, StatementEnd, Token, keywords, lossy_text, quote};
use crate::diagnostics::format_count;
use crate::formats::maya::{Input, Output, Text};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BlockEnd {
    /// The block ended at its own closing brace.
    Closed,
    /// The block ended at a closing brace that also ends the surrounding block.
    BothClosed,
    /// The block ended before a statement that cannot belong to it.
    Next,
    /// The block ended with the file.
    File,
}

impl<'a> Decoder<'a> {
    pub(super) fn read_anim_data(&mut self) {
        let item = self.item_for_anim_data();
        let mut curve = Curve { line: self.lexer.line(), ..Curve::default() };
        self.read_opening_brace(b"animData");
        if self.read_curve_block(&mut curve) == BlockEnd::File {
            let (keys, name) = (format_count(curve.keys.len(), "key"), self.item_name(item));
            let within = format!("the curve of {name}, after {keys}");
            self.record_truncation(self.lexer.location(), within);
        }
        self.add_curve(item, curve);
    }

    fn read_opening_brace(&mut self, keyword: &'static [u8]) -> bool {
        if self.lexer.is_before_brace() {
            self.record_deviation(Deviation::GluedBrace, || lossy_text(keyword));
        }
        let (token, ahead) = self.peek_significant_token();
        let is_open = token == Token::Open;
        if is_open {
            self.lexer = ahead;
        } else if token != Token::End {
            self.record_deviation(Deviation::NoBrace, || "");
        }
        is_open
    }

    fn read_curve_block(&mut self, curve: &mut Curve<'a>) -> BlockEnd {
        loop {
            let before = self.lexer;
            match self.lexer.next_token() {
                Token::LineEnd | Token::Semicolon => {}
                Token::Close => return BlockEnd::Closed,
                Token::End => return BlockEnd::File,
                Token::Open => self.record_deviation(Deviation::StrayBrace, || ""),
                Token::Word(b"keys") => {
                    let has_brace = self.read_opening_brace(b"keys");
                    match self.read_keys_block(curve, has_brace) {
                        BlockEnd::Closed | BlockEnd::Next => {}
                        end @ (BlockEnd::BothClosed | BlockEnd::File) => return end,
                    }
                }
                Token::Word(word) if keywords::CURVE.contains(&word) => {
                    if !self.read_curve_statement(word, curve) {
                        return BlockEnd::File;
                    }
                }
                Token::Word(word) if keywords::begins_statement(word) => {
                    self.record_deviation(Deviation::NoBrace, || "");
                    self.lexer = before;
                    return BlockEnd::Next;
                }
                Token::Word(word) => {
                    self.record_deviation(Deviation::UnknownKeyword, || quote(word));
                    self.read_statement(|_| true);
                }
            }
        }
    }

    fn read_curve_statement(&mut self, keyword: &'a [u8], curve: &mut Curve<'a>) -> bool {
        let (line, location) = (self.lexer.line(), self.lexer.location());
        let end = self.read_statement(|words| !words.is_empty());
        if end == StatementEnd::File {
            return false;
        }
        let Some(&value) = self.words.first() else {
            let problem = || format!("{} without a value", lossy_text(keyword));
            self.deviations.record(Deviation::BadValue, line, || location, problem);
            return true;
        };
        if end != StatementEnd::Semicolon {
            self.record_deviation(Deviation::NoSemicolon, || "");
        }
        let is_known = match keyword {
            // Maya treats unknown keywords as `unitless`.
            b"input" => {
                curve.input = keywords::parse_input(value).unwrap_or(Input::Unitless);
                keywords::parse_input(value).is_some()
            }
            b"output" => {
                curve.output = keywords::parse_output(value).unwrap_or(Output::Unitless);
                keywords::parse_output(value).is_some()
            }
            b"weighted" => set_if_some(&mut curve.weighted, self.parse_flag(value, line)),
            b"preInfinity" => set_if_some(&mut curve.pre_infinity, keywords::parse_infinity(value)),
            b"postInfinity" => {
                set_if_some(&mut curve.post_infinity, keywords::parse_infinity(value))
            }
            _ => {
                let text = Some(Text { text: self.decode_text(value), line });
                match keyword {
                    b"inputUnit" => curve.input_unit = text,
                    b"outputUnit" => curve.output_unit = text,
                    _ => curve.tangent_angle_unit = text,
                }
                true
            }
        };
        if !is_known {
            let problem = || format!("{} {}", lossy_text(keyword), quote(value));
            self.deviations.record(Deviation::BadValue, line, || location, problem);
        }
        true
    }

    fn parse_flag(&mut self, word: &[u8], line: u32) -> Option<bool> {
        self.parse_number(word, line).map(|number| number == 1.0)
    }
}

fn set_if_some<T>(target: &mut T, value: Option<T>) -> bool {
    let is_known = value.is_some();
    if let Some(value) = value {
        *target = value;
    }
    is_known
}
