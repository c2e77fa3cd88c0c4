//! Tests the Maya recording of the gallery.

use std::{collections::HashSet, fs, path::PathBuf};

use mutoscope_core::{
    ReadOptions,
    clip::{AnyCurve, Clip, NodeKind, Pose, SignalKind},
    decode,
    diagnostics::{Diagnostics, Severity},
    formats::{FormatId, maya},
};

use crate::maya::walk;

fn path() -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/maya/walk-with-hat.anim")
}

fn clip() -> Clip {
    decode(&walk::encode(), &ReadOptions::default()).unwrap()
}

/// Run this after a change of `walk.rs`: `cargo test -p mutoscope-core --test core -- --ignored
/// maya::sample::write_sample`.
#[test]
#[ignore = "writes the file"]
fn write_sample() {
    fs::write(path(), walk::encode()).unwrap();
}

#[test]
fn sample_is_current() {
    let bytes = fs::read(path()).unwrap();
    assert!(bytes == walk::encode());
    let clip = clip();
    assert_eq!(clip.format, FormatId::MAYA, "recognised by its content alone");
    assert_eq!((clip.span.duration, clip.rate_hz), (3.0, Some(24.0)));
    assert!(clip.diagnostics.worst_severity() <= Some(Severity::Info), "{:?}", clip.diagnostics);
}

#[test]
fn sample_covers_the_format() {
    let bytes = walk::encode();
    let document = maya::decode(&bytes, &mut Diagnostics::new()).unwrap();
    let curves = || document.items.iter().flat_map(|item| &item.curves);
    let keys = || curves().flat_map(|curve| &curve.keys);
    let tangents: HashSet<_> = keys()
        .flat_map(|key| [key.in_tangent, key.out_tangent])
        .map(|tangent| std::mem::discriminant(&tangent))
        .collect();
    assert!(tangents.len() >= 9, "{tangents:?}");
    let infinities: HashSet<_> =
        curves().map(|curve| format!("{:?}", curve.post_infinity)).collect();
    assert_eq!(infinities.len(), 3, "{infinities:?}");
    let clip = clip();
    let kinds = |kind: NodeKind| clip.nodes.iter().filter(|node| node.kind == kind).count();
    assert_eq!((kinds(NodeKind::Shape), kinds(NodeKind::Effector)), (1, 2));
    assert_eq!(
        clip.tracks.iter().filter(|track| matches!(track.curve, AnyCurve::Driven(_))).count(),
        1
    );
    let names: Vec<_> = clip.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert!(names.contains(&"head.blink"), "{names:?}");
    assert!(clip.signals.iter().all(|signal| signal.kind == SignalKind::Attribute));
    assert_eq!(clip.skeleton.placeholder_offsets(), [], "every joint has a position");
}

/// In a walk, one foot is always on the ground and none is below it.
#[test]
fn sample_walks() {
    let clip = clip();
    let index = |name: &str| clip.nodes.iter().position(|node| node.name == name).unwrap();
    let toes = ["L_toe", "R_toe", "L_foot", "R_foot"].map(index);
    let [hips, hat] = ["hips", "hat"].map(index);
    let mut pose = Pose::default();
    let mut z_positions = Vec::new();
    for frame in 0..=72 {
        clip.sample(clip.span.start + f64::from(frame) / 24.0, &mut pose);
        let lowest =
            toes.map(|toe| pose.nodes[toe].world.translation.y).into_iter().fold(1.0, f64::min);
        assert!((-0.03..0.05).contains(&lowest), "{lowest} m at frame {frame}");
        assert_eq!(pose.nodes[hat].is_visible, frame >= 24, "{frame}");
        z_positions.push(pose.nodes[hips].world.translation.z);
    }
    assert!((z_positions[72] - z_positions[0] + 3.96).abs() < 1e-9, "{}", z_positions[72]);
}
