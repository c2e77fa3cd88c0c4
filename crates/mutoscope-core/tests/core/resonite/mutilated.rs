//! Truncated and corrupted files: none causes a panic, nothing that comes before a cut is lost, and
//! losses are reported with their place.

use mutoscope_core::{
    clip::{Clip, Pose, TrackId},
    diagnostics::{Severity, SourceLocation},
    formats::{self, DecodeRequest, FormatId},
};

use mutoscope_testing::{
    fixtures,
    property::{RandomInput, check_property},
    scaling::assert_grows_linearly,
};

/// Pieces that are easily forgotten.
const NASTY: [&[u8]; 24] = [
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

fn mutilate(bytes: &mut Vec<u8>, random: &mut RandomInput) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1)).min(bytes.len());
        let end = bytes.len().min(at + 1 + random.below(40));
        match random.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            _ => {
                let nasty = NASTY[random.below(NASTY.len())];
                bytes.splice(at..at, nasty.iter().copied());
            }
        }
    }
}

/// Reads `bytes` and uses all that comes of it; nothing if they are refused, at a place.
fn read_and_use(bytes: &[u8], format: FormatId, what: &str) -> Option<Clip> {
    let is_within = |place: &SourceLocation| match place {
        SourceLocation::File => true,
        SourceLocation::Line { line, .. } => {
            format == FormatId::ANIMJ && (*line as usize) <= bytes.len() + 1
        }
        SourceLocation::Bytes(_) => {
            let first = place.first_byte().unwrap_or(0);
            format == FormatId::ANIMX && first <= bytes.len() as u64
        }
        // The unpacked content of a broken stream is unknown here.
        SourceLocation::Unpacked(_) => format == FormatId::ANIMX,
        SourceLocation::Bits { .. } => false,
    };
    match formats::decode(bytes, &DecodeRequest::default().format(format)) {
        Ok(clip) => {
            let mut pose = Pose::default();
            for time in [0.0, 0.7, clip.span.end(), -1e30, 1e30, f64::NAN] {
                clip.sample(time, &mut pose);
                for index in 0..clip.tracks.len() {
                    std::hint::black_box(clip.value(TrackId::new(index), time));
                }
            }
            for notice in &clip.diagnostics {
                assert!(is_within(&notice.location), "{what}: {notice:?}");
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{what}");
            for track in &clip.tracks {
                let keys = 0..track.curve.key_count();
                keys.for_each(|key| assert!(is_within(&track.source.key_location(key)), "{what}"));
                assert!(track.curve.key_times().is_sorted(), "{what}");
            }
            Some(clip)
        }
        Err(failure) => {
            assert!(is_within(failure.error.location()), "{what}: {failure}");
            None
        }
    }
}

fn format_of(name: &str) -> FormatId {
    if name.ends_with('j') { FormatId::ANIMJ } else { FormatId::ANIMX }
}

/// The files that are small enough for thousands of variations.
fn small() -> Vec<(String, Vec<u8>)> {
    fixtures::resonite_files().into_iter().filter(|(_, bytes)| bytes.len() < 16_000).collect()
}

#[test]
fn corrupted_files_never_panic() {
    let files = small();
    let read = std::cell::Cell::new(0);
    check_property(|random| {
        for (name, bytes) in &files {
            let mut mutilated = bytes.clone();
            mutilate(&mut mutilated, random);
            let clip = read_and_use(&mutilated, format_of(name), name);
            read.set(read.get() + usize::from(clip.is_some()));
        }
    });
    assert!(read.get() > 8000, "only {} were sound enough to be read", read.get());
}

/// Whatever is cut off is an error; the keys before it are those of the whole file.
#[test]
fn truncated_files_are_kept_up_to_the_cut() {
    for (name, bytes) in small() {
        let format = format_of(&name);
        let whole = read_and_use(&bytes, format, &name).unwrap();
        let end = bytes.trim_ascii_end().len();
        // All of a small file's cuts, and some of a large one's.
        let step =
            if format == FormatId::ANIMX && bytes.len() > 4000 { 13 } else { 1 + end / 3000 };
        for length in (0..end).step_by(step) {
            let what = format!("{name} cut to {length} of {end} bytes");
            let Some(cut) = read_and_use(&bytes[..length], format, &what) else { continue };
            // Bytes that nothing but an end follows are not missed in a compressed stream.
            let is_missed =
                format == FormatId::ANIMJ || !name.contains("lzma") || length + 20 < end;
            let said = cut.diagnostics.worst_severity();
            assert!(said == Some(Severity::Error) || !is_missed, "{what}: {:?}", cut.diagnostics);
            if name.contains("valuefirst") {
                continue;
            }
            for (index, (track, of_whole)) in cut.tracks.iter().zip(&whole.tracks).enumerate() {
                // The last track may be half there.
                let is_last = index + 1 == cut.tracks.len();
                assert!(is_last || track.property == of_whole.property, "{what}");
                for key in 0..track.curve.key_count() {
                    let (found, known) =
                        (track.curve.key_value(key), of_whole.curve.key_value(key));
                    assert_eq!(found, known, "{what}: track {index}, key {key}");
                }
            }
        }
    }
}

/// Repetitive input: the time is linear in its length.
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
            |text| drop(read_and_use(text.as_bytes(), FormatId::ANIMJ, case)),
        );
    }
}
