//! Tests of the plugin in an app without a window and without rendering.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod animation;

use std::{fs, path::Path, time::Duration};

use bevy::{
    prelude::*, reflect::TypeRegistry, reflect::serde::TypedReflectDeserializer,
    reflect::serde::TypedReflectSerializer, time::TimeUpdateStrategy, transform::TransformPlugin,
};
use bevy_mutoscope::{RecordingFormats, SkippedGaps, core::clip::Pose, prelude::*};
use mutoscope_core::{
    Convention, FormatId, Handedness, UpAxis,
    clip::{Clip, Content, Event, Skeleton, Span},
    formats::{Decode, Format, FormatSet, ReadOptions, Recognition, SourceFile, decode},
};

const FRAME_S: f64 = 0.1;

/// The events that were triggered, in order.
#[derive(Resource, Default)]
struct Log(Vec<String>);

fn assets() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").display().to_string()
}

/// Creates an app in which each frame takes a tenth of a second.
fn app_in(folder: &str) -> App {
    add_playback(App::new(), folder)
}

fn add_playback(mut app: App, folder: &str) -> App {
    let assets = AssetPlugin { file_path: folder.to_owned(), ..default() };
    app.add_plugins((MinimalPlugins, assets, TransformPlugin, RecordingPlugin))
        .init_resource::<Log>()
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(FRAME_S)))
        .add_observer(|_: On<RecordingLoaded>, mut log: ResMut<Log>| log.0.push("loaded".into()))
        .add_observer(|failed: On<RecordingFailed>, mut log: ResMut<Log>| {
            let failure = failed.failure().map(|failure| failure.error.to_string());
            log.0.push(format!("failed: {}", failure.unwrap_or_else(|| failed.error.to_string())));
        })
        .add_observer(|_: On<PlaybackLooped>, mut log: ResMut<Log>| log.0.push("looped".into()))
        .add_observer(|_: On<PlaybackFinished>, mut log: ResMut<Log>| {
            log.0.push("finished".into());
        })
        .add_observer(|passed: On<RecordingEvent>, mut log: ResMut<Log>| {
            log.0.push(passed.marker().name.clone());
        });
    app
}

