//! The parsed content of an MRTK file, in file order.

use std::{borrow::Cow, sync::Arc};

use byteorder::{ByteOrder, LittleEndian};

use super::joints::POSES_PER_HAND;
use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Piece,
};

/// A whole MRTK file. Keys are not copied but read from the content on demand.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The version in the header.
    pub version: Version,
    /// The layout of its float keys.
    pub layout: KeyLayout,
    /// The pose of the head; `None` if it was not recorded.
    pub camera: Option<PoseCurves<'a>>,
    /// The left and the right hand; `None` if they were not recorded.
    pub hands: Option<[Hand<'a>; 2]>,
    /// The gaze ray; `None` if it was not recorded.
    pub gaze: Option<RayCurves<'a>>,
    /// The markers; `None` if the file ends before their count.
    pub markers: Option<Vec<Marker<'a>>>,
}

/// A supported version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MRTK up to 2.5: head and hands.
    V1_0,
    /// MRTK from 2.6 on. This version adds the gaze, and a flag for each part that says if the part
    /// was recorded.
    V1_1 {
        /// The flags of camera, hands and gaze, each a byte. MRTK writes 0 or 1, and reads any
        /// other value as 1.
        parts: [u8; 3],
    },
}

/// The layout of a float key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// 28 bytes: time, value, both tangents, both weights, weighted mode. Version 1.0.
    Full,
    /// 8 bytes: time, value. Version 1.1, and every boolean key.
    Simple,
}

impl KeyLayout {
    /// Returns the size of a key in bytes.
    pub fn bytes_per_key(self) -> usize {
        match self {
            Self::Full => 28,
            Self::Simple => 8,
        }
    }
}

/// The curves of a pose: its position in metres, and its rotation as a quaternion.
#[derive(Clone, Debug)]
pub struct PoseCurves<'a> {
    /// The position: x, y, z.
    pub position: [Curve<'a>; 3],
    /// The rotation: x, y, z, w.
    pub rotation: [Curve<'a>; 4],
}

/// The curves of a ray: its origin in metres, and its direction.
#[derive(Clone, Debug)]
pub struct RayCurves<'a> {
    /// The origin: x, y, z.
    pub origin: [Curve<'a>; 3],
    /// The direction: x, y, z.
    pub direction: [Curve<'a>; 3],
}

/// The curves of one hand.
#[derive(Clone, Debug)]
pub struct Hand<'a> {
    /// Above 0.5 while the hand is tracked.
    pub tracked: Curve<'a>,
    /// Above 0.5 while the hand pinches or, on other devices, performs the select gesture.
    pub pinch: Curve<'a>,
    /// `None` and then the joints, in the order of [`JOINTS`](super::JOINTS).
    pub poses: Box<[PoseCurves<'a>; POSES_PER_HAND]>,
}

/// A curve.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// The offset of the first byte of the curve in the file.
    pub offset: usize,
    /// Unity's `WrapMode` before the first key.
    pub pre_wrap: i32,
    /// Unity's `WrapMode` after the last key.
    pub post_wrap: i32,
    /// The layout of the keys.
    pub layout: KeyLayout,
    /// The bytes of the keys.
    pub keys: Piece<'a>,
}

/// The keys of a curve, in memory.
#[derive(Clone, Debug)]
pub struct CurveKeys<'a> {
    /// The layout of the keys.
    pub layout: KeyLayout,
    /// The bytes of the keys.
    pub bytes: Cow<'a, [u8]>,
}

/// The size of a curve before its first key: two wrap modes and a key count.
pub(super) const CURVE_HEADER_BYTES: usize = 12;

/// The size of a version 1.1 file before its first curve. Only this version may have no curves.
const V1_1_HEADER_BYTES: usize = 19;

/// A key as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawKey {
    /// The time in seconds; may be negative.
    pub time: f32,
    /// The value, in the unit of the curve.
    pub value: f32,
    /// The tangents; `None` unless the layout is [`KeyLayout::Full`].
    pub tangents: Option<RawTangents>,
}

