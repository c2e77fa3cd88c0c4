//! Tests of the command line with archives of Metroid Prime, and with files extracted from one.

use serde_json::Value;

use crate::commands::{RunOutput, run, run_on};
use mutoscope_testing::fixtures;

const ARCHIVE: &str = "../prime-characters/warden_mp1.pak";
const ECHOES: &str = "../prime-characters/warden_mp2.pak";
const SET: &str = "../prime-characters/loose_mp1/B17BD330.ANCS";
const RIG: &str = "../prime-characters/loose_mp1/ACAAF075.CINF";

fn bad_file(name: &str) -> String {
    format!("../prime-characters/bad/{name}")
}

fn single_json_line(ran: &RunOutput) -> Value {
    let mut lines = ran.json_lines();
    assert_eq!((ran.status, lines.len()), (Some(0), 1), "{}", ran.err);
    lines.remove(0)
}

fn string_members(list: &Value, key: &str) -> Vec<String> {
    let text = |item: &Value| item[key].as_str().map_or("null".to_owned(), str::to_owned);
    list.as_array().unwrap().iter().map(text).collect()
}

#[test]
fn info_lists_the_contents_of_an_archive() {
    let info = single_json_line(&run(&["info", "--json", ARCHIVE]));
    let keys: Vec<_> = info.as_object().unwrap().keys().map(String::as_str).collect();
    let expected_keys =
        ["animations", "characters", "format", "notices", "path", "resources", "version"];
    assert_eq!(keys, expected_keys);
    assert_eq!([&info["format"], &info["version"]], ["prime", "mp1-pak"]);
    let resources = info["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 28, "one of the 29 rows is repeated");
    let first = serde_json::json!(
        {"type": "TXTR", "id": "A9331F85", "name": "TXTR_Base", "size": 684}
    );
    assert_eq!(resources[0], first);
    assert_eq!(resources[1]["name"], Value::Null);
    let character = &info["characters"][1];
    assert_eq!(character["set"], "B17BD330");
    assert_eq!((&character["index"], &character["name"]), (&1.into(), &"WardenBox".into()));
    assert_eq!([&character["model"], &character["skin"]], ["7F1B83E3", "6DF837A8"]);
    assert_eq!(character["rig"], "ACAAF075");
    assert_eq!(
        string_members(&character["animations"], "name"),
        ["B_attack", "B_idle", "B_gesture"]
    );
    assert_eq!(character["animations"][0]["index"], 2);
    let kinds = string_members(&info["animations"], "kind");
    assert_eq!(kinds[..4], ["play"; 4]);
    assert_eq!(kinds[4..], ["blend", "phase_blend", "random", "sequence"]);
    // Clips are listed in the order of the animation's tree.
    let clips = serde_json::json!(["C656A416", "C427935B"]);
    assert_eq!(info["animations"][4]["clips"], clips);
    assert_eq!(info["animations"][7]["clips"].as_array().unwrap().len(), 5);
}

#[test]
fn character_set_uses_other_files_of_its_folder() {
    let info = single_json_line(&run(&["info", "--json", SET]));
    assert_eq!(
        (info["version"].as_str(), info["resources"].as_array().unwrap().len()),
        (Some("mp1-ancs"), 0)
    );
    assert_eq!(info["characters"][0]["set"], "B17BD330");
    let arguments = |file| ["sample", "--animation", "B_attack", "--times", "0.1,0.3", file];
    let (from_archive, from_folder) = (run(&arguments(ARCHIVE)), run(&arguments(SET)));
    assert_eq!(from_archive.json_lines().len(), 2);
    assert_eq!(from_archive.out, from_folder.out);
}

#[test]
fn animation_equals_its_anim_file_on_the_character_rig() {
    let archive_info =
        single_json_line(&run(&["info", "--json", "--animation", "B_walk", ARCHIVE]));
    let file_info = single_json_line(&run(&[
        "info",
        "--json",
        "--rig",
        RIG,
        "../prime-characters/loose_mp1/C656A416.ANIM",
    ]));
    assert_eq!(
        (&archive_info["name"], &archive_info["character"]),
        (&"B_walk".into(), &"Warden".into())
    );
    for key in ["version", "start", "duration", "rate_hz", "node_list", "track_list", "convention"]
    {
        assert_eq!(archive_info[key], file_info[key], "{key}");
    }
    assert!(
        file_info.get("character").is_none() && file_info["events"] == Value::Array(Vec::new())
    );
    let events = &archive_info["events"];
    let kinds = string_members(events, "kind");
    assert_eq!(kinds, ["loop", "user", "particle", "user", "sound", "particle"]);
    assert_eq!(string_members(events, "node"), ["", "root", "Hand_LCTR", "root", "", "Arm"]);
    let values = [Value::Bool(true), 12.into(), "4E841C5E".into(), 12.into(), 7.into()];
    assert!(values.iter().enumerate().all(|(at, value)| events[at]["value"] == *value), "{events}");
    // The last event is at the very end of the animation. It fires for this character, but not for
    // the other one.
    assert_eq!(events[5]["fires"], true);
    let other = ["info", "--json", "--animation", "B_walk", "--character", "WardenBox", ARCHIVE];
    assert_eq!(single_json_line(&run(&other))["events"][5]["fires"], false);
    let late = single_json_line(&run(&["info", "--json", "--animation", "B_attack", ECHOES]));
    assert_eq!(
        (&late["events"][3]["name"], &late["events"][3]["fires"]),
        (&"Late".into(), &false.into())
    );
}

#[test]
fn composed_animation_uses_its_first_clip() {
    for (name, kind) in
        [("B_walk_attack", "blend"), ("B_combo", "sequence"), ("B_fidget", "random")]
    {
        let info = single_json_line(&run(&["info", "--json", "--animation", name, ARCHIVE]));
        let messages = string_members(&info["notices"], "message");
        let mentions: Vec<_> =
            messages.iter().filter(|message| message.contains("first")).collect();
        assert!(mentions.len() == 1 && mentions[0].contains(kind), "{messages:?}");
    }
    let plain = single_json_line(&run(&["info", "--json", "--animation", "B_walk", ARCHIVE]));
    assert!(
        !string_members(&plain["notices"], "message")
            .iter()
            .any(|message| message.contains("first"))
    );
}

#[test]
fn clips_of_a_composed_animation_are_sampled_by_name_or_together() {
    let sampled = |more: &[&str]| {
        let ran = run(&[&["sample", "--times", "0.4", "--animation"], more, &[ARCHIVE]].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        ran.out
    };
    let attack = sampled(&["B_attack"]);
    assert_eq!(sampled(&["B_fidget", "--clip", "attack"]), attack);
    // The sequence begins with the attack, so both have the same pose at 0.4 s.
    assert_eq!(sampled(&["B_combo", "--clip", "all"]), attack);
    assert_ne!(sampled(&["B_walk_attack", "--clip", "all"]), sampled(&["B_walk_attack"]));
}

#[test]
fn first_animation_of_the_character_is_sampled_by_default() {
    let first = run(&["sample", "--times", "0.5", ARCHIVE]);
    let named = run(&["sample", "--times", "0.5", "--animation", "B_drift", ARCHIVE]);
    assert_eq!((first.status, &first.out), (Some(0), &named.out));
    let second_character = run(&["sample", "--times", "0.5", "--character", "B17BD330/1", ARCHIVE]);
    let named = run(&["sample", "--times", "0.5", "--animation", "B_attack", ARCHIVE]);
    assert_eq!((second_character.status, &second_character.out), (Some(0), &named.out));
    let tracks = run(&["sample", "--tracks", "--times", "0.5", ARCHIVE]);
    assert!(tracks.json_lines()[0]["tracks"].as_array().unwrap().len() > 3);
    let piped = std::fs::read(fixtures::path("prime-characters/warden_mp1.pak")).unwrap();
    assert_eq!(run_on(&["sample", "--times", "0.5", "-"], &piped).out, first.out);
}

#[test]
fn unknown_names_are_wrong_usage() {
    let wrong: [&[&str]; 11] = [
        &["info", "--animation", "B_fidget", "--clip", "Nothing", ARCHIVE],
        &["info", "--animation", "B_walk", "--clip", "walk", ARCHIVE],
        &["info", "--clip", "attack", ARCHIVE],
        &["info", "--json", "--animation", "Nothing", ARCHIVE],
        &["info", "--json", "--animation", "b_walk", ARCHIVE],
        &["sample", "--times", "0", "--character", "Nobody", SET],
        &["sample", "--times", "0", "--character", "B17BD330/7", ARCHIVE],
        &["sample", "--times", "0", "--animation", "x", "../prime/walk_mp1_v2.ANIM"],
        &["info", "--character", "x", "../maya/3p_blender_addon.anim"],
        &["info", "--animation", "x", "../prime-characters/loose_mp1/7C668A1B.CMDL"],
        &["convert", "--animation", "x", "-o", "-", "--to", "glb", ARCHIVE],
    ];
    for arguments in wrong {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?} {}", ran.err);
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
    }
}

#[test]
fn character_parts_are_read_by_check_only() {
    for file in ["7C668A1B.CMDL", "A83C1FA0.CSKR", "34BC9F51.EVNT", "398C4D8B.TXTR"] {
        let path = format!("../prime-characters/loose_mp1/{file}");
        for arguments in [&["info", &path][..], &["sample", "--times", "0", &path]] {
            let ran = run(arguments);
            assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{file}");
            assert!(ran.err.contains("is not a recording"), "{}", ran.err);
        }
        let ran = run(&["check", &path]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{file}");
    }
    let skin = bad_file("mp1_bone.CSKR");
    assert_eq!(run(&["check", &skin]).status, Some(0));
    let ran = run(&["check", "--rig", RIG, &skin]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("error: ") && ran.out.contains("does not have: 77"), "{}", ran.out);
}

#[test]
fn valid_archives_and_folders_have_no_issues() {
    let ran = run(&[
        "check",
        ARCHIVE,
        ECHOES,
        "../prime-characters/loose_mp1",
        "../prime-characters/loose_mp2",
    ]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""));
}

#[test]
fn broken_archives_are_read_as_far_as_possible() {
    let verdicts = fixtures::json("prime-characters/bad/bad.json");
    for (name, verdict) in verdicts.as_object().unwrap() {
        let is_library = name.ends_with(".pak") || name.ends_with(".ANCS");
        let path = bad_file(name);
        let info = run(&["info", "--json", &path]);
        let is_refused = verdict["verdict"] == "error" || !is_library;
        assert_eq!(info.status, Some(if is_refused { 1 } else { 0 }), "{name}: {}", info.err);
        assert_eq!(info.json_lines().len(), usize::from(!is_refused), "{name}");
        let check = run(&["check", "--json", &path]);
        let lines = check.json_lines();
        let has_error = lines.iter().any(|line| line["severity"] == "error");
        assert_eq!(check.status, Some(i32::from(has_error)), "{name}: {}", check.out);
        assert!(lines.iter().all(|line| line["format"] == "prime" && line["place"].is_string()));
        let is_silent =
            ["mp1_bone.CSKR", "mp2_bone.CSKR", "version9.EVNT"].contains(&name.as_str());
        assert_eq!(lines.is_empty(), is_silent, "{name}");
    }
    // Missing resources are only warnings, because they may be in another archive.
    let missing = run(&["check", &bad_file("mp1_missing_ids.pak")]);
    assert_eq!(missing.status, Some(0));
    let lines = missing.out.lines().collect::<Vec<_>>();
    assert!(lines.iter().all(|line| line.starts_with("warning: ")), "{}", missing.out);
    for kind in ["CMDL 0BAD", "CSKR 0BAD", "ANIM 0BAD", "TXTR "] {
        assert!(lines.iter().any(|line| line.contains(kind)), "{kind}: {}", missing.out);
    }
}

#[test]
fn bones_are_numbered_without_a_skeleton() {
    for game in ["mp1", "mp2"] {
        let path = bad_file(&format!("{game}_no_rig.pak"));
        let info = single_json_line(&run(&["info", "--json", "--animation", "B_idle", &path]));
        let names = string_members(&info["node_list"], "name");
        assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("bone_")));
        // A skeleton whose declared size goes beyond the archive is used up to the end, with an
        // error.
        let path = bad_file(&format!("{game}_row_beyond_end.pak"));
        let info = single_json_line(&run(&["info", "--json", "--animation", "B_idle", &path]));
        assert!(string_members(&info["node_list"], "name").contains(&"Skeleton_Root".to_owned()));
        assert!(string_members(&info["notices"], "severity").contains(&"error".to_owned()));
    }
}

#[test]
fn converted_animation_contains_the_character_model() {
    let out = tempfile::tempdir().unwrap();
    let glb = out.path().join("walk.glb").to_str().unwrap().to_owned();
    let ran = run(&["convert", "--animation", "B_attack", "-o", &glb, ECHOES]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let written = std::fs::read(&glb).unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&written).unwrap();
    let skin = document.skins().next().unwrap();
    assert_eq!(skin.joints().count(), 4);
    let primitives = document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>());
    let indices: usize = primitives
        .map(|primitive| {
            let reader = primitive.reader(|_| blob.as_deref());
            reader.read_indices().unwrap().into_u32().count()
        })
        .sum();
    // The three pieces have 96, 80 and 18 triangles. The occluder is not exported, because the
    // games do not draw it.
    assert_eq!(indices, 3 * (96 + 80 + 18));
    assert!(ran.err.contains("base texture only"), "{}", ran.err);
}
