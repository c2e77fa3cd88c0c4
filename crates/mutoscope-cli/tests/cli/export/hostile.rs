//! Tests of exports of recordings that no recorder would write.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use glam::DVec3;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, ProceduralAnimation, Transform},
    decode,
    export::{ExportError, ExportOptions, ExportTarget, Progress},
    formats::mrtk::{self, JOINTS},
    io::bytes::NoSidecars,
};

use crate::export::{
    exported, exported_as, exported_once, glb, mcap, recordings, report_text, targets_for_any_node,
    targets_for_hands,
};
use mutoscope_testing::{
    recording::{Keys, Recording},
    scaling::assert_grows_linearly,
};

/// The name of a node, its keys as pairs of time and x, and the interpolation.
type Track<'a> = (&'a str, &'a [(f64, f64)], &'a str);

fn animation(tracks: &[Track]) -> Clip {
    let track = |(node, keys, run): &Track| {
        let keys: Vec<_> = keys
            .iter()
            .map(|(time, x)| {
                format!(
                    r#"{{"time": {time:?}, "value": {{"x": {x:?}, "y": 0, "z": 0}}, "interpolation": "{run}"}}"#
                )
            })
            .collect();
        format!(
            r#"{{"trackType": "Curve", "valueType": "float3", "data": {{"node": {}, "property": "Position",
               "keyframes": [{}]}}}}"#,
            serde_json::to_string(node).unwrap(),
            keys.join(",")
        )
    };
    let tracks: Vec<_> = tracks.iter().map(track).collect();
    let text = format!(r#"{{"tracks": [{}]}}"#, tracks.join(","));
    decode(
        text.as_bytes(),
        &ReadOptions::from(mutoscope_cli::registry())
            .with_format(mutoscope_core::formats::FormatId::ANIMJ),
    )
    .unwrap()
}

#[test]
fn empty_single_key_and_zero_length_clips_are_exported() {
    let clips = [
        animation(&[]),
        animation(&[("still", &[(0.0, 1.0)], "Linear")]),
        animation(&[("late", &[(5.0, 1.0)], "Linear")]),
        animation(&[("jump", &[(0.0, 1.0), (0.0, 2.0)], "Linear")]),
        animation(&[("none", &[], "Hold")]),
        animation(&[("tiny", &[(0.0, 0.0), (1e-300, 1.0)], "Linear")]),
        animation(&[("huge", &[(0.0, 1e38), (1e9, -1e38)], "Linear")]),
    ];
    for clip in &clips {
        for target in targets_for_any_node() {
            let mut bytes = Vec::new();
            match target.write(
                clip,
                &ExportOptions::default(),
                &mut bytes,
                &mut Progress::default(),
            ) {
                Ok(_) => assert!(!bytes.is_empty(), "{}", target.extension),
                // A clip of thirty years has more frames than the limit of BVH.
                Err(ExportError::LimitExceeded(_)) if target.extension == "bvh" => {}
                // FBX cannot hold a clip of thirty years, and no clip without nodes.
                Err(ExportError::Refused { .. }) if target.extension == "fbx" => {}
                Err(error) => panic!("{}: {error}", target.extension),
            }
        }
    }
}

#[test]
fn empty_exports_are_reported() {
    let clip = animation(&[]);
    for (target, words) in [("glb", "an empty scene"), ("anim", "the file has no curves")] {
        let text = report_text(&exported(&clip, target).1);
        assert!(text.contains("warning: ") && text.contains(words), "{target}: {text}");
    }
}

#[test]
fn any_node_names_are_accepted() {
    let names =
        ["", "a b", "say \"hi\"", "two\nlines", "comma,", "{", "}", "é☃", "a", "a", "a;#//"];
    let tracks: Vec<_> =
        names.iter().map(|name| (*name, &[(0.0, 0.0), (1.0, 1.0)][..], "Linear")).collect();
    let clip = animation(&tracks);
    for target in targets_for_any_node() {
        assert!(!exported(&clip, target.id).0.is_empty(), "{}", target.extension);
    }
}

#[test]
fn export_refuses_unbounded_sample_counts() {
    let clip = animation(&[("left/Palm", &[(0.0, 0.0), (1e30, 1.0)], "Linear")]);
    for target in targets_for_hands() {
        let options = ExportOptions { rate: Some(1000.0), ..ExportOptions::default() };
        let result = target.write(&clip, &options, &mut Vec::new(), &mut Progress::default());
        let is_refused =
            matches!(result, Err(ExportError::LimitExceeded(_) | ExportError::Refused { .. }));
        assert!(is_refused, "{}", target.extension);
    }
}

