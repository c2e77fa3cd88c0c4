//! The content of an MRTK file, in its own order.

use std::borrow::Cow;

use byteorder::{ByteOrder, LittleEndian};

use super::joints::POSES_PER_HAND;
use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Piece,
};

/// A whole file. Keys are not copied: they are read from its content when asked for.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The version in its header.
    pub version: Version,
    /// How its float keys are laid out.
    pub layout: KeyLayout,
    /// The pose of the head.
    pub camera: Option<PoseCurves<'a>>,
    /// The left and the right hand.
    pub hands: Option<[Hand<'a>; 2]>,
    /// The gaze ray.
    pub gaze: Option<RayCurves<'a>>,
    /// The markers; nothing if the file ends before their count.
    pub markers: Option<Vec<Marker<'a>>>,
}

/// A version that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MRTK up to 2.5: head and hands.
    V1_0,
    /// MRTK from 2.6 on: adds gaze, and says by three bytes which parts it holds.
    V1_1 {
        /// The bytes for camera, hands and gaze. MRTK writes 0 or 1 and reads any other as 1.
        parts: [u8; 3],
    },
}

/// How a float key is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// 28 bytes: time, value, both tangents, both weights, weighted mode. Version 1.0.
    Full,
    /// 8 bytes: time, value. Version 1.1, and every boolean key.
    Simple,
}

impl KeyLayout {
    /// The bytes a key takes.
    pub fn bytes_per_key(self) -> usize {
        match self {
            Self::Full => 28,
            Self::Simple => 8,
        }
    }
}

/// The curves of a pose: x, y, z of the position in metres, x, y, z, w of the rotation.
#[derive(Clone, Debug)]
pub struct PoseCurves<'a> {
    /// x, y, z.
    pub position: [Curve<'a>; 3],
    /// x, y, z, w.
    pub rotation: [Curve<'a>; 4],
}

/// The curves of a ray: x, y, z of its origin in metres, and of its direction.
#[derive(Clone, Debug)]
pub struct RayCurves<'a> {
    /// x, y, z.
    pub origin: [Curve<'a>; 3],
    /// x, y, z.
    pub direction: [Curve<'a>; 3],
}

/// The curves of one hand.
#[derive(Clone, Debug)]
pub struct Hand<'a> {
    /// Whether it is tracked.
    pub tracked: Curve<'a>,
    /// Whether it pinches, or rather selects, by whatever the device calls that.
    pub pinch: Curve<'a>,
    /// `None` and then the joints, in the order of [`JOINTS`](super::JOINTS).
    pub poses: Box<[PoseCurves<'a>; POSES_PER_HAND]>,
}

/// One curve.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// The offset of its first byte.
    pub offset: usize,
    /// Unity's `WrapMode` before its first key.
    pub pre_wrap: i32,
    /// Unity's `WrapMode` after its last key.
    pub post_wrap: i32,
    /// How its keys are laid out.
    pub layout: KeyLayout,
    /// The bytes of its keys.
    pub keys: Piece<'a>,
}

/// The keys of a curve, in memory.
#[derive(Clone, Debug)]
pub struct CurveKeys<'a> {
    /// How they are laid out.
    pub layout: KeyLayout,
    /// Their bytes.
    pub bytes: Cow<'a, [u8]>,
}

/// The bytes of a curve before its first key: two wrap modes and a count.
pub(super) const CURVE_HEADER: usize = 12;

/// The bytes of a version 1.1 file before its first curve, the only version that may have none.
const V1_1_HEADER: usize = 19;

/// One key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawKey {
    /// Seconds; may be negative.
    pub time: f32,
    /// In the curve's unit.
    pub value: f32,
    /// Tangents; [`KeyLayout::Full`] only.
    pub tangents: Option<RawTangents>,
}

/// The tangents of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawTangents {
    /// Value per second before the key.
    pub in_tangent: f32,
    /// Value per second after the key.
    pub out_tangent: f32,
    /// How much of the segment before the key the tangent spans.
    pub in_weight: f32,
    /// How much of the segment after the key the tangent spans.
    pub out_weight: f32,
    /// Unity's `WeightedMode`: bit 0, the in-weight counts; bit 1, the out-weight does.
    pub weighted_mode: i32,
}

impl<'a> Curve<'a> {
    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.keys.size() / self.layout.bytes_per_key()
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.keys.size() == 0
    }

    /// Its keys, read.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed.
    pub fn read_keys(&self) -> Result<CurveKeys<'a>, Error> {
        Ok(CurveKeys { layout: self.layout, bytes: self.keys.read()? })
    }

    /// The offset of its first key.
    pub fn first_key(&self) -> usize {
        self.offset + CURVE_HEADER
    }

    /// Where it stands, its keys included.
    pub fn place(&self) -> SourceLocation {
        SourceLocation::span(self.offset, CURVE_HEADER + self.keys.size())
    }
}

impl CurveKeys<'_> {
    /// All of them in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = RawKey> + '_ {
        let layout = self.layout;
        self.bytes.chunks_exact(layout.bytes_per_key()).map(move |key| RawKey::read(key, layout))
    }

    /// Their times in file order, in seconds.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.bytes.chunks_exact(self.layout.bytes_per_key()).map(LittleEndian::read_f32)
    }

    /// Their values in file order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        let keys = self.bytes.chunks_exact(self.layout.bytes_per_key());
        keys.map(|key| LittleEndian::read_f32(&key[4..]))
    }
}

impl RawKey {
    fn read(bytes: &[u8], layout: KeyLayout) -> Self {
        let number = |index: usize| LittleEndian::read_f32(&bytes[4 * index..4 * index + 4]);
        let tangents = (layout == KeyLayout::Full).then(|| RawTangents {
            in_tangent: number(2),
            out_tangent: number(3),
            in_weight: number(4),
            out_weight: number(5),
            weighted_mode: LittleEndian::read_i32(&bytes[24..28]),
        });
        Self { time: number(0), value: number(1), tangents }
    }
}

impl<'a> PoseCurves<'a> {
    /// All seven curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.position.iter().chain(&self.rotation)
    }
}

impl<'a> RayCurves<'a> {
    /// All six curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.origin.iter().chain(&self.direction)
    }
}

impl<'a> Document<'a> {
    /// All curves in file order.
    pub fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        let hands = || self.hands.iter().flatten();
        let camera = self.camera.iter().flat_map(PoseCurves::curves);
        let tracked = hands().map(|hand| &hand.tracked);
        let pinch = hands().map(|hand| &hand.pinch);
        let joints = hands().flat_map(|hand| hand.poses.iter()).flat_map(PoseCurves::curves);
        let gaze = self.gaze.iter().flat_map(RayCurves::curves);
        camera.chain(tracked).chain(pinch).chain(joints).chain(gaze)
    }

    /// The offset of the first byte after the curves, where the markers belong.
    pub fn end_of_curves(&self) -> usize {
        self.curves().last().map_or(V1_1_HEADER, |curve| curve.first_key() + curve.keys.size())
    }

    /// The version as it is written: `1.0` or `1.1`.
    pub fn version_text(&self) -> &'static str {
        match self.version {
            Version::V1_0 => "1.0",
            Version::V1_1 { .. } => "1.1",
        }
    }
}

/// A marker that was set while recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker<'a> {
    /// The offset of its first byte.
    pub offset: usize,
    /// Seconds.
    pub time: f32,
    /// Its text in UTF-8, unchecked.
    pub name: Cow<'a, [u8]>,
}

impl Marker<'_> {
    /// Where it stands, as a point: its first byte.
    pub fn place(&self) -> SourceLocation {
        SourceLocation::byte(self.offset)
    }
}
