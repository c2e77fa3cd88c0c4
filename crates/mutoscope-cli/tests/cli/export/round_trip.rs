//! Tests that exports read back as the same motion: all samples, for every target that Mutoscope
//! reads, as a whole, in part and at a rate. If the motion differs, the report of the export must
//! say so, and by how much.

use std::{collections::HashMap, fs, path::Path};

use glam::DVec3;
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Assumptions, Clip, FormatAssumptions, NodeId, NodeVisibility, Pose, Transform, Value},
    decode,
    diagnostics::Diagnostics,
    export::ExportOptions,
    formats::FormatId,
    formats::SkeletonSource,
    io::bytes::FolderSidecars,
    skeleton_file::LoadedSkeleton,
};
use mutoscope_minecraft::{rewrite_mcmocap, write::RewriteOptions};

use crate::export::{animj::unique_names, compare::angle, exported_as, fixtures, report_text};

/// A recording, and the model that its exports are read on.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) clip: Clip,
    model: Option<LoadedSkeleton>,
}

/// Returns all recordings in `assets`, and the recordings of Resonite also on their models.
pub(crate) fn samples() -> Vec<Sample> {
    let assets = Path::new(mutoscope_testing::ROOT).join("assets");
    let read = |path: &str| fs::read(assets.join(path)).unwrap();
    let rig = |path: &str| {
        let sidecars = FolderSidecars::for_file(&assets.join(path));
        mutoscope_cli::registry().decode_skeleton(&read(path), path, &sidecars).unwrap()
    };
    let mut samples = Vec::new();
    for folder in ["animj", "bvh", "gltf", "maya", "mcmocap", "mrtk", "prime"] {
        let mut names: Vec<String> = fs::read_dir(assets.join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        for name in names.iter().map(|name| format!("{folder}/{name}")) {
            let (sidecars, bytes) = (FolderSidecars::for_file(&assets.join(&name)), read(&name));
            let file = SourceFile::new(&name, &bytes).with_sidecars(&sidecars);
            let options = ReadOptions {
                skeleton: SkeletonSource::Beside,
                ..ReadOptions::from(mutoscope_cli::registry())
            };
            let Ok(clip) = decode(file, &options) else {
                assert!(
                    name.ends_with(".CINF") || name.ends_with(".glb"),
                    "{name} cannot be read as a recording"
                );
                continue;
            };
            let model = (clip.format == FormatId::GLTF).then(|| rig(&name));
            samples.push(Sample { name, clip, model });
        }
    }
    assert!(samples.len() >= 9, "{}", samples.len());
    let (name, model) = ("animj/arm-swing.animj", rig("animj/arm-swing.glb"));
    let bytes = read(name);
    let clip =
        decode(&bytes, &ReadOptions::from(mutoscope_cli::registry()).with_skeleton(model.clone()))
            .unwrap();
    samples.push(Sample { name: format!("{name} on its model"), clip, model: Some(model) });
    let name = "rig/arm.glb";
    let bytes = fixtures::resonite_file(name);
    let clip = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    let model = mutoscope_cli::registry()
        .decode_skeleton(&bytes, name, &mutoscope_core::io::bytes::NoSidecars)
        .unwrap();
    samples.push(Sample { name: name.to_owned(), clip, model: Some(model) });
    samples
}

/// Returns a recording of one cubic curve of this type.
fn cubic(value_type: &str, last: &str, tangents: [&str; 2]) -> Sample {
    let [right, left] = tangents;
    let text = format!(
        r#"{{"name": "", "globalDuration": 2, "tracks": [{{"trackType": "Curve", "valueType": "{value_type}",
        "data": {{"node": "N", "property": "p", "keyframes": [
        {{"time": 0, "value": 0, "interpolation": "Tangent", "leftTangent": 0, "rightTangent": {right}}},
        {{"time": 2, "value": {last}, "interpolation": "Hold", "leftTangent": {left}, "rightTangent": 0}}]}}}}]}}"#
    );
    let clip = decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    Sample { name: format!("a cubic of {value_type}"), clip, model: None }
}

