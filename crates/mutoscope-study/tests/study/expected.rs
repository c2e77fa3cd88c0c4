//! Compares every number with `expected.json`, which an independent reference in NumPy and SciPy
//! computed.

use mutoscope_core::{io::progress::Progress, measure::analysis::NamedArea};
use mutoscope_study::{
    Request, StudyOptions,
    labels::{self, LabelFormat},
    study,
};
use serde_json::Value;

use crate::{read_fixture, recording};

const TIME_TOLERANCE_S: f64 = 2e-6;
const RELATIVE_TOLERANCE: f64 = 1e-3;

/// The recordings have single precision, so a planted 0 is about 1e-8 of its unit. Values below
/// this limit are equal to 0.
fn zero_limit(name: &str) -> f64 {
    match name {
        // This is a cubic millimetre.
        _ if name.ends_with("_m3") => 1e-9,
        _ if name.ends_with("_m") => 1e-7,
        _ if name.ends_with("_mps") => 1e-6,
        _ if name.ends_with("_deg") => 1e-4,
        _ if name.ends_with("_index") || name.ends_with("_steps") => 1e-6,
        _ => 1e-12,
    }
}

fn is_near(name: &str, found: f64, expected: f64) -> bool {
    let tolerance = match name {
        _ if name.contains("ldlj") => 0.01,
        _ if name.contains("sparc") => 0.005,
        _ if name.ends_with("_s") => TIME_TOLERANCE_S,
        _ => (RELATIVE_TOLERANCE * expected.abs()).max(zero_limit(name)),
    };
    (found - expected).abs() <= tolerance
}

fn compare(path: &str, name: &str, found: &Value, expected: &Value, differences: &mut Vec<String>) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (name, expected) in expected {
                match found.get(name) {
                    Some(found) => {
                        compare(&format!("{path} {name}"), name, found, expected, differences)
                    }
                    None => differences.push(format!("{path} {name}: missing")),
                }
            }
            let more = found.keys().filter(|name| !expected.contains_key(*name));
            // The reference leaves out the tier of the whole recording, and what ETDQualitizer computes.
            let left_out = |name: &str| name == "tier" || ETDQUALITIZER.contains(&name);
            let more = more.filter(|name| !left_out(name));
            differences.extend(more.map(|name| format!("{path} {name}: not expected")));
        }
        (Value::Array(found), Value::Array(expected)) => {
            if found.len() != expected.len() {
                differences.push(format!("{path}: {} instead of {}", found.len(), expected.len()));
            }
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                compare(&format!("{path}[{index}]"), name, found, expected, differences);
            }
        }
        (Value::Number(number), Value::Number(expected_number)) => {
            let (one, other) = (number.as_f64().unwrap(), expected_number.as_f64().unwrap());
            if !is_near(name, one, other) || number.is_u64() != expected_number.is_u64() {
                differences.push(format!("{path}: {found} instead of {expected}"));
            }
        }
        _ if found == expected => {}
        _ => differences.push(format!("{path}: {found} instead of {expected}")),
    }
}

const ETDQUALITIZER: [&str; 4] =
    ["gaze_rms_s2s_deg", "gaze_std_deg", "gaze_bcea_deg2", "accuracy_deg"];

struct Arguments {
    options: StudyOptions,
    areas: Vec<NamedArea>,
    labels: Vec<labels::Label>,
}

fn arguments(all: &Value) -> Arguments {
    let mut arguments =
        Arguments { options: StudyOptions::default(), areas: Vec::new(), labels: Vec::new() };
    let words: Vec<&str> = all.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    for pair in words.chunks(2) {
        match pair {
            ["--rate", rate] => arguments.options.rate = Some(rate.parse().unwrap()),
            ["--area", area] => arguments.areas.push(area.parse().unwrap()),
            ["--labels", name] => {
                arguments.labels =
                    labels::read(&read_fixture(name), LabelFormat::Csv).unwrap().labels;
            }
            other => panic!("{other:?}"),
        }
    }
    arguments
}

