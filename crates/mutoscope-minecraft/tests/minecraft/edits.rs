//! Tests scenes that are edited and written.

use std::{fs, path::PathBuf};

use glam::DVec3;
use mutoscope_core::{
    SourceFile,
    clip::{Clip, Pose},
    decode,
    io::bytes::FolderSidecars,
};
use mutoscope_minecraft::scene::{ElementEdit, SceneDocument, SceneEdit, Timing};

use crate::scene;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/mcmocap-more");

fn read_all_scenes() -> Vec<(String, Vec<u8>)> {
    let paths = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let is_scene =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "mcmocap_scene");
    let mut paths: Vec<_> = paths.filter(is_scene).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

fn load_scene(name: &str) -> SceneDocument {
    let (_, bytes) = read_all_scenes().into_iter().find(|scene| scene.0 == name).unwrap();
    SceneDocument::read(&bytes).unwrap()
}

/// Decodes a scene as if it were in the folder of all the others.
fn play_scene(bytes: &[u8]) -> Clip {
    let sidecars = FolderSidecars::for_file(&PathBuf::from(FOLDER).join("it.mcmocap_scene"));
    decode(SourceFile::new("", bytes).with_sidecars(&sidecars), &crate::options()).unwrap()
}

fn with_edits(document: &SceneDocument, edits: &[SceneEdit]) -> SceneDocument {
    let mut document = document.clone();
    for edit in edits {
        edit.apply_to(&mut document).unwrap();
    }
    document
}

/// Returns the exact bits of each node's position, or `None` for a hidden node.
fn position_bits(clip: &Clip, tick: f64) -> Vec<Option<[u64; 3]>> {
    let mut pose = Pose::default();
    clip.sample(tick / 20.0, &mut pose);
    let bits = |point: DVec3| point.to_array().map(f64::to_bits);
    pose.nodes.iter().map(|node| node.is_visible.then(|| bits(node.world.translation))).collect()
}

#[test]
fn written_scenes_play_as_before() {
    let mut count = 0;
    for (name, bytes) in read_all_scenes() {
        let document = SceneDocument::read(&bytes).unwrap();
        let text = document.to_json_text();
        let again = SceneDocument::read(text.as_bytes()).unwrap();
        assert_eq!(again.to_json_text(), text, "{name}: writing again must give the same text");
        assert!(again.upgrades().is_empty(), "{name}");
        if !document.upgrades().is_empty() {
            continue;
        }
        let (before, after) = (play_scene(&bytes), play_scene(text.as_bytes()));
        assert_eq!(before.span, after.span, "{name}");
        assert_eq!(before.diagnostics, after.diagnostics, "{name}");
        assert_eq!(before.events, after.events, "{name}");
        let ticks = (before.span.end() * 40.0) as u32;
        for half in 0..=ticks {
            let tick = f64::from(half) / 2.0;
            assert!(
                position_bits(&before, tick) == position_bits(&after, tick),
                "{name} at tick {tick}"
            );
        }
        count += 1;
    }
    assert_eq!(count, 30, "number of scenes in version 4");
}

/// Scenes in the text format must start their recordings at the same tick after the upgrade to
/// version 4.
#[test]
fn upgraded_text_scenes_play_as_before() {
    let mut count = 0;
    for (name, bytes) in read_all_scenes() {
        let document = SceneDocument::read(&bytes).unwrap();
        if document.upgrades().is_empty() || name == "text_nested" {
            continue;
        }
        let (before, after) = (play_scene(&bytes), play_scene(document.to_json_text().as_bytes()));
        assert_eq!(before.span, after.span, "{name}");
        let names = |clip: &Clip| -> Vec<String> {
            clip.nodes.iter().map(|node| node.name.clone()).collect()
        };
        assert_eq!(names(&before), names(&after), "{name}");
        let starts = scene(&before).takes.iter().map(|take| take.cue.start_tick());
        let first = starts.fold(0.0, f64::max);
        let ticks = before.span.end() * 20.0;
        assert!(first < ticks, "{name}");
        for tick in (first as u32)..=(ticks as u32) {
            let tick = f64::from(tick);
            assert!(
                position_bits(&before, tick) == position_bits(&after, tick),
                "{name} at tick {tick}"
            );
        }
        let actors = |clip: &Clip| -> Vec<_> {
            let takes = scene(clip).takes.iter();
            takes
                .map(|take| (take.profile.clone(), take.entity_kind.clone(), take.actor_scale))
                .collect()
        };
        assert_eq!(actors(&before), actors(&after), "{name}");
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn delays_shift_poses_by_whole_ticks() {
    let document = load_scene("trio");
    let before = play_scene(document.to_json_text().as_bytes());
    for (ticks, edit) in [
        (1.0, ElementEdit::StartDelay(0.05)),
        (7.0, ElementEdit::StartDelay(0.35)),
        (7.0, ElementEdit::WaitOnStart(0.35)),
    ] {
        let is_delay = matches!(edit, ElementEdit::StartDelay(_));
        let later = with_edits(&document, &[SceneEdit::Change(1, edit)]);
        let after = play_scene(later.to_json_text().as_bytes());
        let node_range = |clip: &Clip, index: usize| {
            let take = &scene(clip).takes[index];
            let next = scene(clip).takes.get(index + 1);
            let first = take.player_node().index();
            first..next.map_or(clip.nodes.len(), |next| next.player_node().index())
        };
        let (own_nodes, other_nodes) = (node_range(&before, 1), node_range(&before, 0));
        let length = scene(&before).takes[1].recording.ticks;
        for tick in 0..=length {
            let tick = f64::from(tick);
            let (before_bits, after_bits) =
                (position_bits(&before, tick), position_bits(&after, tick + ticks));
            assert!(before_bits[own_nodes.clone()] == after_bits[own_nodes.clone()], "tick {tick}");
            assert!(before_bits[own_nodes.start].is_some());
            assert!(
                before_bits[other_nodes.clone()]
                    == position_bits(&after, tick)[other_nodes.clone()],
                "the delay must not affect the other actor"
            );
        }
        let waiting = position_bits(&after, ticks - 0.5)[own_nodes.start];
        assert_eq!(
            waiting.is_none(),
            is_delay,
            "the actor is hidden during a start delay and visible during a wait"
        );
    }
}

#[test]
fn unknown_members_survive_edits() {
    let text = r#"{"made_by":{"z":1,"a":[1.5,"x"]},"version":4,"subscenes":[
        {"name":"p","surprise":{"later":null},"time":{"loop":true,"mood":"calm"}},
        {"name":7},
        {"name":"q","transformations":{"mirror":"X","config":{"round_block_pos":true}}}],"end":[]}"#;
    let document = SceneDocument::read(text.as_bytes()).unwrap();
    assert_eq!(document.len(), 3);
    let elements = document.elements();
    assert!(elements[1].content.is_err() && elements[0].content.is_ok());
    assert_eq!(elements[2].content.as_ref().unwrap().index, 2);
    let change = |index, edit| SceneEdit::Change(index, edit);
    let later = with_edits(
        &document,
        &[
            change(0, ElementEdit::Loops(false)),
            change(0, ElementEdit::StartDelay(1.0)),
            change(2, ElementEdit::Rotation(90.0)),
            change(2, ElementEdit::Offset(DVec3::new(1.0, 0.0, -0.5))),
            SceneEdit::Add("r".to_owned()),
        ],
    );
    let expected = r#"{"made_by":{"z":1,"a":[1.5,"x"]},"version":4,"subscenes":[
        {"name":"p","surprise":{"later":null},"time":{"mood":"calm","start_delay":1.0}},
        {"name":7},
        {"name":"q","transformations":{"mirror":"X","config":{"round_block_pos":true},
         "rotation":90.0,"offset":[1.0,0.0,-0.5]}},
        {"name":"r"}],"end":[]}"#;
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&later.to_json_text()), json(expected));
    assert!(
        later.to_json_text().starts_with("{\n  \"made_by\": {\n    \"z\": 1,"),
        "members must keep their order"
    );
    let rejected = change(1, ElementEdit::Loops(true)).apply_to(&mut document.clone());
    assert!(rejected.is_err(), "an element that cannot be read must not be changed");
    let removed = with_edits(&document, &[SceneEdit::Remove(1)]);
    assert_eq!(removed.len(), 2);
}