/// The tangents of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawTangents {
    /// The slope before the key, in value per second.
    pub in_tangent: f32,
    /// The slope after the key, in value per second.
    pub out_tangent: f32,
    /// The length of the tangent before the key, as a fraction of the segment.
    pub in_weight: f32,
    /// The length of the tangent after the key, as a fraction of the segment.
    pub out_weight: f32,
    /// Unity's `WeightedMode`: bit 0 enables the in-weight, bit 1 the out-weight.
    pub weighted_mode: i32,
}

impl<'a> Curve<'a> {
    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.keys.size() / self.layout.bytes_per_key()
    }

    /// Returns `true` if the curve has no keys.
    pub fn is_empty(&self) -> bool {
        self.keys.size() == 0
    }

    /// Reads the keys from the file.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed.
    pub fn read_keys(&self) -> Result<CurveKeys<'a>, Error> {
        Ok(CurveKeys { layout: self.layout, bytes: self.keys.read()? })
    }

    /// Reads the keys into `buffer` if they are not in memory.
    ///
    /// # Errors
    /// The same as for [`Self::read_keys`].
    pub(super) fn read_keys_into<'b>(&self, buffer: &'b mut Vec<u8>) -> Result<CurveKeys<'b>, Error>
    where
        'a: 'b,
    {
        Ok(CurveKeys { layout: self.layout, bytes: self.keys.read_into(buffer)?.into() })
    }

    /// Returns the offset of the first key in the file.
    pub fn first_key_offset(&self) -> usize {
        self.offset + CURVE_HEADER_BYTES
    }

    /// Returns the location of the curve, including its keys.
    pub fn location(&self) -> SourceLocation {
        SourceLocation::span(self.offset, CURVE_HEADER_BYTES + self.keys.size())
    }
}

impl CurveKeys<'_> {
    /// Returns the keys in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = RawKey> + '_ {
        let layout = self.layout;
        self.bytes.chunks_exact(layout.bytes_per_key()).map(move |key| RawKey::read(key, layout))
    }

    /// Returns the key times in file order, in seconds.
    pub fn times(&self) -> Arc<[f64]> {
        match self.layout {
            KeyLayout::Full => floats::<28>(&self.bytes, 0).map(f64::from).collect(),
            KeyLayout::Simple => floats::<8>(&self.bytes, 0).map(f64::from).collect(),
        }
    }

    /// Returns `true` if the key times in file order are equal to `times`, in seconds.
    pub(super) fn has_times(&self, times: &[f64]) -> bool {
        match self.layout {
            KeyLayout::Full => has_times::<28>(&self.bytes, times),
            KeyLayout::Simple => has_times::<8>(&self.bytes, times),
        }
    }

    /// Returns `true` if the curve is straight between any two keys.
    pub(super) fn is_straight(&self) -> bool {
        if self.layout == KeyLayout::Simple {
            return true;
        }
        let (keys, _) = self.bytes.as_chunks::<28>();
        // A loop is faster than `Iterator::all` in the development profile, which inlines no closures.
        for key in keys {
            if !RawTangents::read(key).is_straight() {
                return false;
            }
        }
        true
    }

    /// Returns the values of the keys in file order.
    pub fn values(&self) -> Arc<[f32]> {
        match self.layout {
            KeyLayout::Full => floats::<28>(&self.bytes, 1).collect(),
            KeyLayout::Simple => floats::<8>(&self.bytes, 1).collect(),
        }
    }
}

fn has_times<const KEY_BYTES: usize>(bytes: &[u8], times: &[f64]) -> bool {
    let (keys, _) = bytes.as_chunks::<KEY_BYTES>();
    if keys.len() != times.len() {
        return false;
    }
    // A loop is faster than `Iterator::eq` in the development profile, which inlines no closures.
    for (key, &time) in keys.iter().zip(times) {
        if f64::from(LittleEndian::read_f32(key)) != time {
            return false;
        }
    }
    true
}

/// Returns the field with index `field` of each key. All fields have 4 bytes. The size of a key is a
/// constant parameter, so that the compiler can optimise the loops over millions of keys.
fn floats<const KEY_BYTES: usize>(
    bytes: &[u8],
    field: usize,
) -> impl ExactSizeIterator<Item = f32> + '_ {
    let (keys, _) = bytes.as_chunks::<KEY_BYTES>();
    keys.iter().map(move |key| LittleEndian::read_f32(&key[4 * field..]))
}

