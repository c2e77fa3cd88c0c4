//! Tests of `check --verdict` and of profiles.

use std::{ffi::OsString, fs, path::Path};

use mutoscope_study::verdict::Profile;
use mutoscope_testing::recording::{HandKeys, Keys, Recording};

use crate::commands::{keys, run};

/// Writes two hands that move for ten seconds at 60 Hz. The right wrist jumps by half a metre at 5 s
/// if `jumps` is true.
fn write_hands(path: &Path, jumps: bool) {
    let hand = |phase: f32, jumps: bool| {
        let axis = |axis: usize| {
            let position = |time: f32| {
                let jumped = if jumps && axis == 0 && time >= 5.0 { 0.5 } else { 0.0 };
                jumped + phase + 0.1 * (time * (1.0 + axis as f32) + phase).sin()
            };
            let frames = (0..600).map(|frame| frame as f32 / 60.0);
            Keys::simple(&frames.map(|time| (time, position(time))).collect::<Vec<_>>())
        };
        let still = |value: f32| Keys::simple(&[(0.0, value)]);
        let mut hand = HandKeys { tracked: still(1.0), pinch: still(0.0), ..HandKeys::default() };
        hand.poses[1] = [axis(0), axis(1), axis(2), still(0.0), still(0.0), still(0.0), still(1.0)];
        hand
    };
    let recording = Recording {
        version: mutoscope_core::formats::mrtk::Version::V1_1 { parts: [0, 1, 0] },
        hands: Some([hand(0.0, false), hand(1.0, jumps)]),
        ..Recording::v1_1()
    };
    fs::write(path, recording.encode()).unwrap();
}

fn check(options: &[&str], path: &Path) -> super::RunOutput {
    let mut arguments: Vec<OsString> = vec!["check".into()];
    arguments.extend(options.iter().map(OsString::from));
    arguments.push(path.into());
    run(&arguments)
}

#[test]
fn verdicts_set_the_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name);
    write_hands(&path_to("clean.bin"), false);
    write_hands(&path_to("jumps.bin"), true);
    let clean = check(&["--verdict"], &path_to("clean.bin"));
    assert_eq!(clean.out, format!("pass  {}\n", path_to("clean.bin").display()), "{}", clean.err);
    let strict = check(&["--verdict", "--strict"], &path_to("clean.bin"));
    assert_eq!((clean.status, strict.status), (Some(0), Some(0)));

    let jumps = path_to("jumps.bin");
    let review = check(&["--verdict"], &jumps);
    let expected = format!("review  {}  hand/jump (1, speed ", jumps.display());
    assert!(
        review.out.starts_with(&expected) && review.out.ends_with(" m/s at 5 s)\n"),
        "{}",
        review.out
    );
    let strict = check(&["--verdict", "--strict"], &jumps);
    let study = check(&["--verdict", "--profile", "study-hands"], &jumps);
    assert_eq!((review.status, strict.status, study.status), (Some(0), Some(1), Some(1)));
    assert!(study.out.starts_with("fail  "), "{}", study.out);

    let whole = fs::read(path_to("clean.bin")).unwrap();
    fs::write(path_to("broken.bin"), &whole[..whole.len() / 2]).unwrap();
    let all = check(&["--verdict"], folder.path());
    let words: Vec<_> = all.out.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!((words, all.status), (vec!["fail", "pass", "review"], Some(1)));
}

#[test]
fn json_has_the_members_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jumps.bin");
    write_hands(&path, true);
    let verdict = check(&["--verdict", "--format", "json"], &path);
    assert_eq!(
        keys::object_keys(&verdict.out).join(" "),
        "path format profile verdict reasons not_applicable"
    );
    let verdict = &verdict.json_lines()[0];
    assert_eq!((&verdict["verdict"], &verdict["profile"]), (&"review".into(), &"default".into()));
    let reason = &verdict["reasons"][0];
    assert_eq!((reason["code"].as_str(), reason["count"].as_u64()), (Some("hand/jump"), Some(1)));
    assert!((reason["worst"]["value"].as_f64().unwrap() - 30.0).abs() < 1.0, "{reason}");
    assert!(verdict["not_applicable"].as_array().unwrap().contains(&"body/flip".into()));

    let problem = &check(&["--json"], &path).json_lines()[0];
    assert_eq!((problem["nodes"][0].as_str(), &problem["end"]), (Some("right/Wrist"), &().into()));
    assert_eq!((problem["time"].as_f64(), &problem["measure"]["unit"]), (Some(5.0), &"m/s".into()));
    assert_eq!(problem["measure"]["threshold"], 12.0);
}

