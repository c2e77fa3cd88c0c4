//! Vectors whose components are separate curves.

use glam::DVec3;

use super::{
    Channels, Hint, Track, TrackId,
    curve::{PackedKeys, Round, SampleCursor},
};

/// The source of a node's translation.
#[derive(Clone, Debug, Default)]
pub enum Translation {
    /// From its rest pose.
    #[default]
    Rest,
    /// From three curves of numbers.
    Components(ComponentVector),
    /// From curves of numbers of which any may be missing, or from one of vectors.
    Channels(Box<Channels>),
}

/// A vector whose x, y and z are separate curves of numbers.
#[derive(Clone, Debug)]
pub struct ComponentVector {
    tracks: [TrackId; 3],
    /// Their keys, where they are keyed alike.
    packed: Option<PackedKeys<3>>,
}

impl ComponentVector {
    /// The vector with these components among `tracks`. Where they are keyed alike, their values are held
    /// side by side from now on, and no longer by each.
    pub fn new(components: [TrackId; 3], tracks: &mut [Track]) -> Self {
        let curves = components.map(|id| tracks[id.index()].curve.scalar());
        let packed = PackedKeys::new(curves, None);
        if let Some(packed) = &packed {
            for (id, values) in components.into_iter().zip(packed.columns()) {
                tracks[id.index()].curve.scalar_mut().hold(values);
            }
        }
        Self { tracks: components, packed }
    }

    /// The same for curves of the same keys with other shapes between them. Keys are not packed
    /// side by side, which would visit each.
    pub(super) fn reshaped(&self) -> Self {
        Self { tracks: self.tracks, packed: None }
    }

    /// The tracks of x, y and z.
    pub fn tracks(&self) -> [TrackId; 3] {
        self.tracks
    }

    /// Its value at `time`, in seconds; a component without keys is 0.
    pub fn at(&self, tracks: &[Track], time: f64) -> DVec3 {
        self.evaluate(tracks, &mut SampleCursor::new(time), &mut Hint::default())
    }

    /// Guesses where `time` is among its keys, so that it is found sooner.
    #[inline]
    pub(super) fn seek(&self, round: Round, time: f64, hint: &mut Hint) {
        if let Some(packed) = &self.packed {
            packed.seek(round, time, hint);
        }
    }

    /// Its value at `moment`; a component without keys is 0.
    #[inline]
    pub(crate) fn evaluate<'a>(
        &'a self,
        tracks: &[Track],
        moment: &mut SampleCursor<'a>,
        hint: &mut Hint,
    ) -> DVec3 {
        let time = moment.time;
        let components = match &self.packed {
            Some(packed) => packed.at(moment, hint, |_| 1.0),
            None => self.tracks.map(|id| tracks[id.index()].curve.scalar().evaluate(time, hint)),
        };
        DVec3::from_array(components)
    }
}
