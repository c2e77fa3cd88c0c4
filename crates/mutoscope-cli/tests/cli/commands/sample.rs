//! Tests of `sample`.

use serde_json::json;

use crate::commands::{keys, run, run_on, small_recording};
use mutoscope_testing::recording::{Keys, Recording};

#[test]
fn pose_line_is_exact() {
    let ran = run_on(&["sample", "--times", "1.5", "-"], &small_recording().encode());
    let expected = concat!(
        r#"{"time":1.5,"nodes":[{"name":"gaze","parent":null,"shown":true,"#,
        r#""translation":[2.0,2.0,-3.0],"rotation":[-0.0,-0.0,0.0,1.0],"scale":[1.0,1.0,1.0],"#,
        r#""world":{"translation":[2.0,2.0,-3.0],"rotation":[-0.0,-0.0,0.0,1.0]}}],"signals":{}}"#,
        "\n"
    );
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""));
}

#[test]
fn track_line_is_exact() {
    let ran = run_on(&["sample", "--tracks", "--times", "1.5", "-"], &small_recording().encode());
    let expected = concat!(
        r#"{"time":1.5,"tracks":["#,
        r#"{"index":0,"node":"gaze","property":"origin.x","value":2.0},"#,
        r#"{"index":1,"node":"gaze","property":"origin.y","value":2.0},"#,
        r#"{"index":2,"node":"gaze","property":"origin.z","value":3.0},"#,
        r#"{"index":3,"node":"gaze","property":"direction.x","value":null},"#,
        r#"{"index":4,"node":"gaze","property":"direction.y","value":null},"#,
        r#"{"index":5,"node":"gaze","property":"direction.z","value":0.10000000149011612}]}"#,
        "\n"
    );
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""));
}

