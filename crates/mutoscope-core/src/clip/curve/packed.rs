//! Interleaved keys of several curves.

use std::{ops::Range, sync::Arc};

use arrayvec::ArrayVec;
use glam::{DVec4, Vec3, Vec4};

use super::{
    Hint, KeyTimes, ScalarCurve, Values, cubic,
    search::{KeySearch, KeySpan, KeyTimeIndex},
};

/// The interleaved keys of `N` linear curves that share their key times. One search and one memory
/// access serve all curves.
///
/// The curves themselves refer to these keys for their values: see [`Self::columns`].
#[derive(Clone, Debug)]
pub(crate) struct PackedKeys<const N: usize> {
    times: KeyTimes,
    keys: Arc<[PackedKey<N>]>,
}

#[derive(Clone, Copy, Debug)]
struct PackedKey<const N: usize> {
    /// A copy of the key time. The search reads this copy, because the values are next to it in
    /// memory. The conversion to f32 is exact.
    time: f32,
    values: [f32; N],
}

/// One component of packed keys, which returns the values with the signs that the file stores.
#[derive(Clone, Debug)]
pub struct PackedColumn {
    keys: PackedKeysRef,
    component: usize,
    negated: Option<Arc<KeySet>>,
}

#[derive(Clone, Debug)]
enum PackedKeysRef {
    Three(Arc<[PackedKey<3>]>),
    Four(Arc<[PackedKey<4>]>),
}

impl PackedColumn {
    /// Returns the value of the key with index `index`.
    ///
    /// # Panics
    /// If there is no such key.
    #[inline]
    pub fn value_at(&self, index: usize) -> f32 {
        let value = match &self.keys {
            PackedKeysRef::Three(keys) => keys[index].values[self.component],
            PackedKeysRef::Four(keys) => keys[index].values[self.component],
        };
        match &self.negated {
            // The packed value of a key in `negated` has the opposite sign. Negating the value
            // again restores the value of the file.
            Some(negated) => value * negated.sign(index) as f32,
            None => value,
        }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match &self.keys {
            PackedKeysRef::Three(keys) => keys.len(),
            PackedKeysRef::Four(keys) => keys.len(),
        }
    }

    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if no value is NaN or infinite.
    pub(crate) fn is_finite(&self) -> bool {
        match &self.keys {
            PackedKeysRef::Three(keys) => {
                keys.iter().all(|key| key.values[self.component].is_finite())
            }
            PackedKeysRef::Four(keys) => {
                keys.iter().all(|key| key.values[self.component].is_finite())
            }
        }
    }

    fn has_keys_of(&self, other: &Self) -> bool {
        let is_same_list = match (&self.keys, &other.keys) {
            (PackedKeysRef::Three(one), PackedKeysRef::Three(other)) => Arc::ptr_eq(one, other),
            (PackedKeysRef::Four(one), PackedKeysRef::Four(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        let signs = [self, other].map(|column| column.negated.as_ref().map(Arc::as_ptr));
        is_same_list && signs[0] == signs[1]
    }
}

impl PartialEq for PackedColumn {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.len()).all(|index| self.value_at(index) == other.value_at(index))
    }
}

/// All components of packed keys, with the signs that the file stores. Reading a key takes one memory
/// access, instead of one for each [`PackedColumn`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedRows<'a> {
    keys: &'a PackedKeysRef,
    negated: Option<&'a KeySet>,
}

impl<'a> PackedRows<'a> {
    /// Returns the keys of `columns`. `None` unless these are all components of the same keys, in
    /// order.
    pub(crate) fn from_columns(columns: impl Iterator<Item = &'a Values>) -> Option<Self> {
        let (mut first, mut count) = (None, 0);
        for values in columns {
            let Values::Packed(column) = values else { return None };
            let first = first.get_or_insert(&**column);
            if column.component != count || !column.has_keys_of(first) {
                return None;
            }
            count += 1;
        }
        let PackedColumn { keys, negated, .. } = first?;
        (count == keys.components()).then_some(Self { keys, negated: negated.as_deref() })
    }