fn take_log(app: &mut App) -> Vec<String> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// Runs frames until `is_done`, while assets load in the background.
fn run_until(app: &mut App, mut is_done: impl FnMut(&mut World) -> bool) {
    for _ in 0..20_000 {
        app.update();
        if is_done(app.world_mut()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{:?}", app.world().resource::<Log>().0);
}

fn play(app: &mut App, path: &'static str, settings: fn(&mut ClipLoaderSettings)) -> Entity {
    let server = app.world().resource::<AssetServer>();
    let handle = server.load_builder().with_settings(settings).load(path);
    app.world_mut().spawn(RecordingPlayer(handle)).id()
}

fn play_loaded(app: &mut App, path: &'static str) -> Entity {
    let entity = play(app, path, |_| ());
    run_until(app, |world| world.get::<Recording>(entity).is_some());
    entity
}

fn clip(path: &str) -> Clip {
    let bytes = fs::read(Path::new(&assets()).join(path)).unwrap();
    let registry = RecordingFormats::default().registry();
    decode(SourceFile::new(path, &bytes), &ReadOptions::from(&registry)).unwrap()
}

fn spawn_clip(app: &mut App, clip: Clip) -> Entity {
    let asset = ClipAsset::new(clip);
    let clock = PlaybackClock::for_asset(&asset);
    app.world_mut().spawn((Recording::new(asset), clock)).id()
}

fn clock(app: &mut App, entity: Entity) -> Mut<'_, PlaybackClock> {
    app.world_mut().get_mut(entity).unwrap()
}

#[test]
fn joints_stand_where_the_pose_has_them() {
    for path in ["mrtk/two-hands.bin", "maya/walk-with-hat.anim", "mcmocap/a-day.mcmocap_rec"] {
        let mut app = app_in(&assets());
        let player = play_loaded(&mut app, path);
        let place = Transform::from_xyz(1.0, 2.0, 3.0);
        app.world_mut().entity_mut(player).insert((SpawnJoints, place));
        clock(&mut app, player).pause();
        for time in [0.5, 1.25] {
            clock(&mut app, player).seek(time);
            app.update();
            app.update();
            let world = app.world();
            let recording = world.get::<Recording>(player).unwrap();
            let joints = world.get::<RecordingJoints>(player).unwrap();
            let mut pose = Pose::default();
            recording.clip().sample(time, &mut pose);
            for (id, node) in recording.clip().nodes.with_ids() {
                let joint = joints.get(id).unwrap();
                assert_eq!(world.get::<Joint>(joint).unwrap().node(), id);
                assert_eq!(world.get::<Name>(joint).unwrap().as_str(), node.name);
                let shown = *world.get::<Visibility>(joint).unwrap() != Visibility::Hidden;
                assert_eq!(shown, pose[id].is_visible, "{path}: {}", node.name);
                if pose[id].world.is_finite() {
                    let found = world.get::<GlobalTransform>(joint).unwrap().translation();
                    let expected = pose[id].world.translation.as_vec3() + place.translation;
                    assert!(found.distance(expected) < 1e-4, "{path}: {}: {found}", node.name);
                }
            }
        }
    }
}

#[test]
fn a_box_on_the_right_index_tip_moves_with_it() {
    let mut app = app_in(&assets());
    let player = play_loaded(&mut app, "mrtk/two-hands.bin");
    app.world_mut().entity_mut(player).insert(SpawnJoints);
    app.update();
    let tip = app.world().get::<RecordingJoints>(player).unwrap().named("right/IndexTip").unwrap();
    let attached = app.world_mut().spawn((Transform::default(), ChildOf(tip))).id();
    let head = app.world().get::<RecordingJoints>(player).unwrap().named("camera").unwrap();
    clock(&mut app, player).pause();
    let mut places = Vec::new();
    for time in [1.0, 2.0] {
        clock(&mut app, player).seek(time);
        app.update();
        let place = |entity| app.world().get::<GlobalTransform>(entity).unwrap().translation();
        assert_eq!(place(attached), place(tip));
        assert!(place(attached).distance(place(head)) < 1.0, "a hand is within reach of the head");
        places.push(place(attached));
    }
    assert!(places[0].distance(places[1]) > 0.01);
}

#[test]
fn joints_of_the_same_name_keep_their_entities() {
    let mut app = app_in(&assets());
    let hands = clip("mrtk/two-hands.bin");
    let player = spawn_clip(&mut app, hands.clone());
    app.world_mut().entity_mut(player).insert(SpawnJoints);
    app.update();
    let count = |app: &mut App| app.world_mut().query::<&Joint>().iter(app.world()).count();
    let wrist = |app: &App| app.world().get::<RecordingJoints>(player).unwrap().named("left/Wrist");
    let before = wrist(&app);
    app.world_mut().get_mut::<Recording>(player).unwrap().replace(ClipAsset::new(hands.clone()));
    app.update();
    assert_eq!((wrist(&app), count(&mut app)), (before, hands.nodes.len()));
    // A walk has other nodes, so all joints are new.
    let walk = clip("bvh/walk.bvh");
    let nodes = walk.nodes.len();
    app.world_mut().get_mut::<Recording>(player).unwrap().replace(ClipAsset::new(walk));
    app.update();
    assert_eq!((wrist(&app), count(&mut app)), (None, nodes));
    app.world_mut().entity_mut(player).remove::<SpawnJoints>();
    app.update();
    assert_eq!(count(&mut app), 0);
    assert!(app.world().get::<RecordingJoints>(player).is_none());
}

#[test]
fn settings_of_the_loader_are_those_of_the_command_line() {
    let mut app = app_in(&assets());
    let own = play(&mut app, "bvh/walk.bvh", |_| ());
    run_until(&mut app, |world| world.get::<Recording>(own).is_some());
    let duration =
        |app: &App, entity| app.world().get::<Recording>(entity).unwrap().clip().span.duration;
    let recorded = duration(&app, own);

    let mut app = app_in(&assets());
    let slow = play(&mut app, "bvh/walk.bvh", |settings| settings.frame_rate = Some(10.0));
    let animj = play(&mut app, "animj/arm-swing.animj", |settings| {
        settings.skeleton = Some("animj/arm-swing.glb".to_owned());
    });
    run_until(&mut app, |world| {
        world.get::<Recording>(slow).is_some() && world.get::<Recording>(animj).is_some()
    });
    assert!(duration(&app, slow) > 2.0 * recorded, "{} {recorded}", duration(&app, slow));
    let clip = app.world().get::<Recording>(animj).unwrap().clip().clone();
    assert!(matches!(clip.skeleton, Skeleton::Attached(_)));
}

#[test]
fn skeletons_are_found_in_the_folder() {
    let mut app = app_in(&assets());
    let walk = play_loaded(&mut app, "prime/walk.ANIM");
    let clip = app.world().get::<Recording>(walk).unwrap().clip();
    assert_eq!(clip.skeleton.attached().unwrap().name, "walk.CINF");
}

/// A format that another crate defines. A file has one marker in each line.
static TOY_FORMATS: [Format; 1] = [Format {
    id: FormatId::new("toy"),
    name: "Toy",
    extensions: &["toy"],
    between_keys: "still",
    contents: &[Content::Motion],
    recognise: |bytes| match bytes.starts_with(b"TOY\n") {
        true => Recognition::Certain,
        false => Recognition::No,
    },
    decode: Decode::Whole(|bytes, _, _, _| {
        let convention = Convention::assumed(Handedness::Right, UpAxis::Y);
        let mut clip = Clip::new(TOY_FORMATS[0].id, convention);
        clip.span = Span { start: 0.0, duration: 1.0 };
        let names = String::from_utf8_lossy(bytes);
        let markers = names.lines().skip(1).map(|name| Event {
            time: 0.5,
            name: name.to_owned(),
            ..Event::default()
        });
        clip.events = markers.collect();
        Ok(clip)
    }),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
}];

#[test]
fn registered_formats_are_read_by_their_app_only() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("markers.toy"), "TOY\nclap\n").unwrap();
    let folder = folder.path().display().to_string();
    let toy = FormatSet { formats: &TOY_FORMATS, ..FormatSet::default() };
    let mut early = App::new();
    early.register_recording_format(toy);
    let early = add_playback(early, &folder);
    let mut late = app_in(&folder);
    late.register_recording_format(toy);
    for mut app in [early, late] {
        let player = play_loaded(&mut app, "markers.toy");
        let clip = app.world().get::<Recording>(player).unwrap().clip();
        assert_eq!(clip.format, TOY_FORMATS[0].id);
        assert_eq!(take_log(&mut app), ["loaded"]);
        assert_eq!(run_frames(&mut app, 7), ["clap"]);
    }
    let mut other = app_in(&folder);
    let player = play(&mut other, "markers.toy", |_| ());
    run_until(&mut other, |world| !world.resource::<Log>().0.is_empty());
    assert!(take_log(&mut other)[0].starts_with("failed: "));
    assert!(other.world().get::<Recording>(player).is_none());
}

