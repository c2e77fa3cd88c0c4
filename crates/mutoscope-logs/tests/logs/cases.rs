//! The cases of `tests/data/tables-in`, whose expected values were not computed by our own readers.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, FactOrigin, NodePose, Pose, Value as ClipValue},
    diagnostics::Severity,
    formats::MappingFile,
    read::{ReadError, Recording, Source, open},
};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tables-in")
}

/// Returns the cases for which `is_wanted` returns `true`, sorted by name.
pub(crate) fn load_cases(is_wanted: impl Fn(&str, &Value) -> bool) -> Vec<(String, Value)> {
    let text = fs::read_to_string(folder().join("expected.json")).unwrap();
    let cases: HashMap<String, Value> = serde_json::from_str(&text).unwrap();
    let mut cases: Vec<_> =
        cases.into_iter().filter(|(name, case)| is_wanted(name, case)).collect();
    cases.sort_by(|one, other| one.0.cmp(&other.0));
    cases
}

#[allow(dead_code, reason = "only some of the tests that share this module use it")]
pub(crate) fn read_file(case: &Value) -> Vec<u8> {
    fs::read(folder().join(case["file"].as_str().unwrap())).unwrap()
}

/// Adds the options of a case.
fn read_options(case: &Value, mut read_options: ReadOptions) -> ReadOptions {
    let options: Vec<&str> =
        case["options"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    for pair in options.chunks(2) {
        match pair {
            ["--as", "table"] => read_options.format = Some(mutoscope_logs::FORMAT_ID),
            ["--columns", path] => {
                let text = fs::read_to_string(folder().join(path)).unwrap();
                read_options.columns = Some(mapping((*path).to_owned(), text));
            }
            other => panic!("{other:?}"),
        }
    }
    read_options
}

fn mapping(name: String, text: String) -> MappingFile {
    MappingFile { format: mutoscope_logs::FORMAT_ID, name, text }
}

/// Reads the file of each case with `formats`, and compares it with the expected values.
pub(crate) fn assert_expected_values(cases: &[(String, Value)], formats: &ReadOptions) {
    let mut failures = Vec::new();
    for (name, case) in cases {
        let found = check_case(name, case, formats.clone());
        if !found.is_empty() {
            let shown: Vec<_> = found.iter().take(6).cloned().collect();
            failures.push(format!("{name}: {} wrong\n    {}", found.len(), shown.join("\n    ")));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

/// Reads the file of a case with `formats`. Returns the differences from the expected values.
fn check_case(name: &str, case: &Value, formats: ReadOptions) -> Vec<String> {
    let source = Source::File(folder().join(case["file"].as_str().unwrap()));
    let read_options = read_options(case, formats);
    let opened = open(&source, &read_options);
    if case.get("exit").is_some() {
        return check_error(case, &opened);
    }
    let clip = match opened {
        Ok(recording) => recording.clip,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut differences = Vec::new();
    check_facts(case, &clip, &mut differences);
    check_poses(case, &clip, &mut differences);
    check_signals(case, &clip, &mut differences);
    check_own_mapping(case, &source, read_options, &clip, &mut differences);
    differences
}

fn check_error(case: &Value, result: &Result<Recording, ReadError>) -> Vec<String> {
    let error = match result {
        Ok(Recording { clip, .. }) => {
            return vec![format!("read as {} {}", clip.format, clip.version)];
        }
        Err(error) => error,
    };
    let exit = if matches!(error, ReadError::WrongUsage(_)) { 2 } else { 1 };
    let mut differences = Vec::new();
    if case["exit"] != exit {
        differences.push(format!("exit {exit} instead of {}: {error}", case["exit"]));
    }
    let message = error.to_string();
    if let Some(word) = case["message_has"].as_str()
        && !message.contains(word)
    {
        differences.push(format!("no {word:?} in {message:?}"));
    }
    differences
}

fn strings(value: &Value) -> Vec<String> {
    let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

fn check_facts(case: &Value, clip: &Clip, differences: &mut Vec<String>) {
    let columns = clip.columns().expect("a table must have columns");
    let mut compare = |what: &str, found: String, expected: String| {
        if found != expected {
            differences.push(format!("{what}: {found} instead of {expected}"));
        }
    };
    let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
    compare("format", clip.format.as_str().to_owned(), text("format"));
    compare("version", clip.version.clone(), text("version"));
    compare("shape", columns.shape.to_owned(), text("shape"));
    let number = |key: &str| case[key].as_f64().unwrap();
    let tolerance = if case.get("tolerance").is_some() { 1e-9 } else { 1e-12 };
    for (what, found) in [("start", clip.span.start), ("duration", clip.span.duration)] {
        if (found - number(what)).abs() > tolerance {
            compare(what, found.to_string(), number(what).to_string());
        }
    }
    let mut nodes: Vec<String> = clip.nodes.iter().map(|node| node.name.clone()).collect();
    let mut expected = strings(&case["nodes"]);
    if case.get("nodes_in_any_order").is_some() {
        nodes.sort();
        expected.sort();
    }
    compare("nodes", nodes.join(" "), expected.join(" "));
    let mut assumed: Vec<&str> = columns.assumed.iter().map(|one| one.fact).collect();
    assumed.sort_unstable();
    compare("assumed", assumed.join(" "), strings(&case["assumed"]).join(" "));
    if let Some(handedness) = case["handedness"].as_str() {
        let found = clip.convention.handedness.value.as_str();
        compare("handedness", found.to_owned(), handedness.to_owned());
    }
    let declared = clip.convention.fact_names(FactOrigin::Declared);
    for fact in strings(&case["declared"]) {
        if !declared.contains(&fact.as_str()) {
            compare("declared", declared.join(" "), fact);
        }
    }
    let ignored: Vec<&str> = columns.ignored.iter().map(|one| one.column.as_str()).collect();
    for column in strings(&case["ignored"]) {
        if !ignored.contains(&column.as_str()) {
            compare("ignored", ignored.join(" "), column);
        }
    }
    for notice in case["notices"].as_array().unwrap() {
        let severity = match notice["severity"].as_str().unwrap() {
            "info" => Severity::Info,
            "warning" => Severity::Warning,
            _ => Severity::Error,
        };
        let word = notice["has"].as_str().unwrap();
        let found =
            clip.diagnostics.iter().any(|it| it.severity == severity && it.message.contains(word));
        if !found {
            compare("notices", format!("{:?}", clip.diagnostics), word.to_owned());
        }
    }
    let words: Vec<&str> =
        case["notices"].as_array().unwrap().iter().map(|it| it["has"].as_str().unwrap()).collect();
    let warnings = clip.diagnostics.iter().filter(|notice| notice.severity > Severity::Info);
    for warning in warnings.filter(|it| !words.iter().any(|word| it.message.contains(word))) {
        compare("warning", warning.message.clone(), String::new());
    }
    let events: Vec<String> =
        clip.events.iter().map(|event| format!("{} {}", event.time, event.name)).collect();
    let expected = case.get("events").and_then(Value::as_array).cloned().unwrap_or_default();
    let expected: Vec<String> = expected
        .iter()
        .map(|event| {
            format!("{} {}", event["time"].as_f64().unwrap(), event["name"].as_str().unwrap())
        })
        .collect();
    compare("events", events.join(", "), expected.join(", "));
    // Every column must be in exactly one list.
    for one in &columns.ignored {
        if columns.used.iter().any(|used| used.column == one.column) {
            compare("used", one.column.clone(), "ignored".to_owned());
        }
    }
    let facts = columns.assumed.iter().map(|one| one.fact);
    for fact in facts {
        let is_reported = |notice: &str| notice.contains("assumed") && notice.contains(fact);
        if !clip.diagnostics.iter().any(|notice| is_reported(&notice.message)) {
            compare("reported", String::new(), fact.to_owned());
        }
    }
}

fn vector<const N: usize>(value: &Value) -> [f64; N] {
    let numbers: Vec<f64> =
        value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    numbers.try_into().unwrap()
}

fn check_poses(case: &Value, clip: &Clip, differences: &mut Vec<String>) {
    let tolerance = case.get("tolerance").and_then(Value::as_f64);
    let metres = tolerance.unwrap_or(1e-9);
    // Single precision and rounded times affect rotations, too.
    let degrees = tolerance.map_or(2e-5, |tolerance| (tolerance * 100.0).max(2e-5));
    let (mut pose, mut after) = (Pose::default(), Pose::default());
    for sample in case["samples"].as_array().unwrap() {
        let time = sample["time"].as_f64().unwrap();
        clip.sample(time, &mut pose);
        clip.sample(time + 1e-7, &mut after);
        for (name, expected) in sample["nodes"].as_object().unwrap() {
            let Some(index) = clip.nodes.iter().position(|node| node.name == *name) else {
                continue;
            };
            let NodePose { world, .. } = &pose.nodes[index];
            let shown = after.nodes[index].is_visible;
            if expected["shown"] != shown {
                differences.push(format!("{name} at {time}: shown {shown}"));
                continue;
            }
            if !shown {
                continue;
            }
            if let Some(position) = expected.get("position") {
                let position = DVec3::from_array(vector(position));
                if !world.translation.abs_diff_eq(position, metres) {
                    let found = world.translation;
                    differences.push(format!("{name} at {time}: at {found} instead of {position}"));
                }
            }
            if let Some(rotation) = expected.get("rotation") {
                let rotation = DQuat::from_array(vector(rotation));
                let found = angle(world.rotation, rotation).to_degrees();
                if found > degrees {
                    let turned = world.rotation;
                    differences
                        .push(format!("{name} at {time}: {found}° from {rotation}: {turned}"));
                }
            }
            if let Some(direction) = expected.get("direction") {
                let direction = DVec3::from_array(vector(direction)).normalize();
                let found = world.rotation * DVec3::NEG_Z;
                if found.angle_between(direction).to_degrees() > 1e-4 {
                    differences.push(format!("{name} at {time}: looks {found}, not {direction}"));
                }
            }
        }
    }
}

fn angle(one: DQuat, other: DQuat) -> f64 {
    let (one, other) = (one.normalize(), other.normalize());
    let sign = one.dot(other).signum();
    let half = (one - other * sign).length() / 2.0;
    4.0 * half.min(1.0).asin()
}

fn check_signals(case: &Value, clip: &Clip, differences: &mut Vec<String>) {
    let times: Vec<f64> =
        case["times"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    for (name, values) in case["signals_at_times"].as_object().unwrap() {
        let Some(signal) = clip.signals.iter().find(|signal| signal.name == *name) else {
            let names: Vec<_> = clip.signals.iter().map(|signal| signal.name.as_str()).collect();
            differences.push(format!("no signal {name}, but {names:?}"));
            continue;
        };
        for (time, expected) in times.iter().zip(values.as_array().unwrap()) {
            let found = clip.value(signal.track, *time);
            let is_same = match (&found, expected) {
                (ClipValue::Bool(found), Value::Bool(expected)) => found == expected,
                (ClipValue::Number(found), Value::Number(expected)) => {
                    (found - expected.as_f64().unwrap()).abs() < 1e-9
                }
                (ClipValue::Text(found), Value::String(expected)) => **found == **expected,
                _ => false,
            };
            if !is_same {
                differences.push(format!("{name} at {time}: {found:?} instead of {expected}"));
            }
        }
    }
}

/// Reading the file with its own mapping must assume nothing and give the same poses.
fn check_own_mapping(
    case: &Value,
    source: &Source,
    read_options: ReadOptions,
    clip: &Clip,
    differences: &mut Vec<String>,
) {
    let text = clip.columns().map(|columns| columns.mapping.clone()).unwrap_or_default();
    let columns = Some(mapping("again.toml".to_owned(), text.clone()));
    let again = match open(source, &ReadOptions { columns, ..read_options }) {
        Ok(again) => again.clip,
        Err(error) => return differences.push(format!("by its own mapping: {error}\n{text}")),
    };
    let assumed = &again.columns().expect("a table must have columns").assumed;
    if !assumed.is_empty() {
        differences.push(format!("by its own mapping: assumed {assumed:?}\n{text}"));
    }
    let (mut one, mut other) = (Pose::default(), Pose::default());
    for sample in case["samples"].as_array().unwrap() {
        let time = sample["time"].as_f64().unwrap();
        clip.sample(time, &mut one);
        again.sample(time, &mut other);
        if one.nodes != other.nodes || one.signals != other.signals {
            return differences.push(format!("by its own mapping: other poses at {time}\n{text}"));
        }
    }
}
