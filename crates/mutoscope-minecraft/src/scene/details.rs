//! Details of players and entities that are no tracks: the data of items, particles, beds.

use super::{Scene, Take};
use crate::{Actor, Effect, EntityData, Slot, pretty, spoken, words};
use mutoscope_core::clip::{Detail, NodeId};

/// Longer texts are truncated to this many bytes.
const LONGEST: usize = 4000;

impl Scene {
    /// The details of a node at `time`, in seconds.
    pub(super) fn details_of(&self, node: NodeId, time: f64) -> Vec<Detail> {
        let details = || {
            let take = words::take_of(self, node)?;
            let frame = take.moment(time)?.frame;
            take.details_of(node, frame)
        };
        details().unwrap_or_default()
    }
}

impl Take {
    fn details_of(&self, node: NodeId, frame: u32) -> Option<Vec<Detail>> {
        if node == self.player() {
            return Some(details(&self.recording.player, frame));
        }
        let index = node.index().checked_sub(self.entity(0).index())?;
        let entity = self.recording.entities.get(index)?;
        if !entity.is_there(frame) {
            return None;
        }
        let mut details = details(&entity.actor, frame);
        details.extend(entity.custom_name().map(|name| detail("name", name)));
        details.push(detail("as it was added", pretty(short(&entity.nbt))));
        Some(details)
    }
}

fn detail(label: impl Into<String>, text: impl Into<String>) -> Detail {
    Detail { label: label.into(), text: text.into() }
}

fn details(actor: &Actor, frame: u32) -> Vec<Detail> {
    let mut details = Vec::new();
    for slot in Slot::ALL {
        if let Some(item) = actor.item(slot, frame)
            && let Some(data) = &item.data
        {
            let label = format!("{}: {}", slot.word(), spoken(&item.id));
            details.push(detail(label, pretty(short(data))));
        }
    }
    if let Some(bed) = actor.bed.at(frame) {
        details.push(detail("bed", format!("{} {} {}", bed.x, bed.y, bed.z)));
    }
    if let Some(effect) = actor.effect.at(frame) {
        details.push(detail("particles", particles(effect)));
    }
    if let Some(data) = actor.data.at(frame) {
        details.push(detail("special to its kind", special(data)));
    }
    details
}

fn particles(effect: &Effect) -> String {
    let (what, is_ambient) = match effect {
        Effect::Colour { colour, ambient } => (format!("#{colour:08x}"), ambient),
        Effect::Particles { particles, ambient } => {
            let each = particles.iter().map(|particle| short(particle));
            (each.collect::<Vec<_>>().join("\n"), ambient)
        }
    };
    format!("{what}{}", if *is_ambient { ", few" } else { "" })
}

/// The fields that are set, by the names of the format: their meaning depends on the kind.
fn special(data: &EntityData) -> String {
    let EntityData { flag1, flag2, byte1, int1, int2, int3, float1 } = *data;
    let mut fields = vec![format!("flag1: {flag1}"), format!("flag2: {flag2}")];
    fields.extend(byte1.map(|byte| format!("byte1: {byte}")));
    let ints = [("int1", int1), ("int2", int2), ("int3", int3)];
    fields.extend(ints.iter().filter_map(|(name, int)| Some(format!("{name}: {}", (*int)?))));
    fields.extend(float1.map(|float| format!("float1: {float}")));
    fields.join("\n")
}

/// The beginning of a text that is too long.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}
