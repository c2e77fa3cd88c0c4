//! Recordings that are played together.

use std::{cell::RefCell, collections::HashMap, io};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, ConditionKind, Pose, Value},
    diagnostics::Severity,
    formats::{self, DecodeRequest, Failure},
    io::bytes::Sidecars,
};

use crate::scene;
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Writer, sample},
    property::check_property,
};

/// Files by their paths, and which of them were read.
struct Files {
    files: HashMap<String, Vec<u8>>,
    read: RefCell<Vec<String>>,
}

impl Files {
    /// The recordings `walk`, of 10 s, and `day`, of 17.5 s; and these scenes.
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
        formats::decode(
            scene,
            &DecodeRequest::default().format(mutoscope_minecraft::FORMAT_ID).sidecars(self),
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

/// A node's position, its forward direction, and whether it is shown.
fn stands(clip: &Clip, name: &str, time: f64) -> (DVec3, DVec3, bool) {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    let stands = &pose.nodes[node(clip, name)];
    (stands.world.translation, stands.world.rotation * DVec3::NEG_Z, stands.is_visible)
}

fn errors(clip: &Clip) -> Vec<&str> {
    let errors = clip.diagnostics.iter().filter(|notice| notice.severity == Severity::Error);
    errors.map(|notice| &*notice.message).collect()
}

#[test]
fn actors_play_at_their_own_time_and_place() {
    let files = Files::with(&[]);
    let clip = files.clip(&json(
        r#"{"name":"walk","player_name":"Steve"},
           {"name":"walk","time":{"start_delay":1.0},"transformations":{"offset":[0,0,10]}},
           {"name":"day"}"#,
    ));
    assert_eq!(errors(&clip), [""; 0]);
    assert_eq!((clip.version.as_str(), clip.rate_hz), ("scene-v4", Some(20.0)));
    assert_eq!(clip.subject, "Steve and 2 more, 2 entities");
    assert_eq!(clip.span.duration, 17.5, "until the last one ends");
    assert_eq!(files.read.borrow().len(), 2, "each recording is read once");
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["walk", "walk", "day"]);

    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    let mut pose = Pose::default();
    let later = scene(&clip).takes[1].player_node().index();
    for time in [0.0, 0.5, 0.999, 1.0, 1.525, 2.5, 4.0, 10.0] {
        let (first, ahead, shown) = stands(&clip, "walk/player", time);
        let (position, facing, _) = stands(&alone, "player", time);
        assert_eq!((first, ahead, shown), (position, facing, true), "{time}");
        clip.sample(time, &mut pose);
        let other = &pose.nodes[later];
        assert_eq!(other.is_visible, time >= 1.0, "{time}");
        let (position, ..) = stands(&alone, "player", (time - 1.0).max(0.0));
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
    for (ours, theirs) in clip.tracks.iter().zip(&alone.tracks) {
        assert_eq!(ours.property, theirs.property);
        assert_eq!(ours.curve.value(0.5), Value::Null, "not there yet");
        assert_eq!(ours.curve.value(2.25), theirs.curve.value(1.25), "{}", ours.property);
        let times = |track: &mutoscope_core::clip::Track| track.curve.key_times().to_vec();
        let shifted: Vec<_> = times(theirs).iter().map(|time| time + 1.0).collect();
        assert_eq!(times(ours), shifted, "{}", ours.property);
    }
    let delayed: Vec<_> = alone.events.iter().map(|event| event.time + 1.0).collect();
    assert_eq!(clip.events.iter().map(|event| event.time).collect::<Vec<_>>(), delayed);
    assert_eq!(clip.signals[0].name, "walk/player/position");
}

/// An actor's motion is turned as a whole: steps, looks and the head on the body.
#[test]
fn turned_and_mirrored_actors_still_walk_ahead() {
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
        let start = stands(&alone, "player", 0.0).0;
        let begin = stands(&clip, "day/player", 0.0).0;
        for step in 0..100 {
            let time = f64::from(step) * 0.17;
            for name in ["player", "player/head", "entity/0"] {
                let (position, ahead, shown) = stands(&alone, name, time);
                let found = stands(&clip, &format!("day/{name}"), time);
                let place = format!("{transformations}, {name} at {time}");
                assert_eq!(found.2, shown, "{place}");
                assert!(found.1.abs_diff_eq(turned(ahead), 1e-6), "{place}: {}", found.1);
                // A mirrored player is no mirror image: joints keep their own offsets from the
                // player.
                if name != "player/head" {
                    let by = turned(position - start) * scale;
                    assert!((found.0 - begin).abs_diff_eq(by, 1e-6), "{place}: {}", found.0);
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
    let of = |name: &str| pose.nodes[node(&clip, name)].world;
    assert_eq!(of("day/player").scale, DVec3::splat(6.0));
    assert_eq!(of("day/entity/0").scale, DVec3::splat(2.0));
    let high = of("day/player/head").translation.y - of("day/player").translation.y;
    assert!((8.0..10.0).contains(&high), "{high}");
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
    let (_, _, early) = stands(&clip, "intro/walk/player", 2.4);
    let (found, _, shown) = stands(&clip, "intro/walk/player", 2.5);
    assert_eq!((early, shown), (false, true));
    // It is turned about the middle of the block in which the first one was recorded, whatever
    // offset that has, and whatever the scene's own element says of recordings.
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    let start = stands(&alone, "player", 0.0).0;
    let centre = DVec3::new(100.5, 64.0, -200.5);
    let turned =
        |point: DVec3| DVec3::new(2.0 * centre.x - point.x, point.y, 2.0 * centre.z - point.z);
    assert!(found.abs_diff_eq(turned(start + DVec3::X), 1e-9), "{found}");
    let (found, ..) = stands(&clip, "intro/walk/player", 4.5);
    let later = stands(&alone, "player", 2.0).0;
    assert!(found.abs_diff_eq(turned(later + DVec3::X), 1e-9));
    // The other one is turned about the same place.
    let (found, ..) = stands(&clip, "intro/day/player", 2.0);
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
    // In the tick of its end it is put back to its start, and plays again in the next.
    for (time, of) in [(0.25, 0.25), (9.95, 9.95), (10.0, 0.0), (10.05, 0.0), (16.0, 5.95)] {
        let (position, ..) = stands(&alone, "player", of);
        let (found, ..) = stands(&clip, "walk/player", time);
        assert!(found.abs_diff_eq(position, 1e-9), "{time}: {found}, not {position}");
    }
    assert!(stands(&clip, "day/player", 17.4).2);
    assert!(!stands(&clip, "day/player", 17.5).2, "it does not wait for the other's end");
}

#[test]
fn legacy_scenes_are_lines() {
    let files = Files::with(&[]);
    let text = "3\nwalk 1.000000 0.000000 5.000000 0.000000 Steve [null] 0 [null]\nday\n";
    let clip = files.clip(text);
    assert_eq!((clip.version.as_str(), clip.span.duration), ("scene-v3", 17.5));
    assert_eq!(clip.subject, "Steve and RobinWren, 2 entities");
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    // Its first tick runs at once, and the second when the wait is over.
    for (time, of) in [(0.0, 0.0), (0.95, 0.0), (1.0, 0.05), (2.0, 1.05)] {
        let (position, ..) = stands(&alone, "player", of);
        let (found, _, shown) = stands(&clip, "walk/player", time);
        assert!(shown && found.abs_diff_eq(position + DVec3::Y * 5.0, 1e-9), "{time}");
    }
    let recognised = formats::decode(text.as_bytes(), &DecodeRequest::default()).unwrap();
    assert_eq!(recognised.format, mutoscope_minecraft::FORMAT_ID);
}

#[test]
fn missing_files_are_named_and_the_rest_plays() {
    let files =
        Files::with(&[("broken", "{"), ("itself", &json(r#"{"name":".itself"},{"name":"walk"}"#))]);
    let clip = files.clip(&json(
        r#"{"name":"lost"},{"name":".gone"},{"name":"../../etc/passwd"},{"name":".broken"},
           {"name":".itself"},{"name":"lost"},{"name":"walk"},{"surprise":1}"#,
    ));
    let said = errors(&clip);
    for (index, words) in [
        "element 8",
        "\"lost\" is missing",
        "\"gone\" is missing",
        "is not a valid name",
        "\"broken\" cannot be read",
        "\"itself\" contains itself",
    ]
    .iter()
    .enumerate()
    {
        assert!(said[index].contains(words), "{said:?}, not {words}");
    }
    assert_eq!(said.len(), 6, "{said:?}");
    assert_eq!(scene(&clip).missing_elements, 6);
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["itself/walk", "walk"]);

    let alone =
        formats::decode(json(r#"{"name":"walk"}"#).as_bytes(), &DecodeRequest::default()).unwrap();
    assert!(alone.nodes.is_empty() && alone.span.duration == 0.0);
    assert!(errors(&alone)[0].contains("cannot be read here"));
}

/// Each scene plays the next one twice: without a limit this would be a million recordings.
#[test]
fn scene_expansion_is_limited() {
    let twice = |next: &str| json(&format!(r#"{{"name":"{next}"}},{{"name":"{next}"}}"#));
    let scenes: Vec<_> = (0..20)
        .map(|depth| {
            let next = if depth == 14 { "walk".to_owned() } else { format!(".s{}", depth + 1) };
            (format!("s{depth}"), twice(&next))
        })
        .collect();
    let scenes: Vec<_> = scenes.iter().map(|(name, text)| (&**name, &**text)).collect();
    let files = Files::with(&scenes);
    let clip = files.clip(&twice(".s0"));
    assert!(scene(&clip).takes.len() < 600);
    assert!(errors(&clip).iter().any(|said| said.contains("more than 512 elements")));
    // Deeper than is read, but no circle.
    let files = Files::with(&scenes[..14].iter().map(|&(n, t)| (n, t)).collect::<Vec<_>>());
    let clip = files.clip(&json(r#"{"name":".s13"}"#));
    assert!(errors(&clip)[0].contains("\"s14\" is missing"));
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
            let at = random.below(bytes.len());
            let nasty = b"0123459-.eE+{}[]:,\"\n \x00\xff";
            match random.below(3) {
                0 => bytes[at] = nasty[random.below(nasty.len())],
                1 => bytes.insert(at, nasty[random.below(nasty.len())]),
                _ => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(20)))),
            }
        }
        let Ok(clip) = files.decode(&bytes) else { return };
        assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0);
        crate::mutilated::play(&clip);
    });
}

#[test]
fn events_keys_and_conditions_repeat_in_every_loop() {
    let files = Files::with(&[]);
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    // 200 ticks, repeated after one and a delay of 20, as long as the other one plays: 350.
    let clip = files
        .clip(&json(r#"{"name":"walk","time":{"start_delay":1.0,"loop":true}},{"name":"day"}"#));
    let span = clip.span.duration;
    let round = 1.0 + alone.span.duration + 0.05;
    let again = |time: f64| [time + 1.0, time + 1.0 + round];
    let of_walk = |name: &str| name.starts_with("walk/");
    let expected: Vec<f64> = {
        let mut times: Vec<f64> = alone.events.iter().flat_map(|event| again(event.time)).collect();
        times.retain(|time| *time <= span);
        times.sort_by(f64::total_cmp);
        times
    };
    let found = clip
        .events
        .iter()
        .filter(|event| event.owner.is_some_and(|owner| of_walk(clip.owner_name(owner))));
    let found: Vec<f64> = found.map(|event| event.time).collect();
    assert_eq!(found.len(), expected.len());
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(found.iter().zip(&expected).all(close), "{found:?} {expected:?}");

    for (ours, theirs) in clip.tracks.iter().zip(&alone.tracks) {
        let times = theirs.curve.key_times().iter().flat_map(|&time| again(time));
        let count = times.filter(|time| *time <= span).count();
        assert_eq!(ours.curve.key_count(), count, "{}", ours.property);
        for (index, &time) in ours.curve.key_times().iter().enumerate() {
            assert_eq!(ours.curve.key_value(index), ours.curve.value(time), "{}", ours.property);
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
            assert_eq!(
                pose.nodes[node.index()].is_visible,
                holds,
                "{} at {time}",
                clip.nodes[node].name
            );
        }
    }
}

/// A waiting actor is at its start; the changes of its first tick have not happened yet.
#[test]
fn waiting_actors_are_present_before_their_first_tick() {
    let mut writer = Writer::new(&Header { start: [0.5, 64.0, 0.5], ..Header::default() });
    writer.add_entity(7, "{id:\"minecraft:pig\"}", [1.0, 64.0, 2.0]);
    (0..20).for_each(|_| writer.tick());
    let mut files = Files::with(&[]);
    files.files.insert("../recordings/pig.mcmocap_rec".to_owned(), writer.bytes);
    let there = |scene: &str, time: f64| {
        let clip = files.clip(scene);
        ["pig/player", "pig/entity/7"].map(|name| stands(&clip, name, time).2)
    };
    let waits = json(r#"{"name":"pig","time":{"start_delay":0.5,"wait_on_start":1.0}}"#);
    let found = [0.2, 0.7, 1.45, 1.5].map(|time| there(&waits, time));
    assert_eq!(found, [[false; 2], [true, false], [true, false], [true, true]]);
    // Of old, the first tick runs at once.
    assert_eq!(there("3\npig 1.0 0 0 0\n", 0.0), [true, true]);
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
    assert!(fewer.diagnostics.iter().all(|notice| notice.severity == Severity::Info));
    assert!(fewer.events.len() < all.events.len() && !fewer.events.is_empty());
    assert_eq!(entities(&clip("")), [""; 0]);
    let broken = clip("@birds");
    assert_eq!(entities(&broken), [""; 0]);
    assert!(broken.diagnostics.iter().any(|notice| notice.message.contains("not a filter")));
    // The filter of a scene holds for its elements without one.
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
        let places = take.recording.blocks.positions();
        let count = places.filter(|place| take.placement.block_bounds(*place).is_some()).count();
        let said = clip.diagnostics.iter().find(|notice| notice.message.contains("grid"));
        let lost = take.recording.blocks.positions().len() - count;
        let says = |message: &str| message.contains(&format!("{lost} of 3 blocks"));
        assert_eq!(lost > 0, said.is_some_and(|notice| says(&notice.message)), "{scene}");
        count
    };
    let with = |transformations: &str| {
        played(&json(&format!(r#"{{"name":"day","transformations":{{{transformations}}}}}"#)))
    };
    assert_eq!(with(r#""offset":[1,0,0]"#), 3);
    assert_eq!(with(r#""rotation":270"#), 3);
    assert_eq!(with(r#""offset":[0.5,0,0]"#), 0);
    assert_eq!(with(r#""rotation":45"#), 0);
    assert_eq!(with(r#""scale":{"scene_scale":2}"#), 0, "one would become eight");
    let rounded = with(r#""rotation":45,"config":{"round_block_pos":true}"#);
    assert!((1..=3).contains(&rounded), "{rounded}");
    assert_eq!(played("3\nday 0 0.5 0 0\n"), 3, "of old, they were rounded");
}

/// Whatever a scene is called, what is in it tells that it is itself.
#[test]
fn scenes_never_contain_themselves() {
    let round = json(r#"{"name":"walk"},{"name":".round"}"#);
    let files = Files::with(&[("round", &round)]);
    let clip = files.clip(&round);
    assert_eq!(errors(&clip), ["the scene \"round\" contains itself; skipped there"]);
    let names: Vec<_> = scene(&clip).takes.iter().map(|take| take.name.as_str()).collect();
    assert_eq!(names, ["walk"]);
    // Over another, too.
    let there = json(r#"{"name":".back"}"#);
    let back = json(r#"{"name":".there"},{"name":"walk"}"#);
    let files = Files::with(&[("there", &there), ("back", &back)]);
    let clip = files.clip(&there);
    assert_eq!(errors(&clip), ["the scene \"there\" contains itself; skipped there"]);
}

/// Of endless loops one repetition is played; the scene around it ends all the same.
#[test]
fn endless_scenes_play_one_round() {
    let files = Files::with(&[]);
    let loops = |waits: bool| {
        let text = json(&format!(
            r#"{{"name":"walk","time":{{"loop":true,"wait_on_end":0.5,"wait_for_parent_end":{waits}}}}}"#
        ));
        let clip = files.clip(&text);
        let is_said = clip.diagnostics.iter().any(|notice| notice.message.contains("for ever"));
        assert_eq!(is_said, !waits);
        clip.span.duration
    };
    assert_eq!([loops(true), loops(false)], [10.5, 10.5]);
    let empty = files.clip(&json(""));
    assert_eq!((empty.span.duration, empty.nodes.len()), (0.0, 0));
}

/// A scene of which all are gone ends without its own wait.
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

/// Lines of text are played by who plays the scene that they are in.
#[test]
fn lines_in_a_scene_of_json_wait_as_the_current_mod_has_it() {
    let old = "3\nwalk 1.0 0 0 0\n";
    let files = Files::with(&[("old", old)]);
    let clip = files.clip(&json(r#"{"name":".old","time":{"wait_on_start":0.5}}"#));
    assert_eq!(clip.span.duration, 11.5);
    let alone = crate::clip(&fixtures::mcmocap_file("walk_v5"));
    for (time, of) in [(1.0, 0.0), (1.5, 0.0), (1.55, 0.05), (3.0, 1.5)] {
        let (position, ..) = stands(&alone, "player", of);
        assert_eq!(stands(&clip, "old/walk/player", time).0, position, "{time}");
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
fn skins_are_read_or_named_as_missing() {
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
    for (path, words) in [
        ("lost", "\"lost\" is missing"),
        ("odd", "not a PNG of 64"),
        ("../../x", "is not a valid name"),
    ] {
        let clip = clip(path);
        assert!(scene(&clip).takes[0].skin.is_none());
        let warnings =
            clip.diagnostics.iter().filter(|notice| notice.severity == Severity::Warning);
        let warnings: Vec<_> = warnings.map(|notice| notice.message.as_str()).collect();
        assert!(warnings.len() == 1 && warnings[0].contains(words), "{warnings:?}");
    }
}

/// Excessive repetitions are not listed, with a notice.
#[test]
fn events_of_excessive_rounds_are_limited() {
    let mut writer = Writer::new(&Header::default());
    (0..2).for_each(|_| writer.tick());
    let mut files = Files::with(&[]);
    files.files.insert("../recordings/blink.mcmocap_rec".to_owned(), writer.bytes);
    let clip = files.clip(&json(
        r#"{"name":"blink","time":{"loop":true}},{"name":"walk","time":{"start_delay":30000000}}"#,
    ));
    assert!(clip.span.duration > 3e7);
    let told = clip.diagnostics.iter().filter(|notice| notice.message.contains("more often"));
    assert_eq!(told.count(), 1);
    assert!((2..100_000).contains(&scene(&clip).takes[0].rounds.len()));
}
