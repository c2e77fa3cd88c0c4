//! Collects the events of a replay, up to a limit.

use crate::{codes, time::frame_time};
use mutoscope_core::{
    clip::{Event, NodeId, Owner, Value},
    diagnostics::{Diagnostics, SourceLocation},
};

pub(in super::super) const MAX_EVENTS: usize = 1 << 20;

#[derive(Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    excess: Option<(usize, u32)>,
}

impl Events {
    pub(super) fn add(
        &mut self,
        frame: u32,
        offset: usize,
        node: NodeId,
        name: &str,
        value: Value,
    ) {
        if self.list.len() == MAX_EVENTS {
            let beyond = self.excess.get_or_insert((offset, 0));
            beyond.1 = beyond.1.saturating_add(1);
            return;
        }
        self.list.push(Event {
            time: frame_time(frame),
            owner: Some(Owner::Node(node)),
            name: name.to_owned(),
            value: (value != Value::Null).then(|| Box::new(value)),
            location: SourceLocation::byte(offset),
            ..Event::default()
        });
    }

    pub(super) fn report(&self, diagnostics: &mut Diagnostics) {
        if let Some((offset, count)) = self.excess {
            let message = format!("more than {MAX_EVENTS} events; the other {count} skipped");
            diagnostics
                .error(codes::TOO_MANY_EVENTS, SourceLocation::byte(offset), message)
                .with("limit", MAX_EVENTS)
                .with("count", count);
        }
    }

    pub(super) fn into_list(mut self) -> Vec<Event> {
        self.list.shrink_to_fit();
        self.list
    }
}
