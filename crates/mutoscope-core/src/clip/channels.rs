//! Vectors whose components are animated independently.

use glam::DVec3;

use super::{Hint, Track, TrackId};

/// One number that a curve may animate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// A number that no curve animates.
    Rest(f64),
    /// A number that a scalar curve animates.
    Track {
        /// The track of the curve.
        track: TrackId,
        /// The factor from the curve's unit to the unit of the result.
        unit: f64,
    },
    /// A number that a component of a vector curve animates.
    Component {
        /// The track of the curve.
        track: TrackId,
        /// The index of the component.
        component: u8,
    },
}

impl Channel {
    fn evaluate(self, tracks: &[Track], time: f64, hint: &mut Hint) -> f64 {
        match self {
            Self::Rest(value) => value,
            Self::Track { track, unit } => {
                tracks[track.index()].curve.scalar().evaluate(time, hint) * unit
            }
            Self::Component { track, component } => {
                tracks[track.index()].curve.component(component.into(), time, hint)
            }
        }
    }

    fn evaluate_at_key(self, tracks: &[Track], key: usize) -> f64 {
        let (track, component, unit) = match self {
            Self::Rest(value) => return value,
            Self::Track { track, unit } => (track, 0, unit),
            Self::Component { track, component } => (track, component, 1.0),
        };
        let curve = tracks[track.index()].curve.components().get(usize::from(component));
        let value = curve.and_then(|curve| curve.key(key)).map_or(0.0, |key| key.value);
        value * unit
    }
}

/// A vector whose components are animated independently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channels(pub [Channel; 3]);

impl Channels {
    /// Creates a vector that no curve animates, with all components at `value`.
    pub fn resting(value: f64) -> Self {
        Self([Channel::Rest(value); 3])
    }

    /// Creates a vector whose components are those of the vector curve of `track`. Components that
    /// the curve does not have are 0.
    pub fn from_vector_track(track: TrackId) -> Self {
        Self([0, 1, 2].map(|component| Channel::Component { track, component }))
    }

    /// Returns `true` if a curve animates at least one component.
    pub fn is_animated(&self) -> bool {
        self.0.iter().any(|channel| !matches!(channel, Channel::Rest(_)))
    }

    /// Returns the tracks of the animated components, in the order of the components.
    pub fn tracks(&self) -> impl Iterator<Item = TrackId> {
        self.0.iter().filter_map(|channel| match channel {
            Channel::Rest(_) => None,
            Channel::Track { track, .. } | Channel::Component { track, .. } => Some(*track),
        })
    }

    /// Returns the vector at the key with index `key`. All curves must share their key times.
    pub(super) fn evaluate_at_key(&self, tracks: &[Track], key: usize) -> DVec3 {
        DVec3::from_array(self.0.map(|channel| channel.evaluate_at_key(tracks, key)))
    }

    /// Never inlined, because few formats use channels. Recordings of hands, which use none, are
    /// sampled faster if the code that they run is short.
    #[inline(never)]
    pub(crate) fn evaluate(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> DVec3 {
        DVec3::from_array(self.0.map(|channel| channel.evaluate(tracks, time, hint)))
    }
}
