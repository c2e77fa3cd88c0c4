//! Written files give the same motion when they are read back: all samples, for every target that Mutoscope
//! reads, whole, in part and at a rate. Where the motion differs, the report of the export says so, and by
//! how much.

use std::{collections::HashMap, fs, path::Path};

use glam::DVec3;
use mutoscope_core::{
    clip::{Assumptions, Clip, FormatAssumptions, NodeId, NodeVisibility, Pose, Transform, Value},
    diagnostics::Diagnostics,
    export::ExportOptions,
    formats::{self, DecodeRequest, FormatId},
    io::bytes::FolderSidecars,
    read::{LoadRequest, SkeletonChoice, load},
    skeleton_file::LoadedSkeleton,
};
use mutoscope_minecraft::{rewrite_mcmocap, write::RewriteOptions};

use crate::export::{animj::unique_names, compare::angle, exported_as, fixtures, said};

/// A recording, and the model that it is on.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) clip: Clip,
    model: Option<LoadedSkeleton>,
}

/// All recordings in `assets`, each as it opens by itself; that of Resonite also on its model.
pub(crate) fn samples() -> Vec<Sample> {
    let assets = Path::new(mutoscope_testing::ROOT).join("assets");
    let read = |path: &str| fs::read(assets.join(path)).unwrap();
    let rig = |path: &str| {
        let sidecars = FolderSidecars::for_file(&assets.join(path));
        formats::decode_skeleton(&read(path), path, &sidecars).unwrap()
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
            let skeleton = SkeletonChoice::KeptWithRecording;
            let request =
                LoadRequest { sidecars: &sidecars, skeleton, ..LoadRequest::new(&name, &bytes) };
            let Ok(clip) = load(&request) else {
                assert!(name.ends_with(".CINF") || name.ends_with(".glb"), "{name} is no model");
                continue;
            };
            let model = (clip.format == FormatId::GLTF).then(|| rig(&name));
            samples.push(Sample { name, clip, model });
        }
    }
    assert!(samples.len() >= 9, "{}", samples.len());
    let (name, model) = ("animj/arm-swing.animj", rig("animj/arm-swing.glb"));
    let bytes = read(name);
    let clip = formats::decode(&bytes, &DecodeRequest::default().rig(&model)).unwrap();
    samples.push(Sample { name: format!("{name} on its model"), clip, model: Some(model) });
    let name = "rig/arm.glb";
    let bytes = fixtures::resonite_file(name);
    let clip = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
    let model =
        formats::decode_skeleton(&bytes, name, &mutoscope_core::io::bytes::NoSidecars).unwrap();
    samples.push(Sample { name: name.to_owned(), clip, model: Some(model) });
    samples
}

/// A recording of one track of this type, a cubic.
fn cubic(value_type: &str, last: &str, tangents: [&str; 2]) -> Sample {
    let [right, left] = tangents;
    let text = format!(
        r#"{{"name": "", "globalDuration": 2, "tracks": [{{"trackType": "Curve", "valueType": "{value_type}",
        "data": {{"node": "N", "property": "p", "keyframes": [
        {{"time": 0, "value": 0, "interpolation": "Tangent", "leftTangent": 0, "rightTangent": {right}}},
        {{"time": 2, "value": {last}, "interpolation": "Hold", "leftTangent": {left}, "rightTangent": 0}}]}}}}]}}"#
    );
    let clip = formats::decode(text.as_bytes(), &DecodeRequest::default()).unwrap();
    Sample { name: format!("a cubic of {value_type}"), clip, model: None }
}

/// Whole, in part and at a rate: rates that meet the end and that do not, ranges within and beyond.
fn options(clip: &Clip) -> Vec<ExportOptions> {
    let (from, length) = (clip.span.start, clip.span.duration);
    let ranges = [None, Some((0.3137, 0.8291)), Some((-0.1, 0.5))];
    let mut all = Vec::new();
    for range in ranges {
        let range = range.map(|(a, b)| from + a * length..=from + b * length);
        for rate in [None, Some(30.0), Some(7.3)] {
            let title = "take".to_owned();
            all.push(ExportOptions { title, range: range.clone(), rate });
        }
    }
    all
}

/// The text of an export report.
struct Told(String);

