//! Reads movements.

use super::{
    Coordinate::{Absolute, FromLast, FromStart, Same},
    Movement,
};
use crate::{Dialect, format_diagnostics::FormatDiagnostic, reader::Reader};
use mutoscope_core::diagnostics::Error;

pub(super) fn read_legacy_movement(reader: &mut Reader<'_>) -> Result<Movement, Error> {
    let change = reader.position("a change of position")?;
    let pitch = reader.cursor.f32_be("a pitch")?;
    let yaw = reader.cursor.f32_be("a yaw")?;
    let on_ground = reader.bool("the on-ground flag")?;
    Ok(Movement {
        position: change.to_array().map(FromLast),
        pitch: Some(pitch),
        yaw: Some(yaw),
        head_yaw: None,
        on_ground: Some(on_ground),
    })
}

/// The bits of the first byte of a movement. Three fields encode y, x and z, and the angles. The
/// other two bits are flags.
const Y_BITS: u8 = 0x03;
const XZ_BITS: u8 = 0x0c;
const ANGLE_BITS: u8 = 0x30;
const ON_GROUND_BIT: u8 = 0x40;
const FROM_LAST_BIT: u8 = 0x80;

pub(super) fn read_movement(reader: &mut Reader<'_>) -> Result<Movement, Error> {
    let start = reader.cursor.offset();
    let flags = reader.cursor.u8("the flags of a movement")?;
    let mut movement = if reader.layout.dialect == Dialect::Alpha5 {
        read_alpha_position(reader, flags)?
    } else {
        if flags & XZ_BITS == XZ_BITS || flags & FROM_LAST_BIT != 0 {
            reader.record_diagnostic(FormatDiagnostic::UnknownMovementBits, start);
        }
        read_position(reader, flags)?
    };
    if flags & ANGLE_BITS != 0 {
        let pitch = read_angle(reader, "a pitch")?;
        let yaw = read_angle(reader, "a yaw")?;
        let head_yaw = match flags & ANGLE_BITS {
            0x10 => 0.0,
            0x20 => yaw,
            _ => read_angle(reader, "the yaw of a head")?,
        };
        movement.pitch = Some(pitch);
        movement.yaw = Some(yaw);
        movement.head_yaw = Some(head_yaw);
    }
    movement.on_ground = Some(flags & ON_GROUND_BIT != 0);
    Ok(movement)
}

fn read_position(reader: &mut Reader<'_>, flags: u8) -> Result<Movement, Error> {
    let y = match flags & Y_BITS {
        0x01 => FromStart(read_f32_coordinate(reader)?),
        0x02 => FromStart(reader.cursor.f64_be(COORDINATE)?),
        0x03 => Absolute(f64::from(read_i16_coordinate(reader)?) / 2.0),
        _ => Same,
    };
    let (x, z) = match flags & XZ_BITS {
        0x04 => (FromStart(read_f32_coordinate(reader)?), FromStart(read_f32_coordinate(reader)?)),
        0x08 => {
            let mut read = || Ok(FromStart(reader.cursor.f64_be(COORDINATE)?));
            (read()?, read()?)
        }
        _ => (Same, Same),
    };
    Ok(Movement { position: [x, y, z], ..Movement::default() })
}

fn read_alpha_position(reader: &mut Reader<'_>, flags: u8) -> Result<Movement, Error> {
    const I16_MAX: f64 = 32767.0;
    let y = match flags & Y_BITS {
        0x01 if flags & FROM_LAST_BIT != 0 => {
            FromLast(f64::from(read_i16_coordinate(reader)?) / I16_MAX * 4.0)
        }
        0x01 => Absolute(f64::from(read_i16_coordinate(reader)?) / 2.0),
        0x02 => FromLast(read_f32_coordinate(reader)?),
        0x03 => Absolute(reader.cursor.f64_be(COORDINATE)?),
        _ => Same,
    };
    let mut across = || {
        Ok(match flags & XZ_BITS {
            0x04 => FromLast(f64::from(read_i16_coordinate(reader)?) / I16_MAX * 2.0),
            0x08 => FromLast(read_f32_coordinate(reader)?),
            0x0c => Absolute(reader.cursor.f64_be(COORDINATE)?),
            _ => Same,
        })
    };
    let (x, z) = (across()?, across()?);
    Ok(Movement { position: [x, y, z], ..Movement::default() })
}

const COORDINATE: &str = "a coordinate";

fn read_i16_coordinate(reader: &mut Reader<'_>) -> Result<i16, Error> {
    reader.cursor.i16_be(COORDINATE)
}

fn read_f32_coordinate(reader: &mut Reader<'_>) -> Result<f64, Error> {
    Ok(f64::from(reader.cursor.f32_be(COORDINATE)?))
}

/// Reads an angle in 1/65536 of a turn and returns it in degrees.
fn read_angle(reader: &mut Reader<'_>, what: &str) -> Result<f32, Error> {
    Ok((f64::from(reader.cursor.i16_be(what)?) / 65536.0 * 360.0) as f32)
}
