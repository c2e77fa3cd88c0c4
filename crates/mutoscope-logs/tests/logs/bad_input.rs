//! Tests of broken tables: each diagnostic states its row and column, and the other rows are kept.

use std::fmt::Write as _;

use mutoscope_core::{
    clip::{Clip, Pose},
    diagnostics::{Severity, SourceLocation},
    formats::{MappingFile, ReadOptions},
};
use mutoscope_testing::scaling::assert_grows_linearly;

fn decode(text: &str) -> Clip {
    let request = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    mutoscope_core::decode(text.as_bytes(), &request).unwrap()
}

/// Returns the location and the message of the diagnostic with this word. Panics unless there is
/// exactly one.
fn find_diagnostic(clip: &Clip, severity: Severity, word: &str) -> (SourceLocation, String) {
    let matches = |one: &&mutoscope_core::diagnostics::Diagnostic| {
        one.severity == severity && one.message.contains(word)
    };
    let found: Vec<_> = clip.diagnostics.iter().filter(matches).collect();
    assert_eq!(found.len(), 1, "{word}: {:?}", clip.diagnostics);
    (found[0].location.clone(), found[0].message.clone())
}

fn is_shown(clip: &Clip, time: f64) -> bool {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose.nodes[0].is_visible
}

#[test]
fn zero_and_non_unit_quaternions_are_reported() {
    let text = "time,x,y,z,qx,qy,qz,qw\n0,1,2,3,0,0,0,1\n1,1,2,3,0,0,0,0\n2,1,2,3,0,0,0,0\n3,1,2,3,0,0,0,0.5\n";
    let clip = decode(text);
    let (location, message) = find_diagnostic(&clip, Severity::Info, "zero quaternion");
    assert_eq!(location, SourceLocation::line(3));
    assert!(message.contains("\"qx\"") && message.ends_with("rows: 2"), "{message}");
    let (location, message) = find_diagnostic(&clip, Severity::Warning, "length 0.500");
    assert_eq!(location, SourceLocation::line(5));
    assert!(message.contains("\"qx\"") && message.ends_with("rows: 1"), "{message}");
    assert!(is_shown(&clip, 0.5) && !is_shown(&clip, 1.5) && is_shown(&clip, 3.0));
    let mut pose = Pose::default();
    clip.sample(3.0, &mut pose);
    assert!((pose.nodes[0].world.rotation.length() - 1.0).abs() < 1e-12);
}

#[test]
fn text_among_numbers_is_a_missing_cell() {
    let clip = decode("time,x,y,z\n0,1,2,3\n1,1,oops,3\n2,4,5,6\n");
    let (location, message) = find_diagnostic(&clip, Severity::Warning, "not a number");
    assert_eq!(location, SourceLocation::line(3));
    assert!(message.contains("\"oops\"") && message.contains("\"y\""), "{message}");
    assert!(is_shown(&clip, 0.5) && !is_shown(&clip, 1.5) && is_shown(&clip, 2.0));
}

#[test]
fn unsorted_and_repeated_times_are_reported() {
    let clip = decode("time,x,y,z\n0,1,2,3\n2,2,2,3\n1,9,2,3\n2,3,2,3\n");
    assert_eq!(find_diagnostic(&clip, Severity::Warning, "order").0, SourceLocation::line(4));
    assert_eq!(find_diagnostic(&clip, Severity::Warning, "twice").0, SourceLocation::line(5));
    let mut pose = Pose::default();
    clip.sample(2.0, &mut pose);
    assert_eq!(pose.nodes[0].world.translation.x, 3.0, "the later row must be used");
    clip.sample(1.0, &mut pose);
    assert_eq!(pose.nodes[0].world.translation.x, 9.0);
}

#[test]
fn rows_of_other_lengths_and_repeated_headers_are_reported() {
    let clip = decode("time,x,y,z\n0,1,2,3\n1,1,2\ntime,x,y,z\n2,4,5,6,7\n3,1,2,3\n");
    let lines: Vec<_> =
        clip.diagnostics.iter().filter(|one| one.severity == Severity::Warning).collect();
    let locations: Vec<_> = lines.iter().map(|one| one.location.clone()).collect();
    let expected = [3, 5, 4].map(SourceLocation::line);
    assert_eq!(locations, expected, "{lines:?}");
    assert_eq!((clip.span.start, clip.span.end()), (0.0, 3.0));
}

