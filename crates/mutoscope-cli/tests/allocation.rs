//! Tests that reading a file, valid or hostile, allocates no more memory than its size justifies,
//! and that sampling a clip into a used pose allocates nothing.
//!
//! This is a test binary of its own, because it replaces the global allocator.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use mutoscope_core::{
    clip::Pose,
    formats::{FormatId, ReadOptions, SourceFile, decode, prime::Game},
    io::bytes::NoSidecars,
};
use mutoscope_testing::{
    fixtures,
    mcmocap::{Header, Stance, Writer, long},
    prime::{self, Animation},
    recording::{Keys, Recording},
};

struct Counting;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn add(size: usize) {
    // A thread that is ending has already dropped its counters, so `with` would panic.
    let _ = NOW.try_with(|now| {
        now.set(now.get().wrapping_add(size));
        PEAK.with(|peak| peak.set(peak.get().max(now.get())));
        CALLS.with(|calls| calls.set(calls.get() + 1));
    });
}

fn remove(size: usize) {
    let _ = NOW.try_with(|now| now.set(now.get().wrapping_sub(size)));
}

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        remove(layout.size());
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the peak of allocated bytes during `action`, and the number of allocations.
fn measure_allocation(action: impl FnOnce()) -> (usize, usize) {
    let (before, calls) = (NOW.get(), CALLS.get());
    PEAK.set(before);
    action();
    (PEAK.get() - before, CALLS.get() - calls)
}

/// For every file: names, tracks and diagnostics of all curves, of which there are at most 395.
const BASE_BYTES: usize = 400_000;

/// The times and values of keys, and a copy while they are sorted.
const BYTES_PER_BYTE: usize = 10;

/// The shortest markers take 5 bytes.
const BYTES_PER_BYTE_OF_MARKERS: usize = 50;

fn assert_bounded(bytes: &[u8], bytes_per_byte: usize, what: &str) {
    assert_bounded_as(FormatId::MRTK, bytes, bytes_per_byte, what);
}

fn assert_bounded_as(format: FormatId, bytes: &[u8], bytes_per_byte: usize, what: &str) {
    let (peak, _) = measure_allocation(|| {
        drop(decode(bytes, &ReadOptions::from(mutoscope_cli::registry()).with_format(format)))
    });
    let (length, bound) = (bytes.len(), BASE_BYTES + bytes_per_byte * bytes.len());
    assert!(peak <= bound, "{what}: {peak} bytes for a file of {length}, more than {bound}");
}

#[test]
fn allocation_is_bounded_for_valid_files() {
    for (name, bytes) in fixtures::mrtk_files() {
        assert_bounded(&bytes, BYTES_PER_BYTE, &name);
    }
}

/// These curves cannot share their key times, and all of them must be sorted.
#[test]
fn allocation_is_bounded_for_unsorted_unshared_keys() {
    let time = |curve: usize, key: usize| (curve * 7919 + key * 104_729) as f32 % 10_007.0;
    let simple = [0, 1, 2, 3, 4, 5, 6].map(|curve| {
        Keys::simple(&(0..10_000).map(|key| (time(curve, key), 1.0)).collect::<Vec<_>>())
    });
    assert_bounded(&Recording::with_camera(simple).encode(), BYTES_PER_BYTE, "keys of 8 bytes");
    let full = [0, 1, 2, 3, 4, 5, 6].map(|curve| {
        let key = |key| ([time(curve, key), 1.0, 2.0, 3.0, 0.4, 0.5], 3);
        Keys::full(&(0..10_000).map(key).collect::<Vec<_>>())
    });
    let recording = Recording { camera: Some(full), ..Recording::v1_0() };
    assert_bounded(&recording.encode(), BYTES_PER_BYTE, "keys of 28 bytes");
}

#[test]
fn allocation_is_bounded_for_every_inflated_count() {
    for (name, bytes) in fixtures::small_mrtk_files() {
        let document = mutoscope_core::formats::mrtk::decode(&bytes).unwrap();
        let curves = document.curves().map(|curve| curve.offset + 8);
        for offset in curves.chain([document.end_of_curves()]) {
            for count in [i32::MAX, i32::MAX / 28, 1 << 24, 1 << 16, -1] {
                let mut inflated = bytes.clone();
                inflated.resize(inflated.len().max(offset + 4), 0);
                inflated[offset..offset + 4].copy_from_slice(&count.to_le_bytes());
                assert_bounded(
                    &inflated,
                    BYTES_PER_BYTE,
                    &format!("{name} with {count} at {offset}"),
                );
            }
        }
    }
}

