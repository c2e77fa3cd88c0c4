//! Finds the head and the feet of a BVH skeleton by the names of its joints. The assumptions about
//! unit and up axis are based on them.

use glam::DVec3;

use super::Joint;
use crate::clip::{Clip, Pose, split_node_name};

const POSE_SAMPLES: u32 = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    head: usize,
    feet: Vec<usize>,
    /// `true` unless the skeleton has a part that people do not have, such as a tail.
    pub(super) is_person: bool,
}

impl Body {
    pub(super) fn find(joints: &[Joint]) -> Option<Self> {
        let is_called = |index: usize, names: &[&str]| {
            let joint = &joints[index];
            !joint.is_end
                && split_node_name(&joint.name).iter().any(|word| names.contains(&word.as_str()))
        };
        let is_end = |index| is_called(index, &["end", "top", "nub", "tip", "site"]);
        let head =
            (0..joints.len()).find(|&index| is_called(index, &["head"]) && !is_end(index))?;
        let root = root_of(joints, head);
        let is_foot = |&index: &usize| {
            is_called(index, &["foot", "lfoot", "rfoot", "ankle", "lankle", "rankle"])
                && !is_end(index)
                && root_of(joints, index) == root
        };
        let feet: Vec<usize> = (0..joints.len()).filter(is_foot).collect();
        let is_animal =
            |index| is_called(index, &["tail", "wing", "paw", "hoof", "fin", "claw", "beak"]);
        let is_person = !(0..joints.len()).any(is_animal);
        (!feet.is_empty()).then_some(Self { head, feet, is_person })
    }

    /// Returns the standing height in the file's unit, which is the sum of bone lengths from the
    /// feet to the top of the head. If the body has several legs, their lengths are averaged.
    pub(super) fn height(&self, joints: &[Joint]) -> f64 {
        let top = joints.iter().filter(|joint| joint.parent == Some(self.head));
        let top = top.map(|joint| joint.offset.length()).fold(0.0, f64::max);
        let path: Vec<usize> = ancestors(joints, self.head).collect();
        let legs = self.feet.iter().map(|&foot| {
            let leg: Vec<usize> =
                ancestors(joints, foot).take_while(|joint| !path.contains(joint)).collect();
            let junction = leg.last().and_then(|&last| joints[last].parent).unwrap_or(foot);
            let trunk = path.iter().take_while(|&&joint| joint != junction);
            leg.iter().chain(trunk).map(|&joint| joints[joint].offset.length()).sum::<f64>()
        });
        top + legs.sum::<f64>() / self.feet.len() as f64
    }

    /// Returns the direction from the feet to the head at rest, in the axes of the file. The result
    /// is zero if the feet are at the position of the head.
    pub(super) fn rest_direction(&self, joints: &[Joint]) -> DVec3 {
        let position = |joint: usize| -> DVec3 {
            ancestors(joints, joint).map(|joint| joints[joint].offset).sum()
        };
        let feet = self.feet.iter().map(|&foot| position(foot)).sum::<DVec3>();
        (position(self.head) - feet / self.feet.len() as f64).normalize_or_zero()
    }

    /// Returns the positions of the root at evenly spaced times, in the viewer's space.
    pub(super) fn sample_root(&self, joints: &[Joint], clip: &Clip) -> Vec<DVec3> {
        let root = root_of(joints, self.head);
        sample_clip(clip, |pose| pose.nodes[root].world.translation)
    }

    /// Returns the mean of the unit vectors from the feet to the head over the whole clip, in the
    /// viewer's space. The mean has length 1 if the direction never changes. The more the direction
    /// varies, the shorter the mean is.
    pub(super) fn mean_direction(&self, clip: &Clip) -> DVec3 {
        let directions = sample_clip(clip, |pose| {
            let position = |joint: usize| pose.nodes[joint].world.translation;
            let feet = self.feet.iter().map(|&foot| position(foot)).sum::<DVec3>();
            let direction = position(self.head) - feet / self.feet.len() as f64;
            direction.normalize_or_zero()
        });
        directions.iter().sum::<DVec3>() / directions.len() as f64
    }
}

fn sample_clip(clip: &Clip, value: impl Fn(&Pose) -> DVec3) -> Vec<DVec3> {
    let mut pose = Pose::default();
    let sample = |sample: u32| {
        let fraction = f64::from(sample) / f64::from(POSE_SAMPLES);
        clip.sample(clip.span.start + clip.span.duration * fraction, &mut pose);
        value(&pose)
    };
    (0..=POSE_SAMPLES).map(sample).collect()
}

fn ancestors(joints: &[Joint], joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(joint), |&joint| joints[joint].parent)
}

fn root_of(joints: &[Joint], joint: usize) -> usize {
    ancestors(joints, joint).last().unwrap_or(joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joints(rows: &[(&str, Option<usize>, [f64; 3])]) -> Vec<Joint> {
        let joint = |&(name, parent, offset): &(&str, Option<usize>, [f64; 3])| Joint {
            name: name.to_owned(),
            parent,
            is_end: name.is_empty(),
            offset: offset.into(),
            line: 1,
        };
        rows.iter().map(joint).collect()
    }

    #[test]
    fn height_adds_up_legs_trunk_and_head() {
        let body = joints(&[
            ("Hips", None, [3.0, 90.0, 0.0]),
            ("LeftUpLeg", Some(0), [10.0, 0.0, 0.0]),
            ("LeftLeg", Some(1), [0.0, -40.0, 0.0]),
            ("LeftFoot", Some(2), [0.0, -41.0, 0.0]),
            ("Spine", Some(0), [0.0, 50.0, 0.0]),
            ("Head", Some(4), [0.0, 20.0, 0.0]),
            ("", Some(5), [0.0, 15.0, 0.0]),
            ("HeadTop_End", Some(5), [0.0, 16.0, 0.0]),
        ]);
        let found = Body::find(&body).unwrap();
        assert_eq!(found, Body { head: 5, feet: vec![3], is_person: true });
        assert!(found.rest_direction(&body).distance(DVec3::Y) < 0.1);
        assert_eq!(found.height(&body), 10.0 + 40.0 + 41.0 + 50.0 + 20.0 + 16.0);
    }

    #[test]
    fn samples_are_evenly_spaced() {
        let frames: String = (0..=POSE_SAMPLES).map(|frame| format!("{frame} 0 0\n")).collect();
        let text = format!(
            "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
             End Site\n{{\nOFFSET 0 1 0\n}}\n}}\nMOTION\nFrames: {}\nFrame Time: 0.5\n{frames}",
            POSE_SAMPLES + 1
        );
        let clip = crate::formats::decode(text.as_bytes(), &Default::default()).unwrap();
        let x = sample_clip(&clip, |pose| pose.nodes[0].world.translation);
        let scale = x[POSE_SAMPLES as usize].x / f64::from(POSE_SAMPLES);
        assert!(scale > 0.0 && x.len() == POSE_SAMPLES as usize + 1);
        for (frame, x) in x.iter().enumerate() {
            assert!((x.x - frame as f64 * scale).abs() < 1e-9, "{frame}: {x}");
        }
    }

    #[test]
    fn feet_of_another_body_are_ignored() {
        let two_bodies = joints(&[
            ("a", None, [0.0; 3]),
            ("Head", Some(0), [0.0, 1.0, 0.0]),
            ("b", None, [0.0; 3]),
            ("LeftFoot", Some(2), [0.0, -1.0, 0.0]),
        ]);
        assert_eq!(Body::find(&two_bodies), None);
        assert_eq!(Body::find(&[]), None);
    }
}
