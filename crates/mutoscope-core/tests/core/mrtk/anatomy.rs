//! Anatomy: hands are left and right of the head, and a joint's axis runs along its bone. Wrong
//! component orders, mirrors and rotations all show here.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, Value},
    formats::mrtk::JOINTS,
};

use crate::mrtk::{clip, node, pose};
use mutoscope_testing::fixtures::mrtk_file;

const FILES: [&str; 3] = ["proc_v10.bin", "proc_v11_good.bin", "proc_v11_wbug.bin"];

fn times(clip: &Clip) -> impl Iterator<Item = f64> {
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
        for time in times(&clip) {
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
            let mut fits = Vec::new();
            for hand in ["left", "right"] {
                let of = |index: usize| node(&clip, &format!("{hand}/{}", JOINTS[index].name));
                let (from, to) = (of(forward.0).index(), of(forward.1).index());
                let itself = node(&clip, &format!("{hand}/{joint}")).index();
                for pose in times(&clip).map(|time| pose(&clip, time)) {
                    let stands = pose.nodes[itself];
                    let bone =
                        pose.nodes[to].world.translation - pose.nodes[from].world.translation;
                    if stands.is_visible {
                        fits.push((stands.world.rotation * -DVec3::Z).dot(bone.normalize()));
                    }
                }
            }
            // The wrist's axis is that of the palm, which is near to its own.
            let least = if joint == "Wrist" { 0.95 } else { 0.99 };
            let median = median(fits);
            assert!(median > least, "{joint} of {file}: {median}");
        }
    }
}

#[test]
fn lost_hands_are_hidden() {
    for file in ["proc_v10.bin", "proc_v11_good.bin"] {
        let clip = clip(&mrtk_file(file));
        let [left, right] = ["left/Wrist", "right/Wrist"].map(|name| node(&clip, name).index());
        let tracked = clip.signals.iter().position(|signal| signal.name == "left/tracked").unwrap();
        for (time, is_there) in [(0.0, true), (1.4, true), (1.6, false), (1.9, false), (2.1, true)]
        {
            let pose = pose(&clip, time);
            assert_eq!(pose.nodes[left].is_visible, is_there, "{file} at {time}");
            assert_eq!(pose.signals[tracked], Value::Bool(is_there), "{file} at {time}");
            assert!(pose.nodes[right].is_visible, "{file} at {time}");
        }
    }
}
