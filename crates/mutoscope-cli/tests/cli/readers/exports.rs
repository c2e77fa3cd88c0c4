//! Tests of `.anim` and BVH exports with the Python readers: the poses that a reader computes must
//! be those of the recording.

use std::{collections::HashMap, path::Path};

use mutoscope_testing::needs;
use serde_json::{Value, json};

use crate::readers::{
    compare::{self, Difference, Tolerance},
    program::{self, Recording},
    python,
};

/// In bytes. If the text of a recording is larger, only a part of the recording is written.
const MAX_TEXT_BYTES: u64 = 600_000;

/// The tolerance of positions in metres, relative to the distance from the origin beyond 1 m, and
/// of rotations in radians.
const TOLERANCES: [f64; 2] = [5e-5, 1e-4];

/// An exported text, and its recording.
struct ExportedText<'a> {
    recording: &'a Recording,
    path: String,
    /// The compared times, in seconds of the recording.
    times: Vec<f64>,
    /// The written range, in seconds of the recording.
    part: [f64; 2],
    report: Vec<String>,
}

/// Returns evenly spaced times within a range that fall on no key.
fn times(part: [f64; 2]) -> Vec<f64> {
    (0..9).map(|step| part[0] + (part[1] - part[0]) * (f64::from(step) + 0.31) / 9.0).collect()
}

/// Writes a recording into a folder, or only the middle of a recording if its text is too large.
fn write<'a>(
    recording: &'a Recording,
    index: usize,
    extension: &str,
    folder: &Path,
) -> ExportedText<'a> {
    let path = folder.join(format!("{index}.{extension}"));
    let mut part = recording.span;
    let mut report = recording.convert(&path, None);
    let length = path.metadata().unwrap().len();
    if length > MAX_TEXT_BYTES {
        let middle = 0.5 * (part[0] + part[1]);
        let half = 0.5 * (part[1] - part[0]) * MAX_TEXT_BYTES as f64 / length as f64;
        part = [middle - half, middle + half];
        report = recording.convert(&path, Some(part));
    }
    let path = path.to_str().unwrap().to_owned();
    ExportedText { recording, path, times: times(part), part, report }
}

fn recordings() -> Vec<Recording> {
    let mut all = Vec::new();
    for (format, extensions) in [
        ("mrtk", &["bin"][..]),
        ("maya", &["anim"]),
        ("animj", &["animj", "json"]),
        ("animx", &["animx"]),
        ("prime", &["ANIM"]),
        ("mcmocap", &["mcmocap_rec"]),
        ("bvh", &["bvh"]),
    ] {
        all.extend(program::recordings(format, extensions));
    }
    for rig in ["data/prime/rig_mp1.CINF", "data/prime/rig_mp2.CINF"] {
        all.extend(program::recordings_on_rig("prime", &["ANIM"], rig));
    }
    all.extend(program::recordings_of_all_animations("gltf", &["gltf", "glb"]));
    all
}

/// Returns the answers of the reader of `format` for each text at its times, relative to `from`.
fn answers(
    format: &str,
    texts: &[ExportedText<'_>],
    from: impl Fn(&ExportedText<'_>) -> f64,
) -> Vec<Vec<Value>> {
    let request = |text: &ExportedText<'_>| {
        let times: Vec<f64> = text.times.iter().map(|time| time - from(text)).collect();
        json!({"path": text.path, "times": times, "metres_per_unit": 0.01}).to_string() + "\n"
    };
    let requests: String = texts.iter().map(request).collect();
    let mut lines = python::lines(format, &requests).into_iter();
    texts.iter().map(|text| lines.by_ref().take(text.times.len()).collect()).collect()
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// In radians.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let length = |sign: f64| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    4.0 * (0.5 * length(1.0).min(length(-1.0))).min(1.0).asin()
}

/// Returns the largest error that the report states, in metres or radians.
fn reported_error(text: &ExportedText<'_>) -> f64 {
    let off = text.report.iter().filter_map(|line| line.strip_prefix("up to ")?.split(' ').next());
    off.filter_map(|off| off.parse::<f64>().ok()).fold(0.0, f64::max)
}

/// Returns `true` if the node is visible, and no ancestor has a non-uniform scale, which would
/// shear the node.
fn is_comparable(nodes: &[Value], index: usize) -> bool {
    let mut next = Some(index);
    while let Some(at) = next {
        let [x, y, z] = numbers(&nodes[at]["scale"]).unwrap_or_default();
        let is_even = (x - y).abs() + (x - z).abs() < 1e-9 * x.abs();
        if nodes[at]["shown"] != true || (at != index && !is_even) || x.abs() < 1e-6 {
            return false;
        }
        next = nodes[at]["parent"].as_u64().map(|parent| parent as usize);
    }
    true
}

/// Returns the nodes depth first, which is the order of Maya's files.
fn depth_first(nodes: &[Value]) -> Vec<usize> {
    let mut children: HashMap<Option<u64>, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        children.entry(node["parent"].as_u64()).or_default().push(index);
    }
    let mut order = Vec::new();
    let mut remaining: Vec<usize> =
        children.get(&None).into_iter().flatten().rev().copied().collect();
    while let Some(index) = remaining.pop() {
        order.push(index);
        remaining.extend(children.get(&Some(index as u64)).into_iter().flatten().rev());
    }
    order
}