#[test]
fn signals_and_visibility_are_printed() {
    let file = "ok/proc_v11_good.bin";
    let ran = run(&["sample", "--times", "0,1.75", file]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let line = ran.out.lines().next().unwrap();
    assert_eq!(keys::object_keys(line).join(" "), "time nodes signals");
    assert_eq!(
        keys::first_object_keys(line, "nodes").join(" "),
        "name parent shown translation rotation scale world"
    );
    let signals = line.split_once("\"signals\":").unwrap().1.trim_end_matches('}').to_owned() + "}";
    assert_eq!(
        keys::object_keys(&signals).join(" "),
        "left/tracked left/pinch right/tracked right/pinch"
    );
    let poses = ran.json_lines();
    assert_eq!(poses[1]["signals"]["left/tracked"], false);
    let shown = |pose: usize, node: usize| poses[pose]["nodes"][node]["shown"].clone();
    assert_eq!([shown(0, 1), shown(1, 1), shown(1, 27)], [true, false, true]);
    let wrist = &poses[1]["nodes"][1];
    assert_eq!(wrist["name"], "left/Wrist");
    assert!(wrist["translation"][0].as_f64().unwrap() < 0.0, "a hidden node has a position, too");

    let tracks = run(&["sample", "--tracks", "--times", "0", file]).json_lines();
    let tracked = &tracks[0]["tracks"][7];
    assert_eq!(*tracked, json!({"index":7,"node":"left","property":"tracked","value":true}));
}

#[test]
fn tracks_keep_the_stored_w_and_poses_use_the_rebuilt_one() {
    let file = "ok/proc_v11_wbug.bin";
    let tracks = run(&["sample", "--tracks", "--times", "0,3", file]).json_lines();
    // The track of rotation.w of left/IndexTip: 11 tracks come before the hand, and 10 joints with
    // 7 tracks each before this joint.
    let value = |time: usize| tracks[time]["tracks"][11 + 7 * 10 + 6].clone();
    assert_eq!(value(0)["property"], "rotation.w");
    assert_eq!(value(0)["node"], "left/IndexTip");
    assert_eq!(value(0)["value"], value(1)["value"]);
    let ran = run(&["sample", "--times", "0,3", file]);
    assert!(ran.err.starts_with("warning: ok/proc_v11_wbug.bin: mrtk at bytes 0x2b3..0x2c7: W "));
    let poses = ran.json_lines();
    let w = |time: usize| poses[time]["nodes"][11]["rotation"][3].as_f64().unwrap();
    assert!((w(0) - w(1)).abs() > 1e-3);
}

#[test]
fn samples_are_at_the_requested_times() {
    let bytes = small_recording().encode();
    let cases: [(&[&str], &[f64]); 7] = [
        (&["--times", "-1,0"], &[-1.0, 0.0]),
        (&["--times=-1,0"], &[-1.0, 0.0]),
        (&["--times", "-.5"], &[-0.5]),
        (&["--times", "9e9,0,1"], &[9e9, 0.0, 1.0]),
        (&["--fps", "2", "--range", "-1..0.25"], &[-1.0, -0.5, 0.0]),
        (&["--fps=1", "--range=-2..-1"], &[-2.0, -1.0]),
        (&["--fps", "1"], &[0.0, 1.0, 2.0]),
    ];
    for (options, expected) in cases {
        for tracks in [&[][..], &["--tracks"]] {
            let ran = run_on(&[&["sample", "-"], options, tracks].concat(), &bytes);
            let times: Vec<_> =
                ran.json_lines().iter().map(|line| line["time"].as_f64().unwrap()).collect();
            assert_eq!((ran.status, times.as_slice()), (Some(0), expected), "{options:?}");
        }
    }
}

#[test]
fn times_outside_the_clip_use_the_extrapolation() {
    let mut recording = small_recording();
    recording.gaze.as_mut().unwrap()[0].wrap = [4, 2];
    let arguments = ["sample", "--tracks", "--times", "-0.5,2.25,100.5", "-"];
    let lines = run_on(&arguments, &recording.encode()).json_lines();
    let values: Vec<_> = lines.iter().map(|line| line["tracks"][0]["value"].clone()).collect();
    assert_eq!(values, [2.0, 1.5, 2.0]);
}

#[test]
fn non_finite_numbers_are_null_and_their_nodes_hidden() {
    let mut recording = Recording::with_camera(Default::default());
    let camera = recording.camera.as_mut().unwrap();
    camera[0] = Keys::simple(&[(0.0, f32::NAN)]);
    camera[1] = Keys::simple(&[(0.0, f32::NEG_INFINITY)]);
    let bytes = recording.encode();
    let poses = run_on(&["sample", "--times", "0", "-"], &bytes).json_lines();
    let node = &poses[0]["nodes"][0];
    assert_eq!(node["translation"], json!([null, null, -0.0]));
    assert_eq!(node["shown"], false);
    let tracks = run_on(&["sample", "--tracks", "--times", "0", "-"], &bytes);
    assert_eq!(tracks.status, Some(0));
    let values = &tracks.json_lines()[0]["tracks"];
    assert!(values[0]["value"].is_null() && values[1]["value"].is_null());
}

#[test]
fn pose_table_has_a_row_per_time_and_node() {
    let arguments = ["sample", "--format", "csv", "--times", "0", "ok/proc_v11_good.bin"];
    let ran = run(&arguments);
    let rows: Vec<Vec<_>> = ran.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 54);
    assert!(rows.iter().all(|row| row.len() == 26));
    assert_eq!(rows[0][..8].join(" "), "time index node parent shown x y z");
    assert_eq!(rows[0][22..].join(" "), "left/tracked left/pinch right/tracked right/pinch");
    assert_eq!(rows[2][..6].join(" "), "0.0 1 left/Wrist  true -0.14000000059604645");
    assert_eq!(rows[2][22..].join(" "), "true false true false");
}

#[test]
fn track_table_has_a_row_per_time_and_track() {
    let arguments = ["sample", "--tracks", "--format=csv", "--times=1.5", "-"];
    let ran = run_on(&arguments, &small_recording().encode());
    let expected = "\
time,index,node,property,value
1.5,0,gaze,origin.x,2.0
1.5,1,gaze,origin.y,2.0
1.5,2,gaze,origin.z,3.0
1.5,3,gaze,direction.x,
1.5,4,gaze,direction.y,
1.5,5,gaze,direction.z,0.10000000149011612
";
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), expected));
}

