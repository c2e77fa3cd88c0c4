//! Reads the keys of a curve, which are most of a file's content.

use super::{Curve, Decoder, Deviation, Number, Token, curve::BlockEnd, keywords, quote};
use crate::{
    diagnostics::SourceLocation,
    formats::maya::{Key, Tangent},
};

/// The number of words before the flags of a key: time, value and two tangents.
const WORDS_BEFORE_FLAGS: usize = 4;

/// The most numbers that can follow the tangents of a key: three flags, and two numbers for each of
/// the two tangents if they are fixed.
const MAX_NUMBERS_AFTER_TANGENTS: usize = 7;

struct NumbersAfterTangents {
    numbers: [f64; MAX_NUMBERS_AFTER_TANGENTS],
    count: usize,
    words_in_key: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn read_keys_block(&mut self, curve: &mut Curve<'a>, has_brace: bool) -> BlockEnd {
        self.flags = if self.document.header.has_breakdowns() { 3 } else { 2 };
        // Move the buffer out of `self`, because `read_keys` borrows both `self` and the buffer.
        let mut words = std::mem::take(&mut self.words);
        let end = self.read_keys(curve, has_brace, &mut words);
        self.words = words;
        end
    }

    fn read_keys(
        &mut self,
        curve: &mut Curve<'a>,
        has_brace: bool,
        words: &mut Vec<&'a [u8]>,
    ) -> BlockEnd {
        let mut last_line = 0;
        loop {
            let before = self.lexer;
            match self.lexer.next_token() {
                Token::LineEnd | Token::Semicolon => {}
                Token::Close => {
                    return if has_brace { BlockEnd::Closed } else { self.resolve_lone_brace() };
                }
                Token::End => return BlockEnd::File,
                Token::Open => self.record_deviation(Deviation::StrayBrace, || ""),
                Token::Word(word) if keywords::begins_statement(word) => {
                    self.record_deviation(Deviation::NoBrace, || "");
                    self.lexer = before;
                    return BlockEnd::Next;
                }
                Token::Word(word) => {
                    let line = self.lexer.line();
                    if line == last_line {
                        self.record_deviation(Deviation::KeysInALine, || "");
                    }
                    last_line = line;
                    words.clear();
                    words.push(word);
                    if !self.read_rest_of_key(words) {
                        return BlockEnd::File;
                    }
                    self.parse_keys(words, line, &mut curve.keys);
                }
            }
        }
    }

    /// Decides which blocks a closing brace ends if the block `keys` had no opening brace. If
    /// another closing brace follows, only `keys` ends. Otherwise the surrounding block ends too.
    fn resolve_lone_brace(&mut self) -> BlockEnd {
        match self.peek_significant_token().0 {
            Token::Close => BlockEnd::Closed,
            _ => BlockEnd::BothClosed,
        }
    }

    fn read_rest_of_key(&mut self, words: &mut Vec<&'a [u8]>) -> bool {
        loop {
            let before = self.lexer;
            match self.lexer.next_token() {
                Token::Word(word) => words.push(word),
                Token::Semicolon => return true,
                Token::LineEnd => {
                    self.skip_line_ends();
                    if self.is_complete_key(words) || !self.key_continues() {
                        self.lexer = before;
                        self.record_deviation(Deviation::NoSemicolon, || "");
                        return true;
                    }
                }
                Token::Open | Token::Close => {
                    self.lexer = before;
                    return true;
                }
                Token::End => return false,
            }
        }
    }

    fn is_complete_key(&self, words: &[&[u8]]) -> bool {
        let fixed = words.iter().skip(2).take(2).filter(|&&word| word == b"fixed").count();
        words.len() >= WORDS_BEFORE_FLAGS + self.flags + 2 * fixed
    }

    /// Returns `true` if the next line continues the current key. The line does not continue the
    /// key if it begins with a brace, with a keyword, or with another key, which has two numbers
    /// and then a tangent.
    fn key_continues(&self) -> bool {
        let mut ahead = self.lexer;
        let mut words_in_line = 0;
        loop {
            match ahead.next_token() {
                Token::Open | Token::Close | Token::End if words_in_line == 0 => return false,
                Token::Word(word) if words_in_line == 0 && keywords::begins_statement(word) => {
                    return false;
                }
                Token::Word(word) if words_in_line < 2 => {
                    if Number::parse(word).is_none() {
                        return true;
                    }
                    words_in_line += 1;
                }
                Token::Word(word) => return keywords::parse_tangent(word).is_none(),
                Token::LineEnd | Token::Semicolon | Token::Open | Token::Close | Token::End => {
                    return true;
                }
            }
        }
    }

