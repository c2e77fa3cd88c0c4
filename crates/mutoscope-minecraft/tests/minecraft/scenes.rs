//! Tests scenes, which play several recordings together.

use std::{cell::RefCell, collections::HashMap, io};

use glam::DVec3;
use mutoscope_core::{
    SourceFile,
    clip::{Clip, ConditionKind, Pose, Value},
    diagnostics::Severity,
    formats::Failure,
    io::bytes::Sidecars,
};

use crate::scene;
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Writer, sample},
    property::check_property,
};

/// Files by path, with a list of the files that were read.
struct Files {
    files: HashMap<String, Vec<u8>>,
    read: RefCell<Vec<String>>,
}

impl Files {
    /// Adds the recordings `walk` (10 s) and `day` (17.5 s) to the given scenes.
    fn with(scenes: &[(&str, &str)]) -> Self {
        let walk = fixtures::mcmocap_file("walk_v5");
        let recordings = [("walk", walk), ("day", sample::bytes_with_respawn())];
        let mut files: HashMap<_, _> = recordings
            .map(|(name, bytes)| (format!("../recordings/{name}.mcmocap_rec"), bytes))
            .into();
        for (name, text) in scenes {
            files.insert(format!("{name}.mcmocap_scene"), text.as_bytes().to_vec());
        }
        Self { files, read: RefCell::default() }
    }

    fn clip(&self, scene: &str) -> Clip {
        self.decode(scene.as_bytes()).unwrap()
    }

    fn decode(&self, scene: &[u8]) -> Result<Clip, Failure> {
        mutoscope_core::decode(
            SourceFile::new("", scene).with_sidecars(self),
            &crate::options().with_format(mutoscope_minecraft::FORMAT_ID),
        )
    }
}

impl Sidecars for Files {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        self.read.borrow_mut().push(name.to_owned());
        Ok(bytes.clone())
    }
}

fn json(subscenes: &str) -> String {
    format!(r#"{{"version":4,"subscenes":[{subscenes}]}}"#)
}

fn node(clip: &Clip, name: &str) -> usize {
    clip.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// Returns a node's position, its forward direction, and its visibility.
fn sample_node(clip: &Clip, name: &str, time: f64) -> (DVec3, DVec3, bool) {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    let node_pose = &pose.nodes[node(clip, name)];
    (node_pose.world.translation, node_pose.world.rotation * DVec3::NEG_Z, node_pose.is_visible)
}

fn codes(clip: &Clip, severity: Severity) -> Vec<&'static str> {
    let listed = clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
    listed.map(|diagnostic| diagnostic.code.as_str()).collect()
}

fn errors(clip: &Clip) -> Vec<&'static str> {
    codes(clip, Severity::Error)
}

#[test]
fn actors_play_at_their_own_time_and_position() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","player_name":"Steve"},
           {"name":"walk","time":{"start_delay":1.0},"transformations":{"offset":[0,0,10]}},
           {"name":"day"}"#,
    ));
    assert_eq!(errors(&clip), [""; 0]);
    assert_eq!((clip.version.as_str(), clip.rate_hz), ("scene-v4", Some(20.0)));
    assert_eq!(clip.subject, "Steve and 2 more, 2 entities");
    assert_eq!(clip.span.duration, 17.5, "a scene lasts until its last recording ends");
    assert_eq!(files.read.borrow().len(), 2, "each recording must be read only once");
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["walk", "walk", "day"]);

    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    let mut pose = Pose::default();
    let later = scene(&clip).takes[1].player_node().index();
    for time in [0.0, 0.5, 0.999, 1.0, 1.525, 2.5, 4.0, 10.0] {
        let (first, forward, shown) = sample_node(&clip, "walk/player", time);
        let (position, facing, _) = sample_node(&alone, "player", time);
        assert_eq!((first, forward, shown), (position, facing, true), "{time}");
        clip.sample(time, &mut pose);
        let other = &pose.nodes[later];
        assert_eq!(other.is_visible, time >= 1.0, "{time}");
        let (position, ..) = sample_node(&alone, "player", (time - 1.0).max(0.0));
        let found = other.world.translation;
        assert!(found.abs_diff_eq(position + DVec3::Z * 10.0, 1e-9), "{time}: {found}");
    }
}

