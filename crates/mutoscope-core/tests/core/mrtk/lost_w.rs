//! The rotation W that MRTK 2.6 and later lose when they save.
//!
//! `proc_v11_wbug.bin` is `proc_v11_good.bin`, saved through an emulation of that defect, which
//! also thins the curves and drops up to half a second of their ends.

use mutoscope_core::{
    clip::{Clip, Rotation},
    diagnostics::Severity,
};

use crate::mrtk::{clip, node, pose};
use mutoscope_testing::fixtures::{mrtk_file, mrtk_files};

fn rebuilt(clip: &Clip) -> usize {
    let is_rebuilt = |rotation: &Rotation| matches!(rotation, Rotation::Components(components) if components.rebuilt_w().is_some());
    clip.nodes.iter().filter(|node| is_rebuilt(&node.motion.rotation)).count()
}

#[test]
fn lost_w_is_rebuilt_and_reported_only_where_lost() {
    for (name, bytes) in mrtk_files() {
        let clip = clip(&bytes);
        let lost = name == "proc_v11_wbug.bin";
        assert_eq!(rebuilt(&clip), if lost { 53 } else { 0 }, "{name}");
        let says_so = clip
            .diagnostics
            .iter()
            .filter(|n| n.message.split_whitespace().any(|word| word == "W"));
        let severities: Vec<_> = says_so.map(|notice| notice.severity).collect();
        assert_eq!(severities, vec![Severity::Warning; usize::from(lost)], "{name}");
    }
}

/// Degrees between the rotations of the same node in both files, while it is there, for the nodes
/// whose names start with `nodes`.
fn angles(nodes: &str) -> Vec<f64> {
    let (lossy, whole) =
        (clip(&mrtk_file("proc_v11_wbug.bin")), clip(&mrtk_file("proc_v11_good.bin")));
    let mut angles = Vec::new();
    // Its curves end up to 0.53 s early: after that there is nothing to compare.
    for step in 0..=344 {
        let time = f64::from(step) / 100.0;
        let (lossy_pose, whole_pose) = (pose(&lossy, time), pose(&whole, time));
        for (index, (node, same)) in lossy.nodes.iter().zip(whole.nodes.iter()).enumerate() {
            assert_eq!(node.name, same.name);
            if node.name.starts_with(nodes) && whole_pose.nodes[index].is_visible {
                let [a, b] =
                    [&lossy_pose, &whole_pose].map(|pose| pose.nodes[index].world.rotation);
                angles.push(a.angle_between(b).to_degrees());
            }
        }
    }
    angles.sort_by(f64::total_cmp);
    angles
}

#[test]
fn rebuilt_w_is_close_to_the_original() {
    // Nodes, and bounds in degrees for the median and the 99th percentile; and for the part of
    // samples that are off by more than 5 degrees. Those stand between two keys of which the
    // defect skipped one where the joint's axes jump: no w brings that back.
    let cases =
        [("camera", 0.1, 0.2, 0.0), ("left/", 0.1, 1.0, 0.005), ("right/", 0.1, 1.0, 0.005)];
    for (what, median_bound, p99_bound, far_bound) in cases {
        let angles = angles(what);
        let (median, p99) = (angles[angles.len() / 2], angles[angles.len() * 99 / 100]);
        let far = angles.iter().filter(|&&angle| angle > 5.0).count() as f64 / angles.len() as f64;
        assert!(median <= median_bound, "{what}: the median is {median}");
        assert!(p99 <= p99_bound, "{what}: the 99th percentile is {p99}");
        assert!(far <= far_bound, "{what}: {far} of the samples are off by more than 5 degrees");
    }
}

#[test]
fn the_track_keeps_the_w_of_the_file() {
    let lossy = clip(&mrtk_file("proc_v11_wbug.bin"));
    let palm = node(&lossy, "left/Palm");
    let Rotation::Components(rotation) = &lossy.nodes[palm].motion.rotation else {
        panic!("the palm turns by components")
    };
    let [.., w] = rotation.tracks();
    assert_eq!(lossy.track(w).curve.key_count(), 1, "the track keeps what the file has");
    assert!(rotation.rebuilt_w().is_some_and(|rebuilt| rebuilt.len() > 1));
}