    /// Parses the keys of one statement. Several keys may follow each other without a semicolon.
    /// Their tangents then show where each key begins.
    fn parse_keys(&mut self, words: &[&'a [u8]], line: u32, keys: &mut Vec<Key>) {
        let mut rest = words;
        loop {
            let used = self.parse_key(rest, line, keys);
            rest = &rest[used..];
            if rest.is_empty() {
                return;
            }
            self.deviations.record(
                Deviation::KeysInALine,
                line,
                || SourceLocation::line(line),
                || "",
            );
        }
    }

    fn parse_key(&mut self, words: &[&'a [u8]], line: u32, keys: &mut Vec<Key>) -> usize {
        let read = |decoder: &mut Self, index: usize| {
            let word = words.get(index)?;
            decoder.parse_number(word, line)
        };
        let (input, value) = (read(self, 0), read(self, 1));
        let tangents = [2, 3].map(|index| self.parse_tangent(words.get(index).copied(), line));
        let NumbersAfterTangents { numbers, count, words_in_key: used } =
            self.parse_numbers_after_tangents(words, line);
        let (Some(input), Some(value)) = (input, value) else {
            let wrong = if input.is_none() { words.first() } else { words.get(1) };
            let problem = || {
                let property = if input.is_none() { "time" } else { "value" };
                let found = wrong.map_or("nothing".to_owned(), |word| quote(word));
                format!("a number for the {property}, found {found}")
            };
            self.deviations.record(
                Deviation::LostKey,
                line,
                || SourceLocation::line(line),
                problem,
            );
            return used;
        };
        let fixed = tangents.iter().filter(|t| matches!(t, Tangent::Fixed { .. })).count();
        let flags = self.count_flags(count, fixed, line);
        let is_set = |flag: usize| flag < flags && numbers[flag] == 1.0;
        let mut key = Key {
            line,
            input,
            value,
            in_tangent: tangents[0],
            out_tangent: tangents[1],
            tangent_lock: is_set(0),
            weight_lock: is_set(1),
            breakdown: is_set(2),
        };
        if fixed > 0 {
            let mut pairs = numbers[flags.min(count)..count].iter().copied();
            for tangent in [&mut key.in_tangent, &mut key.out_tangent] {
                if let Tangent::Fixed { angle, weight } = tangent {
                    *angle = pairs.next().unwrap_or(0.0);
                    *weight = pairs.next().unwrap_or(1.0);
                }
            }
        }
        keys.push(key);
        used
    }

    /// Parses the numbers after the tangents of a key. If another tangent follows, the last two
    /// numbers are not read, because they are the time and value of the next key.
    fn parse_numbers_after_tangents(
        &mut self,
        words: &[&'a [u8]],
        line: u32,
    ) -> NumbersAfterTangents {
        let mut numbers = [0.0; MAX_NUMBERS_AFTER_TANGENTS];
        let mut count = 0;
        for (index, word) in words.iter().enumerate().skip(WORDS_BEFORE_FLAGS) {
            if let Some(number) = self.parse_number(word, line) {
                if count < MAX_NUMBERS_AFTER_TANGENTS {
                    numbers[count] = number;
                }
                count += 1;
            } else if keywords::parse_tangent(word).is_some() && count >= 2 {
                let count = (count - 2).min(MAX_NUMBERS_AFTER_TANGENTS);
                return NumbersAfterTangents { numbers, count, words_in_key: index - 2 };
            } else {
                break;
            }
        }
        if count > MAX_NUMBERS_AFTER_TANGENTS {
            self.deviations.record(
                Deviation::ManyNumbers,
                line,
                || SourceLocation::line(line),
                || "",
            );
        }
        let count = count.min(MAX_NUMBERS_AFTER_TANGENTS);
        NumbersAfterTangents { numbers, count, words_in_key: words.len() }
    }

    /// Returns how many of the `count` numbers after the tangents are flags. We trust the count
    /// more than the version, because some writers omit the breakdown flag, and others write it in
    /// version 1.0.
    fn count_flags(&mut self, count: usize, fixed: usize, line: u32) -> usize {
        let expected = self.flags;
        let (flags, deviation) = match count.checked_sub(2 * fixed) {
            Some(flags) if flags == expected => return flags,
            Some(2) => (2, Deviation::NoBreakdown),
            Some(3) => (3, Deviation::EarlyBreakdown),
            Some(more) if more > expected => (expected, Deviation::ManyNumbers),
            _ => (expected.min(count), Deviation::FewNumbers),
        };
        self.deviations.record(deviation, line, || SourceLocation::line(line), || "");
        flags
    }

    fn parse_tangent(&mut self, word: Option<&'a [u8]>, line: u32) -> Tangent {
        let known = word.and_then(keywords::parse_tangent);
        let found = || word.map_or("(none)".to_owned(), quote);
        let deviation = match known {
            None => Deviation::UnknownTangent,
            Some(Tangent::Global | Tangent::AutoCustom) => Deviation::PreferredTangent,
            Some(known) => return known,
        };
        self.deviations.record(deviation, line, || SourceLocation::line(line), found);
        known.unwrap_or(Tangent::Global)
    }
}
