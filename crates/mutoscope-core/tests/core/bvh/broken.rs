//! Truncated and corrupted files never cause a panic, and everything before a cut is kept.

use mutoscope_core::{
    ReadOptions,
    clip::FormatId,
    decode,
    diagnostics::{Severity, SourceLocation},
};

use crate::bvh::pose;
use mutoscope_testing::property::{RandomInput, check_property};

const WALK: &[u8] = include_bytes!("../../../../../assets/bvh/walk.bvh");
const CHAIN: &[u8] = include_bytes!("../../../../../tests/data/bvh/chain_yzx.bvh");

/// Decodes `bytes` and samples the clip. Returns the number of frames, or `None` if the file is
/// rejected.
fn decode_and_sample(bytes: &[u8]) -> Option<usize> {
    let request = ReadOptions::default().with_format(FormatId::BVH);
    let clip = match decode(bytes, &request) {
        Ok(clip) => clip,
        Err(failure) => {
            assert_ne!(*failure.error.location(), SourceLocation::File, "{failure}");
            return None;
        }
    };
    assert!(clip.span.duration.is_finite() && clip.span.duration >= 0.0);
    for time in [-1.0, 0.0, 0.3 * clip.span.duration, clip.span.end(), 1e9] {
        let pose = pose(&clip, time);
        assert_eq!(pose.nodes.len(), clip.nodes.len());
        assert!(pose.nodes.iter().all(|node| !node.is_visible || node.world.is_finite()));
    }
    for track in &clip.tracks {
        for key in 0..track.curve.key_count() {
            let SourceLocation::Line { line, .. } = track.source.key_location(key) else {
                panic!("expected a line as the location")
            };
            assert!(line as usize <= bytes.len() + 1);
        }
    }
    Some(clip.tracks.first().map_or(0, |track| track.curve.key_count()))
}

#[test]
fn frames_before_truncation_are_kept() {
    let motion = WALK.windows(6).position(|word| word == b"MOTION").unwrap();
    for end in (0..WALK.len()).step_by(131) {
        let frames = decode_and_sample(&WALK[..end]);
        let lines = WALK[..end].iter().filter(|&&byte| byte == b'\n').count();
        let before = WALK[..motion].iter().filter(|&&byte| byte == b'\n').count() + 3;
        if end > motion + 60 {
            // The cut line may still have all its values, so one more frame can be complete.
            let whole = lines - before;
            assert!(frames.is_some_and(|frames| frames == whole || frames == whole + 1), "{end}");
        }
        if (40..motion).contains(&end) {
            assert_eq!(frames, Some(0), "{end}");
        }
    }
}

#[test]
fn truncation_is_reported() {
    for end in [WALK.len() / 2, WALK.len() * 3 / 4] {
        let clip = decode(&WALK[..end], &ReadOptions::default()).unwrap();
        let truncated = clip.diagnostics.iter().find(|diagnostic| {
            diagnostic.code.as_str() == "bvh/truncated" && diagnostic.value("found").is_some()
        });
        let truncated = truncated.unwrap_or_else(|| panic!("{:?}", clip.diagnostics));
        let frames = clip.tracks[0].curve.key_count();
        assert_eq!(truncated.severity, Severity::Error);
        assert_eq!(truncated.value("found"), Some(&frames.into()));
        assert_eq!(truncated.value("expected"), Some(&61.into()));
    }
}

/// Tokens that parsers often mishandle.
const TRICKY_TOKENS: [&[u8]; 20] = [
    b"{",
    b"}",
    b"\n",
    b"\r",
    b"\0",
    b"\xff",
    b" ROOT x ",
    b" JOINT y {",
    b" End Site {",
    b" MOTION ",
    b" CHANNELS 99999999999 Xposition ",
    b" CHANNELS -3 ",
    b" OFFSET 1e308 -1e308 nan ",
    b" Frames: 18446744073709551615 ",
    b" Frame Time: 1e308\n",
    b" 1e-320 ",
    b" inf ",
    b"1,2,3",
    b":",
    b" 0 0 0 0 0 0",
];

fn corrupt(bytes: &mut Vec<u8>, random: &mut RandomInput) {
    for _ in 0..1 + random.below(5) {
        let offset = random.below(bytes.len());
        let end = bytes.len().min(offset + 1 + random.below(40));
        match random.below(5) {
            0 if bytes.len() > 100 => drop(bytes.drain(offset..end)),
            1 => {
                let copied = bytes[offset..end].to_vec();
                bytes.splice(offset..offset, copied);
            }
            2 => bytes[offset] = random.below(256) as u8,
            _ => {
                let token = TRICKY_TOKENS[random.below(TRICKY_TOKENS.len())];
                bytes.splice(offset..offset, token.iter().copied());
            }
        }
    }
}

#[test]
fn corrupted_files_never_panic() {
    let read = std::cell::Cell::new(0);
    check_property(|random| {
        let mut bytes = CHAIN.to_vec();
        corrupt(&mut bytes, random);
        read.set(read.get() + usize::from(decode_and_sample(&bytes).is_some()));
    });
    assert!(read.get() > 900, "{}", read.get());
}

/// The limit matters because a file with a problem in every word would otherwise fill the memory
/// with messages.
#[test]
fn repeated_problems_are_counted_beyond_a_limit() {
    let words = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n".to_owned()
        + &"colour\n".repeat(1000)
        + "}\nMOTION\nFrames: 1000\nFrame Time: 1\n"
        + &"x\n".repeat(1000);
    let clip = decode(words.as_bytes(), &ReadOptions::default()).unwrap();
    assert!(clip.diagnostics.len() < 80, "{}", clip.diagnostics.len());
    let more = clip
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.as_str() == "bvh/more-problems");
    let counts: Vec<_> = more.map(|diagnostic| diagnostic.value("count").unwrap()).collect();
    assert_eq!(counts, [968, 968]);
}

/// Neither the stack nor the time may grow out of bounds with the depth.
#[test]
fn a_chain_of_twenty_thousand_joints_is_read() {
    let mut text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n".to_owned();
    text.push_str(&"JOINT b\n{\nOFFSET 0 1 0\n".repeat(20_000));
    text.push_str("MOTION\nFrames: 0\nFrame Time: 1\n");
    assert_eq!(decode_and_sample(text.as_bytes()), Some(0));
}