/// Returns `None` if a position or rotation is unknown.
fn compare_pose(
    found: &Value,
    expected: &Value,
    off: f64,
    with_rotations: bool,
) -> Option<Result<(), String>> {
    let position = |node: &Value| numbers::<3>(&node["world"]["translation"]);
    let rotation = |node: &Value| numbers::<4>(&node["world"]["rotation"]);
    let (from, to) = (position(found)?, position(expected)?);
    let scale = to.iter().fold(1.0_f64, |scale, number| scale.max(number.abs()));
    let distance = from.iter().zip(to).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let turned = if with_rotations { angle(rotation(found)?, rotation(expected)?) } else { 0.0 };
    let is_near = distance <= TOLERANCES[0] * scale + off * scale && turned <= TOLERANCES[1] + off;
    Some(if is_near {
        Ok(())
    } else {
        Err(format!("{distance:.1e} m and {turned:.1e} rad off: {found}, expected {expected}"))
    })
}

fn assert_no_differences(differences: &[String]) {
    let shown = differences.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences:\n{shown}", differences.len());
}

#[needs(python3)]
#[test]
fn maya_exports_keep_node_positions() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = recordings();
    let others = recordings.iter().filter(|one| !one.path.ends_with(".anim")).enumerate();
    let texts: Vec<_> =
        others.map(|(index, one)| write(one, index, "anim", folder.path())).collect();
    let answers = answers("maya", &texts, |_| 0.0);
    let (mut differences, mut compared) = (Vec::new(), 0);
    for (text, found) in texts.iter().zip(&answers) {
        let off = reported_error(text);
        for (found, expected) in found.iter().zip(text.recording.samples_at(&text.times)) {
            let expected = expected["nodes"].as_array().unwrap();
            let nodes = found["nodes"].as_array().unwrap();
            assert_eq!(nodes.len(), expected.len(), "{}", text.recording.path);
            for (node, index) in nodes.iter().zip(depth_first(expected)) {
                if !is_comparable(expected, index) {
                    continue;
                }
                let same = compare_pose(node, &expected[index], off, true);
                let same = same.map(|same| {
                    same.and(match node["shown"] == true {
                        true => Ok(()),
                        false => Err(format!("{node} is hidden")),
                    })
                });
                match same {
                    Some(Ok(())) => compared += 1,
                    Some(Err(why)) => {
                        differences
                            .push(format!("{} at {}: {why}", text.recording.path, found["time"]));
                    }
                    None => {}
                }
            }
        }
    }
    assert_no_differences(&differences);
    println!("{} texts, {compared} places", texts.len());
    assert!(texts.len() >= 90 && compared > 5_000, "{} texts, {compared} places", texts.len());
}

/// The times include some before and after the keys.
#[needs(python3)]
#[test]
fn maya_exports_keep_the_values_of_maya_curves() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = program::recordings("maya", &["anim"]);
    let write = |(index, recording): (usize, _)| {
        let mut text = write(recording, index, "anim", folder.path());
        assert_eq!(text.part, recording.span, "{}: curves are written whole", recording.path);
        let [start, end] = recording.span;
        let length = (end - start).max(1.0);
        text.times.extend([-2.3, -0.4, 1.3, 2.7].map(|part| start + part * length));
        text
    };
    let texts: Vec<_> = recordings.iter().enumerate().map(write).collect();
    let answers = answers("maya", &texts, |_| 0.0);
    let (mut differences, mut counts) = (Vec::new(), [0, 0]);
    for (text, found) in texts.iter().zip(&answers) {
        for (found, expected) in found.iter().zip(text.recording.samples_at(&text.times)) {
            match compare::compare(found, &expected, Tolerance::ROUNDING) {
                Ok(compared) => (0..2).for_each(|at| counts[at] += compared[at]),
                Err(Difference(why)) => {
                    differences.push(format!("{}: {why}", text.recording.path));
                }
            }
        }
    }
    assert_no_differences(&differences);
    println!("{} texts, {counts:?} values and places", texts.len());
    assert!(texts.len() >= 50 && counts[0] > 2_000, "{} texts, {counts:?}", texts.len());
}

#[needs(python3)]
#[test]
fn bvh_exports_keep_joint_positions() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = recordings();
    let all = recordings.iter().enumerate();
    let mut texts: Vec<_> =
        all.map(|(index, one)| write(one, index, "bvh", folder.path())).collect();
    // BVH has frames only, and readers differ in how they interpolate. So compare at frames.
    for text in &mut texts {
        let interval = frame_time(&text.path);
        let frames = text.times.iter().map(|time| ((time - text.part[0]) / interval).floor());
        text.times = frames.map(|frame| text.part[0] + frame * interval).collect();
    }
    let answers = answers("bvh", &texts, |text| text.part[0]);
    let (mut differences, mut compared) = (Vec::new(), 0);
    for (text, found) in texts.iter().zip(&answers) {
        // A step at the time of a frame takes effect after the frame.
        let times: Vec<f64> = text.times.iter().map(|time| time + 1e-9).collect();
        for (found, expected) in found.iter().zip(text.recording.samples_at(&times)) {
            let expected = expected["nodes"].as_array().unwrap();
            for joint in found["nodes"].as_array().unwrap() {
                let has_same_name = |node: &&Value| node["name"] == joint["name"];
                let same: Vec<_> = expected.iter().filter(has_same_name).collect();
                let [only] = same[..] else { continue };
                let index = expected.iter().position(|node| node == only).unwrap();
                if !is_comparable(expected, index) {
                    continue;
                }
                match compare_pose(joint, only, 0.0, false) {
                    Some(Ok(())) => compared += 1,
                    Some(Err(why)) => {
                        differences
                            .push(format!("{} at {}: {why}", text.recording.path, found["time"]));
                    }
                    None => {}
                }
            }
        }
    }
    assert_no_differences(&differences);
    println!("{} texts, {compared} places", texts.len());
    assert!(texts.len() >= 130 && compared > 5_000, "{} texts, {compared} places", texts.len());
}

fn frame_time(path: &str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Frame Time: "));
    line.unwrap().parse().unwrap()
}
