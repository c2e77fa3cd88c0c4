//! Reading one action.

use super::{Action, EntityData, Step, Update, Use, items, movement};
use crate::{Dialect, issues::Issue, reader::Reader};
use mutoscope_core::diagnostics::{Error, SourceLocation};

/// The greatest depth of actions of entities within one another.
const DEEPEST: usize = 16;

/// Reads one action, and whose it is.
///
/// # Errors
/// If its number is unknown, so that nobody can tell where the next one begins, or if it breaks
/// off.
pub(in super::super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Step<'a>, Error> {
    const ENTITY_ACTION: u8 = 17;
    let offset = reader.cursor.offset();
    let mut entity = None;
    let mut depth = 0;
    let mut opcode = reader.cursor.u8("an action")?;
    while opcode == ENTITY_ACTION {
        depth += 1;
        if depth > DEEPEST {
            let expected = format!("at most {DEEPEST} entities' actions one in another");
            return Err(Error::malformed(reader.cursor.place(), expected, "one more"));
        }
        entity = Some(reader.cursor.i32_be("the number of an entity")?);
        opcode = reader.cursor.u8("an entity's action")?;
    }
    let action = action(reader, opcode)?;
    Ok(Step { offset, entity, action })
}

fn action<'a>(reader: &mut Reader<'a>, opcode: u8) -> Result<Action<'a>, Error> {
    let is_alpha = reader.layout.dialect == Dialect::Alpha5;
    Ok(match opcode {
        0 => Action::Ticks(1),
        1 => Action::Move(movement::legacy(reader)?),
        2 => Action::Move(super::Movement {
            head_yaw: Some(reader.cursor.f32_be("the yaw of a head")?),
            ..super::Movement::default()
        }),
        3 => Action::Pose(reader.cursor.i32_be("a pose")?),
        4 => Action::Items(items::items(reader)?),
        5 => Action::EntityFlags(reader.cursor.u8("an entity's flags")?),
        6 => Action::LivingFlags(reader.cursor.u8("the flags of what lives")?),
        7 => Action::MainHand(reader.bool("whether the main hand is the right one")?),
        8 => Action::Swing { off_hand: reader.bool("whether the off hand swings")? },
        9 => Action::Break {
            previous: reader.cursor.i32_be("a broken block")?,
            place: reader.block_place("the place of a broken block")?,
        },
        10 | 15 => Action::Place {
            previous: reader.cursor.i32_be("a replaced block")?,
            block: reader.cursor.i32_be("a placed block")?,
            place: reader.block_place("the place of a placed block")?,
            silent: opcode == 15,
        },
        11 => Action::Use(click(reader)?),
        12 => Action::EffectColour {
            colour: reader.cursor.i32_be("the colour of an effect")?,
            ambient: reader.bool("whether an effect is ambient")?,
        },
        13 => Action::Arrows {
            arrows: reader.cursor.i32_be("a count of arrows")?,
            stingers: reader.cursor.i32_be("a count of stingers")?,
        },
        14 => {
            let sleeps = reader.bool("whether it sleeps")?;
            Action::Sleep(if sleeps { Some(reader.block_place("a bed")?) } else { None })
        }
        16 => update(reader)?,
        18 => {
            reader.cursor.u8("the unused byte of a hurt")?;
            Action::Hurt
        }
        19 => Action::Data(vehicle_data(reader)?),
        20 => Action::Crack {
            place: reader.block_place("the place of a cracked block")?,
            progress: reader.cursor.i32_be("how far a block is broken")?,
        },
        21 => Action::Move(movement::current(reader)?),
        22 => Action::Ticks(reader.cursor.u8("a count of ticks")?),
        23 => Action::Die,
        24 => Action::Respawn,
        25 => {
            if !is_alpha {
                reader.cursor.u8("the unused byte of a message")?;
            }
            Action::Chat(reader.string("a message")?)
        }
        26 => Action::Spectator(reader.bool("whether it is a spectator")?),
        27 if is_alpha => Action::Model(model(reader)?),
        27 => Action::Nothing,
        28 => Action::CloseContainer,
        29 => effect_particles(reader)?,
        30 => Action::Data(Some(entity_data(reader)?)),
        255 => custom(reader)?,
        unknown => {
            let place = SourceLocation::span(reader.cursor.offset() - 1, 1);
            let expected = "an action, 0 to 30 or 255";
            return Err(Error::malformed(place, expected, unknown));
        }
    })
}

