//! Repeated messages of decoders: printed in full up to a limit, then counted.

use std::collections::HashMap;

use crate::Message;

/// Counts messages of one file that differ only in names and numbers.
#[derive(Default)]
pub(super) struct Kinds<'a> {
    index: HashMap<String, usize>,
    kinds: Vec<Kind<'a>>,
}

struct Kind<'a> {
    count: usize,
    /// The first that is not printed.
    untold: Option<Message<'a>>,
}

impl<'a> Kinds<'a> {
    /// Takes `message`; gives it back if it is one of the first `most` of its kind.
    pub(super) fn tell(&mut self, message: Message<'a>, most: usize) -> Option<Message<'a>> {
        let next = self.kinds.len();
        let index = *self
            .index
            .entry(format!("{} {}", message.severity, pattern(&message.message)))
            .or_insert(next);
        if index == next {
            self.kinds.push(Kind { count: 0, untold: None });
        }
        let kind = &mut self.kinds[index];
        kind.count += 1;
        if kind.count <= most {
            return Some(message);
        }
        kind.untold.get_or_insert(message);
        None
    }

    /// For each kind with more than `most`: how many more there are, and the first of them.
    pub(super) fn untold(self, most: usize) -> impl Iterator<Item = (usize, Message<'a>)> {
        self.kinds.into_iter().filter_map(move |Kind { count, untold }| {
            let first = untold?;
            Some((count - most, first))
        })
    }
}

/// A message without its names and numbers.
fn pattern(message: &str) -> String {
    // Most begin with what they are about: `tracks[3] (Arm.Rotation): no keys`.
    let about_whom = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let mut pattern = String::with_capacity(about_whom.len());
    for (index, part) in about_whom.split('"').enumerate() {
        if index % 2 == 1 {
            // A quoted name.
            pattern.push('"');
            continue;
        }
        for word in part.split_whitespace() {
            let is_name = word.contains(|c: char| c.is_ascii_digit() || "[]|/".contains(c))
                || word.trim_end_matches(['.', ',', ';', ':']).contains('.');
            pattern.push_str(if is_name { "#" } else { word });
            pattern.push(' ');
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_kinds_ignore_names_and_numbers() {
        let alike = [
            ["tracks[3] (a.b): no keys: zero", "tracks[4] (Arm.Position): no keys: zero"],
            ["\"x y\": 3 keys at 0.5 s, skipped", "\"z\": 12 keys at 1e-7 s, skipped"],
            ["curve of \"a\" and \"b\": lost", "curve of \"c\" and \"d e\": lost"],
        ];
        for [one, other] in alike {
            assert_eq!(pattern(one), pattern(other));
        }
        assert_ne!(pattern("a: no keys"), pattern("a: no times"));
    }

    #[test]
    fn messages_beyond_the_limit_are_counted() {
        let message = |text: String| Message::about_file("f", text);
        let mut kinds = Kinds::default();
        let told = (0..25).filter_map(|n| kinds.tell(message(format!("t[{n}]: no keys")), 20));
        assert_eq!(told.count(), 20);
        assert!(kinds.tell(message("t[1]: something else".to_owned()), 20).is_some());
        let untold: Vec<_> = kinds.untold(20).collect();
        assert_eq!(untold.len(), 1);
        assert_eq!((untold[0].0, untold[0].1.message.as_str()), (5, "t[20]: no keys"));
    }
}
