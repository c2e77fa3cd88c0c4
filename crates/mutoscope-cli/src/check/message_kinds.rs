//! Limits repeated messages: the first of a kind are printed, the others are counted.

use std::collections::HashMap;

use crate::Message;

/// Counts the messages of one file by their kind. Messages that differ only in names and numbers
/// are of the same kind.
#[derive(Default)]
pub(super) struct MessageKinds<'a> {
    index: HashMap<String, usize>,
    kinds: Vec<MessageKind<'a>>,
}

struct MessageKind<'a> {
    count: usize,
    first_omitted: Option<Message<'a>>,
}

impl<'a> MessageKinds<'a> {
    pub(super) fn count_message(
        &mut self,
        message: Message<'a>,
        limit: usize,
    ) -> Option<Message<'a>> {
        let next = self.kinds.len();
        let index = *self
            .index
            .entry(format!("{} {}", message.severity, message_pattern(&message.message)))
            .or_insert(next);
        if index == next {
            self.kinds.push(MessageKind { count: 0, first_omitted: None });
        }
        let kind = &mut self.kinds[index];
        kind.count += 1;
        if kind.count <= limit {
            return Some(message);
        }
        kind.first_omitted.get_or_insert(message);
        None
    }

    pub(super) fn into_omitted(self, limit: usize) -> impl Iterator<Item = (usize, Message<'a>)> {
        self.kinds.into_iter().filter_map(move |MessageKind { count, first_omitted }| {
            let first = first_omitted?;
            Some((count - limit, first))
        })
    }
}

fn message_pattern(message: &str) -> String {
    // Skip the subject with which most messages begin, because it contains names. In `tracks[3]
    // (Arm.Rotation): no keys`, the subject is the part before the colon.
    let predicate = message.split_once(": ").map_or(message, |(_, rest)| rest);
    let mut pattern = String::with_capacity(predicate.len());
    for (index, part) in predicate.split('"').enumerate() {
        if index % 2 == 1 {
            // A part with an odd index is between quotation marks, so it is a name.
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
            assert_eq!(message_pattern(one), message_pattern(other));
        }
        assert_ne!(message_pattern("a: no keys"), message_pattern("a: no times"));
    }

    #[test]
    fn messages_beyond_the_limit_are_counted() {
        let message = |text: String| Message::for_file("f", text);
        let mut kinds = MessageKinds::default();
        let printed =
            (0..25).filter_map(|n| kinds.count_message(message(format!("t[{n}]: no keys")), 20));
        assert_eq!(printed.count(), 20);
        assert!(kinds.count_message(message("t[1]: something else".to_owned()), 20).is_some());
        let omitted: Vec<_> = kinds.into_omitted(20).collect();
        assert_eq!(omitted.len(), 1);
        assert_eq!((omitted[0].0, omitted[0].1.message.as_str()), (5, "t[20]: no keys"));
    }
}
