//! The least and the greatest of many keys, without looking at each of them.

use std::ops::Range;

/// How many entries of one level make one of the next.
const FAN: usize = 64;

/// The least and the greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether some of them were not finite; these are excluded from the bounds.
    pub(super) is_broken: bool,
}

impl Bounds {
    const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY, is_broken: false };

    fn of(value: f64) -> Self {
        if value.is_finite() {
            Self { low: value, high: value, is_broken: false }
        } else {
            Self { is_broken: true, ..Self::NONE }
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            is_broken: self.is_broken || other.is_broken,
        }
    }

    /// Whether there is any number within them.
    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high
    }
}

/// The bounds of a curve's key values, of each 64 of them, of each 64 of those, and so on: so the
/// bounds of any run of keys are found by looking at few numbers, however many keys there are.
#[derive(Clone, Debug)]
pub(super) struct Extremes {
    levels: Vec<Vec<Bounds>>,
}

impl Extremes {
    /// Looks at each of `values` once.
    pub(super) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut levels = vec![pooled(values.map(Bounds::of))];
        while let Some(last) = levels.last().filter(|level| level.len() > 1) {
            levels.push(pooled(last.iter().copied()));
        }
        Self { levels }
    }

    /// The bounds of the keys in `range`; `value` gives that of each.
    pub(super) fn within(&self, range: Range<usize>, value: impl Fn(usize) -> f64) -> Bounds {
        let each = |range: Range<usize>| range.map(&value).map(Bounds::of);
        let (first, last) = (range.start.div_ceil(FAN), range.end / FAN);
        if first >= last {
            return each(range).fold(Bounds::NONE, Bounds::and);
        }
        let ends = each(range.start..first * FAN).chain(each(last * FAN..range.end));
        ends.fold(self.blocks(0, first..last), Bounds::and)
    }

    /// The bounds of these entries of a level.
    fn blocks(&self, level: usize, range: Range<usize>) -> Bounds {
        let each = |range: Range<usize>| self.levels[level][range].iter().copied();
        let (first, last) = (range.start.div_ceil(FAN), range.end / FAN);
        if first >= last {
            return each(range).fold(Bounds::NONE, Bounds::and);
        }
        let ends = each(range.start..first * FAN).chain(each(last * FAN..range.end));
        ends.fold(self.blocks(level + 1, first..last), Bounds::and)
    }
}

fn pooled(entries: impl Iterator<Item = Bounds>) -> Vec<Bounds> {
    let mut pooled = Vec::new();
    for (index, entry) in entries.enumerate() {
        match pooled.last_mut() {
            Some(last) if index % FAN != 0 => *last = Bounds::and(*last, entry),
            _ => pooled.push(entry),
        }
    }
    pooled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_match_a_linear_scan() {
        let values: Vec<f64> =
            (0..20_000).map(|index| f64::from(index * 7919 % 10_007) - 5000.0).collect();
        let extremes = Extremes::new(values.iter().copied());
        let cuts = [0, 1, 63, 64, 65, 4095, 4096, 5000, 8192, 12_345, 19_999, 20_000];
        for (index, &from) in cuts.iter().enumerate() {
            for &to in &cuts[index + 1..] {
                let found = extremes.within(from..to, |index| values[index]);
                let each = values[from..to].iter().copied();
                let low = each.clone().fold(f64::INFINITY, f64::min);
                let high = each.fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(found, Bounds { low, high, is_broken: false }, "{from}..{to}");
            }
        }
    }

    #[test]
    fn non_finite_values_are_flagged_and_excluded() {
        let values: Vec<f64> =
            (0..1000).map(|index| if index == 500 { f64::NAN } else { f64::from(index) }).collect();
        let extremes = Extremes::new(values.iter().copied());
        let within = |range| extremes.within(range, |index| values[index]);
        assert_eq!(within(100..900), Bounds { low: 100.0, high: 899.0, is_broken: true });
        assert!(!within(0..500).is_broken);
        assert!(within(500..501).is_empty());
    }
}
