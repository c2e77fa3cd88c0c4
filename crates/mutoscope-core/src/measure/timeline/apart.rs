//! Issue keys with room around them.

use super::{TimeAxis, search::first_where};

/// How much room a key has at least that is shown by itself, in points.
const ROOM: u8 = 7;

/// A time with room on either side at which there are keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lone {
    /// In seconds.
    pub(super) time: f64,
    /// How far the next keys are, on either side, in points.
    pub(super) room: f64,
}

/// A list of times, ascending, that is looked through from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times<'a> {
    pub(super) times: &'a [f64],
    /// The index of the next one to look at.
    pub(super) next: usize,
}

/// Takes the keys in `lists` that have room around them, from left to right. `counts` is how many
/// there are in each point of `axis`; those that are taken are not counted any longer.
///
/// With each the lists come to their first key that is at its time or after it.
pub(super) fn take_lone(
    lists: &mut [Times<'_>],
    axis: &TimeAxis,
    counts: &mut [u32],
    mut take: impl FnMut(Lone, &[Times<'_>]),
) {
    for point in spread_points(counts) {
        // There is nothing in the point before, so this is as good as where the point begins.
        let lone = first_at_or_after(axis.time_after(point as f64 - 0.5), lists, axis);
        if lone.room >= f64::from(ROOM) {
            counts[point] = 0;
            take(lone, lists);
        }
    }
}

/// The points that have keys and around which none has that is nearer than keys may be.
fn spread_points(counts: &[u32]) -> Vec<usize> {
    let mut spread = Vec::new();
    let room = usize::from(ROOM);
    // The last point that has keys, and how far it is from the one before.
    let mut last: Option<(usize, usize)> = None;
    for (point, _) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let distance = last.map_or(room, |(last, _)| point - last);
        spread.extend(
            last.filter(|(_, before)| *before.min(&distance) >= room).map(|(last, _)| last),
        );
        last = Some((point, distance));
    }
    spread.extend(last.filter(|(_, before)| *before >= room).map(|(last, _)| last));
    spread
}

/// The first time of all `lists` that is not before `time`.
fn first_at_or_after(time: f64, lists: &mut [Times<'_>], axis: &TimeAxis) -> Lone {
    let (mut before, mut first) = (f64::NEG_INFINITY, f64::INFINITY);
    for Times { times, next } in &mut *lists {
        *next = first_where(times, *next, |other| other >= time);
        before = next.checked_sub(1).map_or(before, |left| before.max(times[left]));
        first = times.get(*next).map_or(first, |&time| first.min(time));
    }
    let mut after = f64::INFINITY;
    for Times { times, next } in &*lists {
        let behind = first_where(times, *next, |other| other > first);
        after = times.get(behind).map_or(after, |&time| after.min(time));
    }
    let place = axis.points_to(first);
    let (left, right) = (place - axis.points_to(before), axis.points_to(after) - place);
    Lone { time: first, room: left.min(right) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::timeline::Window;

    #[test]
    fn lone_keys_match_pairwise_comparison() {
        let mut random = fastrand::Rng::with_seed(17);
        // Sixty-four points to a second; the lists go on outside of it.
        let axis = TimeAxis::new(Window { start: 2.0, end: 12.0 }, 0.0, 640.0);
        let mut found = 0;
        for _ in 0..300 {
            let most = 1 + random.usize(0..60);
            let mut list = || {
                let time = |_| (random.f64() * 1500.0).round() / 100.0;
                let mut times: Vec<f64> = (0..most).map(time).collect();
                times.sort_unstable_by(f64::total_cmp);
                times
            };
            let lists = [list(), list(), list()];
            let all = lists.concat();
            let nearest = |time: f64| {
                let others = all.iter().filter(|other| **other != time);
                others.map(|other| (other - time).abs() * 64.0).fold(f64::INFINITY, f64::min)
            };
            let shown = all.iter().copied().filter(|&time| axis.shows(time));
            let mut naive: Vec<f64> =
                shown.clone().filter(|&time| nearest(time) >= f64::from(ROOM)).collect();
            naive.sort_unstable_by(f64::total_cmp);
            naive.dedup();

            let mut counts = vec![0; 640];
            shown.for_each(|time| counts[(axis.points_to(time) as usize).min(639)] += 1);
            let mut visited = lists.each_ref().map(|times| Times { times, next: 0 });
            let mut lone = Vec::new();
            take_lone(&mut visited, &axis, &mut counts, |one, lists| {
                for Times { times, next } in lists {
                    assert_eq!(*next, times.partition_point(|&time| time < one.time));
                }
                assert!((one.room - nearest(one.time)).abs() < 1e-6 || one.room == f64::INFINITY);
                lone.push(one.time);
            });
            assert_eq!(lone, naive);
            let taken = all.iter().filter(|time| naive.contains(time)).count();
            let left: u32 = counts.iter().sum();
            assert_eq!(left as usize + taken, all.iter().filter(|time| axis.shows(**time)).count());
            found += lone.len();
        }
        assert!(found > 1000, "{found} keys stand apart");
    }
}
