//! Truncated files and impossible counts: refused, with the place where it shows.

use mutoscope_core::{
    diagnostics::{ErrorKind, SourceLocation},
    formats::{
        self, FormatId,
        mrtk::{self, Version},
    },
};

use mutoscope_testing::{
    fixtures::{mrtk_files as files, small_mrtk_files},
    recording::Recording,
};

/// Where the file ends if it is cut before its list of markers, which is let pass.
fn cut_without_markers(bytes: &[u8]) -> usize {
    mrtk::decode(bytes).unwrap().end_of_curves()
}

fn assert_located_error(bytes: &[u8], what: &str) {
    let failure =
        match formats::decode(bytes, &formats::DecodeRequest::default().format(FormatId::MRTK)) {
            Err(failure) => failure,
            Ok(_) => panic!("{what} is accepted"),
        };
    let place = failure.error.location().first_byte();
    assert!(place.is_some_and(|first| first <= bytes.len() as u64), "{what}: {failure}");
    assert!(!failure.error.message().is_empty(), "{what}");
}

#[test]
fn every_truncation_but_the_one_before_the_markers_is_refused() {
    for (name, bytes) in small_mrtk_files() {
        let accepted = cut_without_markers(&bytes);
        for length in (0..bytes.len()).filter(|&length| length != accepted) {
            assert_located_error(&bytes[..length], &format!("{name} cut to {length} bytes"));
        }
    }
}

#[test]
fn truncations_of_large_files_are_refused() {
    for (name, bytes) in files().into_iter().filter(|(_, bytes)| bytes.len() >= 40_000) {
        let accepted = cut_without_markers(&bytes);
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
        let end = cut_without_markers(&bytes);
        let clip = formats::decode(&bytes[..end], &formats::DecodeRequest::default()).unwrap();
        assert!(clip.events.is_empty(), "{name}");
        let places: Vec<_> =
            clip.diagnostics.iter().map(|notice| notice.location.clone()).collect();
        assert!(places.contains(&SourceLocation::byte(end)), "{name}: {places:?}");
    }
}

#[test]
fn impossible_counts_are_refused_at_their_place() {
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
            // With 28-byte keys in a version 1.1 file, a break near its start leaves it open
            // which size of keys was meant.
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
fn a_count_of_markers_that_do_not_fit_is_refused_at_its_place() {
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
    let mut more = Recording::v1_1().encode();
    more.push(0);
    let mut camera_without_curves = Recording::v1_1();
    camera_without_curves.version = Version::V1_1 { parts: [1, 0, 0] };
    let cases = [
        ("the text variant", text, ErrorKind::Unsupported, 0),
        ("a newer minor version", version(1, 2), ErrorKind::Unsupported, 8),
        ("a newer major version", version(2, 0), ErrorKind::Unsupported, 8),
        ("a fork without a version", version(8, 8), ErrorKind::Unsupported, 8),
        ("a byte too many", more, ErrorKind::Malformed, 23),
        ("a part that is not there", camera_without_curves.encode(), ErrorKind::Truncated, 23),
        ("another file", b"not an animation".to_vec(), ErrorKind::Malformed, 0),
    ];
    for (what, bytes, kind, offset) in cases {
        let error = mrtk::decode(&bytes).unwrap_err();
        let found = (error.kind(), error.location().first_byte());
        assert_eq!(found, (kind, Some(offset)), "{what}: {error}");
    }
}
