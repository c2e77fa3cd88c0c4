//! Corrupts files in thousands of ways. Each is read or rejected with a location, and none causes a
//! panic.

use mutoscope_core::{
    ReadOptions,
    clip::{Pose, RotationRule},
    decode,
    formats::FormatId,
};

use mutoscope_testing::fixtures::{mrtk_files, small_mrtk_files};

/// A xorshift64* generator, so that every run tests the same files.
struct Random(u64);

impl Random {
    fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next_u64() >> 33) as usize % limit
    }
}

/// Numbers that parsers often mishandle as counts, times, values, weights and modes.
const TRICKY_NUMBERS: [u32; 10] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7f80_0000, // ∞
    0xff80_0000, // −∞
    0x7fc0_0000, // NaN
    0x7f7f_ffff, // the largest float
    0x0000_0080, // a string length that continues in the next byte
];

fn corrupt(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let offset = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[offset] ^= 1 << random.below(8),
            1 => bytes[offset] = random.next_u64() as u8,
            2 => {
                let number = TRICKY_NUMBERS[random.below(TRICKY_NUMBERS.len())].to_le_bytes();
                let end = bytes.len().min(offset + 4);
                bytes[offset..end].copy_from_slice(&number[..end - offset]);
            }
            3 => drop(bytes.drain(offset..bytes.len().min(offset + 1 + random.below(40)))),
            4 => {
                let copied = bytes[offset..bytes.len().min(offset + 1 + random.below(40))].to_vec();
                bytes.splice(offset..offset, copied);
            }
            _ => bytes[offset / 4 * 4] = 0xff,
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Decodes `bytes` and samples the clip. Returns `true` if the file could be read.
fn decode_and_sample(bytes: &[u8], pose: &mut Pose, label: &str) -> bool {
    match decode(bytes, &ReadOptions::default().with_format(FormatId::MRTK)) {
        Ok(mut clip) => {
            for rule in [RotationRule::Continuous, RotationRule::AsAuthored] {
                clip.convention.rotation.value = rule;
                for time in [clip.span.start, 0.7, clip.span.end(), -1e30, 1e30] {
                    clip.sample(time, pose);
                    let lengths = pose.nodes.iter().map(|node| node.world.rotation.length());
                    let are_unit =
                        lengths.map(|length| (length - 1.0).abs()).all(|error| error < 1e-9);
                    assert!(are_unit, "{label} at {time}");
                }
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{label}");
            assert!(clip.sample_times().iter().all(|time| time.is_finite()), "{label}");
            true
        }
        Err(failure) => {
            let first_byte = failure.error.location().first_byte();
            assert!(
                first_byte.is_some_and(|first| first <= bytes.len() as u64),
                "{label}: {failure}"
            );
            false
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let mut random = Random(0x6a8f_af6e_0f9e_42c6);
    let mut pose = Pose::default();
    let mut read = 0;
    let small = small_mrtk_files().into_iter().map(|(name, bytes)| (name, bytes, 1500));
    let large = mrtk_files().into_iter().filter(|(_, bytes)| bytes.len() >= 40_000);
    let large = large.map(|(name, bytes)| (name, bytes, 40));
    for (name, bytes, times) in small.chain(large) {
        for round in 0..times {
            let mut corrupted = bytes.clone();
            corrupt(&mut corrupted, &mut random);
            let label = format!("{name}, round {round}");
            read += usize::from(decode_and_sample(&corrupted, &mut pose, &label));
        }
    }
    assert!(read > 1000, "only {read} corrupted files could be decoded, too few for this test");
}
