//! Lists details of players and entities that are not tracks: data of items, particles, beds.

use super::{Scene, Take};
use crate::{Actor, Effect, EntityData, Slot, display_name, labels, pretty_snbt};
use mutoscope_core::clip::{Detail, NodeId};

const MAX_TEXT_BYTES: usize = 4000;

impl Scene {
    pub(super) fn details_of(&self, node: NodeId, time: f64) -> Vec<Detail> {
        let details = || {
            let take = labels::take_of_node(self, node)?;
            let frame = take.sample_time(time)?.frame;
            take.details_of(node, frame)
        };
        details().unwrap_or_default()
    }
}

impl Take {
    fn details_of(&self, node: NodeId, frame: u32) -> Option<Vec<Detail>> {
        if node == self.player_node() {
            return Some(actor_details(&self.recording.player, frame));
        }
        let index = node.index().checked_sub(self.entity_node(0).index())?;
        let entity = self.recording.entities.get(index)?;
        if !entity.is_there(frame) {
            return None;
        }
        let mut details = actor_details(&entity.actor, frame);
        details.extend(entity.custom_name().map(|name| new_detail("name", name)));
        details.push(new_detail("initial data", pretty_snbt(truncate(&entity.nbt))));
        Some(details)
    }
}

fn new_detail(label: impl Into<String>, text: impl Into<String>) -> Detail {
    Detail { label: label.into(), text: text.into() }
}

fn actor_details(actor: &Actor, frame: u32) -> Vec<Detail> {
    let mut details = Vec::new();
    for slot in Slot::ALL {
        if let Some(item) = actor.item(slot, frame)
            && let Some(data) = &item.data
        {
            let label = format!("{}: {}", slot.label(), display_name(&item.id));
            details.push(new_detail(label, pretty_snbt(truncate(data))));
        }
    }
    if let Some(bed) = actor.bed.at_frame(frame) {
        details.push(new_detail("bed", format!("{} {} {}", bed.x, bed.y, bed.z)));
    }
    if let Some(effect) = actor.effect.at_frame(frame) {
        details.push(new_detail("particles", describe_particles(effect)));
    }
    if let Some(data) = actor.data.at_frame(frame) {
        details.push(new_detail("kind-specific data", describe_entity_data(data)));
    }
    details
}

fn describe_particles(effect: &Effect) -> String {
    let (description, is_ambient) = match effect {
        Effect::Colour { colour, ambient } => (format!("#{colour:08x}"), ambient),
        Effect::Particles { particles, ambient } => {
            let each = particles.iter().map(|particle| truncate(particle));
            (each.collect::<Vec<_>>().join("\n"), ambient)
        }
    };
    format!("{description}{}", if *is_ambient { ", sparse" } else { "" })
}

/// Formats the fields under the names that the format gives them, because each kind of entity gives
/// them a different meaning. Fields that are `None` are omitted.
fn describe_entity_data(data: &EntityData) -> String {
    let EntityData { flag1, flag2, byte1, int1, int2, int3, float1 } = *data;
    let mut fields = vec![format!("flag1: {flag1}"), format!("flag2: {flag2}")];
    fields.extend(byte1.map(|byte| format!("byte1: {byte}")));
    let ints = [("int1", int1), ("int2", int2), ("int3", int3)];
    fields.extend(ints.iter().filter_map(|(name, int)| Some(format!("{name}: {}", (*int)?))));
    fields.extend(float1.map(|float| format!("float1: {float}")));
    fields.join("\n")
}

fn truncate(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT_BYTES)]
}