impl Told {
    fn says(&self, words: &str) -> bool {
        self.0.contains(words)
    }

    /// The number after these words, wherever they stand; the largest.
    fn number_after(&self, words: &str) -> Option<f64> {
        let numbers = self.0.match_indices(words).filter_map(|(at, _)| {
            let rest = self.0[at + words.len()..].trim_start();
            rest.split(|c: char| c.is_whitespace() || c == ':' || c == ',').next()?.parse().ok()
        });
        numbers.reduce(f64::max)
    }

    /// The time of the recording at time 0 of what was written.
    fn start(&self) -> f64 {
        self.number_after("time 0 of the file is").unwrap_or(0.0)
    }

    /// How far it is off, in metres and radians, by its own words.
    fn off(&self) -> f64 {
        let between = self.0.lines().filter(|line| line.contains("off between keys"));
        let between = between.filter_map(|line| Told(line.to_owned()).number_after("up to"));
        let coarse = self.number_after("rounds them to steps of");
        between.chain(coarse).fold(0.0, f64::max)
    }
}

/// The times at which something is compared: of those that were sampled all, else many, the ends among them.
fn places(clip: &Clip, options: &ExportOptions) -> Vec<f64> {
    let whole = clip.span.start..=clip.span.end();
    let (from, to) = options.range.clone().unwrap_or(whole).into_inner();
    let step = options.rate.map_or((to - from) / 97.31, |rate| 1.0 / rate);
    let count = ((to - from) / step).floor() as u32;
    let mut times: Vec<f64> = (0..=count).map(|index| from + f64::from(index) * step).collect();
    // About 120 times of each are enough.
    let every = times.len().div_ceil(120);
    times = times.into_iter().step_by(every).chain([to]).collect();
    times
}

/// Times amid those: what holds is compared at any.
fn between(times: &[f64]) -> Vec<f64> {
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

/// Offsets in seconds at which the recording is looked up around a time: a jump may be shifted by
/// rounding, and in GLB, for Blender, by a millisecond.
const MOMENTS: [f64; 5] = [0.0, -2e-5, 2e-5, -1.1e-3, 1.1e-3];

/// Whether anything of the recording within a moment of `time` is as it was found.
fn any_moment(time: f64, mut is_so: impl FnMut(f64) -> bool) -> bool {
    MOMENTS.iter().any(|moment| is_so(time + moment))
}

/// The greatest deviation of two transforms, beyond the reported one.
const NEAR: f64 = 6e-5;

fn is_near(found: &Transform, expected: &Transform, bound: f64) -> bool {
    let far = 1.0 + expected.translation.length();
    found.translation.distance(expected.translation) <= bound * far
        && angle(found.rotation, expected.rotation) <= 2.0 * bound
        && found.scale.distance(expected.scale) <= bound * (1.0 + expected.scale.length())
}

/// Compares where the nodes are relative to their parents: `of` gives for a node of the recording that of what
/// was read back, nothing for one that has no track there.
fn compare_locals(
    title: &str,
    (clip, back): (&Clip, &Clip),
    (times, told): (&[f64], &Told),
    of: impl Fn(usize) -> Option<usize>,
) -> usize {
    let start = told.start();
    let bound = NEAR + told.off();
    for &time in times {
        let found = pose(back, time - start);
        let mut known: Vec<(f64, Pose)> = Vec::new();
        for index in 0..clip.nodes.len() {
            let found = of(index).map_or(Transform::IDENTITY, |index| found.nodes[index].local);
            let is_so = any_moment(time, |at| {
                if !known.iter().any(|(taken, _)| *taken == at) {
                    known.push((at, pose(clip, at)));
                }
                let expected = known.iter().find(|(taken, _)| *taken == at).unwrap();
                let stands = &expected.1.nodes[index];
                // In single precision some scales of 0 have any rotation.
                !stands.local.is_finite() || is_near(&found, &stands.local, bound)
            });
            let expected = known[0].1.nodes[index].local;
            let name = &clip.nodes[NodeId::new(index)].name;
            assert!(
                is_so,
                "{title}: {name:?} at {time} is {found:?}, not {expected:?}\n{}",
                told.0
            );
        }
    }
    times.len() * clip.nodes.len()
}

/// Compares values of tracks.
pub(crate) fn is_same_value(found: &Value, expected: &Value, off: f64, off_whole: f64) -> bool {
    let near = |found: f64, expected: f64| {
        found == expected || (found - expected).abs() <= off + 2e-6 * (1.0 + expected.abs())
    };
    let whole = |found: i128, expected: i128| {
        found == expected || ((found - expected) as f64).abs() <= off_whole
    };
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) => near(*found, *expected),
        (Value::Integer(found), Value::Integer(expected)) => whole(*found, *expected),
        (Value::Numbers(found), Value::Numbers(expected)) => {
            let pairs = || found.iter().zip(expected);
            let is_same = |sign: f64| pairs().all(|(found, one)| near(*found, sign * one));
            // A rotation has two signs.
            is_same(1.0) || found.len() == 4 && is_same(-1.0)
        }
        (Value::Integers(found), Value::Integers(expected)) => {
            found.iter().zip(expected).all(|(found, expected)| whole(*found, *expected))
        }
        // A state as a number.
        (Value::Number(found), Value::Bool(expected)) => *found == f64::from(u8::from(*expected)),
        (Value::Number(found), Value::Integer(expected)) => near(*found, *expected as f64),
        (Value::Bool(found), Value::Number(expected)) => *found == (*expected > 0.5),
        _ => found == expected,
    }
}

