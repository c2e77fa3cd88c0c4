//! Finds the minimum and maximum of any run of keys without visiting each key.

use std::ops::Range;

const BLOCK_LEN: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) has_non_finite: bool,
}

impl Bounds {
    const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY, has_non_finite: false };

    fn from_value(value: f64) -> Self {
        if value.is_finite() {
            Self { low: value, high: value, has_non_finite: false }
        } else {
            Self { has_non_finite: true, ..Self::EMPTY }
        }
    }

    fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            has_non_finite: self.has_non_finite || other.has_non_finite,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high
    }
}

/// A tree of bounds. Each entry of level 0 has the bounds of 64 keys, each entry of level 1 those
/// of 64 entries of level 0, and so on. Finding the bounds of `n` consecutive keys takes O(log n)
/// steps.
#[derive(Clone, Debug)]
pub(super) struct Extremes {
    levels: Vec<Vec<Bounds>>,
}

impl Extremes {
    pub(super) fn new(values: impl Iterator<Item = f64>) -> Self {
        let mut levels = vec![merge_blocks(values.map(Bounds::from_value))];
        while let Some(last) = levels.last().filter(|level| level.len() > 1) {
            levels.push(merge_blocks(last.iter().copied()));
        }
        Self { levels }
    }

    pub(super) fn bounds_of_keys(
        &self,
        range: Range<usize>,
        value: impl Fn(usize) -> f64,
    ) -> Bounds {
        let each = |range: Range<usize>| range.map(&value).map(Bounds::from_value);
        let (first, last) = (range.start.div_ceil(BLOCK_LEN), range.end / BLOCK_LEN);
        if first >= last {
            return each(range).fold(Bounds::EMPTY, Bounds::union);
        }
        let ends = each(range.start..first * BLOCK_LEN).chain(each(last * BLOCK_LEN..range.end));
        ends.fold(self.bounds_of_blocks(0, first..last), Bounds::union)
    }

    fn bounds_of_blocks(&self, level: usize, range: Range<usize>) -> Bounds {
        let each = |range: Range<usize>| self.levels[level][range].iter().copied();
        let (first, last) = (range.start.div_ceil(BLOCK_LEN), range.end / BLOCK_LEN);
        if first >= last {
            return each(range).fold(Bounds::EMPTY, Bounds::union);
        }
        let ends = each(range.start..first * BLOCK_LEN).chain(each(last * BLOCK_LEN..range.end));
        ends.fold(self.bounds_of_blocks(level + 1, first..last), Bounds::union)
    }
}

fn merge_blocks(entries: impl Iterator<Item = Bounds>) -> Vec<Bounds> {
    let mut merged = Vec::new();
    for (index, entry) in entries.enumerate() {
        match merged.last_mut() {
            Some(last) if index % BLOCK_LEN != 0 => *last = Bounds::union(*last, entry),
            _ => merged.push(entry),
        }
    }
    merged
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
                let found = extremes.bounds_of_keys(from..to, |index| values[index]);
                let each = values[from..to].iter().copied();
                let low = each.clone().fold(f64::INFINITY, f64::min);
                let high = each.fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(found, Bounds { low, high, has_non_finite: false }, "{from}..{to}");
            }
        }
    }

    #[test]
    fn non_finite_values_are_flagged_and_excluded() {
        let values: Vec<f64> =
            (0..1000).map(|index| if index == 500 { f64::NAN } else { f64::from(index) }).collect();
        let extremes = Extremes::new(values.iter().copied());
        let within = |range| extremes.bounds_of_keys(range, |index| values[index]);
        assert_eq!(within(100..900), Bounds { low: 100.0, high: 899.0, has_non_finite: true });
        assert!(!within(0..500).has_non_finite);
        assert!(within(500..501).is_empty());
    }
}
