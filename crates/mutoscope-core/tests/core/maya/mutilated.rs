//! Truncated and corrupted files never cause a panic. Everything before a cut is kept, and losses
//! are reported with their location.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Pose},
    decode,
    diagnostics::{Severity, SourceLocation},
    formats::FormatId,
};

use mutoscope_testing::{fixtures, scaling::assert_grows_linearly};

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

/// Tokens that parsers often mishandle.
const TRICKY_TOKENS: [&[u8]; 24] = [
    b"{",
    b"}",
    b";",
    b"\"",
    b"#",
    b"/",
    b"\n",
    b"\r",
    b"\0",
    b"\xff",
    b" anim ",
    b" animData ",
    b" keys ",
    b"animVersion 1.0;",
    b"timeUnit hour;",
    b"weighted 1;",
    b" 1e308 ",
    b" -1e308 ",
    b" 1e-320 ",
    b" nan ",
    b" 90 ",
    b" 4294967296 ",
    b" fixed ",
    b"1,2,3",
];

fn corrupt(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(5) {
        let offset = random.below(bytes.len().max(1)).min(bytes.len());
        let end = bytes.len().min(offset + 1 + random.below(40));
        match random.below(5) {
            0 => drop(bytes.drain(offset..end)),
            1 => {
                let copied = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, copied);
            }
            2 if offset < bytes.len() => bytes[offset] = random.next_u64() as u8,
            _ => {
                let token = TRICKY_TOKENS[random.below(TRICKY_TOKENS.len())];
                bytes.splice(offset..offset, token.iter().copied());
            }
        }
    }
}

/// Decodes `bytes` and samples the clip. Returns `None` if the file is rejected.
fn decode_and_sample(bytes: &[u8], pose: &mut Pose, label: &str) -> Option<Clip> {
    let lines = bytes.len() + 1;
    let is_within = |location: &SourceLocation| match location {
        SourceLocation::Line { line, .. } => (1..=lines).contains(&(*line as usize)),
        SourceLocation::File
        | SourceLocation::Bytes(_)
        | SourceLocation::Bits { .. }
        | SourceLocation::Unpacked(_) => false,
    };
    match decode(bytes, &ReadOptions::default().with_format(FormatId::MAYA)) {
        Ok(clip) => {
            for time in [clip.span.start, 0.7, clip.span.end(), -1e30, 1e30, f64::NAN] {
                clip.sample(time, pose);
                for track in &clip.tracks {
                    std::hint::black_box(track.curve.value(time));
                }
            }
            for diagnostic in &clip.diagnostics {
                // Missing joint offsets concern the whole file, so their diagnostic has no line.
                let is_of_all = diagnostic.severity == Severity::Info
                    && diagnostic.location == SourceLocation::File;
                assert!(is_of_all || is_within(&diagnostic.location), "{label}: {diagnostic:?}");
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{label}");
            assert!(clip.sample_times().iter().all(|time| time.is_finite()), "{label}");
            for track in &clip.tracks {
                (0..track.curve.key_count())
                    .for_each(|key| assert!(is_within(&track.source.key_location(key))));
            }
            Some(clip)
        }
        Err(failure) => {
            assert!(is_within(failure.error.location()), "{label}: {failure}");
            None
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let mut random = Random(0x6a8f_af6e_0f9e_42c6);
    let mut pose = Pose::default();
    let mut read = 0;
    for (name, bytes) in fixtures::maya_files() {
        for round in 0..250 {
            let mut corrupted = bytes.clone();
            corrupt(&mut corrupted, &mut random);
            let label = format!("{name}, round {round}");
            read += usize::from(decode_and_sample(&corrupted, &mut pose, &label).is_some());
        }
    }
    assert!(read > 10_000, "only {read} corrupted files could be decoded, too few for this test");
}

/// If keys can be lost, a cut is an error. If the file could also end there, the cut is not
/// reported.
#[test]
fn truncated_files_are_kept_up_to_the_cut() {
    let mut pose = Pose::default();
    for (name, bytes) in fixtures::maya_files().into_iter().filter(|(_, bytes)| bytes.len() < 3000)
    {
        let whole = decode(&bytes, &ReadOptions::default()).unwrap();
        for length in 0..bytes.len() {
            let label = format!("{name} cut to {length} bytes");
            let Some(cut) = decode_and_sample(&bytes[..length], &mut pose, &label) else {
                let header = bytes[..length].windows(11).any(|word| word == b"animVersion");
                assert!(!header, "{label} is rejected, although its first statement is complete");
                continue;
            };
            let count = |byte: u8| bytes[..length].iter().filter(|&&one| one == byte).count();
            if count(b'{') > count(b'}') {
                let worst = cut.diagnostics.worst_severity();
                assert_eq!(worst, Some(Severity::Error), "{label}: {:?}", cut.diagnostics);
            }
            for (track, whole_track) in cut.tracks.iter().zip(&whole.tracks) {
                let (curve, whole_track) = (track.curve.scalar(), whole_track.curve.scalar());
                let known = whole_track.values().iter().take(curve.len());
                assert!(
                    curve.values().iter().eq(known),
                    "{label}: a key differs from the whole file"
                );
            }
        }
    }
}

#[test]
fn repetitive_input_is_read_in_linear_time() {
    let header =
        "animVersion 1.1;\nanim translate.translateX translateX a 0 0 0;\nanimData {\nkeys {\n";
    let cases = [
        ("line ends", "\n"),
        ("line ends after half a key", "1 0\n\n\n\n\n\n"),
        ("quotes", "\""),
        ("open braces", "{"),
        ("braces", "{ }"),
        ("words", "x "),
        ("numbers", "1 "),
        ("keys", "1 0 auto auto 1 1 0;"),
        ("anim", "anim "),
        ("anim lines", "anim a.b b c 0 0 0\n"),
        ("animData", "animData {"),
        ("keywords", "keys\n"),
        ("semicolons", ";"),
        ("comments", "#\n"),
        ("unknown blocks", "}\nq {\n"),
    ];
    let mut pose = Pose::default();
    for (case, text) in cases {
        for start in ["", header] {
            assert_grows_linearly(
                case,
                400_000,
                |size| format!("animVersion 1.1;\n{start}{}", text.repeat(size / text.len())),
                |text| drop(decode_and_sample(text.as_bytes(), &mut pose, case)),
            );
        }
    }
}
