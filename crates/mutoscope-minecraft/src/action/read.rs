//! Reads a single action.

use super::{Action, EntityData, Step, Update, Use, items, movement};
use crate::{Dialect, format_diagnostics::FormatDiagnostic, reader::Reader};
use mutoscope_core::diagnostics::{Error, SourceLocation};

const MAX_DEPTH: usize = 16;

/// Reads an action and the entity that performs it.
///
/// # Errors
/// Fails if the number of the action is unknown or the action is truncated. The file stores no
/// lengths of actions, so the reader cannot skip an unknown action.
pub(in super::super) fn read_action<'a>(reader: &mut Reader<'a>) -> Result<Step<'a>, Error> {
    const ENTITY_ACTION: u8 = 17;
    let offset = reader.cursor.offset();
    let mut entity = None;
    let mut depth = 0;
    let mut opcode = reader.cursor.u8("an action")?;
    while opcode == ENTITY_ACTION {
        depth += 1;
        if depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} nested entity actions");
            return Err(Error::malformed(reader.cursor.location(), expected, "more"));
        }
        entity = Some(reader.cursor.i32_be("the number of an entity")?);
        opcode = reader.cursor.u8("an entity's action")?;
    }
    let action = read_action_data(reader, opcode)?;
    Ok(Step { offset, entity, action })
}

fn read_action_data<'a>(reader: &mut Reader<'a>, opcode: u8) -> Result<Action<'a>, Error> {
    let is_alpha = reader.layout.dialect == Dialect::Alpha5;
    Ok(match opcode {
        0 => Action::Ticks(1),
        1 => Action::Move(movement::read_legacy_movement(reader)?),
        2 => Action::Move(super::Movement {
            head_yaw: Some(reader.cursor.f32_be("the yaw of a head")?),
            ..super::Movement::default()
        }),
        3 => Action::Pose(reader.cursor.i32_be("a pose")?),
        4 => Action::Items(items::read_items(reader)?),
        5 => Action::EntityFlags(reader.cursor.u8("an entity's flags")?),
        6 => Action::LivingFlags(reader.cursor.u8("the flags of a living entity")?),
        7 => Action::MainHand(reader.bool("the main-hand flag")?),
        8 => Action::Swing { off_hand: reader.bool("the off-hand flag of a swing")? },
        9 => Action::Break {
            previous: reader.cursor.i32_be("a broken block")?,
            position: reader.block_position("the position of a broken block")?,
        },
        10 | 15 => Action::Place {
            previous: reader.cursor.i32_be("a replaced block")?,
            block: reader.cursor.i32_be("a placed block")?,
            position: reader.block_position("the position of a placed block")?,
            silent: opcode == 15,
        },
        11 => Action::Use(read_use(reader)?),
        12 => Action::EffectColour {
            colour: reader.cursor.i32_be("the colour of an effect")?,
            ambient: reader.bool("the ambient flag of an effect")?,
        },
        13 => Action::Arrows {
            arrows: reader.cursor.i32_be("a count of arrows")?,
            stingers: reader.cursor.i32_be("a count of stingers")?,
        },
        14 => {
            let sleeps = reader.bool("the sleep flag")?;
            Action::Sleep(if sleeps { Some(reader.block_position("a bed")?) } else { None })
        }
        16 => read_update(reader)?,
        18 => {
            reader.cursor.u8("the unused byte of a hurt")?;
            Action::Hurt
        }
        19 => Action::Data(read_vehicle_data(reader)?),
        20 => Action::Crack {
            position: reader.block_position("the position of a cracked block")?,
            progress: reader.cursor.i32_be("the breaking stage of a block")?,
        },
        21 => Action::Move(movement::read_movement(reader)?),
        22 => Action::Ticks(reader.cursor.u8("a count of ticks")?),
        23 => Action::Die,
        24 => Action::Respawn,
        25 => {
            if !is_alpha {
                reader.cursor.u8("the unused byte of a message")?;
            }
            Action::Chat(reader.string("a message")?)
        }
        26 => Action::Spectator(reader.bool("the spectator flag")?),
        27 if is_alpha => Action::Model(read_player_model(reader)?),
        27 => Action::Nothing,
        28 => Action::CloseContainer,
        29 => read_effect_particles(reader)?,
        30 => Action::Data(Some(read_entity_data(reader)?)),
        255 => read_custom_action(reader)?,
        unknown => {
            let location = SourceLocation::span(reader.cursor.offset() - 1, 1);
            let expected = "an action, 0 to 30 or 255";
            return Err(Error::malformed(location, expected, unknown));
        }
    })
}

fn read_use(reader: &mut Reader<'_>) -> Result<Use, Error> {
    Ok(Use {
        hit_position: reader.position("the position of a click")?,
        block_position: reader.block_position("the position of a clicked block")?,
        side: reader.cursor.u8("the side of a block")? as i8,
        is_head_inside: reader.bool("the head-inside flag of a click")?,
        off_hand: reader.bool("the off-hand flag of a click")?,
    })
}

fn read_update<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let start = reader.cursor.offset();
    let kind = reader.cursor.u8("the type of an entity update")?;
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
                reader.record_diagnostic(FormatDiagnostic::UnknownUpdateType, start);
            }
            Update::None
        }
    };
    Ok(Action::Update { entity, update })
}

fn read_vehicle_data(reader: &mut Reader<'_>) -> Result<Option<EntityData>, Error> {
    if !reader.bool("the flag of vehicle data")? {
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

fn read_entity_data(reader: &mut Reader<'_>) -> Result<EntityData, Error> {
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

fn read_effect_particles<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let count = reader.packed_count(1, "particles")?;
    let particles =
        (0..count).map(|_| reader.string("a particle")).collect::<Result<_, Error>>()?;
    Ok(Action::EffectParticles {
        particles,
        ambient: reader.bool("the ambient flag of an effect")?,
    })
}

fn read_custom_action<'a>(reader: &mut Reader<'a>) -> Result<Action<'a>, Error> {
    let extension = reader.cursor.u8("the extension of a custom action")?;
    let action = reader.cursor.u8("the number of a custom action")?;
    let length = reader.packed_count(1, "bytes of a custom action")?;
    Ok(Action::Custom {
        extension,
        action,
        data: reader.cursor.read_bytes(length, "a custom action")?,
    })
}

/// Reads the action of the add-on MocapCPMSupport. The add-on used a number that the mod did not
/// use at that time.
fn read_player_model<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    let what = "the data of a player model";
    if !reader.bool(what)? {
        return Ok(&[]);
    }
    let length = reader.count(1, "bytes of a player model")?;
    let model = reader.cursor.read_bytes(length, what)?;
    reader.bool(what)?;
    reader.bool(what)?;
    let length = reader.count(1, "bytes of a player model's animation")?;
    reader.cursor.read_bytes(length, what)?;
    Ok(model)
}
