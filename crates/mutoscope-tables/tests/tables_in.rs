//! Compares tables and logs in container formats with expected values, and reads our own exports
//! back.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../mutoscope-logs/tests/logs/cases.rs"]
mod cases;

use std::{fs, path::Path};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, FactOrigin, Pose, Value},
    export::{ExportOptions, Progress, Targets, write_file},
    read::{Source, open},
};

fn read_options() -> ReadOptions {
    ReadOptions::default()
        .with_formats(mutoscope_logs::formats())
        .with_formats(mutoscope_tables::formats())
}

fn is_container(_: &str, case: &serde_json::Value) -> bool {
    let file = case["file"].as_str().unwrap_or_default();
    let known = [".parquet", ".arrow", ".feather", ".mcap"];
    known.iter().any(|extension| file.ends_with(extension))
}

#[test]
fn containers_have_the_expected_values() {
    let cases = cases::load_cases(is_container);
    assert!(cases.len() > 9, "{}", cases.len());
    cases::assert_expected_values(&cases, &read_options());
}

/// The samples have loose nodes, hierarchies, scales, hidden nodes, signals and events. The tests
/// of the command line compare the sample of Minecraft.
fn recordings() -> Vec<(&'static str, Clip)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = [
        "assets/mrtk/two-hands.bin",
        "assets/mrtk/two-hands-damaged.bin",
        "assets/bvh/walk.bvh",
        "assets/gltf/walker.glb",
        "assets/animj/lantern-show.animj",
        "assets/animj/arm-swing.animj",
        "assets/maya/walk-with-hat.anim",
        "assets/prime/walk.ANIM",
    ];
    let read = |file: &&'static str| {
        (*file, open(&Source::File(root.join(file)), &read_options()).unwrap().clip)
    };
    files.iter().map(read).collect()
}

fn write_and_read(clip: &Clip, target: &str) -> Clip {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("take.{target}"));
    let target = Targets::default().with(mutoscope_tables::targets()).target(target).unwrap();
    let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
    write_file(target, clip, &options, &path, &mut Progress::default()).unwrap();
    assert!(fs::metadata(&path).unwrap().len() > 0);
    open(&Source::File(path), &read_options()).unwrap().clip
}

/// Returns the differences between two clips at the times of the rows. If `nanoseconds`, times are
/// rounded as in MCAP, and scales are skipped because MCAP has none.
fn compare(one: &Clip, other: &Clip, metres: f64, nanoseconds: bool) -> Vec<String> {
    let mut failures = Vec::new();
    let names =
        |clip: &Clip| -> Vec<String> { clip.nodes.iter().map(|node| node.name.clone()).collect() };
    if names(one) != names(other) {
        return vec![format!("nodes {:?} instead of {:?}", names(other), names(one))];
    }
    let parents = |clip: &Clip| -> Vec<Option<usize>> {
        clip.nodes.iter().map(|node| node.parent.map(|parent| parent.index())).collect()
    };
    if parents(one) != parents(other) {
        failures.push(format!("parents {:?} instead of {:?}", parents(other), parents(one)));
    }
    let times = one.sample_times();
    let (mut left, mut right) = (Pose::default(), Pose::default());
    for time in times.iter().step_by(times.len().div_ceil(200)) {
        let at = if nanoseconds { (time * 1e9).round() / 1e9 } else { *time };
        one.sample(*time, &mut left);
        other.sample(at, &mut right);
        for (index, (left, right)) in left.nodes.iter().zip(&right.nodes).enumerate() {
            let name = &one.nodes[mutoscope_core::clip::NodeId::new(index)].name;
            if left.is_visible != right.is_visible {
                failures.push(format!("{name} at {time}: shown {}", right.is_visible));
                continue;
            }
            if !left.is_visible {
                continue;
            }
            let distance = left.world.translation.distance(right.world.translation);
            let turned = left.world.rotation.normalize().dot(right.world.rotation.normalize());
            if distance > metres || 1.0 - turned.abs() > metres.max(1e-15) {
                failures.push(format!("{name} at {time}: {distance} m, {turned} apart"));
            }
            let scaled = (left.world.scale - right.world.scale).abs().max_element();
            if !nanoseconds && scaled > metres {
                failures.push(format!("{name} at {time}: scale {scaled} apart"));
            }
        }
        for (signal, value) in one.signals.iter().zip(&left.signals) {
            let Value::Number(number) = value else { continue };
            let found = other.signals.iter().position(|it| it.name == signal.name);
            match found.map(|index| &right.signals[index]) {
                Some(Value::Number(again)) if (again - number).abs() <= 1e-9 => {}
                again => failures.push(format!("{} at {time}: {again:?}, {number}", signal.name)),
            }
        }
    }
    failures
}

#[test]
fn own_exports_read_back_equal() {
    let bounds = [("parquet", 1e-12), ("arrow", 1e-12), ("csv", 1e-9), ("mcap", 1e-7)];
    let mut failures = Vec::new();
    for (name, clip) in recordings() {
        for (target, metres) in bounds {
            let back = write_and_read(&clip, target);
            let mut found = compare(&clip, &back, metres, target == "mcap");
            let columns = back.columns().expect("a table must have columns");
            if !columns.assumed.is_empty() {
                found.push(format!("assumed {:?}", columns.assumed));
            }
            let declared = back.convention.fact_names(FactOrigin::Declared);
            if declared != ["handedness", "up", "metres_per_unit"] {
                found.push(format!("declared {declared:?}"));
            }
            // Every target except CSV stores events.
            let has_events = target != "csv";
            if has_events && back.events.len() != clip.events.len() {
                found.push(format!("{} events of {}", back.events.len(), clip.events.len()));
            }
            if !found.is_empty() {
                let shown: Vec<_> = found.iter().take(4).cloned().collect();
                let count = found.len();
                failures.push(format!(
                    "{name} as {target}: {count} wrong\n    {}",
                    shown.join("\n    ")
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn side_tables_are_not_recordings() {
    let (_, clip) = recordings().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.parquet");
    let target = Targets::default().with(mutoscope_tables::targets()).target("parquet").unwrap();
    let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
    write_file(target, &clip, &options, &path, &mut Progress::default()).unwrap();
    let is_recording = |name: &str| {
        let source = Source::File(folder.path().join(name));
        open(&source, &read_options()).is_ok()
    };
    assert!(is_recording("take.parquet"));
    assert!(!is_recording("take.signals.parquet"));
    assert!(!is_recording("take.events.parquet"));
}
