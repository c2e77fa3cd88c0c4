//! Snapping a time to what is near.

use super::axis::TimeAxis;

/// A kind of snap target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A marker, event or notice.
    Event,
    /// An issue.
    Issue,
    /// An end of the range.
    RangeEdge,
    /// An end of the recording.
    End,
    /// The playhead.
    Playhead,
    /// A key.
    Key,
    /// A time that the ruler names.
    Round,
}

/// A snapped time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapped {
    /// When, in seconds.
    pub time: f64,
    /// The kind of target.
    pub target: Target,
}

/// Snap targets, in seconds, each ascending.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// In order of precedence: the first list with a target in reach is used.
    pub lists: &'a [(Target, &'a [f64])],
}

/// How far `time` reaches for others, in points, and how far neighbours must be apart to be aimed
/// at at all.
const REACH: f64 = 6.0;
const APART: f64 = 2.0 * REACH;

/// The one of `targets` that `time` is nearest to on `axis`, if it is within reach.
pub fn snap(axis: &TimeAxis, time: f64, targets: Targets<'_>) -> Option<Snapped> {
    let x = axis.x_at(time);
    targets.lists.iter().find_map(|&(target, times)| {
        let time = nearest(times, time)?;
        let is_in_reach = f64::from((axis.x_at(time) - x).abs()) <= REACH;
        is_in_reach.then_some(Snapped { time, target })
    })
}

/// The nearest of `times`, ascending, to `time`, unless its neighbours are too close to aim at it.
pub fn lone(axis: &TimeAxis, times: &[f64], time: f64) -> Option<f64> {
    let nearest = nearest(times, time)?;
    let first = times.partition_point(|&other| other < nearest);
    let after = first + times[first..].partition_point(|&other| other == nearest);
    let neighbours = [first.checked_sub(1), Some(after)];
    let neighbours = neighbours.into_iter().flatten().filter_map(|index| times.get(index));
    let x = axis.x_at(nearest);
    let is_apart = |&other: &f64| f64::from((axis.x_at(other) - x).abs()) >= APART;
    neighbours.into_iter().all(is_apart).then_some(nearest)
}

/// The one of `times`, ascending, that is nearest to `time`.
pub(super) fn nearest(times: &[f64], time: f64) -> Option<f64> {
    let next = times.partition_point(|&other| other < time);
    let neighbours = times[next.saturating_sub(1)..(next + 1).min(times.len())].iter().copied();
    neighbours.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::timeline::Window;

    /// A hundred points to a second.
    fn axis() -> TimeAxis {
        TimeAxis::new(Window { start: 0.0, end: 10.0 }, 0.0, 1000.0)
    }

    #[test]
    fn nearest_time_is_found() {
        let times = [0.0, 1.0, 4.0];
        let cases = [(-1.0, 0.0), (0.4, 0.0), (0.6, 1.0), (2.6, 4.0), (9.0, 4.0)];
        for (time, expected) in cases {
            assert_eq!(nearest(&times, time), Some(expected), "{time}");
        }
        assert_eq!(nearest(&[], 3.0), None);
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let mut times: Vec<f64> = (0..random.usize(1..30)).map(|_| random.f64()).collect();
            times.sort_unstable_by(f64::total_cmp);
            let time = 2.0 * random.f64() - 0.5;
            let distance = |other: &f64| (other - time).abs();
            let naive = times.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            assert_eq!(
                nearest(&times, time).map(|found| distance(&found)),
                naive.map(|found| distance(&found))
            );
        }
    }

    #[test]
    fn snapping_uses_reach_and_list_order() {
        let lists =
            [(Target::Event, &[2.0, 7.0][..]), (Target::Key, &[2.03, 5.0]), (Target::Round, &[])];
        let at = |time| {
            let snapped = snap(&axis(), time, Targets { lists: &lists });
            snapped.map(|snapped| (snapped.target, snapped.time))
        };
        assert_eq!(at(2.04), Some((Target::Event, 2.0)));
        assert_eq!(at(2.08), Some((Target::Key, 2.03)));
        assert_eq!(at(4.95), Some((Target::Key, 5.0)));
        assert_eq!(at(4.93), None);
    }

    #[test]
    fn dense_times_do_not_snap() {
        let times = [1.0, 1.05, 1.1, 3.0, 3.0, 5.0];
        let found = [1.04, 2.9, 4.99].map(|time| lone(&axis(), &times, time));
        assert_eq!(found, [None, Some(3.0), Some(5.0)]);
        assert_eq!(lone(&axis(), &[], 1.0), None);
    }
}
