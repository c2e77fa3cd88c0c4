//! Tests the rules of the format one by one.

use mutoscope_core::clip::{Pose, Value};
use mutoscope_minecraft::{Dialect, SampleTime, Slot};

use crate::{clip, recording, scene};
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Stance, Writer},
};

fn writer() -> Writer {
    Writer::new(&Header { start: [0.5, 64.0, 0.5], ..Header::default() })
}

fn stance_at(x: f32) -> Stance {
    Stance { offset: [x, 0.0, 0.0], yaw: 0.0, pitch: 0.0, on_ground: true }
}

fn track_value(clip: &mutoscope_core::clip::Clip, node: &str, property: &str, time: f64) -> Value {
    let found = clip
        .tracks
        .iter()
        .find(|track| clip.owner_name(track.owner) == node && track.property == property);
    found.unwrap_or_else(|| panic!("{node} has no {property}")).curve.value(time)
}

#[test]
fn positions_interpolate_and_states_hold() {
    let mut writer = writer();
    writer.tick();
    writer.tick();
    writer.movement(&stance_at(1.0));
    writer.pose(6);
    writer.tick();
    let clip = clip(&writer.bytes);
    let x = |time| match track_value(&clip, "player", "position", time) {
        Value::Numbers(position) => position[0],
        other => panic!("{other:?}"),
    };
    assert_eq!([0.0, 0.05, 0.1, 0.2, -1.0].map(x), [0.5, 0.5, 1.5, 1.5, 0.5]);
    assert!((x(0.075) - 1.0).abs() < 1e-12);
    assert_eq!(x(0.1 - 5e-7), 1.5, "a time within a microsecond of a frame is that frame");
    let pose = |time| track_value(&clip, "player", "pose", time);
    assert_eq!(pose(0.099), Value::Text("STANDING".into()));
    assert_eq!(pose(0.1), Value::Text("CROUCHING".into()));
}

#[test]
fn respawn_is_a_jump() {
    let mut writer = writer();
    writer.movement(&stance_at(1.0));
    writer.die();
    writer.tick();
    writer.respawn();
    writer.movement(&stance_at(3.0));
    writer.tick();
    let clip = clip(&writer.bytes);
    let mut pose = Pose::default();
    clip.sample(0.025, &mut pose);
    assert_eq!(pose.nodes[0].world.translation.x, 1.5);
    clip.sample(0.05, &mut pose);
    assert_eq!(pose.nodes[0].world.translation.x, 3.5);
}

#[test]
fn entities_exist_from_addition_to_removal() {
    let mut writer = writer();
    writer.tick();
    writer.add_entity(3, "{id:\"minecraft:pig\"}", [1.0, 64.0, 2.0]);
    writer.tick();
    writer.update_entity(3, 2);
    writer.tick();
    writer.begin_entity_action(3);
    writer.swing(false);
    writer.add_entity(3, "{id:\"minecraft:pig\"}", [4.0, 64.0, 2.0]);
    writer.tick();
    writer.update_entity(3, 3);
    (0..30).for_each(|_| writer.tick());
    let clip = clip(&writer.bytes);
    let dead_value = |time| track_value(&clip, "entity/3", "dead", time);
    assert_eq!(
        [0.0, 0.05, 0.1, 0.15, 0.2, 1.0].map(dead_value),
        [
            Value::Null,
            Value::Bool(false),
            Value::Null,
            Value::Bool(false),
            Value::Bool(true),
            Value::Bool(true)
        ]
    );
    let mut pose = Pose::default();
    let node = clip.nodes.iter().position(|node| node.name == "entity/3").unwrap();
    let mut is_shown = |time| {
        clip.sample(time, &mut pose);
        pose.nodes[node].is_visible
    };
    let times = [0.0, 0.05, 0.1, 0.15, 0.2, 1.15, 1.2];
    assert_eq!(times.map(&mut is_shown), [false, true, false, true, true, true, false]);
    let names: Vec<_> = clip.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["add", "remove", "add", "kill"], "a removed entity must not swing");
}

