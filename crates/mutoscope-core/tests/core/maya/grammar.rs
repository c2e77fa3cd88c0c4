//! Files written by hand and by other programs are read, and deviations from Maya's own grammar are
//! reported with their line.

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{AnyCurve, Clip, Hint, Value},
    decode,
    diagnostics::{Diagnostics, Severity},
    formats::{FormatId, maya},
};

const HEADER: &str = "animVersion 1.1;\nmayaVersion 2025;\ntimeUnit film;\nlinearUnit cm;\n\
                      angularUnit deg;\nstartTime 0;\nendTime 24;\n";

const ANIM: &str = "anim translate.translateX translateX a 0 0 0;\n";

/// Returns a file with this body after a valid header of seven lines.
fn with_header(body: &str) -> String {
    format!("{HEADER}{body}")
}

/// Returns a file with one curve whose `keys` block has these lines. The first one is line 11.
fn with_keys(keys: &str) -> String {
    with_header(&format!("{ANIM}animData {{\n  keys {{\n{keys}\n  }}\n}}\n"))
}

fn clip(text: &str) -> Clip {
    match decode(text.as_bytes(), &ReadOptions::default().with_format(FormatId::MAYA)) {
        Ok(clip) => clip,
        Err(failure) => panic!("{failure}: {text}"),
    }
}

/// Formats each warning and error as `location: code`.
fn format_problems(clip: &Clip) -> Vec<String> {
    let problems =
        clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Info);
    problems.map(|diagnostic| format!("{}: {}", diagnostic.location, diagnostic.code)).collect()
}

/// Returns the keys of the first track as film frames and values.
fn keys(clip: &Clip) -> Vec<(f64, f64)> {
    let curve = clip.tracks[0].curve.scalar();
    curve
        .times()
        .as_slice()
        .iter()
        .map(|time| (time * 24.0).round())
        .zip(curve.values().iter())
        .collect()
}

#[test]
fn files_valid_in_maya_have_no_diagnostics() {
    let cases = [
        ("plain", with_keys("0 1 auto auto 1 1 0;\n24 2 auto auto 1 1 0;")),
        ("all blanks", with_keys("\t0\x0b1 \x0cauto  auto 1 1 0 ;\n24 2 auto auto 1 1 0;")),
        ("a key over several lines", with_keys("0\n1 auto auto\n1 1 0;\n24 2 auto auto 1 1 0;")),
        (
            "comments",
            with_keys("# one\n0 1 auto auto 1 1 0; // two\n/ three\n24 2 auto auto 1 1 0;#4"),
        ),
        ("CR LF", with_keys("0 1 auto auto 1 1 0;\n24 2 auto auto 1 1 0;").replace('\n', "\r\n")),
        ("numbers", with_keys("0e0 +1.0e0 auto auto 1 1 0;\n2.4E1 2. auto auto 1 1 0;")),
        (
            "quotes",
            with_header(
                "anim \"translate.translateX\" translateX \"my; node\" 0 0 0;\nanimData { keys { \
                 0 1 auto auto 1 1 0;\n24 2 auto auto 1 1 0; } }",
            ),
        ),
        (
            "a header in another order",
            format!(
                "mayaVersion 2012 x64 SP1;\nendTime 24; startTime 0; angularUnit degree;\nlinearUnit \
                 centimeter;\ntimeUnit film;\n# at last\nanimVersion 1.1;\n{ANIM}animData {{ keys {{ 0 1 \
                 auto auto 1 1 0;\n24 2 auto auto 1 1 0; }} }}"
            ),
        ),
        (
            "a statement over two lines",
            with_header(
                "anim translate.translateX\ntranslateX a 0 0 0;\nanimData\n{\noutput\nlinear;\nkeys\n{\n0 1 auto auto 1 1 0;\n24 2 auto auto 1 1 0;\n}\n}\n",
            ),
        ),
    ];
    for (case, text) in cases {
        let clip = clip(&text);
        assert_eq!(format_problems(&clip), [""; 0], "{case}");
        assert_eq!(keys(&clip), [(0.0, 1.0), (24.0, 2.0)], "{case}");
        assert_eq!(clip.span.duration, 1.0, "{case}");
    }
}

