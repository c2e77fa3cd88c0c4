//! Keys of several curves side by side.

use std::sync::Arc;

use super::{
    Hint, KeyTimes, ScalarCurve, cubic,
    search::{KeySpan, Keyed, Steps},
};

/// The keys of `N` curves that share their key times and run in straight lines, side by side: one
/// search and one memory access serve them all.
#[derive(Clone, Debug)]
pub(crate) struct PackedKeys<const N: usize> {
    times: KeyTimes,
    keys: Arc<[PackedKey<N>]>,
}

#[derive(Clone, Copy, Debug)]
struct PackedKey<const N: usize> {
    /// Once more, to be found where the values are.
    time: f64,
    values: [f32; N],
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
    /// The keys of `curves`, the one with an index multiplied by the sign that `sign` gives for
    /// it; nothing unless the curves share their key times, run plainly between them and are in single
    /// precision.
    pub(crate) fn new(curves: [&ScalarCurve; N], sign: impl Fn(usize) -> f32) -> Option<Self> {
        let times = curves.first()?.times();
        let fits = |curve: &&ScalarCurve| curve.is_plain() && curve.times().is_shared_with(times);
        if !curves.iter().all(fits) {
            return None;
        }
        let key = |(index, &time): (usize, &f64)| {
            let mut values = [0.0; N];
            for (value, curve) in values.iter_mut().zip(curves) {
                *value = curve.values().as_singles()?[index] * sign(index);
            }
            Some(PackedKey { time, values })
        };
        let keys = times.as_slice().iter().enumerate().map(key).collect::<Option<_>>()?;
        Some(Self { times: times.clone(), keys })
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
        self.keys[index].time
    }

    #[inline]
    fn steps(&self) -> &Steps {
        self.times.steps()
    }
}
