//! Thousands of corrupted files: each is read or refused at a place, and none causes a panic.

use mutoscope_core::{
    clip::Pose,
    diagnostics::Diagnostics,
    formats::{self, DecodeRequest, FormatId, prime},
};

use mutoscope_testing::fixtures;

/// Numbers that are easily forgotten: as counts, ids, times, widths.
const NASTY: [u32; 10] = [
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

pub(crate) fn mutilate(bytes: &mut Vec<u8>, dice: &mut fastrand::Rng) {
    for _ in 0..dice.usize(1..5) {
        let at = dice.usize(..bytes.len());
        let end = bytes.len().min(at + dice.usize(1..40));
        match dice.u8(..6) {
            0 => bytes[at] ^= 1 << dice.u8(..8),
            1 => bytes[at] = dice.u8(..),
            2 => {
                let at = dice.usize(..bytes.len().min(0x60)) / 2 * 2;
                let nasty = NASTY[dice.usize(..NASTY.len())].to_be_bytes();
                let end = bytes.len().min(at + 4);
                bytes[at..end].copy_from_slice(&nasty[..end - at]);
            }
            3 => drop(bytes.drain(at..end)),
            4 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            _ => bytes.truncate(at.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Reads an animation and uses all that comes of it; whether it could be read.
fn read_and_use(bytes: &[u8], rig: &[u8], pose: &mut Pose, what: &str) -> bool {
    let clip = match formats::decode(bytes, &DecodeRequest::default().format(FormatId::PRIME)) {
        Ok(clip) => clip,
        Err(failure) => {
            let place = failure.error.location().first_byte();
            assert!(place.is_some_and(|first| first <= bytes.len() as u64), "{what}: {failure}");
            return false;
        }
    };
    assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{what}");
    for (id, track) in clip.tracks.iter().enumerate() {
        let last = track.curve.key_count() - 1;
        let place = track.source.key_location(last).first_byte().unwrap();
        assert!(place < bytes.len() as u64, "{what}: track {id}");
        track.source.quantized_key(last);
    }
    let rigged = crate::prime::on_this_rig(bytes, rig);
    for clip in [&clip, &rigged] {
        for time in [0.0, 0.5, clip.span.end(), -1e30, 1e30, f64::NAN] {
            clip.sample(time, pose);
            let lengths = pose.nodes.iter().map(|node| node.world.rotation.length());
            let are_unit = lengths.map(|length| (length - 1.0).abs()).all(|off| off < 1e-9);
            assert!(are_unit, "{what} at {time}");
        }
    }
    true
}

#[test]
fn corrupted_animations_never_panic() {
    /// Variations of each of the eight files.
    const ROUNDS: usize = 3500;
    let mut dice = fastrand::Rng::with_seed(11);
    let rig = fixtures::prime_file("rig_mp1.CINF");
    let mut pose = Pose::default();
    let mut read = 0;
    for (name, bytes) in fixtures::prime_files() {
        for round in 0..ROUNDS {
            let mut mutilated = bytes.clone();
            mutilate(&mut mutilated, &mut dice);
            let what = format!("{name}, round {round}");
            read += usize::from(read_and_use(&mutilated, &rig, &mut pose, &what));
        }
    }
    assert!(read > 1000, "only {read} were sound enough to be read: that tests little");
}

#[test]
fn corrupted_skeletons_never_panic() {
    const ROUNDS: usize = 3500;
    let mut dice = fastrand::Rng::with_seed(12);
    let animation = fixtures::prime_file("longway_mp1_v2.ANIM");
    let mut read = 0;
    for name in ["rig_mp1.CINF", "rig_mp2.CINF"] {
        let bytes = fixtures::prime_file(name);
        for round in 0..ROUNDS {
            let mut mutilated = bytes.clone();
            mutilate(&mut mutilated, &mut dice);
            match prime::decode_skeleton(&mutilated, &mut Diagnostics::new()) {
                Ok(_) => {
                    let clip = crate::prime::on_this_rig(&animation, &mutilated);
                    clip.sample(0.5, &mut Pose::default());
                    read += 1;
                }
                Err(error) => {
                    let place = error.location().first_byte();
                    let is_within = place.is_some_and(|first| first <= mutilated.len() as u64);
                    assert!(is_within, "{name}, round {round}: {error}");
                }
            }
        }
    }
    assert!(read > 200, "only {read} were sound enough to be read: that tests little");
}
