//! Tests of BVH exports, read back by a parser that shares no code with our decoder.

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, Pose};

use crate::export::{compare::angle, exported, recordings, report_text};

const METRES_PER_UNIT: f64 = 0.01;

struct Joint {
    name: String,
    parent: Option<usize>,
    offset: DVec3,
    has_position: bool,
}

struct BvhFile {
    joints: Vec<Joint>,
    interval: f64,
    frames: Vec<Vec<f64>>,
}

impl BvhFile {
    fn new(text: &str) -> Self {
        let (hierarchy, motion) = text.split_once("MOTION\n").unwrap();
        let mut words = hierarchy.split_whitespace();
        assert_eq!(words.next(), Some("HIERARCHY"));
        let (mut joints, mut open, mut is_end) = (Vec::<Joint>::new(), Vec::new(), false);
        while let Some(word) = words.next() {
            match word {
                "ROOT" | "JOINT" => {
                    let name = words.next().unwrap().to_owned();
                    let parent = open.last().copied();
                    open.push(joints.len());
                    joints.push(Joint { name, parent, offset: DVec3::ZERO, has_position: false });
                    assert_eq!(words.next(), Some("{"));
                }
                "End" => {
                    assert_eq!((words.next(), words.next()), (Some("Site"), Some("{")));
                    is_end = true;
                }
                "OFFSET" => {
                    let mut number = || words.next().unwrap().parse::<f64>().unwrap();
                    let offset = DVec3::new(number(), number(), number()) * METRES_PER_UNIT;
                    if !is_end {
                        joints[*open.last().unwrap()].offset = offset;
                    }
                }
                "CHANNELS" => {
                    let count: usize = words.next().unwrap().parse().unwrap();
                    let channels: Vec<_> = (0..count).map(|_| words.next().unwrap()).collect();
                    let rotations = ["Zrotation", "Xrotation", "Yrotation"];
                    let has_position = count == 6;
                    joints[*open.last().unwrap()].has_position = has_position;
                    assert_eq!(channels[count - 3..], rotations);
                    assert!(
                        !has_position || channels[..3] == ["Xposition", "Yposition", "Zposition"]
                    );
                }
                "}" if is_end => is_end = false,
                "}" => {
                    open.pop();
                }
                other => panic!("{other}"),
            }
        }
        assert!(open.is_empty());
        let mut lines = motion.lines();
        let count: usize = lines.next().unwrap().strip_prefix("Frames: ").unwrap().parse().unwrap();
        let interval = lines.next().unwrap().strip_prefix("Frame Time: ").unwrap().parse().unwrap();
        let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
        let frames: Vec<Vec<f64>> = lines.map(numbers).collect();
        let channels: usize =
            joints.iter().map(|joint| if joint.has_position { 6 } else { 3 }).sum();
        assert_eq!(frames.len(), count);
        assert!(frames.iter().all(|frame| frame.len() == channels));
        Self { joints, interval, frames }
    }

    /// Returns the world position and rotation of every joint in a frame.
    fn worlds(&self, frame: usize) -> Vec<(DVec3, DQuat)> {
        let mut numbers = self.frames[frame].iter().copied();
        let mut next = || numbers.next().unwrap();
        let mut worlds: Vec<(DVec3, DQuat)> = Vec::new();
        for joint in &self.joints {
            let position = if joint.has_position {
                DVec3::new(next(), next(), next()) * METRES_PER_UNIT
            } else {
                joint.offset
            };
            let [z, x, y] = [next(), next(), next()].map(f64::to_radians);
            let turn =
                DQuat::from_rotation_z(z) * DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y);
            worlds.push(match joint.parent {
                None => (position, turn),
                Some(parent) => {
                    let (origin, turned) = worlds[parent];
                    (origin + turned * position, turned * turn)
                }
            });
        }
        worlds
    }
}

