//! Tests the repair of the rotation W that MRTK 2.6 and later lose when they save.
//!
//! `proc_v11_wbug.bin` is `proc_v11_good.bin`, saved through an emulation of that defect. The
//! emulation also thins the curves and drops up to half a second at their ends.

use mutoscope_core::{
    clip::{Clip, Rotation},
    diagnostics::Severity,
};

use crate::mrtk::{clip, node, pose};
use mutoscope_testing::fixtures::{mrtk_file, mrtk_files};

fn rebuilt_count(clip: &Clip) -> usize {
    let is_rebuilt = |rotation: &Rotation| matches!(rotation, Rotation::Components(components) if components.rebuilt_w().is_some());
    clip.nodes.iter().filter(|node| is_rebuilt(&node.motion.rotation)).count()
}

#[test]
fn lost_w_is_rebuilt_and_reported_only_if_lost() {
    for (name, bytes) in mrtk_files() {
        let clip = clip(&bytes);
        let lost = name == "proc_v11_wbug.bin";
        assert_eq!(rebuilt_count(&clip), if lost { 53 } else { 0 }, "{name}");
        let reports: Vec<_> = clip
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code.as_str() == "mrtk/rotation-w-lost")
            .map(|diagnostic| (diagnostic.severity, diagnostic.value("count").cloned()))
            .collect();
        let expected = (Severity::Warning, Some(53.into()));
        assert_eq!(reports, vec![expected; usize::from(lost)], "{name}");
    }
}

/// Returns the sorted angles in degrees between the rotations of the same node in both files. Uses
/// the nodes whose names start with `prefix`, while they are visible.
fn sorted_angles(prefix: &str) -> Vec<f64> {
    let (lossy, original) =
        (clip(&mrtk_file("proc_v11_wbug.bin")), clip(&mrtk_file("proc_v11_good.bin")));
    let mut angles = Vec::new();
    // The curves of the lossy file end up to 0.53 s early, so compare only until 3.44 s.
    for step in 0..=344 {
        let time = f64::from(step) / 100.0;
        let (lossy_pose, original_pose) = (pose(&lossy, time), pose(&original, time));
        for (index, (node, counterpart)) in
            lossy.nodes.iter().zip(original.nodes.iter()).enumerate()
        {
            assert_eq!(node.name, counterpart.name);
            if node.name.starts_with(prefix) && original_pose.nodes[index].is_visible {
                let [a, b] =
                    [&lossy_pose, &original_pose].map(|pose| pose.nodes[index].world.rotation);
                angles.push(a.angle_between(b).to_degrees());
            }
        }
    }
    angles.sort_by(f64::total_cmp);
    angles
}

#[test]
fn rebuilt_w_is_close_to_the_original() {
    // Each case has a prefix of node names, bounds in degrees for the median and the 99th
    // percentile, and a bound for the share of samples that are off by more than 5 degrees. Such
    // samples lie where the defect dropped a key next to a jump of the joint's axes, which no w can
    // restore.
    let cases =
        [("camera", 0.1, 0.2, 0.0), ("left/", 0.1, 1.0, 0.005), ("right/", 0.1, 1.0, 0.005)];
    for (prefix, median_bound, p99_bound, outlier_bound) in cases {
        let angles = sorted_angles(prefix);
        let (median, p99) = (angles[angles.len() / 2], angles[angles.len() * 99 / 100]);
        let outliers =
            angles.iter().filter(|&&angle| angle > 5.0).count() as f64 / angles.len() as f64;
        assert!(median <= median_bound, "{prefix}: the median is {median}");
        assert!(p99 <= p99_bound, "{prefix}: the 99th percentile is {p99}");
        assert!(
            outliers <= outlier_bound,
            "{prefix}: {outliers} of the samples are off by more than 5 degrees"
        );
    }
}

#[test]
fn track_keeps_the_stored_w() {
    let lossy = clip(&mrtk_file("proc_v11_wbug.bin"));
    let palm = node(&lossy, "left/Palm");
    let Rotation::Components(rotation) = &lossy.nodes[palm].motion.rotation else {
        panic!("expected a rotation by components")
    };
    let [.., w] = rotation.tracks();
    assert_eq!(lossy.track(w).curve.key_count(), 1, "the track has only the stored key");
    assert!(rotation.rebuilt_w().is_some_and(|rebuilt| rebuilt.len() > 1));
}