fn click(reader: &mut Reader<'_>) -> Result<Use, Error> {
    Ok(Use {
        position: reader.position("where a block was hit")?,
        place: reader.block_place("the place of a block that is used")?,
        side: reader.cursor.u8("the side of a block")? as i8,
        inside: reader.bool("whether the head is inside a block")?,
        off_hand: reader.bool("whether the off hand clicks")?,
    })
}

fn update<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let start = reader.cursor.offset();
    let kind = reader.cursor.u8("what becomes of an entity")?;
    let entity = reader.cursor.i32_be("the number of an entity")?;
    let update = match kind {
        1 => Update::Add {
            nbt: reader.string("the data of an entity")?,
            position: reader.position("the position of an entity")?,
        },
        2 => Update::Remove,
        3 => Update::Kill,
        4 => Update::Hurt,
        5 => Update::Mount,
        6 => Update::Dismount,
        _ => {
            if kind != 0 {
                reader.note(Issue::UpdateType, start);
            }
            Update::None
        }
    };
    Ok(Action::Update { entity, update })
}

fn vehicle_data(reader: &mut Reader<'_>) -> Result<Option<EntityData>, Error> {
    if !reader.bool("whether there is data of a vehicle")? {
        return Ok(None);
    }
    let what = "the data of a vehicle";
    Ok(Some(EntityData {
        byte1: Some(reader.cursor.u8(what)? as i8),
        flag1: reader.bool(what)?,
        flag2: reader.bool(what)?,
        int1: Some(reader.cursor.i32_be(what)?),
        int2: Some(reader.cursor.i32_be(what)?),
        int3: Some(reader.cursor.i32_be(what)?),
        float1: Some(reader.cursor.f32_be(what)?),
    }))
}

fn entity_data(reader: &mut Reader<'_>) -> Result<EntityData, Error> {
    let what = "the data of an entity";
    let flags = reader.cursor.u8(what)?;
    let has = |bit: u8| flags & bit != 0;
    Ok(EntityData {
        flag1: has(0x01),
        flag2: has(0x02),
        byte1: if has(0x04) { Some(reader.cursor.u8(what)? as i8) } else { None },
        int1: if has(0x08) { Some(reader.packed_int(what)?) } else { None },
        int2: if has(0x10) { Some(reader.packed_int(what)?) } else { None },
        int3: if has(0x20) { Some(reader.packed_int(what)?) } else { None },
        float1: if has(0x40) { Some(reader.cursor.f32_be(what)?) } else { None },
    })
}

fn effect_particles<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let count = reader.packed_count(1, "particles")?;
    let particles =
        (0..count).map(|_| reader.string("a particle")).collect::<Result<_, Error>>()?;
    Ok(Action::EffectParticles { particles, ambient: reader.bool("whether an effect is ambient")? })
}

fn custom<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let extension = reader.cursor.u8("the extension of a custom action")?;
    let action = reader.cursor.u8("the number of a custom action")?;
    let length = reader.packed_count(1, "bytes of a custom action")?;
    Ok(Action::Custom { extension, action, data: reader.cursor.take(length, "a custom action")? })
}

/// Reads the action of the add-on MocapCPMSupport, which used a number that was free then.
fn model<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    let what = "the data of a player model";
    if !reader.bool(what)? {
        return Ok(&[]);
    }
    let length = reader.count(1, "bytes of a player model")?;
    let model = reader.cursor.take(length, what)?;
    reader.bool(what)?;
    reader.bool(what)?;
    let length = reader.count(1, "bytes of a player model's animation")?;
    reader.cursor.take(length, what)?;
    Ok(model)
}