/// Returns the node with the name of each joint, or `None` if several nodes have that name.
fn matching_nodes(back: &BvhFile, clip: &Clip) -> Vec<Option<usize>> {
    let find = |joint: &Joint| {
        let named = |name: &str| name == joint.name;
        let found: Vec<_> =
            clip.nodes.iter().enumerate().filter(|(_, node)| named(&node.name)).collect();
        match &*found {
            [(index, _)] => Some(*index),
            _ => None,
        }
    };
    back.joints.iter().map(find).collect()
}

#[test]
fn joint_positions_match_nodes_in_every_frame() {
    for (name, clip) in recordings() {
        let (bytes, report) = exported(&clip, "bvh");
        let back = BvhFile::new(&String::from_utf8(bytes).unwrap());
        let nodes = matching_nodes(&back, &clip);
        let (mut first, mut pose) = (Pose::default(), Pose::default());
        let (mut off, mut turned, mut compared) = (0.0_f64, 0.0_f64, 0);
        let start = back.worlds(0);
        clip.sample(clip.span.start, &mut first);
        for frame in (0..back.frames.len()).step_by(back.frames.len().div_ceil(50)) {
            let time = clip.span.start + frame as f64 * back.interval;
            clip.sample(time, &mut pose);
            let worlds = back.worlds(frame);
            for (joint, node) in nodes.iter().enumerate() {
                let Some(node) = *node else { continue };
                let (stands, stood) = (&pose.nodes[node].world, &first.nodes[node].world);
                if !stands.is_finite() || !stood.is_finite() {
                    continue;
                }
                let far = stands.translation.abs().max_element().max(1.0);
                off = off.max(worlds[joint].0.distance(stands.translation) / far);
                // BVH joints have no rest rotation, so compare rotations relative to the first
                // frame.
                let own = stands.rotation * stood.rotation.conjugate();
                let theirs = worlds[joint].1 * start[joint].1.conjugate();
                turned = turned.max(angle(own, theirs));
                compared += 1;
            }
        }
        println!("{name}: {off:.1e} m, {turned:.1e} rad, {compared} places");
        let is_uneven = report_text(&report).contains("not at even times");
        assert!(off < 1e-5, "{name}: {off}, {is_uneven}");
        assert!(turned < 1e-5, "{name}: {turned}");
    }
}

#[test]
fn hand_joints_form_one_hierarchy() {
    let (_, clip) = recordings().into_iter().find(|(name, _)| name == "proc_v11_good.bin").unwrap();
    let (bytes, report) = exported(&clip, "bvh");
    let back = BvhFile::new(&String::from_utf8(bytes).unwrap());
    let index = |name: &str| back.joints.iter().position(|joint| joint.name == name).unwrap();
    let tip = &back.joints[index("left/IndexTip")];
    let parent = &back.joints[tip.parent.unwrap()];
    assert_eq!(parent.name, "left/IndexDistalJoint");
    assert_eq!(back.joints[0].name, "root");
    assert!(report_text(&report).contains("a root was added"), "{}", report_text(&report));
}

#[test]
fn rest_pose_follows_from_offsets() {
    let (_, clip) =
        recordings().into_iter().find(|(name, _)| name == "prime on a skeleton").unwrap();
    let back = BvhFile::new(&String::from_utf8(exported(&clip, "bvh").0).unwrap());
    let mut rest = Pose::default();
    clip.sample_rest_pose(&mut rest);
    let nodes = matching_nodes(&back, &clip);
    for (joint, node) in nodes.iter().enumerate() {
        let (Some(node), Some(parent)) = (*node, back.joints[joint].parent) else { continue };
        let Some(parent) = nodes[parent] else { continue };
        let position = |node: usize| rest.nodes[node].world.translation;
        let expected = position(node) - position(parent);
        let off = back.joints[joint].offset.distance(expected);
        assert!(off < 1e-9, "{}: {off}", back.joints[joint].name);
    }
}
