//! Finds keys that are far enough from their neighbours to be drawn one by one.

use super::{TimeAxis, search::find_first};

const MIN_ROOM_POINTS: u8 = 7;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct IsolatedKey {
    pub(super) time: f64,
    /// The distance to the nearest other key, in points.
    pub(super) room: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TimeCursor<'a> {
    pub(super) times: &'a [f64],
    pub(super) next: usize,
}

/// Passes each isolated key of `cursors` to `on_key`, from left to right. The count at the key's
/// point in `counts` is then set to 0. `counts` has the number of keys in each point of `axis`.
///
/// When `on_key` is called, each cursor is at its first key that is not before the isolated key.
pub(super) fn take_isolated_keys(
    cursors: &mut [TimeCursor<'_>],
    axis: &TimeAxis,
    counts: &mut [u32],
    mut on_key: impl FnMut(IsolatedKey, &[TimeCursor<'_>]),
) {
    for point in isolated_points(counts) {
        // Start half a point before the key's point, because rounding could otherwise skip the key.
        // No other key is there, because the previous point has no keys.
        let isolated = advance_to(axis.time_after(point as f64 - 0.5), cursors, axis);
        if isolated.room >= f64::from(MIN_ROOM_POINTS) {
            counts[point] = 0;
            on_key(isolated, cursors);
        }
    }
}

fn isolated_points(counts: &[u32]) -> Vec<usize> {
    let mut isolated = Vec::new();
    let room = usize::from(MIN_ROOM_POINTS);
    // The last point with keys, and its distance to the point with keys before it.
    let mut last: Option<(usize, usize)> = None;
    for (point, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let distance = last.map_or(room, |(last, _)| point - last);
        isolated.extend(
            last.filter(|(_, before)| *before.min(&distance) >= room).map(|(last, _)| last),
        );
        last = Some((point, distance));
    }
    isolated.extend(last.filter(|(_, before)| *before >= room).map(|(last, _)| last));
    isolated
}

fn advance_to(time: f64, cursors: &mut [TimeCursor<'_>], axis: &TimeAxis) -> IsolatedKey {
    let (mut before, mut first) = (f64::NEG_INFINITY, f64::INFINITY);
    for TimeCursor { times, next } in &mut *cursors {
        *next = find_first(times, *next, |other| other >= time);
        before = next.checked_sub(1).map_or(before, |left| before.max(times[left]));
        first = times.get(*next).map_or(first, |&time| first.min(time));
    }
    let mut after = f64::INFINITY;
    for TimeCursor { times, next } in &*cursors {
        let next_after = find_first(times, *next, |other| other > first);
        after = times.get(next_after).map_or(after, |&time| after.min(time));
    }
    let position = axis.points_to(first);
    let (left, right) = (position - axis.points_to(before), axis.points_to(after) - position);
    IsolatedKey { time: first, room: left.min(right) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::TimeWindow;

    #[test]
    fn isolated_keys_match_pairwise_comparison() {
        let mut random = fastrand::Rng::with_seed(17);
        // There are 64 points per second, and the lists extend beyond the axis.
        let axis = TimeAxis::new(TimeWindow { start: 2.0, end: 12.0 }, 0.0, 640.0);
        let mut found = 0;
        for _ in 0..300 {
            let count = 1 + random.usize(0..60);
            let mut list = || {
                let time = |_| (random.f64() * 1500.0).round() / 100.0;
                let mut times: Vec<f64> = (0..count).map(time).collect();
                times.sort_unstable_by(f64::total_cmp);
                times
            };
            let lists = [list(), list(), list()];
            let all = lists.concat();
            let nearest = |time: f64| {
                let others = all.iter().filter(|other| **other != time);
                others.map(|other| (other - time).abs() * 64.0).fold(f64::INFINITY, f64::min)
            };
            let shown = all.iter().copied().filter(|&time| axis.contains(time));
            let mut naive: Vec<f64> =
                shown.clone().filter(|&time| nearest(time) >= f64::from(MIN_ROOM_POINTS)).collect();
            naive.sort_unstable_by(f64::total_cmp);
            naive.dedup();

            let mut counts = vec![0; 640];
            shown.for_each(|time| counts[(axis.points_to(time) as usize).min(639)] += 1);
            let mut cursors = lists.each_ref().map(|times| TimeCursor { times, next: 0 });
            let mut isolated = Vec::new();
            take_isolated_keys(&mut cursors, &axis, &mut counts, |key, cursors| {
                for TimeCursor { times, next } in cursors {
                    assert_eq!(*next, times.partition_point(|&time| time < key.time));
                }
                assert!((key.room - nearest(key.time)).abs() < 1e-6 || key.room == f64::INFINITY);
                isolated.push(key.time);
            });
            assert_eq!(isolated, naive);
            let taken = all.iter().filter(|time| naive.contains(time)).count();
            let left: u32 = counts.iter().sum();
            assert_eq!(
                left as usize + taken,
                all.iter().filter(|time| axis.contains(**time)).count()
            );
            found += isolated.len();
        }
        assert!(found > 1000, "{found} isolated keys");
    }
}