#[test]
fn files_that_cannot_be_read_are_reported_with_their_reason() {
    let folder = tempfile::tempdir().unwrap();
    let hands = fs::read(Path::new(&assets()).join("mrtk/two-hands.bin")).unwrap();
    fs::write(folder.path().join("short.bin"), &hands[..30]).unwrap();
    fs::write(folder.path().join("noise.bvh"), [0x42; 64]).unwrap();
    let mut app = app_in(&folder.path().display().to_string());
    let entities = [
        play(&mut app, "short.bin", |_| ()),
        play(&mut app, "noise.bvh", |_| ()),
        play(&mut app, "absent.bvh", |_| ()),
    ];
    run_until(&mut app, |world| world.resource::<Log>().0.len() >= 3);
    let mut log = take_log(&mut app);
    log.sort();
    assert!(log.iter().all(|line| line.starts_with("failed: ")), "{log:?}");
    assert!(log.iter().filter(|line| line.contains("at byte")).count() == 2, "{log:?}");
    assert!(log.iter().any(|line| line.contains("absent.bvh")), "{log:?}");
    // The entity is usable: another recording can be played on it.
    let walk = ClipAsset::new(clip("bvh/walk.bvh"));
    let walk = app.world_mut().resource_mut::<Assets<ClipAsset>>().add(walk);
    app.world_mut().get_mut::<RecordingPlayer>(entities[0]).unwrap().0 = walk;
    app.update();
    app.update();
    assert_eq!(take_log(&mut app), ["loaded"]);
    // A player that is spawned after the failure is told too.
    play(&mut app, "short.bin", |_| ());
    run_until(&mut app, |world| !world.resource::<Log>().0.is_empty());
    assert!(take_log(&mut app)[0].contains("at byte"));
}

