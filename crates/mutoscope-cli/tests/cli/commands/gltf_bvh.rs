//! Tests of the command line with the same walk in glTF and in BVH.

use std::fs;

use serde_json::json;

use crate::commands::run;

const GLB: &str = "../../../assets/gltf/walker.glb";
const BVH: &str = "../../../assets/bvh/walk.bvh";

#[test]
fn info_summarises_the_file() {
    let [info] = run(&["info", "--json", GLB]).json_lines().try_into().unwrap();
    assert_eq!(
        (&info["format"], &info["name"], &info["version"]),
        (&json!("gltf"), &json!("Walk"), &json!("2.0"))
    );
    assert_eq!(info["convention"]["assumed"], json!([]));
    assert_eq!(info["duration"], json!(2.0));
    let [info] = run(&["info", "--json", BVH]).json_lines().try_into().unwrap();
    assert_eq!(
        (&info["format"], &info["nodes"], &info["tracks"]),
        (&json!("bvh"), &json!(22), &json!(54))
    );
    assert_eq!(info["convention"]["metres_per_unit"], json!(0.01));
    assert_eq!(
        info["convention"]["assumed"],
        json!(["handedness", "up", "metres_per_unit", "rotation"])
    );
}

#[test]
fn animation_is_chosen_by_name() {
    let ran = run(&["info", "--json", "--animation", "Greet", GLB]);
    let [info] = ran.json_lines().try_into().unwrap();
    assert_eq!((&info["name"], &info["duration"]), (&json!("Greet"), &json!(1.5)));
    let ran = run(&["sample", "--animation", "Greet", "--times=0", GLB]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let ran = run(&["sample", "--animation", "Run", "--times=0", GLB]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.contains("expected the animation \"Run\", found \"Walk\", \"Greet\""),
        "{}",
        ran.err
    );
    let ran = run(&["sample", "--animation", "Run", "--times=0", BVH]);
    assert_ne!(ran.status, Some(0));
}

#[test]
fn format_is_chosen_by_the_as_option() {
    for (word, file) in [("gltf", GLB), ("bvh", BVH)] {
        let ran = run(&["info", "--as", word, file]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    let ran = run(&["info", "--as", "bvh", GLB]);
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.err.contains("bvh at line 1, column 1: expected the word HIERARCHY"),
        "{}",
        ran.err
    );
}

#[test]
fn valid_file_has_no_issues() {
    for file in [GLB, BVH] {
        let ran = run(&["check", file]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{file}");
    }
}

#[test]
fn walk_converts_to_every_other_format() {
    let folder = tempfile::tempdir().unwrap();
    for (file, animation) in [(GLB, Some("Walk")), (BVH, None)] {
        for extension in ["animj", "anim", "bvh", "glb", "csv"] {
            let out = folder.path().join(format!("walk.{extension}"));
            let out = out.to_str().unwrap();
            let mut arguments = vec!["convert", file, "-o", out];
            arguments.extend(animation.iter().flat_map(|name| ["--animation", *name]));
            let ran = run(&arguments);
            assert_eq!(ran.status, Some(0), "{file} to {extension}: {}", ran.err);
            assert!(fs::metadata(out).unwrap().len() > 1000);
        }
        // Maya stores centimetres, but the hips must have the same position in metres.
        let anim = folder.path().join("walk.anim");
        let ran = run(&["compare", "--json", file, anim.to_str().unwrap(), "--joint", "Hips"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let answer = &ran.json_lines()[0];
        assert!(max_distance(answer) < 1e-3, "{answer}");
    }
}

#[test]
fn walk_has_the_same_positions_in_two_formats() {
    let ran = run(&["compare", "--json", BVH, GLB, "--joint", "Hips,Head,LeftHand,RightFoot"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let answer = &ran.json_lines()[0];
    assert!(max_distance(answer) < 1e-3, "{answer}");
}

/// Returns the largest distance of any joint, in metres.
fn max_distance(answer: &serde_json::Value) -> f64 {
    let joints = answer["joints"].as_array().unwrap();
    assert!(!joints.is_empty());
    let distances = joints.iter().map(|joint| joint["max"].as_f64().unwrap_or(f64::NAN));
    distances.fold(0.0, f64::max)
}

/// The files of one collection usually have one unit, so `check` compares what it assumed.
#[test]
fn check_reports_different_units_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let walk = format!("{}/assets/bvh/walk.bvh", mutoscope_testing::ROOT);
    let walk = fs::read_to_string(walk).unwrap();
    fs::write(path("a.bvh"), &walk).unwrap();
    fs::write(path("b.bvh"), &walk).unwrap();
    let ran = run(&["check", &path("")]);
    assert!(!ran.out.contains("different units"), "{}", ran.out);
    fs::write(path("c.bvh"), format!("# unit: in\n{walk}")).unwrap();
    let ran = run(&["check", &path("")]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("different units are assumed for bvh files: 0.01 m for 2 files")
            && ran.out.contains("0.0254 m for 1 file"),
        "{}",
        ran.out
    );
}
