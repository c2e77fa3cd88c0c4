//! Finds recordings, and runs the program on them.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::{Value, json};

pub(crate) const TESTS_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");

/// The second folder has cases that the first one lacks.
const FOLDERS: [&str; 2] = ["data", "readers/data"];

/// A file in which the program finds no error, and the times to compare.
pub(crate) struct Recording {
    /// The path relative to `tests`.
    pub path: String,
    pub times: Vec<f64>,
    /// The start and the end, in seconds.
    pub span: [f64; 2],
    /// Option names without dashes, and their values. The reader gets them, too.
    options: Options,
}

type Options = Vec<(&'static str, String)>;

pub(crate) fn recordings(format: &str, extensions: &[&str]) -> Vec<Recording> {
    recordings_with(format, extensions, &Options::new())
}

pub(crate) fn recordings_on_rig(format: &str, extensions: &[&str], rig: &str) -> Vec<Recording> {
    recordings_with(format, extensions, &vec![("rig", rig.to_owned())])
}

/// A file may contain several animations. Each one is a recording.
pub(crate) fn recordings_of_all_animations(format: &str, extensions: &[&str]) -> Vec<Recording> {
    let files = infos_of_format(format, extensions, &Options::new());
    let recordings_of_file = |info: &Value| {
        let names = animation_names(info);
        if names.is_empty() {
            return vec![Recording::new(info, &Options::new())];
        }
        let recordings = names.into_iter().map(|name| {
            let options = vec![("animation", name)];
            let info = run(&["info", "--json"], &options, &[info["path"].as_str().unwrap()]);
            Recording::new(&info[0], &options)
        });
        recordings.collect()
    };
    files.iter().flat_map(recordings_of_file).collect()
}

/// Panics if a file has an error.
pub(crate) fn recordings_at(paths: &[String]) -> Vec<Recording> {
    recordings_at_with(paths, &Options::new())
}

/// Panics if a file has an error.
pub(crate) fn recordings_at_on_rig(paths: &[String], rig: &str) -> Vec<Recording> {
    recordings_at_with(paths, &vec![("rig", rig.to_owned())])
}

fn recordings_at_with(paths: &[String], options: &Options) -> Vec<Recording> {
    let files: Vec<&str> = paths.iter().map(String::as_str).collect();
    let infos = run(&["info", "--json"], options, &files);
    assert!(infos.len() == files.len() && !infos.iter().any(has_error), "{infos:?}");
    infos.iter().map(|info| Recording::new(info, options)).collect()
}

pub(crate) fn infos_without_errors(extensions: &[&str]) -> Vec<Value> {
    let mut files = all_files(extensions);
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let found = run(&["check", "--json"], &Options::new(), &arguments);
    let broken: BTreeSet<_> = found
        .iter()
        .filter(|one| one["severity"] == "error")
        .filter_map(|one| one["path"].as_str())
        .collect();
    files.retain(|file| !broken.contains(file.as_str()));
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    run(&["info", "--json"], &Options::new(), &arguments)
}

/// The names are in quotation marks in the diagnostic about `--animation`.
fn animation_names(info: &Value) -> Vec<String> {
    let messages = info["notices"].as_array().unwrap().iter();
    let mut messages = messages.filter_map(|notice| notice["message"].as_str());
    let listed = messages.find(|message| message.contains("--animation")).unwrap_or_default();
    listed.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn recordings_with(format: &str, extensions: &[&str], options: &Options) -> Vec<Recording> {
    let infos = infos_of_format(format, extensions, options);
    infos.iter().map(|info| Recording::new(info, options)).collect()
}

fn infos_of_format(format: &str, extensions: &[&str], options: &Options) -> Vec<Value> {
    let files = all_files(extensions);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut infos = run(&["info", "--json"], options, &files);
    infos.retain(|info| info["format"] == format && !has_error(info));
    infos
}

fn all_files(extensions: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    FOLDERS
        .iter()
        .for_each(|folder| add_files_below(&Path::new(TESTS_FOLDER).join(folder), &mut files));
    files.retain(|file| extensions.iter().any(|end| file.ends_with(&format!(".{end}"))));
    files.sort();
    files
}

/// Adds the files below a folder, relative to `tests`.
fn add_files_below(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files_below(&path, files);
        } else {
            files.push(path.strip_prefix(TESTS_FOLDER).unwrap().to_str().unwrap().to_owned());
        }
    }
}

