//! Tests recordings that are rewritten as version 5. Our decoder and the independent reader
//! `read_v5.py` read the result, which is compared with what another independent reader found in
//! the originals.

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::{Diagnostics, Severity},
};
use mutoscope_minecraft::{
    self, Actor, Dialect, Recording, Slot, rewrite_mcmocap,
    scene::EntityFilter,
    write::{RewriteOptions, Rewritten, rewrite},
};
use serde_json::Value;

use crate::{clip, recording};
use mutoscope_testing::{
    fixtures::{self, McmocapFixture},
    mcmocap::{Header, Writer, sample},
    needs,
    property::check_property,
};

fn rewrite_file(bytes: &[u8], options: &RewriteOptions) -> Rewritten {
    let document = mutoscope_minecraft::decode(bytes, &mut Diagnostics::new()).unwrap();
    rewrite(&document, options).unwrap()
}

fn full_options() -> RewriteOptions {
    RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() }
}

/// Returns the output of the independent reader.
fn read_independently(name: &str, bytes: &[u8]) -> Value {
    let reader = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/minecraft/read_v5.py");
    let mut command = Command::new("python3");
    command.arg(reader).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    let feeding = std::thread::spawn(move || input.write_all(&bytes).unwrap());
    let ran = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// Returns the number of frames by which entities lag behind the player. Old versions of the mod
/// wrote entity actions one tick late.
fn entity_lag(dialect: Dialect) -> u32 {
    u32::from(matches!(dialect, Dialect::V3 | Dialect::V4))
}

/// Returns `true` for files that contain every action in an order that the mod never writes. It is
/// unknown which of their actions are a tick late.
fn is_out_of_order(name: &str) -> bool {
    name.starts_with("sink_v4")
}

/// Returns `true` if a dialect stores angles as coarsely as version 5.
fn has_coarse_angles(dialect: Dialect) -> bool {
    dialect >= Dialect::Alpha5
}

/// Asserts that two actors have equal states, in frame `from` of the old one and frame `to` of the
/// new one.
fn assert_equal_actors(
    label: &str,
    [old, new]: [&Actor; 2],
    [from, to]: [u32; 2],
    is_coarse: bool,
) {
    let [before, after] = [old.path.at_frame(from), new.path.at_frame(to)];
    assert_eq!(before.position, after.position, "{label}: positions must be equal to the last bit");
    let tolerance = if is_coarse { 0.0 } else { 360.0 / 65536.0 };
    let angles =
        [(before.yaw, after.yaw), (before.pitch, after.pitch), (before.head_yaw, after.head_yaw)];
    for (before, after) in angles {
        let difference = (before - after).rem_euclid(360.0);
        assert!(difference.min(360.0 - difference) <= tolerance, "{label}: {before}, {after}");
    }
    assert_eq!(old.on_ground.at_frame(from), new.on_ground.at_frame(to), "{label}");
    assert_eq!(old.pose.at_frame(from), new.pose.at_frame(to), "{label}");
    assert_eq!(old.entity_flags.at_frame(from), new.entity_flags.at_frame(to), "{label}");
    assert_eq!(old.living_flags.at_frame(from), new.living_flags.at_frame(to), "{label}");
    assert_eq!(old.main_hand_right.at_frame(from), new.main_hand_right.at_frame(to), "{label}");
    assert_eq!(old.arrows.at_frame(from), new.arrows.at_frame(to), "{label}");
    assert_eq!(old.stingers.at_frame(from), new.stingers.at_frame(to), "{label}");
    assert_eq!(old.dead.at_frame(from), new.dead.at_frame(to), "{label}");
    assert_eq!(old.bed.at_frame(from), new.bed.at_frame(to), "{label}");
    assert_eq!(old.spectator.at_frame(from), new.spectator.at_frame(to), "{label}");
    assert_eq!(old.data.at_frame(from), new.data.at_frame(to), "{label}");
    for slot in Slot::ALL {
        // Items with only a numeric id cannot be written, so they are missing.
        let named = old.item(slot, from).filter(|item| !item.id.starts_with('#'));
        assert_eq!(named, new.item(slot, to), "{label}, {slot:?}");
    }
}

fn assert_equal_frames(name: &str, old: &Recording, new: &Recording, from: u32, frames: u32) {
    let (lag, is_coarse) = (entity_lag(old.dialect), has_coarse_angles(old.dialect));
    for frame in 0..frames {
        let label = format!("{name}, frame {frame}");
        let old_frame = from + frame;
        assert_equal_actors(&label, [&old.player, &new.player], [old_frame, frame], is_coarse);
        if is_out_of_order(name) {
            continue;
        }
        let vehicle = old.vehicle.at_frame(old_frame + lag);
        assert_eq!(vehicle, new.vehicle.at_frame(frame), "{label}");
        for entity in &old.entities {
            let new_entity = new.entity(entity.id);
            let label = format!("{label}, entity {}", entity.id);
            let is_shown = new_entity.is_some_and(|new_entity| new_entity.is_shown(frame));
            assert_eq!(entity.is_shown(old_frame + lag), is_shown, "{label}");
            if let Some(new_entity) = new_entity.filter(|new_entity| new_entity.is_shown(frame)) {
                assert_equal_actors(
                    &label,
                    [&entity.actor, &new_entity.actor],
                    [old_frame + lag, frame],
                    is_coarse,
                );
            }
        }
    }
}

#[test]
fn rewritten_recordings_keep_every_frame() {
    for McmocapFixture { name, bytes, .. } in fixtures::mcmocap_fixtures() {
        let old = clip(&bytes);
        let old = recording(&old);
        let written = rewrite_file(&bytes, &full_options());
        let new = clip(&written.bytes);
        assert!(
            new.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Info),
            "{name}"
        );
        let new = recording(&new);
        assert_eq!((new.dialect, new.intact), (Dialect::V5, true), "{name}");
        assert_eq!((&new.dimension, &new.profile), (&old.dimension, &old.profile), "{name}");
        let fall_ticks = if old.ends_with_death { 20 } else { 0 };
        assert_eq!(
            (new.ticks, written.ticks),
            (old.ticks + fall_ticks, old.ticks + fall_ticks),
            "{name}"
        );
        assert_equal_frames(&name, old, new, 0, old.ticks);
        let last = old.ticks;
        assert_eq!(
            *new.player.dead.at_frame(last),
            old.ends_with_death || *old.player.dead.at_frame(last)
        );
        assert_eq!(
            rewrite_file(&written.bytes, &full_options()).bytes,
            written.bytes,
            "{name}: rewriting twice must give the same bytes"
        );
    }
}