#[test]
fn deviations_of_other_writers_are_read_and_reported() {
    let valid_keys = "0 1 auto auto 1 1 0;\n24 2 auto auto 1 1 0;";
    let cases = [
        (
            "a byte order mark",
            format!("\u{feff}{}", with_keys(valid_keys)),
            "line 1, column 1: maya/encoding",
        ),
        ("CR only", with_keys(valid_keys).replace('\n', "\r"), "line 1, column 1: maya/encoding"),
        (
            "glued braces",
            with_keys(valid_keys).replace("keys {", "keys{"),
            "line 10, column 3: maya/syntax",
        ),
        (
            "no semicolon after anim",
            with_keys(valid_keys).replace("0 0 0;", "0 0 0"),
            "line 8, column 44: maya/syntax",
        ),
        (
            "no semicolon after a key",
            with_keys("0 1 auto auto 1 1 0\n24 2 auto auto 1 1 0;"),
            "line 11, column 19: maya/syntax",
        ),
        (
            "no semicolon in the header",
            with_keys(valid_keys).replace("film;", "film"),
            "line 3, column 10: maya/syntax",
        ),
        (
            "two keys in a line",
            with_keys("0 1 auto auto 1 1 0; 24 2 auto auto 1 1 0;"),
            "line 11, column 22: maya/syntax",
        ),
        (
            "two keys that nothing sets apart",
            with_keys("0 1 auto auto 1 1 0 24 2 auto auto 1 1 0;"),
            "line 11: maya/syntax",
        ),
        (
            "no breakdown flag",
            with_keys("0 1 auto auto 1 1;\n24 2 auto auto 1 1 0;"),
            "line 11: maya/breakdown-flag",
        ),
        (
            "a breakdown flag too early",
            with_keys(valid_keys).replace("animVersion 1.1", "animVersion 1.0"),
            "line 11: maya/breakdown-flag",
        ),
        (
            "no flags",
            with_keys("0 1 auto auto;\n24 2 auto auto 1 1 0;"),
            "line 11: maya/tangent-numbers",
        ),
        (
            "too many numbers",
            with_keys("0 1 auto auto 1 1 0 5 6;\n24 2 auto auto 1 1 0;"),
            "line 11: maya/tangent-numbers",
        ),
        (
            "thousands",
            with_keys("0 0,001.000 auto auto 1 1 0;\n24 2 auto auto 1 1 0;"),
            "line 11: maya/localised-number",
        ),
        (
            "decimal commas",
            with_keys("0 1,0 auto auto 1 1 0;\n24 2,0 auto auto 1 1 0;"),
            "line 11: maya/localised-number",
        ),
        (
            "an unknown tangent",
            with_keys("0 1 bendy auto 1 1 0;\n24 2 auto auto 1 1 0;"),
            "line 11: maya/unknown-tangent",
        ),
        (
            "a key that is none",
            with_keys(&format!("x y auto auto 1 1 0;\n{valid_keys}")),
            "line 11: maya/lost-key",
        ),
        (
            "a non-finite value",
            with_keys(&format!("3 nan auto auto 1 1 0;\n{valid_keys}")),
            "line 11: maya/lost-key",
        ),
        (
            "keys out of order",
            with_keys("24 2 auto auto 1 1 0;\n0 1 auto auto 1 1 0;"),
            "line 12: motion/unsorted-keys",
        ),
        (
            "two keys at one time",
            with_keys(&format!("0 7 auto auto 1 1 0;\n{valid_keys}")),
            "line 12: motion/keys-at-one-time",
        ),
        (
            "an unknown statement",
            with_keys(valid_keys).replace("animData", "colour red;\nanimData"),
            "line 9, column 1: maya/unknown-keyword",
        ),
        (
            "an unknown block",
            with_keys(valid_keys).replace("anim t", "dagNode {\n parent { x 1; }\n}\nanim t"),
            "line 8, column 1: maya/unknown-keyword",
        ),
        (
            "an unknown statement of a curve",
            with_keys(valid_keys).replace("  keys", "  mood good;\n  keys"),
            "line 10, column 3: maya/unknown-keyword",
        ),
        (
            "an unknown infinity",
            with_keys(valid_keys).replace("  keys", "  preInfinity never;\n  keys"),
            "line 10, column 3: maya/invalid-value",
        ),
        (
            "a header statement too late",
            with_keys(valid_keys).replace("animData", "timeUnit pal;\nanimData"),
            "line 9, column 1: maya/header-order",
        ),
        (
            "no version",
            with_keys(valid_keys).replace("animVersion 1.1;\n", ""),
            "line 7: maya/version",
        ),
        (
            "an unknown version",
            with_keys(valid_keys).replace("animVersion 1.1", "animVersion 7"),
            "line 1, column 1: maya/version",
        ),
        (
            "no units",
            with_keys(valid_keys).replace("linearUnit cm;\nangularUnit deg;\n", ""),
            "line 6: maya/units-assumed",
        ),
        (
            "an unknown unit",
            with_keys(valid_keys).replace("linearUnit cm", "linearUnit ell"),
            "line 4: maya/unknown-unit",
        ),
        (
            "a lost rate",
            with_keys(valid_keys).replace("film", "Unknown Time Unit"),
            "line 3: maya/frame-rate-lost",
        ),
        (
            "a rate in words of MEL",
            with_keys(valid_keys).replace("film", "24fps"),
            "line 3: maya/unknown-unit",
        ),
        (
            "a second brace missing",
            with_header(&format!("{ANIM}animData {{\nkeys\n{valid_keys}\n}}\n")),
            "line 10, column 1: maya/syntax",
        ),
        (
            "both braces missing",
            with_header(&format!("{ANIM}animData {{\nkeys {{\n{valid_keys}\nanim b 0 0 0;\n")),
            "line 13, column 1: maya/syntax",
        ),
        ("a brace too many", with_keys(valid_keys) + "}\n", "line 15, column 1: maya/syntax"),
        (
            "a curve with no anim line",
            with_keys(valid_keys).replace(ANIM, ""),
            "line 8, column 1: maya/unpaired-curve",
        ),
        (
            "too few numbers",
            with_keys(valid_keys).replace("a 0 0 0", "a 0 0"),
            "line 8, column 1: maya/invalid-anim-line",
        ),
        (
            "a tangent by preference",
            with_keys("0 1 autocustom auto 1 1 0;\n24 2 auto global 1 1 0;"),
            "line 11: maya/tangent-by-preference",
        ),
        (
            "a skipped row",
            with_keys(valid_keys) + "anim b 2 0 0;\n",
            "line 15: maya/parents-guessed",
        ),
        (
            "every row 0, children counted",
            with_keys(valid_keys).replace("a 0 0 0", "a 0 1 0") + "anim b 0 0 0;\n",
            "line 8: maya/parents-guessed",
        ),
    ];
    for (case, text, expected) in cases {
        let clip = clip(&text);
        let problems = format_problems(&clip);
        assert!(problems.iter().any(|problem| problem == expected), "{case}: {problems:?}");
        assert_eq!(keys(&clip), [(0.0, 1.0), (24.0, 2.0)], "{case}");
    }
}

