//! The keys of a curve: the bulk of every file.

use super::{Curve, Decoder, Number, Oddity, Token, curve::BlockEnd, quote, words};
use crate::{
    diagnostics::SourceLocation,
    formats::maya::{Key, Tangent},
};

/// The words of a key before the flags: time, value and two tangents.
const WORDS_BEFORE_FLAGS: usize = 4;

/// The most numbers that follow a key's tangents: three flags, and two for each tangent.
const MOST_NUMBERS: usize = 7;

impl<'a> Decoder<'a> {
    /// Everything after `keys {`, or after `keys` if it has no brace.
    pub(super) fn keys_block(&mut self, curve: &mut Curve<'a>, has_brace: bool) -> BlockEnd {
        self.flags = if self.document.header.has_breakdowns() { 3 } else { 2 };
        // Out of `self` while statements are read into it.
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
            match self.lexer.next() {
                Token::LineEnd | Token::Semicolon => {}
                Token::Close => return if has_brace { BlockEnd::Closed } else { self.one_brace() },
                Token::End => return BlockEnd::File,
                Token::Open => self.note(Oddity::StrayBrace, || ""),
                Token::Word(word) if words::begins_statement(word) => {
                    self.note(Oddity::NoBrace, || "");
                    self.lexer = before;
                    return BlockEnd::Next;
                }
                Token::Word(word) => {
                    let line = self.lexer.line();
                    if line == last_line {
                        self.note(Oddity::KeysInALine, || "");
                    }
                    last_line = line;
                    words.clear();
                    words.push(word);
                    if !self.rest_of_key(words) {
                        return BlockEnd::File;
                    }
                    self.keys_of(words, line, &mut curve.keys);
                }
            }
        }
    }

    /// The blocks that a closing brace ends after keys for which no block was opened: both, unless
    /// another brace follows.
    fn one_brace(&mut self) -> BlockEnd {
        match self.next_in_sight().0 {
            Token::Close => BlockEnd::Closed,
            _ => BlockEnd::BothClosed,
        }
    }

    /// Reads the words of a key after the first; returns whether it has an end.
    fn rest_of_key(&mut self, words: &mut Vec<&'a [u8]>) -> bool {
        loop {
            let before = self.lexer;
            match self.lexer.next() {
                Token::Word(word) => words.push(word),
                Token::Semicolon => return true,
                Token::LineEnd => {
                    self.skip_line_ends();
                    if self.is_whole(words) || !self.key_goes_on() {
                        self.lexer = before;
                        self.note(Oddity::NoSemicolon, || "");
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

    /// Whether these words are as many as a key needs.
    fn is_whole(&self, words: &[&[u8]]) -> bool {
        let fixed = words.iter().skip(2).take(2).filter(|&&word| word == b"fixed").count();
        words.len() >= WORDS_BEFORE_FLAGS + self.flags + 2 * fixed
    }

    /// Whether the next line goes on with the key before it: it is neither an end nor a key of its
    /// own, which begins with two numbers and a tangent.
    fn key_goes_on(&self) -> bool {
        let mut ahead = self.lexer;
        let mut words_in_line = 0;
        loop {
            match ahead.next() {
                Token::Open | Token::Close | Token::End if words_in_line == 0 => return false,
                Token::Word(word) if words_in_line == 0 && words::begins_statement(word) => {
                    return false;
                }
                Token::Word(word) if words_in_line < 2 => {
                    if Number::read(word).is_none() {
                        return true;
                    }
                    words_in_line += 1;
                }
                Token::Word(word) => return words::tangent(word).is_none(),
                Token::LineEnd | Token::Semicolon | Token::Open | Token::Close | Token::End => {
                    return true;
                }
            }
        }
    }

    /// The keys that these words make: one, or several that nothing sets apart but their
    /// tangents.
    fn keys_of(&mut self, words: &[&'a [u8]], line: u32, keys: &mut Vec<Key>) {
        let mut rest = words;
        loop {
            let taken = self.key(rest, line, keys);
            rest = &rest[taken..];
            if rest.is_empty() {
                return;
            }
            self.oddities.note(Oddity::KeysInALine, line, || SourceLocation::line(line), || "");
        }
    }

    /// Reads one key at the start of `words` and returns how many of them it takes, at least one.
    fn key(&mut self, words: &[&'a [u8]], line: u32, keys: &mut Vec<Key>) -> usize {
        let read = |decoder: &mut Self, index: usize| {
            let word = words.get(index)?;
            decoder.number(word, line)
        };
        let (input, value) = (read(self, 0), read(self, 1));
        let tangents = [2, 3].map(|index| self.tangent(words.get(index).copied(), line));
        let (numbers, count, taken) = self.numbers_after_tangents(words, line);
        let (Some(input), Some(value)) = (input, value) else {
            let wrong = if input.is_none() { words.first() } else { words.get(1) };
            let found = || {
                let what = if input.is_none() { "time" } else { "value" };
                let found = wrong.map_or("nothing".to_owned(), |word| quote(word));
                format!("a number for its {what}, found {found}")
            };
            self.oddities.note(Oddity::LostKey, line, || SourceLocation::line(line), found);
            return taken;
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
        taken
    }

    /// The numbers after a key's tangents, how many of them there are, and how many words the key
    /// takes. Where another tangent follows, the two numbers before it are the next key's.
    fn numbers_after_tangents(
        &mut self,
        words: &[&'a [u8]],
        line: u32,
    ) -> ([f64; MOST_NUMBERS], usize, usize) {
        let mut numbers = [0.0; MOST_NUMBERS];
        let mut count = 0;
        for (index, word) in words.iter().enumerate().skip(WORDS_BEFORE_FLAGS) {
            if let Some(number) = self.number(word, line) {
                if count < MOST_NUMBERS {
                    numbers[count] = number;
                }
                count += 1;
            } else if words::tangent(word).is_some() && count >= 2 {
                return (numbers, (count - 2).min(MOST_NUMBERS), index - 2);
            } else {
                break;
            }
        }
        if count > MOST_NUMBERS {
            self.oddities.note(Oddity::ManyNumbers, line, || SourceLocation::line(line), || "");
        }
        (numbers, count.min(MOST_NUMBERS), words.len())
    }

    /// How many of a key's `count` numbers are flags. Some writers forget the breakdown flag, or
    /// have it before its time; the count tells.
    fn count_flags(&mut self, count: usize, fixed: usize, line: u32) -> usize {
        let expected = self.flags;
        let (flags, oddity) = match count.checked_sub(2 * fixed) {
            Some(flags) if flags == expected => return flags,
            Some(2) => (2, Oddity::NoBreakdown),
            Some(3) => (3, Oddity::EarlyBreakdown),
            Some(more) if more > expected => (expected, Oddity::ManyNumbers),
            _ => (expected.min(count), Oddity::FewNumbers),
        };
        self.oddities.note(oddity, line, || SourceLocation::line(line), || "");
        flags
    }

    fn tangent(&mut self, word: Option<&'a [u8]>, line: u32) -> Tangent {
        let known = word.and_then(words::tangent);
        let found = || word.map_or("(none)".to_owned(), quote);
        let oddity = match known {
            None => Oddity::UnknownTangent,
            Some(Tangent::Global | Tangent::AutoCustom) => Oddity::PreferredTangent,
            Some(known) => return known,
        };
        self.oddities.note(oddity, line, || SourceLocation::line(line), found);
        known.unwrap_or(Tangent::Global)
    }
}
