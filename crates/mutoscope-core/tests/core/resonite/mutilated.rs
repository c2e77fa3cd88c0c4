//! Truncated and corrupted files never cause a panic. Everything before a cut is kept, and losses
//! are reported with their location.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose, TrackId},
    decode,
    diagnostics::{Severity, SourceLocation},
    formats::FormatId,
};

use mutoscope_testing::{
    fixtures,
    property::{RandomInput, check_property},
    scaling::assert_grows_linearly,
};

/// Tokens that parsers often mishandle.
const TRICKY_TOKENS: [&[u8]; 24] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b",",
    b":",
    b"\\",
    b"\0",
    b"\xff",
    b"\n",
    b"null",
    b"true",
    b"-1",
    b"1e308",
    b"-0.0",
    b"18446744073709551616",
    b"\"keyframes\":[",
    b"\"trackType\":\"Raw\",",
    b"\"valueType\":\"float4x4\",",
    b"\"tracks\":",
    b"\x7f\x80\x00\x00",
    b"\xff\xff\xff\xff\x0f",
    b"\x00\x00\xc0\x7f",
];

fn corrupt(bytes: &mut Vec<u8>, random: &mut RandomInput) {
    for _ in 0..1 + random.below(4) {
        let offset = random.below(bytes.len().max(1)).min(bytes.len());
        let end = bytes.len().min(offset + 1 + random.below(40));
        match random.below(5) {
            0 => drop(bytes.drain(offset..end)),
            1 => {
                let copied = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, copied);
            }
            2 if offset < bytes.len() => bytes[offset] = random.below(256) as u8,
            _ => {
                let token = TRICKY_TOKENS[random.below(TRICKY_TOKENS.len())];
                bytes.splice(offset..offset, token.iter().copied());
            }
        }
    }
}