#[test]
fn planted_recordings_have_their_expected_measures() {
    let expected: Value = serde_json::from_slice(&read_fixture("expected.json")).unwrap();
    let mut differences = Vec::new();
    let recordings = expected["recordings"].as_object().unwrap();
    assert_eq!(recordings.len(), 9);
    for (name, expected) in recordings {
        let Arguments { options, areas, labels } = arguments(&expected["arguments"]);
        let clip = recording(name);
        assert!(
            (clip.span.duration - expected["duration_s"].as_f64().unwrap()).abs()
                < TIME_TOLERANCE_S
        );
        let request = Request { labels: &labels, areas: &areas, options, with_plots: true };
        let study = study(&clip, &request, &mut Progress::default()).unwrap();
        let ranges = serde_json::to_value(&study.ranges).unwrap();
        compare(name, "", &ranges, &expected["ranges"], &mut differences);
        let events = serde_json::to_value(&study.events).unwrap();
        compare(name, "", &events, &expected["events"], &mut differences);
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn options_have_the_names_and_defaults_of_the_contract() {
    let expected: Value = serde_json::from_slice(&read_fixture("expected.json")).unwrap();
    assert_eq!(serde_json::to_value(StudyOptions::default()).unwrap(), expected["options"]);
}

#[test]
fn planted_measures_are_recovered() {
    let study = |name: &str| {
        let clip = recording(name);
        study(&clip, &Request::default(), &mut Progress::default()).unwrap()
    };
    let trembling = study("trembling.bin");
    let value =
        |name: &str| trembling.ranges[0].measures.get(name).and_then(|it| it.value()).unwrap();
    assert!(
        (value("right_tremor_peak_hz") - 7.72).abs() < 0.13,
        "the peak must be within one frequency of the spectrum"
    );
    assert!((value("right_tremor_rms_m") / 0.000_580_67 - 1.0).abs() < 0.01);
    assert!((value("left_workspace_m3") / 0.004_713_9 - 1.0).abs() < 0.01);
    let reaches = study("reaches.bin");
    let lag = reaches.ranges[0].measures.get("hands_lag_s").and_then(|it| it.value());
    assert!((lag.unwrap() + 0.1).abs() < 1e-9, "the left hand must be 0.1 s later");
    let thinned = study("reaches-thinned.bin");
    let notes: Vec<_> = thinned.notes.iter().map(|note| &*note.measure).collect();
    assert!(notes.contains(&"right_movement_ldlj_median"), "{notes:?}");
}

#[test]
fn precision_and_accuracy_of_the_gaze_are_those_of_etdqualitizer() {
    let expected: Value = serde_json::from_slice(&read_fixture("etdqualitizer.json")).unwrap();
    let clip = recording("looking.bin");
    for (name, expected) in expected.as_object().unwrap() {
        let number = |name: &str| expected[name].as_f64().unwrap();
        let target = expected["target"].as_array().unwrap();
        let target: Vec<String> = target.iter().map(ToString::to_string).collect();
        let areas = [format!("target=sphere:{},0.1", target.join(",")).parse().unwrap()];
        let csv =
            format!("start_s,end_s,label\n{},{},{name}\n", number("start_s"), number("end_s"));
        let labels = labels::read(csv.as_bytes(), LabelFormat::Csv).unwrap().labels;
        let options = StudyOptions { rate: Some(120.0), ..StudyOptions::default() };
        let request = Request { labels: &labels, areas: &areas, options, with_plots: false };
        let study = study(&clip, &request, &mut Progress::default()).unwrap();
        let range = &study.ranges[1];
        let area = &range.areas[0];
        let compare = |name: &str, found: f64| {
            let expected = number(name);
            // ETDQualitizer stretches the azimuth by 1.2 % at the largest elevation, 9°.
            assert!(
                (found / expected - 1.0).abs() < 0.013,
                "{name}: {found} instead of {expected}"
            );
        };
        for name in &ETDQUALITIZER[..3] {
            compare(name, range.measures.get(name).and_then(|it| it.value()).unwrap());
        }
        compare("accuracy_deg", area.accuracy_deg.unwrap());
    }
}
