//! Writing movements: the shortest form of each number that is read as the very same.

use glam::DVec3;

use super::out::Out;

/// The number of the action.
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

/// A movement to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// Where it goes to, in the world; nothing if it stays.
    pub(super) position: Option<DVec3>,
    /// Pitch, yaw and the head's yaw as the format has them; nothing if they stay.
    pub(super) angles: Option<[i16; 3]>,
    pub(super) on_ground: bool,
}

/// The origin of positions, and the position as written so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct From {
    pub(super) start: DVec3,
    pub(super) last: DVec3,
}

/// Writes a movement; gives where it is read to lead.
pub(super) fn write(out: &mut Out, from: From, movement: &Written) -> DVec3 {
    let From { start, last } = from;
    let to = movement.position.unwrap_or(last);
    let y = Height::new(start.y, last.y, to.y);
    let xz = Across::new(start, last, to);
    let turn = movement.angles.map_or(0, |[_, yaw, head]| match head {
        0 => HEAD_ZERO,
        head if head == yaw => HEAD_AS_YAW,
        _ => HEAD_FOLLOWS,
    });
    let ground = if movement.on_ground { ON_GROUND } else { 0 };
    out.u8(MOVEMENT);
    out.u8(y.bits() | xz.bits() | turn | ground);
    let y = y.write(out).map_or(last.y, |y| y.read(start.y));
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

/// The encoding of a coordinate relative to the start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Single(f32),
    Double(f64),
}

impl Told {
    /// In single precision if that is read as the very same number.
    fn new(start: f64, to: f64) -> Self {
        let by = to - start;
        let single = by as f32;
        if is_same(start + f64::from(single), to) {
            return Self::Single(single);
        }
        // A difference may be rounded, and so may the sum: a neighbouring number may be better.
        let near = [by, by.next_up(), by.next_down()];
        let exact = near.into_iter().find(|by| is_same(start + by, to));
        Self::Double(exact.unwrap_or(by))
    }

    /// The coordinate that a reader gets.
    fn read(self, start: f64) -> f64 {
        match self {
            Self::Single(by) => start + f64::from(by),
            Self::Double(by) => start + by,
        }
    }

    fn double(self) -> f64 {
        match self {
            Self::Single(by) => by.into(),
            Self::Double(by) => by,
        }
    }
}

/// To the last bit, but for the sign of zero: a sum has it only by chance.
fn is_same(a: f64, b: f64) -> bool {
    a == b
}

/// The encoding of a height.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Height {
    Stays,
    /// Halves of blocks, from 0.
    Halves(i16),
    FromStart(Told),
}

impl Height {
    fn new(start: f64, last: f64, to: f64) -> Self {
        let halves = 2.0 * to;
        if is_same(last, to) {
            Self::Stays
        } else if halves.fract() == 0.0 && (-32768.0..=32767.0).contains(&halves) {
            Self::Halves(halves as i16)
        } else {
            Self::FromStart(Told::new(start, to))
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Stays => 0,
            Self::Halves(_) => Y_HALVES,
            Self::FromStart(Told::Single(_)) => Y_SINGLE,
            Self::FromStart(Told::Double(_)) => Y_DOUBLE,
        }
    }

    fn write(self, out: &mut Out) -> Option<Self> {
        match self {
            Self::Stays => return None,
            Self::Halves(halves) => out.i16(halves),
            Self::FromStart(Told::Single(by)) => out.f32(by),
            Self::FromStart(Told::Double(by)) => out.f64(by),
        }
        Some(self)
    }

    /// The height that a reader gets.
    fn read(self, start: f64) -> f64 {
        match self {
            Self::Stays => start,
            Self::Halves(halves) => f64::from(halves) / 2.0,
            Self::FromStart(told) => told.read(start),
        }
    }
}

/// The encoding of x and z: the same for both.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Across {
    Stays,
    Single([f32; 2]),
    Double([f64; 2]),
}

impl Across {
    fn new(start: DVec3, last: DVec3, to: DVec3) -> Self {
        if is_same(last.x, to.x) && is_same(last.z, to.z) {
            return Self::Stays;
        }
        match [Told::new(start.x, to.x), Told::new(start.z, to.z)] {
            [Told::Single(x), Told::Single(z)] => Self::Single([x, z]),
            // A number that is exact in single precision is exact in double precision, too.
            both => Self::Double(both.map(Told::double)),
        }
    }

    fn bits(self) -> u8 {
        match self {
            Self::Stays => 0,
            Self::Single(_) => XZ_SINGLE,
            Self::Double(_) => XZ_DOUBLE,
        }
    }

    /// Writes them, and gives what they are read as.
    fn write(self, out: &mut Out, start: DVec3, last: DVec3) -> [f64; 2] {
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

/// How many steps a turn has.
const STEPS: f64 = 65536.0;

/// An angle that was read from version 5, in degrees, as it was there.
pub(super) fn same_angle(degrees: f32) -> i16 {
    (f64::from(degrees) / 360.0 * STEPS).round() as i64 as i16
}

/// An angle of any precision, in degrees, as the mod rounds it.
pub(super) fn nearest_angle(degrees: f32) -> i16 {
    // Casts of numbers that large keep the bits that turn.
    (f64::from(degrees) / 360.0 * STEPS) as i64 as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: DVec3 = DVec3::new(100.3, 64.0, -7.7);

    fn written(last: DVec3, to: DVec3) -> (Vec<u8>, DVec3) {
        let mut out = Out::default();
        let movement = Written { position: Some(to), angles: None, on_ground: false };
        let read = write(&mut out, From { start: START, last }, &movement);
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
        let mut chance = fastrand::Rng::with_seed(5);
        let mut doubles = 0;
        for _ in 0..20_000 {
            let reach = [0.5, 30.0, 3000.0, 1e6][chance.usize(..4)];
            let mut by = || (chance.f64() - 0.5) * reach;
            let exact = DVec3::new(by(), by(), by());
            let single = exact.as_vec3().as_dvec3();
            let to = START + if exact.x > 0.0 { exact } else { single };
            let (bytes, read) = written(START, to);
            // Where a sum has more digits than a double, nothing is nearer.
            let off = (read - to).abs();
            let most = f64::EPSILON * (to.abs() + START.abs());
            assert!(off.cmple(most).all(), "{to} {read}");
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
            let mut out = Out::default();
            let movement = Written { position: None, angles: Some(angles), on_ground: true };
            write(&mut out, From { start: START, last: START }, &movement);
            (out.0[1], out.0.len())
        };
        assert_eq!(length([5, 7, 0]), (0x50, 6));
        assert_eq!(length([5, 7, 7]), (0x60, 6));
        assert_eq!(length([5, 7, 8]), (0x70, 8));
    }

    #[test]
    fn written_angles_read_back_equal() {
        for step in i16::MIN..=i16::MAX {
            let degrees = (f64::from(step) / STEPS * 360.0) as f32;
            assert_eq!(same_angle(degrees), step);
        }
        for (degrees, expected) in [(180.0, -32768), (-180.0, -32768), (359.9999, -1), (725.0, 910)]
        {
            assert_eq!(nearest_angle(degrees), expected, "{degrees}");
        }
    }
}