impl RawKey {
    fn read(bytes: &[u8], layout: KeyLayout) -> Self {
        let number = |index: usize| LittleEndian::read_f32(&bytes[4 * index..]);
        let tangents = bytes.first_chunk().filter(|_| layout == KeyLayout::Full);
        let tangents = tangents.map(RawTangents::read);
        Self { time: number(0), value: number(1), tangents }
    }

    /// Appends the key to `bytes`. A key without tangents gets those of a straight line if the
    /// layout has tangents.
    pub(crate) fn write(&self, layout: KeyLayout, bytes: &mut Vec<u8>) {
        let mut add = |number: f32| bytes.extend(number.to_le_bytes());
        add(self.time);
        add(self.value);
        if layout == KeyLayout::Full {
            let tangents = self.tangents.unwrap_or(RawTangents::STRAIGHT);
            let RawTangents { in_tangent, out_tangent, in_weight, out_weight, .. } = tangents;
            [in_tangent, out_tangent, in_weight, out_weight].into_iter().for_each(add);
            bytes.extend(tangents.weighted_mode.to_le_bytes());
        }
    }
}

impl RawTangents {
    /// The tangents that MRTK writes: both weighted, with length 0. The curve is a straight line.
    const STRAIGHT: Self = Self {
        in_tangent: 0.0,
        out_tangent: 0.0,
        in_weight: 0.0,
        out_weight: 0.0,
        weighted_mode: 3,
    };

    #[inline]
    fn read(key: &[u8; 28]) -> Self {
        Self {
            in_tangent: LittleEndian::read_f32(&key[8..]),
            out_tangent: LittleEndian::read_f32(&key[12..]),
            in_weight: LittleEndian::read_f32(&key[16..]),
            out_weight: LittleEndian::read_f32(&key[20..]),
            weighted_mode: LittleEndian::read_i32(&key[24..]),
        }
    }

    /// Returns `true` if both tangents are weighted and have length 0. The curve is then straight,
    /// whatever the slopes. MRTK writes only such tangents.
    #[inline]
    fn is_straight(&self) -> bool {
        let has_no_length = self.in_weight == 0.0 && self.out_weight == 0.0;
        let has_finite_slopes = self.in_tangent.is_finite() && self.out_tangent.is_finite();
        self.weighted_mode == 3 && has_no_length && has_finite_slopes
    }
}

impl<'a> PoseCurves<'a> {
    /// Returns all seven curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.position.iter().chain(&self.rotation)
    }
}

impl<'a> RayCurves<'a> {
    /// Returns all six curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.origin.iter().chain(&self.direction)
    }
}

impl<'a> Document<'a> {
    /// Returns all curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        let hands = || self.hands.iter().flatten();
        let camera = self.camera.iter().flat_map(PoseCurves::curves);
        let tracked = hands().map(|hand| &hand.tracked);
        let pinch = hands().map(|hand| &hand.pinch);
        let joints = hands().flat_map(|hand| hand.poses.iter()).flat_map(PoseCurves::curves);
        let gaze = self.gaze.iter().flat_map(RayCurves::curves);
        camera.chain(tracked).chain(pinch).chain(joints).chain(gaze)
    }

    /// Returns the offset of the first byte after the curves, where the markers begin.
    pub fn end_of_curves(&self) -> usize {
        self.curves()
            .last()
            .map_or(V1_1_HEADER_BYTES, |curve| curve.first_key_offset() + curve.keys.size())
    }

    /// Returns the version as a string: `1.0` or `1.1`.
    pub fn version_text(&self) -> &'static str {
        match self.version {
            Version::V1_0 => "1.0",
            Version::V1_1 { .. } => "1.1",
        }
    }
}

/// A marker that the user set while recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker<'a> {
    /// The offset of the first byte of the marker in the file.
    pub offset: usize,
    /// The time in seconds.
    pub time: f32,
    /// The name in UTF-8, not validated.
    pub name: Cow<'a, [u8]>,
}

impl Marker<'_> {
    /// Returns the location of the first byte of the marker.
    pub fn location(&self) -> SourceLocation {
        SourceLocation::byte(self.offset)
    }
}