fn has_error(info: &Value) -> bool {
    info["notices"].as_array().unwrap().iter().any(|notice| notice["severity"] == "error")
}

/// Returns the lines of JSON that the program prints. Unreadable files have no line.
fn run(arguments: &[&str], options: &Options, files: &[&str]) -> Vec<Value> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mutoscope-cli"));
    program.current_dir(TESTS_FOLDER).args(arguments);
    for (name, value) in options {
        program.args([&format!("--{name}"), value]);
    }
    let output = program.args(files).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Converts the file `source`, relative to `tests`, to `output`.
pub(crate) fn convert(source: &str, output: &str, options: &[&str]) {
    let arguments = [&["convert", "--json", "-o", output], options].concat();
    let reports = run(&arguments, &Options::new(), &[source]);
    assert_eq!(reports.len(), 1, "{source} is not written to {output}");
}

impl Recording {
    fn new(info: &Value, options: &Options) -> Self {
        let path = info["path"].as_str().unwrap().to_owned();
        let start = info["start"].as_f64().unwrap();
        let span = [start, start + info["duration"].as_f64().unwrap()];
        Self { path, times: times(info), span, options: options.clone() }
    }

    /// Writes the recording, or a part of the recording, to `output` and returns the report.
    pub(crate) fn convert(&self, output: &Path, part: Option<[f64; 2]>) -> Vec<String> {
        let range = part.map(|[from, to]| format!("--range={from}..{to}"));
        let arguments = ["convert", "--json", "-o", output.to_str().unwrap()];
        let arguments: Vec<&str> = arguments.into_iter().chain(range.as_deref()).collect();
        let reports = run(&arguments, &self.options, &[&self.path]);
        assert_eq!(reports.len(), 1, "{} is not written to {}", self.path, output.display());
        let remarks = reports[0]["report"].as_array().unwrap().iter();
        remarks.map(|remark| remark["message"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn request(&self) -> String {
        let mut request = json!({"path": self.path, "times": self.times});
        for (name, value) in &self.options {
            request[name] = value.as_str().into();
        }
        request.to_string()
    }

    /// Returns the tracks and the nodes at each time in one object.
    pub(crate) fn samples(&self) -> Vec<Value> {
        self.samples_at(&self.times)
    }

    pub(crate) fn samples_at(&self, times: &[f64]) -> Vec<Value> {
        samples_with(&self.path, times, &self.options)
    }
}

/// Returns the tracks and the nodes at each time in one object.
pub(crate) fn samples(path: &str, times: &[f64]) -> Vec<Value> {
    samples_with(path, times, &Options::new())
}

fn samples_with(path: &str, times: &[f64], options: &Options) -> Vec<Value> {
    let times: Vec<String> = times.iter().map(f64::to_string).collect();
    let times = format!("--times={}", times.join(","));
    let mut samples = run(&["sample", "--tracks", &times], options, &[path]);
    for (sample, mut pose) in samples.iter_mut().zip(run(&["sample", &times], options, &[path])) {
        sample["nodes"] = pose["nodes"].take();
    }
    samples
}

/// Returns the ends of the clip, the first and last keys of some tracks, and times between and
/// outside of them that fall on no key. Clips with fewer tracks get more times.
fn times(info: &Value) -> Vec<f64> {
    const TARGET_VALUES: usize = 2500;
    const MAX_KEY_TIMES: usize = 6;
    let tracks = info["track_list"].as_array().unwrap();
    let start = info["start"].as_f64().unwrap();
    let length = info["duration"].as_f64().unwrap();
    let scale = if length > 0.0 { length } else { 1.0 };
    let steps = (TARGET_VALUES / (tracks.len() + 1)).clamp(11, 61);
    let within = (0..steps).map(|step| (step as f64 + 0.31) / steps as f64);
    let outside = [-0.37, 0.0, 1.0, 1.61, 3.3];
    let mut times: Vec<f64> =
        outside.into_iter().chain(within).map(|t| start + t * scale).collect();
    let ends = tracks.iter().flat_map(|track| [track["first"].as_f64(), track["last"].as_f64()]);
    let ends: BTreeSet<u64> = ends.flatten().map(f64::to_bits).collect();
    times.extend(ends.into_iter().map(f64::from_bits).take(MAX_KEY_TIMES));
    times
}
