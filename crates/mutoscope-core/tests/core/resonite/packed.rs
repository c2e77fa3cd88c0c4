//! Tests AnimX in every encoding and in both versions.

use lz4_flex::{block, frame::FrameEncoder};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, TrackId, Value},
    diagnostics::Severity,
    formats::FormatId,
};
use std::io::Write as _;

use mutoscope_testing::fixtures;

/// Returns the header and the body of an uncompressed file, without the encoding byte between them.
fn plain_parts() -> (Vec<u8>, Vec<u8>) {
    let bytes = fixtures::resonite_file("generated/all_types.animx");
    // The header holds the magic string, the version, the number of tracks, the duration and the
    // name.
    let name = 6 + 4 + 1 + 4;
    let header = name + 1 + usize::from(bytes[name]);
    assert_eq!(bytes[header], 0);
    (bytes[..header].to_vec(), bytes[header + 1..].to_vec())
}

fn with_encoding(encoding: u8, body: &[u8]) -> Vec<u8> {
    let (mut bytes, _) = plain_parts();
    bytes.push(encoding);
    bytes.extend(body);
    bytes
}

fn decode(bytes: &[u8]) -> Clip {
    mutoscope_core::decode(bytes, &ReadOptions::default()).unwrap()
}

fn encode_varint(mut count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while count > 0x7f {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
    bytes
}

/// Writes LZ4 chunks of `size` bytes as lz4net does. Every second chunk is stored uncompressed.
fn lz4_chunks(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, chunk) in body.chunks(size).enumerate() {
        if index % 2 == 1 {
            bytes.push(0);
            bytes.extend(encode_varint(chunk.len()));
            bytes.extend(chunk);
        } else {
            let packed = block::compress(chunk);
            bytes.push(1);
            bytes.extend(encode_varint(chunk.len()));
            bytes.extend(encode_varint(packed.len()));
            bytes.extend(packed);
        }
    }
    bytes
}

fn lz4_frame(body: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::new(Vec::new());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn assert_equals_plain(clip: &Clip, label: &str) {
    let (mut header, body) = plain_parts();
    header.push(0);
    header.extend(body);
    let expected = decode(&header);
    assert_eq!(clip.tracks.len(), expected.tracks.len(), "{label}");
    for (track, expected) in clip.tracks.iter().zip(&expected.tracks) {
        assert_eq!(track.curve.key_count(), expected.curve.key_count(), "{label}");
        for key in 0..expected.curve.key_count() {
            assert_eq!(track.curve.key_value(key), expected.curve.key_value(key), "{label}");
        }
    }
}

#[test]
fn lz4_is_read_in_frames_and_in_chunks() {
    let (_, body) = plain_parts();
    assert_equals_plain(&decode(&with_encoding(1, &lz4_frame(&body))), "a frame");
    for size in [body.len(), 1000, 64] {
        assert_equals_plain(
            &decode(&with_encoding(1, &lz4_chunks(&body, size))),
            &format!("chunks of {size}"),
        );
    }
}

#[test]
fn broken_streams_are_read_up_to_the_error() {
    let (_, body) = plain_parts();
    let whole = lz4_chunks(&body, 1000);
    let clip = decode(&with_encoding(1, &whole[..whole.len() / 2]));
    assert!(clip.tracks.len() > 20, "{}", clip.tracks.len());
    let mut errors = clip.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    assert!(errors.any(|error| error.code.as_str() == "resonite/broken-compression"));
}

#[test]
fn impossible_sizes_are_rejected() {
    let mut lzma = vec![0x5d, 0, 0, 0x20, 0];
    lzma.extend((1_i64 << 40).to_le_bytes());
    lzma.extend(8_i64.to_le_bytes());
    lzma.extend([0; 8]);
    let failure =
        mutoscope_core::decode(&with_encoding(2, &lzma), &ReadOptions::default()).unwrap_err();
    assert!(failure.to_string().contains("an unpacked size up to"), "{failure}");
    let failure =
        mutoscope_core::decode(&with_encoding(7, &[]), &ReadOptions::default()).unwrap_err();
    assert!(failure.to_string().contains("an encoding from 0 to 2"), "{failure}");
}

/// In version 0, the lowest bit of a byte says whether a track is a curve, and the other bits hold
/// its value type.
#[test]
fn version_0_tracks_are_read() {
    let mut bytes = b"\x05AnimX\0\0\0\0\x02".to_vec();
    bytes.extend(3_f32.to_le_bytes());
    bytes.extend(b"\x03old\0");
    // A raw track of floats.
    bytes.extend([21 << 1]);
    bytes.extend(b"\x01A\x01B\x02");
    for number in [0.5_f32, 1.0, 2.0] {
        bytes.extend(number.to_le_bytes());
    }
    // A curve of bytes with linear interpolation.
    bytes.extend([4 << 1 | 1]);
    bytes.extend(b"\x01A\x01C\x02\0\x01");
    bytes.extend(0_f32.to_le_bytes());
    bytes.push(10);
    bytes.extend(2_f32.to_le_bytes());
    bytes.push(20);
    let clip = decode(&bytes);
    assert_eq!((clip.version.as_str(), clip.name.as_str(), clip.span.duration), ("0", "old", 3.0));
    assert_eq!(clip.diagnostics.worst_severity(), None, "{:?}", clip.diagnostics);
    assert_eq!(clip.value(TrackId::new(0), 0.25), Value::Number(1.5));
    assert_eq!(clip.value(TrackId::new(1), 1.0), Value::Integer(15));
}

#[test]
fn unknown_types_are_rejected_by_name() {
    let mut newer = fixtures::resonite_file("redx_test.animx");
    newer[6] = 2;
    let failure =
        mutoscope_core::decode(&newer, &ReadOptions::default().with_format(FormatId::ANIMX))
            .unwrap_err();
    assert!(failure.to_string().contains("AnimX version 2 is not supported"), "{failure}");
    let mut bezier = b"\x05AnimX\x01\0\0\0\x01\0\0\0\0\0\0".to_vec();
    bezier.extend(b"\x03\x15\x01A\x01B\0");
    let clip = decode(&bezier);
    let lost = clip.diagnostics.iter().next().unwrap();
    assert_eq!((lost.severity, lost.code.as_str()), (Severity::Error, "resonite/tracks-lost"));
    assert!(
        lost.message.contains("the layout of tracks of the type Bezier is unknown"),
        "{lost:?}"
    );
}