#[test]
fn allocation_is_bounded_for_marker_only_files() {
    for name in ["", "x", "\u{7f}", "a longer name than most"] {
        let markers = vec![(0.0, name.as_bytes().to_vec()); 20_000];
        let bytes = Recording { markers: Some(markers), ..Recording::v1_1() }.encode();
        assert_bounded(&bytes, BYTES_PER_BYTE_OF_MARKERS, &format!("markers of {name:?}"));
    }
    let invalid_names = vec![(f32::NAN, vec![0xff]); 20_000];
    let recording = Recording { markers: Some(invalid_names), ..Recording::v1_1() };
    assert_bounded(&recording.encode(), BYTES_PER_BYTE_OF_MARKERS, "markers that are not UTF-8");
}

#[test]
fn allocation_is_bounded_for_a_name_longer_than_the_file() {
    let mut bytes = Recording::v1_1().encode();
    let count = bytes.len() - 4;
    bytes[count..].copy_from_slice(&1_i32.to_le_bytes());
    bytes.extend([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    assert_bounded(&bytes, BYTES_PER_BYTE, "a name of 4 GB");
}

/// The shortest line that makes a node has eleven bytes, and the node takes hundreds.
const BYTES_PER_BYTE_OF_TEXT: usize = 100;

#[test]
fn allocation_is_bounded_for_maya_text() {
    for (name, bytes) in fixtures::maya_files() {
        assert_bounded_as(FormatId::MAYA, &bytes, BYTES_PER_BYTE_OF_TEXT, &name);
    }
    let header = "animVersion 1.1;\n";
    let curve = "anim t.x x a 0 0 0;\nanimData{keys{";
    let cases = [
        ("nodes", header, "anim 0 0 0\n"),
        ("curves", header, "animData{keys{0 0 a b;}}"),
        ("keys in lines", curve, "0 0 a b\n"),
        ("keys in descending order", curve, "0 0 a b;-1 0 a b;"),
        ("numbers", curve, "1 "),
        ("words", header, "x "),
        ("blocks", header, "x{"),
        ("braces", header, "}"),
        ("names that are not ASCII", header, "anim \u{fffd} 0 0 0;"),
    ];
    for (what, start, text) in cases {
        let bytes = format!("{header}{start}{}", text.repeat(300_000 / text.len()));
        assert_bounded_as(FormatId::MAYA, bytes.as_bytes(), BYTES_PER_BYTE_OF_TEXT, what);
    }
}

fn mcmocap() -> impl Iterator<Item = (String, Vec<u8>)> {
    fixtures::mcmocap_fixtures().into_iter().map(|fixture| (fixture.name, fixture.bytes))
}

/// The shortest actions take two bytes, and an event takes some three hundred bytes while the list
/// grows.
const BYTES_PER_BYTE_OF_ACTIONS: usize = 125;

/// Each entity has tracks for all of its properties.
const BYTES_PER_BYTE_OF_ENTITIES: usize = 300;

#[test]
fn allocation_is_bounded_for_minecraft_recordings() {
    for (name, bytes) in mcmocap() {
        assert_bounded_as(mutoscope_minecraft::FORMAT_ID, &bytes, BYTES_PER_BYTE_OF_ACTIONS, &name);
    }
    let start = Writer::new(&Header { start: [0.5, 64.0, 0.5], ..Header::default() });
    let repeated = |action: &dyn Fn(&mut Writer, u32)| {
        let mut writer = start.clone();
        let mut count = 0;
        while writer.bytes.len() < 300_000 {
            action(&mut writer, count);
            count += 1;
        }
        writer.bytes
    };
    let turned = |count: u32| Stance {
        offset: [count as f32 * 0.01, 0.0, 0.0],
        yaw: f64::from(count),
        pitch: 0.0,
        on_ground: count.is_multiple_of(2),
    };
    let cases = [
        ("only ticks", repeated(&|writer, _| writer.tick())),
        ("ticks skipped", repeated(&|writer, _| writer.bytes.extend([22, 255]))),
        (
            "a step in twelve seconds",
            repeated(&|writer, count| {
                writer.movement(&turned(count));
                writer.bytes.extend([22, 255]);
            }),
        ),
        (
            "turns and ticks",
            repeated(&|writer, count| {
                writer.bytes.extend([21, 0x20, 0, 0, 0, count as u8]);
                writer.tick();
            }),
        ),
        (
            "swings and ticks",
            repeated(&|writer, _| {
                writer.swing(false);
                writer.bytes.extend([22, 9]);
            }),
        ),
        (
            "flags and ticks",
            repeated(&|writer, count| {
                writer.entity_flags(count as u8);
                writer.tick();
            }),
        ),
        ("blocks", repeated(&|writer, count| writer.break_block(1, [count as i32, 0, 0]))),
        ("messages", repeated(&|writer, _| writer.chat(""))),
        ("hurts", repeated(&|writer, _| writer.hurt())),
    ];
    for (what, bytes) in cases {
        assert_bounded_as(mutoscope_minecraft::FORMAT_ID, &bytes, BYTES_PER_BYTE_OF_ACTIONS, what);
    }
    let entities = repeated(&|writer, count| writer.add_entity(count as i32, "", [0.0; 3]));
    assert_bounded_as(
        mutoscope_minecraft::FORMAT_ID,
        &entities,
        BYTES_PER_BYTE_OF_ENTITIES,
        "entities",
    );
}

#[test]
fn sampling_minecraft_scenes_allocates_nothing() {
    let scene = br#"{"version":4,"subscenes":[{"name":"walk","time":{"loop":true}},
        {"name":"walk","time":{"start_delay":1},"transformations":{"rotation":90,"mirror":"x"}}]}"#;
    let sidecars = |_: &str| Ok(fixtures::mcmocap_file("walk_v5"));
    let clip = decode(
        SourceFile::new("", scene).with_sidecars(&sidecars),
        &ReadOptions::from(mutoscope_cli::registry()),
    )
    .unwrap();
    let mut pose = Pose::default();
    clip.sample(0.0, &mut pose);
    let (_, calls) = measure_allocation(|| {
        for time in [0.5, 3.0, 0.1, -1.0, 99.0, f64::NAN] {
            clip.sample(time, &mut pose);
        }
    });
    assert_eq!(calls, 0);
}

