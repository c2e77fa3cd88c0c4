//! Corrupts files in thousands of ways. Each is read or rejected with a location, and none causes a
//! panic.

use mutoscope_core::{
    ReadOptions,
    clip::Pose,
    decode,
    diagnostics::Diagnostics,
    formats::{FormatId, prime},
};

use mutoscope_testing::fixtures;

/// Numbers that parsers often mishandle as counts, ids, times and widths.
const TRICKY_NUMBERS: [u32; 10] = [
    0,
    1,
    2,
    100,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7f80_0000, // ∞
    0x7fc0_0000, // NaN
    0x2020_2020,
];

pub(crate) fn corrupt(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    for _ in 0..random.usize(1..5) {
        let offset = random.usize(..bytes.len());
        let end = bytes.len().min(offset + random.usize(1..40));
        match random.u8(..6) {
            0 => bytes[offset] ^= 1 << random.u8(..8),
            1 => bytes[offset] = random.u8(..),
            2 => {
                let offset = random.usize(..bytes.len().min(0x60)) / 2 * 2;
                let number = TRICKY_NUMBERS[random.usize(..TRICKY_NUMBERS.len())].to_be_bytes();
                let end = bytes.len().min(offset + 4);
                bytes[offset..end].copy_from_slice(&number[..end - offset]);
            }
            3 => drop(bytes.drain(offset..end)),
            4 => {
                let copied = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, copied);
            }
            _ => bytes.truncate(offset.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Decodes an animation and samples it with and without the skeleton. Returns `true` if the file
/// could be read.
fn decode_and_sample(bytes: &[u8], rig: &[u8], pose: &mut Pose, label: &str) -> bool {
    let clip = match decode(bytes, &ReadOptions::default().with_format(FormatId::PRIME)) {
        Ok(clip) => clip,
        Err(failure) => {
            let first_byte = failure.error.location().first_byte();
            assert!(
                first_byte.is_some_and(|first| first <= bytes.len() as u64),
                "{label}: {failure}"
            );
            return false;
        }
    };
    assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{label}");
    for (id, track) in clip.tracks.iter().enumerate() {
        let last = track.curve.key_count() - 1;
        let first_byte = track.source.key_location(last).first_byte().unwrap();
        assert!(first_byte < bytes.len() as u64, "{label}: track {id}");
        track.source.quantized_key(last);
    }
    let rigged = crate::prime::decode_on_rig(bytes, rig);
    for clip in [&clip, &rigged] {
        for time in [0.0, 0.5, clip.span.end(), -1e30, 1e30, f64::NAN] {
            clip.sample(time, pose);
            let lengths = pose.nodes.iter().map(|node| node.world.rotation.length());
            let are_unit = lengths.map(|length| (length - 1.0).abs()).all(|error| error < 1e-9);
            assert!(are_unit, "{label} at {time}");
        }
    }
    true
}

#[test]
fn corrupted_animations_never_panic() {
    /// The number of corrupted variants of each of the eight files.
    const ROUNDS: usize = 3500;
    let mut random = fastrand::Rng::with_seed(11);
    let rig = fixtures::prime_file("rig_mp1.CINF");
    let mut pose = Pose::default();
    let mut read = 0;
    for (name, bytes) in fixtures::prime_files() {
        for round in 0..ROUNDS {
            let mut corrupted = bytes.clone();
            corrupt(&mut corrupted, &mut random);
            let label = format!("{name}, round {round}");
            read += usize::from(decode_and_sample(&corrupted, &rig, &mut pose, &label));
        }
    }
    assert!(read > 1000, "only {read} corrupted files could be decoded, too few for this test");
}

#[test]
fn corrupted_skeletons_never_panic() {
    const ROUNDS: usize = 3500;
    let mut random = fastrand::Rng::with_seed(12);
    let animation = fixtures::prime_file("longway_mp1_v2.ANIM");
    let mut read = 0;
    for name in ["rig_mp1.CINF", "rig_mp2.CINF"] {
        let bytes = fixtures::prime_file(name);
        for round in 0..ROUNDS {
            let mut corrupted = bytes.clone();
            corrupt(&mut corrupted, &mut random);
            match prime::decode_skeleton(&corrupted, &mut Diagnostics::new()) {
                Ok(_) => {
                    let clip = crate::prime::decode_on_rig(&animation, &corrupted);
                    clip.sample(0.5, &mut Pose::default());
                    read += 1;
                }
                Err(error) => {
                    let first_byte = error.location().first_byte();
                    let is_within = first_byte.is_some_and(|first| first <= corrupted.len() as u64);
                    assert!(is_within, "{name}, round {round}: {error}");
                }
            }
        }
    }
    assert!(read > 200, "only {read} corrupted files could be decoded, too few for this test");
}