/// Derived poses must be equal between frames as well.
#[test]
fn rewritten_poses_are_bit_identical() {
    for name in ["walk_alpha5", "full_exp5", "full_v5", "sink_alpha5"] {
        let bytes = fixtures::mcmocap_file(name);
        let [old, new] = [clip(&bytes), clip(&rewrite_file(&bytes, &full_options()).bytes)];
        let (mut before, mut after) = (Pose::default(), Pose::default());
        for step in 0..=(old.span.duration * 60.0) as u32 {
            let time = f64::from(step) / 60.0;
            old.sample(time, &mut before);
            new.sample(time, &mut after);
            for ((node, before), after) in old.nodes.iter().zip(&before.nodes).zip(&after.nodes) {
                assert_eq!(
                    (before.is_visible, before.world),
                    (after.is_visible, after.world),
                    "{name}, {} at {time}",
                    node.name
                );
            }
        }
        let event_values = |clip: &Clip| {
            let events = clip.events.iter().map(|event| (event.name.clone(), event.value.clone()));
            events.collect::<Vec<_>>()
        };
        assert_eq!(event_values(&old), event_values(&new), "{name}");
    }
}

/// Recordings of the mod itself must not grow or be reported.
#[test]
fn version_5_recordings_are_rewritten_without_messages() {
    for name in ["walk_v5", "full_v5", "unicode_v5"] {
        let bytes = fixtures::mcmocap_file(name);
        let again = rewrite_file(&bytes, &RewriteOptions::default());
        assert!(again.bytes.len() <= bytes.len(), "{name}");
        assert!(again.messages.is_empty(), "{name}: {:?}", again.messages);
    }
}