/// Returns options for the whole clip, for a part, and for a range that begins before the clip,
/// each with several rates.
fn options(clip: &Clip) -> Vec<ExportOptions> {
    let (from, length) = (clip.span.start, clip.span.duration);
    let ranges = [None, Some((0.3137, 0.8291)), Some((-0.1, 0.5))];
    let mut all = Vec::new();
    for range in ranges {
        let range = range.map(|(a, b)| from + a * length..=from + b * length);
        for rate in [None, Some(30.0), Some(7.3)] {
            let title = "take".to_owned();
            all.push(ExportOptions {
                title,
                range: range.clone(),
                rate,
                ..ExportOptions::default()
            });
        }
    }
    all
}

struct ReportText(String);

impl ReportText {
    fn contains(&self, words: &str) -> bool {
        self.0.contains(words)
    }

    /// Returns the largest number that follows `words` anywhere in the text.
    fn number_after(&self, words: &str) -> Option<f64> {
        let numbers = self.0.match_indices(words).filter_map(|(at, _)| {
            let rest = self.0[at + words.len()..].trim_start();
            rest.split(|c: char| c.is_whitespace() || c == ':' || c == ',').next()?.parse().ok()
        });
        numbers.reduce(f64::max)
    }

    /// Returns the clip time at time 0 of the file.
    fn start_time(&self) -> f64 {
        self.number_after("time 0 of the file is").unwrap_or(0.0)
    }

    /// Returns the largest stated error, in metres or radians.
    fn stated_error(&self) -> f64 {
        let between = self.0.lines().filter(|line| line.contains("off between keys"));
        let between = between.filter_map(|line| ReportText(line.to_owned()).number_after("up to"));
        let coarse = self.number_after("rounds them to steps of");
        between.chain(coarse).fold(0.0, f64::max)
    }
}

/// Returns the sampled times, or many times if the export has the clip's own keys. The end is
/// included.
fn comparison_times(clip: &Clip, options: &ExportOptions) -> Vec<f64> {
    let whole = clip.span.start..=clip.span.end();
    let (from, to) = options.range.clone().unwrap_or(whole).into_inner();
    let step = options.rate.map_or((to - from) / 97.31, |rate| 1.0 / rate);
    let count = ((to - from) / step).floor() as u32;
    let mut times: Vec<f64> = (0..=count).map(|index| from + f64::from(index) * step).collect();
    // Each export is compared at about 120 times, because there are many exports.
    let every = times.len().div_ceil(120);
    times = times.into_iter().step_by(every).chain([to]).collect();
    times
}

