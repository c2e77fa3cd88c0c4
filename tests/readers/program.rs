//! Which recordings there are, and what the program says of them.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::{Value, json};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// A file in which the program finds no error, and at which times it is looked at.
pub(crate) struct Recording {
    /// Below `tests/data`.
    pub path: String,
    pub times: Vec<f64>,
    rig: Option<&'static str>,
}

/// The recordings of a format below `tests/data`, of files with these extensions.
pub(crate) fn recordings(format: &str, extensions: &[&str]) -> Vec<Recording> {
    on_rig(format, extensions, None)
}

/// The same, on a skeleton.
pub(crate) fn on_rig(
    format: &str,
    extensions: &[&str],
    rig: Option<&'static str>,
) -> Vec<Recording> {
    let mut files = Vec::new();
    gather(Path::new(DATA), &mut files);
    files.retain(|file| extensions.iter().any(|end| file.ends_with(&format!(".{end}"))));
    files.sort();
    let mut arguments = vec!["info", "--json"];
    arguments.extend(rig.into_iter().flat_map(|rig| ["--rig", rig]));
    arguments.extend(files.iter().map(String::as_str));
    let infos = run(&arguments);
    let sound = infos.iter().filter(|info| info["format"] == format && !has_error(info));
    sound.map(|info| Recording::new(info, rig)).collect()
}

/// The files in a folder and below it, from `tests/data` on.
fn gather(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path.strip_prefix(DATA).unwrap().to_str().unwrap().to_owned());
        }
    }
}

fn has_error(info: &Value) -> bool {
    info["notices"].as_array().unwrap().iter().any(|notice| notice["severity"] == "error")
}

/// The lines of JSON that the program prints. Files that cannot be read have none.
fn run(arguments: &[&str]) -> Vec<Value> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mutoscope"));
    let output = program.current_dir(DATA).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Recording {
    fn new(info: &Value, rig: Option<&'static str>) -> Self {
        let path = info["path"].as_str().unwrap().to_owned();
        Self { path, times: times(info), rig }
    }

    /// What the reader is asked, a line of JSON.
    pub(crate) fn request(&self) -> String {
        json!({"path": self.path, "times": self.times, "rig": self.rig}).to_string()
    }

    /// What the program says at each time: tracks and nodes in one object.
    pub(crate) fn samples(&self) -> Vec<Value> {
        let times: Vec<String> = self.times.iter().map(f64::to_string).collect();
        let times = format!("--times={}", times.join(","));
        let sample = |more: &[&str]| {
            let rig = self.rig.into_iter().flat_map(|rig| ["--rig", rig]);
            let all = ["sample"].into_iter().chain(more.iter().copied()).chain(rig);
            run(&all.chain([times.as_str(), &self.path]).collect::<Vec<_>>())
        };
        let mut samples = sample(&["--tracks"]);
        for (sample, pose) in samples.iter_mut().zip(sample(&[])) {
            sample["nodes"] = pose["nodes"].clone();
        }
        samples
    }
}

/// The clip's ends, the first and last keys of some tracks, and times between and outside of them
/// that fall on no key.
fn times(info: &Value) -> Vec<f64> {
    const WITHIN: u32 = 11;
    const KEYS: usize = 6;
    let start = info["start"].as_f64().unwrap();
    let length = info["duration"].as_f64().unwrap();
    let scale = if length > 0.0 { length } else { 1.0 };
    let parts = (0..WITHIN).map(|step| (f64::from(step) + 0.31) / f64::from(WITHIN));
    let mut times: Vec<f64> =
        [-0.37, 0.0, 1.0, 1.61, 3.3].into_iter().chain(parts).map(|t| start + t * scale).collect();
    let tracks = info["track_list"].as_array().unwrap();
    let ends = tracks.iter().flat_map(|track| [track["first"].as_f64(), track["last"].as_f64()]);
    let ends: BTreeSet<u64> = ends.flatten().map(f64::to_bits).collect();
    times.extend(ends.into_iter().map(f64::from_bits).take(KEYS));
    times
}
