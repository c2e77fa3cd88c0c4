//! Dwells of a gaze on areas of interest.

use super::{Area, Ray};
use crate::clip::{Clip, NodeId, Pose};

/// A dwell of a gaze on one area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dwell {
    /// The index of the area.
    pub area: usize,
    /// Its start, in seconds.
    pub start: f64,
    /// Its end, in seconds: the time of the first sample that is elsewhere, or of the last sample.
    pub end: f64,
}

/// The dwells of the gaze of `node`, along its −Z, on `areas`, sampled at each of `times` (seconds,
/// ascending). Where areas are behind each other, the nearest is used.
pub fn dwells(clip: &Clip, node: NodeId, areas: &[Area], times: &[f64]) -> Vec<Dwell> {
    let mut pose = Pose::default();
    dwells_of_hits(times.iter().map(|&time| {
        clip.sample_motion(time, &mut pose);
        (time, nearest_area(&pose, node, areas))
    }))
}

/// The dwells of a gaze of which the area that it hits is known at some times (seconds, ascending): the
/// index of the area, or `None` where it hits none or is lost.
pub fn dwells_of_hits(hits: impl IntoIterator<Item = (f64, Option<usize>)>) -> Vec<Dwell> {
    let mut dwells: Vec<Dwell> = Vec::new();
    let mut current: Option<usize> = None;
    for (time, area) in hits {
        if let (Some(_), Some(last)) = (current, dwells.last_mut()) {
            last.end = time;
        }
        if area != current {
            dwells.extend(area.map(|area| Dwell { area, start: time, end: time }));
        }
        current = area;
    }
    dwells
}

/// The index of the one of `areas` that the gaze of `node` hits first at `pose`, if any.
pub fn nearest_area(pose: &Pose, node: NodeId, areas: &[Area]) -> Option<usize> {
    let ray = Ray::of(pose, node)?;
    let met = areas.iter().enumerate();
    let met = met.filter_map(|(index, area)| Some((index, area.distance(ray, pose)?)));
    met.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{
        formats::{self, DecodeRequest},
        measure::analysis::Shape,
    };

    /// A head that turns by 90° to the left in a second, then stays: Y is up, −Z is ahead.
    const TURNING: &str = "HIERARCHY\nROOT head\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n\
        End Site\n{\nOFFSET 0 0 -10\n}\n}\nMOTION\nFrames: 3\nFrame Time: 1\n0\n90\n90\n";

    fn sphere(name: &str, centre: [f64; 3], radius: f64) -> Area {
        let shape = Shape::Sphere { centre: DVec3::from_array(centre), radius };
        Area { name: name.to_owned(), shape, joint: None }
    }

    #[test]
    fn turning_head_dwells_on_successive_areas() {
        let clip = formats::decode(TURNING.as_bytes(), &DecodeRequest::default()).unwrap();
        let head = NodeId::new(0);
        let times: Vec<f64> = (0..=2000).map(|index| f64::from(index) / 1000.0).collect();
        // Seen within 30° of straight ahead, and of the left: half of them are behind the start.
        let areas = [
            sphere("ahead", [0.0, 0.0, -2.0], 1.0),
            sphere("behind the first", [0.0, 0.0, -9.0], 4.0),
            sphere("left", [-2.0, 0.0, 0.0], 1.0),
        ];
        let found = dwells(&clip, head, &areas, &times);
        let names: Vec<usize> = found.iter().map(|dwell| dwell.area).collect();
        assert_eq!(names, [0, 2]);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 2e-3, "{found}");
        near(found[0].start, 0.0);
        near(found[0].end, 1.0 / 3.0);
        near(found[1].start, 2.0 / 3.0);
        near(found[1].end, 2.0);
        assert_eq!(dwells(&clip, head, &areas, &[]), []);
        assert_eq!(dwells(&clip, head, &[], &times), []);
    }
}