#[test]
fn allocation_is_bounded_for_long_minecraft_recordings() {
    let bytes = long::bytes(100_000);
    assert_bounded_as(
        mutoscope_minecraft::FORMAT_ID,
        &bytes,
        10,
        "a recording of an hour and a half",
    );
}

/// A key with components of one bit each becomes four numbers of eight bytes, and a frame of one
/// bit has a time.
const BYTES_PER_BYTE_OF_BITS: usize = 300;

#[test]
fn allocation_is_bounded_for_prime_files() {
    for (name, bytes) in fixtures::prime_files() {
        assert_bounded_as(FormatId::PRIME, &bytes, BYTES_PER_BYTE_OF_BITS, &name);
    }
}

/// The components take no bits, or one bit for the sign, for the largest possible number of bones
/// and frames.
#[test]
fn allocation_is_bounded_for_zero_width_keys() {
    const FRAMES: u32 = 65_536;
    let still = vec![[0.1, -0.2, 0.3]; FRAMES as usize];
    let turned = vec![[0.1, -0.2, 0.3, 0.9]; FRAMES as usize];
    let bone = |bone| prime::Keys {
        bone,
        // The games take the number of keys from the rotation of the first bone.
        rotation: if bone == 0 { turned.clone() } else { Vec::new() },
        translation: still.clone(),
        scale: still.clone(),
    };
    let mut animation = Animation {
        game: Game::Echoes,
        frame_count: FRAMES,
        keyed: (0..FRAMES).collect(),
        channels: (0..20).map(bone).collect(),
        ..Animation::default()
    };
    let bytes = animation.encode_version_2();
    assert!(bytes.len() < 20_000, "{}", bytes.len());
    assert_bounded_as(FormatId::PRIME, &bytes, BYTES_PER_BYTE_OF_BITS, "translations and scales");
    animation.channels = (0..20)
        .map(|bone| prime::Keys { bone, rotation: turned.clone(), ..Default::default() })
        .collect();
    assert_bounded_as(
        FormatId::PRIME,
        &animation.encode_version_2(),
        BYTES_PER_BYTE_OF_BITS,
        "signs",
    );
}

