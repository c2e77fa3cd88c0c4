//! Tests of `info`.

use serde_json::json;

use crate::commands::{keys, run, run_on, small_recording};

#[test]
fn json_keys_follow_the_order_of_the_contract() {
    let ran = run(&["info", "--json", "ok/proc_v11_wbug.bin"]);
    let top = "path format version name start duration rate_hz nodes tracks keys convention \
               node_list track_list events animations notices";
    assert_eq!(keys::object_keys(&ran.out).join(" "), top);
    let convention = ran.out.split_once("\"convention\":").unwrap().1;
    let convention = &convention[..=convention.find('}').unwrap()];
    assert_eq!(
        keys::object_keys(convention).join(" "),
        "handedness up metres_per_unit declared assumed"
    );
    assert_eq!(keys::first_object_keys(&ran.out, "node_list").join(" "), "index name parent");
    assert_eq!(
        keys::first_object_keys(&ran.out, "track_list").join(" "),
        "index node property type keys first last"
    );
    assert_eq!(
        keys::first_object_keys(&ran.out, "notices").join(" "),
        "severity place message time code data"
    );
    let with_markers = run(&["info", "--json", "ok/proc_v10.bin"]);
    assert_eq!(
        keys::first_object_keys(&with_markers.out, "events").join(" "),
        "time node name value"
    );
}

#[test]
fn info_of_a_small_file_is_complete() {
    let ran = run_on(&["info", "--json", "-"], &small_recording().encode());
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let track = |index: usize, property: &str, keys: usize, first: Option<f64>, last| {
        json!({"index": index, "node": "gaze", "property": property, "type": "float",
               "keys": keys, "first": first, "last": last})
    };
    let still = |index, property| track(index, property, 1, Some(0.5), Some(0.5));
    let expected = json!({
        "path": "-", "format": "mrtk", "version": "1.1", "name": "",
        "start": 0.0, "duration": 2.0, "rate_hz": null,
        "nodes": 1, "tracks": 6, "keys": 5,
        "convention": {
            "handedness": "left", "up": "Y", "metres_per_unit": 1.0,
            "declared": [], "assumed": ["handedness", "up", "metres_per_unit", "rotation"],
        },
        "node_list": [{"index": 0, "name": "gaze", "parent": null}],
        "track_list": [
            track(0, "origin.x", 2, Some(1.0), Some(2.0)),
            still(1, "origin.y"),
            still(2, "origin.z"),
            track(3, "direction.x", 0, None, None),
            track(4, "direction.y", 0, None, None),
            still(5, "direction.z"),
        ],
        "events": [
            {"time": 0.5, "node": "", "name": "go", "value": null},
            {"time": 0.25, "node": "", "name": "\"é\"", "value": null},
        ],
        "animations": [],
        "notices": [],
    });
    assert_eq!(ran.json_lines(), [expected]);
}

#[test]
fn nodes_and_tracks_have_the_names_of_the_contract() {
    let ran = run(&["info", "--json", "ok/proc_v11_good.bin"]);
    let info = &ran.json_lines()[0];
    let nodes: Vec<_> =
        info["node_list"].as_array().unwrap().iter().map(|n| n["name"].as_str().unwrap()).collect();
    assert_eq!(nodes.len(), 54);
    assert_eq!(nodes[..3], ["camera", "left/Wrist", "left/Palm"]);
    assert_eq!(nodes[26..28], ["left/PinkyTip", "right/Wrist"]);
    assert_eq!(nodes[52..], ["right/PinkyTip", "gaze"]);
    let tracks = info["track_list"].as_array().unwrap();
    assert_eq!(tracks.len(), 7 + 4 + 2 * 26 * 7 + 6);
    let name = |index: usize| {
        let part = |key: &str| tracks[index][key].as_str().unwrap();
        format!("{}: {} ({})", part("node"), part("property"), part("type"))
    };
    assert_eq!(name(0), "camera: position.x (float)");
    assert_eq!(name(6), "camera: rotation.w (float)");
    assert_eq!(
        [7, 8, 9, 10].map(name),
        [
            "left: tracked (bool)",
            "right: tracked (bool)",
            "left: pinch (bool)",
            "right: pinch (bool)"
        ]
    );
    assert_eq!(name(11), "left/Wrist: position.x (float)");
    assert_eq!(name(380), "gaze: direction.z (float)");
    assert!(tracks.iter().enumerate().all(|(index, track)| track["index"] == index));
}

