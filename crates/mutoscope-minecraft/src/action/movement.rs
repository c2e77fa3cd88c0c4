//! Reading movements.

use super::{
    Coordinate::{Absolute, FromLast, FromStart, Same},
    Movement,
};
use crate::{Dialect, issues::Issue, reader::Reader};
use mutoscope_core::diagnostics::Error;

/// Up to version 4: from where it was, and where the body looks.
pub(super) fn legacy(reader: &mut Reader<'_>) -> Result<Movement, Error> {
    let by = reader.position("a change of position")?;
    let pitch = reader.cursor.f32_be("a pitch")?;
    let yaw = reader.cursor.f32_be("a yaw")?;
    let on_ground = reader.bool("whether it is on the ground")?;
    Ok(Movement {
        position: by.to_array().map(FromLast),
        pitch: Some(pitch),
        yaw: Some(yaw),
        head_yaw: None,
        on_ground: Some(on_ground),
    })
}

/// The bits of a movement's first byte: how y, x and z, and the rotation are encoded, and two
/// flags.
const Y: u8 = 0x03;
const XZ: u8 = 0x0c;
const TURN: u8 = 0x30;
const ON_GROUND: u8 = 0x40;
const LAST: u8 = 0x80;

/// From version 5 on.
pub(super) fn current(reader: &mut Reader<'_>) -> Result<Movement, Error> {
    let start = reader.cursor.offset();
    let flags = reader.cursor.u8("the flags of a movement")?;
    let mut movement = if reader.layout.dialect == Dialect::Alpha5 {
        alpha_position(reader, flags)?
    } else {
        if flags & XZ == XZ || flags & LAST != 0 {
            reader.note(Issue::MovementBits, start);
        }
        position(reader, flags)?
    };
    if flags & TURN != 0 {
        let pitch = angle(reader, "a pitch")?;
        let yaw = angle(reader, "a yaw")?;
        let head_yaw = match flags & TURN {
            0x10 => 0.0,
            0x20 => yaw,
            _ => angle(reader, "the yaw of a head")?,
        };
        movement.pitch = Some(pitch);
        movement.yaw = Some(yaw);
        movement.head_yaw = Some(head_yaw);
    }
    movement.on_ground = Some(flags & ON_GROUND != 0);
    Ok(movement)
}

fn position(reader: &mut Reader<'_>, flags: u8) -> Result<Movement, Error> {
    let y = match flags & Y {
        0x01 => FromStart(single(reader)?),
        0x02 => FromStart(reader.cursor.f64_be(COORDINATE)?),
        0x03 => Absolute(f64::from(short(reader)?) / 2.0),
        _ => Same,
    };
    let (x, z) = match flags & XZ {
        0x04 => (FromStart(single(reader)?), FromStart(single(reader)?)),
        0x08 => {
            let mut read = || Ok(FromStart(reader.cursor.f64_be(COORDINATE)?));
            (read()?, read()?)
        }
        _ => (Same, Same),
    };
    Ok(Movement { position: [x, y, z], ..Movement::default() })
}

/// The same bits, otherwise meant.
fn alpha_position(reader: &mut Reader<'_>, flags: u8) -> Result<Movement, Error> {
    const MOST: f64 = 32767.0;
    let y = match flags & Y {
        0x01 if flags & LAST != 0 => FromLast(f64::from(short(reader)?) / MOST * 4.0),
        0x01 => Absolute(f64::from(short(reader)?) / 2.0),
        0x02 => FromLast(single(reader)?),
        0x03 => Absolute(reader.cursor.f64_be(COORDINATE)?),
        _ => Same,
    };
    let mut across = || {
        Ok(match flags & XZ {
            0x04 => FromLast(f64::from(short(reader)?) / MOST * 2.0),
            0x08 => FromLast(single(reader)?),
            0x0c => Absolute(reader.cursor.f64_be(COORDINATE)?),
            _ => Same,
        })
    };
    let (x, z) = (across()?, across()?);
    Ok(Movement { position: [x, y, z], ..Movement::default() })
}

const COORDINATE: &str = "a coordinate";

fn short(reader: &mut Reader<'_>) -> Result<i16, Error> {
    reader.cursor.i16_be(COORDINATE)
}

fn single(reader: &mut Reader<'_>) -> Result<f64, Error> {
    Ok(f64::from(reader.cursor.f32_be(COORDINATE)?))
}

/// An angle in 65536ths of a turn, in degrees.
fn angle(reader: &mut Reader<'_>, what: &str) -> Result<f32, Error> {
    Ok((f64::from(reader.cursor.i16_be(what)?) / 65536.0 * 360.0) as f32)
}
