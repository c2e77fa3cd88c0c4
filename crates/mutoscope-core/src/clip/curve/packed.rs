//! Keys of several curves side by side.

use std::sync::Arc;

use super::{
    Hint, KeyTimes, ScalarCurve, Values, cubic,
    search::{KeySpan, Keyed, Steps},
};

/// The keys of `N` curves that share their key times and run in straight lines, side by side: one
/// search and one memory access serve them all.
///
/// They are where the values of these curves are held, too: [`Self::columns`].
#[derive(Clone, Debug)]
pub(crate) struct PackedKeys<const N: usize> {
    times: KeyTimes,
    keys: Arc<[PackedKey<N>]>,
}

#[derive(Clone, Copy, Debug)]
struct PackedKey<const N: usize> {
    /// Once more, to be found where the values are; exact.
    time: f32,
    values: [f32; N],
}

/// The values of one of the curves of keys that are held side by side, as they were before they were multiplied by signs.
#[derive(Clone, Debug)]
pub struct PackedColumn {
    keys: AnyKeys,
    component: usize,
    negated: Option<Arc<KeySet>>,
}

#[derive(Clone, Debug)]
enum AnyKeys {
    Three(Arc<[PackedKey<3>]>),
    Four(Arc<[PackedKey<4>]>),
}

impl PackedColumn {
    /// The value with this index.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub fn at(&self, index: usize) -> f32 {
        let value = match &self.keys {
            AnyKeys::Three(keys) => keys[index].values[self.component],
            AnyKeys::Four(keys) => keys[index].values[self.component],
        };
        match &self.negated {
            // Negated twice, it is unchanged.
            Some(negated) => value * negated.sign(index) as f32,
            None => value,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.keys {
            AnyKeys::Three(keys) => keys.len(),
            AnyKeys::Four(keys) => keys.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for PackedColumn {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|index| self.at(index) == other.at(index))
    }
}

/// A round of guessing where a time is, for many lists of keys after one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// By the indices of the keys.
    Index,
    /// By the keys that these lead to.
    Keys,
}

/// A set of key indices.
#[derive(Clone, Debug)]
pub(crate) struct KeySet(Box<[u64]>);

impl KeySet {
    /// The empty set, for as many keys.
    pub(crate) fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    /// Adds a key.
    pub(crate) fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// −1 for a key in the set, else 1.
    #[inline]
    pub(crate) fn sign(&self, index: usize) -> f64 {
        if self.0[index / 64] >> (index % 64) & 1 == 1 { -1.0 } else { 1.0 }
    }
}

/// One time that is asked of many curves. Those that follow one another and share their key times
/// share the search, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleCursor<'a> {
    /// Seconds.
    pub(crate) time: f64,
    last: Option<(&'a KeyTimes, KeySpan)>,
}

impl SampleCursor<'_> {
    /// The moment at `time`, in seconds.
    pub(crate) fn new(time: f64) -> Self {
        Self { time, last: None }
    }
}

impl<const N: usize> PackedKeys<N> {
    /// The keys of `curves`, those of `negated` with the other sign; nothing unless the curves share
    /// their key times, run plainly between them, and are in single precision, as the times are.
    pub(crate) fn new(curves: [&ScalarCurve; N], negated: Option<&KeySet>) -> Option<Self> {
        let times = curves.first()?.times();
        let fits = |curve: &&ScalarCurve| {
            curve.is_plain() && curve.times().is_shared_with(times) && curve.values().are_single()
        };
        let is_single = |time: &f64| f64::from(*time as f32) == *time;
        if !curves.iter().all(fits) || !times.as_slice().iter().all(is_single) {
            return None;
        }
        let key = |(index, &time): (usize, &f64)| {
            let sign = negated.map_or(1.0, |negated| negated.sign(index)) as f32;
            // Doubles of singles: no digit is lost.
            let values = curves.map(|curve| curve.values().at(index) as f32 * sign);
            PackedKey { time: time as f32, values }
        };
        let keys = times.as_slice().iter().enumerate().map(key).collect();
        Some(Self { times: times.clone(), keys })
    }

    /// Guesses where `time` is: in the first round by the index of the keys, in the second by the keys.
    #[inline]
    pub(crate) fn seek(&self, round: Round, time: f64, hint: &mut Hint) {
        match round {
            Round::Index => hint.guess(self, time),
            Round::Keys => hint.refine(self, time),
        }
    }

    /// Their values at `moment`, if each key is multiplied by the sign that `sign` gives for its
    /// index.
    #[inline]
    pub(crate) fn at<'a>(
        &'a self,
        moment: &mut SampleCursor<'a>,
        hint: &mut Hint,
        sign: impl Fn(usize) -> f64,
    ) -> [f64; N] {
        let spot = match moment.last {
            Some((times, spot)) if times.is_shared_with(&self.times) => spot,
            _ => {
                let spot = self.spot(moment.time, hint);
                moment.last = Some((&self.times, spot));
                spot
            }
        };
        let (left, right) = (&self.keys[spot.left].values, &self.keys[spot.right].values);
        let (left_sign, right_sign) = (sign(spot.left), sign(spot.right));
        std::array::from_fn(|component| {
            let left = f64::from(left[component]) * left_sign;
            let right = f64::from(right[component]) * right_sign;
            cubic::linear(left, right, spot.part)
        })
    }
}

impl<const N: usize> Keyed for PackedKeys<N> {
    #[inline]
    fn count(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn time(&self, index: usize) -> f64 {
        self.keys[index].time.into()
    }

    #[inline]
    fn steps(&self) -> &Steps {
        self.times.steps()
    }
}

impl PackedKeys<3> {
    /// The values of each curve.
    pub(crate) fn columns(&self) -> [Values; 3] {
        std::array::from_fn(|component| {
            let keys = AnyKeys::Three(self.keys.clone());
            Values::Packed(Box::new(PackedColumn { keys, component, negated: None }))
        })
    }
}

impl PackedKeys<4> {
    /// The values of each curve; `negated` are the keys that were given the other sign.
    pub(crate) fn columns(&self, negated: Option<&Arc<KeySet>>) -> [Values; 4] {
        std::array::from_fn(|component| {
            let (keys, negated) = (AnyKeys::Four(self.keys.clone()), negated.cloned());
            Values::Packed(Box::new(PackedColumn { keys, component, negated }))
        })
    }
}