#[needs(python3)]
#[test]
fn independent_reader_agrees_with_rewritten_files() {
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let old = clip(&bytes);
        let Recording { dialect, ticks, .. } = *recording(&old);
        if ticks > 40 {
            let range = RewriteOptions { frames: Some(40..=60), ..full_options() };
            read_independently(&name, &rewrite_file(&bytes, &range).bytes);
        }
        let written = rewrite_file(&bytes, &full_options());
        let found = read_independently(&name, &written.bytes);
        let frames = expected["frames"].as_array().unwrap();
        let ticks = expected["header"]["ticks"].as_u64().unwrap() as usize;
        assert_eq!(found["frames"].as_array().unwrap().len() as u32, written.ticks, "{name}");
        let lag = entity_lag(dialect) as usize;
        for tick in 0..ticks {
            let label = format!("{name}, tick {tick}");
            let (found, expected) = (&found["frames"][tick], &frames[tick]);
            assert_actor_json(&label, found, expected, dialect);
            assert_eq!(found["dead"], expected["dead"], "{label}");
            let Some(expected) = frames.get(tick + lag).filter(|_| !is_out_of_order(&name)) else {
                continue;
            };
            assert_eq!(found["vehicle"], expected["vehicle"], "{label}");
            for (id, expected) in expected["entities"].as_object().unwrap() {
                let label = format!("{label}, entity {id}");
                let found = &found["entities"][id];
                assert_actor_json(&label, found, expected, dialect);
                assert_eq!(found["alive"], expected["alive"], "{label}");
            }
        }
    }
}

fn assert_actor_json(label: &str, found: &Value, expected: &Value, dialect: Dialect) {
    for axis in 0..3 {
        assert_eq!(found["pos"][axis].as_f64(), expected["pos"][axis].as_f64(), "{label}");
    }
    let tolerance = if has_coarse_angles(dialect) { 0.0 } else { 360.0 / 65536.0 };
    for angle in ["yaw", "pitch", "headYaw"] {
        let [found, expected] = [found, expected].map(|one| one[angle].as_f64().unwrap());
        let difference = (found - expected).rem_euclid(360.0);
        assert!(
            difference.min(360.0 - difference) <= tolerance,
            "{label}, {angle}: {found}, expected {expected}"
        );
    }
    let same = [
        "onGround",
        "pose",
        "entityFlags",
        "livingFlags",
        "mainHandRight",
        "arrows",
        "stingers",
        "spectator",
        "sleepingPos",
    ];
    for key in same {
        assert_eq!(found[key], expected[key], "{label}, {key}");
    }
    for field in ["flag1", "flag2", "byte1", "int1", "int2", "int3", "float1"] {
        assert_eq!(found["data"][field], expected["data"][field], "{label}, {field}");
    }
    for (slot, expected) in expected["items"].as_object().unwrap() {
        let is_named = !expected["id"].as_str().unwrap_or_default().starts_with("num:");
        let expected = if is_named { expected } else { &Value::Null };
        assert_eq!(&found["items"][slot], expected, "{label}, {slot}");
    }
}

