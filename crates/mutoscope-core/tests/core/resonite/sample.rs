//! The animation in the gallery.

use std::{fs, path::PathBuf};

use mutoscope_core::{
    clip::{Clip, Pose, Value},
    formats::{self, DecodeRequest, FormatId},
};

use crate::resonite::show;

fn path() -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/animj/lantern-show.animj")
}

fn clip() -> Clip {
    formats::decode(show::text().as_bytes(), &DecodeRequest::default()).unwrap()
}

/// After a change of the writer: `cargo test --test resonite -- --ignored`.
#[test]
#[ignore = "writes the file"]
fn write_sample() {
    fs::write(path(), show::text()).unwrap();
}

#[test]
fn sample_is_current() {
    assert!(fs::read_to_string(path()).unwrap() == show::text());
    let clip = clip();
    assert_eq!(clip.format, FormatId::ANIMJ, "recognised by its content alone");
    assert_eq!((clip.name.as_str(), clip.span.duration), ("Lantern show", show::DURATION));
    assert_eq!(clip.notices.iter().next(), None, "Resonite has nothing against it");
}

#[test]
fn sample_covers_the_format() {
    let clip = clip();
    let mut types: Vec<_> = clip.tracks.iter().map(|track| track.curve.type_name()).collect();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types, ["bool", "color", "float", "float3", "floatQ", "int", "string"]);
    assert!(clip.is_loose());
    let mut pose = Pose::default();
    clip.sample(4.0, &mut pose);
    let says = |name: &str| {
        let signal = clip.signals.iter().position(|signal| signal.name == name).unwrap();
        pose.signals[signal].clone()
    };
    assert_eq!(says("Subtitle.Text"), Value::Text("The door opens".into()));
    assert_eq!(says("Door.Open"), Value::Bool(true));
}

/// The lanterns stay on their circle between their keys, and look along it.
#[test]
fn lanterns_move_on_a_circle() {
    let clip = clip();
    let mut pose = Pose::default();
    for step in 0..240 {
        clip.sample(f64::from(step) * 0.05, &mut pose);
        for (node, pose) in clip.nodes.iter().zip(&pose.nodes) {
            if node.name.starts_with("Lantern") {
                let place = pose.world.translation;
                let radius = place.x.hypot(place.z);
                assert!((radius - 1.3).abs() < 1e-3, "{} {radius} at {step}", node.name);
                let outward = pose.world.rotation * glam::DVec3::X;
                let along = outward.dot(place.with_y(0.0).normalize());
                assert!(along > 0.999, "{} turned by {along} at {step}", node.name);
            }
        }
    }
}
