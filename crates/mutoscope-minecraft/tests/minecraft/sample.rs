//! Tests the Minecraft recording of the gallery.

use std::{fs, path::PathBuf};

use mutoscope_core::clip::Pose;
use mutoscope_core::decode;

use crate::{clip, recording};
use mutoscope_testing::mcmocap::sample;

fn path() -> PathBuf {
    PathBuf::from(mutoscope_testing::ROOT).join("assets/mcmocap/a-day.mcmocap_rec")
}

/// Run this after a change of the writer: `cargo test -p mutoscope-minecraft --test minecraft --
/// --ignored sample::write_sample`.
#[test]
#[ignore = "writes the file"]
fn write_sample() {
    fs::write(path(), sample::bytes()).unwrap();
}

#[test]
fn sample_is_current() {
    let bytes = fs::read(path()).unwrap();
    assert!(bytes == sample::bytes());
    let clip = decode(&bytes, &crate::options()).unwrap();
    assert_eq!(clip.format, mutoscope_minecraft::FORMAT_ID, "recognised by its content alone");
}

#[test]
fn sample_has_the_expected_content() {
    let clip = clip(&sample::bytes());
    assert!(
        clip.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity == mutoscope_core::diagnostics::Severity::Info)
    );
    let recording = recording(&clip);
    assert!((12.0..20.0).contains(&clip.span.duration), "{} s", clip.span.duration);
    for event_name in ["add", "swing", "crack", "break", "place", "hurt", "die", "chat"] {
        assert!(clip.events.iter().any(|event| event.name == event_name), "{event_name}");
    }
    assert_eq!((recording.entities.len(), recording.death_count()), (2, 1));
    assert_eq!(recording.blocks.positions().len(), 3);
    assert!((10.0..40.0).contains(&recording.distance()), "{} blocks", recording.distance());
}

#[test]
fn entities_have_kinds() {
    let clip = clip(&sample::bytes());
    let kinds = clip.nodes.with_ids().map(|(id, node)| (&*node.name, clip.node_type_label(id)));
    let entity_kinds: Vec<_> =
        kinds.filter_map(|(name, kind)| Some((name, kind?.into_owned()))).collect();
    assert_eq!(entity_kinds, [("entity/0", "cow".to_owned()), ("entity/1", "zombie".to_owned())]);
}

/// Absent players must not be visible, because framing would include them.
#[test]
fn visible_nodes_are_within_world_bounds() {
    let clip = clip(&sample::bytes_with_respawn());
    let mut pose = Pose::default();
    let mut was_hidden = false;
    for step in 0..=1000 {
        clip.sample(clip.span.duration * f64::from(step) / 1000.0, &mut pose);
        let visible_nodes = pose.nodes.iter().filter(|node| node.is_visible);
        for node in visible_nodes {
            let position = node.world.translation;
            assert!((60.0..70.0).contains(&position.y), "{position} at {}", pose.time);
        }
        was_hidden |= !pose.nodes[0].is_visible;
    }
    assert!(was_hidden);
    for event_name in ["remove", "respawn"] {
        assert!(clip.events.iter().any(|event| event.name == event_name), "{event_name}");
    }
}

/// Hidden nodes must not be parked far away, because an export would round large positions to f32.
#[test]
fn all_nodes_stay_near_the_ground() {
    let clip = clip(&sample::bytes());
    let mut pose = Pose::default();
    for step in 0..=1000 {
        clip.sample(clip.span.duration * f64::from(step) / 1000.0, &mut pose);
        for (node, source) in pose.nodes.iter().zip(clip.nodes.iter()) {
            let position = node.world.translation;
            assert!(
                (60.0..70.0).contains(&position.y),
                "{}: {position} at {}",
                source.name,
                pose.time
            );
        }
    }
}
