//! Tests the rules of the format, and the differences between writers.

use glam::{DQuat, DVec3, EulerRot};

use mutoscope_core::{
    ReadOptions,
    clip::{Assumptions, Clip, Convention, FactOrigin, FormatId, RotationRule, UpAxis, Value},
    diagnostics::{Diagnostic, Severity, SourceLocation},
};

use crate::bvh::{codes, decode, node, pose};

#[test]
fn documented_example_has_the_documented_positions() {
    let page = include_str!("../../../../../docs/formats/bvh.md");
    let example = page.split("```text").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let clip = decode(example.as_bytes());
    let end = node(&clip, &pose(&clip, 0.0), "Knee_end").world.translation * 100.0;
    assert!(end.abs_diff_eq(DVec3::new(1.0, 55.0, -38.0), 1e-9), "{end}");
}

/// Builds a file with two joints, an end site and these frames.
fn file(frames: &str) -> String {
    format!(
        "HIERARCHY\nROOT Hip\n{{\n\tOFFSET 0 90 0\n\tCHANNELS 6 Xposition Yposition Zposition \
         Zrotation Xrotation Yrotation\n\tJOINT Knee\n\t{{\n\t\tOFFSET 0 -40 0\n\t\tCHANNELS 3 \
         Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{{\n\t\t\tOFFSET 0 -40 0\n\t\t}}\n\t}}\n}}\n\
         MOTION\n{frames}"
    )
}

const FRAMES: &str = "Frames: 2\nFrame Time: 0.5\n\
                      1 95 2 0 0 0 0 90 0\n\
                      2 96 3 0 0 180 10 0 0\n";

/// Asserts that both clips have equal keys, nodes and poses.
fn assert_same(found: &Clip, expected: &Clip, what: &str) {
    let parts = |clip: &Clip| {
        let tracks = clip.tracks.iter().map(|track| {
            let keys = 0..track.curve.key_count();
            let values: Vec<Value> = keys.map(|key| track.curve.key_value(key)).collect();
            (track.property.to_lowercase(), track.curve.key_times().to_vec(), values)
        });
        let nodes = clip.nodes.iter();
        let nodes =
            nodes.map(|node| (node.name.clone(), node.parent, node.rest)).collect::<Vec<_>>();
        (tracks.collect::<Vec<_>>(), nodes)
    };
    assert_eq!(parts(found), parts(expected), "{what}");
    for time in [0.0, 0.2, 0.5] {
        let (found, expected) = (pose(found, time), pose(expected, time));
        for (found, expected) in found.nodes.iter().zip(&expected.nodes) {
            assert_eq!(found.world, expected.world, "{what}");
        }
    }
}

#[test]
fn white_space_case_and_keyword_variants_are_equal() {
    let plain = file(FRAMES);
    let expected = decode(plain.as_bytes());
    let cases: [(&str, String); 9] = [
        ("lower case", plain.to_lowercase().replace("hip", "Hip").replace("knee", "Knee")),
        ("upper case", plain.to_uppercase().replace("HIP", "Hip").replace("KNEE", "Knee")),
        ("CR LF", plain.replace('\n', "\r\n")),
        ("CR", plain.replace('\n', "\r")),
        ("byte order mark", format!("\u{feff}{plain}")),
        ("braces in the line", plain.replace("\n{", " {").replace("\n\t{", "{")),
        ("wide", plain.replace(' ', "   \t ").replace("End   \t Site", "End Site")),
        (
            "words together",
            plain.replace("End Site", "EndSite").replace("Frame Time: ", "FrameTime:"),
        ),
        ("blank lines and blanks at the end", plain.replace('\n', " \n\n")),
    ];
    for (what, text) in cases {
        let clip = decode(text.as_bytes());
        assert_same(&clip, &expected, what);
        let mut added = codes(&clip);
        added.retain(|code| !codes(&expected).contains(code));
        // Blender reads lines and words.
        let is_unusual =
            ["byte order mark", "braces in the line", "words together"].contains(&what);
        let layout = if is_unusual { &["bvh/line-layout"][..] } else { &[] };
        assert_eq!(added, layout, "{what}: {:?}", clip.diagnostics);
    }
}