#[test]
fn unreadable_file_prints_nothing() {
    let ran = run(&["sample", "--times", "0", "bad/truncated.bin"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.starts_with("error: bad/truncated.bin: mrtk at byte 0xc7: "), "{}", ran.err);
}

/// Three of the tracks have the same name, which would give repeated keys in an object and repeated
/// columns in a table.
const REPEATED_NAMES: &str = r#"{"tracks": [
    {"trackType": "Discrete", "valueType": "int", "data": {"node": "A", "property": "n",
     "keyframes": [{"time": 0, "value": 1}]}},
    {"trackType": "Discrete", "valueType": "int", "data": {"node": "A", "property": "n",
     "keyframes": [{"time": 0, "value": 2}]}},
    {"trackType": "Discrete", "valueType": "int", "data": {"node": "A", "property": "n.001",
     "keyframes": [{"time": 0, "value": 3}]}},
    {"trackType": "Discrete", "valueType": "int", "data": {"node": "A", "property": "n",
     "keyframes": [{"time": 0, "value": 4}]}}]}"#;

#[test]
fn signals_with_the_same_name_are_numbered() {
    let ran = run_on(&["sample", "--times", "0", "-"], REPEATED_NAMES.as_bytes());
    let signals = ran.out.split_once("\"signals\":").unwrap().1.trim_end();
    assert_eq!(
        signals.strip_suffix('}').unwrap(),
        r#"{"A.n":1,"A.n.001":2,"A.n.001.001":3,"A.n.002":4}"#
    );
}

#[test]
fn columns_with_the_same_name_are_numbered() {
    let arguments: [&[&str]; 2] = [
        &["sample", "--times", "0", "--format", "csv", "-"],
        &["convert", "-", "-o", "-", "--to", "csv"],
    ];
    for arguments in arguments {
        let ran = run_on(arguments, REPEATED_NAMES.as_bytes());
        let head: Vec<&str> = ran.out.lines().next().unwrap().split(',').collect();
        let mut unique = head.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), head.len(), "{head:?}");
        assert!(head.ends_with(&["A.n", "A.n.001", "A.n.001.001", "A.n.002"]), "{head:?}");
    }
}

#[test]
fn non_finite_results_are_reported_once() {
    let broken = Keys::simple(&[(0.0, 1.0), (1.0, f32::NAN), (2.0, f32::INFINITY), (3.0, 1.0)]);
    let still = |value| Keys::simple(&[(0.0, value)]);
    let recording =
        Recording::with_gaze([broken, still(2.0), still(3.0), still(0.0), still(0.0), still(1.0)]);
    for format in ["jsonl", "csv"] {
        let arguments = ["sample", "--times", "0,1,2,3", "--format", format, "-"];
        let ran = run_on(&arguments, &recording.encode());
        assert_eq!(ran.status, Some(0));
        let lines: Vec<_> =
            ran.err.lines().filter(|line| line.contains("printed as null")).collect();
        let expected = "warning: -: mrtk at the whole file: NaN or infinite results; printed as null. The \
                        nodes: \"gaze\" (at 2 times, first at 1 s)";
        assert_eq!(lines, [expected], "{}", ran.err);
    }
    let ran = run_on(&["sample", "--times", "0,3", "-"], &recording.encode());
    assert!(!ran.err.contains("printed as null"), "{}", ran.err);
}

#[test]
fn more_than_20_million_times_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.bvh");
    let text = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                MOTION\nFrames: 3\nFrame Time: 1e12\n0\n1\n2\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    for options in [&["--fps", "60"][..], &["--fps", "60", "--tracks"], &["--fps", "1e300"]] {
        let ran = run(&[&["sample"], options, &[path]].concat());
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        let message =
            "s gives more than 20000000 times; nothing sampled. Reduce --range or --fps\n";
        assert!(ran.err.ends_with(message), "{}", ran.err);
    }
    for options in [["--fps", "1e-12"], ["--fps", "1"]] {
        let ran = run(&[&["sample", "--range", "0..2e12"], &options[..], &[path]].concat());
        assert_eq!(ran.status, Some(if options[1] == "1" { 1 } else { 0 }), "{}", ran.err);
    }
    let ran = run(&["sample", "--fps", "60", "--range", "0..1", path]);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 61));
}

#[test]
fn non_finite_track_values_are_reported() {
    let mut recording = small_recording();
    recording.gaze.as_mut().unwrap()[0] = Keys::simple(&[(1.0, f32::NAN), (2.0, 3.0)]);
    for format in ["jsonl", "csv"] {
        let arguments = ["sample", "--tracks", "--times", "1,2", "--format", format, "-"];
        let ran = run_on(&arguments, &recording.encode());
        assert_eq!(ran.status, Some(0));
        assert!(
            ran.err.contains("NaN or infinite results; printed as null. The tracks: "),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("gaze.origin.x"), "{}", ran.err);
    }
}
