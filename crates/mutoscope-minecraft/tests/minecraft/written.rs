//! Recordings rewritten as version 5: read back by ourselves, and by an independent reader,
//! `read_v5.py`, which is compared with what another independent reader makes of the originals.

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    sync::OnceLock,
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
    property::check_property,
};

fn rewritten(bytes: &[u8], how: &RewriteOptions) -> Rewritten {
    let document = mutoscope_minecraft::decode(bytes, &mut Diagnostics::new()).unwrap();
    rewrite(&document, how).unwrap()
}

fn whole() -> RewriteOptions {
    RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() }
}

/// The result of the independent reader for a file; nothing where there is no Python.
fn read_by_others(name: &str, bytes: &[u8]) -> Option<Value> {
    static HAS_PYTHON: OnceLock<bool> = OnceLock::new();
    let has_python = HAS_PYTHON.get_or_init(|| {
        let found = Command::new("python3").arg("--version").output();
        let has_it = found.is_ok_and(|found| found.status.success());
        if !has_it {
            eprintln!("skipped: python3 is missing, which the independent reader is written in");
        }
        has_it
    });
    if !has_python {
        return None;
    }
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
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

/// How far the frame of entities is from that of the player in a file of a dialect: the mod of old
/// wrote what they do a tick late.
fn late(dialect: Dialect) -> u32 {
    u32::from(matches!(dialect, Dialect::V3 | Dialect::V4))
}

/// Whether a file is made of all actions that there are in no order that the mod would write them
/// in: which of them are a tick late is unknown.
fn is_out_of_order(name: &str) -> bool {
    name.starts_with("sink_v4")
}

/// Whether its angles are as coarse as those of version 5.
fn has_coarse_angles(dialect: Dialect) -> bool {
    dialect >= Dialect::Alpha5
}

/// The frames in which two actors are the same.
fn assert_same(place: &str, [old, new]: [&Actor; 2], [at, to]: [u32; 2], is_coarse: bool) {
    let [was, is] = [old.path.at_frame(at), new.path.at_frame(to)];
    assert_eq!(was.position, is.position, "{place}: to the last bit");
    let near = if is_coarse { 0.0 } else { 360.0 / 65536.0 };
    let angles = [(was.yaw, is.yaw), (was.pitch, is.pitch), (was.head_yaw, is.head_yaw)];
    for (was, is) in angles {
        let off = (was - is).rem_euclid(360.0);
        assert!(off.min(360.0 - off) <= near, "{place}: {was}, {is}");
    }
    assert_eq!(old.on_ground.at_frame(at), new.on_ground.at_frame(to), "{place}");
    assert_eq!(old.pose.at_frame(at), new.pose.at_frame(to), "{place}");
    assert_eq!(old.entity_flags.at_frame(at), new.entity_flags.at_frame(to), "{place}");
    assert_eq!(old.living_flags.at_frame(at), new.living_flags.at_frame(to), "{place}");
    assert_eq!(old.main_hand_right.at_frame(at), new.main_hand_right.at_frame(to), "{place}");
    assert_eq!(old.arrows.at_frame(at), new.arrows.at_frame(to), "{place}");
    assert_eq!(old.stingers.at_frame(at), new.stingers.at_frame(to), "{place}");
    assert_eq!(old.dead.at_frame(at), new.dead.at_frame(to), "{place}");
    assert_eq!(old.bed.at_frame(at), new.bed.at_frame(to), "{place}");
    assert_eq!(old.spectator.at_frame(at), new.spectator.at_frame(to), "{place}");
    assert_eq!(old.data.at_frame(at), new.data.at_frame(to), "{place}");
    for slot in Slot::ALL {
        // Items without a name are not written.
        let named = old.item(slot, at).filter(|item| !item.id.starts_with('#'));
        assert_eq!(named, new.item(slot, to), "{place}, {slot:?}");
    }
}

fn assert_same_frames(name: &str, old: &Recording, new: &Recording, from: u32, frames: u32) {
    let (lag, is_coarse) = (late(old.dialect), has_coarse_angles(old.dialect));
    for frame in 0..frames {
        let place = format!("{name}, frame {frame}");
        let was = from + frame;
        assert_same(&place, [&old.player, &new.player], [was, frame], is_coarse);
        if is_out_of_order(name) {
            continue;
        }
        let vehicle = old.vehicle.at_frame(was + lag);
        assert_eq!(vehicle, new.vehicle.at_frame(frame), "{place}");
        for entity in &old.entities {
            let there = new.entity(entity.id);
            let place = format!("{place}, entity {}", entity.id);
            let is_shown = there.is_some_and(|there| there.is_shown(frame));
            assert_eq!(entity.is_shown(was + lag), is_shown, "{place}");
            if let Some(there) = there.filter(|there| there.is_shown(frame)) {
                assert_same(&place, [&entity.actor, &there.actor], [was + lag, frame], is_coarse);
            }
        }
    }
}

#[test]
fn rewritten_recordings_keep_every_frame() {
    for McmocapFixture { name, bytes, .. } in fixtures::mcmocap_fixtures() {
        let old = clip(&bytes);
        let old = recording(&old);
        let written = rewritten(&bytes, &whole());
        let new = clip(&written.bytes);
        assert!(new.diagnostics.iter().all(|notice| notice.severity == Severity::Info), "{name}");
        let new = recording(&new);
        assert_eq!((new.dialect, new.intact), (Dialect::V5, true), "{name}");
        assert_eq!((&new.dimension, &new.profile), (&old.dimension, &old.profile), "{name}");
        let falls = if old.ends_with_death { 20 } else { 0 };
        assert_eq!((new.ticks, written.ticks), (old.ticks + falls, old.ticks + falls), "{name}");
        assert_same_frames(&name, old, new, 0, old.ticks);
        let last = old.ticks;
        assert_eq!(
            *new.player.dead.at_frame(last),
            old.ends_with_death || *old.player.dead.at_frame(last)
        );
        assert_eq!(
            rewritten(&written.bytes, &whole()).bytes,
            written.bytes,
            "{name}: once is enough"
        );
    }
}

/// Drawn poses follow, too, between frames as in them.
#[test]
fn rewritten_poses_are_bit_identical() {
    for name in ["walk_alpha5", "full_exp5", "full_v5", "sink_alpha5"] {
        let bytes = fixtures::mcmocap_file(name);
        let [old, new] = [clip(&bytes), clip(&rewritten(&bytes, &whole()).bytes)];
        let (mut was, mut is) = (Pose::default(), Pose::default());
        for step in 0..=(old.span.duration * 60.0) as u32 {
            let time = f64::from(step) / 60.0;
            old.sample(time, &mut was);
            new.sample(time, &mut is);
            for ((node, was), is) in old.nodes.iter().zip(&was.nodes).zip(&is.nodes) {
                assert_eq!(
                    (was.is_visible, was.world),
                    (is.is_visible, is.world),
                    "{name}, {} at {time}",
                    node.name
                );
            }
        }
        let words = |clip: &Clip| {
            let said = clip.events.iter().map(|event| (event.name.clone(), event.value.clone()));
            said.collect::<Vec<_>>()
        };
        assert_eq!(words(&old), words(&new), "{name}");
    }
}

/// Recordings written by the mod are unchanged, byte for byte.
#[test]
fn version_5_recordings_are_unchanged() {
    for name in ["walk_v5", "full_v5", "unicode_v5"] {
        let bytes = fixtures::mcmocap_file(name);
        let again = rewritten(&bytes, &RewriteOptions::default());
        assert!(again.bytes.len() <= bytes.len(), "{name}");
        assert!(again.messages.is_empty(), "{name}: {:?}", again.messages);
    }
}

/// Another reader finds in what is written what yet another found in the original.
#[test]
fn independent_reader_agrees_with_rewritten_files() {
    for McmocapFixture { name, bytes, expected } in fixtures::mcmocap_fixtures() {
        let dialect = recording(&clip(&bytes)).dialect;
        let written = rewritten(&bytes, &whole());
        let Some(found) = read_by_others(&name, &written.bytes) else { return };
        let frames = expected["frames"].as_array().unwrap();
        let ticks = expected["header"]["ticks"].as_u64().unwrap() as usize;
        assert_eq!(found["frames"].as_array().unwrap().len() as u32, written.ticks, "{name}");
        let lag = late(dialect) as usize;
        for tick in 0..ticks {
            let place = format!("{name}, tick {tick}");
            let (found, expected) = (&found["frames"][tick], &frames[tick]);
            check_actor(&place, found, expected, dialect);
            assert_eq!(found["dead"], expected["dead"], "{place}");
            let Some(expected) = frames.get(tick + lag).filter(|_| !is_out_of_order(&name)) else {
                continue;
            };
            assert_eq!(found["vehicle"], expected["vehicle"], "{place}");
            for (id, expected) in expected["entities"].as_object().unwrap() {
                let place = format!("{place}, entity {id}");
                let found = &found["entities"][id];
                check_actor(&place, found, expected, dialect);
                assert_eq!(found["alive"], expected["alive"], "{place}");
            }
        }
    }
}

fn check_actor(place: &str, found: &Value, expected: &Value, dialect: Dialect) {
    for axis in 0..3 {
        assert_eq!(found["pos"][axis].as_f64(), expected["pos"][axis].as_f64(), "{place}");
    }
    let near = if has_coarse_angles(dialect) { 0.0 } else { 360.0 / 65536.0 };
    for angle in ["yaw", "pitch", "headYaw"] {
        let [found, expected] = [found, expected].map(|one| one[angle].as_f64().unwrap());
        let off = (found - expected).rem_euclid(360.0);
        assert!(off.min(360.0 - off) <= near, "{place}, {angle}: {found}, not {expected}");
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
        assert_eq!(found[key], expected[key], "{place}, {key}");
    }
    for field in ["flag1", "flag2", "byte1", "int1", "int2", "int3", "float1"] {
        assert_eq!(found["data"][field], expected["data"][field], "{place}, {field}");
    }
    for (slot, expected) in expected["items"].as_object().unwrap() {
        let is_named = !expected["id"].as_str().unwrap_or_default().starts_with("num:");
        let expected = if is_named { expected } else { &Value::Null };
        assert_eq!(&found["items"][slot], expected, "{place}, {slot}");
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
            let place = format!("{name}, {from} to {to}");
            let how = RewriteOptions { frames: Some(from..=to), ..whole() };
            let written = rewritten(&bytes, &how);
            let new = clip(&written.bytes);
            assert!(
                new.diagnostics.iter().all(|notice| notice.severity == Severity::Info),
                "{place}"
            );
            let count = to.min(old.ticks - 1) - from + 1;
            let dies = old.ends_with_death && to >= old.ticks - 1;
            assert_eq!(written.ticks, count + if dies { 20 } else { 0 }, "{place}");
            assert_same_frames(&place, old, recording(&new), from, count);
            if from == 40 {
                drop(read_by_others(&place, &written.bytes));
            }
        }
        let beyond = RewriteOptions { frames: Some(old.frames..=u32::MAX), ..whole() };
        let document = mutoscope_minecraft::decode(&bytes, &mut Diagnostics::new()).unwrap();
        assert!(rewrite(&document, &beyond).is_err(), "{name}: nothing is there");
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
            let written = rewrite(&document, &whole()).unwrap();
            let place = format!("{name}, {length} bytes");
            let said = written.messages.iter().any(|(_, message)| message.contains("damaged at"));
            assert_eq!(said, document.stopped.is_some(), "{place}");
            let new = clip(&written.bytes);
            let new = recording(&new);
            assert!(new.intact && new.ticks >= document.ticks, "{place}");
            for frame in 0..document.ticks {
                let [was, is] =
                    [recording(&old), new].map(|one| one.player.path.at_frame(frame).position);
                assert_eq!(was, is, "{place}, frame {frame}");
            }
        }
    }
}