#[test]
fn frames_may_be_wrapped_or_several_in_a_line() {
    let expected = decode(file(FRAMES).as_bytes());
    let head = "Frames: 2\nFrame Time: 0.5\n";
    for numbers in [
        "1 95 2\n0 0 0\n0 90 0\n2 96 3\n0 0 180\n10 0 0\n",
        "1 95 2 0 0 0 0 90 0 2 96 3 0 0 180 10 0 0",
    ] {
        let clip = decode(file(&format!("{head}{numbers}")).as_bytes());
        assert_same(&clip, &expected, numbers);
        assert!(codes(&clip).contains(&"bvh/wrapped-frames"), "{:?}", clip.diagnostics);
    }
}

#[test]
fn decimal_commas_are_read_as_points() {
    let numbers = FRAMES.replace("0.5", "0,5").replace("95 ", "95,25 ");
    let clip = decode(file(&numbers).as_bytes());
    let track = &clip.tracks[1];
    assert_eq!(track.curve.key_times(), [0.0, 0.5]);
    assert_eq!(track.curve.key_value(0), Value::Number(95.25));
}

#[test]
fn position_channels_replace_the_offset_and_the_first_angle_is_outermost() {
    let clip = decode(file(FRAMES).as_bytes());
    let pose = pose(&clip, 0.0);
    let position = |name: &str| node(&clip, &pose, name).world.translation * 100.0;
    assert!(position("Hip").abs_diff_eq(DVec3::new(1.0, 95.0, 2.0), 1e-9));
    assert!(position("Knee").abs_diff_eq(DVec3::new(1.0, 55.0, 2.0), 1e-9));
    // The shin hangs down, so a rotation by 90° about X points it backwards.
    assert!(position("Knee_end").abs_diff_eq(DVec3::new(1.0, 55.0, -38.0), 1e-9));
    assert!(codes(&clip).contains(&"bvh/root-offset-replaced"), "{:?}", clip.diagnostics);
}

#[test]
fn angle_jumps_take_the_short_way_unless_the_engine_rule_is_chosen() {
    let frames = "Frames: 2\nFrame Time: 1\n0 0 0 0 0 170 0 0 0\n0 0 0 0 0 -170 0 0 0\n";
    let bytes = file(frames);
    let rotation = |clip: &Clip| {
        let rotation = node(clip, &pose(clip, 0.5), "Hip").world.rotation;
        (rotation * DVec3::Z).z
    };
    let clip = decode(bytes.as_bytes());
    assert!((rotation(&clip) + 1.0).abs() < 1e-9, "rotated by 180° at half time");
    assert_eq!(clip.convention.rotation.origin, FactOrigin::Assumed);
    let mut by_angles = clip.clone();
    by_angles.convention.rotation.value = RotationRule::AsAuthored;
    assert!((rotation(&by_angles) - 1.0).abs() < 1e-9, "rotated by 0° at half time");
    assert!(clip.depends_on_rotation_rule());
}

#[test]
fn several_roots_and_unknown_channels_are_kept() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 2 Yrotation Fingerspread\n}\n\
                ROOT b\n{\nOFFSET 4 5 6\nCHANNELS 1 Yposition\n}\nMOTION\nFrames: 1\nFrame Time: 1\n30 0.5 9\n";
    let clip = decode(text.as_bytes());
    let roots: Vec<_> = clip.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
    assert_eq!(roots, [("a", None), ("b", None)]);
    assert_eq!(clip.signals[0].name, "a.Fingerspread");
    assert_eq!(clip.value(clip.signals[0].track, 0.0), Value::Number(0.5));
    // Axes without a position channel keep the offset.
    let position = node(&clip, &pose(&clip, 0.0), "b").world.translation * 100.0;
    assert!(position.abs_diff_eq(DVec3::new(4.0, 9.0, 6.0), 1e-9), "{position}");
    let is_unknown = |diagnostic: &&Diagnostic| diagnostic.code.as_str() == "bvh/unknown-channel";
    let unknown: Vec<_> = clip.diagnostics.iter().filter(is_unknown).collect();
    assert_eq!(unknown.len(), 1);
    assert!(matches!(unknown[0].location, SourceLocation::Line { line: 5, .. }), "{unknown:?}");
    assert!(unknown[0].message.contains("Fingerspread"), "{unknown:?}");
}