/// Values that hold are also compared between samples.
fn times_between(times: &[f64]) -> Vec<f64> {
    times
        .windows(2)
        .flat_map(|pair| [0.37, 0.81].map(|part| pair[0] + (pair[1] - pair[0]) * part))
        .collect()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

/// In seconds. Rounding may shift a jump, and GLB shifts jumps by a millisecond for Blender.
const JUMP_SHIFTS_S: [f64; 5] = [0.0, -2e-5, 2e-5, -1.1e-3, 1.1e-3];

/// Returns `true` if the predicate holds at `time` or at a shifted time.
fn holds_near(time: f64, mut predicate: impl FnMut(f64) -> bool) -> bool {
    JUMP_SHIFTS_S.iter().any(|moment| predicate(time + moment))
}

/// The tolerance beyond the stated error, in metres per metre of distance from the origin.
const TOLERANCE: f64 = 6e-5;

fn is_near(found: &Transform, expected: &Transform, bound: f64) -> bool {
    let scale = 1.0 + expected.translation.length();
    found.translation.distance(expected.translation) <= bound * scale
        && angle(found.rotation, expected.rotation) <= 2.0 * bound
        && found.scale.distance(expected.scale) <= bound * (1.0 + expected.scale.length())
}

/// Compares the local transforms. `find_node` returns the exported node of a node, or `None` if the
/// file has no track for it.
fn compare_locals(
    title: &str,
    clip: &Clip,
    back: &Clip,
    times: &[f64],
    notes: &ReportText,
    find_node: impl Fn(usize) -> Option<usize>,
) -> usize {
    let start = notes.start_time();
    let bound = TOLERANCE + notes.stated_error();
    for &time in times {
        let found = pose(back, time - start);
        let mut known: Vec<(f64, Pose)> = Vec::new();
        for index in 0..clip.nodes.len() {
            let found =
                find_node(index).map_or(Transform::IDENTITY, |index| found.nodes[index].local);
            let is_equal = holds_near(time, |at| {
                if !known.iter().any(|(known_time, _)| *known_time == at) {
                    known.push((at, pose(clip, at)));
                }
                let expected = known.iter().find(|(known_time, _)| *known_time == at).unwrap();
                let stands = &expected.1.nodes[index];
                // Non-finite transforms are not exported, so there is nothing to compare.
                !stands.local.is_finite() || is_near(&found, &stands.local, bound)
            });
            let expected = known[0].1.nodes[index].local;
            let name = &clip.nodes[NodeId::new(index)].name;
            assert!(
                is_equal,
                "{title}: {name:?} at {time} is {found:?}, not {expected:?}\n{}",
                notes.0
            );
        }
    }
    times.len() * clip.nodes.len()
}

/// `off` is the tolerance of numbers, `off_whole` that of integers.
pub(crate) fn is_same_value(found: &Value, expected: &Value, off: f64, off_whole: f64) -> bool {
    let is_near_number = |found: f64, expected: f64| {
        found == expected || (found - expected).abs() <= off + 2e-6 * (1.0 + expected.abs())
    };
    let is_near_integer = |found: i128, expected: i128| {
        found == expected || ((found - expected) as f64).abs() <= off_whole
    };
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => is_near_number(*found, *expected),
        (Value::Integer(found), Value::Integer(expected)) => is_near_integer(*found, *expected),
        (Value::Numbers(found), Value::Numbers(expected)) => {
            let pairs = || found.iter().zip(expected);
            let is_same =
                |sign: f64| pairs().all(|(found, one)| is_near_number(*found, sign * one));
            // A quaternion and its negative are the same rotation.
            is_same(1.0) || found.len() == 4 && is_same(-1.0)
        }
        (Value::Integers(found), Value::Integers(expected)) => {
            found.iter().zip(expected).all(|(found, expected)| is_near_integer(*found, *expected))
        }
        // Some targets write states as numbers.
        (Value::Number(found), Value::Bool(expected)) => *found == f64::from(u8::from(*expected)),
        (Value::Number(found), Value::Integer(expected)) => {
            is_near_number(*found, *expected as f64)
        }
        (Value::Bool(found), Value::Number(expected)) => *found == (*expected > 0.5),
        _ => found == expected,
    }
}

/// Compares every signal that is not reported as skipped with the track that `find_track` returns.
fn compare_signals(
    title: &str,
    clip: &Clip,
    back: &Clip,
    times: &[f64],
    notes: &ReportText,
    find_track: impl Fn(&str, &str) -> Option<usize>,
) -> usize {
    let start = notes.start_time();
    let off = notes.number_after("signals up to").unwrap_or(0.0) + 1e-5;
    let mut compared = 0;
    for signal in &clip.signals {
        let track = clip.track(signal.track);
        let Some(found) = find_track(clip.owner_name(track.owner), &track.property) else {
            let quoted = format!("{:?}", signal.name);
            let is_reported = notes.0.lines().any(|line| {
                line.contains("skipped") && (line.contains(&quoted) || line.contains(" more"))
            });
            let has_no_keys = track.curve.key_count() == 0;
            assert!(
                is_reported || has_no_keys,
                "{title}: {quoted} is missing, but not reported as skipped\n{}",
                notes.0
            );
            continue;
        };
        // Signals that are reported to hold between keys differ from the recording there, so they
        // are not compared.
        let quoted = format!("{:?}", signal.name);
        let holds = |line: &str| line.contains("held from key to key") && line.contains(&quoted);
        if notes.0.lines().any(holds) {
            continue;
        }
        let found = mutoscope_core::clip::TrackId::new(found);
        // Numbers are interpolated linearly between samples, so only states are compared there,
        // because they hold until they change.
        let times_amid = times_between(times);
        let is_state = |time: &&f64| {
            !matches!(clip.value(signal.track, **time), Value::Number(_) | Value::Numbers(_))
        };
        for &time in times.iter().chain(times_amid.iter().filter(is_state)) {
            let value = back.value(found, time - start);
            let is_equal = holds_near(time, |at| {
                is_same_value(&value, &clip.value(signal.track, at), off, 0.0)
            });
            let expected = clip.value(signal.track, time);
            assert!(is_equal, "{title}: {} at {time} is {value:?}, not {expected:?}", signal.name);
            compared += 1;
        }
    }
    compared
}