    /// Writes the components of the keys in `range` into `rows`. Missing components become 0.
    ///
    /// # Panics
    /// If there are fewer keys.
    pub(crate) fn read_keys(&self, range: Range<usize>, rows: &mut [DVec4]) {
        match self.keys {
            PackedKeysRef::Three(keys) => {
                for (row, key) in rows.iter_mut().zip(&keys[range]) {
                    *row = Vec3::from_array(key.values).as_dvec3().extend(0.0);
                }
            }
            PackedKeysRef::Four(keys) => {
                for (row, key) in rows.iter_mut().zip(&keys[range.clone()]) {
                    *row = Vec4::from_array(key.values).as_dvec4();
                }
                if let Some(negated) = self.negated {
                    rows.iter_mut().zip(range).for_each(|(row, key)| *row *= negated.sign(key));
                }
            }
        }
    }
}

impl PackedKeysRef {
    fn components(&self) -> usize {
        match self {
            Self::Three(_) => 3,
            Self::Four(_) => 4,
        }
    }
}

/// A round of the search for one time in many lists of keys. The first round searches all lists
/// before the second round begins, so that the processor loads the memory of several lists at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeekRound {
    /// Guess the key with the index of the key times.
    Index,
    /// Refine the guess by comparing key times.
    Keys,
}

#[derive(Clone, Debug)]
pub(crate) struct KeySet(Box<[u64]>);

impl KeySet {
    pub(crate) fn empty(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)].into())
    }

    pub(crate) fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub(crate) fn sign(&self, index: usize) -> f64 {
        if self.0[index / 64] >> (index % 64) & 1 == 1 { -1.0 } else { 1.0 }
    }
}

/// A time at which many curves are evaluated. If consecutive curves share their key times, the
/// search result is reused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleCursor<'a> {
    pub(crate) time: f64,
    last: Option<(&'a KeyTimes, KeySpan)>,
}

impl SampleCursor<'_> {
    pub(crate) fn new(time: f64) -> Self {
        Self { time, last: None }
    }
}

impl<const N: usize> PackedKeys<N> {
    /// Interleaves the keys of `curves`, and negates the keys in `negated`. Returns `None` unless
    /// the curves share their key times, are [linear and
    /// clamped](ScalarCurve::is_linear_and_clamped), and have times and values that fit into f32
    /// without loss.
    pub(crate) fn new(curves: [&ScalarCurve; N], negated: Option<&KeySet>) -> Option<Self> {
        let times = curves.first()?.times();
        let is_packable = |curve: &&ScalarCurve| {
            curve.is_linear_and_clamped() && curve.times().is_shared_with(times)
        };
        let fits_f32 = |time: &f64| f64::from(*time as f32) == *time;
        if !curves.iter().all(is_packable) || !times.as_slice().iter().all(fits_f32) {
            return None;
        }
        let columns: ArrayVec<_, N> =
            curves.iter().map(|curve| curve.values().to_f32()).collect::<Option<_>>()?;
        // The compiler inlines `array::map` only with link-time optimisation, so this is a loop.
        let key = |(index, &time): (usize, &f64)| {
            let sign = negated.map_or(1.0, |negated| negated.sign(index)) as f32;
            let mut values = [0.0; N];
            for (value, column) in values.iter_mut().zip(&columns) {
                *value = column[index] * sign;
            }
            PackedKey { time: time as f32, values }
        };
        let keys = times.as_slice().iter().enumerate().map(key).collect();
        Some(Self { times: times.clone(), keys })
    }

    #[inline]
    pub(crate) fn seek(&self, round: SeekRound, time: f64, hint: &mut Hint) {
        match round {
            SeekRound::Index => hint.guess_from_index(self, time),
            SeekRound::Keys => hint.refine_from_keys(self, time),
        }
    }

    /// Returns the values of the last key that is not after `time`, and of the next key.
    pub(crate) fn keys_around(&self, time: f64, hint: &mut Hint) -> [[f32; N]; 2] {
        let left = self.find_key(time, hint);
        let right = (left + 1).min(self.keys.len() - 1);
        [left, right].map(|index| self.keys[index].values)
    }