#[test]
fn allocation_is_bounded_for_every_inflated_prime_number() {
    for (name, bytes) in fixtures::prime_files() {
        for offset in (4..bytes.len().min(0x200)).step_by(2) {
            for number in [u32::MAX, 1 << 24, 1 << 16, 0x6464_6464] {
                let mut inflated = bytes.clone();
                let end = bytes.len().min(offset + 4);
                inflated[offset..end].copy_from_slice(&number.to_be_bytes()[..end - offset]);
                let what = format!("{name} with {number} at {offset}");
                assert_bounded_as(FormatId::PRIME, &inflated, BYTES_PER_BYTE_OF_BITS, &what);
            }
        }
    }
    let skeleton = fixtures::prime_file("rig_mp2.CINF");
    for offset in (0..skeleton.len() - 4).step_by(4) {
        for number in [u32::MAX, 1 << 24, 1 << 16, 100] {
            let mut inflated = skeleton.clone();
            inflated[offset..offset + 4].copy_from_slice(&number.to_be_bytes());
            let (peak, _) = measure_allocation(|| {
                drop(mutoscope_cli::registry().decode_skeleton(&inflated, "rig", &NoSidecars))
            });
            assert!(peak < 100_000, "{peak} bytes with {number} at {offset}");
        }
    }
}

/// The shortest track takes some thirty bytes, and hundreds in memory. An element of a Raw track
/// takes two bytes, and becomes a matrix of numbers.
const BYTES_PER_BYTE_OF_JSON: usize = 100;

#[test]
fn allocation_is_bounded_for_animj() {
    for (name, bytes) in fixtures::resonite_files().iter().filter(|(name, _)| name.ends_with('j')) {
        assert_bounded_as(FormatId::ANIMJ, bytes, BYTES_PER_BYTE_OF_JSON, name);
    }
    let raw = "{\"tracks\": [{\"trackType\": \"Raw\", \"valueType\": \"long4\", \"data\": \
               {\"keyframes\": [";
    let curve = "{\"tracks\": [{\"trackType\": \"Curve\", \"valueType\": \"float4\", \"data\": \
                 {\"keyframes\": [";
    let cases = [
        ("members", "{", "\"\":1,"),
        ("empty tracks", "{\"tracks\": [", "{},"),
        ("tracks", "{\"tracks\": [", "{\"valueType\":\"int\"},"),
        (
            "tracks with data before the type",
            "{\"tracks\": [",
            "{\"data\":{},\"valueType\":\"int\"},",
        ),
        ("empty keys in a Raw track", raw, "{},"),
        ("numbers as keys in a Raw track", raw, "1,"),
        ("empty keys", curve, "{},"),
        ("keys with tangents", curve, "{\"leftTangent\":1},"),
        ("keys in descending order", curve, "{\"time\":1},{\"time\":0},"),
        ("open lists", "{\"a\": ", "["),
        ("line ends", "{", "\n"),
    ];
    for (what, start, text) in cases {
        let bytes = format!("{start}{}", text.repeat(300_000 / text.len()));
        assert_bounded_as(FormatId::ANIMJ, bytes.as_bytes(), BYTES_PER_BYTE_OF_JSON, what);
    }
}

/// A vector of booleans takes one byte, and becomes four numbers.
const BYTES_PER_BYTE_OF_ANIMX: usize = 150;

#[test]
fn allocation_is_bounded_for_every_changed_animx_byte() {
    let files = fixtures::resonite_files();
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with('x')) {
        assert_bounded_as(FormatId::ANIMX, bytes, BYTES_PER_BYTE_OF_ANIMX, name);
        for offset in (6..bytes.len().min(2000)).step_by(3) {
            for number in [u32::MAX, 0x0fff_ffff, 0x7f7f_7fff] {
                let mut inflated = bytes.clone();
                let end = bytes.len().min(offset + 4);
                inflated[offset..end].copy_from_slice(&number.to_le_bytes()[..end - offset]);
                let what = format!("{name} with {number} at {offset}");
                assert_bounded_as(FormatId::ANIMX, &inflated, BYTES_PER_BYTE_OF_ANIMX, &what);
            }
        }
    }
}

#[test]
fn sampling_allocates_nothing() {
    let clips = fixtures::mrtk_files().into_iter();
    let clips = clips.chain(fixtures::maya_files()).chain(fixtures::prime_files()).chain(mcmocap());
    let clips: Vec<_> = clips.chain(fixtures::resonite_files()).collect();
    for (name, bytes) in &clips {
        let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let mut pose = Pose::default();
        clip.sample(0.0, &mut pose);
        let (_, calls) = measure_allocation(|| {
            for time in [0.5, 3.0, 0.1, -1.0, 99.0, f64::NAN] {
                clip.sample(time, &mut pose);
            }
        });
        assert_eq!(calls, 0, "{name}");
    }
}