/// Compares every signal that is not reported as skipped with the track that `of` finds for it.
fn compare_signals(
    title: &str,
    (clip, back): (&Clip, &Clip),
    (times, told): (&[f64], &Told),
    of: impl Fn(&str, &str) -> Option<usize>,
) -> usize {
    let start = told.start();
    let off = told.number_after("signals up to").unwrap_or(0.0) + 1e-5;
    let mut compared = 0;
    for signal in &clip.signals {
        let track = clip.track(signal.track);
        let Some(found) = of(clip.owner_name(track.owner), &track.property) else {
            let quoted = format!("{:?}", signal.name);
            let is_told = told.0.lines().any(|line| {
                line.contains("skipped") && (line.contains(&quoted) || line.contains(" more"))
            });
            let is_mute = track.curve.key_count() == 0;
            assert!(is_told || is_mute, "{title}: {quoted} is lost unsaid\n{}", told.0);
            continue;
        };
        // Signals that are reported to hold between keys are not compared there.
        let quoted = format!("{:?}", signal.name);
        let holds = |line: &str| line.contains("held from key to key") && line.contains(&quoted);
        if told.0.lines().any(holds) {
            continue;
        }
        let found = mutoscope_core::clip::TrackId::new(found);
        // Numbers that are sampled run straight between samples; states hold until they change.
        let amid = between(times);
        let is_state = |time: &&f64| {
            !matches!(clip.value(signal.track, **time), Value::Number(_) | Value::Numbers(_))
        };
        for &time in times.iter().chain(amid.iter().filter(is_state)) {
            let value = back.value(found, time - start);
            let is_so = any_moment(time, |at| {
                is_same_value(&value, &clip.value(signal.track, at), off, 0.0)
            });
            let expected = clip.value(signal.track, time);
            assert!(is_so, "{title}: {} at {time} is {value:?}, not {expected:?}", signal.name);
            compared += 1;
        }
    }
    compared
}

