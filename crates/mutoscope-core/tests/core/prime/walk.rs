//! Tests the Metroid Prime recording of the gallery: its writer still writes the same bytes, and
//! the figure walks.

use std::{fs, path::PathBuf};

use glam::DVec3;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeKind, Pose},
    decode,
    diagnostics::Severity,
    formats::FormatId,
};

use crate::prime::{decode_on_rig, node, pose};
use mutoscope_testing::prime::{gait, walk};

/// Returns the name and the expected bytes of each file.
fn expected_files() -> [(&'static str, Vec<u8>); 2] {
    [("walk.ANIM", walk::encoded_animation()), ("walk.CINF", walk::encoded_skeleton())]
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/prime").join(name)
}

fn walking_clip() -> Clip {
    decode_on_rig(&walk::encoded_animation(), &walk::encoded_skeleton())
}

/// Returns 133 times, spread evenly over one stride.
fn stride_times(clip: &Clip) -> impl Iterator<Item = f64> {
    let stride = clip.span.duration / f64::from(walk::STRIDES);
    (0..=132).map(move |step| stride * f64::from(step) / 132.0)
}

fn position(clip: &Clip, pose: &Pose, name: &str) -> DVec3 {
    pose[node(clip, name)].world.translation
}

/// Run this after a change of the writer: `cargo test -p mutoscope-core --test core -- --ignored
/// prime::walk::write_sample`.
#[test]
#[ignore = "writes the files"]
fn write_sample() {
    for (name, bytes) in expected_files() {
        fs::write(path(name), bytes).unwrap();
    }
}

#[test]
fn sample_is_current() {
    for (name, bytes) in expected_files() {
        assert!(fs::read(path(name)).unwrap() == bytes, "{name}");
    }
    let clip = decode(&walk::encoded_animation(), &ReadOptions::default()).unwrap();
    assert_eq!(clip.format, FormatId::PRIME, "recognised by its content alone");
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Info));
}

#[test]
fn sample_has_a_skeleton_locators_and_root_motion() {
    let clip = walking_clip();
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Info), "{:?}", clip.diagnostics);
    let locators = clip.nodes.iter().filter(|node| node.kind == NodeKind::Locator);
    assert_eq!(locators.count(), 4);
    let [start, end] = [0.0, clip.span.end()].map(|time| pose(&clip, time));
    let distance = f64::from(walk::STRIDES) * gait::STRIDE_LENGTH;
    for (before, after) in start.nodes.iter().zip(&end.nodes) {
        // Forward is −Z in the viewer's space.
        let drift = after.world.translation - before.world.translation + DVec3::Z * distance;
        assert!(
            drift.length() < 2e-3,
            "the last pose must equal the first one, so that the animation can loop: {drift}"
        );
    }
}

#[test]
fn one_foot_is_always_on_the_ground_and_does_not_slide() {
    /// Within one frame of touching or leaving the ground, the foot is neither planted nor
    /// swinging.
    const FRAME_PHASE: f64 = 1.0 / walk::FRAMES_PER_STRIDE as f64;
    let clip = walking_clip();
    let mut before: Option<[[DVec3; 2]; 2]> = None;
    for (step, time) in stride_times(&clip).enumerate() {
        let pose = pose(&clip, time);
        let feet = ["L", "R"].map(|side| sole_points(&clip, &pose, side));
        for (foot, points) in feet.iter().enumerate() {
            assert!(
                points.iter().all(|point| point.y > -0.004),
                "a foot is below the ground at {time}"
            );
            let phase = (step as f64 / 132.0 + 0.5 * foot as f64).fract();
            if (FRAME_PHASE..gait::STANCE_FRACTION - FRAME_PHASE).contains(&phase) {
                let lowest = usize::from(points[1].y < points[0].y);
                assert!(
                    points[lowest].y < 0.004,
                    "a planted foot is in the air at {time}: {points:?}"
                );
                let distance = before.map(|before| points[lowest].distance(before[foot][lowest]));
                assert!(
                    distance.is_none_or(|distance| distance < 3e-3),
                    "a planted foot slides by {distance:?} m at {time}"
                );
            }
        }
        before = Some(feet);
    }
}

/// Returns the heel and the ball of a foot, on its sole.
fn sole_points(clip: &Clip, pose: &Pose, side: &str) -> [DVec3; 2] {
    let ankle = &pose[node(clip, &format!("{side}_ankle"))].world;
    let point =
        |forward: f64| ankle.translation + ankle.rotation * DVec3::new(0.0, -0.09, -forward);
    [point(-0.06), point(0.13)]
}

#[test]
fn knees_and_elbows_bend_anatomically() {
    let clip = walking_clip();
    for time in stride_times(&clip) {
        let pose = pose(&clip, time);
        for side in ["L", "R"] {
            let joint_position = |name: &str| position(&clip, &pose, &format!("{side}_{name}"));
            let bend = |from: &str, joint: &str, to: &str| {
                let (upper, lower) = (
                    joint_position(joint) - joint_position(from),
                    joint_position(to) - joint_position(joint),
                );
                // A joint that bends backward lies ahead of the line between its neighbours.
                let bend_direction = (joint_position(joint) - joint_position(from))
                    .reject_from(joint_position(to) - joint_position(from));
                (upper.angle_between(lower).to_degrees(), -bend_direction.z)
            };
            let (knee, ahead) = bend("hip", "knee", "ankle");
            assert!((3.0..75.0).contains(&knee) && ahead > 0.0, "{side} {time}: {knee} {ahead}");
            let (elbow, ahead) = bend("shoulder", "elbow", "wrist");
            assert!((3.0..60.0).contains(&elbow) && ahead < 0.0, "{side} {time}: {elbow} {ahead}");
        }
    }
}

#[test]
fn arms_swing_opposite_to_the_leg_of_their_side() {
    let clip = walking_clip();
    let root = |pose: &Pose| position(&clip, pose, "Root").z;
    let product_sum: f64 = stride_times(&clip)
        .map(|time| {
            let pose = pose(&clip, time);
            let ahead = |name| position(&clip, &pose, name).z - root(&pose);
            ahead("L_wrist") * ahead("L_ankle")
        })
        .sum();
    assert!(product_sum < 0.0);
}
