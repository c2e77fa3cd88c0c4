//! Limits repeated messages: the first of a kind are printed, the others are counted.

use std::{borrow::Cow, collections::HashMap};

use mutoscope_core::diagnostics::Severity;

use crate::Message;

/// Counts the messages of one file by their severity and code.
#[derive(Default)]
pub(super) struct MessageKinds<'a> {
    index: HashMap<(Severity, Option<Cow<'static, str>>), usize>,
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
        let index = *self.index.entry((message.severity, message.code.clone())).or_insert(next);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_beyond_the_limit_are_counted() {
        let message = |code: &'static str, text: String| Message {
            code: Some(code.into()),
            ..Message::for_file("f", text)
        };
        let mut kinds = MessageKinds::default();
        let printed = (0..25).filter_map(|n| {
            kinds.count_message(message("a/no-keys", format!("t[{n}]: no keys")), 20)
        });
        assert_eq!(printed.count(), 20);
        assert!(
            kinds
                .count_message(message("a/other", "t[1]: something else".to_owned()), 20)
                .is_some()
        );
        let omitted: Vec<_> = kinds.into_omitted(20).collect();
        assert_eq!(omitted.len(), 1);
        assert_eq!((omitted[0].0, omitted[0].1.message.as_str()), (5, "t[20]: no keys"));
    }
}