#[test]
fn slots_missing_in_old_versions_keep_their_items() {
    // Version 3 without lists stores numeric item ids: an item in the main hand, then one in the
    // off hand.
    let mut bytes = Writer::new(&Header::default()).bytes[..33].to_vec();
    bytes[0] = 3;
    bytes.push(0);
    let item = |id: i32| [&[1_u8][..], &id.to_be_bytes()].concat();
    bytes.push(4);
    bytes.extend([item(836), vec![0; 5]].concat());
    bytes.push(0);
    bytes.push(4);
    bytes.extend([vec![0], item(1171), vec![0; 4]].concat());
    bytes.push(0);
    for (version, main_hand) in [(3, Some("#836")), (4, None)] {
        bytes[0] = version;
        let clip = clip(&bytes);
        let player = &recording(&clip).player;
        let item = |slot| player.item(slot, 1).map(|item| item.id.to_string());
        assert_eq!(item(Slot::MainHand).as_deref(), main_hand, "version {version}");
        assert_eq!(item(Slot::OffHand).as_deref(), Some("#1171"), "version {version}");
    }
}

#[test]
fn header_variant_is_found_by_the_file_end() {
    let start = &Writer::new(&Header::default()).bytes[..33];
    for plain_profile in [false, true] {
        for extension_flags in [false, true] {
            let mut writer = Writer { bytes: start.to_vec() };
            writer.bytes[0] = -5_i8 as u8;
            // The flags announce packed lengths, a profile, extensions, and a subversion.
            writer.u8(0x02 | 0x10 | 0x20 | 0x40);
            if !plain_profile {
                writer.u8(1);
            }
            writer.string("Steve");
            writer.u8(1);
            writer.string("emotes");
            writer.bytes.extend([0, 2]);
            if extension_flags {
                writer.bytes.extend([0, 0]);
            }
            writer.u8(1);
            (0..20).for_each(|_| writer.tick());
            let clip = clip(&writer.bytes);
            let recording = recording(&clip);
            let layout = format!("{plain_profile} {extension_flags}");
            assert_eq!(recording.dialect, Dialect::Exp5, "{layout}");
            assert_eq!(recording.profile.name.as_deref(), Some("Steve"), "{layout}");
            assert_eq!((recording.ticks, recording.intact), (20, true), "{layout}");
        }
    }
}

#[test]
fn actions_after_the_last_tick_get_a_frame() {
    let mut writer = writer();
    writer.tick();
    writer.movement(&stance_at(2.0));
    let clip = clip(&writer.bytes);
    let recording = recording(&clip);
    assert_eq!((recording.ticks, recording.frames), (1, 2));
    assert_eq!(recording.player.path.sample(SampleTime { frame: 1, t: 0.0 }).position.x, 2.5);
    assert_eq!(clip.span.duration, 0.05);
}

#[test]
fn figure_height_follows_the_pose() {
    let heights = |name: &str, frame: f64| {
        let clip = clip(&fixtures::mcmocap_file(name));
        let mut pose = Pose::default();
        clip.sample(frame / 20.0, &mut pose);
        let height = |node: usize| pose.nodes[node].world.translation.y - 64.0;
        // Nodes 1, 2 and 5 are the head, the body, and the joint of a leg.
        [1, 2, 5].map(height)
    };
    let standing = heights("full_v5", 1.0);
    assert!((standing[0] - 1.407).abs() < 1e-3, "{standing:?}");
    assert!((standing[2] - 0.704).abs() < 1e-3, "{standing:?}");
    let crouching = heights("full_v5", 90.0);
    assert!((standing[0] - crouching[0] - 0.125 - 4.2 * 0.9375 / 16.0).abs() < 1e-3);
    let dead = heights("full_v5", 144.0);
    assert!(dead.iter().all(|height| *height < 0.9), "{dead:?}");
}

#[test]
fn riders_bend_their_legs_forwards() {
    let clip = clip(&fixtures::mcmocap_file("full_v5"));
    let mut pose = Pose::default();
    let mut thigh = |time: f64| {
        clip.sample(time, &mut pose);
        // Node 5 is a leg. The vector is its direction relative to the player.
        pose.nodes[5].local.rotation * glam::DVec3::NEG_Y
    };
    assert!(thigh(2.5).z < -0.9, "legs point forwards while riding");
    assert!(thigh(0.0).y < -0.9, "legs point down while standing");
}

#[test]
fn gaze_follows_the_head() {
    let clip = clip(&fixtures::mcmocap_file("full_v5"));
    let take = &scene(&clip).takes[0];
    let (eye, rotation) = take.eye_transform(SampleTime { frame: 0, t: 0.0 });
    assert!((eye.y - 65.62).abs() < 1e-9);
    let forward = rotation * glam::DVec3::NEG_Z;
    assert!(forward.abs_diff_eq(glam::DVec3::X, 1e-9), "a yaw of −90 is east");
    let (low, _) = take.eye_transform(SampleTime { frame: 90, t: 0.0 });
    assert!((low.y - 65.27).abs() < 1e-9);
}
