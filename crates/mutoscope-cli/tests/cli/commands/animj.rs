//! Tests of the command line with AnimJ and AnimX.

use serde_json::json;

use crate::commands::{run, run_on};

const COVERAGE: &str = "../animj/generated/coverage.animj";
const SWING: &str = "../animj/rig/arm_swing.animj";
const MODEL: &str = "../animj/rig/arm.glb";

#[test]
fn nodes_are_distinct_track_names_and_other_tracks_are_signals() {
    let info = &run(&["info", "--json", COVERAGE]).json_lines()[0];
    assert_eq!((&info["format"], &info["version"]), (&json!("animj"), &json!("")));
    assert_eq!((&info["name"], &info["duration"]), (&json!("coverage"), &json!(45.0)));
    let names = info["node_list"].as_array().unwrap().iter().map(|node| &node["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["Box", "Subtitle", "Phase"]);
    let types = info["track_list"].as_array().unwrap().iter().map(|track| &track["type"]);
    assert_eq!(types.collect::<Vec<_>>(), ["float", "float3", "color", "string", "int"]);
    let ran = run(&["sample", "--times", "2.6", COVERAGE]);
    let signals = &ran.json_lines()[0]["signals"];
    assert_eq!(signals["Subtitle.Text"], "two");
    assert_eq!(signals["Phase."], 0);
    assert!(signals.get("Box.Position").is_none());
    let binary = "../animj/generated/coverage_by_resonite_core.animx";
    let info = &run(&["info", "--json", binary]).json_lines()[0];
    assert_eq!((&info["format"], &info["version"]), (&json!("animx"), &json!("1")));
}

#[test]
fn tracks_have_authored_values() {
    let ran = run(&["sample", "--tracks", "--times", "1", COVERAGE]);
    let tracks = &ran.json_lines()[0]["tracks"];
    let values = tracks.as_array().unwrap().iter().map(|track| track["value"].clone());
    let expected = [
        json!(5.25),
        json!([1.0, 0.5, 2.125]),
        json!([0.0, 0.0, 1.0, 0.5]),
        json!("one"),
        json!(0),
    ];
    assert_eq!(values.collect::<Vec<_>>(), expected);
}

#[test]
fn slots_are_mirrored_in_z_or_in_x_on_a_model() {
    let text = r#"{"tracks": [
        {"trackType": "Raw", "valueType": "float3", "data": {"node": "Box", "property": "Position",
         "interval": 1, "keyframes": [{"x": 1, "y": 2, "z": 3}]}},
        {"trackType": "Raw", "valueType": "floatQ", "data": {"node": "Box", "property": "Rotation",
         "interval": 1, "keyframes": [{"x": 0.1, "y": 0.3, "z": 0.3, "w": 0.9}]}}]}"#;
    let pose = |arguments: &[&str]| {
        let ran = run_on(arguments, text.as_bytes());
        let nodes = ran.json_lines()[0]["nodes"].clone();
        let box_node = nodes.as_array().unwrap().iter().find(|node| node["name"] == "Box");
        let box_node = box_node.unwrap();
        let numbers =
            |name: &str| -> Vec<f64> { serde_json::from_value(box_node[name].clone()).unwrap() };
        (numbers("translation"), numbers("rotation"))
    };
    let expected = [0.1, 0.3, 0.3, 0.9];
    let signs = |[x, y, z]: [f64; 3]| [x * expected[0], y * expected[1], z * expected[2], 0.9];
    let cases = [
        (&["sample", "--times", "0", "-"][..], [1.0, 2.0, -3.0], signs([-1.0, -1.0, 1.0])),
        (
            &["sample", "--times", "0", "--rig", MODEL, "-"],
            [-1.0, 2.0, 3.0],
            signs([1.0, -1.0, -1.0]),
        ),
    ];
    for (arguments, translation, rotation) in cases {
        let found = pose(arguments);
        assert_eq!(found.0, translation, "{arguments:?}");
        for (found, expected) in found.1.iter().zip(rotation) {
            assert!((found - expected).abs() < 1e-6, "{arguments:?}: {found} and {expected}");
        }
    }
}

#[test]
fn rotations_follow_the_chosen_rule() {
    // The second key is a quarter turn about Y with the opposite sign. The short way turns by 90°,
    // but the engine follows the sign and turns by −270°.
    let text = r#"{"tracks": [{"trackType": "Curve", "valueType": "floatQ", "data": {"node": "A",
        "property": "Rotation", "keyframes": [
        {"time": 0, "value": {"x": 0, "y": 0, "z": 0, "w": 1}, "interpolation": "Linear"},
        {"time": 1, "value": {"x": 0, "y": -0.70710678, "z": 0, "w": -0.70710678}}]}}]}"#;
    let degrees = |arguments: &[&str]| {
        let all = [&["sample", "--tracks", "--times", "0.5", "-"], arguments].concat();
        let ran = run_on(&all, text.as_bytes());
        assert!(ran.err.contains("opposite sign to the previous key"), "{}", ran.err);
        let value = ran.json_lines()[0]["tracks"][0]["value"].clone();
        let [_, y, _, w]: [f64; 4] = serde_json::from_value(value).unwrap();
        let degrees = (2.0 * y.atan2(w)).to_degrees();
        (degrees + 180.0).rem_euclid(360.0) - 180.0
    };
    for (arguments, expected) in
        [(&[][..], 45.0), (&["--rotation", "short"], 45.0), (&["--rotation", "engine"], -135.0)]
    {
        let found = degrees(arguments);
        assert!((found - expected).abs() < 1e-4, "{arguments:?}: {found}");
    }
    assert_eq!(run(&["info", "--rotation", "other", SWING]).status, Some(2));
}

#[test]
fn chosen_rotation_rule_is_neither_declared_nor_assumed() {
    for (arguments, is_assumed) in [(&[][..], true), (&["--rotation", "engine"], false)] {
        let ran = run(&[&["info", "--json", SWING], arguments].concat());
        let convention = ran.json_lines()[0]["convention"].clone();
        let lists =
            |list: &str| convention[list].as_array().unwrap().iter().any(|name| name == "rotation");
        assert_eq!((lists("assumed"), lists("declared")), (is_assumed, false), "{arguments:?}");
    }
}

#[test]
fn info_lists_the_fields_that_tracks_would_drive() {
    let ran = run(&["info", "--rig", MODEL, SWING]);
    assert!(ran.out.contains("fields      18 of 18 tracks match a field by name"), "{}", ran.out);
    assert!(ran.out.contains("track 17   Box.Scale: field 17"), "{}", ran.out);
    let ran = run(&["info", "--rig", MODEL, COVERAGE]);
    assert!(ran.out.contains("track 1    Box.Position: field 0, which track 0 drives instead"));
    assert!(ran.err.contains("from track 1 (Box.Position) on, each track drives the wrong field"));
}

#[test]
fn check_reports_the_path_and_the_location() {
    let ran = run_on(&["check", "--as", "animj", "-"], b"{\"track\": [],\n \"tracks\": [1]}");
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.out.contains("warning: -: animj at line 1, column 2: \"track\" is not a known member")
    );
    assert!(ran.out.contains("error: -: animj at line 2, column"), "{}", ran.out);
    assert!(ran.out.contains("tracks[0]: expected an object, found an integer"), "{}", ran.out);
}