#[test]
fn tables_without_rows_are_refused() {
    let request = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    for (text, words) in
        [("time,x,y,z\n", "a header of 4 columns"), ("", "empty"), ("\n\n", "header")]
    {
        let failure = mutoscope_core::decode(text.as_bytes(), &request).unwrap_err();
        let message = failure.error.message();
        assert!(message.contains(words), "{text:?}: {message}");
    }
}

#[test]
fn ambiguous_columns_are_reported_with_both_choices() {
    let clip = decode(
        "eyeTimestamp,frameTimestamp,rot_x,rot_y,rot_z,pos_x,pos_y,pos_z\n0,0,1,2,3,4,5,6\n1,1,1,2,3,4,5,6\n",
    );
    let (_, message) = find_diagnostic(&clip, Severity::Info, "the time may be in");
    assert!(
        message.contains("\"eyeTimestamp\"") && message.contains("\"frameTimestamp\""),
        "{message}"
    );
    let (_, message) = find_diagnostic(&clip, Severity::Info, "assumed euler");
    assert!(message.contains("YXZ") && message.contains("rotation vector"), "{message}");
    let text = "time,joint,marker,x,y,z\n0,a,b,1,2,3\n1,a,b,1,2,3\n";
    let clip = decode(text);
    let (_, message) = find_diagnostic(&clip, Severity::Info, "the node may be in");
    assert!(message.contains("\"joint\"") && message.contains("\"marker\""), "{message}");
    // A mapping that names the column resolves the ambiguity.
    let (format, name) = (mutoscope_logs::FORMAT_ID, "m.toml".to_owned());
    let mapping = MappingFile { format, name, text: "[long]\nnode = \"marker\"\n".to_owned() };
    let mut request = ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_format(mutoscope_logs::FORMAT_ID);
    request.columns = Some(mapping);
    let clip = mutoscope_core::decode(text.as_bytes(), &request).unwrap();
    assert!(
        clip.diagnostics.iter().all(|one| !one.message.contains("may be in")),
        "{:?}",
        clip.diagnostics
    );
    assert_eq!(clip.nodes.iter().next().map(|node| node.name.as_str()), Some("b"));
}

#[test]
fn an_hour_at_1_khz_is_read() {
    const ROWS: usize = 3_600_000;
    let mut text = String::from("t [ms],head_x,head_y,head_z\n");
    for row in 0..ROWS {
        writeln!(text, "{row},0.{:03},1.6,-{:04}e-4", row % 1000, row % 7919).unwrap();
    }
    let clip = decode(&text);
    assert_eq!(clip.span.duration, 3599.999);
    assert_eq!(clip.tracks[0].curve.key_count(), ROWS);
    let mut pose = Pose::default();
    clip.sample(3000.123, &mut pose);
    assert!((pose.nodes[0].world.translation.x - 0.123).abs() < 1e-9);
}

