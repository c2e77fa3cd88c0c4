//! The quality of a recording at a glance: loss, jerk, still stretches, clipped ends.

use glam::DVec3;
use mutoscope_core::clip::{Clip, NodeId};

use crate::{
    StudyOptions,
    hands::kinematics::Kinematics,
    sampling::Sampler,
    signal::{Grid, LowPass, Rate, stretch::runs},
    subjects::Subjects,
};

/// The evaluations of nodes that a recording may cost however few keys it has, and for each key.
const FREE_EVALUATIONS: usize = 1 << 20;
const EVALUATIONS_OF_A_KEY: usize = 4;

/// The samples of a recording at most: longer ones are sampled less often.
const MOST_SAMPLES: usize = 1 << 20;

/// Below this speed, in metres per second, a node is still.
const STILL: f64 = 0.01;

/// From this speed on, in metres per second, a node at an end of the recording is amid a movement.
const MOVING: f64 = 0.1;

/// The time at an end of a recording that its speed is the mean of, in seconds.
const END: f64 = 0.1;

/// The part of a recording to look at first: of its wrists, else of its head and gaze, else of its root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// The share of the recording in which a node is lost, from 0 to 1: the mean over the nodes.
    pub loss: Option<f64>,
    /// The root mean square of the jerk, in m/s³, of places filtered by a low-pass of 10 Hz.
    pub jerk: Option<f64>,
    /// The longest time in which no node moves at 0.01 m/s or faster, in seconds.
    pub still: Option<f64>,
    /// The ends that cut a movement off: a node has 0.1 m/s or more there, in the mean over 0.1 s.
    pub clipped: Option<ClippedEnds>,
}

/// The ends of a recording that cut a movement off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClippedEnds {
    /// None of them.
    None,
    /// The start.
    Start,
    /// The end.
    End,
    /// Both.
    Both,
}

impl ClippedEnds {
    /// Its word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Start => "start",
            Self::End => "end",
            Self::Both => "both",
        }
    }
}

/// The quality of a recording. What cannot be known is `None`: of a recording without keys, or of one that
/// lasts for fewer than ten samples.
pub fn quality(clip: &Clip) -> Quality {
    let nodes = nodes(&Subjects::of(clip));
    let rate = Rate::of(clip, None, nodes.iter().copied()).hz;
    let most = most_samples(clip, &nodes);
    let possible = rate.min((most as f64 - 1.0) / clip.span.duration.max(f64::MIN_POSITIVE));
    let Some(grid) = Grid::new(clip.span, possible, most).filter(|_| !nodes.is_empty()) else {
        return Quality::default();
    };
    let mut places: Vec<Vec<DVec3>> = vec![Vec::with_capacity(grid.count); nodes.len()];
    let mut sampler = Sampler::of(clip, &nodes, false);
    for index in 0..grid.count {
        for (places, stands) in places.iter_mut().zip(sampler.at(grid.time(index))) {
            places.push(stands.map_or(DVec3::NAN, |stands| stands.translation));
        }
    }
    let count = |places: &Vec<DVec3>| places.iter().filter(|place| !place.is_finite()).count();
    let lost = places.iter().map(count).sum::<usize>();
    let loss = Some(lost as f64 / (grid.count * nodes.len()) as f64);
    let filter = LowPass::new(StudyOptions::default().cutoff_hz, grid.rate);
    let moved: Vec<Kinematics> =
        places.iter().map(|places| Kinematics::of(places, filter.as_ref(), grid.rate)).collect();
    if moved.iter().all(|moved| moved.stretches.is_empty()) {
        return Quality { loss, ..Quality::default() };
    }
    Quality {
        loss,
        // At a lower rate it is another number.
        jerk: jerk(&moved).filter(|_| possible == rate),
        still: Some(still(&moved, &grid)),
        clipped: Some(clipped(&moved, &grid)),
    }
}

/// The samples that are taken of a recording at most: work follows its keys.
fn most_samples(clip: &Clip, nodes: &[NodeId]) -> usize {
    let are_roots = nodes.iter().all(|id| clip.nodes[*id].parent.is_none());
    let cost = match clip.procedural.is_none() && are_roots {
        true => nodes.len(),
        false => clip.nodes.len(),
    };
    let evaluations = clip.key_count().saturating_mul(EVALUATIONS_OF_A_KEY).max(FREE_EVALUATIONS);
    (evaluations / cost.max(1)).clamp(16, MOST_SAMPLES)
}