#[test]
fn export_work_grows_linearly_with_keys() {
    let clip = |count: usize| {
        let keys: Vec<_> =
            (0..count / 8).map(|key| (key as f64 / 100.0, (key % 7) as f64)).collect();
        let names = JOINTS[..8].iter().map(|joint| format!("left/{}", joint.name));
        let names: Vec<String> = names.collect();
        let tracks: Vec<Track> = names.iter().map(|name| (&**name, &keys[..], "Linear")).collect();
        animation(&tracks)
    };
    for target in targets_for_hands() {
        let work = |clip: &Clip| drop(exported(clip, target.id));
        assert_grows_linearly(target.id, 160_000, clip, work);
    }
}

/// Moves every node too fast to be traced, each differently, and counts the evaluations.
#[derive(Debug)]
struct UntraceableMotion {
    nodes: usize,
    evaluations: Arc<AtomicUsize>,
}

impl ProceduralAnimation for UntraceableMotion {
    fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        for node in 0..self.nodes {
            let translation = DVec3::X * (1e7 * time + node as f64).sin();
            set(NodeId::new(node), Transform { translation, ..Transform::IDENTITY }, true);
        }
    }
}

/// One evaluation gives the transforms of all nodes, so the limit applies to all of them together.
#[test]
fn work_for_untraceable_motion_is_limited() {
    const NODES: usize = 50;
    let names: Vec<String> = (0..NODES).map(|node| node.to_string()).collect();
    let keys: Vec<(f64, f64)> = (0..10).map(|key| (f64::from(key), 0.0)).collect();
    let tracks: Vec<Track> = names.iter().map(|name| (&**name, &keys[..], "Linear")).collect();
    let mut clip = animation(&tracks);
    let evaluations = Arc::new(AtomicUsize::new(0));
    clip.procedural =
        Some(Arc::new(UntraceableMotion { nodes: NODES, evaluations: Arc::clone(&evaluations) }));
    for target in ["glb", "anim"] {
        evaluations.store(0, Ordering::Relaxed);
        let report = report_text(&exported(&clip, target).1);
        let evaluations = evaluations.load(Ordering::Relaxed);
        // The limit has a budget for the whole clip, one for each gap, and a few keys for each node
        // and gap.
        let limit = (1 << 22) / NODES + keys.len() * (2 * 1024 + NODES * 4 * 20);
        assert!(evaluations < limit, "{target}: {evaluations} poses, more than {limit}");
        assert!(report.contains("more keys than are inserted"), "{target}: {report}");
    }
}

/// The tangents are huge, so the exporter would insert very many keys without a limit.
#[test]
fn inserted_keys_are_limited_by_existing_keys() {
    let steep_curves = |count: usize| {
        let keys: Vec<_> = (0..count)
            .map(|key| {
                let (time, sign) = (10.0 * key as f64, if key % 2 == 0 { 1 } else { -1 });
                format!(
                    r#"{{"time": {time:?}, "value": {{"x": 0, "y": {sign}, "z": 0}},
                       "leftTangent": {{"x": {sign}e30, "y": 1, "z": 0}},
                       "rightTangent": {{"x": {sign}e30, "y": 1, "z": 0}}, "interpolation": "Tangent"}}"#
                )
            })
            .collect();
        let track = |node: usize| {
            format!(
                r#"{{"trackType": "Curve", "valueType": "float3", "data": {{"node": "{node}",
                   "property": "Position", "keyframes": [{}]}}}}"#,
                keys.join(",")
            )
        };
        let tracks: Vec<_> = (0..10).map(track).collect();
        let text = format!(r#"{{"tracks": [{}]}}"#, tracks.join(","));
        decode(text.as_bytes(), &ReadOptions::from(mutoscope_cli::registry())).unwrap()
    };
    for count in [30, 300] {
        let clip = steep_curves(count);
        let report = report_text(&exported(&clip, "glb").1);
        let inserted = report.lines().find_map(|line| {
            let words = line.split_once("; ")?.1;
            words.split_once(" keys of ")?.0.parse::<usize>().ok()
        });
        let limit = (1 << 19) + 10 * count * 200;
        assert!(
            inserted.is_some_and(|inserted| inserted < limit),
            "{count}: {inserted:?}, {report}"
        );
        assert!(report.contains("more keys than are inserted"), "{count}: {report}");
    }
}

#[test]
fn real_recordings_are_traced_completely() {
    for (name, clip) in recordings() {
        for target in ["glb", "anim"] {
            let report = report_text(&exported_once(&name, &clip, target).1);
            assert!(!report.contains("more keys than are inserted"), "{name}, {target}: {report}");
        }
    }
}

