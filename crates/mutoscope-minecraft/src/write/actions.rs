//! Writes actions, except movements and ticks.

use super::byte_writer::ByteWriter;
use crate::{Action, EntityData, ItemData, Update, Use};

const ENTITY_ACTION: u8 = 17;

/// Writes the prefix of an entity's action. Actions of the player have no prefix.
pub(super) fn write_actor_prefix(out: &mut ByteWriter, entity: Option<i32>) {
    if let Some(id) = entity {
        out.u8(ENTITY_ACTION);
        out.i32(id);
    }
}

/// Writes an action as version 5. Skips movements and ticks, which other modules write, and actions
/// that version 5 does not have.
pub(super) fn write_action(out: &mut ByteWriter, action: &Action<'_>) {
    match action {
        Action::Ticks(_) | Action::Move(_) | Action::Model(_) | Action::Data(None) => {}
        Action::Pose(number) => write_i32_action(out, 3, *number),
        Action::Items(items) => write_items(out, items),
        Action::EntityFlags(flags) => out.0.extend([5, *flags]),
        Action::LivingFlags(flags) => out.0.extend([6, *flags]),
        Action::MainHand(is_right) => write_bool_action(out, 7, *is_right),
        Action::Swing { off_hand } => write_bool_action(out, 8, *off_hand),
        Action::Break { .. } | Action::Place { .. } | Action::Crack { .. } => {
            write_block_action(out, action)
        }
        Action::Use(click) => write_use(out, click),
        Action::EffectColour { colour, ambient } => write_colour_effect(out, *colour, *ambient),
        Action::EffectParticles { particles, ambient } => {
            write_particle_effect(out, particles, *ambient)
        }
        Action::Arrows { arrows, stingers } => {
            write_i32_action(out, 13, *arrows);
            out.i32(*stingers);
        }
        Action::Sleep(bed) => {
            write_bool_action(out, 14, bed.is_some());
            bed.iter().for_each(|&position| out.block_position(position));
        }
        Action::Update { entity, update } => write_update(out, *entity, update),
        Action::Hurt => out.0.extend([18, 0]),
        Action::Data(Some(data)) => write_data(out, data),
        Action::Die => out.u8(23),
        Action::Respawn => out.u8(24),
        Action::Chat(json) => {
            out.0.extend([25, 0]);
            out.string(json);
        }
        Action::Spectator(is_spectator) => write_bool_action(out, 26, *is_spectator),
        Action::Nothing => out.u8(27),
        Action::CloseContainer => out.u8(28),
        Action::Custom { extension, action, data } => {
            out.0.extend([255, *extension, *action]);
            out.count(data.len());
            out.0.extend(*data);
        }
    }
}

fn write_i32_action(out: &mut ByteWriter, opcode: u8, number: i32) {
    out.u8(opcode);
    out.i32(number);
}

fn write_bool_action(out: &mut ByteWriter, opcode: u8, value: bool) {
    out.u8(opcode);
    out.bool(value);
}

fn write_items(out: &mut ByteWriter, items: &[ItemData<'_>]) {
    let is_empty =
        |item: &ItemData<'_>| matches!(item, ItemData::None | ItemData::Some { id: 0, .. });
    let count = items.iter().rposition(|item| !is_empty(item)).map_or(0, |last| last + 1);
    out.u8(4);
    // Write the negated count. Write a count of 0 as −128, because −0 is 0 and readers take a byte
    // from 0 on for the type of the first item.
    out.u8(if count == 0 { 0x80 } else { (count as u8).wrapping_neg() });
    for item in &items[..count] {
        match item {
            ItemData::Some { id, data, is_tag } if *id != 0 => {
                // Item types: 1 is an id without data, 2 an id with a tag, 3 an id with components.
                out.u8(match data {
                    None => 1,
                    Some(_) if *is_tag => 2,
                    Some(_) => 3,
                });
                out.i32(*id);
                data.iter().for_each(|data| out.string(data));
            }
            _ => out.u8(0),
        }
    }
}

fn write_block_action(out: &mut ByteWriter, action: &Action<'_>) {
    match *action {
        Action::Break { previous, position } => {
            write_i32_action(out, 9, previous);
            out.block_position(position);
        }
        Action::Place { previous, block, position, silent } => {
            write_i32_action(out, if silent { 15 } else { 10 }, previous);
            out.i32(block);
            out.block_position(position);
        }
        Action::Crack { position, progress } => {
            out.u8(20);
            out.block_position(position);
            out.i32(progress);
        }
        _ => {}
    }
}

fn write_use(out: &mut ByteWriter, click: &Use) {
    out.u8(11);
    out.position(click.hit_position);
    out.block_position(click.block_position);
    out.u8(click.side as u8);
    out.bool(click.is_head_inside);
    out.bool(click.off_hand);
}

/// Writes the colour of effect particles as a single particle of that colour, because version 5 has
/// no action for a colour.
fn write_colour_effect(out: &mut ByteWriter, colour: i32, ambient: bool) {
    let particle = format!(r#"{{"type":"minecraft:entity_effect","color":{colour}}}"#);
    let particles = if colour == 0 { Vec::new() } else { vec![particle] };
    write_particle_effect(out, &particles, ambient);
}

fn write_particle_effect(out: &mut ByteWriter, particles: &[impl AsRef<str>], ambient: bool) {
    out.u8(29);
    out.count(particles.len());
    particles.iter().for_each(|particle| out.string(particle.as_ref()));
    out.bool(ambient);
}

fn write_update(out: &mut ByteWriter, entity: i32, update: &Update<'_>) {
    let (kind, entity) = match update {
        Update::None => (0, entity),
        Update::Add { .. } => (1, entity),
        Update::Remove => (2, entity),
        Update::Kill => (3, entity),
        Update::Hurt => (4, entity),
        Update::Mount => (5, entity),
        // `Dismount` has no entity id, so write 0 in its place.
        Update::Dismount => (6, 0),
    };
    out.0.extend([16, kind]);
    out.i32(entity);
    if let Update::Add { nbt, position } = update {
        out.string(nbt);
        out.position(*position);
    }
}

fn write_data(out: &mut ByteWriter, data: &EntityData) {
    let EntityData { flag1, flag2, byte1, int1, int2, int3, float1 } = *data;
    let bits = [
        (0x01, flag1),
        (0x02, flag2),
        (0x04, byte1.is_some()),
        (0x08, int1.is_some()),
        (0x10, int2.is_some()),
        (0x20, int3.is_some()),
        (0x40, float1.is_some()),
    ];
    out.u8(30);
    out.u8(bits.iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum());
    byte1.iter().for_each(|&byte| out.u8(byte as u8));
    [int1, int2, int3].iter().flatten().for_each(|&int| out.packed_int(int));
    float1.iter().for_each(|&float| out.f32(float));
}
