//! Tests anatomy: hands are on their side of the head, and the axis of a joint runs along its bone.
//! A wrong order of components, a wrong mirror and a wrong rotation would all fail here.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, Value},
    formats::mrtk::JOINTS,
};

use crate::mrtk::{clip, node, pose};
use mutoscope_testing::fixtures::mrtk_file;

const FILES: [&str; 3] = ["proc_v10.bin", "proc_v11_good.bin", "proc_v11_wbug.bin"];

fn sample_times(clip: &Clip) -> impl Iterator<Item = f64> {
    let duration = clip.span.duration;
    (0..=200).map(move |step| duration * f64::from(step) / 200.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    assert!(values.len() > 100, "only {} values", values.len());
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn left_hand_is_left_and_in_front_of_the_head() {
    for file in FILES {
        let clip = clip(&mrtk_file(file));
        let [head, left, right] =
            ["camera", "left/Palm", "right/Palm"].map(|name| node(&clip, name).index());
        for time in sample_times(&clip) {
            let pose = pose(&clip, time);
            let head = pose.nodes[head].world;
            let [left, right] = [left, right].map(|palm| {
                head.rotation.inverse() * (pose.nodes[palm].world.translation - head.translation)
            });
            assert!(left.x < 0.0 && right.x > 0.0, "{file} at {time}: {left} {right}");
            assert!(left.z < 0.0 && right.z < 0.0, "{file} at {time}: {left} {right}");
        }
    }
}

#[test]
fn joint_axes_point_along_bones() {
    for file in FILES {
        let clip = clip(&mrtk_file(file));
        for (joint, forward) in JOINTS.iter().map(|joint| (joint.name, joint.forward)) {
            let mut cosines = Vec::new();
            for hand in ["left", "right"] {
                let joint_node =
                    |index: usize| node(&clip, &format!("{hand}/{}", JOINTS[index].name));
                let (from, to) = (joint_node(forward.0).index(), joint_node(forward.1).index());
                let node_index = node(&clip, &format!("{hand}/{joint}")).index();
                for pose in sample_times(&clip).map(|time| pose(&clip, time)) {
                    let sampled = pose.nodes[node_index];
                    let bone =
                        pose.nodes[to].world.translation - pose.nodes[from].world.translation;
                    if sampled.is_visible {
                        cosines.push((sampled.world.rotation * -DVec3::Z).dot(bone.normalize()));
                    }
                }
            }
            // The wrist has the axis of the palm, which only roughly runs along the wrist's own
            // bone.
            let min_cosine = if joint == "Wrist" { 0.95 } else { 0.99 };
            let median = median(cosines);
            assert!(median > min_cosine, "{joint} of {file}: {median}");
        }
    }
}

#[test]
fn lost_hands_are_hidden() {
    for file in ["proc_v10.bin", "proc_v11_good.bin"] {
        let clip = clip(&mrtk_file(file));
        let [left, right] = ["left/Wrist", "right/Wrist"].map(|name| node(&clip, name).index());
        let tracked = clip.signals.iter().position(|signal| signal.name == "left/tracked").unwrap();
        for (time, is_tracked) in
            [(0.0, true), (1.4, true), (1.6, false), (1.9, false), (2.1, true)]
        {
            let pose = pose(&clip, time);
            assert_eq!(pose.nodes[left].is_visible, is_tracked, "{file} at {time}");
            assert_eq!(pose.signals[tracked], Value::Bool(is_tracked), "{file} at {time}");
            assert!(pose.nodes[right].is_visible, "{file} at {time}");
        }
    }
}
