//! Truncated files and impossible counts are rejected with their location.

use mutoscope_core::{
    ReadOptions, decode,
    diagnostics::{ErrorKind, SourceLocation},
    formats::{
        FormatId,
        mrtk::{self, Version},
    },
};

use mutoscope_testing::{
    fixtures::{mrtk_files as files, small_mrtk_files},
    recording::Recording,
};

/// Returns the offset of the marker list. A file that is cut there is still accepted.
fn marker_list_offset(bytes: &[u8]) -> usize {
    mrtk::decode(bytes).unwrap().end_of_curves()
}

fn assert_located_error(bytes: &[u8], label: &str) {
    let failure = match decode(bytes, &ReadOptions::default().with_format(FormatId::MRTK)) {
        Err(failure) => failure,
        Ok(_) => panic!("{label} should be rejected"),
    };
    let first_byte = failure.error.location().first_byte();
    assert!(first_byte.is_some_and(|first| first <= bytes.len() as u64), "{label}: {failure}");
    assert!(!failure.error.message().is_empty(), "{label}");
}

#[test]
fn truncation_anywhere_except_before_the_markers_is_rejected() {
    for (name, bytes) in small_mrtk_files() {
        let accepted = marker_list_offset(&bytes);
        for length in (0..bytes.len()).filter(|&length| length != accepted) {
            assert_located_error(&bytes[..length], &format!("{name} cut to {length} bytes"));
        }
    }
}

#[test]
fn truncations_of_large_files_are_rejected() {
    for (name, bytes) in files().into_iter().filter(|(_, bytes)| bytes.len() >= 40_000) {
        let accepted = marker_list_offset(&bytes);
        let anywhere = (0..bytes.len()).step_by(bytes.len() / 1009);
        let near_the_end = bytes.len() - 300..bytes.len();
        for length in anywhere.chain(near_the_end).filter(|&length| length != accepted) {
            assert_located_error(&bytes[..length], &format!("{name} cut to {length} bytes"));
        }
    }
}

#[test]
fn missing_marker_list_is_read_and_reported() {
    for (name, bytes) in files() {
        let end = marker_list_offset(&bytes);
        let clip = decode(&bytes[..end], &ReadOptions::default()).unwrap();
        assert!(clip.events.is_empty(), "{name}");
        let reported: Vec<_> = clip
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code.as_str() == "mrtk/no-marker-list")
            .map(|diagnostic| diagnostic.location.clone())
            .collect();
        assert_eq!(reported, [SourceLocation::byte(end)], "{name}");
    }
}

#[test]
fn impossible_key_counts_are_rejected_at_their_location() {
    let impossible = [
        (-1, ErrorKind::Malformed),
        (i32::MIN, ErrorKind::Malformed),
        (i32::MAX, ErrorKind::Truncated),
    ];
    for (name, bytes) in small_mrtk_files() {
        let document = mrtk::decode(&bytes).unwrap();
        let offsets: Vec<_> = document.curves().map(|curve| curve.offset + 8).collect();
        for (&offset, (count, kind)) in offsets.iter().flat_map(|o| impossible.map(|i| (o, i))) {
            let mut broken = bytes.clone();
            broken[offset..offset + 4].copy_from_slice(&count.to_le_bytes());
            let error = mrtk::decode(&broken).unwrap_err();
            // This version 1.1 file has 28-byte keys. If it breaks near its start, the decoder
            // cannot tell which key size the file uses, so the error may be at another location.
            if name != "synth_v11_doc_layout.bin" {
                let found = (error.kind(), error.location().clone());
                assert_eq!(
                    found,
                    (kind, SourceLocation::span(offset, 4)),
                    "{name}, {count} at {offset}"
                );
            }
        }
    }
}

#[test]
fn invalid_marker_count_is_rejected_at_its_location() {
    let mut bytes = Recording::v1_0().encode();
    for (count, kind) in [(-1, ErrorKind::Malformed), (1, ErrorKind::Truncated)] {
        let count: i32 = count;
        bytes[4684..].copy_from_slice(&count.to_le_bytes());
        let error = mrtk::decode(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.location().clone()), (kind, SourceLocation::span(4684, 4)));
    }
}

#[test]
fn unsupported_and_broken_files_are_distinguished() {
    let text = b"7678548776933278406\n1 1\n".to_vec();
    let version = |major: i32, minor: i32| {
        let mut bytes = Recording::v1_0().encode();
        bytes[8..12].copy_from_slice(&major.to_le_bytes());
        bytes[12..16].copy_from_slice(&minor.to_le_bytes());
        bytes
    };
    let mut trailing_byte = Recording::v1_1().encode();
    trailing_byte.push(0);
    let mut camera_without_curves = Recording::v1_1();
    camera_without_curves.version = Version::V1_1 { parts: [1, 0, 0] };
    let cases = [
        ("the text variant", text, ErrorKind::Unsupported, 0),
        ("a newer minor version", version(1, 2), ErrorKind::Unsupported, 8),
        ("a newer major version", version(2, 0), ErrorKind::Unsupported, 8),
        ("a fork without a version", version(8, 8), ErrorKind::Unsupported, 8),
        ("a byte too many", trailing_byte, ErrorKind::Malformed, 23),
        ("a missing part", camera_without_curves.encode(), ErrorKind::Truncated, 23),
        ("another file", b"not an animation".to_vec(), ErrorKind::Malformed, 0),
    ];
    for (label, bytes, kind, offset) in cases {
        let error = mrtk::decode(&bytes).unwrap_err();
        let found = (error.kind(), error.location().first_byte());
        assert_eq!(found, (kind, Some(offset)), "{label}: {error}");
    }
}