/// Alpha versions stored delay, offset and scale elsewhere, where the current mod does not look.
#[test]
fn alpha_members_are_upgraded() {
    let text = r#"{"version":-4,"subscenes":[
        {"name":"p","start_delay":0.5,"offset":[1,0,0],"scale":{"scene_scale":2},"x":1},
        {"name":"q","start_delay":9,"time":{"wait_on_start":0.25}}]}"#;
    let document = SceneDocument::read(text.as_bytes()).unwrap();
    let expected = r#"{"version":4,"subscenes":[
        {"name":"p","x":1,"time":{"wait_on_start":0.45},
         "transformations":{"offset":[1,0,0],"scale":{"scene_scale":2}}},
        {"name":"q","time":{"wait_on_start":0.25}}]}"#;
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&document.to_json_text()), json(expected));
    assert_eq!(document.upgrades().len(), 2, "{:?}", document.upgrades());
    let (before, after) =
        (play_scene(text.as_bytes()), play_scene(document.to_json_text().as_bytes()));
    for tick in 9..=(before.span.end() * 20.0) as u32 {
        let tick = f64::from(tick);
        assert!(position_bits(&before, tick) == position_bits(&after, tick), "tick {tick}");
    }
}

#[test]
fn invalid_edits_are_rejected() {
    let document = load_scene("trio");
    for edit in [
        SceneEdit::Change(3, ElementEdit::Loops(true)),
        SceneEdit::Change(0, ElementEdit::StartDelay(-0.05)),
        SceneEdit::Change(0, ElementEdit::WaitOnEnd(f64::NAN)),
        SceneEdit::Change(0, ElementEdit::Offset(DVec3::new(0.0, f64::INFINITY, 0.0))),
        SceneEdit::Change(0, ElementEdit::Offset(DVec3::new(0.0, 0.0, f64::NAN))),
        SceneEdit::Change(0, ElementEdit::Rotation(f64::NAN)),
        SceneEdit::Change(0, ElementEdit::EntityFilter(Some("a cow".to_owned()))),
        SceneEdit::Change(0, ElementEdit::PlayerName(Some("ThisNameIsFarTooLong".to_owned()))),
        SceneEdit::Add("../p".to_owned()),
        SceneEdit::Remove(3),
    ] {
        let mut edited = document.clone();
        assert!(edit.apply_to(&mut edited).is_err(), "{edit:?}");
        assert_eq!(edited, document, "{edit:?}");
    }
}

#[test]
fn dragging_changes_the_existing_delay() {
    let timing =
        |start_delay, wait_on_start| Timing { start_delay, wait_on_start, ..Timing::default() };
    let moved = |start, wait, by| ElementEdit::shift_start(&timing(start, wait), by);
    assert_eq!(moved(0.0, 0.0, 0.5), ElementEdit::StartDelay(0.5));
    assert_eq!(moved(0.0, 1.0, 0.5), ElementEdit::WaitOnStart(1.5));
    assert_eq!(moved(1.0, 1.0, -3.0), ElementEdit::StartDelay(0.0));
    assert_eq!(moved(1.0, 1.0, -3.0).start_shift(&timing(1.0, 1.0)), -1.0);
}
