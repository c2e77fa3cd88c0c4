//! Data that Resonite rejects, misreads or plays differently, and the locations in the messages.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, TrackId, Value},
    diagnostics::Diagnostic,
    formats::FormatId,
};

fn decode(text: &str) -> Result<Clip, String> {
    let failed = |failure: mutoscope_core::Failure| {
        failure.error.to_string().trim_start_matches("at ").to_owned()
    };
    mutoscope_core::decode(text.as_bytes(), &ReadOptions::default().with_format(FormatId::ANIMJ))
        .map_err(failed)
}

/// Formats each diagnostic on a line, as `check` does.
fn format_diagnostics(clip: &Clip) -> String {
    let line = |diagnostic: &Diagnostic| {
        format!("{} {}: {}\n", diagnostic.severity, diagnostic.location, diagnostic.message)
    };
    clip.diagnostics.iter().map(line).collect()
}

/// Formats the code and the values of each diagnostic on a line.
fn format_codes(clip: &Clip) -> String {
    let line = |diagnostic: &Diagnostic| {
        let Diagnostic { code, severity, location, data, .. } = diagnostic;
        let data = data.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{severity} {location}: {code}{}\n", data.collect::<String>())
    };
    clip.diagnostics.iter().map(line).collect()
}

/// Builds a file with one track of the given types. `data` has more members for the track's `data`
/// object.
fn track(kind: &str, value_type: &str, data: &str) -> String {
    format!(
        "{{\"tracks\": [\n{{\"trackType\": \"{kind}\", \"valueType\": \"{value_type}\", \"data\":\n\
         {{\"node\": \"A\", \"property\": \"B\", {data}}}}}\n]}}"
    )
}

fn curve(value_type: &str, keys: &str) -> String {
    track("Curve", value_type, &format!("\"keyframes\": [\n{keys}\n]"))
}