#[test]
fn stream_recorder_rows_have_head_hands_and_gaze() {
    let matrix = |x: f64| {
        let numbers =
            [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        numbers.map(|number| number.to_string()).join(",")
    };
    let mut text = String::new();
    for row in 0..3_i64 {
        let time = 132_500_000_000_000_000 + row * 333_333;
        // The left hand is lost in the second row.
        let left = i32::from(row != 1);
        let joints = |side: f64| {
            (0..26).map(|it| matrix(side + f64::from(it))).collect::<Vec<_>>().join(",")
        };
        let gaze = "1,0,1,2,1,0,0,-1,0,0.7";
        writeln!(
            text,
            "{time},{},{left},{},1,{},{gaze}",
            matrix(0.5),
            joints(100.0),
            joints(200.0)
        )
        .unwrap();
    }
    let clip = mutoscope_core::decode(
        text.as_bytes(),
        &ReadOptions::default().with_formats(mutoscope_logs::formats()),
    )
    .unwrap();
    assert_eq!(clip.nodes.len(), 1 + 2 * 26 + 1);
    assert!((clip.span.duration - 0.066_666_6).abs() < 1e-12, "{}", clip.span.duration);
    let mut pose = Pose::default();
    clip.sample(0.0, &mut pose);
    let node_index = |name: &str| clip.nodes.iter().position(|node| node.name == name).unwrap();
    assert_eq!(pose.nodes[node_index("head")].world.translation.x, 0.5);
    // The palm is the first joint, and the tip of the index finger is the eleventh.
    assert_eq!(pose.nodes[node_index("left/Palm")].world.translation.x, 100.0);
    assert_eq!(pose.nodes[node_index("right/IndexTip")].world.translation.x, 210.0);
    assert!(
        pose.nodes[node_index("left/Palm")].is_visible && pose.nodes[node_index("gaze")].is_visible
    );
    clip.sample(0.04, &mut pose);
    assert!(
        !pose.nodes[node_index("left/Palm")].is_visible
            && pose.nodes[node_index("right/Palm")].is_visible
    );
}

#[test]
fn damaged_motion_capture_files_are_read_or_refused() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../mutoscope-cli/tests/cases");
    let mut random = 7_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    let mut read = 0;
    for file in [
        "trc-two-tabs/trc-two-tabs.trc",
        "trc-spaces/trc-spaces.trc",
        "trc-other-columns/trc-other-columns.trc",
        "trc-shifted-rows/trc-shifted-rows.trc",
        "motive-two-skeletons/take.csv",
        "motive-local-without-parents/take.csv",
        "vicon-all-blocks/trial.csv",
        "vicon-segments-in-euler-angles/trial.csv",
        "qualisys-frame-and-time/trial.tsv",
        "qualisys-6d-two-bodies/trial_6D.tsv",
    ] {
        let whole = std::fs::read(folder.join(file)).unwrap();
        for _ in 0..400 {
            let mut broken = whole[..whole.len() - next(whole.len() / 2)].to_vec();
            for _ in 0..next(12) {
                let at = next(broken.len());
                broken[at] = b"\t \n,;.#-9XZ\xff"[next(12)];
            }
            read += u32::from(crate::can_read_and_sample(&broken));
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn wide_motion_capture_headers_are_read_in_linear_time() {
    const COLUMNS: usize = 100_000;
    let wide = |cell: &str| format!(",{cell}").repeat(3 * COLUMNS);
    let axes = ",X,Y,Z".repeat(COLUMNS);
    let motive = format!(
        "Format Version,1.23\n,Type{}\n,Name{}\n,{}\nFrame,Time{axes}\n0,0{}\n",
        wide("Marker"),
        wide("A"),
        wide("Position"),
        wide("1")
    );
    let names = ",A,,".repeat(COLUMNS);
    let vicon = format!("Trajectories\n100\n,{names}\nFrame,Sub Frame{axes}\n1,0{}\n", wide("1"));
    for text in [motive, vicon] {
        // The header is longer than the lines by which other tables are recognised.
        let clip = mutoscope_core::decode(
            text.as_bytes(),
            &ReadOptions::default().with_formats(mutoscope_logs::formats()),
        )
        .unwrap();
        assert_eq!(clip.nodes.len(), COLUMNS);
        assert_eq!(clip.nodes.iter().last().unwrap().name, "A (100000)");
    }
}

#[test]
fn wide_tables_are_read_in_linear_time() {
    let names = |columns: usize, name: fn(usize) -> String| -> String {
        (0..columns).map(|column| format!(",{}", name(column))).collect()
    };
    let rows = |columns: usize| -> String {
        let row = |time: usize| (0..columns).map(move |column| format!(",{}.5", column + time));
        (0..2).map(|time| format!("{time}{}\n", row(time).collect::<String>())).collect()
    };
    let joint = |column: usize| format!("j{}.t{}", column / 3, ["x", "y", "z"][column % 3]);
    let signal = |column: usize| format!("s{column}");
    let poses = |columns: usize| format!("time{}\n{}", names(columns, joint), rows(columns));
    let signals = |columns: usize| {
        let names = names(columns, signal);
        format!("time,head.tx,head.ty,head.tz{names}\n{}", rows(columns + 3))
    };
    let empty_rows = |columns: usize| signals(columns) + &"nan\n".repeat(columns);
    for (case, table) in [
        ("poses", &poses as &dyn Fn(usize) -> String),
        ("signals", &signals),
        ("empty rows", &empty_rows),
    ] {
        assert_grows_linearly(case, 40_000, table, |text| {
            assert!(!decode(text).tracks.is_empty());
        });
    }
    let with_mapping = |columns: usize| {
        let names = names(columns, joint) + &names(columns, signal);
        let mut mapping = "[signals]\n".to_owned();
        (0..columns).for_each(|it| writeln!(mapping, "s{it} = \"s{it}\"").unwrap());
        for node in 0..columns / 3 {
            let position = ["x", "y", "z"].map(|axis| format!("j{node}.t{axis}"));
            writeln!(mapping, "[nodes.j{node}]\nposition = {position:?}").unwrap();
            if node > 0 {
                writeln!(mapping, "parent = \"j{}\"", node - 1).unwrap();
            }
        }
        (format!("time{names}\n{}", rows(2 * columns)), mapping)
    };
    assert_grows_linearly("mapping", 30_000, with_mapping, |(text, mapping)| {
        let clip = crate::decode_table(text, Some(mapping)).unwrap();
        assert!(!clip.nodes.is_empty() && !clip.signals.is_empty());
    });
}

#[test]
fn positions_after_many_samples_of_a_device_are_read() {
    let mut text = "Devices\n1000\n,,EMG\nFrame,Sub Frame,1\n,,V\n".to_owned();
    for sample in 0..50_000 {
        writeln!(text, "{},{},{sample}", 1 + sample / 10, sample % 10).unwrap();
    }
    text += "\nTrajectories\n100\n,,A,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n2,0,4,5,6\n";
    let clip = mutoscope_core::decode(
        text.as_bytes(),
        &ReadOptions::default().with_formats(mutoscope_logs::formats()),
    )
    .unwrap();
    assert_eq!((clip.nodes.len(), clip.signals.len(), clip.span.duration), (1, 1, 0.01));
}

#[test]
fn frames_of_a_device_far_apart_are_skipped() {
    let text = "Devices\n400\n,,EMG\nFrame,Sub Frame,1\n,,V\n1,0,5\n1,1,6\n900000000,0,7\n2,0,8\n\n\
                Trajectories\n100\n,,A,,\nFrame,Sub Frame,X,Y,Z\n1,0,1,2,3\n2,0,1,2,3\n";
    let clip = decode(text);
    let (location, message) = find_diagnostic(&clip, Severity::Warning, "Devices");
    assert_eq!(location, SourceLocation::line(6));
    assert!(message.ends_with("1 row skipped"), "{message}");
    let mut pose = Pose::default();
    clip.sample(0.01, &mut pose);
    assert_eq!(format!("{:?}", pose.signals), "[Number(8.0)]");
}

#[test]
fn wide_trc_headers_are_read_in_linear_time() {
    const MARKERS: usize = 100_000;
    let names = "\tA\t\t".repeat(MARKERS - 1);
    let axes: String = (1..=MARKERS).map(|it| format!("\tX{it}\tY{it}\tZ{it}")).collect();
    let row = "\t1\t2\t3".repeat(MARKERS);
    let clip = decode(&format!("PathFileType\t4\nFrame#\tTime{names}\n\t{axes}\n\n1\t0{row}\n"));
    assert_eq!(clip.nodes.len(), MARKERS);
    let last = &clip.nodes.iter().last().unwrap().name;
    assert_eq!(last, "marker 100000");
}

#[test]
fn rate_of_a_trc_is_compared_with_its_times() {
    let read = |rate: f64, times: &[&str]| {
        let mut text = format!(
            "PathFileType\t4\nDataRate\tUnits\n{rate}\tm\nFrame#\tTime\tA\n\t\tX1\tY1\tZ1\n"
        );
        for (row, time) in times.iter().enumerate() {
            writeln!(text, "{row}\t{time}\t0.{row}\t1\t1").unwrap();
        }
        let clip = decode(&text);
        let is_reported = clip.diagnostics.iter().any(|one| one.message.contains("DataRate"));
        (clip.rate_hz.unwrap(), is_reported)
    };
    // Rounded times, rounded steps, a gap and a rate with decimals.
    for (rate, times) in [
        (120.0, ["0", "0.008", "0.017", "0.025", "0.033"]),
        (120.0, ["0.00000", "0.00800", "0.01700", "0.02500", "0.03300"]),
        (60.0, ["0", "0.017", "0.034", "0.051", "0.068"]),
        (100.0, ["0", "0.01", "0.02", "0.53", "0.54"]),
        (59.94, ["0", "0.016683", "0.033367", "0.05005", "0.066733"]),
    ] {
        assert_eq!(read(rate, &times), (rate, false), "{times:?}");
    }
    for (rate, found, times) in [
        (60.0, 100.0, ["0", "0.01", "0.02", "0.03", "0.04"]),
        (250.0, 25.0, ["0", "0.04", "0.08", "0.12", "0.16"]),
        (100.0, 120.0, ["0", "0.008333", "0.016667", "0.025", "0.033333"]),
    ] {
        let (used, is_reported) = read(rate, &times);
        assert!((used - found).abs() < 0.01 && is_reported, "{rate} {times:?}: {used}");
    }
}

#[test]
fn json_lines_of_any_size_and_encoding_are_recognised() {
    let row = |time: usize, note: &str| {
        format!("{{\"t\":{time},\"p\":{{\"x\":1,\"y\":2,\"z\":3}},\"note\":\"{note}\"}}\n")
    };
    // The notes of different lengths move the end of the first 256 KiB within a line.
    for length in 0..4 {
        let note = "n".repeat(length);
        let mut text: String = (0..6000).map(|time| row(time, &note)).collect();
        text.insert_str(row(0, &note).len(), "{\"t\":0,\"p\":\n");
        text.push_str("{\"t\":6000,\"p\":{\"x\":1");
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.into_bytes(), utf16] {
            let clip = mutoscope_core::decode(
                &bytes,
                &ReadOptions::default().with_formats(mutoscope_logs::formats()),
            )
            .unwrap();
            assert_eq!((clip.span.duration, clip.nodes.len()), (5999.0, 1));
            let (location, message) = find_diagnostic(&clip, Severity::Error, "skipped");
            assert_eq!(location, SourceLocation::line(2));
            assert!(message.ends_with("2 lines like this are skipped"), "{message}");
        }
    }
}

#[test]
fn unit_of_markers_is_guessed_from_the_size_of_the_body() {
    // Ten markers rise along a row of 0.4 m, at `x_m` metres from the origin.
    let unit = |height_m: f64, x_m: f64, units_per_metre: f64| {
        let names: String = (0..10).map(|marker| format!("M{marker}\t\t\t")).collect();
        let axes: String = (1..=10).map(|it| format!("\tX{it}\tY{it}\tZ{it}")).collect();
        let mut text = format!("PathFileType\t4\nFrame#\tTime\t{names}\n\t{axes}\n\n");
        for row in 0..20 {
            write!(text, "{row}\t{}", f64::from(row) * 0.01).unwrap();
            for marker in 0..10 {
                let part = f64::from(marker) / 9.0;
                let x = x_m + 0.4 * part + 0.01 * f64::from(row);
                for metres in [x, height_m * part, 0.0] {
                    write!(text, "\t{}", metres * units_per_metre).unwrap();
                }
            }
            text.push('\n');
        }
        decode(&text).convention.metres_per_unit.value
    };
    assert_eq!(unit(1.7, 0.0, 1.0), 1.0);
    assert_eq!(unit(1.7, 60.0, 1.0), 1.0, "a body far from the origin");
    assert_eq!(unit(1.7, 1.0, 1000.0), 0.001);
    assert_eq!(unit(1.7, 1.0, 100.0), 0.01);
    assert_eq!(unit(0.19, 1.2, 1000.0), 0.001, "a hand in a room is not a body in centimetres");
}
