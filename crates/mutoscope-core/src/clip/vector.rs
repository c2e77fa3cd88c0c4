//! The sources of translations, and vectors whose components are separate curves.

use glam::DVec3;

use super::{
    Channels, Hint, ScalarCurve, Track, TrackId,
    curve::{PackedKeys, SampleCursor, SeekRound},
};

/// The source of a node's translation.
#[derive(Clone, Debug, Default)]
pub enum Translation {
    /// The rest pose.
    #[default]
    Rest,
    /// Three curves of numbers.
    Components(ComponentVector),
    /// Up to three curves of numbers, or one curve of vectors.
    Channels(Box<Channels>),
}

/// A vector whose x, y and z are separate curves of numbers.
#[derive(Clone, Debug)]
pub struct ComponentVector {
    tracks: [TrackId; 3],
    /// The keys, if the three curves share their key times.
    packed: Option<PackedKeys<3>>,
}

impl ComponentVector {
    /// Creates a vector from the tracks of x, y and z.
    ///
    /// If the three curves share their key times, are linear and store f32, this moves their values
    /// into one interleaved buffer.
    pub fn new(components: [TrackId; 3], tracks: &mut [Track]) -> Self {
        let mut curves = components.map(|id| tracks[id.index()].curve.scalar().clone());
        let vector = Self::from_curves(components, &mut curves);
        for (id, curve) in components.into_iter().zip(curves) {
            *tracks[id.index()].curve.scalar_mut() = curve;
        }
        vector
    }

    /// Creates a vector like [`Self::new`], for a decoder that has built the curves but not yet their
    /// tracks.
    pub(crate) fn from_curves(tracks: [TrackId; 3], curves: &mut [ScalarCurve; 3]) -> Self {
        let packed = PackedKeys::new(curves.each_ref(), None);
        if let Some(packed) = &packed {
            for (curve, values) in curves.iter_mut().zip(packed.columns()) {
                curve.set_values(values);
            }
        }
        Self { tracks, packed }
    }

    pub(super) fn without_packed_keys(&self) -> Self {
        Self { tracks: self.tracks, packed: None }
    }

    /// Returns the tracks of x, y and z.
    pub fn tracks(&self) -> [TrackId; 3] {
        self.tracks
    }

    /// Evaluates the vector at `time`, in seconds. A component without keys is 0.
    pub fn evaluate_at(&self, tracks: &[Track], time: f64) -> DVec3 {
        self.evaluate(tracks, &mut SampleCursor::new(time), &mut Hint::default())
    }

    #[inline]
    pub(super) fn seek(&self, round: SeekRound, time: f64, hint: &mut Hint) {
        if let Some(packed) = &self.packed {
            packed.seek(round, time, hint);
        }
    }

    #[inline]
    pub(crate) fn evaluate<'a>(
        &'a self,
        tracks: &[Track],
        cursor: &mut SampleCursor<'a>,
        hint: &mut Hint,
    ) -> DVec3 {
        let time = cursor.time;
        let components = match &self.packed {
            Some(packed) => packed.evaluate(cursor, hint, |_| 1.0),
            None => self.tracks.map(|id| tracks[id.index()].curve.scalar().evaluate(time, hint)),
        };
        DVec3::from_array(components)
    }
}