#[test]
fn scene_tracks_follow_scene_time() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","time":{"start_delay":1.0},"transformations":{"offset":[0,0,10]}}"#,
    ));
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    assert_eq!(clip.tracks.len(), alone.tracks.len());
    for (scene_track, own_track) in clip.tracks.iter().zip(&alone.tracks) {
        assert_eq!(scene_track.property, own_track.property);
        assert_eq!(
            scene_track.curve.value(0.5),
            Value::Null,
            "tracks have no value before the actor appears"
        );
        assert_eq!(
            scene_track.curve.value(2.25),
            own_track.curve.value(1.25),
            "{}",
            scene_track.property
        );
        let times = |track: &mutoscope_core::clip::Track| track.curve.key_times().to_vec();
        let shifted: Vec<_> = times(own_track).iter().map(|time| time + 1.0).collect();
        assert_eq!(times(scene_track), shifted, "{}", scene_track.property);
    }
    let delayed: Vec<_> = alone.events.iter().map(|event| event.time + 1.0).collect();
    assert_eq!(clip.events.iter().map(|event| event.time).collect::<Vec<_>>(), delayed);
    assert_eq!(clip.signals[0].name, "walk/player/position");
}

/// The whole motion is transformed: steps, looks, and the head on the body.
#[test]
fn rotated_and_mirrored_actors_walk_forwards() {
    let files = Files::with(&[]);
    let alone = crate::clip(&sample::bytes_with_respawn());
    let cases = [
        (r#""rotation":90"#, [[0.0, -1.0], [1.0, 0.0]], 1.0),
        (r#""mirror":"x""#, [[-1.0, 0.0], [0.0, 1.0]], 1.0),
        (r#""mirror":"z""#, [[1.0, 0.0], [0.0, -1.0]], 1.0),
        (r#""mirror":"xz","scale":{"scene_scale":2}"#, [[-1.0, 0.0], [0.0, -1.0]], 2.0),
    ];
    for (transformations, [[xx, xz], [zx, zz]], scale) in cases {
        let clip = files
            .clip(&json(&format!(r#"{{"name":"day","transformations":{{{transformations}}}}}"#)));
        let turned = |by: DVec3| DVec3::new(xx * by.x + xz * by.z, by.y, zx * by.x + zz * by.z);
        let start = sample_node(&alone, "player", 0.0).0;
        let begin = sample_node(&clip, "day/player", 0.0).0;
        for step in 0..100 {
            let time = f64::from(step) * 0.17;
            for name in ["player", "player/head", "entity/0"] {
                let (position, forward, shown) = sample_node(&alone, name, time);
                let found = sample_node(&clip, &format!("day/{name}"), time);
                let label = format!("{transformations}, {name} at {time}");
                assert_eq!(found.2, shown, "{label}");
                assert!(found.1.abs_diff_eq(turned(forward), 1e-6), "{label}: {}", found.1);
                // Mirroring affects only the path. The joints keep their own offsets from the
                // player, so skip the head's position.
                if name != "player/head" {
                    let by = turned(position - start) * scale;
                    assert!((found.0 - begin).abs_diff_eq(by, 1e-6), "{label}: {}", found.0);
                }
            }
        }
    }
}

#[test]
fn scaled_actors_are_larger() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"day","transformations":{"scale":{"player_scale":3,"scene_scale":2}}}"#,
    ));
    let mut pose = Pose::default();
    clip.sample(0.5, &mut pose);
    let world = |name: &str| pose.nodes[node(&clip, name)].world;
    assert_eq!(world("day/player").scale, DVec3::splat(6.0));
    assert_eq!(world("day/entity/0").scale, DVec3::splat(2.0));
    let head_height = world("day/player/head").translation.y - world("day/player").translation.y;
    assert!((8.0..10.0).contains(&head_height), "{head_height}");
}

#[test]
fn nested_scene_transforms_compose() {
    let intro = json(
        r#"{"name":"walk","time":{"start_delay":0.5},"transformations":{"offset":[1,0,0]}},
           {"name":"day"}"#,
    );
    let files = Files::with(&[("intro", &intro)]);
    let clip = files.clip(&json(
        r#"{"name":".intro","player_name":"Alex","time":{"start_delay":2.0},
            "transformations":{"rotation":180,"config":{"recording_center":"actual"}}}"#,
    ));
    assert_eq!(errors(&clip), [""; 0]);
    assert_eq!(clip.span.duration, 19.5);
    assert_eq!(clip.subject, "Alex and Alex, 2 entities");
    let (_, _, early) = sample_node(&clip, "intro/walk/player", 2.4);
    let (found, _, shown) = sample_node(&clip, "intro/walk/player", 2.5);
    assert_eq!((early, shown), (false, true));
    // The nested scene is rotated about the centre of the block in which its first recording
    // starts. Neither that recording's offset nor `recording_center` matters.
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    let start = sample_node(&alone, "player", 0.0).0;
    let centre = DVec3::new(100.5, 64.0, -200.5);
    let turned =
        |point: DVec3| DVec3::new(2.0 * centre.x - point.x, point.y, 2.0 * centre.z - point.z);
    assert!(found.abs_diff_eq(turned(start + DVec3::X), 1e-9), "{found}");
    let (found, ..) = sample_node(&clip, "intro/walk/player", 4.5);
    let later = sample_node(&alone, "player", 2.0).0;
    assert!(found.abs_diff_eq(turned(later + DVec3::X), 1e-9));
    // The second recording is rotated about the same point.
    let (found, ..) = sample_node(&clip, "intro/day/player", 2.0);
    let about = turned(DVec3::new(8.5, found.y, 8.5));
    assert!(found.abs_diff_eq(about, 1e-6), "{found} {about}");
}

#[test]
fn loops_last_as_long_as_other_actors() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","time":{"loop":true}},{"name":"day","time":{"wait_for_parent_end":false}}"#,
    ));
    assert_eq!(clip.span.duration, 17.5);
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    // In the tick of its end the actor is back at its start. It plays again in the next tick.
    for (time, clip_time) in [(0.25, 0.25), (9.95, 9.95), (10.0, 0.0), (10.05, 0.0), (16.0, 5.95)] {
        let (position, ..) = sample_node(&alone, "player", clip_time);
        let (found, ..) = sample_node(&clip, "walk/player", time);
        assert!(found.abs_diff_eq(position, 1e-9), "{time}: {found}, expected {position}");
    }
    assert!(sample_node(&clip, "day/player", 17.4).2);
    assert!(!sample_node(&clip, "day/player", 17.5).2, "`day` must not wait for the end of `walk`");
}

