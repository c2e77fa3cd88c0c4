//! Runs the program as each folder of `tests/cases` says, and checks what it must print and write.
//! Each case is a fault that a stranger's file revealed. `tests/cases/README.md` has the schema.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

use glam::{DQuat, DVec3};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

const DEFAULT_TOLERANCE: f64 = 1e-3;

const DEFAULT_DEGREES: f64 = 0.1;

/// In seconds. Two times of samples that are closer are equal.
const TIME_TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Case {
    file: String,
    runs: Vec<Run>,
    expect: Vec<Assertion>,
}

/// A command, and the exit statuses that it may have. `$OUT` in its arguments is an empty folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    args: Vec<String>,
    exit: Vec<i32>,
    /// The file that gets the standard output.
    stdout: Option<String>,
    /// The limit of CPU time.
    seconds: Option<u64>,
    memory_mb: Option<u64>,
    /// The limit of the size of each file that the program writes.
    disk_mb: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Assertion {
    Any { any: Vec<Vec<Assertion>> },
    Refused { refused: bool },
    Says { says: Vec<String> },
    NeverSays { never_says: Vec<String> },
    Printed { printed: String, most: usize },
    Start { start: f64, tolerance: Option<f64> },
    Duration { duration: f64, tolerance: Option<f64> },
    NodeCount { nodes: String, count: usize },
    SignalCount { signals: String, count: usize },
    Parent { node: String, parent: String },
    Position { node: String, at: f64, position: Value, tolerance: Option<f64> },
    Positions { nodes: String, at: f64, positions: Vec<[f64; 3]>, tolerance: Option<f64> },
    Rotation { node: String, at: f64, rotation: Value, degrees: Option<f64> },
    Direction { node: String, at: f64, looks: [f64; 3], tolerance: Option<f64> },
    Shown { node: String, at: f64, shown: bool },
    Above { node: String, at: f64, above: String, by: f64 },
    Signal { signal: String, at: f64, value: Value, tolerance: Option<f64> },
    Event { event: String, at: f64 },
    Columns { columns: Vec<String> },
    NoPosition { no_position: Vec<String> },
    Assumed { assumed: String, is: bool },
    Question { question: String, readings: usize },
    Measure { measure: String, value: Value, tolerance: Option<f64>, label: String },
    Recordings { recordings: usize },
    Rows { table: String, rows: usize },
    NoCell { no_cell: String, of: String },
    Mesh { mesh: MeshSize },
}

/// Targets that move nothing do not count.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct MeshSize {
    triangles: u64,
    targets: usize,
}

/// What the program printed and wrote.
#[derive(Default)]
struct Results {
    statuses: Vec<Option<i32>>,
    /// Lines on standard error, output lines of `check`, and the notes of reports, without the
    /// name of the file.
    messages: Vec<String>,
    checked: Vec<String>,
    info: Value,
    samples: Vec<Value>,
    reports: Vec<Value>,
    tables: BTreeMap<String, Vec<csv::StringRecord>>,
    meshes: Vec<MeshSize>,
}

#[derive(Deserialize)]
struct Node {
    name: String,
    shown: bool,
    world: Transform,
}

#[derive(Deserialize)]
struct Transform {
    translation: [f64; 3],
    rotation: [f64; 4],
}

