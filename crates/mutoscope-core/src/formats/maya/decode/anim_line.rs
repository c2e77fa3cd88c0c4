//! `anim` lines: what a curve drives, and where in the hierarchy that is.

use std::borrow::Cow;

use super::{Curve, Decoder, Ending, Item, Oddity, Target, Token, quote, text_of};

/// How many whole numbers an `anim` line ends with: row, child and attr.
const NUMBERS: usize = 3;

impl<'a> Decoder<'a> {
    /// Everything after the word `anim`.
    pub(super) fn anim_line(&mut self) {
        let line = self.lexer.line();
        let place = self.lexer.place();
        if self.document.header.end_line == 0 {
            self.document.header.end_line = line;
        }
        let ending = self.statement(|words| whole_numbers_at_end(words).len() == NUMBERS);
        let words = std::mem::take(&mut self.words);
        let numbers = whole_numbers_at_end(&words);
        if numbers.len() < NUMBERS {
            if ending == Ending::File {
                self.break_off(place, "an anim line".to_owned());
                return;
            }
            self.oddities.note(Oddity::BadAnimLine, line, || place, || "");
        }
        if ending == Ending::Line {
            self.note(Oddity::NoSemicolon, || "");
        }
        let names = &words[..words.len() - numbers.len()];
        let target = self.target(names);
        let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
        let (row, child, attr) = (number(0), number(1), number(2));
        self.document.items.push(Item { line, target, row, child, attr, curves: Vec::new() });
        self.words = words;
    }

    /// The target of an `anim` line by its names: nothing, a node (whose name may have blanks), or
    /// an attribute in full, its leaf, and its node.
    fn target(&mut self, names: &[&'a [u8]]) -> Target<'a> {
        let has_data = self.next_in_sight().0 == Token::Word(b"animData");
        match *names {
            [] => Target::Unconnected,
            [full] if has_data => {
                let full = self.text(full);
                let leaf = last_part(&full).to_owned();
                Target::Attribute { full, leaf: leaf.into(), node: None }
            }
            [full, leaf, ref node @ ..] if has_data || is_attribute(names) => {
                if !has_data {
                    self.note(Oddity::AnimWithoutData, || quote(full));
                }
                let node = (!node.is_empty()).then(|| self.joined(node));
                Target::Attribute { full: self.text(full), leaf: self.text(leaf), node }
            }
            _ => Target::Placeholder { node: self.joined(names) },
        }
    }

    fn joined(&mut self, words: &[&'a [u8]]) -> Cow<'a, str> {
        match *words {
            [word] => self.text(word),
            _ => words.iter().map(|word| self.text(word)).collect::<Vec<_>>().join(" ").into(),
        }
    }

    /// The `anim` line that an `animData` block belongs to. Where there is none, an unconnected one
    /// is inserted.
    pub(super) fn item_of_data(&mut self) -> usize {
        let items = &self.document.items;
        if items.is_empty() {
            self.note(Oddity::DataWithoutAnim, || "");
            let line = self.lexer.line();
            if self.document.header.end_line == 0 {
                self.document.header.end_line = line;
            }
            let target = Target::Unconnected;
            let curves = Vec::new();
            self.document.items.push(Item { line, target, row: 0, child: 0, attr: 0, curves });
        } else if items.last().is_some_and(|item| !item.curves.is_empty()) {
            self.note(Oddity::SecondData, || "");
        }
        self.document.items.len() - 1
    }

    pub(super) fn add_curve(&mut self, item: usize, curve: Curve<'a>) {
        self.document.items[item].curves.push(curve);
    }

    /// The name of an item in messages.
    pub(super) fn name_of(&self, item: usize) -> String {
        let target = &self.document.items[item].target;
        match (target.node(), target.leaf()) {
            (Some(node), leaf) => format!("{node}.{leaf}"),
            (None, "") => "an unconnected curve".to_owned(),
            (None, leaf) => leaf.to_owned(),
        }
    }
}

/// The whole numbers at the end of `words`, at most [`NUMBERS`]. Negative ones count as 0.
fn whole_numbers_at_end(words: &[&[u8]]) -> Vec<u32> {
    let number = |word: &&[u8]| -> Option<u32> {
        let number: i64 = text_of(word).parse().ok()?;
        u32::try_from(number.max(0)).ok()
    };
    let mut numbers: Vec<_> = words.iter().rev().take(NUMBERS).map_while(number).collect();
    numbers.reverse();
    numbers
}

fn is_attribute(names: &[&[u8]]) -> bool {
    names.len() > 2 && text_of(names[1]) == last_part(&text_of(names[0]))
}

/// The part after the last dot: the leaf of an attribute's full name.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
