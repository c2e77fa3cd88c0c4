//! `animData` blocks: what kind of curve it is, and its keys.

use super::{Curve, Decoder, Ending, Oddity, Token, quote, text_of, words};
use crate::formats::maya::{Input, Output, Text};

/// How a block of braces has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BlockEnd {
    /// With its brace.
    Closed,
    /// With a brace that has to do for the block around it too.
    BothClosed,
    /// With a statement that cannot belong to it, which is left to be read.
    Next,
    /// With the file.
    File,
}

impl<'a> Decoder<'a> {
    /// Everything after the word `animData`.
    pub(super) fn anim_data(&mut self) {
        let item = self.item_of_data();
        let mut curve = Curve { line: self.lexer.line(), ..Curve::default() };
        self.open_block(b"animData");
        if self.curve_block(&mut curve) == BlockEnd::File {
            let (kept, name) = (curve.keys.len(), self.name_of(item));
            let within = format!("the curve of {name}, after {kept} keys");
            self.break_off(self.lexer.place(), within);
        }
        self.add_curve(item, curve);
    }

    /// The brace after the `keyword` of a block; returns whether there is one.
    fn open_block(&mut self, keyword: &'static [u8]) -> bool {
        if self.lexer.is_before_brace() {
            self.note(Oddity::GluedBrace, || text_of(keyword));
        }
        let (token, ahead) = self.next_in_sight();
        let is_open = token == Token::Open;
        if is_open {
            self.lexer = ahead;
        } else if token != Token::End {
            self.note(Oddity::NoBrace, || "");
        }
        is_open
    }

    fn curve_block(&mut self, curve: &mut Curve<'a>) -> BlockEnd {
        loop {
            let before = self.lexer;
            match self.lexer.next() {
                Token::LineEnd | Token::Semicolon => {}
                Token::Close => return BlockEnd::Closed,
                Token::End => return BlockEnd::File,
                Token::Open => self.note(Oddity::StrayBrace, || ""),
                Token::Word(b"keys") => {
                    let has_brace = self.open_block(b"keys");
                    match self.keys_block(curve, has_brace) {
                        BlockEnd::Closed | BlockEnd::Next => {}
                        end => return end,
                    }
                }
                Token::Word(word) if words::CURVE.contains(&word) => {
                    if !self.curve_statement(word, curve) {
                        return BlockEnd::File;
                    }
                }
                Token::Word(word) if words::begins_statement(word) => {
                    self.note(Oddity::NoBrace, || "");
                    self.lexer = before;
                    return BlockEnd::Next;
                }
                Token::Word(word) => {
                    self.note(Oddity::UnknownKeyword, || quote(word));
                    self.statement(|_| true);
                }
            }
        }
    }

    /// Everything after a `keyword` of the block but `keys`; returns whether the file goes on.
    fn curve_statement(&mut self, keyword: &'a [u8], curve: &mut Curve<'a>) -> bool {
        let (line, place) = (self.lexer.line(), self.lexer.place());
        let ending = self.statement(|words| !words.is_empty());
        if ending == Ending::File {
            return false;
        }
        let Some(&value) = self.words.first() else {
            let problem = || format!("{} without a value", text_of(keyword));
            self.oddities.note(Oddity::BadValue, line, || place, problem);
            return true;
        };
        if ending != Ending::Semicolon {
            self.note(Oddity::NoSemicolon, || "");
        }
        let is_known = match keyword {
            // Maya takes unknown words for plain numbers.
            b"input" => {
                curve.input = words::input(value).unwrap_or(Input::Unitless);
                words::input(value).is_some()
            }
            b"output" => {
                curve.output = words::output(value).unwrap_or(Output::Unitless);
                words::output(value).is_some()
            }
            b"weighted" => set(&mut curve.weighted, self.flag(value, line)),
            b"preInfinity" => set(&mut curve.pre_infinity, words::infinity(value)),
            b"postInfinity" => set(&mut curve.post_infinity, words::infinity(value)),
            _ => {
                let text = Some(Text { text: self.text(value), line });
                match keyword {
                    b"inputUnit" => curve.input_unit = text,
                    b"outputUnit" => curve.output_unit = text,
                    _ => curve.tangent_angle_unit = text,
                }
                true
            }
        };
        if !is_known {
            let problem = || format!("{} {}", text_of(keyword), quote(value));
            self.oddities.note(Oddity::BadValue, line, || place, problem);
        }
        true
    }

    fn flag(&mut self, word: &[u8], line: u32) -> Option<bool> {
        self.number(word, line).map(|number| number == 1.0)
    }
}

/// Sets `place` to `value` if there is one; returns whether there is.
fn set<T>(place: &mut T, value: Option<T>) -> bool {
    let is_known = value.is_some();
    if let Some(value) = value {
        *place = value;
    }
    is_known
}
