//! Texts that `convert` writes, read by the readers of this folder: what they make of a file of Maya or
//! a BVH is what the program says of the recording that it was made of.

use std::{collections::HashMap, path::Path};

use serde_json::{Value, json};

use crate::readers::{
    compare::{self, Difference, Tolerance},
    program::{self, Recording},
    python,
};

/// How large a text is read whole; of a larger one a part is written.
const LARGEST: u64 = 600_000;

/// How far a place may be from where it was, in metres, or as a part of how far away it is; and a
/// rotation, in radians. `docs/export.md` has what the worst file comes to.
const NEAR: [f64; 2] = [5e-5, 1e-4];

/// A text, and the recording that it was made of.
struct Written<'a> {
    recording: &'a Recording,
    /// Where it is.
    path: String,
    /// The times that it is looked at, in the recording's own seconds.
    times: Vec<f64>,
    /// The part of it that was written.
    part: [f64; 2],
    /// The report of the export.
    report: Vec<String>,
}

/// Times that fall on no key, evenly within a part of a recording.
fn times(part: [f64; 2]) -> Vec<f64> {
    (0..9).map(|step| part[0] + (part[1] - part[0]) * (f64::from(step) + 0.31) / 9.0).collect()
}

/// Writes a recording into a folder; only a part in its middle if that is much.
fn write<'a>(
    recording: &'a Recording,
    index: usize,
    extension: &str,
    folder: &Path,
) -> Written<'a> {
    let path = folder.join(format!("{index}.{extension}"));
    let mut part = recording.span;
    let mut report = recording.convert(&path, None);
    let length = path.metadata().unwrap().len();
    if length > LARGEST {
        let middle = 0.5 * (part[0] + part[1]);
        let half = 0.5 * (part[1] - part[0]) * LARGEST as f64 / length as f64;
        part = [middle - half, middle + half];
        report = recording.convert(&path, Some(part));
    }
    let path = path.to_str().unwrap().to_owned();
    Written { recording, path, times: times(part), part, report }
}

/// All recordings that are sound, of all formats.
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
        all.extend(program::on_rig("prime", &["ANIM"], rig));
    }
    all.extend(program::animations("gltf", &["gltf", "glb"]));
    all
}

/// The answers of the reader of `format` about each text at its times, relative to `from`.
fn answers(
    format: &str,
    texts: &[Written<'_>],
    from: impl Fn(&Written<'_>) -> f64,
) -> Option<Vec<Vec<Value>>> {
    let request = |text: &Written<'_>| {
        let times: Vec<f64> = text.times.iter().map(|time| time - from(text)).collect();
        json!({"path": text.path, "times": times, "metres_per_unit": 1.0}).to_string() + "\n"
    };
    let requests: String = texts.iter().map(request).collect();
    let mut lines = python::lines(format, &requests)?.into_iter();
    Some(texts.iter().map(|text| lines.by_ref().take(text.times.len()).collect()).collect())
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    numbers?.try_into().ok()
}

/// The angle between two rotations, in radians.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let apart = |sign: f64| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    4.0 * (0.5 * apart(1.0).min(apart(-1.0))).min(1.0).asin()
}

/// How far off a text is by its own report, in metres or radians.
fn reported(text: &Written<'_>) -> f64 {
    let off = text.report.iter().filter_map(|line| line.strip_prefix("up to ")?.split(' ').next());
    off.filter_map(|off| off.parse::<f64>().ok()).fold(0.0, f64::max)
}

/// Whether there is something to see of a node, and sizes that are not the same along all axes bend
/// nothing that it is a child of.
fn is_plain(nodes: &[Value], index: usize) -> bool {
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

/// Nodes with their children after them, as the lines of Maya's files have them.
fn depth_first(nodes: &[Value]) -> Vec<usize> {
    let mut children: HashMap<Option<u64>, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        children.entry(node["parent"].as_u64()).or_default().push(index);
    }
    let mut order = Vec::new();
    let mut left: Vec<usize> = children.get(&None).into_iter().flatten().rev().copied().collect();
    while let Some(index) = left.pop() {
        order.push(index);
        left.extend(children.get(&Some(index as u64)).into_iter().flatten().rev());
    }
    order
}