#[test]
fn range_starts_with_the_complete_state() {
    for McmocapFixture { name, bytes, .. } in fixtures::mcmocap_fixtures() {
        let old = clip(&bytes);
        let old = recording(&old);
        for (from, to) in [(1, 9), (40, 60), (55, 55), (90, u32::MAX), (0, 30)] {
            if from >= old.ticks {
                continue;
            }
            let label = format!("{name}, {from} to {to}");
            let options = RewriteOptions { frames: Some(from..=to), ..full_options() };
            let written = rewrite_file(&bytes, &options);
            let new = clip(&written.bytes);
            assert!(
                new.diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Info),
                "{label}"
            );
            let count = to.min(old.ticks - 1) - from + 1;
            let dies = old.ends_with_death && to >= old.ticks - 1;
            assert_eq!(written.ticks, count + if dies { 20 } else { 0 }, "{label}");
            assert_equal_frames(&label, old, recording(&new), from, count);
        }
        let beyond = RewriteOptions { frames: Some(old.frames..=u32::MAX), ..full_options() };
        let document = mutoscope_minecraft::decode(&bytes, &mut Diagnostics::new()).unwrap();
        assert!(
            rewrite(&document, &beyond).is_err(),
            "{name}: a range after the last frame must be rejected"
        );
    }
}

#[test]
fn damaged_recordings_end_at_the_last_valid_action() {
    for name in ["full_v5", "sink_alpha5", "full_v3"] {
        let bytes = fixtures::mcmocap_file(name);
        let old = clip(&bytes);
        for length in (200..bytes.len()).step_by(97) {
            let cut = &bytes[..length];
            let document = mutoscope_minecraft::decode(cut, &mut Diagnostics::new()).unwrap();
            let written = rewrite(&document, &full_options()).unwrap();
            let label = format!("{name}, {length} bytes");
            let is_reported =
                written.messages.iter().any(|(_, message)| message.contains("damaged at"));
            assert_eq!(is_reported, document.stopped.is_some(), "{label}");
            let new = clip(&written.bytes);
            let new = recording(&new);
            assert!(new.intact && new.ticks >= document.ticks, "{label}");
            for frame in 0..document.ticks {
                let [before, after] =
                    [recording(&old), new].map(|one| one.player.path.at_frame(frame).position);
                assert_eq!(before, after, "{label}, frame {frame}");
            }
        }
    }
}

#[test]
fn numeric_only_items_are_rejected_or_skipped_and_reported() {
    let bytes = fixtures::mcmocap_file("sink_v2");
    let document = mutoscope_minecraft::decode(&bytes, &mut Diagnostics::new()).unwrap();
    let refusal = rewrite(&document, &RewriteOptions::default()).unwrap_err();
    assert!(refusal.message().contains("have only numeric ids"), "{refusal}");
    let written = rewrite(&document, &full_options()).unwrap();
    let new = clip(&written.bytes);
    assert_eq!(recording(&new).blocks.positions().len(), 0);
    for text in ["of items without names", "of blocks without names"] {
        let is_reported = written.messages.iter().any(|(_, message)| message.contains(text));
        assert!(is_reported, "{text}: {:?}", written.messages);
    }
}

#[test]
fn entities_can_be_dropped_or_replaced() {
    let bytes = sample::bytes_with_respawn();
    let filter = EntityFilter::parse("@mobs;-minecraft:zombie");
    let written =
        rewrite_file(&bytes, &RewriteOptions { entities: filter, ..RewriteOptions::default() });
    let kinds = |bytes: &[u8]| {
        let clip = clip(bytes);
        recording(&clip).entities.iter().map(|entity| entity.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&written.bytes), ["minecraft:cow"]);
    assert!(written.messages.iter().any(|(_, message)| message == "1 entity skipped"));
    let renamed = RewriteOptions {
        kinds: vec![("minecraft:cow".to_owned(), "minecraft:mooshroom".to_owned())],
        ..RewriteOptions::default()
    };
    let written = rewrite_file(&bytes, &renamed).bytes;
    assert_eq!(kinds(&written), ["minecraft:mooshroom", "minecraft:zombie"]);
    let first_entity_yaw =
        |bytes: &[u8]| recording(&clip(bytes)).entities[0].actor.path.at_frame(6).yaw;
    assert_eq!(
        first_entity_yaw(&written),
        first_entity_yaw(&bytes),
        "the yaw of a replaced entity must not change"
    );
}