/// Compares every track with the same track of a file in the recording's own format.
fn compare_tracks(
    title: &str,
    clip: &Clip,
    back: &Clip,
    times: &[f64],
    notes: &ReportText,
) -> usize {
    let start = notes.start_time();
    let off_whole = match notes.contains("values there may be off by one") {
        true => 1.0,
        false => notes.number_after("values there may be off by up to").unwrap_or(0.0),
    };
    // Sampling rounds integers, so they may be off by one.
    let off_whole = if notes.contains("sampled at") { 1.0 } else { off_whole };
    let find_track = |index: usize| {
        let track = &clip.tracks[index];
        let nth =
            clip.tracks[..index].iter().filter(|one| has_same_name(clip, one, clip, track)).count();
        let same =
            (0..back.tracks.len()).filter(|&at| has_same_name(back, &back.tracks[at], clip, track));
        same.into_iter().nth(nth)
    };
    let mut compared = 0;
    for (index, track) in clip.tracks.iter().enumerate() {
        let name = format!("{}.{}", clip.owner_name(track.owner), track.property);
        let Some(found) = find_track(index) else {
            assert!(
                notes.contains("skipped"),
                "{title}: {name} is missing, but not reported as skipped\n{}",
                notes.0
            );
            continue;
        };
        let [own, found] = [index, found].map(mutoscope_core::clip::TrackId::new);
        // Between keys, 64-bit integers are computed in doubles, which cannot represent all of
        // them.
        let largest = (0..track.curve.key_count()).map(|key| match track.curve.key_value(key) {
            Value::Integer(integer) => integer.unsigned_abs() as f64,
            _ => 0.0,
        });
        let off_whole = off_whole + 1e-14 * largest.fold(0.0, f64::max);
        // Cutting a rotation between its tangents gives a key of another length, so compare unit
        // quaternions.
        let is_rotation = track.curve.type_name().ends_with('Q');
        let turn = |value: Value| if is_rotation { unit_quaternion(value) } else { value };
        for &time in times {
            let value = turn(back.value(found, time - start));
            let is_equal = holds_near(time, |at| {
                is_same_value(&value, &turn(clip.value(own, at)), 1e-5, off_whole)
            });
            let expected = clip.value(own, time);
            assert!(
                is_equal,
                "{title}: {name} at {time} is {value:?}, not {expected:?}\n{}",
                notes.0
            );
            compared += 1;
        }
    }
    compared
}

fn unit_quaternion(value: Value) -> Value {
    let Value::Numbers(numbers) = &value else { return value };
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    if length == 0.0 {
        return value;
    }
    let unit: Vec<f64> = numbers.iter().map(|number| number / length).collect();
    Value::from_numbers(unit.into_iter())
}

fn has_same_name(
    one: &Clip,
    track: &mutoscope_core::clip::Track,
    other: &Clip,
    expected: &mutoscope_core::clip::Track,
) -> bool {
    one.owner_name(track.owner) == other.owner_name(expected.owner)
        && track.property == expected.property
}

fn track_index(clip: &Clip, owner: &str, property: &str) -> Option<usize> {
    clip.tracks
        .iter()
        .position(|track| clip.owner_name(track.owner) == owner && track.property == property)
}

fn is_resonites(clip: &Clip) -> bool {
    matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX)
}

