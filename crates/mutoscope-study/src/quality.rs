//! Rates the quality of a recording at a glance: loss, jerk, still stretches, clipped ends.

use glam::DVec3;
use mutoscope_core::clip::{Clip, NodeId};

use crate::{
    StudyOptions,
    hands::kinematics::Kinematics,
    sampling::Sampler,
    signal::{Grid, LowPass, Rate, stretch::find_runs},
    subjects::Subjects,
};

/// The limits for the number of node evaluations of a recording: a fixed number, and a number per
/// key. The larger limit applies.
const MIN_EVALUATION_BUDGET: usize = 1 << 20;
const EVALUATIONS_PER_KEY: usize = 4;

/// The largest number of samples. A longer recording is sampled at a lower rate.
const MAX_SAMPLES: usize = 1 << 20;

const STILL_SPEED_MPS: f64 = 0.01;

const MOVING_SPEED_MPS: f64 = 0.1;

const END_WINDOW_S: f64 = 0.1;

/// The quality of a recording at a glance.
///
/// The measured nodes are the wrists; without wrists the head and the gaze; without those the root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// The share of the samples in which a node is lost, from 0 to 1, averaged over the nodes.
    pub loss: Option<f64>,
    /// The root mean square of the jerk, in m/s³. The positions are filtered by a 10 Hz low-pass
    /// first. `None` also for a recording that is so long that it is sampled below its own rate,
    /// because jerk depends on the sampling rate.
    pub jerk: Option<f64>,
    /// The duration of the longest period in which every node is slower than 0.01 m/s, in seconds.
    pub still: Option<f64>,
    /// The ends of the recording that cut off a movement. An end cuts off a movement if the mean
    /// speed of a node in the 0.1 s next to this end is at least 0.1 m/s.
    pub clipped: Option<ClippedEnds>,
}

/// The ends of a recording that cut a movement off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ClippedEnds {
    /// Neither end.
    None,
    /// The start.
    Start,
    /// The end.
    End,
    /// Both ends.
    Both,
}