/// Creates a clip of one second with markers at its start, in its middle and at its end.
fn clip_with_markers(is_looping: bool) -> Clip {
    let mut clip = clip("bvh/walk.bvh");
    clip.is_looping = Some(is_looping);
    clip.span.start = 0.0;
    clip.span.duration = 1.0;
    let marker = |time, name: &str| Event { time, name: name.to_owned(), ..Event::default() };
    clip.events = vec![marker(0.0, "start"), marker(0.45, "middle"), marker(1.0, "end")];
    clip
}

fn run_frames(app: &mut App, count: usize) -> Vec<String> {
    for _ in 0..count {
        app.update();
    }
    take_log(app)
}

#[test]
fn markers_loops_and_ends_are_reported_once() {
    let mut app = app_in(&assets());
    app.update();
    let player = spawn_clip(&mut app, clip_with_markers(false));
    assert_eq!(run_frames(&mut app, 3), ["start"]);
    assert_eq!(run_frames(&mut app, 3), ["middle"]);
    // Seeking passes no markers.
    clock(&mut app, player).seek(0.85);
    let mut log = run_frames(&mut app, 4);
    log.sort();
    assert_eq!(log, ["end", "finished"]);
    assert_eq!(run_frames(&mut app, 4), [""; 0]);

    let player = spawn_clip(&mut app, clip_with_markers(true));
    let log = run_frames(&mut app, 25);
    let count = |name: &str| log.iter().filter(|line| *line == name).count();
    assert_eq!(["start", "middle", "end", "looped"].map(count), [3, 3, 2, 2], "{log:?}");
    clock(&mut app, player).set_looping(Looping::PingPong);
    clock(&mut app, player).seek(0.0);
    let log = run_frames(&mut app, 12);
    let count = |name: &str| log.iter().filter(|line| *line == name).count();
    assert_eq!(["middle", "end", "looped"].map(count), [1, 1, 1], "{log:?}");
    // Backwards, the markers are passed in the other direction.
    clock(&mut app, player).set_looping(Looping::Off);
    clock(&mut app, player).seek(0.7);
    clock(&mut app, player).set_speed(-1.0);
    let mut log = run_frames(&mut app, 9);
    log.sort();
    assert_eq!(log, ["finished", "middle", "start"]);
}

#[test]
fn recordings_follow_one_clock() {
    let mut app = app_in(&assets());
    let shared = app.world_mut().spawn(PlaybackClock::default()).id();
    let hands = play(&mut app, "mrtk/two-hands.bin", |_| ());
    let walk = play(&mut app, "bvh/walk.bvh", |_| ());
    for entity in [hands, walk] {
        app.world_mut().entity_mut(entity).insert(FollowsClock(shared));
    }
    run_until(&mut app, |world| {
        world.get::<Recording>(hands).is_some() && world.get::<Recording>(walk).is_some()
    });
    let spans = [hands, walk].map(|of| app.world().get::<Recording>(of).unwrap().clip().span.end());
    assert_eq!(clock(&mut app, shared).span().end(), spans[0].max(spans[1]));
    assert_eq!(app.world().get::<bevy_mutoscope::ClockFollowers>(shared).unwrap().len(), 2);
    clock(&mut app, shared).pause();
    clock(&mut app, shared).seek(0.25);
    app.update();
    let time = |app: &App, of| app.world().get::<Recording>(of).unwrap().pose().time;
    assert_eq!([hands, walk].map(|of| time(&app, of)), [0.25; 2]);
    assert!(app.world().get::<PlaybackClock>(hands).is_none());
    // Without their clock, the recordings stay where they are.
    app.world_mut().entity_mut(shared).despawn();
    run_frames(&mut app, 3);
    assert_eq!([hands, walk].map(|of| time(&app, of)), [0.25; 2]);
}