#[test]
fn animj_round_trip_keeps_the_motion() {
    let mut all = samples();
    let max = i64::MAX.to_string();
    all.push(cubic("int", "100", ["0", "0"]));
    all.push(cubic("int", "-7", ["90", "33"]));
    all.push(cubic("long", &max, ["3", "0"]));
    all.push(cubic("byte", "200", ["255", "40"]));
    all.push(cubic("double", "100", ["0.5", "-7.25"]));
    let all_types = fixtures::resonite_file("generated/all_types.animj");
    let clip = decode(&all_types, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
    all.push(Sample { name: "all types".to_owned(), clip, model: None });
    let mut compared = 0;
    for Sample { name, clip, model } in all {
        for options in options(&clip) {
            let title = format!("{name} as AnimJ, {options:?}");
            let (bytes, report) = exported_as(&clip, "animj", &options);
            crate::export::strict_animj::read(&title, &bytes);
            let notes = ReportText(report_text(&report));
            // An export that is mirrored for a model is read on that model, and its report says so.
            let is_mirrored = notes.contains("mirrored in x");
            let is_own = is_resonites(&clip);
            assert_eq!(is_mirrored, model.is_some() && !is_own, "{title}");
            let model = model.as_ref().filter(|_| is_mirrored || is_own);
            let mut request = ReadOptions::from(mutoscope_cli::registry());
            if let Some(model) = model {
                request = request.with_skeleton(model.clone());
            }
            let back = decode(&bytes, &request).unwrap();
            let times = comparison_times(&clip, &options);
            if is_own {
                compared += compare_tracks(&title, &clip, &back, &times, &notes);
                continue;
            }
            let names = unique_names(&clip);
            let find_node = |index: usize| {
                let found = back.nodes.iter().position(|node| node.name == names[index]);
                // A file that is read on its model has all nodes of the model.
                assert!(found.is_some() || model.is_none(), "{title}: {} is missing", names[index]);
                found
            };
            compared += compare_locals(&title, &clip, &back, &times, &notes, find_node);
            compared += compare_signals(&title, &clip, &back, &times, &notes, |owner, property| {
                track_index(&back, owner, property)
            });
            let times_amid = times_between(&times);
            compared += compare_shown(&title, &clip, &times_amid, &notes, |index, time| {
                let track = track_index(&back, &names[index], "Active")?;
                Some(back.value(mutoscope_core::clip::TrackId::new(track), time).is_true())
            });
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// Compares the visibility. `is_shown` returns the exported visibility of a node without its
/// ancestors, or `None` if the file has none.
fn compare_shown(
    title: &str,
    clip: &Clip,
    times: &[f64],
    notes: &ReportText,
    is_shown: impl Fn(usize, f64) -> Option<bool>,
) -> usize {
    let start = notes.start_time();
    // Some targets keep the transforms of nodes that are never visible, so these nodes are not
    // compared.
    let is_never_visible = |index| {
        node_and_ancestors(clip, index)
            .any(|at| clip.nodes[NodeId::new(at)].motion.visibility == NodeVisibility::Never)
    };
    let compared_nodes: Vec<usize> =
        (0..clip.nodes.len()).filter(|&index| !is_never_visible(index)).collect();
    for &time in times {
        let poses = [0.0, -2e-5, 2e-5].map(|moment| pose(clip, time + moment));
        let shown: Vec<bool> = (0..clip.nodes.len())
            .map(|index| is_shown(index, time - start).unwrap_or(true))
            .collect();
        for &index in &compared_nodes {
            // A node is hidden if one of its ancestors is hidden.
            let found = node_and_ancestors(clip, index).all(|index| shown[index]);
            let is_equal = poses.iter().any(|pose| pose.nodes[index].is_visible == found);
            let name = &clip.nodes[NodeId::new(index)].name;
            assert!(is_equal, "{title}: {name:?} at {time}: shown is {found}\n{}", notes.0);
        }
    }
    times.len() * compared_nodes.len()
}

fn node_and_ancestors(clip: &Clip, index: usize) -> impl Iterator<Item = usize> {
    let above = |index: &usize| clip.nodes[NodeId::new(*index)].parent.map(NodeId::index);
    std::iter::successors(Some(index), above)
}

/// Replaces the characters that Maya does not allow in names.
fn maya_name(name: &str) -> String {
    let is_legible = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let replaced: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    let needs_more = replaced.is_empty() || replaced.starts_with(|c: char| c.is_ascii_digit());
    if needs_more { format!("_{replaced}") } else { replaced }
}

#[test]
fn anim_round_trip_keeps_the_motion() {
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as .anim, {options:?}");
            let (bytes, report) = exported_as(&clip, "anim", &options);
            let notes = ReportText(report_text(&report));
            let back = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
            let times = comparison_times(&clip, &options);
            if clip.format == FormatId::MAYA {
                compared += compare_tracks(&title, &clip, &back, &times, &notes);
                continue;
            }
            let names: Vec<String> = clip.nodes.iter().map(|node| maya_name(&node.name)).collect();
            let is_unique =
                |name: &String| names.iter().filter(|other| *other == name).count() == 1;
            assert!(
                names.iter().all(is_unique),
                "{title}: names must be unique, because this test does not number them"
            );
            let find_node = |index: usize| {
                let found = back.nodes.iter().position(|node| node.name == names[index]);
                Some(found.unwrap_or_else(|| panic!("{title}: {} is missing", names[index])))
            };
            compared += compare_locals(&title, &clip, &back, &times, &notes, find_node);
            compared += compare_signals(&title, &clip, &back, &times, &notes, |owner, property| {
                track_index(&back, &maya_name(owner), &maya_name(property))
            });
            let times_amid = times_between(&times);
            compared += compare_shown(&title, &clip, &times_amid, &notes, |index, time| {
                let track = track_index(&back, &names[index], "visibility")?;
                let value = back.value(mutoscope_core::clip::TrackId::new(track), time);
                Some(matches!(value, Value::Number(number) if number > 0.5))
            });
        }
    }
    assert!(compared > 50_000, "{compared}");
}

fn compare_worlds(
    title: &str,
    clip: &Clip,
    back: &Clip,
    times: &[f64],
    notes: &ReportText,
    with_rotations: bool,
    find_node: impl Fn(usize) -> Option<usize>,
) -> usize {
    let (start, bound) = (notes.start_time(), 2.0 * TOLERANCE + notes.stated_error());
    let mut compared = 0;
    for &time in times {
        let found = pose(back, time - start);
        let poses = JUMP_SHIFTS_S.map(|moment| pose(clip, time + moment));
        for index in 0..clip.nodes.len() {
            let Some(at) = find_node(index) else { continue };
            let is_there = |pose: &Pose| is_visible_with_ancestors(clip, pose, index);
            if !poses.iter().any(is_there) {
                continue;
            }
            let found = found.nodes[at].world;
            let is_equal = poses.iter().any(|pose| {
                let expected = pose.nodes[index].world;
                let scale = 1.0 + expected.translation.length();
                found.translation.distance(expected.translation) <= bound * scale
                    && (!with_rotations || angle(found.rotation, expected.rotation) <= 2.0 * bound)
            });
            let expected = poses[0].nodes[index].world;
            let name = &clip.nodes[NodeId::new(index)].name;
            // If the node is hidden next to this time, its position is undefined.
            let is_hidden = poses.iter().any(|pose| !is_there(pose));
            assert!(
                is_equal || is_hidden,
                "{title}: {name:?} at {time} is {found:?}, not {expected:?}\n{}",
                notes.0
            );
            compared += 1;
        }
    }
    compared
}

fn is_visible_with_ancestors(clip: &Clip, pose: &Pose, index: usize) -> bool {
    node_and_ancestors(clip, index).all(|index| {
        let node = &pose.nodes[index];
        node.is_visible && node.world.scale.abs().min_element() >= 1e-6
    })
}

#[test]
fn glb_round_trip_keeps_the_motion() {
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as GLB, {options:?}");
            let (bytes, report) = exported_as(&clip, "glb", &options);
            let notes = ReportText(report_text(&report));
            let back = match decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())) {
                Ok(back) => back,
                Err(failure) => {
                    assert!(notes.contains("no animation"), "{title}: {failure}\n{}", notes.0);
                    continue;
                }
            };
            let times = comparison_times(&clip, &options);
            compared += compare_worlds(&title, &clip, &back, &times, &notes, true, Some);
            let times_amid = times_between(&times);
            let poses = poses_of_export(&back, &times_amid, &notes);
            compared += compare_shown(&title, &clip, &times_amid, &notes, |index, time| {
                Some(poses[&time.to_bits()].nodes[index].local.scale != DVec3::ZERO)
            });
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// Returns the poses of an export by the bits of its own time. `times` are those of the source.
fn poses_of_export(back: &Clip, times: &[f64], notes: &ReportText) -> HashMap<u64, Pose> {
    let own_times = times.iter().map(|time| time - notes.start_time());
    own_times.map(|time| (time.to_bits(), pose(back, time))).collect()
}

#[test]
fn fbx_round_trip_keeps_the_motion() {
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as FBX, {options:?}");
            let (bytes, report) = exported_as(&clip, "fbx", &options);
            let notes = ReportText(report_text(&report));
            let request = ReadOptions::from(mutoscope_cli::registry());
            let back = decode(&bytes, &request.with_format(mutoscope_fbx::FORMAT_ID)).unwrap();
            let find_node = |index: usize| {
                let name = &clip.nodes[NodeId::new(index)].name;
                let mut same =
                    (0..back.nodes.len()).filter(|&at| &back.nodes[NodeId::new(at)].name == name);
                same.next().filter(|_| same.next().is_none())
            };
            let times = comparison_times(&clip, &options);
            compared += compare_worlds(&title, &clip, &back, &times, &notes, true, find_node);
            let times_amid = times_between(&times);
            let poses = poses_of_export(&back, &times_amid, &notes);
            compared += compare_shown(&title, &clip, &times_amid, &notes, |index, time| {
                let node = &poses[&time.to_bits()].nodes[find_node(index)?];
                Some(node.local.scale != DVec3::ZERO)
            });
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn bvh_round_trip_keeps_the_motion() {
    let centimetres = Assumptions { metres_per_unit: Some(0.01), ..Assumptions::default() };
    let request = ReadOptions {
        assumptions: FormatAssumptions::for_all_formats(centimetres),
        ..ReadOptions::from(mutoscope_cli::registry())
    };
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as BVH, {options:?}");
            let (bytes, report) = exported_as(&clip, "bvh", &options);
            let notes = ReportText(report_text(&report));
            let back = decode(&bytes, &request).unwrap();
            let last = notes.number_after("the last frame is at").unwrap_or(f64::INFINITY);
            let times: Vec<f64> = back.tracks[0]
                .curve
                .key_times()
                .iter()
                .map(|frame| frame + notes.start_time())
                .filter(|time| *time <= last + 1e-9)
                .collect();
            let whole = clip.span.start..=clip.span.end();
            let to = *options.range.clone().unwrap_or(whole).end();
            let end = *times.last().unwrap();
            let is_reported = (end - last).abs() < 1e-6;
            assert!(
                (end - to).abs() < 1e-4 || is_reported,
                "{title}: {end}, not {to}\n{}",
                notes.0
            );
            let find_node = |index: usize| {
                let name = &clip.nodes[NodeId::new(index)].name;
                let mut same =
                    (0..back.nodes.len()).filter(|&at| &back.nodes[NodeId::new(at)].name == name);
                same.next().filter(|_| same.next().is_none())
            };
            let every = times.len().div_ceil(60);
            let times: Vec<f64> = times.into_iter().step_by(every).collect();
            compared += compare_worlds(&title, &clip, &back, &times, &notes, false, find_node);
        }
    }
    assert!(compared > 20_000, "{compared}");
}

