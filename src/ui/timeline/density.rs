//! Where keys are, for a row of the timeline: each of them, or how dense they are.

use super::axis::TimeAxis;
use crate::clip::KeyTimes;

/// How many heights a density can have.
pub(super) const LEVELS: u8 = 10;

/// How many points one key is given at least where each is shown.
const POINTS_PER_KEY: f32 = 7.0;

/// Where keys are on a [`TimeAxis`].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Density {
    /// Few: the time of each.
    Keys(Vec<f64>),
    /// Many: how dense they are, in runs of neighbouring points.
    Runs(Vec<Run>),
}

/// A stretch of the axis in which keys are equally dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    /// How many points from the left end of the axis it begins.
    pub(super) from: u32,
    /// And where it ends.
    pub(super) to: u32,
    /// How dense, within 1..=[`LEVELS`].
    pub(super) level: u8,
}

impl Density {
    /// Where the keys of some curves are. `times` are theirs, with how many curves share each.
    pub(super) fn new(times: &[(&KeyTimes, u32)], axis: &TimeAxis) -> Self {
        let limit = (axis.x.span() / POINTS_PER_KEY) as usize;
        let visible: Vec<_> =
            times.iter().map(|&(times, count)| (shown(times, axis), count)).collect();
        if visible.iter().all(|(times, _)| times.len() <= limit) {
            let mut all: Vec<f64> = visible.iter().flat_map(|(times, _)| *times).copied().collect();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup();
            if all.len() <= limit {
                return Self::Keys(all);
            }
        }
        Self::Runs(runs(&smooth(&buckets(&visible, axis))))
    }
}

/// The times that are on `axis`.
fn shown<'a>(times: &'a KeyTimes, axis: &TimeAxis) -> &'a [f64] {
    let times = times.as_slice();
    let from = times.partition_point(|&time| time < axis.start);
    let to = times.partition_point(|&time| time <= axis.end());
    &times[from..to.max(from)]
}

/// How many keys there are within each point of the axis.
fn buckets(visible: &[(&[f64], u32)], axis: &TimeAxis) -> Vec<u32> {
    let width = axis.x.span().ceil().max(1.0) as usize;
    let mut buckets = vec![0; width];
    for &(mut rest, count) in visible {
        for (index, bucket) in buckets.iter_mut().enumerate() {
            if rest.is_empty() {
                break;
            }
            let end = axis.start + (index + 1) as f64 * axis.seconds_per_point;
            let inside = count_before(rest, end);
            *bucket += inside as u32 * count;
            rest = &rest[inside..];
        }
    }
    buckets
}

/// How many of `times` lie before `end`: searched for from the front, as they mostly are few.
fn count_before(times: &[f64], end: f64) -> usize {
    let mut reach = 1;
    while reach < times.len() && times[reach - 1] < end {
        reach *= 2;
    }
    times[..reach.min(times.len())].partition_point(|&time| time < end)
}

/// The mean over five points, so that rates which do not divide the width do not flicker.
fn smooth(buckets: &[u32]) -> Vec<f32> {
    (0..buckets.len())
        .map(|index| {
            let window = &buckets[index.saturating_sub(2)..(index + 3).min(buckets.len())];
            let mean = window.iter().sum::<u32>() as f32 / window.len() as f32;
            // A lone key would be a wide flat bump: it keeps its place.
            if buckets[index] == 0 && mean < 1.0 { 0.0 } else { mean }
        })
        .collect()
}

fn runs(densities: &[f32]) -> Vec<Run> {
    let densest = densities.iter().copied().fold(0.0, f32::max);
    let mut runs: Vec<Run> = Vec::new();
    for (index, &density) in densities.iter().enumerate() {
        if density == 0.0 {
            continue;
        }
        let part = (density / densest).sqrt();
        let level = (part * f32::from(LEVELS)).round().clamp(2.0, f32::from(LEVELS)) as u8;
        let from = index as u32;
        match runs.last_mut() {
            Some(run) if run.to == from && run.level == level => run.to += 1,
            _ => runs.push(Run { from, to: from + 1, level }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::Rangef;

    use super::*;
    use crate::{clip::Span, ui::timeline::axis::Window};

    fn axis(duration: f64, width: f32) -> TimeAxis {
        let window = Window::all_of(Span { start: 0.0, duration });
        TimeAxis::new(window, Rangef::new(100.0, 100.0 + width))
    }

    #[test]
    fn few_keys_are_shown_one_by_one() {
        let times = KeyTimes::new(vec![0.0, 1.0, 1.0, 7.5]).unwrap();
        let others = KeyTimes::new(vec![1.0, 2.0]).unwrap();
        let density = Density::new(&[(&times, 7), (&others, 1)], &axis(10.0, 500.0));
        assert_eq!(density, Density::Keys(vec![0.0, 1.0, 2.0, 7.5]));
    }

    #[test]
    fn no_key_is_lost_in_the_buckets() {
        let times: Vec<f64> = (0..10_000).map(|index| f64::from(index) * 0.001).collect();
        let times = KeyTimes::new(times).unwrap();
        let axis = axis(10.0, 640.0);
        let total: u32 = buckets(&[(shown(&times, &axis), 1)], &axis).iter().sum();
        assert_eq!(total, 10_000);
    }

    #[test]
    fn an_even_rate_is_an_even_band() {
        let times: Vec<f64> = (0..7_777).map(|index| f64::from(index) / 777.7).collect();
        let times = KeyTimes::new(times).unwrap();
        let Density::Runs(runs) = Density::new(&[(&times, 7)], &axis(10.0, 640.0)) else {
            panic!("far too many keys to show each");
        };
        assert!(runs.len() < 30, "{runs:?}");
        assert!(runs.iter().any(|run| run.to - run.from > 200 && run.level >= LEVELS - 1));
    }

    #[test]
    fn an_hour_of_54_joints_is_counted_within_a_frame() {
        let times: Vec<f64> = (0..216_000).map(|index| f64::from(index) / 60.0).collect();
        let all: Vec<_> = (0..54).map(|_| KeyTimes::new(times.clone()).unwrap()).collect();
        let all: Vec<_> = all.iter().map(|times| (times, 7)).collect();
        let axis = axis(3600.0, 1700.0);
        let start = std::time::Instant::now();
        let density = Density::new(&all, &axis);
        assert!(matches!(density, Density::Runs(_)));
        // Milliseconds; the limit allows for a busy machine.
        assert!(start.elapsed().as_millis() < 250, "{:?}", start.elapsed());
    }
}
