//! Thousands of corrupted files: each is read or refused at a place, and none causes a panic.

use mutoscope_core::{
    clip::{Pose, RotationRule},
    formats::{self, DecodeRequest, FormatId},
};

use mutoscope_testing::fixtures::{mrtk_files, small_mrtk_files};

/// A sequence that is the same in every run: xorshift64*.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.roll() >> 33) as usize % limit
    }
}

/// Numbers that are easily forgotten: as counts, times, values, weights and modes.
const NASTY: [u32; 10] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7f80_0000, // ∞
    0xff80_0000, // −∞
    0x7fc0_0000, // NaN
    0x7f7f_ffff, // the largest float
    0x0000_0080, // a length that goes on
];

fn mutilate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at] = dice.roll() as u8,
            2 => {
                let nasty = NASTY[dice.below(NASTY.len())].to_le_bytes();
                let end = bytes.len().min(at + 4);
                bytes[at..end].copy_from_slice(&nasty[..end - at]);
            }
            3 => drop(bytes.drain(at..bytes.len().min(at + 1 + dice.below(40)))),
            4 => {
                let copied = bytes[at..bytes.len().min(at + 1 + dice.below(40))].to_vec();
                bytes.splice(at..at, copied);
            }
            _ => bytes[at / 4 * 4] = 0xff,
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Reads `bytes` and uses all that comes of it; whether it could be read.
fn read_and_use(bytes: &[u8], pose: &mut Pose, what: &str) -> bool {
    match formats::decode(bytes, &DecodeRequest::default().format(FormatId::MRTK)) {
        Ok(mut clip) => {
            for rule in [RotationRule::Continuous, RotationRule::AsAuthored] {
                clip.convention.rotation.value = rule;
                for time in [clip.span.start, 0.7, clip.span.end(), -1e30, 1e30] {
                    clip.sample(time, pose);
                    let lengths = pose.nodes.iter().map(|node| node.world.rotation.length());
                    let are_unit = lengths.map(|length| (length - 1.0).abs()).all(|off| off < 1e-9);
                    assert!(are_unit, "{what} at {time}");
                }
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{what}");
            assert!(clip.sample_times().iter().all(|time| time.is_finite()), "{what}");
            true
        }
        Err(failure) => {
            let place = failure.error.location().first_byte();
            assert!(place.is_some_and(|first| first <= bytes.len() as u64), "{what}: {failure}");
            false
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let mut dice = Dice(0x6a8f_af6e_0f9e_42c6);
    let mut pose = Pose::default();
    let mut read = 0;
    let small = small_mrtk_files().into_iter().map(|(name, bytes)| (name, bytes, 1500));
    let large = mrtk_files().into_iter().filter(|(_, bytes)| bytes.len() >= 40_000);
    let large = large.map(|(name, bytes)| (name, bytes, 40));
    for (name, bytes, times) in small.chain(large) {
        for round in 0..times {
            let mut mutilated = bytes.clone();
            mutilate(&mut mutilated, &mut dice);
            let what = format!("{name}, round {round}");
            read += usize::from(read_and_use(&mutilated, &mut pose, &what));
        }
    }
    assert!(read > 1000, "only {read} were sound enough to be read: that tests little");
}
