//! Events.

use crate::time::time_of;
use mutoscope_core::{
    clip::{Event, NodeId, Owner, Value},
    diagnostics::{Notices, SourceLocation},
};

/// More events than this are not listed: a recording of a day has fewer.
pub(in super::super) const MOST: usize = 1 << 20;

/// The events so far.
#[derive(Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    /// The offset of the first event that is not listed, and how many there are.
    beyond: Option<(usize, u32)>,
}

impl Events {
    /// Something of this `name` happens in `frame` to `node`, as the action at `offset` says.
    pub(super) fn add(
        &mut self,
        frame: u32,
        offset: usize,
        node: NodeId,
        name: &str,
        value: Value,
    ) {
        if self.list.len() == MOST {
            let beyond = self.beyond.get_or_insert((offset, 0));
            beyond.1 = beyond.1.saturating_add(1);
            return;
        }
        self.list.push(Event {
            time: time_of(frame),
            owner: Some(Owner::Node(node)),
            name: name.to_owned(),
            value: (value != Value::Null).then(|| Box::new(value)),
            place: SourceLocation::byte(offset),
            ..Event::default()
        });
    }

    pub(super) fn report(&self, notices: &mut Notices) {
        if let Some((offset, count)) = self.beyond {
            let message = format!("more than {MOST} events; the other {count} skipped");
            notices.error(SourceLocation::byte(offset), message);
        }
    }

    pub(super) fn into_list(mut self) -> Vec<Event> {
        self.list.shrink_to_fit();
        self.list
    }
}