fn minecraft_recordings() -> Vec<(String, Vec<u8>)> {
    let day = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec").to_vec();
    let all = fixtures::mcmocap_fixtures().into_iter().map(|one| (one.name, one.bytes));
    // These files contain actions in an order in which the mod never writes them.
    let sound = all.filter(|(name, _)| !name.starts_with("sink_v"));
    let folder = Path::new(mutoscope_testing::ROOT).join("tests/data/mcmocap-more");
    let mut more: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    more.retain(|path| path.extension().is_some_and(|extension| extension == "mcmocap_rec"));
    more.sort();
    assert!(more.len() > 8, "{more:?}");
    let more = more.into_iter().map(|path| (path.display().to_string(), fs::read(&path).unwrap()));
    sound.chain([("a day".to_owned(), day)]).chain(more).collect()
}

#[test]
fn mcmocap_round_trip_keeps_the_motion() {
    let mut compared = 0;
    for (name, bytes) in minecraft_recordings() {
        let clip = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        let (from, to) = (clip.span.start, clip.span.end());
        let ranges = [
            None,
            Some(from..=to),
            Some(0.33 * to..=0.83 * to),
            Some(3.03..=9.01),
            Some(-1.0..=0.53 * to),
        ];
        for range in ranges {
            let title = format!("{name} as mcmocap_rec, {range:?}");
            let options = RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() };
            let written = rewrite_mcmocap(&bytes, range.as_ref(), options, &mut Diagnostics::new());
            let Ok((written, report)) = written else {
                assert!(range.is_some_and(|range| *range.start() > to - 0.05), "{title}");
                continue;
            };
            let notes = ReportText(report_text(&report));
            let back = decode(&written, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
            compared += compare_minecraft(&title, &clip, &back, range, &notes);
        }
    }
    assert!(compared > 10_000, "{compared}");
}