/// Compares every track of a recording with the same of what was written in its own format.
fn compare_tracks(title: &str, (clip, back): (&Clip, &Clip), times: &[f64], told: &Told) -> usize {
    let start = told.start();
    let off_whole = match told.says("values there may be off by one") {
        true => 1.0,
        false => told.number_after("values there may be off by up to").unwrap_or(0.0),
    };
    // Sampled curves change from integer to integer.
    let off_whole = if told.says("sampled at") { 1.0 } else { off_whole };
    let find = |index: usize| {
        let track = &clip.tracks[index];
        let nth = clip.tracks[..index]
            .iter()
            .filter(|one| is_named_alike(clip, one, clip, track))
            .count();
        let same = (0..back.tracks.len())
            .filter(|&at| is_named_alike(back, &back.tracks[at], clip, track));
        same.into_iter().nth(nth)
    };
    let mut compared = 0;
    for (index, track) in clip.tracks.iter().enumerate() {
        let name = format!("{}.{}", clip.owner_name(track.owner), track.property);
        let Some(found) = find(index) else {
            assert!(told.says("skipped"), "{title}: {name} is lost unsaid\n{}", told.0);
            continue;
        };
        let [own, found] = [index, found].map(mutoscope_core::clip::TrackId::new);
        // Between their keys, whole numbers of 64 bits are computed in doubles.
        let largest = (0..track.curve.key_count()).map(|key| match track.curve.key_value(key) {
            Value::Integer(integer) => integer.unsigned_abs() as f64,
            _ => 0.0,
        });
        let off_whole = off_whole + 1e-14 * largest.fold(0.0, f64::max);
        // A rotation that is cut amid its tangents is a key of another length.
        let is_rotation = track.curve.type_name().ends_with('Q');
        let turn = |value: Value| if is_rotation { unit(value) } else { value };
        for &time in times {
            let value = turn(back.value(found, time - start));
            let is_so = any_moment(time, |at| {
                is_same_value(&value, &turn(clip.value(own, at)), 1e-5, off_whole)
            });
            let expected = clip.value(own, time);
            assert!(is_so, "{title}: {name} at {time} is {value:?}, not {expected:?}\n{}", told.0);
            compared += 1;
        }
    }
    compared
}

/// The same rotation of unit length.
fn unit(value: Value) -> Value {
    let Value::Numbers(numbers) = &value else { return value };
    let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    if length == 0.0 {
        return value;
    }
    let unit: Vec<f64> = numbers.iter().map(|number| number / length).collect();
    Value::from_numbers(unit.into_iter())
}

fn is_named_alike(
    one: &Clip,
    track: &mutoscope_core::clip::Track,
    other: &Clip,
    wanted: &mutoscope_core::clip::Track,
) -> bool {
    one.owner_name(track.owner) == other.owner_name(wanted.owner)
        && track.property == wanted.property
}

/// The track of this property of the owner with this name.
fn track_of(clip: &Clip, owner: &str, property: &str) -> Option<usize> {
    clip.tracks
        .iter()
        .position(|track| clip.owner_name(track.owner) == owner && track.property == property)
}

fn is_resonites(clip: &Clip) -> bool {
    matches!(clip.format, FormatId::ANIMJ | FormatId::ANIMX)
}

#[test]
fn animj_is_the_same_motion() {
    let mut all = samples();
    let max = i64::MAX.to_string();
    all.push(cubic("int", "100", ["0", "0"]));
    all.push(cubic("int", "-7", ["90", "33"]));
    all.push(cubic("long", &max, ["3", "0"]));
    all.push(cubic("byte", "200", ["255", "40"]));
    all.push(cubic("double", "100", ["0.5", "-7.25"]));
    let all_types = fixtures::resonite_file("generated/all_types.animj");
    let clip = formats::decode(&all_types, &DecodeRequest::default()).unwrap();
    all.push(Sample { name: "all types".to_owned(), clip, model: None });
    let mut compared = 0;
    for Sample { name, clip, model } in all {
        for options in options(&clip) {
            let title = format!("{name} as AnimJ, {options:?}");
            let (bytes, report) = exported_as(&clip, "animj", &options);
            crate::export::strict_animj::read(&title, &bytes);
            let told = Told(said(&report));
            // A file on a model is read on that model, and reports it.
            let is_mirrored = told.says("mirrored in x");
            let is_own = is_resonites(&clip);
            assert_eq!(is_mirrored, model.is_some() && !is_own, "{title}");
            let model = model.as_ref().filter(|_| is_mirrored || is_own);
            let request = DecodeRequest { rig: model, ..DecodeRequest::default() };
            let back = formats::decode(&bytes, &request).unwrap();
            let times = places(&clip, &options);
            if is_own {
                compared += compare_tracks(&title, (&clip, &back), &times, &told);
                continue;
            }
            let names = unique_names(&clip);
            let of = |index: usize| {
                let found = back.nodes.iter().position(|node| node.name == names[index]);
                // On its model it has all of them.
                assert!(found.is_some() || model.is_none(), "{title}: {} is lost", names[index]);
                found
            };
            compared += compare_locals(&title, (&clip, &back), (&times, &told), of);
            compared +=
                compare_signals(&title, (&clip, &back), (&times, &told), |owner, property| {
                    track_of(&back, owner, property)
                });
            let amid = between(&times);
            compared += compare_shown(&title, (&clip, &amid, &told), |index, time| {
                let track = track_of(&back, &names[index], "Active")?;
                Some(back.value(mutoscope_core::clip::TrackId::new(track), time).is_true())
            });
        }
    }
    assert!(compared > 100_000, "{compared}");
}

