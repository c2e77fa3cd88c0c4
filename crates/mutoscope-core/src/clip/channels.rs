//! Numbers that are each moved by a curve of their own, or not at all.

use glam::DVec3;

use super::{Hint, Track, TrackId};

/// One number: moved by a curve, or at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// Nothing moves it.
    Rest(f64),
    /// A curve moves it.
    Track {
        /// The curve.
        track: TrackId,
        /// The factor from the curve's unit to the requested one.
        unit: f64,
    },
    /// A component of a curve of vectors moves it.
    Component {
        /// The curve.
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

    /// Its value at the key with this index of its curve, as it is keyed; 0 where there is none.
    fn at_key(self, tracks: &[Track], key: usize) -> f64 {
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

/// A vector whose components are channels: any of them may be at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channels(pub [Channel; 3]);

impl Channels {
    /// A vector at rest.
    pub fn at_rest(value: f64) -> Self {
        Self([Channel::Rest(value); 3])
    }

    /// The vector of a curve of vectors; a component that it lacks is 0.
    pub fn of_vector(track: TrackId) -> Self {
        Self([0, 1, 2].map(|component| Channel::Component { track, component }))
    }

    /// Whether any component is moved.
    pub fn is_moved(&self) -> bool {
        self.0.iter().any(|channel| !matches!(channel, Channel::Rest(_)))
    }

    /// The tracks of those components that are moved, in their order.
    pub fn tracks(&self) -> impl Iterator<Item = TrackId> {
        self.0.iter().filter_map(|channel| match channel {
            Channel::Rest(_) => None,
            Channel::Track { track, .. } | Channel::Component { track, .. } => Some(*track),
        })
    }

    /// Its value at the key with this index, for channels that are keyed together.
    pub(super) fn at_key(&self, tracks: &[Track], key: usize) -> DVec3 {
        DVec3::from_array(self.0.map(|channel| channel.at_key(tracks, key)))
    }

    /// Its value at `time`, in seconds.
    ///
    /// Not inlined, as other code that only some formats need: recordings of hands are sampled
    /// faster if their code path is short.
    #[inline(never)]
    pub(crate) fn evaluate(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> DVec3 {
        DVec3::from_array(self.0.map(|channel| channel.evaluate(tracks, time, hint)))
    }
}
