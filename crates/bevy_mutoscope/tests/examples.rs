//! Runs the examples, which cargo builds together with the tests.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use mutoscope_testing::display::Display;

/// The exit status of a Bevy app that is ended by Ctrl+C.
const ENDED_BY_CTRL_C: i32 = 130;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.with_file_name("../examples").join(name);
    assert!(program.exists(), "the example {name} is not built");
    Command::new(program)
}

/// Runs an example for some seconds on a virtual display. Bevy then ends it as if Ctrl+C was
/// pressed.
fn run_on_virtual_display(name: &str) {
    let display = Display::start("640x360");
    let ended = Command::new("timeout")
        // Otherwise `timeout` signals the whole process group too, and Bevy reports a second Ctrl+C.
        .args(["--foreground", "--preserve-status", "--signal=INT", "6"])
        .arg(example(name).get_program())
        .env("BEVY_ASSET_ROOT", workspace())
        .env("DISPLAY", &display.name)
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(ENDED_BY_CTRL_C), "{name}: {errors}");
    let is_error = |line: &&str| line.contains("ERROR") || line.contains("panicked");
    assert_eq!(errors.lines().find(is_error), None, "{name}: {errors}");
}

#[test]
fn play_attach_and_clock_run() {
    ["play", "attach", "clock"].into_iter().for_each(run_on_virtual_display);
}

#[test]
fn character_runs() {
    run_on_virtual_display("character");
}

#[test]
fn headless_prints_where_the_head_is() {
    let mut program = example("headless")
        .env("BEVY_ASSET_ROOT", workspace())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(program.stdout.take().unwrap()).lines().take(20);
    let places: Vec<_> = lines.map(|line| line.unwrap()).collect();
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(places.len(), 20);
    assert!(places.iter().all(|line| line.contains("the head is at [")), "{places:?}");
    assert_ne!(places[0], places[19]);
}

#[test]
fn hot_reload_follows_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.bvh");
    fs::copy(workspace().join("assets/bvh/walk.bvh"), &file).unwrap();
    let mut program = example("hot_reload")
        .args([folder.path().as_os_str(), "walk.bvh".as_ref()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines =
        BufReader::new(program.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let before = lines.next().unwrap();
    let text = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
                End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n1 0 0\n";
    // The file becomes complete at once, so that a half-written file is not loaded.
    fs::write(folder.path().join("other"), text).unwrap();
    fs::rename(folder.path().join("other"), &file).unwrap();
    let after = lines.next().unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(before.ends_with("s") && before != after, "{before}");
    assert_eq!(after, "2 nodes, 0.500 s");
}