/// Old versions stored head rotations in separate actions, and omitted items.
#[test]
fn separate_legacy_actions_are_merged() {
    let mut writer = Writer::default();
    writer.u8(2);
    [0.5, 64.0, 0.5].iter().for_each(|&number| writer.f64(number));
    writer.f32(0.0);
    writer.f32(0.0);
    for tick in 0..3_u8 {
        writer.u8(1);
        [0.25, 0.0, 0.0].iter().for_each(|&number| writer.f64(number));
        writer.f32(10.0);
        writer.f32(f32::from(tick) * 45.0);
        writer.u8(1);
        writer.u8(2);
        writer.f32(f32::from(tick) * 45.0 + 22.5);
        writer.tick();
    }
    let written = rewrite_file(&writer.bytes, &RewriteOptions::default());
    let found: Vec<u8> = written.bytes[34..].to_vec();
    // Action 21 is a movement. Each tick must have one movement that holds x as f32 and all three
    // angles. y does not change.
    let movements = found.iter().filter(|byte| **byte == 21).count();
    assert_eq!((movements, written.ticks), (3, 3), "{found:?}");
    let new = clip(&written.bytes);
    let stand = recording(&new).player.path.at_frame(2);
    assert_eq!((stand.position.x, stand.yaw, stand.head_yaw), (1.25, 90.0, 112.5));
}

/// Every readable recording can be written, and the result is valid.
#[test]
fn corrupted_recordings_are_rewritten_validly() {
    let small = |fixture: &McmocapFixture| fixture.bytes.len() < 6000;
    let mut files: Vec<_> = fixtures::mcmocap_fixtures()
        .into_iter()
        .filter(small)
        .map(|fixture| fixture.bytes)
        .collect();
    files.push(sample::bytes_with_respawn());
    let header = Header { start: [0.5, 64.0, 0.5], ..Header::default() };
    files.push(Writer::new(&header).bytes);
    check_property(|random| {
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(6) {
            let offset = random.below(bytes.len());
            let edge_values = [0, 1, 4, 16, 17, 21, 22, 0x7f, 0x80, 0xff, random.below(256) as u8];
            match random.below(3) {
                0 => bytes[offset] = edge_values[random.below(edge_values.len())],
                1 => bytes.insert(offset, edge_values[random.below(edge_values.len())]),
                _ => drop(bytes.drain(offset..bytes.len().min(offset + 1 + random.below(9)))),
            }
            if bytes.is_empty() {
                return;
            }
        }
        let Ok(document) = mutoscope_minecraft::decode(&bytes, &mut Diagnostics::new()) else {
            return;
        };
        let from = random.below(40) as u32;
        let frames = (random.below(2) == 0).then(|| from..=from + random.below(50) as u32);
        let Ok(written) = rewrite(&document, &RewriteOptions { frames, ..full_options() }) else {
            return;
        };
        let mut diagnostics = Diagnostics::new();
        let again = mutoscope_minecraft::decode(&written.bytes, &mut diagnostics).unwrap();
        assert!(again.stopped.is_none() && !again.has_trailing_actions, "{:?}", again.stopped);
        assert_eq!(again.ticks, written.ticks);
        assert!(diagnostics.worst_severity() < Some(Severity::Warning), "{diagnostics:?}");
    });
}

/// Such a recording was cut off before its first tick ended.
#[test]
fn recordings_without_ticks_can_be_rewritten() {
    let header = Header { name: "RobinWren", ..Header::default() };
    let bytes = Writer::new(&header).bytes;
    for range in [None, Some(0.0..=2.0), Some(-1.0..=0.5), Some(0.0..=0.0)] {
        let mut diagnostics = Diagnostics::new();
        let (written, report) =
            rewrite_mcmocap(&bytes, range.as_ref(), full_options(), &mut diagnostics).unwrap();
        assert!(report.remarks()[0].message.starts_with("version 5, 0 ticks"), "{report:?}");
        assert_eq!(recording(&clip(&written)).ticks, 0);
    }
}