#[test]
fn all_cases_hold() {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(CASES).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    assert!(!folders.is_empty(), "no cases in {CASES}");
    let share = folders.len().div_ceil(thread::available_parallelism().unwrap().get()).max(1);
    let failures: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = folders
            .chunks(share)
            .map(|folders| {
                scope.spawn(|| {
                    folders.iter().flat_map(|folder| failures_of_case(folder)).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn failures_of_case(folder: &Path) -> Vec<String> {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(folder.join("expected.json"))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let case: Case = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut failures = Vec::new();
    let results = run_case(folder, &case, &mut failures);
    failures.extend(case.expect.iter().filter_map(|assertion| {
        let found = failure(assertion, &results)?;
        Some(format!("expected {assertion:?}, found {found:.600}"))
    }));
    failures.iter().map(|failure| format!("{name}: {failure}")).collect()
}

fn run_case(folder: &Path, case: &Case, failures: &mut Vec<String>) -> Results {
    let work = tempfile::tempdir().unwrap();
    copy_folder(folder, work.path());
    let out = work.path().join("out");
    fs::create_dir_all(&out).unwrap();
    let out = out.to_str().unwrap();
    let mut results = Results::default();
    for run in &case.runs {
        let output = command(run, out).current_dir(work.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.code().is_some_and(|status| run.exit.contains(&status)) {
            failures.push(format!("{:?} ended with {}: {stderr}", run.args, output.status));
        }
        results.add_output(run, &output, out);
    }
    let prefixes = [format!("{out}/"), format!("{}: ", case.file)];
    for message in &mut results.messages {
        *message =
            prefixes.iter().fold(std::mem::take(message), |text, prefix| text.replace(prefix, ""));
    }
    results.add_files(work.path(), "");
    results
}

/// Returns a command that ends if it exceeds the limits of `run`. Only Unix has such limits.
fn command(run: &Run, out: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_mutoscope-cli");
    let limits = [
        ("t", run.seconds),
        ("v", run.memory_mb.map(|mb| mb * 1000)),
        ("f", run.disk_mb.map(|mb| mb * 2000)),
    ];
    let limits: String = limits
        .iter()
        .filter_map(|(letter, limit)| limit.map(|limit| format!("ulimit -{letter} {limit}; ")))
        .collect();
    let mut command = if cfg!(unix) && !limits.is_empty() {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{limits}exec \"$0\" \"$@\""), program]);
        shell
    } else {
        Command::new(program)
    };
    command
        .args(run.args.iter().map(|argument| argument.replace("$OUT", out)))
        .stdin(Stdio::null());
    command
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

impl Results {
    fn add_output(&mut self, run: &Run, output: &Output, out: &str) {
        self.statuses.push(output.status.code());
        self.messages.extend(String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned));
        let stdout = String::from_utf8_lossy(&output.stdout);
        let command = run.args[0].as_str();
        if command == "check" {
            self.checked.extend(stdout.lines().map(str::to_owned));
            self.messages.extend(stdout.lines().map(str::to_owned));
        }
        if let Some(path) = &run.stdout {
            // The commands run in the folder that has the folder `out`.
            let path = Path::new(out).with_file_name("").join(path.replace("$OUT", out));
            fs::write(path, &output.stdout).unwrap();
        } else if output.status.success() && command == "info" {
            self.info = stdout
                .lines()
                .next()
                .and_then(|line| serde_json::from_str(line).ok())
                .unwrap_or_default();
        } else if output.status.success() && command == "sample" {
            self.samples
                .extend(stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        }
    }

    /// Reads the reports, tables and models that are in the folder after all runs.
    fn add_files(&mut self, folder: &Path, prefix: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() && name == "out" => self.add_files(&path, ""),
                _ if path.is_dir() => self.add_files(&path, &format!("{name}/")),
                Some("csv") => {
                    let mut reader =
                        csv::ReaderBuilder::new().flexible(true).from_path(&path).unwrap();
                    self.tables.insert(name, reader.records().map_while(Result::ok).collect());
                }
                Some("glb") => self.meshes.extend(meshes(&fs::read(&path).unwrap())),
                Some("json") => {
                    let Ok(report) = serde_json::from_slice::<Value>(&fs::read(&path).unwrap())
                    else {
                        continue;
                    };
                    let notes = elements(&report["recordings"])
                        .flat_map(|recording| elements(&recording["notes"]));
                    self.messages
                        .extend(notes.filter_map(|note| note["text"].as_str()).map(str::to_owned));
                    self.reports.push(report);
                }
                _ => {}
            }
        }
    }

    fn nodes(&self, pattern: &str, at: f64) -> Vec<Node> {
        let at_time = |sample: &&Value| {
            sample["time"].as_f64().is_some_and(|time| (time - at).abs() < TIME_TOLERANCE)
        };
        let sample = self.samples.iter().find(at_time);
        let nodes = elements(sample.map_or(&Value::Null, |sample| &sample["nodes"]));
        let nodes = nodes.filter_map(|node| Node::deserialize(node).ok());
        nodes.filter(|node| matches(pattern, &node.name)).collect()
    }

    fn node_names(&self, pattern: &str) -> Vec<&str> {
        let names = elements(&self.info["node_list"]).filter_map(|node| node["name"].as_str());
        names.filter(|name| matches(pattern, name)).collect()
    }

    fn signals(&self, pattern: &str, at: Option<f64>) -> Vec<(&str, &Value)> {
        let samples = self.samples.iter().filter(|sample| {
            at.is_none_or(|at| (sample["time"].as_f64().unwrap() - at).abs() < TIME_TOLERANCE)
        });
        let signals =
            samples.flat_map(|sample| sample["signals"].as_object().into_iter().flatten());
        signals
            .filter(|(name, _)| matches(pattern, name))
            .map(|(name, value)| (name.as_str(), value))
            .collect()
    }
}

/// Returns what was found instead if the assertion does not hold.
fn failure(assertion: &Assertion, results: &Results) -> Option<String> {
    let within = |found: &Value, expected: f64, tolerance: &Option<f64>| {
        found
            .as_f64()
            .is_some_and(|found| (found - expected).abs() <= tolerance.unwrap_or(DEFAULT_TOLERANCE))
    };
    let close = |found: [f64; 3], expected: [f64; 3], tolerance: &Option<f64>| {
        (DVec3::from(found) - DVec3::from(expected)).abs().max_element()
            <= tolerance.unwrap_or(DEFAULT_TOLERANCE)
    };
    let (holds, found) = match assertion {
        Assertion::Any { any } => {
            let failed: Vec<Option<String>> = any
                .iter()
                .map(|branch| branch.iter().find_map(|assertion| failure(assertion, results)))
                .collect();
            (failed.contains(&None), failed.into_iter().flatten().collect::<Vec<_>>().join(" / "))
        }
        Assertion::Refused { refused } => {
            let all_refused = !results.statuses.is_empty()
                && results.statuses.iter().all(|status| *status == Some(1));
            (all_refused == *refused, format!("{:?}", results.statuses))
        }
        Assertion::Says { says } => {
            let said = results
                .messages
                .iter()
                .any(|line| says.iter().any(|pattern| matches(pattern, line)));
            (said, format!("{:?}", results.messages))
        }
        Assertion::NeverSays { never_says } => {
            let said = |line: &&String| never_says.iter().any(|pattern| matches(pattern, line));
            let said: Vec<&String> = results.messages.iter().filter(said).collect();
            (said.is_empty(), format!("{said:?}"))
        }
        Assertion::Printed { printed, most } => {
            let lines: Vec<&String> =
                results.checked.iter().filter(|line| matches(printed, line)).collect();
            (lines.len() <= *most, format!("{lines:?}"))
        }
        Assertion::Start { start, tolerance } => {
            (within(&results.info["start"], *start, tolerance), results.info["start"].to_string())
        }
        Assertion::Duration { duration, tolerance } => (
            within(&results.info["duration"], *duration, tolerance),
            results.info["duration"].to_string(),
        ),
        Assertion::NodeCount { nodes, count } => {
            let found = results.node_names(nodes);
            (results.info.is_object() && found.len() == *count, format!("{found:?}"))
        }
        Assertion::SignalCount { signals, count } => {
            let mut names: Vec<&str> =
                results.signals(signals, None).into_iter().map(|(name, _)| name).collect();
            names.sort_unstable();
            names.dedup();
            (names.len() == *count, format!("{names:?}"))
        }
        Assertion::Parent { node, parent } => {
            let nodes: Vec<&Value> = elements(&results.info["node_list"]).collect();
            let name = |node: &Value| node["name"].as_str().unwrap_or_default().to_owned();
            let parent_of = |child: &&Value| {
                nodes
                    .iter()
                    .find(|other| other["index"] == child["parent"])
                    .map(|parent| name(parent))
            };
            let children = nodes.iter().filter(|child| matches(node, &name(child)));
            let found: Vec<Option<String>> = children.map(parent_of).collect();
            (found.iter().flatten().any(|found| matches(parent, found)), format!("{found:?}"))
        }
        Assertion::Position { node, at, position, tolerance } => {
            let found = results.nodes(node, *at);
            let expected: Vec<[f64; 3]> = alternatives(position);
            let holds = found.iter().any(|node| {
                node.shown
                    && expected
                        .iter()
                        .any(|expected| close(node.world.translation, *expected, tolerance))
            });
            (
                holds,
                format!(
                    "{:?}",
                    found
                        .iter()
                        .map(|node| (&node.name, node.shown, node.world.translation))
                        .collect::<Vec<_>>()
                ),
            )
        }
        Assertion::Positions { nodes, at, positions, tolerance } => {
            let shown = results.nodes(nodes, *at).into_iter().filter(|node| node.shown);
            let found: Vec<[f64; 3]> = shown.map(|node| node.world.translation).collect();
            let mut missing = positions.clone();
            for position in &found {
                if let Some(index) =
                    missing.iter().position(|expected| close(*position, *expected, tolerance))
                {
                    missing.swap_remove(index);
                }
            }
            (missing.is_empty() && found.len() == positions.len(), format!("{found:?}"))
        }
        Assertion::Rotation { node, at, rotation, degrees } => {
            let found = results.nodes(node, *at);
            let expected: Vec<[f64; 4]> = alternatives(rotation);
            let holds = found.iter().any(|node| {
                expected.iter().any(|expected| {
                    let [found, expected] = [node.world.rotation, *expected]
                        .map(|xyzw| DQuat::from_array(xyzw).normalize());
                    let angle = found.angle_between(expected);
                    angle.to_degrees() <= degrees.unwrap_or(DEFAULT_DEGREES)
                })
            });
            (
                holds,
                format!(
                    "{:?}",
                    found.iter().map(|node| (&node.name, node.world.rotation)).collect::<Vec<_>>()
                ),
            )
        }
        Assertion::Direction { node, at, looks, tolerance } => {
            let directions: Vec<DVec3> = results
                .nodes(node, *at)
                .iter()
                .map(|node| DQuat::from_array(node.world.rotation).normalize() * DVec3::NEG_Z)
                .collect();
            let holds = directions.iter().any(|found| {
                found.distance(DVec3::from(*looks).normalize())
                    <= tolerance.unwrap_or(DEFAULT_TOLERANCE)
            });
            (holds, format!("{directions:?}"))
        }
        Assertion::Shown { node, at, shown } => {
            let found = results.nodes(node, *at);
            (
                found.iter().any(|node| node.shown == *shown),
                format!(
                    "{:?}",
                    found.iter().map(|node| (&node.name, node.shown)).collect::<Vec<_>>()
                ),
            )
        }
        Assertion::Above { node, at, above, by } => {
            let heights = |pattern| {
                let shown = results.nodes(pattern, *at).into_iter().filter(|node| node.shown);
                shown.map(|node| node.world.translation[1]).collect::<Vec<f64>>()
            };
            let (upper, lower) = (heights(node), heights(above));
            let holds = upper.iter().any(|upper| lower.iter().any(|lower| upper - lower >= *by));
            (holds, format!("{upper:?} above {lower:?}"))
        }
        Assertion::Signal { signal, at, value, tolerance } => {
            let found = results.signals(signal, Some(*at));
            (found.iter().any(|(_, found)| is_value(found, value, tolerance)), format!("{found:?}"))
        }
        Assertion::Event { event, at } => {
            let events: Vec<&Value> = elements(&results.info["events"]).collect();
            let holds = events
                .iter()
                .any(|found| found["name"] == event.as_str() && within(&found["time"], *at, &None));
            (holds, format!("{events:?}"))
        }
        Assertion::Question { question, readings } => {
            let asked = elements(&results.info["columns"]["questions"])
                .filter(|asked| matches(question, asked["why"].as_str().unwrap_or_default()));
            let counts: Vec<usize> =
                asked.map(|asked| elements(&asked["readings"]).count()).collect();
            let holds = match readings {
                0 => results.info["columns"].is_object() && counts.is_empty(),
                readings => counts.contains(readings),
            };
            (holds, results.info["columns"]["questions"].to_string())
        }
        Assertion::Columns { columns } => {
            let table = &results.info["columns"];
            let named =
                |part: &str| elements(&table[part]).filter_map(|column| column["column"].as_str());
            let counts = columns.iter().map(|column| {
                let parts = [
                    table["time"]["column"] == column.as_str(),
                    named("used").any(|used| used == column),
                    named("ignored").any(|ignored| ignored == column),
                ];
                (column, parts.into_iter().filter(|is_in_part| *is_in_part).count())
            });
            let wrong: Vec<(&String, usize)> = counts.filter(|(_, count)| *count != 1).collect();
            (wrong.is_empty(), format!("{wrong:?}"))
        }
        Assertion::NoPosition { no_position } => {
            let is_wrong = |used: &&Value| {
                no_position.iter().any(|column| used["column"] == column.as_str())
                    && used["property"]
                        .as_str()
                        .is_some_and(|property| property.starts_with("position"))
            };
            let wrong: Vec<&Value> =
                elements(&results.info["columns"]["used"]).filter(is_wrong).collect();
            (results.info.is_object() && wrong.is_empty(), format!("{wrong:?}"))
        }
        Assertion::Assumed { assumed, is } => {
            let found: Vec<&Value> =
                elements(&results.info["columns"]["assumed"]).map(|entry| &entry["what"]).collect();
            (
                results.info.is_object()
                    && found.iter().any(|what| *what == assumed.as_str()) == *is,
                format!("{found:?}"),
            )
        }
        Assertion::Measure { measure, value, tolerance, label } => {
            let recordings =
                results.reports.iter().flat_map(|report| elements(&report["recordings"]));
            let ranges = recordings.flat_map(|recording| elements(&recording["ranges"]));
            let found: Vec<&Value> = ranges
                .filter(|range| range["label"] == label.as_str())
                .map(|range| &range["measures"][measure])
                .collect();
            (found.iter().any(|found| is_value(found, value, tolerance)), format!("{found:?}"))
        }
        Assertion::Recordings { recordings } => {
            let counts: Vec<usize> = results
                .reports
                .iter()
                .filter(|report| report["recordings"].is_array())
                .map(|report| elements(&report["recordings"]).count())
                .collect();
            (counts.contains(recordings), format!("{counts:?}"))
        }
        Assertion::Rows { table, rows } => {
            let found = results.tables.get(table).map(Vec::len);
            (found == Some(*rows), format!("{found:?} rows, tables {:?}", results.tables.keys()))
        }
        Assertion::NoCell { no_cell, of } => {
            let cells = results.tables.get(of).into_iter().flatten().flatten();
            let found: Vec<&str> = cells.filter(|cell| matches(no_cell, cell)).collect();
            (results.tables.contains_key(of) && found.is_empty(), format!("{found:?}"))
        }
        Assertion::Mesh { mesh } => {
            (results.meshes.contains(mesh), format!("{:?}", results.meshes))
        }
    };
    (!holds).then_some(found)
}

/// A value is a number within the tolerance, or else exactly the same JSON.
fn is_value(found: &Value, expected: &Value, tolerance: &Option<f64>) -> bool {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => {
            (found - expected).abs() <= tolerance.unwrap_or(DEFAULT_TOLERANCE)
        }
        _ => found == expected,
    }
}

/// Reads one vector, or a list of vectors that are all allowed.
fn alternatives<T: for<'a> Deserialize<'a>>(value: &Value) -> Vec<T> {
    let read = |value: &Value| T::deserialize(value).unwrap();
    if value[0].is_array() { elements(value).map(read).collect() } else { vec![read(value)] }
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn matches(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}")).is_match(text)
}

/// Returns the sizes of the meshes that nodes of a GLB use.
fn meshes(glb: &[u8]) -> Vec<MeshSize> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let root: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let accessor = |index: &Value| &root["accessors"][index.as_u64().unwrap() as usize];
    let moves = |target: &Value| {
        let bounds = ["min", "max"].map(|bound| accessor(&target["POSITION"])[bound].clone());
        bounds.iter().flat_map(elements).any(|bound| bound.as_f64().unwrap().abs() > 1e-9)
    };
    let mut used: Vec<u64> =
        elements(&root["nodes"]).filter_map(|node| node["mesh"].as_u64()).collect();
    used.sort_unstable();
    used.dedup();
    let size = |mesh: u64| {
        let primitives: Vec<&Value> =
            elements(&root["meshes"][mesh as usize]["primitives"]).collect();
        let corners = primitives.iter().map(|part| {
            let counted = if part["indices"].is_null() {
                &part["attributes"]["POSITION"]
            } else {
                &part["indices"]
            };
            accessor(counted)["count"].as_u64().unwrap() / 3
        });
        let moving = primitives
            .iter()
            .map(|part| elements(&part["targets"]).filter(|target| moves(target)).count());
        MeshSize { triangles: corners.sum(), targets: moving.max().unwrap_or(0) }
    };
    used.into_iter().map(size).collect()
}