#[test]
fn numeric_only_items_are_refused_or_skipped_and_counted() {
    let bytes = fixtures::mcmocap_file("sink_v2");
    let document = mutoscope_minecraft::decode(&bytes, &mut Diagnostics::new()).unwrap();
    let refusal = rewrite(&document, &RewriteOptions::default()).unwrap_err();
    assert!(refusal.message().contains("have only numeric ids"), "{refusal}");
    let written = rewrite(&document, &whole()).unwrap();
    let new = clip(&written.bytes);
    assert_eq!(recording(&new).blocks.positions().len(), 0);
    for words in ["of items without names", "of blocks without names"] {
        let said = written.messages.iter().any(|(_, message)| message.contains(words));
        assert!(said, "{words}: {:?}", written.messages);
    }
}

#[test]
fn entities_can_be_dropped_or_replaced() {
    let bytes = sample::bytes_with_respawn();
    let filter = EntityFilter::parse("@mobs;-minecraft:zombie");
    let written =
        rewritten(&bytes, &RewriteOptions { entities: filter, ..RewriteOptions::default() });
    let kinds = |bytes: &[u8]| {
        let clip = clip(bytes);
        recording(&clip).entities.iter().map(|entity| entity.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&written.bytes), ["minecraft:cow"]);
    assert!(written.messages.iter().any(|(_, said)| said == "1 entity skipped"));
    let renamed = RewriteOptions {
        kinds: vec![("minecraft:cow".to_owned(), "minecraft:mooshroom".to_owned())],
        ..RewriteOptions::default()
    };
    let written = rewritten(&bytes, &renamed).bytes;
    assert_eq!(kinds(&written), ["minecraft:mooshroom", "minecraft:zombie"]);
    let turned = |bytes: &[u8]| recording(&clip(bytes)).entities[0].actor.path.at_frame(6).yaw;
    assert_eq!(turned(&written), turned(&bytes), "what else is said of it stays");
}

