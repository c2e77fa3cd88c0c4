//! Tests of the command line with Minecraft recordings.

use std::fs;

use crate::commands::run;
use mutoscope_testing::{fixtures, mcmocap::sample};

#[test]
fn version_is_the_dialect() {
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
fn summary_lists_player_version_and_dimension() {
    let ran = run(&["info", "../../../assets/mcmocap/a-day.mcmocap_rec"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for line in [
        "length      300 ticks",
        "start       8.500 64.000 8.500",
        "dimension   minecraft:overworld",
        "player      RobinWren",
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
fn track_properties_follow_the_contract() {
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
fn scenes_are_read_with_their_sidecar_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["scenes", "recordings"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let write = |path: &str, bytes: &[u8]| fs::write(folder.path().join(path), bytes).unwrap();
    write("recordings/walk.mcmocap_rec", &fixtures::mcmocap_file("walk_v5"));
    write("scenes/day.mcmocap_rec", &sample::bytes_with_respawn());
    let scene = br#"{"version":4,"subscenes":[{"name":"walk","player_name":"Steve"},
        {"name":"day","time":{"start_delay":2.0}},{"name":"lost"}]}"#;
    write("scenes/both.mcmocap_scene", scene);
    let path = folder.path().join("scenes/both.mcmocap_scene").display().to_string();

    let ran = run(&["info", &path]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.contains("error: ") && ran.err.contains("\"lost\" is missing"), "{}", ran.err);
    for line in
        ["actors      2, 1 more missing", "walk: Steve, from 0 s", "day: RobinWren, from 2 s"]
    {
        assert!(ran.out.contains(line), "{line:?} is not in\n{}", ran.out);
    }
    let info = run(&["info", "--json", &path]).json_lines().remove(0);
    assert_eq!(
        (info["version"].as_str(), info["duration"].as_f64()),
        (Some("scene-v4"), Some(19.5))
    );
    // The recordings of a scene are inputs, too, so they are not overwritten.
    let other = folder.path().join("scenes/day.mcmocap_rec").display().to_string();
    let ran = run(&["convert", &path, "-o", &other, "--to", "csv"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("would overwrite a file of the recording, an input"), "{}", ran.err);
    assert_eq!(fs::read(&other).unwrap(), sample::bytes_with_respawn());
    let ran = run(&["check", &folder.path().display().to_string()]);
    assert_eq!(ran.status, Some(1), "the missing recording must be an error");
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}

/// The current mod cannot open these recordings, but it can open the converted ones.
#[test]
fn old_recordings_convert_to_the_current_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mcmocap_rec");
    let path = path.to_str().unwrap();
    let ran = run(&["convert", "../mcmocap/walk_alpha5.mcmocap_rec", "-o", path]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let message = "version 5, 200 ticks, from alpha5";
    assert!(ran.err.contains(&format!("info: {path}: {message}")), "{}", ran.err);
    let sample = |path: &str| {
        let ran = run(&["sample", "--times", "0,0.33,5.025,9.9", path]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        ran.out
    };
    assert_eq!(sample(path), sample("../mcmocap/walk_alpha5.mcmocap_rec"));
    assert_eq!(run(&["info", "--json", path]).json_lines()[0]["version"], "v5");
    let part = folder.path().join("part.mcmocap_rec");
    let part = part.to_str().unwrap();
    let ran = run(&["convert", "--json", "--range=1..2", path, "-o", part]);
    let line = &ran.json_lines()[0];
    assert_eq!((&line["target"], &line["path"]), (&"mcmocap_rec".into(), &part.into()));
    assert_eq!(line["bytes"], fs::metadata(part).unwrap().len());
    assert_eq!(run(&["info", "--json", part]).json_lines()[0]["duration"], 1.05);
    let again = run(&["convert", path, "-o", path]);
    assert_eq!(again.status, Some(1), "{}", again.err);
}

#[test]
fn failed_conversion_reports_the_reason_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mcmocap_rec");
    let path = path.to_str().unwrap();
    let old = "../mcmocap/sink_v2.mcmocap_rec";
    for (arguments, status, words) in [
        (vec![old, "-o", path], 1, "Pass --drop-numeric-ids to skip them"),
        (vec!["ok/proc_v11_good.bin", "-o", path], 1, "version"),
        (vec![old, "-o", path, "--fps", "10"], 2, "--fps"),
        (vec![old, "-o", path, "--entities", "@birds"], 2, "--entities"),
        (vec![old, "-o", "x.csv", "--entities", "@mobs"], 2, "--entities is for"),
        (vec![old, "-o", path, "--entity-kind", "boat"], 2, "--entity-kind"),
        (vec![old, "-o", path, "--range", "900..901"], 1, "overlaps"),
        (vec![old, "-o", path, "--as", "maya"], 2, "--as"),
        (vec![old, "-o", path, "--animation", "Take 1"], 2, "--animation"),
        (vec![old, "-o", path, "--character", "Steve"], 2, "--character"),
        (vec![old, "-o", path, "--rotation", "engine"], 2, "--rotation"),
        (vec![old, "-o", path, "--rotation", "short"], 2, "--rotation"),
    ] {
        let ran = run(&[&["convert"][..], &arguments].concat());
        assert_eq!(ran.status, Some(status), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
        assert!(fs::metadata(path).is_err(), "{arguments:?}");
    }
    let scene = folder.path().join("a.mcmocap_scene");
    fs::write(&scene, r#"{"version":4,"subscenes":[{"name":"a"}]}"#).unwrap();
    let ran = run(&["convert", scene.to_str().unwrap(), "-o", path]);
    assert!(
        ran.status == Some(1) && ran.err.contains("a scene of several recordings"),
        "{}",
        ran.err
    );
    let ran = run(&["convert", old, "-o", path, "--drop-numeric-ids"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}
