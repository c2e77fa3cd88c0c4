//! Vectors whose components are separate curves.

use glam::DVec3;

use super::{
    Channels, Hint, Track, TrackId,
    curve::{PackedKeys, SampleCursor},
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
    /// The vector with these components among `tracks`.
    pub fn new(components: [TrackId; 3], tracks: &[Track]) -> Self {
        let curves = components.map(|id| tracks[id.index()].curve.scalar());
        Self { tracks: components, packed: PackedKeys::new(curves, |_| 1.0) }
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
