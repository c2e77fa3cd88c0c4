//! Tests of the contract of the command line. The real program runs in `tests/data/mrtk`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod animj;
mod characters;
mod check;
mod compare;
mod convert;
mod folder;
mod gltf_bvh;
mod guide;
mod help;
mod index;
mod info;
mod install;
mod keys;
mod maya;
mod mcmocap;
mod portable;
mod prime;
mod report;
mod retarget;
mod rig;
mod sample;
mod streams;
mod tables;
mod usage;
mod verdict;
#[cfg(windows)]
mod windows;

use std::{
    ffi::OsStr,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use mutoscope_testing::{
    fixtures,
    recording::{Keys, Recording},
};

struct RunOutput {
    status: Option<i32>,
    out: String,
    err: String,
}

impl RunOutput {
    fn json_lines(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// On Windows, paths of files found below a folder have backslashes, but the tests expect slashes.
fn with_slashes(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

fn program(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"));
    command.args(arguments).current_dir(fixtures::path("mrtk")).stdin(Stdio::null());
    command
}

fn run(arguments: &[impl AsRef<OsStr>]) -> RunOutput {
    run_output(program(arguments).output().unwrap())
}

fn run_on(arguments: &[impl AsRef<OsStr>], input: &[u8]) -> RunOutput {
    let mut command = program(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // Inputs of these tests fit into the buffer of a pipe, so writing cannot block forever.
    child.stdin.take().unwrap().write_all(input).unwrap();
    run_output(child.wait_with_output().unwrap())
}

fn run_output(output: std::process::Output) -> RunOutput {
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    RunOutput { status: output.status.code(), out, err }
}

/// Returns a gaze with few keys: the origin moves from (1, 2, 3) at 1 s to (3, 2, 3) at 2 s, the
/// direction is +Z, and there are two markers.
fn small_recording() -> Recording {
    let still = |value| Keys::simple(&[(0.5, value)]);
    let mut recording = Recording::with_gaze([
        Keys::simple(&[(1.0, 1.0), (2.0, 3.0)]),
        still(2.0),
        still(3.0),
        Keys::default(),
        Keys::default(),
        still(0.1),
    ]);
    recording.markers = Some(vec![(0.5, b"go".to_vec()), (0.25, "\"é\"".into())]);
    recording
}

/// Writes the walker without its animations, so that it is only a model.
fn write_model(path: &str) {
    let bytes = std::fs::read(Path::new(mutoscope_testing::ROOT).join("assets/gltf/walker.glb"));
    let bytes = bytes.unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut root: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    root.as_object_mut().unwrap().remove("animations").unwrap();
    let mut json = serde_json::to_vec(&root).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let mut model = bytes[..8].to_vec();
    model.extend(((20 + json.len() + rest.len()) as u32).to_le_bytes());
    model.extend((json.len() as u32).to_le_bytes());
    model.extend(b"JSON");
    model.extend(json);
    model.extend(rest);
    std::fs::write(path, model).unwrap();
}
