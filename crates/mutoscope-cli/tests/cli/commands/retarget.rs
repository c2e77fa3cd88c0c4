//! Tests of `--retarget` and `bones`, whose output is parsed by scripts.

use serde_json::{Value, json};

use crate::commands::run;

const BVH: &str = "../characters/cmu_names.bvh";
const VRM: &str = "../characters/boxes.vrm";
const FBX: &str = "../characters/humanik_z_up_ascii.fbx";

fn expected(motion: &str, character: &str) -> Value {
    let pairs = mutoscope_testing::fixtures::json("characters/expected.json")["pairs"].clone();
    let matches = |pair: &&Value| pair["motion"] == motion && pair["character"] == character;
    pairs.as_array().unwrap().iter().find(matches).unwrap().clone()
}

#[test]
fn info_lists_the_mapped_bones() {
    let ran = run(&["info", "--json", "--rig", VRM, "--retarget", "auto", BVH]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let info = &ran.json_lines()[0];
    let retarget = &info["retarget"];
    assert_eq!(retarget["mode"], "auto");
    assert_eq!(
        retarget["mapped"][0],
        json!({"bone": "hips", "motion": "Hips", "character": "J_Bip_C_Hips"})
    );
    assert_eq!(retarget["mapped"].as_array().unwrap().len(), 22);
    assert_eq!(retarget["unmapped"]["motion"], json!([]));
    assert_eq!(retarget["unmapped"]["character"].as_array().unwrap().len(), 30);
    assert_eq!(retarget["turn"], 0.0);
    assert_eq!(retarget["reference"], json!({"motion": "rest", "character": "rest"}));
    assert!(retarget["hip_scale"].as_f64().unwrap() > 0.0);
    assert_eq!(info["node_list"][0]["name"], retargeted_node_names()[0]);
    let plain = run(&["info", "--json", BVH]);
    assert_eq!(plain.json_lines()[0].get("retarget"), None);
}

fn retargeted_node_names() -> Vec<String> {
    let ran = run(&["sample", "--times", "0", "--rig", VRM, "--retarget", "auto", BVH]);
    let nodes = ran.json_lines()[0]["nodes"].as_array().unwrap().clone();
    nodes.iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn sample_prints_poses_of_the_character() {
    let motion = "../characters/move.vrma";
    let ran = run(&["sample", "--times", "0.2", "--rig", VRM, "--retarget", "auto", motion]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let line = &ran.json_lines()[0];
    let rows = expected("move.vrma", "boxes.vrm")["rows"].clone();
    let row = rows.as_array().unwrap().iter().find(|row| row["time"] == 0.2).unwrap().clone();
    for (name, expected) in row["nodes"].as_object().unwrap() {
        let node =
            line["nodes"].as_array().unwrap().iter().find(|node| node["name"] == *name).unwrap();
        for axis in 0..3 {
            let [found, expected] = [&node["world"]["translation"][axis], &expected[0][axis]]
                .map(|number| number.as_f64().unwrap());
            assert!((found - expected).abs() < 1e-5, "{name}: {found} {expected}");
        }
    }
    assert!(line["signals"]["expression/happy"].is_number());
    assert!(line["signals"]["lookAt/yaw"].is_number());
}

#[test]
fn fbx_works_as_a_recording_and_as_a_character() {
    let ran = run(&["info", "--json", FBX]);
    assert_eq!(ran.json_lines()[0]["format"], "fbx", "{}", ran.err);
    assert_eq!(run(&["info", "--as", "fbx", FBX]).status, Some(0));
    assert_eq!(run(&["info", "--as", "fbx", BVH]).status, Some(1));
    let character = "../characters/standing_elsewhere.fbx";
    let ran = run(&["info", "--json", "--rig", character, "--retarget", "auto", FBX]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(ran.json_lines()[0]["retarget"]["mapped"].as_array().unwrap().len(), 22);
}

#[test]
fn retargeted_character_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let out = out.to_str().unwrap();
    let ran = run(&["convert", "--rig", VRM, "--retarget", "auto", BVH, "-o", out]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let arguments = ["--rig", VRM, "--retarget", "auto", BVH];
    let ours = run(&[&["sample", "--times", "0.2,0.53"][..], &arguments].concat()).json_lines();
    let theirs = run(&["sample", "--times", "0.2,0.53", out]).json_lines();
    let compared: usize =
        ours.iter().zip(&theirs).map(|(one, other)| assert_same_positions(one, other)).sum();
    assert!(compared > 100, "{compared}");
}

#[test]
fn printed_bone_map_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["bones", "--rig", VRM, BVH]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let mut map: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(map["motion"]["hips"], "Hips");
    assert_eq!(map["character"]["head"], "J_Bip_C_Head");
    map["motion"]["leftToes"] = Value::Null;
    map["hip_scale"] = json!(0.5);
    let path = folder.path().join("map.json");
    std::fs::write(&path, map.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let ran = run(&["info", "--json", "--rig", VRM, "--retarget", path, BVH]);
    let retarget = &ran.json_lines()[0]["retarget"];
    assert_eq!((&retarget["mode"], &retarget["hip_scale"]), (&json!("map"), &json!(0.5)));
    assert_eq!(retarget["mapped"].as_array().unwrap().len(), 21);
    let clobber =
        run(&["convert", "--rig", VRM, "--retarget", path, BVH, "-o", path, "--to", "glb"]);
    assert_eq!(clobber.status, Some(1), "the bone map must not be overwritten: {}", clobber.err);
    assert_eq!(run(&["bones", BVH]).status, Some(2), "the character is missing");
    let off = run(&["bones", "--rig", VRM, "--retarget", "off", BVH]);
    assert_eq!((off.status, off.out.as_str()), (Some(2), ""), "{}", off.err);
    assert!(off.err.contains("maps no bones"), "{}", off.err);
}

#[test]
fn failed_retargeting_reports_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let no_json = folder.path().join("no.json");
    std::fs::write(&no_json, "hips").unwrap();
    let no_json = no_json.to_str().unwrap();
    let cases = [
        ("missing.json", VRM, BVH, "as a bone map: cannot be read"),
        (no_json, VRM, BVH, "expected a bone map as JSON"),
        ("auto", "../rig/arm.glb", BVH, "leftUpperLeg, leftLowerLeg, leftFoot"),
    ];
    for (word, rig, motion, message) in cases {
        let ran = run(&["info", "--rig", rig, "--retarget", word, motion]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{word} {rig}");
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    assert_eq!(
        run(&["info", "--retarget", "auto", BVH]).status,
        Some(2),
        "the character is missing"
    );
}

/// By default nodes are matched by name. If bones would match, a message suggests `--retarget
/// auto`.
#[test]
fn nodes_match_by_name_by_default_with_a_hint_at_auto() {
    let message = "both are humanoid. To map the bones, pass --retarget auto";
    let ran = run(&["info", "--rig", VRM, BVH]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains(message) && ran.err.contains("has none of its"), "{}", ran.err);
    for word in ["off", "auto"] {
        let ran = run(&["info", "--rig", VRM, "--retarget", word, "--allow-unmatched-rig", BVH]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert_eq!(ran.err.contains(message), word == "off", "{}", ran.err);
    }
}

const PLAYER: [&str; 5] = ["../mcmocap/walk_v5.mcmocap_rec", "--rig", VRM, "--retarget", "auto"];

#[test]
fn minecraft_player_is_retargeted_to_a_character() {
    let ran = run(&[&["info", "--json"][..], &PLAYER].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let info = &ran.json_lines()[0];
    assert_eq!(info["format"], "mcmocap");
    let mapped = info["retarget"]["mapped"].as_array().unwrap();
    assert_eq!(mapped.len(), 7);
    assert_eq!(mapped[0]["motion"], "player");
    let ran = run(&[&["sample", "--times", "0,1"][..], &PLAYER].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let ran = run(&[&["convert", "-o", out.to_str().unwrap()][..], &PLAYER].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let ours = run(&[&["sample", "--times", "1.5"][..], &PLAYER].concat()).json_lines();
    let theirs = run(&["sample", "--times", "1.5", out.to_str().unwrap()]).json_lines();
    assert!(assert_same_positions(&ours[0], &theirs[0]) > 40);
}

/// Returns the number of compared nodes.
fn assert_same_positions(ours: &Value, theirs: &Value) -> usize {
    let mut compared = 0;
    for node in ours["nodes"].as_array().unwrap() {
        let written =
            theirs["nodes"].as_array().unwrap().iter().find(|one| one["name"] == node["name"]);
        let Some(written) = written else { continue };
        for axis in 0..3 {
            let [ours, theirs] =
                [node, written].map(|one| one["world"]["translation"][axis].as_f64().unwrap());
            assert!((ours - theirs).abs() < 1e-3, "{}: {ours} {theirs}", node["name"]);
        }
        compared += 1;
    }
    compared
}

#[test]
fn recording_is_retargeted_to_the_minecraft_player() {
    let arguments = ["--rig", "minecraft", BVH];
    for words in [&[][..], &["--retarget", "auto"], &["--retarget", "off"]] {
        let ran = run(&[&["info", "--json"], words, &arguments].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let mapped = ran.json_lines()[0]["retarget"]["mapped"].as_array().unwrap().clone();
        assert_eq!(mapped.len(), 7, "{words:?}");
        assert_eq!(mapped[0], json!({"bone": "hips", "motion": "Hips", "character": "player"}));
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb");
    let out = out.to_str().unwrap();
    let ran = run(&[&["convert", "-o", out][..], &arguments].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let ours = run(&[&["sample", "--times", "0.4"][..], &arguments].concat()).json_lines();
    let theirs = run(&["sample", "--times", "0.4", out]).json_lines();
    assert_eq!(assert_same_positions(&ours[0], &theirs[0]), 7);

    let ran = run(&["info", "--rig", "./minecraft", BVH]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("cannot be read"), "./minecraft must be read as a file: {}", ran.err);
    let recording = folder.path().join("out.mcmocap_rec");
    let ran = run(&[&["convert", "-o", recording.to_str().unwrap()][..], &arguments].concat());
    assert_eq!(ran.status, Some(2), "Minecraft recordings cannot store limbs: {}", ran.err);
}