#[test]
fn profiles_are_validated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clean.bin");
    write_hands(&path, false);
    let codes = mutoscope_cli::registry().codes();
    for name in Profile::names() {
        assert!(Profile::built_in(name, codes).is_some(), "{name}");
        assert_eq!(check(&["--verdict", "--profile", name], &path).status, Some(0), "{name}");
    }
    let unknown = check(&["--profile", "hands"], &path);
    assert_eq!(unknown.status, Some(2));
    assert!(unknown.err.contains("built-in profiles are default, mrtk,"), "{}", unknown.err);
    let own = folder.path().join("own.toml");
    for (text, status, named) in [
        ("[codes.\"hand/jump\"]\nlimit = 3", Some(2), "limit"),
        ("[codes.\"hand/jumps\"]\nthreshold = 3.0", Some(2), "hand/jumps"),
        ("[codes.\"mrtk/long-keys\"]\nseverity = \"error\"", Some(0), ""),
        ("[codes.\"hand/jump\"]\nthreshold = 0.001\nseverity = \"error\"", Some(1), ""),
    ] {
        fs::write(&own, text).unwrap();
        let ran = check(&["--verdict", "--profile", own.to_str().unwrap()], &path);
        assert_eq!(ran.status, status, "{text}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(named), "{text}: {}", ran.err);
    }
    assert_eq!(check(&["--strict"], &path).status, Some(2));
    assert_eq!(check(&["--verdict", "--all"], &path).status, Some(2));
    assert_eq!(check(&["--verdict", "--format", "sarif"], &path).status, Some(2));
}

#[test]
fn blender_profile_fails_what_blender_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let walk = Path::new(mutoscope_testing::ROOT).join("assets/bvh/walk.bvh");
    let text = fs::read_to_string(&walk).unwrap();
    let status = |path: &Path| check(&["--verdict", "--profile", "blender"], path).status;
    assert_eq!(status(&walk), Some(0));
    let commented = folder.path().join("commented.bvh");
    fs::write(&commented, format!("# unit: cm\n{text}")).unwrap();
    assert_eq!(status(&commented), Some(1));
    for (options, expected) in [(&[][..], Some(0)), (&["--ascii"][..], Some(1))] {
        let fbx = folder.path().join("walk.fbx");
        let mut arguments: Vec<OsString> = vec!["convert".into(), walk.clone().into()];
        arguments.extend(["-o".into(), fbx.clone().into()]);
        arguments.extend(options.iter().map(OsString::from));
        assert_eq!(run(&arguments).status, Some(0));
        assert_eq!(status(&fbx), expected, "{options:?}");
        fs::remove_file(&fbx).unwrap();
    }
}

/// Runs the script of the GitHub action. Returns the verdicts and the exit status.
#[cfg(target_os = "linux")]
fn run_action(paths: &str, is_strict: bool, temporary: &Path) -> (String, Option<i32>) {
    let done =
        std::process::Command::new(format!("{}/packaging/github/check", mutoscope_testing::ROOT))
            .env("PROGRAM", env!("CARGO_BIN_EXE_mutoscope-cli"))
            .env("PATHS", paths)
            .env("PROFILE", "default")
            .env("STRICT", is_strict.to_string())
            .env("RUNNER_TEMP", temporary)
            .env("GITHUB_OUTPUT", temporary.join("output"))
            .env("GITHUB_STEP_SUMMARY", temporary.join("summary.md"))
            .output()
            .unwrap();
    (String::from_utf8(done.stdout).unwrap(), done.status.code())
}

#[cfg(target_os = "linux")]
#[test]
fn github_action_fails_with_the_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let path_to = |name: &str| folder.path().join(name).display().to_string();
    write_hands(&folder.path().join("a clean take.bin"), false);
    write_hands(&folder.path().join("jumps.bin"), true);
    let paths = format!("{}\n\n{}\n", path_to("a clean take.bin"), path_to("jumps.bin"));
    let (verdicts, status) = run_action(&paths, false, folder.path());
    let words: Vec<_> = verdicts.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!((words, status), (vec!["pass", "review"], Some(0)));
    assert_eq!(run_action(&paths, true, folder.path()).1, Some(1));

    let output = fs::read_to_string(folder.path().join("output")).unwrap();
    let log = output.lines().next().unwrap().strip_prefix("sarif=").unwrap();
    let log: serde_json::Value = serde_json::from_slice(&fs::read(log).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "hand/jump");
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("\n    review  "), "{summary}");
}