/// Whether a node is where it was; nothing if that is no place.
fn is_where_it_was(
    found: &Value,
    expected: &Value,
    off: f64,
    turns: bool,
) -> Option<Result<(), String>> {
    let place = |node: &Value| numbers::<3>(&node["world"]["translation"]);
    let rotation = |node: &Value| numbers::<4>(&node["world"]["rotation"]);
    let (from, to) = (place(found)?, place(expected)?);
    let far = to.iter().fold(1.0_f64, |far, number| far.max(number.abs()));
    let apart = from.iter().zip(to).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let turned = if turns { angle(rotation(found)?, rotation(expected)?) } else { 0.0 };
    let is_near = apart <= NEAR[0] * far + off * far && turned <= NEAR[1] + off;
    Some(if is_near {
        Ok(())
    } else {
        Err(format!("{apart:.1e} m and {turned:.1e} rad off: {found}, expected {expected}"))
    })
}

fn assert_none(differences: &[String]) {
    let shown = differences.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences:\n{shown}", differences.len());
}

/// Nodes of other formats keep their positions.
#[test]
fn what_is_written_for_maya_stands_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = recordings();
    let others = recordings.iter().filter(|one| !one.path.ends_with(".anim")).enumerate();
    let texts: Vec<_> =
        others.map(|(index, one)| write(one, index, "anim", folder.path())).collect();
    let Some(answers) = answers("maya", &texts, |_| 0.0) else { return };
    let (mut differences, mut compared) = (Vec::new(), 0);
    for (text, found) in texts.iter().zip(&answers) {
        let off = reported(text);
        for (found, expected) in found.iter().zip(text.recording.samples_at(&text.times)) {
            let expected = expected["nodes"].as_array().unwrap();
            let nodes = found["nodes"].as_array().unwrap();
            assert_eq!(nodes.len(), expected.len(), "{}", text.recording.path);
            for (node, index) in nodes.iter().zip(depth_first(expected)) {
                if !is_plain(expected, index) {
                    continue;
                }
                let same = is_where_it_was(node, &expected[index], off, true);
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
    assert_none(&differences);
    println!("{} texts, {compared} places", texts.len());
    assert!(texts.len() >= 90 && compared > 5_000, "{} texts, {compared} places", texts.len());
}

/// Maya's own curves have the values that they had, also before and after their keys.
#[test]
fn mayas_own_curves_have_the_values_that_they_had() {
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
    let Some(answers) = answers("maya", &texts, |_| 0.0) else { return };
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
    assert_none(&differences);
    println!("{} texts, {counts:?} values and places", texts.len());
    assert!(texts.len() >= 50 && counts[0] > 2_000, "{} texts, {counts:?}", texts.len());
}

/// Joints are where nodes of their names are, in every frame that is looked at.
#[test]
fn what_is_written_as_bvh_stands_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = recordings();
    let all = recordings.iter().enumerate();
    let mut texts: Vec<_> =
        all.map(|(index, one)| write(one, index, "bvh", folder.path())).collect();
    // A BVH knows frames: what is between them is the reader's.
    for text in &mut texts {
        let interval = frame_time(&text.path);
        let frames = text.times.iter().map(|time| ((time - text.part[0]) / interval).floor());
        text.times = frames.map(|frame| text.part[0] + frame * interval).collect();
    }
    let Some(answers) = answers("bvh", &texts, |text| text.part[0]) else { return };
    let (mut differences, mut compared) = (Vec::new(), 0);
    for (text, found) in texts.iter().zip(&answers) {
        // A step at a frame is behind it.
        let times: Vec<f64> = text.times.iter().map(|time| time + 1e-9).collect();
        for (found, expected) in found.iter().zip(text.recording.samples_at(&times)) {
            let expected = expected["nodes"].as_array().unwrap();
            for joint in found["nodes"].as_array().unwrap() {
                let is_it = |node: &&Value| node["name"] == joint["name"];
                let same: Vec<_> = expected.iter().filter(is_it).collect();
                let [only] = same[..] else { continue };
                let index = expected.iter().position(|node| node == only).unwrap();
                if !is_plain(expected, index) {
                    continue;
                }
                match is_where_it_was(joint, only, 0.0, false) {
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
    assert_none(&differences);
    println!("{} texts, {compared} places", texts.len());
    assert!(texts.len() >= 130 && compared > 5_000, "{} texts, {compared} places", texts.len());
}

/// The time from one frame of a BVH to the next, in seconds.
fn frame_time(path: &str) -> f64 {
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Frame Time: "));
    line.unwrap().parse().unwrap()
}
