//! Snaps a time to a near target.

use super::axis::TimeAxis;

/// A kind of snap target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SnapTarget {
    /// A marker, an event, or a diagnostic of the decoder.
    Event,
    /// A diagnostic of a check.
    Diagnostic,
    /// An end of the selected range.
    RangeEdge,
    /// An end of the recording.
    End,
    /// The playhead.
    Playhead,
    /// A key.
    Key,
    /// A labelled time of the ruler.
    RulerTick,
}

/// A snapped time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snapped {
    /// The time in seconds.
    pub time: f64,
    /// The kind of target.
    pub target: SnapTarget,
}

/// Snap targets in seconds; each list must ascend.
#[derive(Clone, Copy, Debug)]
pub struct SnapTargets<'a> {
    /// The lists in order of precedence: the first list with a target within reach is used.
    pub lists: &'a [(SnapTarget, &'a [f64])],
}

/// The maximum distance from which a time snaps, in points.
const SNAP_REACH_POINTS: f64 = 6.0;
const MIN_SPACING_POINTS: f64 = 2.0 * SNAP_REACH_POINTS;

/// Returns the target that `time` snaps to on `axis`, or `None` if no target is within reach.
pub fn snap(axis: &TimeAxis, time: f64, targets: SnapTargets<'_>) -> Option<Snapped> {
    let x = axis.x_at(time);
    targets.lists.iter().find_map(|&(target, times)| {
        let time = nearest(times, time)?;
        let is_in_reach = f64::from((axis.x_at(time) - x).abs()) <= SNAP_REACH_POINTS;
        is_in_reach.then_some(Snapped { time, target })
    })
}

/// Returns the nearest of `times`, which must ascend, to `time`. Returns `None` if its neighbours
/// are too close to aim at it.
pub fn nearest_isolated(axis: &TimeAxis, times: &[f64], time: f64) -> Option<f64> {
    let nearest = nearest(times, time)?;
    let first = times.partition_point(|&other| other < nearest);
    let next_after = first + times[first..].partition_point(|&other| other == nearest);
    let neighbours = [first.checked_sub(1), Some(next_after)];
    let neighbours = neighbours.into_iter().flatten().filter_map(|index| times.get(index));
    let x = axis.x_at(nearest);
    let is_far_enough =
        |&other: &f64| f64::from((axis.x_at(other) - x).abs()) >= MIN_SPACING_POINTS;
    neighbours.into_iter().all(is_far_enough).then_some(nearest)
}

/// Returns the nearest of `times`, which must ascend, to `time`.
pub(super) fn nearest(times: &[f64], time: f64) -> Option<f64> {
    let next = times.partition_point(|&other| other < time);
    let neighbours = times[next.saturating_sub(1)..(next + 1).min(times.len())].iter().copied();
    neighbours.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::TimeWindow;

    fn axis() -> TimeAxis {
        TimeAxis::new(TimeWindow { start: 0.0, end: 10.0 }, 0.0, 1000.0)
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
        let lists = [
            (SnapTarget::Event, &[2.0, 7.0][..]),
            (SnapTarget::Key, &[2.03, 5.0]),
            (SnapTarget::RulerTick, &[]),
        ];
        let at = |time| {
            let snapped = snap(&axis(), time, SnapTargets { lists: &lists });
            snapped.map(|snapped| (snapped.target, snapped.time))
        };
        assert_eq!(at(2.04), Some((SnapTarget::Event, 2.0)));
        assert_eq!(at(2.08), Some((SnapTarget::Key, 2.03)));
        assert_eq!(at(4.95), Some((SnapTarget::Key, 5.0)));
        assert_eq!(at(4.93), None);
    }

    #[test]
    fn dense_times_do_not_snap() {
        let times = [1.0, 1.05, 1.1, 3.0, 3.0, 5.0];
        let found = [1.04, 2.9, 4.99].map(|time| nearest_isolated(&axis(), &times, time));
        assert_eq!(found, [None, Some(3.0), Some(5.0)]);
        assert_eq!(nearest_isolated(&axis(), &[], 1.0), None);
    }
}