/// Compares when nodes are visible, at any time: `is_shown` gives what was written of a node itself.
fn compare_shown(
    title: &str,
    (clip, times, told): (&Clip, &[f64], &Told),
    is_shown: impl Fn(usize, f64) -> Option<bool>,
) -> usize {
    let start = told.start();
    // Of what the file has nothing to show of, some targets keep the place.
    let has_never = |index| {
        chain(clip, index)
            .any(|at| clip.nodes[NodeId::new(at)].motion.visibility == NodeVisibility::Never)
    };
    let seen: Vec<usize> = (0..clip.nodes.len()).filter(|&index| !has_never(index)).collect();
    for &time in times {
        let poses = [0.0, -2e-5, 2e-5].map(|moment| pose(clip, time + moment));
        let shown: Vec<bool> = (0..clip.nodes.len())
            .map(|index| is_shown(index, time - start).unwrap_or(true))
            .collect();
        for &index in &seen {
            // A child of a hidden node is hidden.
            let found = chain(clip, index).all(|index| shown[index]);
            let is_so = poses.iter().any(|pose| pose.nodes[index].is_visible == found);
            let name = &clip.nodes[NodeId::new(index)].name;
            assert!(is_so, "{title}: {name:?} at {time}: shown is {found}\n{}", told.0);
        }
    }
    times.len() * seen.len()
}

/// A node and its ancestors, up to the root.
fn chain(clip: &Clip, index: usize) -> impl Iterator<Item = usize> {
    let above = |index: &usize| clip.nodes[NodeId::new(*index)].parent.map(NodeId::index);
    std::iter::successors(Some(index), above)
}

/// A name that Maya can have.
fn legible(name: &str) -> String {
    let is_legible = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let made: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    let needs_more = made.is_empty() || made.starts_with(|c: char| c.is_ascii_digit());
    if needs_more { format!("_{made}") } else { made }
}

