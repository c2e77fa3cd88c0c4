//! Tests of the command line with Maya's files. The program runs in `tests/data/maya`.

use std::process::Command;

use serde_json::{Value, json};

use mutoscope_testing::fixtures;

/// Returns standard output, standard error, and `true` if the exit status is 0.
fn run(arguments: &[&str]) -> (String, String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"));
    let output = command.args(arguments).current_dir(fixtures::path("maya")).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

fn json_output(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments).0).unwrap()
}

#[test]
fn info_lists_nodes_tracks_and_assumptions() {
    let info = json_output(&["info", "--json", "ma_AnimatedCubeChildSphere1.anim"]);
    assert_eq!(info["format"], "maya");
    assert_eq!(info["version"], "1.1");
    assert_eq!(info["rate_hz"], 24.0);
    assert_eq!(
        (info["start"].as_f64(), info["duration"].as_f64()),
        (Some(1.0 / 24.0), Some(4.125))
    );
    let convention = json!({
        "handedness": "right", "up": "Y", "metres_per_unit": 0.01,
        "declared": ["metres_per_unit"], "assumed": ["handedness", "up", "rotation"],
    });
    assert_eq!(info["convention"], convention);
    let nodes = json!([
        {"index": 0, "name": "pCube1", "parent": null},
        {"index": 1, "name": "pCubeShape1", "parent": 0},
        {"index": 2, "name": "pSphere1", "parent": 0},
        {"index": 3, "name": "pSphereShape1", "parent": 2},
    ]);
    assert_eq!(info["node_list"], nodes);
    let track = json!({
        "index": 4, "node": "pCube1", "property": "rotateY", "type": "float", "keys": 3,
        "first": 1.0 / 24.0, "last": 100.0 / 24.0,
    });
    assert_eq!(info["track_list"][4], track);
}

#[test]
fn sample_prints_poses_in_metres_and_tracks_in_file_units() {
    let file = "units_in_angmin_pal.anim";
    let pose = json_output(&["sample", "--times", "2", file]);
    assert_eq!(pose["nodes"][0]["translation"], json!([2.0 * 0.0254, 0.0, 0.0]));
    let half = (5400.0_f64 / 60.0).to_radians() / 2.0;
    let rotation: Vec<f64> = serde_json::from_value(pose["nodes"][0]["rotation"].clone()).unwrap();
    assert!((rotation[0] - half.sin()).abs() < 1e-12 && (rotation[3] - half.cos()).abs() < 1e-12);
    let tracks = json_output(&["sample", "--tracks", "--times=1", file]);
    assert_eq!(
        tracks["tracks"],
        json!([
            {"index": 0, "node": "a", "property": "translateX", "value": 1.5},
            {"index": 1, "node": "a", "property": "rotateX", "value": 2700.0},
        ])
    );
}

#[test]
fn check_prints_lines_and_fails_for_errors() {
    let (out, _, succeeds) = run(&["check", "truncated_in_keys.anim"]);
    assert!(!succeeds);
    assert_eq!(
        out,
        "error: truncated_in_keys.anim: maya at line 18, column 8: the file is truncated within the curve \
         of a.translateX, after 2 keys; loaded up to there [maya/truncated]\n"
    );
    let (out, _, succeeds) =
        run(&["check", "v1_1_missing_breakdown.anim", "spec_example_4joints.anim"]);
    assert!(succeeds);
    assert_eq!(
        out,
        "warning: v1_1_missing_breakdown.anim: maya at line 16: keys without the breakdown flag that \
         version 1.1 has (3 times, last in line 18) [maya/breakdown-flag]\n"
    );
}
