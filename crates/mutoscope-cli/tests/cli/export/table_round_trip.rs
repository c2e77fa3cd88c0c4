//! Tests that all samples read back from CSV, Parquet, Arrow and MCAP. At the times of the rows the
//! clips must be equal, within what the target and its report state.

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, Pose, Value},
    export::{ExportOptions, Progress, names::deduplicate, write_file},
    read::{Source, open},
};

use crate::export::{
    compare::angle,
    report_text,
    round_trip::{Sample, is_same_value, samples},
};

/// The targets, and their tolerance of positions in metres per metre of distance from the origin.
const TARGETS: [(&str, f64); 4] =
    [("csv", 1e-9), ("parquet", 1e-12), ("arrow", 1e-12), ("mcap", 1e-7)];

fn write_and_read(clip: &Clip, target: &str) -> (Clip, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("take.{target}"));
    let target = mutoscope_cli::targets().target(target).unwrap();
    let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
    let report = write_file(target, clip, &options, &path, &mut Progress::default()).unwrap();
    let report_lines = report_text(&report);
    (
        open(&Source::File(path), &ReadOptions::from(mutoscope_cli::registry())).unwrap().clip,
        report_lines,
    )
}

/// Returns the differences, each as a line.
fn differences(clip: &Clip, back: &Clip, target: &str, bound: f64) -> Vec<String> {
    let mut problems = Vec::new();
    let names: Vec<String> = back.nodes.iter().map(|node| node.name.clone()).collect();
    let expected: Vec<String> = deduplicate(clip.nodes.iter().map(|node| node.name.as_str()), '.');
    if names != expected {
        return vec![format!("nodes {names:?} instead of {expected:?}")];
    }
    let parents = |clip: &Clip| -> Vec<Option<usize>> {
        clip.nodes.iter().map(|node| node.parent.map(NodeId::index)).collect()
    };
    if parents(clip) != parents(back) {
        problems.push(format!("parents {:?} instead of {:?}", parents(back), parents(clip)));
    }
    let (is_mcap, has_events) = (target == "mcap", target != "csv");
    // MCAP stores times as whole nanoseconds after the first message.
    let stored_time = |time: f64| match is_mcap {
        true => back.span.start + ((time - back.span.start) * 1e9).round() / 1e9,
        false => time,
    };
    let times = clip.sample_times();
    let rows = back.sample_times().len();
    if rows + 2 < times.len() && !is_mcap {
        problems.push(format!("{rows} times of {}", times.len()));
    }
    let (mut one, mut other) = (Pose::default(), Pose::default());
    for time in times.iter().step_by(times.len().div_ceil(150).max(1)) {
        clip.sample(*time, &mut one);
        back.sample(stored_time(*time), &mut other);
        for (index, (one, other)) in one.nodes.iter().zip(&other.nodes).enumerate() {
            let name = &expected[index];
            if one.is_visible != other.is_visible {
                problems.push(format!("{name} at {time}: shown {}", other.is_visible));
            }
            if !(one.is_visible && other.is_visible && one.world.is_finite()) {
                continue;
            }
            let (expected, found) = (one.world, other.world);
            let far = 1.0 + expected.translation.length();
            let distance = expected.translation.distance(found.translation);
            let turned = angle(expected.rotation, found.rotation);
            if distance > bound * far || turned > (1e3 * bound).max(4e-8) {
                problems.push(format!("{name} at {time}: {distance} m, {turned} rad apart"));
            }
            let scaled = expected.scale.distance(found.scale);
            if !is_mcap && scaled > 10.0 * bound * (1.0 + expected.scale.length()) {
                problems.push(format!("{name} at {time}: scale {scaled} apart"));
            }
        }
        for (signal, value) in clip.signals.iter().zip(&one.signals) {
            // In a table each component of a vector is a signal of its own, so vectors are not
            // compared.
            if matches!(
                value,
                Value::Numbers(_) | Value::Integers(_) | Value::Bools(_) | Value::Null
            ) {
                continue;
            }
            let found = back.signals.iter().position(|it| it.name == signal.name);
            let Some(found) = found.map(|index| &other.signals[index]) else {
                problems.push(format!("no signal {:?}", signal.name));
                continue;
            };
            let as_number = match found {
                // MCAP stores booleans as 0 and 1.
                Value::Number(number) if matches!(value, Value::Bool(_)) => {
                    Value::Bool(*number > 0.5)
                }
                found => found.clone(),
            };
            let is_empty = matches!(value, Value::Text(text) if text.is_empty());
            if !is_empty && !is_same_value(&as_number, value, 1e-9, 0.0) {
                problems.push(format!("{} at {time}: {found:?}, not {value:?}", signal.name));
            }
        }
    }
    if has_events && back.events.len() != clip.events.len() {
        problems.push(format!("{} events of {}", back.events.len(), clip.events.len()));
    }
    problems
}

#[test]
fn every_sample_reads_back_equal_from_every_table() {
    let mut problems = Vec::new();
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for (target, bound) in TARGETS {
            let (back, report_lines) = write_and_read(&clip, target);
            let found = differences(&clip, &back, target, bound);
            compared += 1;
            if !found.is_empty() {
                let shown: Vec<_> = found.iter().take(5).cloned().collect();
                let (count, shown) = (found.len(), shown.join("\n    "));
                problems.push(format!(
                    "{name} as {target}: {count} wrong\n    {shown}\n{report_lines}"
                ));
            }
            let columns = back.columns().expect("a table must have columns");
            assert!(columns.assumed.is_empty(), "{name} as {target}: {:?}", columns.assumed);
        }
    }
    assert!(compared >= 40, "{compared}");
    assert!(problems.is_empty(), "{} of {compared}:\n{}", problems.len(), problems.join("\n"));
}
