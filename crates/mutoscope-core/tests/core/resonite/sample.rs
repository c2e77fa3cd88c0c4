//! Tests the Resonite animation of the gallery.

use std::{fs, path::PathBuf};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, Value},
    decode,
    formats::FormatId,
    io::bytes::NoSidecars,
};

use crate::resonite::{lanterns, show};

fn path() -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/animj/lantern-show.animj")
}

fn model_path() -> PathBuf {
    path().with_extension("glb")
}

fn clip() -> Clip {
    decode(show::text().as_bytes(), &ReadOptions::default()).unwrap()
}

/// Run this after a change of a writer: `cargo test -p mutoscope-core --test core -- --ignored
/// resonite::sample::write_sample`.
#[test]
#[ignore = "writes the files"]
fn write_sample() {
    fs::write(path(), show::text()).unwrap();
    fs::write(model_path(), lanterns::glb()).unwrap();
}

/// The model has a node for each slot that the animation moves.
#[test]
fn model_is_current_and_has_the_moved_nodes() {
    let model = fs::read(model_path()).unwrap();
    assert!(model == lanterns::glb());
    let rig = mutoscope_core::Registry::default()
        .decode_skeleton(&model, "lantern-show.glb", &NoSidecars)
        .unwrap();
    assert_eq!(rig.diagnostics.iter().next(), None);
    let is_moved =
        |name: &str| ["Lantern", "Lift", "Sign"].iter().any(|prefix| name.starts_with(prefix));
    let clip = clip();
    let moved: Vec<_> = clip.nodes.iter().filter(|node| is_moved(&node.name)).collect();
    assert_eq!(moved.len(), 6);
    for node in moved {
        assert!(rig.nodes.iter().any(|bone| bone.name == node.name), "{}", node.name);
    }
}

#[test]
fn sample_is_current() {
    assert!(fs::read_to_string(path()).unwrap() == show::text());
    let clip = clip();
    assert_eq!(clip.format, FormatId::ANIMJ, "recognised by its content alone");
    assert_eq!((clip.name.as_str(), clip.span.duration), ("Lantern show", show::DURATION));
    assert_eq!(clip.diagnostics.iter().next(), None, "Resonite accepts the file without problems");
}

#[test]
fn sample_covers_the_format() {
    let clip = clip();
    let mut types: Vec<_> = clip.tracks.iter().map(|track| track.curve.type_name()).collect();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types, ["bool", "color", "float", "float3", "floatQ", "int", "string"]);
    assert!(clip.has_only_loose_nodes());
    let mut pose = Pose::default();
    clip.sample(4.0, &mut pose);
    let signal_value = |name: &str| {
        let signal = clip.signals.iter().position(|signal| signal.name == name).unwrap();
        pose.signals[signal].clone()
    };
    assert_eq!(signal_value("Subtitle.Text"), Value::Text("The door opens".into()));
    assert_eq!(signal_value("Door.Open"), Value::Bool(true));
}

/// Between their keys, the lanterns stay on their circle and face outwards.
#[test]
fn lanterns_move_on_a_circle() {
    let clip = clip();
    let mut pose = Pose::default();
    for step in 0..240 {
        clip.sample(f64::from(step) * 0.05, &mut pose);
        for (node, pose) in clip.nodes.iter().zip(&pose.nodes) {
            if node.name.starts_with("Lantern") {
                let position = pose.world.translation;
                let radius = position.x.hypot(position.z);
                assert!((radius - 1.3).abs() < 1e-3, "{} {radius} at {step}", node.name);
                let outward = pose.world.rotation * glam::DVec3::X;
                let along = outward.dot(position.with_y(0.0).normalize());
                assert!(along > 0.999, "{} turned by {along} at {step}", node.name);
            }
        }
    }
}