#[test]
fn unit_and_axes_are_assumed_and_can_be_overridden() {
    let bytes = file(FRAMES);
    let clip = decode(bytes.as_bytes());
    let convention: &Convention = &clip.convention;
    assert_eq!(convention.metres_per_unit.value, 0.01);
    assert_eq!(
        convention.fact_names(FactOrigin::Assumed),
        ["handedness", "up", "metres_per_unit", "rotation"]
    );
    assert!(has_diagnostic(&clip, Severity::Info, "bvh/unit-assumed"), "{:?}", clip.diagnostics);
    let inches = Assumptions { metres_per_unit: Some(0.0254), ..Assumptions::default() };
    let mut chosen = clip.clone();
    inches.apply(&mut chosen.convention);
    let position = node(&chosen, &pose(&chosen, 0.0), "Hip").world.translation;
    assert!((position.y - 95.0 * 0.0254).abs() < 1e-12, "{position}");
}

#[test]
fn keys_have_their_line_numbers() {
    let clip = decode(file(FRAMES).as_bytes());
    assert_eq!(clip.tracks[8].source.key_location(1), SourceLocation::line(20));
    assert_eq!(clip.tracks[8].source.location, SourceLocation::line(9));
    assert_eq!(clip.format, FormatId::BVH);
}

#[test]
fn missing_parts_are_reported_with_a_location_and_the_rest_is_kept() {
    let frame = "1 95 2 0 0 0 0 90 0\n";
    let head = |count: &str, time: &str| format!("Frames: {count}\nFrame Time: {time}\n");
    let cases: [(String, usize, Severity, SourceLocation, &str); 10] = [
        (
            head("9", "0.5") + frame,
            1,
            Severity::Error,
            SourceLocation::column(20, 1),
            "bvh/truncated",
        ),
        (
            head("1", "0.5") + frame + frame,
            2,
            Severity::Warning,
            SourceLocation::line(20),
            "bvh/frame-count",
        ),
        (
            head("2", "0.5") + frame + "1 2 3\n",
            1,
            Severity::Error,
            SourceLocation::line(20),
            "bvh/truncated",
        ),
        (
            head("3", "0.5") + frame + "1 2 3\n" + frame,
            3,
            Severity::Error,
            SourceLocation::line(20),
            "bvh/value-count",
        ),
        (
            head("2", "0.5") + frame + "1 2 3 4 5 6 7 8 9 10\n",
            2,
            Severity::Error,
            SourceLocation::line(20),
            "bvh/value-count",
        ),
        (
            head("1", "0.5") + "1 x 2 0 0 0 0 90 0\n",
            1,
            Severity::Error,
            SourceLocation::line(19),
            "bvh/invalid-value",
        ),
        (
            head("1", "0.5") + "1 nan 2 0 0 0 0 90 0\n",
            1,
            Severity::Warning,
            SourceLocation::line(19),
            "motion/non-finite",
        ),
        (
            head("many", "0.5") + frame,
            1,
            Severity::Warning,
            SourceLocation::column(17, 1),
            "bvh/motion-header",
        ),
        (
            head("1", "-1") + frame,
            1,
            Severity::Warning,
            SourceLocation::column(18, 1),
            "bvh/no-frame-time",
        ),
        (
            frame.to_owned(),
            1,
            Severity::Warning,
            SourceLocation::column(16, 7),
            "bvh/no-frame-time",
        ),
    ];
    for (frames, kept, severity, location, code) in cases {
        let clip = decode(file(&frames).as_bytes());
        assert_eq!(clip.tracks[0].curve.key_count(), kept, "{frames}");
        let found = clip.diagnostics.iter().find(|diagnostic| diagnostic.code.as_str() == code);
        let found = found.unwrap_or_else(|| panic!("{frames}: {:?}", clip.diagnostics));
        assert_eq!((found.severity, &found.location), (severity, &location), "{frames}");
    }
}

