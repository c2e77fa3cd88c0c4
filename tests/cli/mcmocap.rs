//! What the contract says of Minecraft.

use std::fs;

use crate::{
    run,
    support::{fixtures, mcmocap::sample},
};

#[test]
fn the_version_is_the_dialect() {
    let dialects = ["v1", "v2", "v3", "v4", "v5", "alpha5", "exp5"];
    for dialect in dialects {
        let name = if dialect == "v2" { "sink" } else { "walk" };
        let ran = run(&["info", "--json", &format!("../mcmocap/{name}_{dialect}.mcmocap_rec")]);
        let info = &ran.json_lines()[0];
        assert_eq!(info["version"], dialect);
        assert_eq!(
            (info["format"].as_str(), info["rate_hz"].as_f64()),
            (Some("mcmocap"), Some(20.0))
        );
    }
}

#[test]
fn people_are_told_what_they_ask() {
    let ran = run(&["info", "../../../assets/mcmocap/a-day.mcmocap_rec"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for line in [
        "length      350 ticks",
        "start       8.500 64.000 8.500",
        "dimension   minecraft:overworld",
        "player      Mutoscope",
        "entities    1 cow, 1 zombie",
        "blocks      3 changed by the player",
        "deaths      1",
        "intact      yes, to the last byte",
        "distance ",
        "0.250 s  entity/0: \"add\"",
    ] {
        assert!(ran.out.contains(line), "{line:?} is not in\n{}", ran.out);
    }
}

#[test]
fn tracks_have_the_words_of_the_contract() {
    let file = "../mcmocap/full_v5.mcmocap_rec";
    let ran = run(&["sample", "--tracks", "--times", "4.5", file]);
    let tracks = ran.json_lines().remove(0)["tracks"].clone();
    let value = |node: &str, property: &str| {
        let mut tracks = tracks.as_array().unwrap().iter();
        let track = tracks.find(|track| track["node"] == node && track["property"] == property);
        track.unwrap_or_else(|| panic!("{node} {property}"))["value"].clone()
    };
    assert_eq!(value("player", "pose"), "CROUCHING");
    assert_eq!(value("player", "position").as_array().unwrap().len(), 3);
    assert!(value("player", "on_ground").is_boolean() && value("player", "dead") == false);
    assert!(value("player", "entity_flags").is_u64() && value("player", "hurt_time").is_u64());
    for property in
        ["yaw", "pitch", "head_yaw", "body_yaw", "walk_position", "walk_speed", "attack"]
    {
        assert!(value("player", property).is_number(), "{property}");
    }
    let pose = &run(&["sample", "--times", "4.5", file]).json_lines()[0];
    assert_eq!(pose["signals"]["player/pose"], "CROUCHING");
    let names: Vec<_> =
        pose["nodes"].as_array().unwrap().iter().map(|node| &node["name"]).collect();
    assert_eq!(names[..3], ["player", "player/head", "player/body"]);
}

#[test]
fn scenes_are_read_with_what_is_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["scenes", "recordings"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let put = |path: &str, bytes: &[u8]| fs::write(folder.path().join(path), bytes).unwrap();
    put("recordings/walk.mcmocap_rec", &fixtures::one_mcmocap("walk_v5"));
    put("scenes/day.mcmocap_rec", &sample::bytes());
    let scene = br#"{"version":4,"subscenes":[{"name":"walk","player_name":"Steve"},
        {"name":"day","time":{"start_delay":2.0}},{"name":"lost"}]}"#;
    put("scenes/both.mcmocap_scene", scene);
    let path = folder.path().join("scenes/both.mcmocap_scene").display().to_string();

    let ran = run(&["info", &path]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.contains("error: ") && ran.err.contains("\"lost\" is missing"), "{}", ran.err);
    for line in
        ["actors      2, 1 more missing", "walk: Steve, from 0 s", "day: Mutoscope, from 2 s"]
    {
        assert!(ran.out.contains(line), "{line:?} is not in\n{}", ran.out);
    }
    let info = run(&["info", "--json", &path]).json_lines().remove(0);
    assert_eq!(
        (info["version"].as_str(), info["duration"].as_f64()),
        (Some("scene-v4"), Some(19.5))
    );
    // What a scene names is read too, and not written over.
    let other = folder.path().join("scenes/day.mcmocap_rec").display().to_string();
    let ran = run(&["convert", &path, "-o", &other, "--to", "csv"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("it is a file of the recording that is read"), "{}", ran.err);
    assert_eq!(fs::read(&other).unwrap(), sample::bytes());
    let ran = run(&["check", &folder.path().display().to_string()]);
    assert_eq!(ran.status, Some(1), "something is missing");
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}