/// Decodes `bytes` and samples the clip. Returns `None` if the file is rejected.
fn decode_and_sample(bytes: &[u8], format: FormatId, label: &str) -> Option<Clip> {
    let is_within = |location: &SourceLocation| match location {
        SourceLocation::File => true,
        SourceLocation::Line { line, .. } => {
            format == FormatId::ANIMJ && (*line as usize) <= bytes.len() + 1
        }
        SourceLocation::Bytes(_) => {
            let first = location.first_byte().unwrap_or(0);
            format == FormatId::ANIMX && first <= bytes.len() as u64
        }
        // The size of the unpacked content of a broken stream is unknown here.
        SourceLocation::Unpacked(_) => format == FormatId::ANIMX,
        SourceLocation::Bits { .. } => false,
    };
    match decode(bytes, &ReadOptions::default().with_format(format)) {
        Ok(clip) => {
            let mut pose = Pose::default();
            for time in [0.0, 0.7, clip.span.end(), -1e30, 1e30, f64::NAN] {
                clip.sample(time, &mut pose);
                for index in 0..clip.tracks.len() {
                    std::hint::black_box(clip.value(TrackId::new(index), time));
                }
            }
            for diagnostic in &clip.diagnostics {
                assert!(is_within(&diagnostic.location), "{label}: {diagnostic:?}");
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{label}");
            for track in &clip.tracks {
                let keys = 0..track.curve.key_count();
                keys.for_each(|key| assert!(is_within(&track.source.key_location(key)), "{label}"));
                assert!(track.curve.key_times().is_sorted(), "{label}");
            }
            Some(clip)
        }
        Err(failure) => {
            assert!(is_within(failure.error.location()), "{label}: {failure}");
            None
        }
    }
}

fn format_of(name: &str) -> FormatId {
    if name.ends_with('j') { FormatId::ANIMJ } else { FormatId::ANIMX }
}

/// Returns the files that are small enough for thousands of variants.
fn small_files() -> Vec<(String, Vec<u8>)> {
    fixtures::resonite_files().into_iter().filter(|(_, bytes)| bytes.len() < 16_000).collect()
}

#[test]
fn corrupted_files_never_panic() {
    let files = small_files();
    let read = std::cell::Cell::new(0);
    check_property(|random| {
        for (name, bytes) in &files {
            let mut corrupted = bytes.clone();
            corrupt(&mut corrupted, random);
            let clip = decode_and_sample(&corrupted, format_of(name), name);
            read.set(read.get() + usize::from(clip.is_some()));
        }
    });
    assert!(
        read.get() > 8000,
        "only {} corrupted files could be decoded, too few for this test",
        read.get()
    );
}

/// Every cut is an error, and the keys before it equal the keys of the whole file.
#[test]
fn truncated_files_are_kept_up_to_the_cut() {
    for (name, bytes) in small_files() {
        let format = format_of(&name);
        let whole = decode_and_sample(&bytes, format, &name).unwrap();
        let end = bytes.trim_ascii_end().len();
        // Small files are cut at every byte, large ones only at some, so that the test stays fast.
        let step =
            if format == FormatId::ANIMX && bytes.len() > 4000 { 13 } else { 1 + end / 3000 };
        for length in (0..end).step_by(step) {
            let label = format!("{name} cut to {length} of {end} bytes");
            let Some(cut) = decode_and_sample(&bytes[..length], format, &label) else { continue };
            // The last bytes of an LZMA stream may hold only its end, so losing them loses no keys.
            let loses_keys =
                format == FormatId::ANIMJ || !name.contains("lzma") || length + 20 < end;
            let worst_severity = cut.diagnostics.worst_severity();
            assert!(
                worst_severity == Some(Severity::Error) || !loses_keys,
                "{label}: {:?}",
                cut.diagnostics
            );
            if name.contains("valuefirst") {
                continue;
            }
            for (index, (track, whole_track)) in cut.tracks.iter().zip(&whole.tracks).enumerate() {
                // The last track may be cut in the middle of its names.
                let is_last = index + 1 == cut.tracks.len();
                assert!(is_last || track.property == whole_track.property, "{label}");
                for key in 0..track.curve.key_count() {
                    let (found, known) =
                        (track.curve.key_value(key), whole_track.curve.key_value(key));
                    assert_eq!(found, known, "{label}: track {index}, key {key}");
                }
            }
        }
    }
}

#[test]
fn repetitive_input_is_read_in_linear_time() {
    let raw = "{\"tracks\": [{\"trackType\": \"Raw\", \"valueType\": \"float3\", \"data\": {\"keyframes\": [";
    let curve = "{\"tracks\": [{\"trackType\": \"Curve\", \"valueType\": \"int\", \"data\": {\"keyframes\": [";
    let cases = [
        ("blanks", "{", " "),
        ("line ends", "{", "\n"),
        ("members", "{", "\"a\": 1, "),
        ("members with escapes", "{", "\"\\u0061\": {\"b\": 1}, "),
        ("tracks of nothing", "{\"tracks\": [", "{}, "),
        ("tracks", "{\"tracks\": [", "{\"trackType\": \"Raw\", \"valueType\": \"int\"}, "),
        ("tracks that begin late", "{\"tracks\": [", "{\"data\": {}, \"valueType\": \"int\"}, "),
        ("keys of nothing", raw, "{}, "),
        ("keys of another kind", raw, "1, "),
        ("keys that are lists", raw, "[], "),
        ("keys without a time", curve, "{}, "),
        ("keys backwards", curve, "{\"time\": 1}, {\"time\": 0}, "),
        ("keys with escapes", curve, "{\"\\u0074ime\": 1}, "),
        ("open lists", "{\"a\": ", "["),
    ];
    for (case, start, text) in cases {
        assert_grows_linearly(
            case,
            400_000,
            |size| format!("{start}{}", text.repeat(size / text.len())),
            |text| drop(decode_and_sample(text.as_bytes(), FormatId::ANIMJ, case)),
        );
    }
}