#[test]
fn messages_state_what_was_expected_and_found() {
    let clip = decode(file("Frames: 9\nFrame Time: 0.5\n1 x 2 0 0 0 0 90 0\n").as_bytes());
    let messages: Vec<_> = clip.diagnostics.iter().map(|one| one.message.as_str()).collect();
    for message in [
        "expected 9 frames, found 1; loaded up to 0.000 s",
        "frame 0: expected a number, found \"x\"; using the value of the previous frame",
    ] {
        assert!(messages.contains(&message), "{messages:?}");
    }
}

#[test]
fn broken_hierarchies_are_repaired_and_reported() {
    let cases = [
        ("\tOFFSET 0 90 0", "\tOFFSET 0 up 0", &["bvh/invalid-offset"][..]),
        ("CHANNELS 3 ", "CHANNELS 2 ", &["bvh/channel-count"][..]),
        ("CHANNELS 3 ", "CHANNELS 4 ", &["bvh/channel-count"][..]),
        ("CHANNELS 3 ", "CHANNELS ", &["bvh/channel-count"][..]),
        ("\t}\n}\n", "\t}\n", &["bvh/hierarchy-syntax"][..]),
        ("\t}\n}\n", "\t}\n}\n}\n", &["bvh/hierarchy-syntax"][..]),
        ("ROOT Hip", "ROOT Hip\nCOLOUR red", &["bvh/hierarchy-syntax", "bvh/line-layout"]),
        ("ROOT Hip", "JOINT Hip", &["bvh/hierarchy-syntax"][..]),
    ];
    let expected = decode(file(FRAMES).as_bytes());
    let expected_codes = codes(&expected);
    for (from, to, found) in cases {
        let clip = decode(file(FRAMES).replacen(from, to, 1).as_bytes());
        let mut added = codes(&clip);
        added.retain(|code| !expected_codes.contains(code));
        assert_eq!(added, found, "{to}: {:?}", clip.diagnostics);
        assert_eq!((clip.nodes.len(), clip.tracks.len()), (3, 9), "{to}");
        assert_eq!(
            clip.tracks[8].curve.key_value(1),
            expected.tracks[8].curve.key_value(1),
            "{to}"
        );
    }
}

#[test]
fn joints_rest_without_motion() {
    let whole = file(FRAMES);
    let clip = decode(whole.split("MOTION").next().unwrap().as_bytes());
    assert_eq!((clip.nodes.len(), clip.span.duration), (3, 0.0));
    let position = node(&clip, &pose(&clip, 0.0), "Knee_end").world.translation;
    assert!(has_diagnostic(&clip, Severity::Error, "bvh/truncated"), "{:?}", clip.diagnostics);
    assert!(position.is_finite());
}

#[test]
fn non_bvh_files_are_rejected_with_a_location() {
    let cases = [
        ("", SourceLocation::column(1, 1), "the word HIERARCHY"),
        ("\n  ROOT a", SourceLocation::column(1, 1), "found \"ROOT\""),
        ("HIERARCHY\nMOTION\nFrames: 1\n", SourceLocation::column(2, 7), "a joint (ROOT)"),
    ];
    for (text, location, message) in cases {
        let request = ReadOptions::default().with_format(FormatId::BVH);
        let failure = mutoscope_core::decode(text.as_bytes(), &request).unwrap_err();
        assert_eq!(*failure.error.location(), location, "{text:?}");
        assert!(failure.error.message().contains(message), "{}", failure.error);
    }
}

/// Rewrites the walk of the gallery: scales its lengths by `unit`, and passes the position and
/// rotation of the root through `root`.
fn transformed_walk(unit: f64, root: impl Fn(DVec3, DQuat) -> (DVec3, DQuat)) -> String {
    let walk = include_str!("../../../../../assets/bvh/walk.bvh");
    let (hierarchy, motion) = walk.split_once("MOTION").unwrap();
    let scaled = |line: &str| match line.split_once("OFFSET ") {
        Some((indent, numbers)) => {
            let numbers = numbers.split_whitespace().map(|number| number.parse::<f64>().unwrap());
            let numbers: Vec<_> = numbers.map(|number| (number * unit).to_string()).collect();
            format!("{indent}OFFSET {}\n", numbers.join(" "))
        }
        None => format!("{line}\n"),
    };
    let mut text: String = hierarchy.lines().map(scaled).collect();
    text += "MOTION\n";
    for (index, line) in motion.trim_start().lines().enumerate() {
        let numbers: Option<Vec<f64>> =
            line.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|_| index >= 2) else {
            text += &format!("{line}\n");
            continue;
        };
        let [x, y, z, about_z, about_x, about_y] = *numbers.first_chunk().unwrap();
        let [a, b, c] = [about_z, about_x, about_y].map(f64::to_radians);
        let rotation = DQuat::from_euler(EulerRot::ZXY, a, b, c);
        let (position, rotation) = root(DVec3::new(x, y, z) * unit, rotation);
        let (a, b, c) = rotation.to_euler(EulerRot::ZXY);
        let first =
            [position.x, position.y, position.z, a.to_degrees(), b.to_degrees(), c.to_degrees()];
        let values = first.iter().chain(&numbers[6..]).map(f64::to_string);
        text += &(values.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}

fn has_diagnostic(clip: &Clip, severity: Severity, code: &str) -> bool {
    clip.diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == severity && diagnostic.code.as_str() == code)
}

