//! Compares two recordings over the time in which both play.

use glam::DVec3;

use super::{Deviation, JointPair, Timing, deviations};
use crate::clip::Clip;

const MAX_SAMPLE_TIMES: usize = 20_000;

const MAX_NODE_EVALUATIONS: usize = 1 << 27;

const MIN_SAMPLE_TIMES: usize = 256;

/// The distances between the joints of two recordings over the time in which both play.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The timing of the second recording on the clock of the first.
    pub timing: Timing,
    /// The time range in which both play, in seconds of the first recording.
    pub range: (f64, f64),
    /// The sample times in seconds of the first recording, ascending.
    pub times: Vec<f64>,
    /// The result for each pair of joints.
    pub deviations: Vec<Deviation>,
}

/// The error for recordings that never play at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the two never play at the same time with this offset")]
pub struct NoCommonTime;

impl Comparison {
    /// Compares `pairs` of joints at all key times of both recordings. If there are more than 20
    /// 000 key times, 20 000 evenly spaced times are used. Recordings with thousands of nodes use
    /// fewer times.
    ///
    /// # Errors
    /// Fails if the recordings never play at the same time.
    pub fn new(
        clips: [&Clip; 2],
        pairs: &[JointPair],
        timing: Timing,
    ) -> Result<Self, NoCommonTime> {
        let range =
            timing.common_range(clips[0].span, clips[1].span).ok_or(NoCommonTime)?.into_inner();
        let nodes = clips.iter().map(|clip| clip.nodes.len()).sum::<usize>() + pairs.len();
        let max_count =
            (MAX_NODE_EVALUATIONS / nodes.max(1)).clamp(MIN_SAMPLE_TIMES, MAX_SAMPLE_TIMES);
        let times = sample_times(clips, timing, range, max_count);
        let deviations = deviations(clips, pairs, timing, &times);
        Ok(Self { timing, range, times, deviations })
    }

    /// Returns the root mean square distance of the joints at each time, in metres. Joints that are
    /// hidden in a recording are skipped; a time without visible joints gives `None`.
    pub fn rms_distances(&self) -> Vec<Option<f64>> {
        let rms_at = |index: usize| {
            let distances =
                self.deviations.iter().filter_map(|deviation| deviation.distances[index]);
            root_mean_square(distances.map(|distance| (1, distance)))
        };
        (0..self.times.len()).map(rms_at).collect()
    }

    /// Returns the root mean square distance of all joints over all times, in metres, or `None` if
    /// no joint is ever visible in both recordings.
    pub fn rms(&self) -> Option<f64> {
        root_mean_square(
            self.deviations.iter().map(|deviation| (deviation.visible_count, deviation.rms)),
        )
    }

    /// Returns the joint with the largest distance from its match, or `None` if no joint is ever
    /// visible in both recordings.
    pub fn farthest_joint(&self) -> Option<&Deviation> {
        let visible = self.deviations.iter().filter(|deviation| deviation.visible_count > 0);
        visible.max_by(|a, b| a.max.total_cmp(&b.max))
    }

    /// Returns the mean offset from the joints of the first recording to their matches, in metres.
    /// Returns zero if no joint is ever visible in both recordings.
    pub fn mean_offset(&self) -> DVec3 {
        let count: usize = self.deviations.iter().map(|deviation| deviation.visible_count).sum();
        let sum: DVec3 = self
            .deviations
            .iter()
            .map(|deviation| deviation.mean_offset * deviation.visible_count as f64)
            .sum();
        if count == 0 { DVec3::ZERO } else { sum / count as f64 }
    }
}

fn root_mean_square(values: impl Iterator<Item = (usize, f64)>) -> Option<f64> {
    let (count, squares) = values.fold((0, 0.0), |(count, squares), (weight, value)| {
        (count + weight, squares + weight as f64 * value * value)
    });
    (count > 0).then(|| (squares / count as f64).sqrt())
}

fn sample_times(
    [first, second]: [&Clip; 2],
    timing: Timing,
    (from, to): (f64, f64),
    max_count: usize,
) -> Vec<f64> {
    let mut times = first.sample_times();
    times.extend(second.sample_times().into_iter().map(|time| timing.to_clock_time(time)));
    times.retain(|time| from < *time && *time < to);
    times.extend([from, to]);
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    if times.len() > max_count {
        let step = (to - from) / (max_count - 1) as f64;
        times = (0..max_count).map(|index| from + index as f64 * step).collect();
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::Pose,
        formats::{ReadOptions, decode},
        measure::compare::pair_joints,
    };

    fn two_hands() -> Clip {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        decode(bytes, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn scaling_by_two_gives_distances_from_the_origin() {
        let clip = two_hands();
        let mut large = clip.clone();
        large.convention.metres_per_unit.value *= 2.0;
        let wrist = |pair: &JointPair| clip.nodes[pair.first].name.ends_with("Wrist");
        let pairs = pair_joints(&clip, &clip);
        let wrists: Vec<_> = pairs.iter().copied().filter(wrist).collect();
        assert_eq!(wrists.len(), 2);
        let timing = Timing::default();
        let same = Comparison::new([&clip, &clip], &wrists, timing).unwrap();
        assert_eq!((same.rms(), same.mean_offset()), (Some(0.0), DVec3::ZERO));
        assert_eq!(same.range, (clip.span.start, clip.span.end()));

        let apart = Comparison::new([&clip, &large], &wrists, timing).unwrap();
        let mut pose = Pose::default();
        let (mut sum, mut squares, mut count) = (DVec3::ZERO, 0.0, 0);
        for (&time, distance) in apart.times.iter().zip(apart.rms_distances()) {
            clip.sample(time, &mut pose);
            let nodes = wrists.iter().map(|pair| &pose[pair.first]);
            let positions = nodes.filter(|node| node.is_visible).map(|node| node.world.translation);
            let positions: Vec<DVec3> = positions.collect();
            let here: f64 = positions.iter().map(|position| position.length_squared()).sum();
            let expected = (!positions.is_empty()).then(|| (here / positions.len() as f64).sqrt());
            assert!((distance.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-9, "{time}");
            (sum, squares, count) =
                (sum + positions.iter().sum::<DVec3>(), squares + here, count + positions.len());
        }
        assert!((apart.rms().unwrap() - (squares / count as f64).sqrt()).abs() < 1e-9);
        assert!(apart.mean_offset().abs_diff_eq(sum / count as f64, 1e-9));
        let farthest = apart.farthest_joint().unwrap();
        assert!(
            apart.deviations.iter().all(|deviation| deviation.max <= farthest.max)
                && farthest.max > 0.3
        );
    }

    #[test]
    fn recordings_without_common_time_are_not_compared() {
        let clip = two_hands();
        let pairs = pair_joints(&clip, &clip);
        let late = Timing { offset: 1e4, rate: 1.0 };
        assert_eq!(Comparison::new([&clip, &clip], &pairs, late), Err(NoCommonTime));
    }
}