#[test]
fn anim_lines_may_omit_attribute_and_node() {
    let data = "animData { keys { 0 1 auto auto 1 1 0; } }\n";
    let cases = [
        (
            "an attribute",
            format!("anim rotate.rotateX rotateX ns:joint 0 0 0;\n{data}"),
            "ns:joint",
            "rotateX",
        ),
        (
            "a node with blanks",
            format!("anim rotate.rotateX rotateX my joint 1 0 0 0;\n{data}"),
            "my joint 1",
            "rotateX",
        ),
        ("no node names", format!("anim rotate.rotateX 0 0 0;\n{data}"), "", "rotateX"),
        ("an index", format!("anim w.child[3].leaf leaf n 0 0 0;\n{data}"), "n", "leaf"),
        ("nothing", format!("anim 0 0 0;\n{data}"), "", ""),
        (
            "a path",
            format!("anim rotate.rotateX rotateX |grp|ctl/a#b 0 0 0;\n{data}"),
            "|grp|ctl/a#b",
            "rotateX",
        ),
    ];
    for (case, body, node, property) in cases {
        let clip = clip(&with_header(&body));
        let track = &clip.tracks[0];
        assert_eq!(
            (clip.owner_name(track.owner), track.property.as_str()),
            (node, property),
            "{case}"
        );
        assert_eq!(format_problems(&clip), [""; 0], "{case}");
    }
    let placeholders =
        clip(&with_header("anim one 0 0 0;\nanim \"two\" 1 0 0;\nanim my node 1 0 0;\n"));
    let names: Vec<_> = placeholders.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["one", "two", "my node"]);
}

#[test]
fn anim_lines_may_have_an_empty_curve_or_several_curves() {
    let clip = clip(&with_header(&format!(
        "{ANIM}animData {{ keys {{ }} }}\nanimData {{ keys {{ 0 3 auto auto 1 1 0; }} }}\n"
    )));
    let counts: Vec<_> = clip.tracks.iter().map(|track| track.curve.key_count()).collect();
    assert_eq!(counts, [0, 1]);
    assert_eq!(
        [0, 1].map(|track: usize| clip.tracks[track].curve.value(0.0)),
        [Value::Null, Value::Number(3.0)]
    );
}