#[test]
fn anim_is_the_same_motion() {
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as .anim, {options:?}");
            let (bytes, report) = exported_as(&clip, "anim", &options);
            let told = Told(said(&report));
            let back = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
            let times = places(&clip, &options);
            if clip.format == FormatId::MAYA {
                compared += compare_tracks(&title, (&clip, &back), &times, &told);
                continue;
            }
            let names: Vec<String> = clip.nodes.iter().map(|node| legible(&node.name)).collect();
            let is_unique =
                |name: &String| names.iter().filter(|other| *other == name).count() == 1;
            assert!(names.iter().all(is_unique), "{title}: this test does not number names");
            let of = |index: usize| {
                let found = back.nodes.iter().position(|node| node.name == names[index]);
                Some(found.unwrap_or_else(|| panic!("{title}: {} is lost", names[index])))
            };
            compared += compare_locals(&title, (&clip, &back), (&times, &told), of);
            compared +=
                compare_signals(&title, (&clip, &back), (&times, &told), |owner, property| {
                    track_of(&back, &legible(owner), &legible(property))
                });
            let amid = between(&times);
            compared += compare_shown(&title, (&clip, &amid, &told), |index, time| {
                let track = track_of(&back, &names[index], "visibility")?;
                let value = back.value(mutoscope_core::clip::TrackId::new(track), time);
                Some(matches!(value, Value::Number(number) if number > 0.5))
            });
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// Compares where nodes are in the world.
fn compare_worlds(
    title: &str,
    (clip, back): (&Clip, &Clip),
    (times, told): (&[f64], &Told),
    (turns, of): (bool, impl Fn(usize) -> Option<usize>),
) -> usize {
    let (start, bound) = (told.start(), 2.0 * NEAR + told.off());
    let mut compared = 0;
    for &time in times {
        let found = pose(back, time - start);
        let poses = MOMENTS.map(|moment| pose(clip, time + moment));
        for index in 0..clip.nodes.len() {
            let Some(at) = of(index) else { continue };
            let is_there = |pose: &Pose| is_shown_throughout(clip, pose, index);
            if !poses.iter().any(is_there) {
                continue;
            }
            let found = found.nodes[at].world;
            let is_so = poses.iter().any(|pose| {
                let expected = pose.nodes[index].world;
                let far = 1.0 + expected.translation.length();
                found.translation.distance(expected.translation) <= bound * far
                    && (!turns || angle(found.rotation, expected.rotation) <= 2.0 * bound)
            });
            let expected = poses[0].nodes[index].world;
            let name = &clip.nodes[NodeId::new(index)].name;
            // A node that is hidden at this very moment has no position.
            let is_hidden = poses.iter().any(|pose| !is_there(pose));
            assert!(
                is_so || is_hidden,
                "{title}: {name:?} at {time} is {found:?}, not {expected:?}\n{}",
                told.0
            );
            compared += 1;
        }
    }
    compared
}

/// Whether nothing that the node is a child of is hidden or without size.
fn is_shown_throughout(clip: &Clip, pose: &Pose, index: usize) -> bool {
    chain(clip, index).all(|index| {
        let node = &pose.nodes[index];
        node.is_visible && node.world.scale.abs().min_element() >= 1e-6
    })
}

#[test]
fn glb_is_the_same_motion() {
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as GLB, {options:?}");
            let (bytes, report) = exported_as(&clip, "glb", &options);
            let told = Told(said(&report));
            let back = match formats::decode(&bytes, &DecodeRequest::default()) {
                Ok(back) => back,
                Err(failure) => {
                    assert!(told.says("no animation"), "{title}: {failure}\n{}", told.0);
                    continue;
                }
            };
            let times = places(&clip, &options);
            let worlds = (true, Some);
            compared += compare_worlds(&title, (&clip, &back), (&times, &told), worlds);
            let amid = between(&times);
            let poses: HashMap<u64, Pose> = amid
                .iter()
                .map(|time| time - told.start())
                .map(|time| (time.to_bits(), pose(&back, time)))
                .collect();
            compared += compare_shown(&title, (&clip, &amid, &told), |index, time| {
                Some(poses[&time.to_bits()].nodes[index].local.scale != DVec3::ZERO)
            });
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn bvh_is_the_same_motion() {
    let metres = Assumptions { metres_per_unit: Some(1.0), ..Assumptions::default() };
    let request = DecodeRequest::default().assumptions(FormatAssumptions::for_all_formats(metres));
    let mut compared = 0;
    for Sample { name, clip, .. } in samples() {
        for options in options(&clip) {
            let title = format!("{name} as BVH, {options:?}");
            let (bytes, report) = exported_as(&clip, "bvh", &options);
            let told = Told(said(&report));
            let back = formats::decode(&bytes, &request).unwrap();
            let last = told.number_after("the last frame is at").unwrap_or(f64::INFINITY);
            let times: Vec<f64> = back.tracks[0]
                .curve
                .key_times()
                .iter()
                .map(|frame| frame + told.start())
                .filter(|time| *time <= last + 1e-9)
                .collect();
            let whole = clip.span.start..=clip.span.end();
            let to = *options.range.clone().unwrap_or(whole).end();
            let end = *times.last().unwrap();
            let is_told = (end - last).abs() < 1e-6;
            assert!((end - to).abs() < 1e-4 || is_told, "{title}: {end}, not {to}\n{}", told.0);
            let of = |index: usize| {
                let name = &clip.nodes[NodeId::new(index)].name;
                let mut same =
                    (0..back.nodes.len()).filter(|&at| &back.nodes[NodeId::new(at)].name == name);
                same.next().filter(|_| same.next().is_none())
            };
            let every = times.len().div_ceil(60);
            let times: Vec<f64> = times.into_iter().step_by(every).collect();
            compared += compare_worlds(&title, (&clip, &back), (&times, &told), (false, of));
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// The recordings of Minecraft: those of the samples and one of each version that there was.
fn minecraft() -> Vec<(String, Vec<u8>)> {
    let day = include_bytes!("../../../../../assets/mcmocap/a-day.mcmocap_rec").to_vec();
    let all = fixtures::mcmocap_fixtures().into_iter().map(|one| (one.name, one.bytes));
    // Files of all actions in no order that the mod would write them in.
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
fn mcmocap_is_the_same_motion() {
    let mut compared = 0;
    for (name, bytes) in minecraft() {
        let clip = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
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
            let how = RewriteOptions { drops_numeric_ids: true, ..RewriteOptions::default() };
            let written = rewrite_mcmocap(&bytes, range.as_ref(), how, &mut Diagnostics::new());
            let Ok((written, report)) = written else {
                assert!(range.is_some_and(|range| *range.start() > to - 0.05), "{title}");
                continue;
            };
            let told = Told(said(&report));
            let back = formats::decode(&written, &DecodeRequest::default()).unwrap();
            compared += compare_minecraft(&title, (&clip, &back), range, &told);
        }
    }
    assert!(compared > 10_000, "{compared}");
}

fn compare_minecraft(
    title: &str,
    (clip, back): (&Clip, &Clip),
    range: Option<std::ops::RangeInclusive<f64>>,
    told: &Told,
) -> usize {
    let start = told.start();
    let (from, to) = range.unwrap_or(clip.span.start..=clip.span.end()).into_inner();
    // Whole ticks are those within the range, or it says which.
    let first = (from.max(0.0) * 20.0 - 1e-5).ceil() / 20.0;
    assert!((start - first).abs() < 1e-9, "{title}: begins at {start}, not {first}");
    let dies = told.number_after("extra ticks: from").unwrap_or(f64::INFINITY);
    let last = to.min(clip.span.end()).min(dies);
    let starts_over = told.says("restart at the start of the range");
    let late = if told.says("actions of entities are one tick earlier") { 0.05 } else { 0.0 };
    // Riders turn with their vehicle, a tick earlier too.
    let rides = late > 0.0 && has_ridden(clip);
    let is_rounded = told.says("angles are rounded to 1/65536 of a turn");
    let turned = if is_rounded { 1e-3 } else { 1e-9 };
    let mut compared = 0;
    for tick in 0..=((last - start) * 20.0 + 1e-6).floor() as u32 {
        let time = f64::from(tick) / 20.0;
        let found = pose(back, time);
        for (index, node) in back.nodes.iter().enumerate() {
            let is_entity = node.name.starts_with("entity/");
            let own = pose(clip, start + time + if is_entity { late } else { 0.0 });
            // Behind the last frame nothing is known of what comes a tick late.
            if is_entity && late > 0.0 && start + time + late > clip.span.end() - 0.06 {
                continue;
            }
            let at = clip.nodes.iter().position(|own| own.name == node.name);
            let Some(at) = at else { panic!("{title}: {} is new", node.name) };
            let [found, own] = [&found.nodes[index], &own.nodes[at]];
            let is_limb = node.name.starts_with("player") && (starts_over || rides);
            let place = format!("{title}: {} at {}", node.name, start + time);
            // How long somebody has been dead is such a state.
            assert!(
                found.is_visible == own.is_visible || is_limb,
                "{place}: shown is {}",
                found.is_visible
            );
            if !own.is_visible {
                continue;
            }
            let off = found.local.translation.distance(own.local.translation);
            let off_by = angle(found.local.rotation, own.local.rotation);
            // Only the player's position does not follow from the ticks before; arms depend on the held
            // items.
            let is_arm = node.name.ends_with("_arm") && told.says("written as empty hands");
            if is_limb && node.name != "player" || is_arm {
                continue;
            }
            assert!(off < if is_rounded { 1e-3 } else { 1e-9 }, "{place}: {off} m\n{}", told.0);
            assert!(off_by < turned || is_limb, "{place}: {off_by} rad\n{}", told.0);
            compared += 1;
        }
    }
    compared
}

/// Whether the player ever rides anything.
fn has_ridden(clip: &Clip) -> bool {
    let Some(vehicle) = track_of(clip, "player", "vehicle") else { return false };
    let vehicle = mutoscope_core::clip::TrackId::new(vehicle);
    let ticks = 0..=(clip.span.duration * 20.0) as u32;
    ticks.into_iter().any(|tick| clip.value(vehicle, f64::from(tick) / 20.0) != Value::Null)
}