    /// Returns `true` if no two keys have the same time.
    pub(crate) fn has_single_keys(&self) -> bool {
        self.times.are_unique()
    }

    #[inline]
    pub(crate) fn evaluate<'a>(
        &'a self,
        cursor: &mut SampleCursor<'a>,
        hint: &mut Hint,
        sign: impl Fn(usize) -> f64,
    ) -> [f64; N] {
        let span = match cursor.last {
            Some((times, span)) if times.is_shared_with(&self.times) => span,
            _ => {
                let span = self.find_span(cursor.time, hint);
                cursor.last = Some((&self.times, span));
                span
            }
        };
        let (left, right) = (&self.keys[span.left].values, &self.keys[span.right].values);
        let (left_sign, right_sign) = (sign(span.left), sign(span.right));
        let mut values = [0.0; N];
        for (component, value) in values.iter_mut().enumerate() {
            let left = f64::from(left[component]) * left_sign;
            let right = f64::from(right[component]) * right_sign;
            *value = cubic::lerp(left, right, span.fraction);
        }
        values
    }
}

impl<const N: usize> KeySearch for PackedKeys<N> {
    #[inline]
    fn count(&self) -> usize {
        self.keys.len()
    }

    #[inline]
    fn time(&self, index: usize) -> f64 {
        self.keys[index].time.into()
    }

    #[inline]
    fn time_index(&self) -> &KeyTimeIndex {
        self.times.time_index()
    }
}

impl PackedKeys<3> {
    pub(crate) fn columns(&self) -> [Values; 3] {
        std::array::from_fn(|component| {
            let keys = PackedKeysRef::Three(self.keys.clone());
            Values::Packed(Box::new(PackedColumn { keys, component, negated: None }))
        })
    }
}

impl PackedKeys<4> {
    pub(crate) fn columns(&self, negated: Option<&Arc<KeySet>>) -> [Values; 4] {
        std::array::from_fn(|component| {
            let (keys, negated) = (PackedKeysRef::Four(self.keys.clone()), negated.cloned());
            Values::Packed(Box::new(PackedColumn { keys, component, negated }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Shapes;

    #[test]
    fn rows_have_the_values_of_their_columns() {
        let times = KeyTimes::new(vec![0.0, 0.5, 1.0]).unwrap();
        let curves = [0.0_f32, 10.0, 20.0, 30.0].map(|from| {
            ScalarCurve::new(
                times.clone(),
                vec![from + 1.0, from + 2.0, from + 3.0],
                Shapes::Linear,
            )
        });
        let mut negated = KeySet::empty(3);
        negated.insert(1);
        let keys = PackedKeys::new(curves.each_ref(), Some(&negated)).unwrap();
        let columns = keys.columns(Some(&Arc::new(negated)));
        let rows = PackedRows::from_columns(columns.iter()).unwrap();
        let mut keys = [DVec4::ZERO; 3];
        rows.read_keys(0..3, &mut keys);
        for (index, key) in keys.into_iter().enumerate() {
            let expected = columns.each_ref().map(|column| column.value_at(index));
            assert_eq!(key.to_array(), expected);
            assert_eq!(expected, [0.0, 10.0, 20.0, 30.0].map(|from| from + index as f64 + 1.0));
        }
        let [x, y, z, w] = columns.each_ref();
        assert!(PackedRows::from_columns([x, y, w, z].into_iter()).is_none(), "another order");
        assert!(PackedRows::from_columns([x, y, z].into_iter()).is_none(), "a missing component");
        assert!(PackedRows::from_columns([].into_iter()).is_none());
        let [x, y, z, _] = curves.each_ref();
        let [x, y, z] = PackedKeys::new([x, y, z], None).unwrap().columns();
        let rows = PackedRows::from_columns([&x, &y, &z].into_iter()).unwrap();
        rows.read_keys(1..3, &mut keys[..2]);
        assert_eq!(keys[..2], [DVec4::new(2.0, 12.0, 22.0, 0.0), DVec4::new(3.0, 13.0, 23.0, 0.0)]);
    }
}
