//! Tests of the command line with animations of Metroid Prime.

use crate::commands::run;

const WALK: &str = "../prime/walk_mp2_v2.ANIM";
const RIG: &str = "../prime/rig_mp2.CINF";

#[test]
fn version_names_the_game_and_the_variant() {
    let files = ["walk_mp1_v0", "walk_mp1_v2", "walk_mp2_v0", "walk_mp2_v2", "walk_demo_v2"];
    let paths = files.map(|name| format!("../prime/{name}.ANIM"));
    let mut arguments = vec!["info", "--json"];
    arguments.extend(paths.iter().map(String::as_str));
    let ran = run(&arguments);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let versions: Vec<_> = ran.json_lines().iter().map(|info| info["version"].clone()).collect();
    assert_eq!(versions, ["mp1-v0", "mp1-v2", "mp2-v0", "mp2-v2", "mp2-demo-v2"]);
}

#[test]
fn nodes_are_named_by_skeleton_bones_or_numbers() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let info = run(arguments).json_lines().remove(0);
        let nodes = info["node_list"].as_array().unwrap();
        nodes.iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
    };
    let alone = names(&["info", "--json", WALK]);
    assert_eq!((alone.len(), alone[3].as_str()), (20, "bone_3"));
    let on_rig = names(&["info", "--json", WALK, "--rig", RIG]);
    assert_eq!((on_rig.len(), on_rig[3].as_str()), (20, "L_knee"));
    let messages = run(&["info", WALK, "--rig", RIG]).err;
    assert!(
        messages
            .contains("prime at the whole file: 20 of 20 bones of this clip exist in the skeleton")
    );
}

#[test]
fn tracks_have_authored_values_in_source_axes() {
    let ran = run(&["sample", "--tracks", "--times", "0", "--rig", RIG, WALK]);
    let tracks = &ran.json_lines()[0]["tracks"];
    let track = |node: &str, property: &str| {
        let mut tracks = tracks.as_array().unwrap().iter();
        tracks.find(|track| track["node"] == node && track["property"] == property).unwrap()["value"]
            .clone()
    };
    let position: Vec<f64> = serde_json::from_value(track("Skeleton_Root", "translation")).unwrap();
    assert!((position[2] - 1.03).abs() < 1e-4 && position.len() == 3, "{position:?}");
    let rotation: Vec<f64> = serde_json::from_value(track("L_knee", "rotation")).unwrap();
    assert!((rotation[3] - 0.8938).abs() < 1e-3 && rotation.len() == 4, "{rotation:?}");
    assert!((track("Spine_2", "scale")[1].as_f64().unwrap() - 1.0).abs() < 1e-4);
}

#[test]
fn skeleton_as_input_is_named_and_foreign_skeletons_are_rejected() {
    let ran = run(&["info", RIG]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("found a skeleton of Metroid Prime (.CINF)"), "{}", ran.err);
    let ran = run(&["info", "--rig", "../rig/arm.glb", WALK]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("which takes CINF"), "{}", ran.err);
    let ran = run(&["info", "--rig", WALK, WALK]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("as a skeleton: at byte"), "{}", ran.err);
}

#[test]
fn valid_prime_file_has_no_issues() {
    let ran = run(&["check", "../prime"]);
    // The skipped files are two skeletons and the file of expected values.
    let summary = "info: ../prime: 8 files checked, 3 skipped (not recognised)\n";
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", summary));
}
