//! Vectors whose components are separate curves.

use glam::DVec3;

use super::{Channels, Hint, Track, TrackId, curve::Spot};

/// Where a node's translation comes from.
#[derive(Clone, Debug, Default)]
pub enum Translation {
    /// From its rest pose.
    #[default]
    Rest,
    /// From three curves of numbers.
    Components(ComponentVector),
    /// From curves of numbers of which any may be missing.
    Channels(Channels),
}

/// A vector whose x, y and z are separate curves of numbers.
#[derive(Clone, Debug)]
pub struct ComponentVector {
    tracks: [TrackId; 3],
    keyed_alike: bool,
}

impl ComponentVector {
    /// The vector with these components among `tracks`.
    pub fn new(components: [TrackId; 3], tracks: &[Track]) -> Self {
        Self { tracks: components, keyed_alike: are_keyed_alike(&components, tracks) }
    }

    /// The tracks of x, y and z.
    pub fn tracks(&self) -> [TrackId; 3] {
        self.tracks
    }

    /// Its value at `time`; a component without keys is 0.
    pub(crate) fn evaluate(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> DVec3 {
        let curves = self.tracks.map(|id| tracks[id.index()].curve.scalar());
        let components = if self.keyed_alike {
            let spot: Spot = curves[0].times().spot(time, hint);
            curves.map(|curve| curve.on_line(spot))
        } else {
            curves.map(|curve| curve.evaluate(time, hint))
        };
        DVec3::from_array(components)
    }
}

/// Whether the curves share their key times and run plainly between them, so that one search and
/// one straight line serve them all.
pub(super) fn are_keyed_alike(components: &[TrackId], tracks: &[Track]) -> bool {
    let curves = || components.iter().map(|id| tracks[id.index()].curve.scalar());
    let shared = curves()
        .zip(curves().skip(1))
        .all(|(curve, next)| curve.times().is_shared_with(next.times()));
    shared && curves().all(|curve| curve.is_plain())
}
