//! Reads `anim` lines: the target of a curve, and its position in the hierarchy.

use std::borrow::Cow;

use super::{Curve, Decoder, Deviation, Item, StatementEnd, Target, Token, lossy_text, quote};

/// An `anim` line ends with three integers: row, child and attr.
const TRAILING_INTEGERS: usize = 3;

impl<'a> Decoder<'a> {
    pub(super) fn read_anim_line(&mut self) {
        let line = self.lexer.line();
        let location = self.lexer.location();
        if self.document.header.end_line == 0 {
            self.document.header.end_line = line;
        }
        let end = self.read_statement(|words| trailing_integers(words).len() == TRAILING_INTEGERS);
        let words = std::mem::take(&mut self.words);
        let numbers = trailing_integers(&words);
        if numbers.len() < TRAILING_INTEGERS {
            if end == StatementEnd::File {
                self.record_truncation(location, "an anim line".to_owned());
                return;
            }
            self.deviations.record(Deviation::BadAnimLine, line, || location, || "");
        }
        if end == StatementEnd::Line {
            self.record_deviation(Deviation::NoSemicolon, || "");
        }
        let names = &words[..words.len() - numbers.len()];
        let target = self.parse_target(names);
        let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
        let (row, child, attr) = (number(0), number(1), number(2));
        self.document.items.push(Item { line, target, row, child, attr, curves: Vec::new() });
        self.words = words;
    }

    /// Parses the names of an `anim` line into the target of its curves.
    ///
    /// The line of an unconnected curve has no names. The line of a placeholder has the node name,
    /// which may contain spaces. The line of an attribute has the full attribute name, and usually
    /// the last part of that name and the node name.
    fn parse_target(&mut self, names: &[&'a [u8]]) -> Target<'a> {
        let has_data = self.peek_significant_token().0 == Token::Word(b"animData");
        match *names {
            [] => Target::Unconnected,
            [full] if has_data => {
                let full = self.decode_text(full);
                let leaf = leaf_name(&full).to_owned();
                Target::Attribute { full, leaf: leaf.into(), node: None }
            }
            [full, leaf, ref node @ ..] if has_data || is_attribute(names) => {
                if !has_data {
                    self.record_deviation(Deviation::AnimWithoutData, || quote(full));
                }
                let node = (!node.is_empty()).then(|| self.join_names(node));
                Target::Attribute {
                    full: self.decode_text(full),
                    leaf: self.decode_text(leaf),
                    node,
                }
            }
            _ => Target::Placeholder { node: self.join_names(names) },
        }
    }

    fn join_names(&mut self, words: &[&'a [u8]]) -> Cow<'a, str> {
        match *words {
            [word] => self.decode_text(word),
            _ => {
                words.iter().map(|word| self.decode_text(word)).collect::<Vec<_>>().join(" ").into()
            }
        }
    }

    pub(super) fn item_for_anim_data(&mut self) -> usize {
        let items = &self.document.items;
        if items.is_empty() {
            self.record_deviation(Deviation::DataWithoutAnim, || "");
            let line = self.lexer.line();
            if self.document.header.end_line == 0 {
                self.document.header.end_line = line;
            }
            let target = Target::Unconnected;
            let curves = Vec::new();
            self.document.items.push(Item { line, target, row: 0, child: 0, attr: 0, curves });
        } else if items.last().is_some_and(|item| !item.curves.is_empty()) {
            self.record_deviation(Deviation::SecondData, || "");
        }
        self.document.items.len() - 1
    }

    pub(super) fn add_curve(&mut self, item: usize, curve: Curve<'a>) {
        self.document.items[item].curves.push(curve);
    }

    pub(super) fn item_name(&self, item: usize) -> String {
        let target = &self.document.items[item].target;
        match (target.node(), target.leaf()) {
            (Some(node), leaf) => format!("{node}.{leaf}"),
            (None, "") => "an unconnected curve".to_owned(),
            (None, leaf) => leaf.to_owned(),
        }
    }
}

fn trailing_integers(words: &[&[u8]]) -> Vec<u32> {
    let number = |word: &&[u8]| -> Option<u32> {
        let number: i64 = lossy_text(word).parse().ok()?;
        u32::try_from(number.max(0)).ok()
    };
    let mut numbers: Vec<_> =
        words.iter().rev().take(TRAILING_INTEGERS).map_while(number).collect();
    numbers.reverse();
    numbers
}

fn is_attribute(names: &[&[u8]]) -> bool {
    names.len() > 2 && lossy_text(names[1]) == leaf_name(&lossy_text(names[0]))
}

fn leaf_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