/// The nodes that tell the quality.
fn nodes(subjects: &Subjects) -> Vec<NodeId> {
    let wrists: Vec<NodeId> = subjects.hands.iter().flatten().map(|hand| hand.wrist).collect();
    if !wrists.is_empty() {
        return wrists;
    }
    let rays: Vec<NodeId> = subjects.head.into_iter().chain(subjects.gaze).collect();
    if rays.is_empty() { subjects.root.into_iter().collect() } else { rays }
}

fn jerk(moved: &[Kinematics]) -> Option<f64> {
    let squares = moved.iter().flat_map(|moved| &moved.jerk_squared);
    let squares = squares.copied().filter(|square| square.is_finite());
    let (sum, count) = squares.fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
    (count > 0).then(|| (sum / f64::from(count)).sqrt())
}

fn still(moved: &[Kinematics], grid: &Grid) -> f64 {
    // What is lost is not known to be still.
    let is_still = |index: usize| moved.iter().all(|moved| moved.speed[index] < STILL);
    let longest = runs(grid.count, is_still).into_iter().map(|run| run.len() - 1).max();
    longest.unwrap_or(0) as f64 / grid.rate
}

fn clipped(moved: &[Kinematics], grid: &Grid) -> ClippedEnds {
    let few = ((END * grid.rate).round() as usize).clamp(1, grid.count);
    let is_moving = |range: std::ops::Range<usize>| {
        moved.iter().any(|moved| {
            let speeds = moved.speed[range.clone()].iter().filter(|speed| speed.is_finite());
            let (sum, count) =
                speeds.fold((0.0, 0), |(sum, count), speed| (sum + speed, count + 1));
            count > 0 && sum / f64::from(count) >= MOVING
        })
    };
    match (is_moving(0..few), is_moving(grid.count - few..grid.count)) {
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

    /// One coordinate over time, sampled 100 times a second for four seconds.
    fn moved(place: impl Fn(f64) -> f64) -> (Vec<Kinematics>, Grid) {
        let grid = Grid { start: 0.0, rate: 100.0, count: 401 };
        let places: Vec<DVec3> =
            (0..grid.count).map(|index| DVec3::X * place(grid.time(index))).collect();
        (vec![Kinematics::of(&places, None, grid.rate)], grid)
    }

    #[test]
    fn still_stretches_and_clipped_ends_are_found() {
        // Still from 1 s to 3 s, then off at 0.5 m/s.
        let (still_then_off, grid) = moved(|time| match time {
            time if time < 1.0 => 0.02 * (1.0 - time),
            time if time < 3.0 => 0.0,
            time => 0.5 * (time - 3.0),
        });
        assert!((still(&still_then_off, &grid) - 1.98).abs() < 0.03);
        assert_eq!(clipped(&still_then_off, &grid), ClippedEnds::End);
        let (swings, grid) = moved(|time| 0.1 * (6.0 * time).sin());
        assert_eq!(still(&swings, &grid), 0.0);
        assert_eq!(clipped(&swings, &grid), ClippedEnds::Both);
        let (lost, grid) = moved(|time| if time < 2.0 { 0.0 } else { f64::NAN });
        assert!((still(&lost, &grid) - 1.99).abs() < 1e-9, "what is lost is not still");
        assert_eq!(clipped(&lost, &grid), ClippedEnds::None);
    }

    #[test]
    fn jerk_is_that_of_the_motion() {
        // Of a sin(ωt) the third derivative is −aω³ cos(ωt), whose root mean square is aω³/√2.
        let (swings, _) = moved(|time| 0.1 * (std::f64::consts::TAU * time).sin());
        let expected = 0.1 * std::f64::consts::TAU.powi(3) / 2_f64.sqrt();
        let found = jerk(&swings).expect("it moves");
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
        assert!(gradient(&[0.0], 1.0)[0].is_nan() && jerk(&[]).is_none());
    }
}