#[test]
fn driven_curves_are_listed_and_not_played() {
    let clip = clip(&with_header(
        "anim rotate.rotateX rotateX a 0 0 0;\nanimData { input unitless; output angular; keys { -5 1 \
         auto auto 1 1 0;\n5 2 auto auto 1 1 0; } }\nanim curl curl a 0 0 1;\nanimData { input unitless; \
         output unitless; keys { 0 1 auto auto 1 1 0; } }\n",
    ));
    assert!(matches!(clip.tracks[0].curve, AnyCurve::Driven(_)));
    assert_eq!(clip.tracks[0].curve.key_count(), 2);
    assert_eq!(clip.tracks[0].curve.key_times(), [0.0; 0]);
    assert_eq!(clip.tracks[0].curve.value(0.0), Value::Null);
    assert_eq!(clip.tracks[0].curve.value_or_default(0.0, &mut Hint::default()), Value::Null);
    let mut pose = mutoscope_core::clip::Pose::default();
    clip.sample(0.0, &mut pose);
    assert_eq!(pose.nodes[0].local.rotation.w, 1.0);
    let signals: Vec<_> = clip.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!((signals, pose.signals), (vec!["a.curl"], vec![Value::Null]));
    assert!(clip.sample_times().is_empty());
}

#[test]
fn document_keeps_the_statements_of_the_file() {
    let text = "animVersion 1.0;\nmayaVersion 2012 x64;\nstartUnitless 1;\nendUnitless 2.5;\nanim 0 0 0;\n\
                animData {\n input time;\n output time;\n weighted 1;\n inputUnit sec;\n outputUnit min;\n \
                tangentAngleUnit rad;\n preInfinity cycle;\n postInfinity oscillate;\n keys {\n  1 2 fixed \
                fixed 1 0 3 4 5 6;\n  2 2 stepnext plateau 0 1;\n }\n}\n";
    let mut diagnostics = Diagnostics::new();
    let document = maya::decode(text.as_bytes(), &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let header = &document.header;
    assert_eq!(header.maya_version.as_ref().unwrap().text, "2012 x64");
    assert_eq!(header.end_unitless.map(|stated| (stated.value, stated.line)), Some((2.5, 4)));
    let curve = &document.items[0].curves[0];
    assert_eq!((curve.input, curve.output), (maya::Input::Time, maya::Output::Time));
    assert_eq!(
        (curve.pre_infinity, curve.post_infinity),
        (maya::Infinity::Cycle, maya::Infinity::Oscillate)
    );
    assert!(curve.weighted);
    let unit = |text: &Option<maya::Text>| text.as_ref().map(|text| text.text.to_string()).unwrap();
    let units = [&curve.input_unit, &curve.output_unit, &curve.tangent_angle_unit].map(unit);
    assert_eq!(units, ["sec", "min", "rad"]);
    let [first, second] = curve.keys.as_slice() else { panic!("{:?}", curve.keys) };
    assert_eq!(first.in_tangent, maya::Tangent::Fixed { angle: 3.0, weight: 4.0 });
    assert_eq!(first.out_tangent, maya::Tangent::Fixed { angle: 5.0, weight: 6.0 });
    assert_eq!((first.tangent_lock, first.weight_lock, first.line), (true, false, 16));
    assert_eq!(
        (second.in_tangent, second.out_tangent),
        (maya::Tangent::StepNext, maya::Tangent::Plateau)
    );
    assert_eq!((second.tangent_lock, second.weight_lock, second.line), (false, true, 17));
}

#[test]
fn other_anim_formats_are_named_in_the_error() {
    let unity = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n";
    let mut prime = vec![0, 0, 0, 0];
    prime.extend([1; 60]);
    for (bytes, name) in [(&unity[..], "Unity"), (&prime, "Metroid Prime")] {
        for format in [None, Some(FormatId::MAYA)] {
            let options = ReadOptions { format, ..ReadOptions::default() };
            let failure = decode(SourceFile::new("x.anim", bytes), &options).unwrap_err();
            assert!(failure.error.message().contains(name), "{failure}");
        }
    }
    let failure =
        decode(b"\n  hello", &ReadOptions::default().with_format(FormatId::MAYA)).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "maya at line 2, column 3: expected the word animVersion, found \"hello\""
    );
}