#[test]
fn clocks_are_stored_in_scenes() {
    let mut app = app_in(&assets());
    let player = spawn_clip(&mut app, clip_with_markers(true));
    clock(&mut app, player).seek(0.5);
    clock(&mut app, player).set_speed(-2.0);
    clock(&mut app, player).pause();
    let original = clock(&mut app, player).clone();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry: &TypeRegistry = &registry.read();
    let json = serde_json::to_value(TypedReflectSerializer::new(&original, registry)).unwrap();
    assert_eq!((&json["time"], &json["speed"]), (&0.5.into(), &(-2.0).into()));
    let registration = registry.get(std::any::TypeId::of::<PlaybackClock>()).unwrap();
    let read = serde::de::DeserializeSeed::deserialize(
        TypedReflectDeserializer::new(registration, registry),
        json,
    );
    assert_eq!(PlaybackClock::from_reflect(&*read.unwrap()), Some(original));
    for name in [
        std::any::type_name::<RecordingPlayer>(),
        std::any::type_name::<Joint>(),
        std::any::type_name::<SpawnJoints>(),
        std::any::type_name::<FollowsClock>(),
        std::any::type_name::<RecordingAnimation>(),
        std::any::type_name::<SkippedGaps>(),
    ] {
        let registration = registry.get_with_type_path(name);
        assert!(registration.is_some_and(|of| of.data::<ReflectComponent>().is_some()), "{name}");
    }
}

#[test]
fn odd_values_never_panic() {
    let mut app = app_in(&assets());
    let walk = clip_with_markers(true);
    let mut empty = Clip::new(walk.format, walk.convention);
    empty.span = walk.span;
    let player = spawn_clip(&mut app, empty);
    app.world_mut().entity_mut(player).insert(SpawnJoints);
    for speed in [0.0, f64::NAN, f64::INFINITY, -1e300] {
        clock(&mut app, player).set_speed(speed);
        clock(&mut app, player).seek(speed);
        run_frames(&mut app, 2);
    }
    let mut recording = app.world_mut().get_mut::<Recording>(player).unwrap();
    recording.edit_clip(|clip| clip.span.duration = 0.0);
    run_frames(&mut app, 2);
    assert_eq!(app.world().get::<RecordingJoints>(player).unwrap().iter().len(), 0);
    // Joints whose recording was despawned with its children, and a joint of nothing.
    let hands = spawn_clip(&mut app, clip("mrtk/two-hands.bin"));
    app.world_mut().entity_mut(hands).insert(SpawnJoints);
    run_frames(&mut app, 2);
    app.world_mut().entity_mut(hands).despawn();
    run_frames(&mut app, 2);
    assert_eq!(app.world_mut().query::<&Joint>().iter(app.world()).count(), 0);
}

#[test]
fn a_changed_file_is_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.bvh");
    fs::copy(Path::new(&assets()).join("bvh/walk.bvh"), &path).unwrap();
    let mut app = app_in(&folder.path().display().to_string());
    let player = play_loaded(&mut app, "take.bvh");
    let nodes = |world: &World| world.get::<Recording>(player).unwrap().clip().nodes.len();
    let before = nodes(app.world());
    take_log(&mut app);
    let text = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
                End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n1 0 0\n";
    fs::write(&path, text).unwrap();
    app.world().resource::<AssetServer>().reload("take.bvh");
    run_until(&mut app, |world| nodes(world) != before);
    assert_eq!(take_log(&mut app).last().map(String::as_str), Some("loaded"));
    // If the file is damaged, the player keeps what it plays.
    fs::write(&path, "HIERARCHY\n").unwrap();
    app.world().resource::<AssetServer>().reload("take.bvh");
    run_until(&mut app, |world| !world.resource::<Log>().0.is_empty());
    assert!(take_log(&mut app)[0].starts_with("failed: "));
    assert_eq!(nodes(app.world()), 2);
}