#[test]
fn diagnostics_have_a_code_values_and_a_location() {
    let linear = |time: &str, value: &str| {
        format!("{{\"time\": {time}, \"value\": {value}, \"interpolation\": \"Linear\"}}")
    };
    let cases = [
        (
            "members in another order",
            "{\"tracks\": [\n {\"valueType\": \"int\", \"trackType\": \"Raw\", \"data\": {\"interval\": 1, \
             \"keyframes\": [1]}}]}"
                .to_owned(),
            r#"warning line 2, column 2: resonite/member-order path="tracks[0]""#,
        ),
        (
            "data before the types",
            "{\"tracks\": [\n {\"data\": {\"interval\": 1, \"keyframes\": [1]}, \"valueType\": \"int\", \
             \"trackType\": \"Raw\"}]}"
                .to_owned(),
            r#"warning line 2, column 2: resonite/member-order path="tracks[0]""#,
        ),
        (
            "a member after data",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"int\", \"data\": {\"interval\": 1, \
             \"keyframes\": [1]}, \"x\": 1}]}"
                .to_owned(),
            r#"warning line 2, column 86: resonite/unused-member path="tracks[0]" name="x""#,
        ),
        (
            "a missing handle",
            curve(
                "float",
                "{\"time\": 0, \"value\": 5, \"interpolation\": \"CubicBezier\", \"rightTangent\": 5},\n\
                 {\"time\": 1, \"value\": 5, \"interpolation\": \"Hold\"}",
            ),
            r#"warning line 5, column 1: resonite/tangent-missing track=0 key=1"#,
        ),
        (
            "a pair that turns the long way",
            curve(
                "floatQ",
                &[
                    linear("0", "{\"x\": 0, \"y\": 0, \"z\": 0, \"w\": 1}"),
                    linear("1", "{\"x\": 0, \"y\": -0.7, \"z\": 0, \"w\": -0.7}"),
                ]
                .join(",\n"),
            ),
            r#"warning line 5, column 1: motion/long-turn track=0 key=1"#,
        ),
        (
            "a rotation of nothing",
            curve("floatQ", &linear("0", "{}")),
            r#"warning line 4, column 1: motion/zero-quaternion track=0 key=0"#,
        ),
        (
            "unsorted times",
            curve("int", &[linear("2", "1"), linear("1", "2")].join(",\n")),
            r#"warning line 5, column 1: motion/unsorted-keys track=0 key=1"#,
        ),
        (
            "a time before 0",
            curve("int", &[linear("-0.5", "1"), linear("1", "2")].join(",\n")),
            r#"warning line 4, column 1: resonite/negative-time track=0 key=0"#,
        ),
        (
            "times that single precision cannot tell apart",
            curve("int", &[linear("100", "1"), linear("100.000001", "2")].join(",\n")),
            r#"warning line 5, column 1: resonite/keys-too-close track=0 key=1"#,
        ),
        (
            "no interval",
            track("Raw", "float", "\"keyframes\": [1, 2]"),
            r#"warning line 2, column 1: resonite/no-interval track=0"#,
        ),
        (
            "an unknown member of a key",
            curve("int", "{\"time\": 0, \"value\": 1, \"interpolation\": 1, \"leftHandle\": 2}"),
            r#"warning line 4, column 45: resonite/unused-member path="tracks[0].data.keyframes[0]" name="leftHandle""#,
        ),
        (
            "a member that is nearly known",
            "{\"track\": [], \"tracks\": []}".to_owned(),
            r#"warning line 1, column 2: resonite/unused-member path="" name="track""#,
        ),
        (
            "a member in another case",
            track("Raw", "float", "\"Interval\": 1, \"keyframes\": [1]"),
            r#"warning line 3, column 32: resonite/unused-member path="tracks[0].data" name="Interval""#,
        ),
        (
            "a member twice",
            "{\"name\": \"a\", \"name\": \"b\", \"tracks\": []}".to_owned(),
            r#"warning line 1, column 15: resonite/repeated-member path="" name="name""#,
        ),
        (
            "a number in quotation marks",
            curve("int", &linear("0", "\"7\"")),
            r#"warning line 4, column 13: resonite/number-form path="tracks[0].data.keyframes[0].value""#,
        ),
        (
            "a whole number with a point",
            curve("int", &linear("0", "1.0")),
            r#"warning line 4, column 1: resonite/number-form path="tracks[0].data.keyframes[0]""#,
        ),
        (
            "a tangent of a whole number with a point",
            curve(
                "int",
                "{\"time\": 0, \"value\": 1, \"interpolation\": \"CubicBezier\", \"rightTangent\": 147.0},\n\
                 {\"time\": 1, \"value\": 1, \"interpolation\": \"Hold\", \"leftTangent\": 3}",
            ),
            r#"warning line 4, column 57: resonite/number-form path="tracks[0].data.keyframes[0].rightTangent""#,
        ),
        (
            "a tangent out of bounds",
            curve(
                "color32",
                "{\"time\": 0, \"value\": {\"r\": 1, \"g\": 1, \"b\": 1, \"a\": 1}, \"interpolation\": \
                 \"CubicBezier\", \"leftTangent\": {\"r\": 1, \"g\": 256, \"b\": 1, \"a\": 1}}",
            ),
            r#"warning line 4, column 88: resonite/out-of-range path="tracks[0].data.keyframes[0].leftTangent.g""#,
        ),
        (
            "a number out of bounds",
            curve("byte", &linear("0", "256")),
            r#"error line 4, column 1: resonite/out-of-range path="tracks[0].data.keyframes[0]""#,
        ),
        (
            "a number for a boolean",
            curve("bool", &linear("0", "1")),
            r#"error line 4, column 1: resonite/wrong-type path="tracks[0].data.keyframes[0]""#,
        ),
        (
            "a value of a Raw track of another kind",
            track("Raw", "int", "\"interval\": 1, \"keyframes\": [1,\n 2,\n true, 300]"),
            r#"error line 5, column 2: resonite/wrong-type path="tracks[0].data.keyframes[2]""#,
        ),
        (
            "a list for a value of a Raw track",
            track("Raw", "int", "\"interval\": 1, \"keyframes\": [1,\n [2]]"),
            r#"error line 4, column 2: resonite/wrong-type path="tracks[0].data.keyframes[1]""#,
        ),
        (
            "a vector for a number",
            curve("float", &linear("0", "{\"x\": 1}")),
            r#"error line 4, column 13: resonite/wrong-type path="tracks[0].data.keyframes[0].value""#,
        ),
        (
            "a number for a vector",
            curve("float3", &linear("0", "1")),
            r#"error line 4, column 13: resonite/wrong-type path="tracks[0].data.keyframes[0].value""#,
        ),
        (
            "a component that is missing",
            curve("float3", &linear("0", "{\"x\": 1, \"y\": 1}")),
            r#"warning line 4, column 1: resonite/missing-member path="tracks[0].data.keyframes[0].z""#,
        ),
        (
            "an interpolation that nobody knows",
            curve("float", "{\"time\": 0, \"value\": 1, \"interpolation\": \"Bezier\"}"),
            r#"error line 4, column 25: resonite/unknown-name path="tracks[0].data.keyframes[0].interpolation""#,
        ),
        (
            "no interpolation",
            curve("float", "{\"time\": 0, \"value\": 1}"),
            r#"warning line 4, column 1: resonite/missing-member path="tracks[0].data.keyframes[0]""#,
        ),
        (
            "no time",
            curve("float", "{\"value\": 1, \"interpolation\": \"Hold\"}"),
            r#"warning line 4, column 1: resonite/missing-member path="tracks[0].data.keyframes[0]""#,
        ),
        (
            "Tangent",
            curve(
                "float",
                "{\"time\": 0, \"value\": 1, \"interpolation\": \"Tangent\", \"rightTangent\": 0},\n\
                 {\"time\": 1, \"value\": 1, \"interpolation\": \"Hold\", \"leftTangent\": 0}",
            ),
            r#"warning line 4, column 1: resonite/tangent-approximate track=0 key=0"#,
        ),
        (
            "a track of the type Bezier",
            track("Bezier", "float", "\"keyframes\": [{\"time\": 0, \"value\": 1}]"),
            r#"warning line 2, column 1: resonite/bezier-track track=0"#,
        ),
        (
            "a matrix",
            track("Raw", "float4x4", "\"interval\": 1, \"keyframes\": []"),
            r#"error line 2, column 1: resonite/matrix-track path="tracks[0]""#,
        ),
        (
            "a type that there is not",
            track("Raw", "colorX", "\"interval\": 1, \"keyframes\": []"),
            r#"error line 2, column 22: resonite/unknown-name path="tracks[0].valueType""#,
        ),
        (
            "a type of track that there is not",
            track("Linear", "float", "\"keyframes\": []"),
            r#"error line 2, column 2: resonite/unknown-name path="tracks[0].trackType""#,
        ),
        (
            "no keys",
            track("Curve", "float", "\"keyframes\": []"),
            r#"warning line 2, column 1: resonite/no-keys track=0"#,
        ),
        (
            "a field of another type",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"float\", \"data\": {\"node\": \"A\", \
             \"property\": \"Position\", \"interval\": 1, \"keyframes\": [1]}}]}"
                .to_owned(),
            r#"warning line 2, column 2: resonite/field-type track=0"#,
        ),
        (
            "Blender's names",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"float3\", \"data\": {\"node\": \"A\", \
             \"property\": \"location\", \"interval\": 1, \"keyframes\": []}}]}"
                .to_owned(),
            r#"info line 2, column 2: resonite/not-a-field track=0"#,
        ),
        (
            "a duration that ends too soon",
            "{\"globalDuration\": 1, \"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"int\", \
             \"data\": {\"interval\": 2, \"keyframes\": [1, 2]}}]}"
                .to_owned(),
            r#"warning line 1, column 2: resonite/duration expected_s=2.0 found_s=1.0"#,
        ),
        (
            "text after the end",
            "{\"tracks\": []}\n{}".to_owned(),
            r#"warning line 2, column 1: resonite/text-after-end"#,
        ),
        (
            "no tracks",
            "{\"name\": \"x\"}".to_owned(),
            r#"warning the whole file: resonite/no-tracks"#,
        ),
    ];
    let failures = cases.iter().filter_map(|(case, text, expected)| {
        let diagnostics = format_codes(&decode(text).unwrap());
        (!diagnostics.lines().any(|line| line == *expected))
            .then(|| format!("{case}:\n{diagnostics}instead of\n{expected}\n"))
    });
    let failures: String = failures.collect();
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn invalid_json_is_rejected_at_its_location() {
    let cases = [
        ("{\"name\": True}", "line 1, column 10: expected a value, found 'T'"),
        ("{\"name\": \"a\",}", "line 1, column 14"),
        ("{\"tracks\": []\n // comment\n}", "line 2, column 2"),
        ("{\"globalDuration\": NaN}", "line 1, column 20"),
        ("{\"globalDuration\": 1e999}", "line 1, column"),
        ("[1]", "line 1, column 1"),
        ("", "line 1, column 1"),
    ];
    for (text, location) in cases {
        let error = decode(text).unwrap_err();
        assert!(error.starts_with(location), "{text}: {error}");
    }
    for deep in ["[", "{\"a\": "] {
        let text = format!("{{\"tracks\": {}", deep.repeat(100_000));
        assert!(decode(&text).unwrap_err().contains("found the end of the file"), "{deep}");
    }
}

#[test]
fn invalid_utf8_ends_the_file() {
    let mut bytes = curve("string", "{\"time\": 0, \"value\": \"a\"}").into_bytes();
    let offset = bytes.iter().rposition(|&byte| byte == b'a').unwrap();
    bytes.insert(offset, 0xff);
    let clip = mutoscope_core::decode(&bytes, &ReadOptions::default().with_format(FormatId::ANIMJ))
        .unwrap();
    let expected = "error line 4, column 23: expected JSON, found a byte that is not UTF-8; \
                    everything after this is lost\n";
    let diagnostics = format_diagnostics(&clip);
    assert!(diagnostics.contains(expected), "{diagnostics}");
    let after = [b"{\"tracks\": []}\n", &[0xff][..]].concat();
    let clip = mutoscope_core::decode(&after, &ReadOptions::default().with_format(FormatId::ANIMJ))
        .unwrap();
    assert_eq!(
        format_codes(&clip).lines().next(),
        Some("warning line 2, column 1: resonite/text-after-end")
    );
}

#[test]
fn keys_before_a_truncation_are_kept() {
    let text = track("Raw", "int", "\"interval\": 1, \"keyframes\": [1, 2, 3");
    let end = text.find("3").unwrap() + 1;
    let clip = decode(&text[..end]).unwrap();
    assert_eq!(clip.tracks[0].curve.key_count(), 2, "the 3 may have been the start of 37");
    let diagnostics = format_codes(&clip);
    assert!(
        diagnostics.contains("error line 3, column 67: resonite/syntax-error"),
        "{diagnostics}"
    );
}

#[test]
fn numbers_keep_all_their_digits() {
    let cases = [
        ("ulong", "18446744073709551615", "18446744073709551615"),
        ("long", "-9223372036854775808", "-9223372036854775808"),
        ("long", "9007199254740993", "9007199254740993"),
        ("double", "0.1", "0.1"),
        ("double", "123456789.12345679", "123456789.12345679"),
        ("float", "2.333E+9", "2333000000.0"),
        ("string", "\"\\u00e9\\n\"", "\"é\\n\""),
        ("string", "null", "null"),
        ("bool2", "{\"x\": true, \"y\": false}", "[true,false]"),
        ("color", "{\"r\": -1, \"g\": 2.5, \"b\": 0}", "[-1.0,2.5,0.0,1.0]"),
        ("color32", "{\"r\": 51, \"g\": 0, \"b\": 1}", "[51,0,1,255]"),
    ];
    for (value_type, value, expected) in cases {
        let clip =
            decode(&curve(value_type, &format!("{{\"time\": 0, \"value\": {value}}}"))).unwrap();
        let found = clip.value(TrackId::new(0), 0.0);
        assert_eq!(serde_json::to_string(&found).unwrap(), expected, "{value_type}");
    }
}

#[test]
fn interpolations_may_be_names_in_any_case_or_numbers() {
    let value_at_half = |interpolation: &str| {
        let key = |time: u8, value: u8| {
            format!("{{\"time\": {time}, \"value\": {value}, \"interpolation\": {interpolation}}}")
        };
        let clip = decode(&curve("float", &[key(0, 0), key(1, 8)].join(","))).unwrap();
        clip.value(TrackId::new(0), 0.5)
    };
    for (interpolation, value) in
        [("\"hold\"", 0.0), ("0", 0.0), ("\"LINEAR\"", 4.0), ("1", 4.0), ("3", 1.0)]
    {
        assert_eq!(value_at_half(interpolation), Value::Number(value), "{interpolation}");
    }
}

#[test]
fn byte_order_mark_is_ignored() {
    let clip = decode("\u{feff}{\"tracks\": [{\"x\": 1}]}").unwrap();
    let expected = r#"warning line 1, column 17: resonite/unused-member path="tracks[0]" name="x""#;
    assert!(format_codes(&clip).contains(expected), "{}", format_codes(&clip));
}

#[test]
fn misspelled_members_are_reported() {
    let bytes = mutoscope_testing::fixtures::resonite_file("rixx_malformed_test.json");
    let clip =
        mutoscope_core::decode(SourceFile::new("x.json", &bytes), &ReadOptions::default()).unwrap();
    assert_eq!((clip.tracks.len(), clip.diagnostics.len()), (0, 2));
    assert!(
        format_diagnostics(&clip)
            .contains("\"track\" is not a known member; did you mean \"tracks\"?")
    );
}
