//! AnimX in all its packings and both its versions.

use lz4_flex::{block, frame::FrameEncoder};
use mutoscope_core::{
    clip::{Clip, TrackId, Value},
    diagnostics::Severity,
    formats::{self, DecodeRequest, FormatId},
};
use std::io::Write as _;

use mutoscope_testing::fixtures;

/// A file in plain bytes, cut after its header.
fn plain() -> (Vec<u8>, Vec<u8>) {
    let bytes = fixtures::resonite_file("generated/all_types.animx");
    // The word, version, count of tracks, duration and name; then the encoding.
    let name = 6 + 4 + 1 + 4;
    let header = name + 1 + usize::from(bytes[name]);
    assert_eq!(bytes[header], 0);
    (bytes[..header].to_vec(), bytes[header + 1..].to_vec())
}

fn packed(encoding: u8, body: &[u8]) -> Vec<u8> {
    let (mut bytes, _) = plain();
    bytes.push(encoding);
    bytes.extend(body);
    bytes
}

fn read(bytes: &[u8]) -> Clip {
    formats::decode(bytes, &DecodeRequest::default()).unwrap()
}

fn count(mut count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while count > 0x7f {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
    bytes
}

/// Chunks as lz4net writes them, of this many bytes each; every second is not compressed.
fn chunks(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, chunk) in body.chunks(size).enumerate() {
        if index % 2 == 1 {
            bytes.push(0);
            bytes.extend(count(chunk.len()));
            bytes.extend(chunk);
        } else {
            let packed = block::compress(chunk);
            bytes.push(1);
            bytes.extend(count(chunk.len()));
            bytes.extend(count(packed.len()));
            bytes.extend(packed);
        }
    }
    bytes
}

fn frame(body: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::new(Vec::new());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn assert_same(clip: &Clip, what: &str) {
    let (mut header, body) = plain();
    header.push(0);
    header.extend(body);
    let expected = read(&header);
    assert_eq!(clip.tracks.len(), expected.tracks.len(), "{what}");
    for (track, expected) in clip.tracks.iter().zip(&expected.tracks) {
        assert_eq!(track.curve.key_count(), expected.curve.key_count(), "{what}");
        for key in 0..expected.curve.key_count() {
            assert_eq!(track.curve.key_value(key), expected.curve.key_value(key), "{what}");
        }
    }
}

#[test]
fn lz4_is_read_in_frames_and_in_chunks() {
    let (_, body) = plain();
    assert_same(&read(&packed(1, &frame(&body))), "a frame");
    for size in [body.len(), 1000, 64] {
        assert_same(&read(&packed(1, &chunks(&body, size))), &format!("chunks of {size}"));
    }
}

#[test]
fn broken_streams_are_kept_up_to_the_break() {
    let (_, body) = plain();
    let whole = chunks(&body, 1000);
    let clip = read(&packed(1, &whole[..whole.len() / 2]));
    assert!(clip.tracks.len() > 20, "{}", clip.tracks.len());
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Error));
    let said = clip.diagnostics.iter().map(|notice| notice.message.as_str());
    let said = said.collect::<Vec<_>>().join("\n");
    assert!(said.contains("the compressed data is broken after"), "{said}");
}

#[test]
fn impossible_sizes_are_rejected() {
    let mut lzma = vec![0x5d, 0, 0, 0x20, 0];
    lzma.extend((1_i64 << 40).to_le_bytes());
    lzma.extend(8_i64.to_le_bytes());
    lzma.extend([0; 8]);
    let failure = formats::decode(&packed(2, &lzma), &DecodeRequest::default()).unwrap_err();
    assert!(failure.to_string().contains("an unpacked size up to"), "{failure}");
    let failure = formats::decode(&packed(7, &[]), &DecodeRequest::default()).unwrap_err();
    assert!(failure.to_string().contains("an encoding from 0 to 2"), "{failure}");
}

/// A file of version 0: the lowest bit of a byte says whether a track is a curve, the others what its
/// values are.
#[test]
fn the_first_version_has_two_types_of_tracks() {
    let mut bytes = b"\x05AnimX\0\0\0\0\x02".to_vec();
    bytes.extend(3_f32.to_le_bytes());
    bytes.extend(b"\x03old\0");
    // Raw floats.
    bytes.extend([21 << 1]);
    bytes.extend(b"\x01A\x01B\x02");
    for number in [0.5_f32, 1.0, 2.0] {
        bytes.extend(number.to_le_bytes());
    }
    // A curve of bytes, all linear.
    bytes.extend([4 << 1 | 1]);
    bytes.extend(b"\x01A\x01C\x02\0\x01");
    bytes.extend(0_f32.to_le_bytes());
    bytes.push(10);
    bytes.extend(2_f32.to_le_bytes());
    bytes.push(20);
    let clip = read(&bytes);
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
        formats::decode(&newer, &DecodeRequest::default().format(FormatId::ANIMX)).unwrap_err();
    assert!(failure.to_string().contains("AnimX version 2 is not supported"), "{failure}");
    let mut bezier = b"\x05AnimX\x01\0\0\0\x01\0\0\0\0\0\0".to_vec();
    bezier.extend(b"\x03\x15\x01A\x01B\0");
    let clip = read(&bezier);
    let said = clip.diagnostics.iter().map(|notice| notice.message.as_str()).collect::<Vec<_>>();
    assert!(said[0].contains("the layout of tracks of the type Bezier is unknown"), "{said:?}");
    assert_eq!(clip.diagnostics.worst_severity(), Some(Severity::Error));
}