impl ClippedEnds {
    /// Returns the name that tables use for the value.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Returns the quality of a recording.
///
/// All fields are `None` if the recording has no node to measure. If every tracked stretch is
/// shorter than ten samples, only [`Quality::loss`] is known.
pub fn quality(clip: &Clip) -> Quality {
    let nodes = choose_nodes(&Subjects::from_clip(clip));
    let own_rate = Rate::for_clip(clip, None, nodes.iter().copied()).hz;
    let max_samples = limit_samples(clip, &nodes);
    let rate = own_rate.min((max_samples as f64 - 1.0) / clip.span.duration.max(f64::MIN_POSITIVE));
    let Some(grid) = Grid::new(clip.span, rate, max_samples).filter(|_| !nodes.is_empty()) else {
        return Quality::default();
    };
    let mut positions: Vec<Vec<DVec3>> = vec![Vec::with_capacity(grid.count); nodes.len()];
    let mut sampler = Sampler::new(clip, &nodes, false);
    for index in 0..grid.count {
        for (positions, transform) in positions.iter_mut().zip(sampler.sample(grid.time(index))) {
            positions.push(transform.map_or(DVec3::NAN, |transform| transform.translation));
        }
    }
    let count =
        |positions: &Vec<DVec3>| positions.iter().filter(|position| !position.is_finite()).count();
    let lost = positions.iter().map(count).sum::<usize>();
    let loss = Some(lost as f64 / (grid.count * nodes.len()) as f64);
    let filter = LowPass::new(StudyOptions::default().cutoff_hz, grid.rate);
    let motions: Vec<Kinematics> = positions
        .iter()
        .map(|positions| Kinematics::from_positions(positions, filter.as_ref(), grid.rate))
        .collect();
    if motions.iter().all(|motion| motion.stretches.is_empty()) {
        return Quality { loss, ..Quality::default() };
    }
    Quality {
        loss,
        // Jerk at a lower rate cannot be compared with jerk at the recording's rate, so do not
        // report it.
        jerk: rms_jerk(&motions).filter(|_| rate == own_rate),
        still: Some(longest_still_time(&motions, &grid)),
        clipped: Some(find_clipped_ends(&motions, &grid)),
    }
}

/// Returns the largest number of samples of `nodes`, so that sampling takes a time in proportion to
/// the number of keys.
pub(crate) fn limit_samples(clip: &Clip, nodes: &[NodeId]) -> usize {
    let are_roots = nodes.iter().all(|id| clip.nodes[*id].parent.is_none());
    let cost = match clip.procedural.is_none() && are_roots {
        true => nodes.len(),
        false => clip.nodes.len(),
    };
    let evaluations =
        clip.key_count().saturating_mul(EVALUATIONS_PER_KEY).max(MIN_EVALUATION_BUDGET);
    (evaluations / cost.max(1)).clamp(16, MAX_SAMPLES)
}

fn choose_nodes(subjects: &Subjects) -> Vec<NodeId> {
    let wrists: Vec<NodeId> = subjects.hands.iter().flatten().map(|hand| hand.wrist).collect();
    if !wrists.is_empty() {
        return wrists;
    }
    let rays: Vec<NodeId> = subjects.head.into_iter().chain(subjects.gaze).collect();
    if rays.is_empty() { subjects.root.into_iter().collect() } else { rays }
}

fn rms_jerk(motions: &[Kinematics]) -> Option<f64> {
    let squares = motions.iter().flat_map(|motion| &motion.jerk_squared);
    let squares = squares.copied().filter(|square| square.is_finite());
    let (sum, count) = squares.fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
    (count > 0).then(|| (sum / f64::from(count)).sqrt())
}

fn longest_still_time(motions: &[Kinematics], grid: &Grid) -> f64 {
    // The speed of a lost node is NaN, so `<` returns `false` and the node is not still.
    let is_still =
        |index: usize| motions.iter().all(|motion| motion.speed[index] < STILL_SPEED_MPS);
    let longest = find_runs(grid.count, is_still).into_iter().map(|run| run.len() - 1).max();
    longest.unwrap_or(0) as f64 / grid.rate
}

fn find_clipped_ends(motions: &[Kinematics], grid: &Grid) -> ClippedEnds {
    let window = ((END_WINDOW_S * grid.rate).round() as usize).clamp(1, grid.count);
    let is_moving = |range: std::ops::Range<usize>| {
        motions.iter().any(|motion| {
            let speeds = motion.speed[range.clone()].iter().filter(|speed| speed.is_finite());
            let (sum, count) =
                speeds.fold((0.0, 0), |(sum, count), speed| (sum + speed, count + 1));
            count > 0 && sum / f64::from(count) >= MOVING_SPEED_MPS
        })
    };
    match (is_moving(0..window), is_moving(grid.count - window..grid.count)) {
        (false, false) => ClippedEnds::None,
        (true, false) => ClippedEnds::Start,
        (false, true) => ClippedEnds::End,
        (true, true) => ClippedEnds::Both,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::gradient;

    fn kinematics_of_axis(position: impl Fn(f64) -> f64) -> (Vec<Kinematics>, Grid) {
        let grid = Grid::with_count(100.0, 401);
        let positions: Vec<DVec3> =
            (0..grid.count).map(|index| DVec3::X * position(grid.time(index))).collect();
        (vec![Kinematics::from_positions(&positions, None, grid.rate)], grid)
    }

    #[test]
    fn still_stretches_and_clipped_ends_are_found() {
        // Still from 1 s to 3 s, then moving at 0.5 m/s.
        let (still_then_off, grid) = kinematics_of_axis(|time| match time {
            time if time < 1.0 => 0.02 * (1.0 - time),
            time if time < 3.0 => 0.0,
            time => 0.5 * (time - 3.0),
        });
        assert!((longest_still_time(&still_then_off, &grid) - 1.98).abs() < 0.03);
        assert_eq!(find_clipped_ends(&still_then_off, &grid), ClippedEnds::End);
        let (swings, grid) = kinematics_of_axis(|time| 0.1 * (6.0 * time).sin());
        assert_eq!(longest_still_time(&swings, &grid), 0.0);
        assert_eq!(find_clipped_ends(&swings, &grid), ClippedEnds::Both);
        let (lost, grid) = kinematics_of_axis(|time| if time < 2.0 { 0.0 } else { f64::NAN });
        assert!(
            (longest_still_time(&lost, &grid) - 1.99).abs() < 1e-9,
            "lost samples are not still"
        );
        assert_eq!(find_clipped_ends(&lost, &grid), ClippedEnds::None);
    }

    #[test]
    fn jerk_matches_the_analytic_value() {
        // The third derivative of a sin(ωt) is −aω³ cos(ωt). Its root mean square is aω³/√2.
        let (swings, _) = kinematics_of_axis(|time| 0.1 * (std::f64::consts::TAU * time).sin());
        let expected = 0.1 * std::f64::consts::TAU.powi(3) / 2_f64.sqrt();
        let found = rms_jerk(&swings).expect("the point moves");
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
        assert!(gradient(&[0.0], 1.0)[0].is_nan() && rms_jerk(&[]).is_none());
    }
}
