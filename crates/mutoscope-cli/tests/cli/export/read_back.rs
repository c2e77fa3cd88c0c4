//! Tests of GLB and BVH exports, read back by our own decoders.

use std::collections::HashMap;

use mutoscope_core::{
    ReadOptions,
    clip::{Assumptions, Clip, FormatAssumptions, NodeId, Pose},
    decode,
    export::{ExportOptions, Report},
};

use crate::export::{exported_as, exported_once, recordings, report_text, times};

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

#[test]
fn glb_reads_back_with_equal_poses() {
    let mut compared = 0;
    for (name, clip) in recordings() {
        let (bytes, report) = &*exported_once(&name, &clip, "glb");
        let reported = reported_error(report);
        let back = match decode(bytes, &ReadOptions::from(mutoscope_cli::registry())) {
            Ok(back) => back,
            // A clip without keys has no animation in the file, so the file is not a recording.
            Err(failure) if failure.format.is_none() => continue,
            Err(failure) => panic!("{name}: {failure}"),
        };
        for time in times(&clip, 12) {
            let expected = pose(&clip, time);
            let found = pose(&back, f64::from((time - clip.span.start) as f32));
            for (index, node) in expected.nodes.iter().enumerate() {
                // A hidden node has scale 0, and its children have no position.
                if !node.is_visible || !is_visible_with_ancestors(&clip, &expected, index) {
                    continue;
                }
                let (found, expected) = (found.nodes[index].world, node.world);
                let bound = 1e-4 * (1.0 + expected.translation.length()) + reported;
                let distance = found.translation.distance(expected.translation);
                assert!(distance < bound, "{name}: node {index} at {time}: {distance} m");
                compared += 1;
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}

/// Returns the error between keys that the report states for sudden motion, in metres or radians,
/// or 0.
fn reported_error(report: &Report) -> f64 {
    let off = report_text(report);
    let off = off.split_once(": up to ").and_then(|(_, off)| off.split(' ').next());
    off.map_or(0.0, |off| off.parse().unwrap())
}

fn is_visible_with_ancestors(clip: &Clip, pose: &Pose, index: usize) -> bool {
    let mut next = Some(index);
    while let Some(index) = next {
        let node = &pose.nodes[index];
        if !node.is_visible || node.world.scale.abs().min_element() < 1e-6 {
            return false;
        }
        next = clip.nodes[NodeId::new(index)].parent.map(NodeId::index);
    }
    true
}

#[test]
fn bvh_reads_back_with_equal_poses() {
    let centimetres = Assumptions { metres_per_unit: Some(0.01), ..Assumptions::default() };
    let request = ReadOptions {
        assumptions: FormatAssumptions::for_all_formats(centimetres),
        ..ReadOptions::from(mutoscope_cli::registry())
    };
    let mut compared = 0;
    for (name, clip) in recordings() {
        let options = ExportOptions { rate: Some(30.0), ..ExportOptions::default() };
        let (bytes, _) = exported_as(&clip, "bvh", &options);
        let back = decode(&bytes, &request).unwrap();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, node) in back.nodes.iter().enumerate() {
            by_name.entry(&node.name).or_default().push(index);
        }
        let frames = back.tracks[0].curve.key_times();
        for &frame in frames.iter().step_by(frames.len().div_ceil(10).max(1)) {
            // A step at the time of a frame takes effect after the frame.
            let expected = pose(&clip, clip.span.start + frame + 1e-9);
            let found = pose(&back, frame);
            for (index, node) in expected.nodes.iter().enumerate() {
                let Some([only]) =
                    by_name.get(&*clip.nodes[NodeId::new(index)].name).map(Vec::as_slice)
                else {
                    continue;
                };
                if !is_visible_with_ancestors(&clip, &expected, index) {
                    continue;
                }
                let (found, expected) = (found.nodes[*only].world, node.world);
                let scale = 1.0 + expected.translation.length();
                let distance = found.translation.distance(expected.translation);
                assert!(distance < 1e-4 * scale, "{name}: node {index} at {frame}: {distance} m");
                compared += 1;
            }
        }
    }
    assert!(compared > 2_000, "{compared}");
}
