//! Truncated and corrupted files: none causes a panic, nothing that comes before a cut is lost, and
//! losses are reported with their place.

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::{Severity, SourceLocation},
    formats::{self, DecodeRequest, FormatId},
};

use mutoscope_testing::{fixtures, scaling::assert_grows_linearly};

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

/// Words and bytes that are easily forgotten.
const NASTY: [&[u8]; 24] = [
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

fn mutilate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..1 + dice.below(5) {
        let at = dice.below(bytes.len().max(1)).min(bytes.len());
        let end = bytes.len().min(at + 1 + dice.below(40));
        match dice.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            2 if at < bytes.len() => bytes[at] = dice.roll() as u8,
            _ => {
                let nasty = NASTY[dice.below(NASTY.len())];
                bytes.splice(at..at, nasty.iter().copied());
            }
        }
    }
}

/// Reads `bytes` and uses all that comes of it; nothing if they are refused, at a place.
fn read_and_use(bytes: &[u8], pose: &mut Pose, what: &str) -> Option<Clip> {
    let lines = bytes.len() + 1;
    let is_within = |place: &SourceLocation| match place {
        SourceLocation::Line { line, .. } => (1..=lines).contains(&(*line as usize)),
        SourceLocation::File
        | SourceLocation::Bytes(_)
        | SourceLocation::Bits { .. }
        | SourceLocation::Unpacked(_) => false,
    };
    match formats::decode(bytes, &DecodeRequest::default().format(FormatId::MAYA)) {
        Ok(clip) => {
            for time in [clip.span.start, 0.7, clip.span.end(), -1e30, 1e30, f64::NAN] {
                clip.sample(time, pose);
                for track in &clip.tracks {
                    std::hint::black_box(track.curve.value(time));
                }
            }
            for notice in &clip.diagnostics {
                // Missing offsets of joints have no line.
                let is_of_all =
                    notice.severity == Severity::Info && notice.location == SourceLocation::File;
                assert!(is_of_all || is_within(&notice.location), "{what}: {notice:?}");
            }
            assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0, "{what}");
            assert!(clip.sample_times().iter().all(|time| time.is_finite()), "{what}");
            for track in &clip.tracks {
                (0..track.curve.key_count())
                    .for_each(|key| assert!(is_within(&track.source.key_location(key))));
            }
            Some(clip)
        }
        Err(failure) => {
            assert!(is_within(failure.error.location()), "{what}: {failure}");
            None
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let mut dice = Dice(0x6a8f_af6e_0f9e_42c6);
    let mut pose = Pose::default();
    let mut read = 0;
    for (name, bytes) in fixtures::maya_files() {
        for round in 0..250 {
            let mut mutilated = bytes.clone();
            mutilate(&mut mutilated, &mut dice);
            let what = format!("{name}, round {round}");
            read += usize::from(read_and_use(&mutilated, &mut pose, &what).is_some());
        }
    }
    assert!(read > 10_000, "only {read} were sound enough to be read: that tests little");
}

/// Where keys can be lost, a cut is an error; where a file could end, there is nothing to say.
#[test]
fn truncated_files_are_kept_up_to_the_cut() {
    let mut pose = Pose::default();
    for (name, bytes) in fixtures::maya_files().into_iter().filter(|(_, bytes)| bytes.len() < 3000)
    {
        let whole = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
        for length in 0..bytes.len() {
            let what = format!("{name} cut to {length} bytes");
            let Some(cut) = read_and_use(&bytes[..length], &mut pose, &what) else {
                let header = bytes[..length].windows(11).any(|word| word == b"animVersion");
                assert!(!header, "{what} is refused");
                continue;
            };
            let depth = |byte: u8| bytes[..length].iter().filter(|&&one| one == byte).count();
            if depth(b'{') > depth(b'}') {
                let worst = cut.diagnostics.worst_severity();
                assert_eq!(worst, Some(Severity::Error), "{what}: {:?}", cut.diagnostics);
            }
            for (track, of_whole) in cut.tracks.iter().zip(&whole.tracks) {
                let (curve, of_whole) = (track.curve.scalar(), of_whole.curve.scalar());
                let known = of_whole.values().iter().take(curve.len());
                assert!(
                    curve.values().iter().eq(known),
                    "{what}: another key than in the whole file"
                );
            }
        }
    }
}

/// Repetitive input: the time is linear in its length.
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
                |text| drop(read_and_use(text.as_bytes(), &mut pose, case)),
            );
        }
    }
}