fn has_warnings(clip: &Clip) -> bool {
    clip.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Warning)
}

/// Returns the largest distance in metres between the nodes of `other` and those of the walk, 1.1 s
/// into it.
fn distance_from_walk(other: &Clip) -> f64 {
    let walk = decode(include_bytes!("../../../../../assets/bvh/walk.bvh"));
    let (ours, others) = (pose(&walk, 1.1), pose(other, 1.1));
    let pairs = ours.nodes.iter().zip(&others.nodes);
    pairs.map(|(a, b)| a.world.translation.distance(b.world.translation)).fold(0.0, f64::max)
}

#[test]
fn unit_is_guessed_so_that_bodies_have_human_height() {
    let cmu =
        decode(transformed_walk(0.45 / 2.54, |position, rotation| (position, rotation)).as_bytes());
    assert_eq!(cmu.convention.metres_per_unit.value, 0.0254 / 0.45);
    assert_eq!(cmu.convention.metres_per_unit.origin, FactOrigin::Assumed);
    assert!(has_diagnostic(&cmu, Severity::Warning, "bvh/unit-uncertain"), "{:?}", cmu.diagnostics);
    assert!(distance_from_walk(&cmu) < 1e-9);
    let metres =
        decode(transformed_walk(0.01, |position, rotation| (position, rotation)).as_bytes());
    assert_eq!(metres.convention.metres_per_unit.value, 1.0);
}

#[test]
fn z_up_is_assumed_for_a_body_standing_along_z() {
    let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let lying =
        transformed_walk(1.0, |position, rotation| (quarter * position, quarter * rotation));
    let clip = decode(lying.as_bytes());
    assert_eq!(
        (clip.convention.up.value, clip.convention.up.origin),
        (UpAxis::Z, FactOrigin::Assumed)
    );
    assert!(has_diagnostic(&clip, Severity::Info, "bvh/up-axis-assumed"), "{:?}", clip.diagnostics);
    assert!(distance_from_walk(&clip) < 1e-6, "{}", distance_from_walk(&clip));
    // A body that lies on its side stays so, because only upright bodies along Y or Z are
    // recognised. The program warns instead.
    let sideways = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let clip = decode(
        transformed_walk(1.0, |position, rotation| (position, sideways * rotation)).as_bytes(),
    );
    assert_eq!(clip.convention.up.value, UpAxis::Y);
    assert!(
        has_diagnostic(&clip, Severity::Warning, "bvh/up-axis-uncertain"),
        "{:?}",
        clip.diagnostics
    );
}

/// Builds a still person of 150 units, whose parts have these names.
fn person(first_line: &str, extra_joint: &str) -> String {
    let joint = |name: &str, offset: &str, inner: &str| {
        format!(
            "JOINT {name}\n{{\nOFFSET {offset}\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inner}}}\n"
        )
    };
    let extra =
        if extra_joint.is_empty() { String::new() } else { joint(extra_joint, "0 0 -20", "") };
    let head = joint("Head", "0 70 0", "");
    let foot = joint("LeftFoot", "0 -80 0", "");
    let values = "0 ".repeat(if extra_joint.is_empty() { 9 } else { 12 });
    format!(
        "{first_line}HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
         {head}{foot}{extra}}}\nMOTION\nFrames: 1\nFrame Time: 0.01\n{values}\n"
    )
}

