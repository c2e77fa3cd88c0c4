//! Broken files give an error or a usable skeleton, never a panic.

use mutoscope_core::{ReadOptions, clip::Pose, decode, formats::FormatId, io::bytes::NoSidecars};

use crate::rig::arm_bytes;
use mutoscope_testing::{fixtures, property::check_property};

#[test]
fn truncation_before_the_last_node_is_an_error() {
    let bytes = arm_bytes();
    let json_ends = 20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    for end in (0..json_ends).step_by(7) {
        assert!(
            mutoscope_core::Registry::default()
                .decode_skeleton(&bytes[..end], "x", &NoSidecars)
                .is_err(),
            "{end}"
        );
    }
    assert!(
        mutoscope_core::Registry::default()
            .decode_skeleton(&bytes[..json_ends], "x", &NoSidecars)
            .is_ok()
    );
}

#[test]
fn corrupted_files_never_panic() {
    let arm = arm_bytes();
    let recording = fixtures::maya_file("spec_example_4joints.anim");
    check_property(|random| {
        let mut bytes = arm.clone();
        let changes = 1 + random.below(4);
        for _ in 0..changes {
            let offset = random.below(2500);
            bytes[offset] = match random.below(3) {
                // Replacing a byte by a digit gives valid JSON most often.
                0 => b'0' + random.below(10) as u8,
                1 => bytes[random.below(2500)],
                _ => random.below(256) as u8,
            };
        }
        let Ok(rig) = mutoscope_core::Registry::default().decode_skeleton(&bytes, "x", &NoSidecars)
        else {
            return;
        };
        let options = ReadOptions::default().with_format(FormatId::MAYA).with_skeleton(rig);
        let options = ReadOptions { allows_unmatched_skeleton: true, ..options };
        let clip = decode(&recording, &options).unwrap();
        let mut pose = Pose::default();
        clip.sample(0.5, &mut pose);
        assert_eq!(pose.nodes.len(), clip.nodes.len());
    });
}
