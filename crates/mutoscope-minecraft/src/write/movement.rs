//! Writes movements. Each coordinate uses the shortest encoding that decodes to the same number.

use glam::DVec3;

use super::byte_writer::ByteWriter;

const MOVEMENT: u8 = 21;

const Y_SINGLE: u8 = 0x01;
const Y_DOUBLE: u8 = 0x02;
const Y_HALVES: u8 = 0x03;
const XZ_SINGLE: u8 = 0x04;
const XZ_DOUBLE: u8 = 0x08;
const HEAD_ZERO: u8 = 0x10;
const HEAD_AS_YAW: u8 = 0x20;
const HEAD_FOLLOWS: u8 = 0x30;
const ON_GROUND: u8 = 0x40;

#[derive(Clone, Copy, Debug)]
pub(super) struct TargetMovement {
    /// The new position in the world. `None` keeps the position.
    pub(super) position: Option<DVec3>,
    /// The encoded pitch, yaw and head yaw. `None` keeps the angles.
    pub(super) angles: Option<[i16; 3]>,
    pub(super) on_ground: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DecoderState {
    pub(super) start: DVec3,
    pub(super) last: DVec3,
}

pub(super) fn write_movement(
    out: &mut ByteWriter,
    from: DecoderState,
    movement: &TargetMovement,
) -> DVec3 {
    let DecoderState { start, last } = from;
    let to = movement.position.unwrap_or(last);
    let y = EncodedY::new(start.y, last.y, to.y);
    let xz = EncodedXz::new(start, last, to);
    let turn = movement.angles.map_or(0, |[_, yaw, head]| match head {
        0 => HEAD_ZERO,
        head if head == yaw => HEAD_AS_YAW,
        _ => HEAD_FOLLOWS,
    });
    let ground = if movement.on_ground { ON_GROUND } else { 0 };
    out.u8(MOVEMENT);
    out.u8(y.bits() | xz.bits() | turn | ground);
    let y = y.write(out).map_or(last.y, |y| y.decode(start.y));
    let [x, z] = xz.write(out, start, last);
    if let Some([pitch, yaw, head]) = movement.angles {
        out.i16(pitch);
        out.i16(yaw);
        if turn == HEAD_FOLLOWS {
            out.i16(head);
        }
    }
    DVec3::new(x, y, z)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum EncodedOffset {
    Single(f32),
    Double(f64),
}

impl EncodedOffset {
    /// Encodes the coordinate as an `f32` if that decodes to the same number, otherwise as an
    /// `f64`.
    fn encode(start: f64, to: f64) -> Self {
        let offset = to - start;
        let single = offset as f32;
        if decodes_equal(start + f64::from(single), to) {
            return Self::Single(single);
        }
        // The subtraction and the addition both round. Therefore a neighbour of `offset` may decode
        // to exactly `to` even if `offset` does not.
        let near = [offset, offset.next_up(), offset.next_down()];
        let exact = near.into_iter().find(|offset| decodes_equal(start + offset, to));
        Self::Double(exact.unwrap_or(offset))
    }

    fn decode(self, start: f64) -> f64 {
        match self {
            Self::Single(offset) => start + f64::from(offset),
            Self::Double(offset) => start + offset,
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Single(offset) => offset.into(),
            Self::Double(offset) => offset,
        }
    }
}

/// Returns `true` if the coordinates are equal. 0 and −0 are equal, because an addition does not
/// preserve the sign of zero.
fn decodes_equal(a: f64, b: f64) -> bool {
    a == b
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum EncodedY {
    Stays,
    /// The height above y = 0, in half blocks.
    Halves(i16),
    FromStart(EncodedOffset),
}

impl EncodedY {
    fn new(start: f64, last: f64, to: f64) -> Self {
        let halves = 2.0 * to;
        if decodes_equal(last, to) {
            Self::Stays
        } else if halves.fract() == 0.0 && (-32768.0..=32767.0).contains(&halves) {
            Self::Halves(halves as i16)
        } else {
            Self::FromStart(EncodedOffset::encode(start, to))
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Stays => 0,
            Self::Halves(_) => Y_HALVES,
            Self::FromStart(EncodedOffset::Single(_)) => Y_SINGLE,
            Self::FromStart(EncodedOffset::Double(_)) => Y_DOUBLE,
        }
    }

    fn write(self, out: &mut ByteWriter) -> Option<Self> {
        match self {
            Self::Stays => return None,
            Self::Halves(halves) => out.i16(halves),
            Self::FromStart(EncodedOffset::Single(offset)) => out.f32(offset),
            Self::FromStart(EncodedOffset::Double(offset)) => out.f64(offset),
        }
        Some(self)
    }

    fn decode(self, start: f64) -> f64 {
        match self {
            Self::Stays => start,
            Self::Halves(halves) => f64::from(halves) / 2.0,
            Self::FromStart(encoded) => encoded.decode(start),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum EncodedXz {
    Stays,
    Single([f32; 2]),
    Double([f64; 2]),
}

impl EncodedXz {
    fn new(start: DVec3, last: DVec3, to: DVec3) -> Self {
        if decodes_equal(last.x, to.x) && decodes_equal(last.z, to.z) {
            return Self::Stays;
        }
        match [EncodedOffset::encode(start.x, to.x), EncodedOffset::encode(start.z, to.z)] {
            [EncodedOffset::Single(x), EncodedOffset::Single(z)] => Self::Single([x, z]),
            // x and z have the same encoding. Use `f64` for both if one of them needs it, because
            // every `f32` is also exact as an `f64`.
            xz => Self::Double(xz.map(EncodedOffset::to_f64)),
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Stays => 0,
            Self::Single(_) => XZ_SINGLE,
            Self::Double(_) => XZ_DOUBLE,
        }
    }

    fn write(self, out: &mut ByteWriter, start: DVec3, last: DVec3) -> [f64; 2] {
        match self {
            Self::Stays => [last.x, last.z],
            Self::Single([x, z]) => {
                out.f32(x);
                out.f32(z);
                [start.x + f64::from(x), start.z + f64::from(z)]
            }
            Self::Double([x, z]) => {
                out.f64(x);
                out.f64(z);
                [start.x + x, start.z + z]
            }
        }
    }
}

const ANGLE_STEPS_PER_TURN: f64 = 65536.0;

/// Encodes an angle in degrees that was decoded from the 16-bit integers of version 5. Returns the
/// same integer that was decoded.
pub(super) fn encode_decoded_angle(degrees: f32) -> i16 {
    (f64::from(degrees) / 360.0 * ANGLE_STEPS_PER_TURN).round() as i64 as i16
}

/// Encodes any angle in degrees. The result is truncated, because the mod truncates as well.
pub(super) fn encode_truncated_angle(degrees: f32) -> i16 {
    // The cast to `i16` keeps the low 16 bits and so removes full turns.
    (f64::from(degrees) / 360.0 * ANGLE_STEPS_PER_TURN) as i64 as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: DVec3 = DVec3::new(100.3, 64.0, -7.7);

    fn written(last: DVec3, to: DVec3) -> (Vec<u8>, DVec3) {
        let mut out = ByteWriter::default();
        let movement = TargetMovement { position: Some(to), angles: None, on_ground: false };
        let read = write_movement(&mut out, DecoderState { start: START, last }, &movement);
        (out.0, read)
    }

    #[test]
    fn unchanged_axes_take_no_bytes_and_half_blocks_two() {
        assert_eq!(written(START, START).0, [MOVEMENT, 0]);
        let (bytes, read) = written(START, START.with_y(-3.5));
        assert_eq!((&bytes[..], read.y), (&[MOVEMENT, Y_HALVES, 0xff, 0xf9][..], -3.5));
        let (bytes, _) = written(START, START.with_y(20_000.0));
        assert_eq!((bytes[1], bytes.len()), (Y_SINGLE, 6), "too high for halves");
    }

    #[test]
    fn written_positions_read_back_equal() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut doubles = 0;
        for _ in 0..20_000 {
            let reach = [0.5, 30.0, 3000.0, 1e6][rng.usize(..4)];
            let mut offset = || (rng.f64() - 0.5) * reach;
            let exact = DVec3::new(offset(), offset(), offset());
            let single = exact.as_vec3().as_dvec3();
            let to = START + if exact.x > 0.0 { exact } else { single };
            let (bytes, read) = written(START, to);
            // The exact sum can need more digits than an `f64` has, and then no encoding is nearer.
            let error = (read - to).abs();
            let max_error = f64::EPSILON * (to.abs() + START.abs());
            assert!(error.cmple(max_error).all(), "{to} {read}");
            if exact.x <= 0.0 {
                assert_eq!(read, to);
                assert!(bytes.len() <= 14, "{to}: {bytes:?}");
            }
            doubles += usize::from(bytes[1] & XZ_DOUBLE != 0);
        }
        assert!((5_000..15_000).contains(&doubles), "{doubles}");
    }

    #[test]
    fn head_yaw_is_written_only_if_changed() {
        let length = |angles: [i16; 3]| {
            let mut out = ByteWriter::default();
            let movement = TargetMovement { position: None, angles: Some(angles), on_ground: true };
            write_movement(&mut out, DecoderState { start: START, last: START }, &movement);
            (out.0[1], out.0.len())
        };
        assert_eq!(length([5, 7, 0]), (0x50, 6));
        assert_eq!(length([5, 7, 7]), (0x60, 6));
        assert_eq!(length([5, 7, 8]), (0x70, 8));
    }

    #[test]
    fn written_angles_read_back_equal() {
        for step in i16::MIN..=i16::MAX {
            let degrees = (f64::from(step) / ANGLE_STEPS_PER_TURN * 360.0) as f32;
            assert_eq!(encode_decoded_angle(degrees), step);
        }
        for (degrees, expected) in [(180.0, -32768), (-180.0, -32768), (359.9999, -1), (725.0, 910)]
        {
            assert_eq!(encode_truncated_angle(degrees), expected, "{degrees}");
        }
    }
}
