//! Writing AnimX: unchanged files, and the same tracks with each compression.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, TrackId},
    decode,
    export::{ExportOptions, Progress, TargetSettings, Targets},
    formats::FormatId,
};
use mutoscope_testing::{
    fixtures::{resonite_file, resonite_files},
    property::check_property,
};

const COMPRESSIONS: [&str; 3] = ["none", "lz4", "lzma"];

fn export(clip: &Clip, compression: &str, options: &ExportOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    let target = Targets::default().target("animx").unwrap();
    let option = target.option("compression").unwrap();
    let settings = TargetSettings::default().with(option, compression.into());
    let options = ExportOptions { settings, ..options.clone() };
    target.write(clip, &options, &mut bytes, &mut Progress::default()).unwrap();
    bytes
}

fn clip(name: &str, bytes: &[u8]) -> Option<Clip> {
    let options = ReadOptions::default();
    decode(SourceFile::new(name, bytes), &options).ok()
}

#[test]
fn unchanged_plain_files_are_written_byte_for_byte() {
    for name in [
        "redx_test.animx",
        "redx_response.animx",
        "rig/arm_swing.animx",
        "generated/all_types.animx",
        "generated/matrices.animx",
        "generated/coverage_by_resonite_core.animx",
    ] {
        let bytes = resonite_file(name);
        let clip = clip(name, &bytes).unwrap();
        let written = export(&clip, "none", &ExportOptions::default());
        assert!(written == bytes, "{name}");
    }
}

/// Asserts that all tracks have the same names, types and values, `start` seconds later in `clip`.
fn assert_same_tracks(clip: &Clip, back: &Clip, start: f64, end: f64, name: &str) {
    assert_eq!(clip.tracks.len(), back.tracks.len(), "{name}");
    for (index, (track, other)) in clip.tracks.iter().zip(&back.tracks).enumerate() {
        assert_eq!(clip.owner_name(track.owner), back.owner_name(other.owner));
        assert_eq!(track.property, other.property);
        assert_eq!(track.curve.type_name(), other.curve.type_name(), "{name}");
        if track.curve.key_times().iter().any(|time| *time < 0.0) {
            continue;
        }
        for step in 0..=60 {
            let time = start + (end - start) * (f64::from(step) + 0.131) / 60.4;
            let is_near_a_key =
                |keys: &[f64], at: f64| keys.iter().any(|key| (key - at).abs() < 1e-4);
            if is_near_a_key(track.curve.key_times(), time) {
                continue;
            }
            let id = TrackId::new(index);
            let (expected, found) = (clip.value(id, time), back.value(id, time - start));
            let is_same = is_same(&found, &expected);
            assert!(is_same, "{name}, track {index} at {time}: {found:?}, not {expected:?}");
        }
    }
}

fn is_same(found: &mutoscope_core::clip::Value, expected: &mutoscope_core::clip::Value) -> bool {
    use mutoscope_core::clip::Value;
    let is_near = |found: f64, expected: f64| {
        found == expected
            || (found.is_nan() && expected.is_nan())
            || (found - expected).abs() <= 2e-5 * (1.0 + expected.abs())
    };
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => is_near(*found, *expected),
        (Value::Numbers(found), Value::Numbers(expected)) => {
            let same = |sign: f64| found.iter().zip(expected).all(|(a, b)| is_near(*a, sign * b));
            same(1.0) || found.len() == 4 && same(-1.0)
        }
        // Rounding of a value half-way between two integers may differ.
        (Value::Integer(found), Value::Integer(expected)) => (found - expected).abs() <= 1,
        (Value::Integers(found), Value::Integers(expected)) => {
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1)
        }
        _ => found == expected,
    }
}

#[test]
fn tracks_are_equal_with_every_compression() {
    let mut compared = 0;
    for (name, bytes) in resonite_files() {
        let Some(clip) = clip(&name, &bytes) else { continue };
        if clip.format == FormatId::GLTF {
            continue;
        }
        for compression in COMPRESSIONS {
            let written = export(&clip, compression, &ExportOptions::default());
            let back = self::clip("back.animx", &written).unwrap();
            assert_eq!(back.format, FormatId::ANIMX);
            assert_same_tracks(&clip, &back, 0.0, clip.span.duration, &name);
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn random_tracks_read_back_whole_and_cut() {
    check_property(|input| {
        let mut tracks = Vec::new();
        for index in 0..1 + input.below(4) {
            let kind = ["float", "int", "bool", "double", "byte"][input.below(5)];
            let mut time = input.in_range(0.0, 0.2);
            let keys: Vec<String> = (0..1 + input.below(6))
                .map(|_| {
                    time += input.in_range(0.01, 0.4);
                    let mut number = || match kind {
                        "bool" => (input.below(2) == 1).to_string(),
                        "int" | "byte" => input.below(200).to_string(),
                        _ => input.in_range(-5.0, 5.0).to_string(),
                    };
                    let (value, left, right) = (number(), number(), number());
                    let mode = ["Hold", "Linear", "Tangent", "CubicBezier"][input.below(4)];
                    let mode = if kind == "bool" { "Hold" } else { mode };
                    format!(
                        r#"{{"time": {time}, "value": {value}, "interpolation": "{mode}", "leftTangent": {left},
                        "rightTangent": {right}}}"#
                    )
                })
                .collect();
            tracks.push(format!(
                r#"{{"trackType": "Curve", "valueType": "{kind}", "data": {{"node": "n{index}", "property": "p",
                "keyframes": [{}]}}}}"#,
                keys.join(",")
            ));
        }
        let text = format!(r#"{{"globalDuration": 1, "tracks": [{}]}}"#, tracks.join(","));
        let source = clip("random.animj", text.as_bytes()).unwrap();
        let compression = COMPRESSIONS[input.below(3)];
        let bytes = export(&source, compression, &ExportOptions::default());
        let back = clip("random.animx", &bytes).unwrap();
        assert_same_tracks(&source, &back, 0.0, source.span.duration, &text);
        let again = export(&back, "none", &ExportOptions::default());
        let plain = export(&source, "none", &ExportOptions::default());
        assert!(again == plain, "a file that is read and written is unchanged");
    });
}
