//! Two recordings compared for as long as both play.

use glam::DVec3;

use super::{Deviation, JointPair, Timing, deviations};
use crate::clip::Clip;

/// How many times are looked at, at most.
const MOST: usize = 20_000;

/// How many nodes are evaluated for that, at most; where there are more nodes, fewer times are looked at.
const EVALUATIONS: usize = 1 << 27;

/// How many times are looked at all the same.
const LEAST: usize = 256;

/// How far the joints of a second recording are from those of a first, for as long as both play.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The timing of the second on the clock of the first.
    pub timing: Timing,
    /// From when to when both play, in seconds of the first.
    pub range: (f64, f64),
    /// The sample times, in seconds of the first, ascending.
    pub times: Vec<f64>,
    /// The result for each pair of joints.
    pub deviations: Vec<Deviation>,
}

/// Why there is nothing to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the two never play at the same time with this offset")]
pub struct NeverTogether;

impl Comparison {
    /// Compares `pairs` of joints at all times at which either recording has keys; at 20 000 evenly
    /// spread times if there are more; at fewer if there are thousands of joints.
    ///
    /// # Errors
    /// If the two never play at the same time.
    pub fn new(
        clips: [&Clip; 2],
        pairs: &[JointPair],
        timing: Timing,
    ) -> Result<Self, NeverTogether> {
        let range = timing.common(clips[0].span, clips[1].span).ok_or(NeverTogether)?.into_inner();
        let nodes = clips.iter().map(|clip| clip.nodes.len()).sum::<usize>() + pairs.len();
        let most = (EVALUATIONS / nodes.max(1)).clamp(LEAST, MOST);
        let times = times(clips, timing, range, most);
        let deviations = deviations(clips, pairs, timing, &times);
        Ok(Self { timing, range, times, deviations })
    }

    /// How far the joints are apart at each time, in metres: the root of the mean square over those
    /// of which both are visible; nothing where that is none.
    pub fn distances(&self) -> Vec<Option<f64>> {
        let apart = |index: usize| {
            let seen = self.deviations.iter().filter_map(|one| one.distances[index]);
            root_mean_square(seen.map(|distance| (1, distance)))
        };
        (0..self.times.len()).map(apart).collect()
    }

    /// How far all joints are apart over all times, in metres: the root of the mean square; nothing
    /// if none is ever visible in both.
    pub fn rms(&self) -> Option<f64> {
        root_mean_square(self.deviations.iter().map(|one| (one.seen, one.rms)))
    }

    /// The joint with the largest distance from its match.
    pub fn farthest(&self) -> Option<&Deviation> {
        let seen = self.deviations.iter().filter(|one| one.seen > 0);
        seen.max_by(|one, other| one.max.total_cmp(&other.max))
    }

    /// From where the first is on average to where the second is, in metres.
    pub fn mean(&self) -> DVec3 {
        let seen: usize = self.deviations.iter().map(|one| one.seen).sum();
        let sum: DVec3 = self.deviations.iter().map(|one| one.mean * one.seen as f64).sum();
        if seen == 0 { DVec3::ZERO } else { sum / seen as f64 }
    }
}

/// The weighted root mean square of numbers.
fn root_mean_square(numbers: impl Iterator<Item = (usize, f64)>) -> Option<f64> {
    let (count, squares) = numbers.fold((0, 0.0), |(count, squares), (many, number)| {
        (count + many, squares + many as f64 * number * number)
    });
    (count > 0).then(|| (squares / count as f64).sqrt())
}

/// The times at which either has keys, in seconds of the first; evenly spread times if there are
/// more than `most`.
fn times(
    [first, second]: [&Clip; 2],
    timing: Timing,
    (from, to): (f64, f64),
    most: usize,
) -> Vec<f64> {
    let mut times = first.sample_times();
    times.extend(second.sample_times().into_iter().map(|time| timing.first(time)));
    times.retain(|time| from < *time && *time < to);
    times.extend([from, to]);
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    if times.len() > most {
        let step = (to - from) / (most - 1) as f64;
        times = (0..most).map(|index| from + index as f64 * step).collect();
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::Pose,
        formats::{self, DecodeRequest},
        measure::compare::pair_joints,
    };

    fn take() -> Clip {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        formats::decode(bytes, &DecodeRequest::default()).unwrap()
    }

    #[test]
    fn scaling_by_two_gives_distances_from_the_origin() {
        let clip = take();
        let mut large = clip.clone();
        large.convention.metres_per_unit.value *= 2.0;
        let wrist = |pair: &JointPair| clip.nodes[pair.first].name.ends_with("Wrist");
        let pairs = pair_joints(&clip, &clip);
        let wrists: Vec<_> = pairs.iter().copied().filter(wrist).collect();
        assert_eq!(wrists.len(), 2);
        let timing = Timing::default();
        let same = Comparison::new([&clip, &clip], &wrists, timing).unwrap();
        assert_eq!((same.rms(), same.mean()), (Some(0.0), DVec3::ZERO));
        assert_eq!(same.range, (clip.span.start, clip.span.end()));

        let apart = Comparison::new([&clip, &large], &wrists, timing).unwrap();
        let mut pose = Pose::default();
        let (mut sum, mut squares, mut count) = (DVec3::ZERO, 0.0, 0);
        for (&time, distance) in apart.times.iter().zip(apart.distances()) {
            clip.sample(time, &mut pose);
            let nodes = wrists.iter().map(|pair| &pose.nodes[pair.first.index()]);
            let places = nodes.filter(|node| node.shown).map(|node| node.world.translation);
            let places: Vec<DVec3> = places.collect();
            let here: f64 = places.iter().map(|place| place.length_squared()).sum();
            let expected = (!places.is_empty()).then(|| (here / places.len() as f64).sqrt());
            assert!((distance.unwrap_or(-1.0) - expected.unwrap_or(-1.0)).abs() < 1e-9, "{time}");
            (sum, squares, count) =
                (sum + places.iter().sum::<DVec3>(), squares + here, count + places.len());
        }
        assert!((apart.rms().unwrap() - (squares / count as f64).sqrt()).abs() < 1e-9);
        assert!(apart.mean().abs_diff_eq(sum / count as f64, 1e-9));
        let most = apart.farthest().unwrap();
        assert!(apart.deviations.iter().all(|one| one.max <= most.max) && most.max > 0.3);
    }

    #[test]
    fn recordings_without_common_time_are_not_compared() {
        let clip = take();
        let pairs = pair_joints(&clip, &clip);
        let late = Timing { offset: 1e4, rate: 1.0 };
        assert_eq!(Comparison::new([&clip, &clip], &pairs, late), Err(NeverTogether));
    }
}