#[test]
fn legacy_text_scenes_are_read() {
    let files = Files::with(&[]);
    let text = "3\nwalk 1.000000 0.000000 5.000000 0.000000 Steve [null] 0 [null]\nday\n";
    let clip = files.clip(text);
    assert_eq!((clip.version.as_str(), clip.span.duration), ("scene-v3", 17.5));
    assert_eq!(clip.subject, "Steve and RobinWren, 2 entities");
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    // In the legacy format the first tick runs at once, and the second one after the wait.
    for (time, clip_time) in [(0.0, 0.0), (0.95, 0.0), (1.0, 0.05), (2.0, 1.05)] {
        let (position, ..) = sample_node(&alone, "player", clip_time);
        let (found, _, shown) = sample_node(&clip, "walk/player", time);
        assert!(shown && found.abs_diff_eq(position + DVec3::Y * 5.0, 1e-9), "{time}");
    }
    let recognised = mutoscope_core::decode(text.as_bytes(), &crate::options()).unwrap();
    assert_eq!(recognised.format, mutoscope_minecraft::FORMAT_ID);
}

#[test]
fn missing_files_are_reported_and_the_rest_plays() {
    let files =
        Files::with(&[("broken", "{"), ("itself", &json(r#"{"name":".itself"},{"name":"walk"}"#))]);
    let clip = files.clip(&json(
        r#"{"name":"lost"},{"name":".gone"},{"name":"../../etc/passwd"},{"name":".broken"},
           {"name":".itself"},{"name":"lost"},{"name":"walk"},{"surprise":1}"#,
    ));
    let expected = [
        "invalid-element",
        "file-missing",
        "file-missing",
        "invalid-name",
        "file-unreadable",
        "nested-scene",
    ];
    assert_eq!(errors(&clip), expected.map(|code| format!("minecraft/{code}")));
    assert_eq!(scene(&clip).missing_elements, 6);
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["itself/walk", "walk"]);

    let alone =
        mutoscope_core::decode(json(r#"{"name":"walk"}"#).as_bytes(), &crate::options()).unwrap();
    assert!(alone.nodes.is_empty() && alone.span.duration == 0.0);
    assert_eq!(errors(&alone), ["minecraft/file-unreadable"]);
}

/// Each scene plays the next one twice. Without a limit, the file would expand to 65,536
/// recordings.
#[test]
fn scene_expansion_is_limited() {
    let play_twice = |next: &str| json(&format!(r#"{{"name":"{next}"}},{{"name":"{next}"}}"#));
    let scenes: Vec<_> = (0..20)
        .map(|depth| {
            let next = if depth == 14 { "walk".to_owned() } else { format!(".s{}", depth + 1) };
            (format!("s{depth}"), play_twice(&next))
        })
        .collect();
    let scenes: Vec<_> = scenes.iter().map(|(name, text)| (&**name, &**text)).collect();
    let files = Files::with(&scenes);
    let clip = files.clip(&play_twice(".s0"));
    assert!(scene(&clip).takes.len() < 600);
    assert_eq!(errors(&clip), ["minecraft/scene-too-large"]);
    // Scene s14 is missing here, which must be reported as such, not as a limit.
    let files = Files::with(&scenes[..14].iter().map(|&(n, t)| (n, t)).collect::<Vec<_>>());
    let clip = files.clip(&json(r#"{"name":".s13"}"#));
    assert_eq!(errors(&clip)[0], "minecraft/file-missing");
}

#[test]
fn corrupted_scenes_never_panic() {
    let intro = json(r#"{"name":"walk","time":{"loop":true}},{"name":".intro"}"#);
    let files = Files::with(&[("intro", &intro)]);
    let texts = [
        json(
            r#"{"name":".intro","transformations":{"rotation":-90,"mirror":"z","scale":{"scene_scale":3},
                "config":{"round_block_pos":true,"recording_center":"block_corner","center_offset":
                [1,0,-2],"scene_center":{"type":"common_specific","specific_str":"002-.intro"}}},
                "player_skin":{"skin_source":"from_file","skin_path":"list/all"}},
               {"name":".intro","transformations":{"offset":[0.5,1,0],"config":{"scene_center":
                {"type":"individual"}}},"player_as_entity":{"id":"cow","nbt":"{Age:-1}"}}"#,
        ),
        json(
            r#"{"name":"walk","transformations":{"rotation":1e2,"mirror":"xz","scale":
                {"player_scale":2,"scene_scale":0.5},"offset":[1,2,3]},"time":{"start_delay":0.5,
                "wait_on_start":1,"wait_on_end":2,"wait_for_parent_end":false,"loop":true},
                "entity_filter":"@mobs;-minecraft:cow"},
               {"name":".intro","time":{"loop":true,"wait_on_start":3}}"#,
        ),
        "3\nwalk 1.5 0 5 0 Steve [null] 0 [null]\n.intro 2 0 0 0\nday 0.1\n".to_owned(),
    ];
    check_property(|random| {
        let mut bytes = texts[random.below(texts.len())].clone().into_bytes();
        for _ in 0..1 + random.below(4) {
            let offset = random.below(bytes.len());
            let edge_bytes = b"0123459-.eE+{}[]:,\"\n \x00\xff";
            match random.below(3) {
                0 => bytes[offset] = edge_bytes[random.below(edge_bytes.len())],
                1 => bytes.insert(offset, edge_bytes[random.below(edge_bytes.len())]),
                _ => drop(bytes.drain(offset..bytes.len().min(offset + 1 + random.below(20)))),
            }
        }
        let Ok(clip) = files.decode(&bytes) else { return };
        assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0);
        crate::mutilated::sample_everything(&clip);
    });
}

#[test]
fn events_keys_and_conditions_repeat_in_every_loop() {
    let files = Files::with(&[]);
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    // A round has 200 ticks, one tick to rewind, and a delay of 20. Rounds repeat until the other
    // recording ends at tick 350.
    let clip = files
        .clip(&json(r#"{"name":"walk","time":{"start_delay":1.0,"loop":true}},{"name":"day"}"#));
    let span = clip.span.duration;
    let round_s = 1.0 + alone.span.duration + 0.05;
    let repetitions = |time: f64| [time + 1.0, time + 1.0 + round_s];
    let is_of_walk = |name: &str| name.starts_with("walk/");
    let expected: Vec<f64> = {
        let mut times: Vec<f64> =
            alone.events.iter().flat_map(|event| repetitions(event.time)).collect();
        times.retain(|time| *time <= span);
        times.sort_by(f64::total_cmp);
        times
    };
    let found = clip
        .events
        .iter()
        .filter(|event| event.owner.is_some_and(|owner| is_of_walk(clip.owner_name(owner))));
    let found: Vec<f64> = found.map(|event| event.time).collect();
    assert_eq!(found.len(), expected.len());
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(found.iter().zip(&expected).all(is_close), "{found:?} {expected:?}");

    for (scene_track, own_track) in clip.tracks.iter().zip(&alone.tracks) {
        let times = own_track.curve.key_times().iter().flat_map(|&time| repetitions(time));
        let count = times.filter(|time| *time <= span).count();
        assert_eq!(scene_track.curve.key_count(), count, "{}", scene_track.property);
        for (index, &time) in scene_track.curve.key_times().iter().enumerate() {
            assert_eq!(
                scene_track.curve.key_value(index),
                scene_track.curve.value(time),
                "{}",
                scene_track.property
            );
        }
    }
    let mut pose = Pose::default();
    let conditions = clip.conditions();
    assert!(conditions.len() > 4);
    for tick in 0..350 {
        let time = f64::from(tick) / 20.0;
        clip.sample(time, &mut pose);
        for presence in conditions.iter().filter(|one| one.kind == ConditionKind::Presence) {
            let holds = presence.spans.iter().any(|&(from, to)| (from..to).contains(&time));
            let node = presence.node;
            assert_eq!(pose[node].is_visible, holds, "{} at {time}", clip.nodes[node].name);
        }
    }
}

/// A waiting actor is at its start, but the changes of its first tick have not happened yet.
#[test]
fn waiting_actors_are_present_before_their_first_tick() {
    let mut writer = Writer::new(&Header { start: [0.5, 64.0, 0.5], ..Header::default() });
    writer.add_entity(7, "{id:\"minecraft:pig\"}", [1.0, 64.0, 2.0]);
    (0..20).for_each(|_| writer.tick());
    let mut files = Files::with(&[]);
    files.files.insert("../recordings/pig.mcmocap_rec".to_owned(), writer.bytes);
    let visibility = |scene: &str, time: f64| {
        let clip = files.clip(scene);
        ["pig/player", "pig/entity/7"].map(|name| sample_node(&clip, name, time).2)
    };
    let waiting_scene = json(r#"{"name":"pig","time":{"start_delay":0.5,"wait_on_start":1.0}}"#);
    let found = [0.2, 0.7, 1.45, 1.5].map(|time| visibility(&waiting_scene, time));
    assert_eq!(found, [[false; 2], [true, false], [true, false], [true, true]]);
    // In the legacy format, the first tick runs at once.
    assert_eq!(visibility("3\npig 1.0 0 0 0\n", 0.0), [true, true]);
}

#[test]
fn filters_drop_entities_with_tracks_and_events() {
    let files = Files::with(&[]);
    let clip = |filter: &str| {
        files.clip(&json(&format!(r#"{{"name":"day","entity_filter":"{filter}"}}"#)))
    };
    let entities = |clip: &Clip| {
        let kinds = clip.nodes.with_ids().filter_map(|(id, _)| clip.node_type_label(id));
        kinds.map(|kind| kind.into_owned()).collect::<Vec<_>>()
    };
    let all = clip("*");
    assert_eq!(entities(&all), ["cow", "zombie"]);
    let fewer = clip("@mobs;-minecraft:zombie");
    assert_eq!(entities(&fewer), ["cow"]);
    assert!(fewer.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Info));
    assert!(fewer.events.len() < all.events.len() && !fewer.events.is_empty());
    assert_eq!(entities(&clip("")), [""; 0]);
    let broken = clip("@birds");
    assert_eq!(entities(&broken), [""; 0]);
    assert_eq!(codes(&broken, Severity::Warning), ["minecraft/invalid-option"]);
    // The filter of a nested scene applies to its elements that have no filter.
    let files = Files::with(&[("intro", &json(r#"{"name":"day"}"#))]);
    let nested = files.clip(&json(r#"{"name":".intro","entity_filter":"minecraft:cow"}"#));
    assert_eq!(entities(&nested), ["cow"]);
}

#[test]
fn blocks_off_the_grid_are_skipped_and_reported() {
    let files = Files::with(&[]);
    let played = |scene: &str| {
        let clip = files.clip(scene);
        let take = &crate::scene(&clip).takes[0];
        let positions = take.recording.blocks.positions();
        let count =
            positions.filter(|position| take.placement.block_bounds(*position).is_some()).count();
        let mut diagnostics = clip.diagnostics.iter();
        let reported = diagnostics.find(|one| one.code.as_str() == "minecraft/blocks-off-grid");
        let reported = reported.and_then(|one| one.value("count")?.as_u64()).unwrap_or(0);
        let lost = take.recording.blocks.positions().len() - count;
        assert_eq!(reported, lost as u64, "{scene}");
        count
    };
    let with = |transformations: &str| {
        played(&json(&format!(r#"{{"name":"day","transformations":{{{transformations}}}}}"#)))
    };
    assert_eq!(with(r#""offset":[1,0,0]"#), 3);
    assert_eq!(with(r#""rotation":270"#), 3);
    assert_eq!(with(r#""offset":[0.5,0,0]"#), 0);
    assert_eq!(with(r#""rotation":45"#), 0);
    assert_eq!(
        with(r#""scale":{"scene_scale":2}"#),
        0,
        "at twice the size, a block would cover eight cells"
    );
    let rounded = with(r#""rotation":45,"config":{"round_block_pos":true}"#);
    assert!((1..=3).contains(&rounded), "{rounded}");
    assert_eq!(played("3\nday 0 0.5 0 0\n"), 3, "the legacy format rounds block positions");
}

/// A scene is recognised by its content, because its file may have any name.
#[test]
fn scenes_that_contain_themselves_are_skipped() {
    let round = json(r#"{"name":"walk"},{"name":".round"}"#);
    let files = Files::with(&[("round", &round)]);
    let clip = files.clip(&round);
    assert_eq!(errors(&clip), ["minecraft/nested-scene"]);
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["walk"]);
    // A cycle through another scene is found too.
    let there_scene = json(r#"{"name":".back"}"#);
    let back_scene = json(r#"{"name":".there"},{"name":"walk"}"#);
    let files = Files::with(&[("there", &there_scene), ("back", &back_scene)]);
    let clip = files.clip(&there_scene);
    assert_eq!(errors(&clip), ["minecraft/nested-scene"]);
}

/// Endless loops play one round, so that the scene around them ends.
#[test]
fn endless_scenes_play_one_round() {
    let files = Files::with(&[]);
    let loops = |waits_for_parent: bool| {
        let text = json(&format!(
            r#"{{"name":"walk","time":{{"loop":true,"wait_on_end":0.5,"wait_for_parent_end":{waits_for_parent}}}}}"#
        ));
        let clip = files.clip(&text);
        let expected: &[&str] = if waits_for_parent { &[] } else { &["minecraft/endless-loop"] };
        assert_eq!(codes(&clip, Severity::Warning), expected);
        clip.span.duration
    };
    assert_eq!([loops(true), loops(false)], [10.5, 10.5]);
    let empty = files.clip(&json(""));
    assert_eq!((empty.span.duration, empty.nodes.len()), (0.0, 0));
}

/// If all actors have left, a scene ends without its own wait.
#[test]
fn scene_without_actors_skips_its_wait() {
    let gone = json(r#"{"name":"walk","time":{"wait_for_parent_end":false,"wait_on_end":0.25}}"#);
    let left = json(r#"{"name":"walk"}"#);
    let files = Files::with(&[("gone", &gone), ("left", &left)]);
    let duration = |name: &str| {
        let text = json(&format!(r#"{{"name":".{name}","time":{{"wait_on_end":2}}}}"#));
        files.clip(&text).span.duration
    };
    assert_eq!([duration("gone"), duration("left")], [10.25, 12.0]);
}

/// A nested legacy scene uses the timing of the JSON scene that contains it.
#[test]
fn nested_legacy_scenes_use_the_current_timing() {
    let old = "3\nwalk 1.0 0 0 0\n";
    let files = Files::with(&[("old", old)]);
    let clip = files.clip(&json(r#"{"name":".old","time":{"wait_on_start":0.5}}"#));
    assert_eq!(clip.span.duration, 11.5);
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    for (time, clip_time) in [(1.0, 0.0), (1.5, 0.0), (1.55, 0.05), (3.0, 1.5)] {
        let (position, ..) = sample_node(&alone, "player", clip_time);
        assert_eq!(sample_node(&clip, "old/walk/player", time).0, position, "{time}");
    }
}

#[test]
fn scenes_may_set_another_players_skin() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","player_name":"Alex","player_skin":
           {"skin_source":"from_player","skin_path":"Steve"}}"#,
    ));
    let profile = &scene(&clip).takes[0].profile;
    assert_eq!(profile.name.as_deref(), Some("Alex"));
    assert_eq!((profile.skin_owner.as_deref(), profile.skin_url.as_deref()), (Some("Steve"), None));
}

#[test]
fn players_may_be_shown_as_a_baby_entity() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","player_as_entity":{"id":"minecraft:cow","nbt":"{Age:-1}"}}"#,
    ));
    let take = &scene(&clip).takes[0];
    assert_eq!(take.entity_kind.as_deref(), Some("minecraft:cow"));
    assert_eq!(take.entity_size().map(|size| size.height), Some(0.7));
}

#[test]
fn skins_are_read_or_reported_as_missing() {
    let mut files = Files::with(&[]);
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40".to_vec();
    files.files.insert("../skins/red.png".to_owned(), png.clone());
    files.files.insert("../skins/slim/blue.png".to_owned(), png.clone());
    png[23] = 0x41;
    files.files.insert("../skins/odd.png".to_owned(), png.clone());
    let clip = |path: &str| {
        files.clip(&json(&format!(
            r#"{{"name":"walk","player_skin":{{"skin_source":"from_file","skin_path":"{path}"}}}}"#
        )))
    };
    for (path, slim) in [("red", false), ("slim/blue", true)] {
        let clip = clip(path);
        let take = &scene(&clip).takes[0];
        assert_eq!((take.skin.is_some(), take.profile.slim), (true, slim), "{path}");
    }
    for path in ["lost", "odd", "../../x"] {
        let clip = clip(path);
        assert!(scene(&clip).takes[0].skin.is_none());
        assert_eq!(codes(&clip, Severity::Warning), ["minecraft/skin-unreadable"], "{path}");
    }
}

/// Repetitions beyond the limit are not listed, but reported.
#[test]
fn repeated_events_are_limited() {
    let mut writer = Writer::new(&Header::default());
    (0..2).for_each(|_| writer.tick());
    let mut files = Files::with(&[]);
    files.files.insert("../recordings/blink.mcmocap_rec".to_owned(), writer.bytes);
    let clip = files.clip(&json(
        r#"{"name":"blink","time":{"loop":true}},{"name":"walk","time":{"start_delay":30000000}}"#,
    ));
    assert!(clip.span.duration > 3e7);
    assert_eq!(codes(&clip, Severity::Warning), ["minecraft/repetitions-skipped"]);
    assert!((2..100_000).contains(&scene(&clip).takes[0].rounds.len()));
}
