//! Writing actions, apart from movements and ticks.

use super::out::Out;
use crate::{Action, EntityData, ItemData, Update, Use};

/// The prefix of an action of an entity, rather than of the player.
const ENTITY_ACTION: u8 = 17;

/// Says that what follows is done by an entity, if it is not the player who does it.
pub(super) fn whose(out: &mut Out, entity: Option<i32>) {
    if let Some(id) = entity {
        out.u8(ENTITY_ACTION);
        out.i32(id);
    }
}

/// Writes an action as version 5 has it. Movements and ticks are written elsewhere, and what has no
/// counterpart is not written at all.
pub(super) fn write(out: &mut Out, action: &Action<'_>) {
    match action {
        Action::Ticks(_) | Action::Move(_) | Action::Model(_) | Action::Data(None) => {}
        Action::Pose(number) => numbered(out, 3, *number),
        Action::Items(items) => write_items(out, items),
        Action::EntityFlags(flags) => out.0.extend([5, *flags]),
        Action::LivingFlags(flags) => out.0.extend([6, *flags]),
        Action::MainHand(is_right) => told(out, 7, *is_right),
        Action::Swing { off_hand } => told(out, 8, *off_hand),
        Action::Break { .. } | Action::Place { .. } | Action::Crack { .. } => block(out, action),
        Action::Use(click) => write_use(out, click),
        Action::EffectColour { colour, ambient } => effect_colour(out, *colour, *ambient),
        Action::EffectParticles { particles, ambient } => effect(out, particles, *ambient),
        Action::Arrows { arrows, stingers } => {
            numbered(out, 13, *arrows);
            out.i32(*stingers);
        }
        Action::Sleep(bed) => {
            told(out, 14, bed.is_some());
            bed.iter().for_each(|&place| out.block_place(place));
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
        Action::Spectator(is_one) => told(out, 26, *is_one),
        Action::Nothing => out.u8(27),
        Action::CloseContainer => out.u8(28),
        Action::Custom { extension, action, data } => {
            out.0.extend([255, *extension, *action]);
            out.count(data.len());
            out.0.extend(*data);
        }
    }
}

fn numbered(out: &mut Out, opcode: u8, number: i32) {
    out.u8(opcode);
    out.i32(number);
}

fn told(out: &mut Out, opcode: u8, is_so: bool) {
    out.u8(opcode);
    out.bool(is_so);
}

/// As many slots as there are up to the last that is not empty.
fn write_items(out: &mut Out, items: &[ItemData<'_>]) {
    let is_empty =
        |item: &ItemData<'_>| matches!(item, ItemData::None | ItemData::Some { id: 0, .. });
    let count = items.iter().rposition(|item| !is_empty(item)).map_or(0, |last| last + 1);
    out.u8(4);
    // Minus the count; none at all is −128, which has no positive.
    out.u8(if count == 0 { 0x80 } else { (count as u8).wrapping_neg() });
    for item in &items[..count] {
        match item {
            ItemData::Some { id, data, is_tag } if *id != 0 => {
                // 1 is a number alone, 2 one with a tag, 3 one with components.
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

fn block(out: &mut Out, action: &Action<'_>) {
    match *action {
        Action::Break { previous, place } => {
            numbered(out, 9, previous);
            out.block_place(place);
        }
        Action::Place { previous, block, place, silent } => {
            numbered(out, if silent { 15 } else { 10 }, previous);
            out.i32(block);
            out.block_place(place);
        }
        Action::Crack { place, progress } => {
            out.u8(20);
            out.block_place(place);
            out.i32(progress);
        }
        _ => {}
    }
}

fn write_use(out: &mut Out, click: &Use) {
    out.u8(11);
    out.position(click.position);
    out.block_place(click.place);
    out.u8(click.side as u8);
    out.bool(click.inside);
    out.bool(click.off_hand);
}

/// A colour becomes the particles that have it: version 5 writes no colours any more.
fn effect_colour(out: &mut Out, colour: i32, ambient: bool) {
    let particle = format!(r#"{{"type":"minecraft:entity_effect","color":{colour}}}"#);
    let particles = if colour == 0 { Vec::new() } else { vec![particle] };
    effect(out, &particles, ambient);
}

fn effect(out: &mut Out, particles: &[impl AsRef<str>], ambient: bool) {
    out.u8(29);
    out.count(particles.len());
    particles.iter().for_each(|particle| out.string(particle.as_ref()));
    out.bool(ambient);
}

fn write_update(out: &mut Out, entity: i32, update: &Update<'_>) {
    let (kind, entity) = match update {
        Update::None => (0, entity),
        Update::Add { .. } => (1, entity),
        Update::Remove => (2, entity),
        Update::Kill => (3, entity),
        Update::Hurt => (4, entity),
        Update::Mount => (5, entity),
        // It says the number of no entity.
        Update::Dismount => (6, 0),
    };
    out.0.extend([16, kind]);
    out.i32(entity);
    if let Update::Add { nbt, position } = update {
        out.string(nbt);
        out.position(*position);
    }
}

fn write_data(out: &mut Out, data: &EntityData) {
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
    [int1, int2, int3].iter().flatten().for_each(|&int| out.packed(int));
    float1.iter().for_each(|&float| out.f32(float));
}
