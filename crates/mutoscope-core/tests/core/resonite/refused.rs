//! Data that Resonite rejects, misreads or plays differently, and the locations in the messages.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, TrackId, Value},
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
    let line = |diagnostic: &mutoscope_core::diagnostics::Diagnostic| {
        format!("{} {}: {}\n", diagnostic.severity, diagnostic.location, diagnostic.message)
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
fn diagnostics_have_a_path_and_a_location() {
    let linear = |time: &str, value: &str| {
        format!("{{\"time\": {time}, \"value\": {value}, \"interpolation\": \"Linear\"}}")
    };
    let cases = [
        (
            "members in another order",
            "{\"tracks\": [\n {\"valueType\": \"int\", \"trackType\": \"Raw\", \"data\": {\"interval\": 1, \
             \"keyframes\": [1]}}]}"
                .to_owned(),
            "warning line 2, column 2: tracks[0]: the members are not in the order trackType, \
             valueType, data; loaded all the same. Resonite refuses the file\n",
        ),
        (
            "data before the types",
            "{\"tracks\": [\n {\"data\": {\"interval\": 1, \"keyframes\": [1]}, \"valueType\": \"int\", \
             \"trackType\": \"Raw\"}]}"
                .to_owned(),
            "not in the order trackType, valueType, data; loaded all the same. Resonite refuses the file\n",
        ),
        (
            "a member after data",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"int\", \"data\": {\"interval\": 1, \
             \"keyframes\": [1]}, \"x\": 1}]}"
                .to_owned(),
            "warning line 2, column 86: tracks[0].\"x\" is not a known member\n",
        ),
        (
            "a missing handle",
            curve(
                "float",
                "{\"time\": 0, \"value\": 5, \"interpolation\": \"CubicBezier\", \"rightTangent\": 5},\n\
                 {\"time\": 1, \"value\": 5, \"interpolation\": \"Hold\"}",
            ),
            "warning line 5, column 1: tracks[0].data.keyframes[1]: no leftTangent; CubicBezier \
             uses 0 instead, so the value dips here\n",
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
            "warning line 5, column 1: tracks[0].data.keyframes[1]: opposite sign to the previous key; \
             Resonite rotates the long way round",
        ),
        (
            "a rotation of nothing",
            curve("floatQ", &linear("0", "{}")),
            "warning line 4, column 1: tracks[0].data.keyframes[0]: a zero quaternion\n",
        ),
        (
            "unsorted times",
            curve("int", &[linear("2", "1"), linear("1", "2")].join(",\n")),
            "warning line 5, column 1: tracks[0].data.keyframes[1]: earlier than the previous key; \
             sorted by time\n",
        ),
        (
            "a time before 0",
            curve("int", &[linear("-0.5", "1"), linear("1", "2")].join(",\n")),
            "warning line 4, column 1: tracks[0].data.keyframes[0]: negative time; Resonite refuses it\n",
        ),
        (
            "times that single precision cannot tell apart",
            curve("int", &[linear("100", "1"), linear("100.000001", "2")].join(",\n")),
            "keyframes[1]: so close to the previous key that both have the same time in Resonite\n",
        ),
        (
            "no interval",
            track("Raw", "float", "\"keyframes\": [1, 2]"),
            "warning line 2, column 1: tracks[0] (A.B): no interval between keys; holding the first key\n",
        ),
        (
            "an unknown member of a key",
            curve("int", "{\"time\": 0, \"value\": 1, \"interpolation\": 1, \"leftHandle\": 2}"),
            "warning line 4, column 45: tracks[0].data.keyframes[0].\"leftHandle\" is not a known \
             member\n",
        ),
        (
            "a member that is nearly known",
            "{\"track\": [], \"tracks\": []}".to_owned(),
            "warning line 1, column 2: \"track\" is not a known member; did you mean \"tracks\"?\n",
        ),
        (
            "a member in another case",
            track("Raw", "float", "\"Interval\": 1, \"keyframes\": [1]"),
            "tracks[0].data.\"Interval\" is not a known member; did you mean \"interval\"?\n",
        ),
        (
            "a member twice",
            "{\"name\": \"a\", \"name\": \"b\", \"tracks\": []}".to_owned(),
            "warning line 1, column 15: \"name\" is repeated; using the last\n",
        ),
        (
            "a number in quotation marks",
            curve("int", &linear("0", "\"7\"")),
            "keyframes[0].value: a number in quotation marks; Resonite refuses it\n",
        ),
        (
            "a whole number with a point",
            curve("int", &linear("0", "1.0")),
            "keyframes[0]: expected int without a decimal point; Resonite refuses it\n",
        ),
        (
            "a tangent of a whole number with a point",
            curve(
                "int",
                "{\"time\": 0, \"value\": 1, \"interpolation\": \"CubicBezier\", \"rightTangent\": 147.0},\n\
                 {\"time\": 1, \"value\": 1, \"interpolation\": \"Hold\", \"leftTangent\": 3}",
            ),
            "keyframes[0].rightTangent: expected int, without a decimal point; Resonite refuses it\n",
        ),
        (
            "a tangent out of bounds",
            curve(
                "color32",
                "{\"time\": 0, \"value\": {\"r\": 1, \"g\": 1, \"b\": 1, \"a\": 1}, \"interpolation\": \
                 \"CubicBezier\", \"leftTangent\": {\"r\": 1, \"g\": 256, \"b\": 1, \"a\": 1}}",
            ),
            "keyframes[0].leftTangent.g: expected color32, within the range of the type; Resonite \
             refuses it\n",
        ),
        (
            "a number out of bounds",
            curve("byte", &linear("0", "256")),
            "error line 4, column 1: tracks[0].data.keyframes[0]: out of range for byte; using \
             the nearest value\n",
        ),
        (
            "a number for a boolean",
            curve("bool", &linear("0", "1")),
            "keyframes[0]: expected bool, found another type; converted\n",
        ),
        (
            "a value of a Raw track of another kind",
            track("Raw", "int", "\"interval\": 1, \"keyframes\": [1,\n 2,\n true, 300]"),
            "error line 5, column 2: tracks[0].data.keyframes[2]: expected int, found another type; converted\n",
        ),
        (
            "a list for a value of a Raw track",
            track("Raw", "int", "\"interval\": 1, \"keyframes\": [1,\n [2]]"),
            "error line 4, column 2: tracks[0].data.keyframes[1]: expected int, found an array\n",
        ),
        (
            "a vector for a number",
            curve("float", &linear("0", "{\"x\": 1}")),
            "keyframes[0].value: expected float, found an object\n",
        ),
        (
            "a number for a vector",
            curve("float3", &linear("0", "1")),
            "keyframes[0].value: expected float3 with x, y, z, found an integer\n",
        ),
        (
            "a component that is missing",
            curve("float3", &linear("0", "{\"x\": 1, \"y\": 1}")),
            "keyframes[0].z: no value; using the default of float3\n",
        ),
        (
            "an interpolation that nobody knows",
            curve("float", "{\"time\": 0, \"value\": 1, \"interpolation\": \"Bezier\"}"),
            "error line 4, column 25: tracks[0].data.keyframes[0].interpolation: expected Hold, Linear, \
             Tangent or CubicBezier, found \"Bezier\"; using Hold\n",
        ),
        (
            "no interpolation",
            curve("float", "{\"time\": 0, \"value\": 1}"),
            "keyframes[0]: no interpolation; using Hold\n",
        ),
        (
            "no time",
            curve("float", "{\"value\": 1, \"interpolation\": \"Hold\"}"),
            "keyframes[0]: no time; using 0\n",
        ),
        (
            "Tangent",
            curve(
                "float",
                "{\"time\": 0, \"value\": 1, \"interpolation\": \"Tangent\", \"rightTangent\": 0},\n\
                 {\"time\": 1, \"value\": 1, \"interpolation\": \"Hold\", \"leftTangent\": 0}",
            ),
            "warning line 4, column 1: tracks[0].data.keyframes[0]: Tangent is approximate, because its \
             formula is not public",
        ),
        (
            "a track of the type Bezier",
            track("Bezier", "float", "\"keyframes\": [{\"time\": 0, \"value\": 1}]"),
            "tracks[0] (A.B): Resonite lists the type Bezier but does not implement it; using Curve\n",
        ),
        (
            "a matrix",
            track("Raw", "float4x4", "\"interval\": 1, \"keyframes\": []"),
            "error line 2, column 1: tracks[0]: float4x4 exists in AnimX only; track skipped\n",
        ),
        (
            "a type that there is not",
            track("Raw", "colorX", "\"interval\": 1, \"keyframes\": []"),
            "error line 2, column 22: tracks[0].valueType: expected a type such as",
        ),
        (
            "a type of track that there is not",
            track("Linear", "float", "\"keyframes\": []"),
            "error line 2, column 2: tracks[0].trackType: expected Raw, Discrete or Curve, found \
             \"Linear\"\n",
        ),
        (
            "no keys",
            track("Curve", "float", "\"keyframes\": []"),
            "tracks[0] (A.B): no keys; Resonite sets the driven field to zero\n",
        ),
        (
            "a field of another type",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"float\", \"data\": {\"node\": \"A\", \
             \"property\": \"Position\", \"interval\": 1, \"keyframes\": [1]}}]}"
                .to_owned(),
            "warning line 2, column 2: tracks[0] (A.Position): Position is a float3 in Resonite, which \
             sets it to zero if it is driven by a float\n",
        ),
        (
            "Blender's names",
            "{\"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"float3\", \"data\": {\"node\": \"A\", \
             \"property\": \"location\", \"interval\": 1, \"keyframes\": []}}]}"
                .to_owned(),
            "info line 2, column 2: tracks[0] (A.location): is a name used by Blender; such files have \
             Blender's axes, and often times in frames\n",
        ),
        (
            "a duration that ends too soon",
            "{\"globalDuration\": 1, \"tracks\": [\n {\"trackType\": \"Raw\", \"valueType\": \"int\", \
             \"data\": {\"interval\": 2, \"keyframes\": [1, 2]}}]}"
                .to_owned(),
            "warning line 1, column 2: the global duration is 1 s, but the last key is at 2 s; played \
             to the last key. Resonite may stop earlier\n",
        ),
        (
            "text after the end",
            "{\"tracks\": []}\n{}".to_owned(),
            "warning line 2, column 1: text after the end of the animation; Resonite refuses it\n",
        ),
        (
            "no tracks",
            "{\"name\": \"x\"}".to_owned(),
            "warning the whole file: no tracks\n",
        ),
    ];
    let failures = cases.iter().filter_map(|(case, text, expected)| {
        let diagnostics = format_diagnostics(&decode(text).unwrap());
        (!diagnostics.contains(expected))
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
    let expected = "expected JSON, found a byte that is not UTF-8; everything after this is lost";
    assert!(
        format_diagnostics(&clip).contains(&format!("error line 4, column 23: {expected}")),
        "{}",
        format_diagnostics(&clip)
    );
    let after = [b"{\"tracks\": []}\n", &[0xff][..]].concat();
    let clip = mutoscope_core::decode(&after, &ReadOptions::default().with_format(FormatId::ANIMJ))
        .unwrap();
    assert!(
        format_diagnostics(&clip).contains("warning line 2, column 1: text after the end"),
        "{}",
        format_diagnostics(&clip)
    );
}

#[test]
fn keys_before_a_truncation_are_kept() {
    let text = track("Raw", "int", "\"interval\": 1, \"keyframes\": [1, 2, 3");
    let end = text.find("3").unwrap() + 1;
    let clip = decode(&text[..end]).unwrap();
    assert_eq!(clip.tracks[0].curve.key_count(), 2, "the 3 may have been the start of 37");
    let diagnostics = format_diagnostics(&clip);
    assert!(diagnostics.contains("error line 3, column"), "{diagnostics}");
    assert!(diagnostics.contains("everything after this is lost"), "{diagnostics}");
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
    assert!(
        format_diagnostics(&clip).contains("line 1, column 17: tracks[0].\"x\""),
        "{}",
        format_diagnostics(&clip)
    );
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
