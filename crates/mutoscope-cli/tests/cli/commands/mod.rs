//! The command line keeps to its contract: the real program, run in `tests/data`.
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

/// The exit status and the output of a run of the program.
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    /// Each line of standard output as JSON.
    fn json_lines(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Paths with the separator of these tests: on Windows, files that are found below a folder have the other one.
fn slashed(text: &str) -> String {
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}

fn program(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"));
    command.args(arguments).current_dir(fixtures::path("mrtk")).stdin(Stdio::null());
    command
}

fn run(arguments: &[impl AsRef<OsStr>]) -> Ran {
    ran(program(arguments).output().unwrap())
}

/// Runs the program with `input` as its standard input.
fn run_on(arguments: &[impl AsRef<OsStr>], input: &[u8]) -> Ran {
    let mut command = program(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // No input in these tests is larger than a pipe holds, so this cannot wait for ever.
    child.stdin.take().unwrap().write_all(input).unwrap();
    ran(child.wait_with_output().unwrap())
}

fn ran(output: std::process::Output) -> Ran {
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Ran { status: output.status.code(), out, err }
}

/// A gaze of few and telling keys: its origin moves from (1, 2, 3) at 1 s to (3, 2, 3) at 2 s, it
/// looks along +Z, and two markers were set.
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

/// Writes the walker without its animations to `path`: a model.
fn model(path: &str) {
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
