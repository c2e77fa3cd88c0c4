//! Authored curves: whose they are, what they move, and where the file has them.

use super::{Extrapolation, GroupId, Hint, NodeId, ScalarCurve, Unit, Value};
use crate::diagnostics::Place;

/// The index of a track within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(u32);

impl TrackId {
    /// The id of the track at `index`.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index of the track.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whose a track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node's.
    Node(NodeId),
    /// A whole group's, such as whether the left hand is tracked.
    Group(GroupId),
}

/// One authored curve.
#[derive(Clone, Debug)]
pub struct Track {
    /// Whose it is.
    pub owner: Owner,
    /// What it moves, in the format's own words: `position.x`.
    pub property: String,
    /// How that changes over time, in the file's own axes and units.
    pub curve: AnyCurve,
    /// What its numbers count, as far as the file or the format says.
    pub unit: Unit,
    /// Where the file has it.
    pub source: Provenance,
}

/// The curve of a track, by the type of its values.
#[derive(Clone, Debug)]
pub enum AnyCurve {
    /// Numbers.
    Number(ScalarCurve),
    /// Yes or no: whether the number is above one half.
    Switch(ScalarCurve),
    /// Numbers over some other number, which is not in the file, rather than over time. It is
    /// known but cannot be played.
    Driven(ScalarCurve),
}

impl AnyCurve {
    /// The curve of numbers below it.
    pub fn scalar(&self) -> &ScalarCurve {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve,
        }
    }

    /// The word for the type of its values: `float` or `bool`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Number(_) | Self::Driven(_) => "float",
            Self::Switch(_) => "bool",
        }
    }

    /// How many keys it has.
    pub fn key_count(&self) -> usize {
        self.scalar().len()
    }

    /// The times of its keys in seconds, ascending; none if it is not over time.
    pub fn key_times(&self) -> &[f64] {
        match self {
            Self::Number(curve) | Self::Switch(curve) => curve.times().as_slice(),
            Self::Driven(_) => &[],
        }
    }

    /// What it does before its first key and after its last.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        self.scalar().extrapolation()
    }

    /// Its value at `time`, in seconds; [`Value::Null`] without keys, and if it is not over time.
    pub fn value(&self, time: f64) -> Value {
        if self.scalar().is_empty() {
            return Value::Null;
        }
        self.value_or_default(time, &mut Hint::default())
    }

    /// Its value at `time`, in seconds; 0 or `false` without keys; [`Value::Null`] if it is not
    /// over time.
    pub fn value_or_default(&self, time: f64, hint: &mut Hint) -> Value {
        match self {
            Self::Driven(_) => Value::Null,
            Self::Number(curve) => Value::Number(curve.evaluate(time, hint)),
            Self::Switch(curve) => Value::Bool(curve.evaluate(time, hint) > 0.5),
        }
    }

    /// Whether it is on at `time`, in seconds: a switch that is, or a number above one half.
    pub(super) fn is_on(&self, time: f64, hint: &mut Hint) -> bool {
        match self {
            Self::Number(curve) | Self::Switch(curve) => curve.evaluate(time, hint) > 0.5,
            Self::Driven(_) => true,
        }
    }

    /// The value of the key with this index, as the file has it.
    pub fn key_value(&self, index: usize) -> Value {
        match (self, self.scalar().key(index)) {
            (_, None) => Value::Null,
            (Self::Number(_) | Self::Driven(_), Some(key)) => Value::Number(key.value),
            (Self::Switch(_), Some(key)) => Value::Bool(key.value > 0.5),
        }
    }
}

/// Where a file has a track and each of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// Where the track stands, its keys included.
    pub place: Place,
    keys: KeyPlaces,
}

/// Where a file has the keys of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyPlaces {
    /// One after the other, each of the same length.
    Packed {
        first_key: usize,
        bytes_per_key: usize,
        /// For each key in the order of time its index in the file, where the two differ.
        file_order: Option<Box<[u32]>>,
    },
    /// In these lines of a text, in the order of time.
    Lines(Box<[u32]>),
}

impl Provenance {
    /// A track at `place` whose keys take `bytes_per_key` bytes each from `first_key` on.
    ///
    /// `file_order` gives for each key, in the order of time, its index in the file, and nothing
    /// if the file has them in that order.
    pub fn packed(
        place: Place,
        first_key: usize,
        bytes_per_key: usize,
        file_order: Option<Box<[u32]>>,
    ) -> Self {
        Self { place, keys: KeyPlaces::Packed { first_key, bytes_per_key, file_order } }
    }

    /// A track at `place` in a text, whose keys stand in these lines, in the order of time.
    pub fn lines(place: Place, lines: impl Into<Box<[u32]>>) -> Self {
        Self { place, keys: KeyPlaces::Lines(lines.into()) }
    }

    /// Where the file has the key that is at `index` in the order of time.
    pub fn key(&self, index: usize) -> Place {
        match &self.keys {
            KeyPlaces::Packed { first_key, bytes_per_key, file_order } => {
                let index = file_order.as_ref().map_or(index, |order| order[index] as usize);
                Place::span(first_key + index * bytes_per_key, *bytes_per_key)
            }
            KeyPlaces::Lines(lines) => Place::line(lines[index]),
        }
    }
}

/// A track that is not a place in space, shown as a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name: `left/pinch`.
    pub name: String,
    /// Its values.
    pub track: TrackId,
    /// What it tells.
    pub kind: SignalKind,
}

/// What a signal tells of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// Whether it is there at all.
    Tracked,
    /// Whether thumb and index finger pinch.
    Pinch,
    /// Whatever its name says.
    Attribute,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{KeyTimes, Shapes};

    #[test]
    fn every_key_tells_its_bytes_also_when_the_file_has_them_out_of_order() {
        let sorted = Provenance::packed(Place::span(0, 68), 12, 28, None);
        assert_eq!(sorted.key(1), Place::span(40, 28));
        let unsorted = Provenance::packed(Place::span(0, 28), 12, 8, Some([1, 0].into()));
        assert_eq!(unsorted.key(0), Place::span(20, 8));
    }

    #[test]
    fn a_switch_is_on_above_one_half() {
        let times = KeyTimes::new(vec![0.0, 1.0, 2.0]).unwrap();
        let curve = ScalarCurve::new(times, vec![0.5, 0.51, 0.0], Shapes::Step);
        let switch = AnyCurve::Switch(curve);
        let at = |time| switch.value(time);
        assert_eq!([at(0.0), at(1.5), at(2.0)], [false, true, false].map(Value::Bool));
    }

    #[test]
    fn a_curve_without_keys_says_nothing_but_moves_to_zero() {
        let none = ScalarCurve::new(KeyTimes::default(), Vec::<f32>::new(), Shapes::Step);
        let switch = AnyCurve::Switch(none);
        assert_eq!(switch.value(0.0), Value::Null);
        assert_eq!(switch.value_or_default(0.0, &mut Hint::default()), Value::Bool(false));
    }
}