#[test]
fn keys_of_joint_none_only_extend_the_duration() {
    let ran = run(&["info", "--json", "ok/synth_v10_random.bin"]);
    let info = &ran.json_lines()[0];
    // The file has 976 keys, but the 36 keys of the joint `None` are skipped.
    assert_eq!(info["keys"], 976 - 36);
    assert_eq!(info["duration"], 1.967_295_765_876_77);
    let severities: Vec<_> =
        info["notices"].as_array().unwrap().iter().map(|n| n["severity"].clone()).collect();
    assert_eq!(severities, ["info", "info"]);
}

#[test]
fn every_file_is_reported_even_if_one_is_unreadable() {
    let files = ["ok/synth_v11_random.bin", "bad/truncated.bin", "missing.bin", "ok/proc_v10.bin"];
    let ran = run(&[&["info", "--json"], &files[..]].concat());
    assert_eq!(ran.status, Some(1));
    let paths: Vec<_> = ran.json_lines().iter().map(|info| info["path"].clone()).collect();
    assert_eq!(paths, [files[0], files[3]]);
    let errors: Vec<_> = ran.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 2, "{}", ran.err);
    assert!(errors[0].starts_with("error: bad/truncated.bin: mrtk at byte 0xc7: expected "));
    assert!(errors[1].starts_with("error: missing.bin: cannot be read: "), "{}", errors[1]);
}

#[test]
fn readable_part_of_a_broken_file_is_shown() {
    let ran = run(&["info", "--json", "bad/key-time-nan.bin"]);
    assert_eq!(ran.status, Some(0));
    let info = &ran.json_lines()[0];
    assert_eq!(info["track_list"][0]["keys"], 2);
    assert_eq!(info["notices"][0]["severity"], "error");
    assert_eq!(info["notices"][0]["place"], "bytes 0x13..0x37");
    let message = info["notices"][0]["message"].as_str().unwrap();
    let line = format!("error: bad/key-time-nan.bin: mrtk at bytes 0x13..0x37: {message}\n");
    assert_eq!(ran.err, line);
}

#[test]
fn summary_is_exact() {
    let ran = run_on(&["info", "-"], &small_recording().encode());
    let expected = "\
-
  format      MRTK input animation 1.1
  subject     gaze
  time        2.000 s, from 0.000 s to 2.000 s
  contents    1 node, 6 tracks, 5 keys
  convention  left-handed, Y up, 1 unit = 1 m
  declared    none
  assumed     handedness, up, metres_per_unit, rotation
  events      2
                 0.500 s  \"go\"
                 0.250 s  \"\\\"é\\\"\"
  issues      none
";
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""));
}

/// The names are those that `--animation` accepts, in the order of the file.
#[test]
fn animations_are_listed_with_their_durations() {
    let listed = |options: &[&str]| {
        let ran = run(&[&["info", "--json"], options].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        ran.json_lines().remove(0)["animations"].as_array().unwrap().clone()
    };
    const GLB: &str = "../../../assets/gltf/walker.glb";
    let pak = "../prime-characters/warden_mp1.pak";
    let first = run(&["info", "--json", pak]).json_lines().remove(0);
    let first = first["animations"][0]["name"].as_str().unwrap().to_owned();
    let files = [vec![GLB], vec!["--animation", "Greet", GLB], vec!["--animation", &first, pak]];
    for options in &files {
        let animations = listed(options);
        assert!(animations.len() > 1, "{animations:?}");
        for animation in &animations {
            let name = animation["name"].as_str().unwrap();
            let file = options.last().unwrap();
            let chosen = run(&["info", "--json", "--animation", name, file]).json_lines().remove(0);
            assert_eq!(animation["duration"], chosen["duration"], "{name}");
        }
    }
    let names: Vec<_> = listed(&[GLB]).iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["Walk", "Greet"]);
    assert_eq!(listed(&["ok/proc_v10.bin"]), [serde_json::Value::Null; 0]);
}