/// Heads that turned in an action of their own, and items of which nothing was said, as of old.
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
    let written = rewritten(&writer.bytes, &RewriteOptions::default());
    let found: Vec<u8> = written.bytes[34..].to_vec();
    // Movements of y, which stays, of x in single precision, and of all three angles.
    let movements = found.iter().filter(|byte| **byte == 21).count();
    assert_eq!((movements, written.ticks), (3, 3), "{found:?}");
    let new = clip(&written.bytes);
    let stand = recording(&new).player.path.at_frame(2);
    assert_eq!((stand.position.x, stand.yaw, stand.head_yaw), (1.25, 90.0, 112.5));
}

/// Whatever is read can be written, and what is written is sound.
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
            let at = random.below(bytes.len());
            let nasty = [0, 1, 4, 16, 17, 21, 22, 0x7f, 0x80, 0xff, random.below(256) as u8];
            match random.below(3) {
                0 => bytes[at] = nasty[random.below(nasty.len())],
                1 => bytes.insert(at, nasty[random.below(nasty.len())]),
                _ => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(9)))),
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
        let Ok(written) = rewrite(&document, &RewriteOptions { frames, ..whole() }) else { return };
        let mut notices = Diagnostics::new();
        let again = mutoscope_minecraft::decode(&written.bytes, &mut notices).unwrap();
        assert!(again.stopped.is_none() && !again.has_trailing_actions, "{:?}", again.stopped);
        assert_eq!(again.ticks, written.ticks);
        assert!(notices.worst_severity() < Some(Severity::Warning), "{notices:?}");
    });
}

/// A recording that was cut off before its first tick ended.
#[test]
fn recordings_without_ticks_are_rewritten_with_and_without_a_range() {
    let header = Header { name: "RobinWren", ..Header::default() };
    let bytes = Writer::new(&header).bytes;
    for range in [None, Some(0.0..=2.0), Some(-1.0..=0.5), Some(0.0..=0.0)] {
        let mut notices = Diagnostics::new();
        let (written, report) =
            rewrite_mcmocap(&bytes, range.as_ref(), whole(), &mut notices).unwrap();
        assert!(report.remarks()[0].message.starts_with("version 5, 0 ticks"), "{report:?}");
        assert_eq!(recording(&clip(&written)).ticks, 0);
    }
}