fn compare_minecraft(
    title: &str,
    clip: &Clip,
    back: &Clip,
    range: Option<std::ops::RangeInclusive<f64>>,
    notes: &ReportText,
) -> usize {
    let start = notes.start_time();
    let (from, to) = range.unwrap_or(clip.span.start..=clip.span.end()).into_inner();
    // The export has the whole ticks within the range.
    let first = (from.max(0.0) * 20.0 - 1e-5).ceil() / 20.0;
    assert!((start - first).abs() < 1e-9, "{title}: begins at {start}, not {first}");
    let dies = notes.number_after("extra ticks: from").unwrap_or(f64::INFINITY);
    let last = to.min(clip.span.end()).min(dies);
    let starts_over = notes.contains("restart at the start of the range");
    let late = if notes.contains("actions of entities are one tick earlier") { 0.05 } else { 0.0 };
    // Riders turn with their vehicle, whose actions are one tick earlier.
    let rides = late > 0.0 && rides_a_vehicle(clip);
    let is_rounded = notes.contains("angles are rounded to 1/65536 of a turn");
    let turned = if is_rounded { 1e-3 } else { 1e-9 };
    let mut compared = 0;
    for tick in 0..=((last - start) * 20.0 + 1e-6).floor() as u32 {
        let time = f64::from(tick) / 20.0;
        let found = pose(back, time);
        for (index, node) in back.nodes.iter().enumerate() {
            let is_entity = node.name.starts_with("entity/");
            let own = pose(clip, start + time + if is_entity { late } else { 0.0 });
            // After the last frame, the actions that come a tick late are unknown.
            if is_entity && late > 0.0 && start + time + late > clip.span.end() - 0.06 {
                continue;
            }
            let at = clip.nodes.iter().position(|own| own.name == node.name);
            let Some(at) = at else { panic!("{title}: {} is new", node.name) };
            let [found, own] = [&found.nodes[index], &own.nodes[at]];
            let is_limb = node.name.starts_with("player") && (starts_over || rides);
            let context = format!("{title}: {} at {}", node.name, start + time);
            // The time since a death depends on ticks before the range.
            assert!(
                found.is_visible == own.is_visible || is_limb,
                "{context}: shown is {}",
                found.is_visible
            );
            if !own.is_visible {
                continue;
            }
            let off = found.local.translation.distance(own.local.translation);
            let off_by = angle(found.local.rotation, own.local.rotation);
            // Of the player, only the position does not depend on the ticks before. Arms depend on
            // the held items.
            let is_arm = node.name.ends_with("_arm") && notes.contains("written as empty hands");
            if is_limb && node.name != "player" || is_arm {
                continue;
            }
            assert!(off < if is_rounded { 1e-3 } else { 1e-9 }, "{context}: {off} m\n{}", notes.0);
            assert!(off_by < turned || is_limb, "{context}: {off_by} rad\n{}", notes.0);
            compared += 1;
        }
    }
    compared
}

fn rides_a_vehicle(clip: &Clip) -> bool {
    let Some(vehicle) = track_index(clip, "player", "vehicle") else { return false };
    let vehicle = mutoscope_core::clip::TrackId::new(vehicle);
    let ticks = 0..=(clip.span.duration * 20.0) as u32;
    ticks.into_iter().any(|tick| clip.value(vehicle, f64::from(tick) / 20.0) != Value::Null)
}