#[test]
fn ranges_before_and_after_the_clip_are_written() {
    let clip = animation(&[("left/Palm", &[(0.0, 0.0), (1.0, 1.0)], "Linear")]);
    for target in targets_for_hands() {
        for range in [-2.0..=-1.0, 0.5..=0.5, 5.0..=6.0, -1.0..=3.0] {
            let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
            assert!(!exported_as(&clip, target.id, &options).0.is_empty());
        }
    }
    assert!(mutoscope_cli::targets().target_for_extension("obj").is_none());
}

#[test]
fn non_finite_values_are_skipped_and_reported() {
    let still = |value| Keys::simple(&[(0.0, value)]);
    let broken = Keys::simple(&[(0.0, 1.0), (1.0, f32::NAN), (2.0, 3.0), (3.0, f32::INFINITY)]);
    let gaze = [broken, still(2.0), still(3.0), still(0.0), still(0.0), still(1.0)];
    let clip =
        decode(&Recording::with_gaze(gaze).encode(), &ReadOptions::from(mutoscope_cli::registry()))
            .unwrap();
    // Tables for data frames keep non-finite values, which
    // `tables::every_row_equals_the_sampled_pose` checks.
    let keeps = |target: &&ExportTarget| ["parquet", "arrow"].contains(&target.extension);
    for target in targets_for_hands().filter(|target| !keeps(target)) {
        let (bytes, report) = exported(&clip, target.id);
        if target.id == "glb" {
            assert!(glb::animation_numbers(&bytes).iter().all(|number| number.is_finite()));
        } else if target.id == "mcap" {
            assert!(mcap::transform_numbers(&bytes).iter().all(|number| number.is_finite()));
        } else if target.id == "mrtk" {
            let document = mrtk::decode(&bytes).unwrap();
            let keys = document.curves().map(|curve| curve.read_keys().unwrap());
            assert!(keys.flat_map(|keys| keys.values().to_vec()).all(f32::is_finite));
        } else if target.id == "fbx" {
            let request = ReadOptions::from(mutoscope_cli::registry());
            let back = decode(&bytes, &request).unwrap();
            assert_eq!(back.diagnostics.len(), 0, "{:?}", back.diagnostics);
        } else if target.id == "animx" {
            let back = decode(&bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
            let has_values = |code: &str| code.contains("non-finite");
            assert!(!back.diagnostics.iter().any(|one| has_values(one.code.as_str())));
        } else {
            let text = String::from_utf8(bytes).unwrap();
            let is_number = |word: &&str| word.parse::<f64>().is_ok_and(|it| !it.is_finite());
            let words = text.split(|c: char| c.is_whitespace() || ",;:".contains(c));
            assert_eq!(words.filter(|word| !word.is_empty()).find(is_number), None);
        }
        let report_lines = report_text(&report);
        assert!(
            report_lines.contains("not finite") || report_lines.contains("non-finite"),
            "{report_lines}"
        );
    }
}

/// glTF has single precision and does not allow infinite numbers.
#[test]
fn positions_beyond_single_precision_are_written_as_finite_numbers() {
    let clip = animation(&[("far", &[(0.0, 1e39), (1.0, -1e300), (2.0, 5.0)], "Linear")]);
    for range in [0.0..=2.0, 0.5..=0.5, 1.0..=1.0] {
        let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
        let mut bytes = Vec::new();
        let target = mutoscope_cli::targets().target("glb").unwrap();
        let report = target.write(&clip, &options, &mut bytes, &mut Progress::default()).unwrap();
        mutoscope_cli::registry().decode_skeleton(&bytes, "far.glb", &NoSidecars).unwrap();
        assert!(glb::animation_numbers(&bytes).iter().all(|number| number.is_finite()));
        let report_lines = report_text(&report);
        assert!(report_lines.contains("m from the origin: glTF rounds them"), "{report_lines}");
    }
}

/// Frames of BVH are evenly spaced, so one late key could cause millions of frames.
#[test]
fn late_key_does_not_cause_millions_of_frames() {
    let keys: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 1.0), (3e5, 1.0)];
    let clip = animation(&[("a", keys, "Linear")]);
    let target = mutoscope_cli::targets().target("bvh").unwrap();
    let write = |options: &ExportOptions| {
        let mut out = Vec::new();
        target.write(&clip, options, &mut out, &mut Progress::default()).map(|_| out.len())
    };
    let message = write(&ExportOptions::default()).unwrap_err().to_string();
    let expected = "from 0 to 300000 s are more than 4194304 frames; not exported. Choose fewer with \
                --range or --fps";
    assert!(message.ends_with(expected), "{message}");
    assert!(write(&ExportOptions { rate: Some(0.01), ..ExportOptions::default() }).is_ok());
    assert!(write(&ExportOptions { range: Some(0.0..=2.0), ..ExportOptions::default() }).is_ok());
}
