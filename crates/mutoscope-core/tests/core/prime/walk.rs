//! The recording in the gallery: that it is what its writer writes, and that it walks.

use std::{fs, path::PathBuf};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeKind, Pose},
    diagnostics::Severity,
    formats::{self, DecodeRequest, FormatId},
};

use crate::prime::{node, on_this_rig, pose};
use mutoscope_testing::prime::{gait, walk};

/// Each file by its name, with the bytes that it should have.
fn files() -> [(&'static str, Vec<u8>); 2] {
    [("walk.ANIM", walk::encoded_animation()), ("walk.CINF", walk::encoded_skeleton())]
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/prime").join(name)
}

fn walking() -> Clip {
    on_this_rig(&walk::encoded_animation(), &walk::encoded_skeleton())
}

/// `count` times, spread evenly over one stride.
fn times(clip: &Clip) -> impl Iterator<Item = f64> {
    let stride = clip.span.duration / f64::from(walk::STRIDES);
    (0..=132).map(move |step| stride * f64::from(step) / 132.0)
}

fn place(clip: &Clip, pose: &Pose, name: &str) -> DVec3 {
    pose.nodes[node(clip, name).index()].world.translation
}

/// After a change of the writer: `cargo test --test prime -- --ignored`.
#[test]
#[ignore = "writes the files"]
fn write_sample() {
    for (name, bytes) in files() {
        fs::write(path(name), bytes).unwrap();
    }
}

#[test]
fn sample_is_current() {
    for (name, bytes) in files() {
        assert!(fs::read(path(name)).unwrap() == bytes, "{name}");
    }
    let clip = formats::decode(&walk::encoded_animation(), &DecodeRequest::default()).unwrap();
    assert_eq!(clip.format, FormatId::PRIME, "recognised by its content alone");
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Info));
}

#[test]
fn sample_has_a_skeleton_locators_and_root_motion() {
    let clip = walking();
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Info), "{:?}", clip.diagnostics);
    let locators = clip.nodes.iter().filter(|node| node.kind == NodeKind::Locator);
    assert_eq!(locators.count(), 4);
    let [start, end] = [0.0, clip.span.end()].map(|time| pose(&clip, time));
    let way = f64::from(walk::STRIDES) * gait::STRIDE_LENGTH;
    for (before, after) in start.nodes.iter().zip(&end.nodes) {
        // Forward is −Z in the viewer's space.
        let off = after.world.translation - before.world.translation + DVec3::Z * way;
        assert!(off.length() < 2e-3, "it ends as it began, so that it can loop: {off}");
    }
}

/// The properties of a walk: a foot is always down, and it does not slide.
#[test]
fn a_foot_is_always_on_the_ground_and_does_not_slide() {
    /// Frames are apart: at the moments of touching and leaving, the motion between two of them is
    /// neither.
    const FRAME: f64 = 1.0 / walk::FRAMES_PER_STRIDE as f64;
    let clip = walking();
    let mut before: Option<[[DVec3; 2]; 2]> = None;
    for (step, time) in times(&clip).enumerate() {
        let pose = pose(&clip, time);
        let feet = ["L", "R"].map(|side| sole(&clip, &pose, side));
        for (foot, points) in feet.iter().enumerate() {
            assert!(points.iter().all(|point| point.y > -0.004), "in the ground at {time}");
            let phase = (step as f64 / 132.0 + 0.5 * foot as f64).fract();
            if (FRAME..gait::STANCE_FRACTION - FRAME).contains(&phase) {
                let lowest = usize::from(points[1].y < points[0].y);
                assert!(points[lowest].y < 0.004, "in the air at {time}: {points:?}");
                let way = before.map(|before| points[lowest].distance(before[foot][lowest]));
                assert!(way.is_none_or(|way| way < 3e-3), "slides by {way:?} m at {time}");
            }
        }
        before = Some(feet);
    }
}

/// The heel's end and the ball of a foot, on its sole.
fn sole(clip: &Clip, pose: &Pose, side: &str) -> [DVec3; 2] {
    let ankle = &pose.nodes[node(clip, &format!("{side}_ankle")).index()].world;
    let point =
        |forward: f64| ankle.translation + ankle.rotation * DVec3::new(0.0, -0.09, -forward);
    [point(-0.06), point(0.13)]
}

#[test]
fn knees_and_elbows_bend_anatomically() {
    let clip = walking();
    for time in times(&clip) {
        let pose = pose(&clip, time);
        for side in ["L", "R"] {
            let of = |name: &str| place(&clip, &pose, &format!("{side}_{name}"));
            let bend = |from: &str, joint: &str, to: &str| {
                let (upper, lower) = (of(joint) - of(from), of(to) - of(joint));
                // Bent backward, a joint is ahead of the line between its neighbours.
                let aside = (of(joint) - of(from)).reject_from(of(to) - of(from));
                (upper.angle_between(lower).to_degrees(), -aside.z)
            };
            let (knee, ahead) = bend("hip", "knee", "ankle");
            assert!((3.0..75.0).contains(&knee) && ahead > 0.0, "{side} {time}: {knee} {ahead}");
            let (elbow, ahead) = bend("shoulder", "elbow", "wrist");
            assert!((3.0..60.0).contains(&elbow) && ahead < 0.0, "{side} {time}: {elbow} {ahead}");
        }
    }
}

#[test]
fn arms_swing_against_their_legs() {
    let clip = walking();
    let root = |pose: &Pose| place(&clip, pose, "Root").z;
    let together: f64 = times(&clip)
        .map(|time| {
            let pose = pose(&clip, time);
            let ahead = |name| place(&clip, &pose, name).z - root(&pose);
            ahead("L_wrist") * ahead("L_ankle")
        })
        .sum();
    assert!(together < 0.0);
}