#[test]
fn comments_state_the_unit_and_are_skipped() {
    for (comment, metres) in
        [("", 0.01), ("# units: cm\n", 0.01), ("// Unit = inches\n", 0.0254), ("#\n", 0.01)]
    {
        let clip = decode(person(comment, "").as_bytes());
        assert!((clip.convention.metres_per_unit.value - metres).abs() < 1e-12, "{comment}");
        assert_eq!(clip.convention.metres_per_unit.origin, FactOrigin::Assumed, "{comment}");
        assert!(!has_warnings(&clip), "{:?}", clip.diagnostics);
    }
    let clip = decode(person("# unit: m\n", "").as_bytes());
    assert_eq!(clip.convention.metres_per_unit.value, 1.0);
    let uncertain = clip.diagnostics.iter().find(|one| one.code.as_str() == "bvh/unit-uncertain");
    let uncertain = uncertain.unwrap_or_else(|| panic!("{:?}", clip.diagnostics));
    assert_eq!(uncertain.severity, Severity::Warning);
    assert_eq!(uncertain.value("height_m"), Some(&150.0.into()));
}

#[test]
fn only_people_get_a_rare_unit() {
    let small = |extra: &str| {
        let text = person("", extra).replace(" 70 ", " 28 ").replace(" -80 ", " -32 ");
        decode(text.as_bytes())
    };
    let person = small("Chin");
    assert_eq!(person.convention.metres_per_unit.value, 0.0254);
    assert!(
        has_diagnostic(&person, Severity::Warning, "bvh/unit-uncertain"),
        "{:?}",
        person.diagnostics
    );
    let dog = small("Tail");
    assert_eq!(dog.convention.metres_per_unit.value, 0.01);
    assert!(!has_warnings(&dog), "{:?}", dog.diagnostics);
}

#[test]
fn positions_of_the_first_frame_replace_missing_offsets() {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
    let joint = |name: &str| format!("JOINT {name}\n{{\nOFFSET 0 0 0\n{channels}\n}}\n");
    let file = |unit: f64| {
        let values = [0.0, 80.0, -75.0].map(|y| format!("0 {} 0 0 0 0", y * unit)).join(" ");
        format!(
            "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\n{channels}\n{}{}}}\nMOTION\nFrames: 1\nFrame Time: \
             0.01\n{values}\n",
            joint("Head"),
            joint("LeftFoot")
        )
    };
    for (unit, metres) in [(1.0, 0.01), (0.01, 1.0), (10.0, 0.001)] {
        let clip = decode(file(unit).as_bytes());
        assert_eq!(clip.convention.metres_per_unit.value, metres);
        let head = node(&clip, &pose(&clip, 0.0), "Head").world.translation;
        assert!(head.abs_diff_eq(DVec3::new(0.0, 0.8, 0.0), 1e-9), "{head}");
    }
}

#[test]
fn frame_times_are_reported_if_they_are_implausible() {
    let with_time = |time: &str| {
        decode(file(&FRAMES.replace("Frame Time: 0.5", &format!("Frame Time: {time}"))).as_bytes())
    };
    for (time, remedy) in [
        ("30", "is a frame rate in Hz, replace it by 0.033333"),
        ("120", "is a frame rate in Hz, replace it by 0.008333"),
        ("16.67", "is in milliseconds, replace it by 0.016670"),
        ("33333", "is in microseconds, replace it by 0.033333"),
        ("0.0000333", "unusually short"),
        ("1", "unusually long"),
        ("1e300", "lasts 1e300 s"),
    ] {
        let clip = with_time(time);
        let found = clip.diagnostics.iter().find(|one| one.severity == Severity::Warning);
        let found = found.unwrap_or_else(|| panic!("{time}: {:?}", clip.diagnostics));
        assert_eq!(found.code.as_str(), "bvh/unlikely-frame-time");
        assert!(found.message.contains(remedy), "{time}: {found:?}");
    }
    for time in ["0.0333333", "0.008333", "0.5", "0.001"] {
        let clip = with_time(time);
        assert!(!has_warnings(&clip), "{time}: {:?}", clip.diagnostics);
    }
}
