//! Finds the dwells of a gaze on areas of interest.

use super::{Area, Ray};
use crate::clip::{Clip, NodeId, Pose};

/// A dwell of a gaze on one area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dwell {
    /// The index of the area.
    pub area: usize,
    /// The start, in seconds.
    pub start: f64,
    /// The end, in seconds: the time of the first sample off the area, or of the last sample.
    pub end: f64,
}

/// Finds the dwells of the gaze of `node`, along its −Z axis, on `areas`. The gaze is sampled at
/// `times`, which are in seconds and ascend. If it hits several areas, the nearest is used.
pub fn find_dwells(clip: &Clip, node: NodeId, areas: &[Area], times: &[f64]) -> Vec<Dwell> {
    let mut pose = Pose::default();
    dwells_from_hits(times.iter().map(|&time| {
        clip.sample_motion(time, &mut pose);
        (time, nearest_area(&pose, node, areas))
    }))
}

/// Finds the dwells in a list of hits, which must ascend in time. A hit is a time in seconds and
/// the index of the area that the gaze hits. The index is `None` if the gaze hits no area or is
/// lost.
pub fn dwells_from_hits(hits: impl IntoIterator<Item = (f64, Option<usize>)>) -> Vec<Dwell> {
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

/// Returns the index of the nearest of `areas` that the gaze of `node` hits in `pose`, or `None` if
/// it hits no area.
pub fn nearest_area(pose: &Pose, node: NodeId, areas: &[Area]) -> Option<usize> {
    let ray = Ray::from_node(pose, node)?;
    let hits = areas.iter().enumerate();
    let hits = hits.filter_map(|(index, area)| Some((index, area.hit_distance(ray, pose)?)));
    hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{
        formats::{ReadOptions, decode},
        measure::analysis::Shape,
    };

    /// A head that turns to the left by 90° in a second, and then stays. Y is up, −Z is ahead.
    const TURNING_HEAD: &str = "HIERARCHY\nROOT head\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n\
        End Site\n{\nOFFSET 0 0 -10\n}\n}\nMOTION\nFrames: 3\nFrame Time: 1\n0\n90\n90\n";

    fn sphere(name: &str, centre: [f64; 3], radius: f64) -> Area {
        let shape = Shape::Sphere { centre: DVec3::from_array(centre), radius };
        Area { name: name.to_owned(), shape, joint: None }
    }

    #[test]
    fn turning_head_dwells_on_successive_areas() {
        let clip = decode(TURNING_HEAD.as_bytes(), &ReadOptions::default()).unwrap();
        let head = NodeId::new(0);
        let times: Vec<f64> = (0..=2000).map(|index| f64::from(index) / 1000.0).collect();
        // The spheres ahead and to the left are hit within 30° of their centres. The third sphere
        // is behind the first.
        let areas = [
            sphere("ahead", [0.0, 0.0, -2.0], 1.0),
            sphere("behind the first", [0.0, 0.0, -9.0], 4.0),
            sphere("left", [-2.0, 0.0, 0.0], 1.0),
        ];
        let found = find_dwells(&clip, head, &areas, &times);
        let names: Vec<usize> = found.iter().map(|dwell| dwell.area).collect();
        assert_eq!(names, [0, 2]);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 2e-3, "{found}");
        near(found[0].start, 0.0);
        near(found[0].end, 1.0 / 3.0);
        near(found[1].start, 2.0 / 3.0);
        near(found[1].end, 2.0);
        assert_eq!(find_dwells(&clip, head, &areas, &[]), []);
        assert_eq!(find_dwells(&clip, head, &[], &times), []);
    }
}
