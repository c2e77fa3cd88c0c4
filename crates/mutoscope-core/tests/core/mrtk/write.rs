//! Writing MRTK recordings: unchanged files, cut and converted ones, and random motion of other
//! formats.

use std::fmt::Write as _;

use glam::DQuat;
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeVisibility},
    decode,
    export::{ExportError, ExportOptions, Progress, Report, TargetSettings, Targets},
    formats::mrtk::{self, KeyLayout},
};
use mutoscope_testing::{
    fixtures::{mrtk_file, mrtk_files},
    property::{RandomInput, check_property, check_property_times},
    recording::{Keys, Recording},
};

use super::{clip, node, pose};

fn try_export(clip: &Clip, options: &ExportOptions) -> Result<(Vec<u8>, Report), ExportError> {
    let mut bytes = Vec::new();
    let target = Targets::default().target("mrtk").unwrap();
    let report = target.write(clip, options, &mut bytes, &mut Progress::default())?;
    Ok((bytes, report))
}

fn export(clip: &Clip, options: &ExportOptions) -> (Vec<u8>, Report) {
    try_export(clip, options).unwrap()
}

fn settings(version: &str) -> TargetSettings {
    let targets = Targets::default();
    let option = targets.target("mrtk").unwrap().option("mrtk-version").unwrap();
    TargetSettings::default().with(option, version.into())
}

fn export_as(clip: &Clip, version: &str) -> (Vec<u8>, Report) {
    let settings = settings(version);
    export(clip, &ExportOptions { settings, ..ExportOptions::default() })
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.remarks().iter().filter_map(|remark| Some(remark.code?.as_str())).collect()
}

/// Returns the largest error that the report states.
fn stated_error(report: &Report) -> f64 {
    let numbers = report.remarks().iter().filter_map(|remark| {
        let (_, rest) = remark.message.split_once("up to ")?;
        rest.split(' ').next()?.parse::<f64>().ok()
    });
    numbers.fold(0.0, f64::max)
}

/// Asserts that `back` has the poses of `clip`, from `start` seconds of `clip` on.
fn assert_same_motion(clip: &Clip, back: &Clip, start: f64, duration: f64, bound: f64) {
    for step in 0..=23 {
        let time = duration * f64::from(step) / 23.0;
        let (expected, found) = (pose(clip, start + time), pose(back, time));
        for (id, node) in back.nodes.with_ids() {
            if node.motion.visibility == NodeVisibility::Never {
                continue;
            }
            let expected = &expected[self::node(clip, &node.name)];
            let found = &found[id];
            assert_eq!(found.is_visible, expected.is_visible, "{} at {time}", node.name);
            let off = found.world.translation.distance(expected.world.translation);
            let turn = found.world.rotation.angle_between(expected.world.rotation);
            assert!(
                off <= bound && turn <= bound.max(2e-5),
                "{} at {time}: {off} m, {turn} rad",
                node.name
            );
        }
    }
}

#[test]
fn unchanged_recordings_are_written_byte_for_byte() {
    for (name, bytes) in mrtk_files() {
        // The other files have data that the writer normalises: see the tests below.
        let is_exact =
            !name.contains("v10") && !name.contains("doc_layout") && !name.contains("wbug");
        let (written, report) = export(&clip(&bytes), &ExportOptions::default());
        assert!(!is_exact || written == bytes, "{name}");
        assert!(codes(&report).is_empty() || !is_exact, "{name}: {report:?}");
        let sound = mrtk::decode(&written).unwrap();
        assert!(sound.markers.is_some(), "{name}");
    }
    let mut recording = Recording::v1_0();
    recording.camera.as_mut().unwrap()[1] = Keys::linear([(-2.0, 1.0), (0.5, 2.0)]);
    let hand = &mut recording.hands.as_mut().unwrap()[1];
    hand.poses[0][3] = Keys::linear([(0.0, 1.0), (3.0, 2.0)]);
    hand.tracked = Keys::simple(&[(-1.0, 1.0), (1.0, 0.0)]);
    let bytes = recording.encode();
    assert!(export(&clip(&bytes), &ExportOptions::default()).0 == bytes, "the joint None has keys");
}

#[test]
fn only_unused_weights_of_version_1_0_change() {
    let bytes = mrtk_file("synth_v10_random.bin");
    let written = export(&clip(&bytes), &ExportOptions::default()).0;
    assert_eq!(written.len(), bytes.len());
    let [old, new] = [&bytes, &written].map(|bytes| mrtk::decode(bytes).unwrap());
    for (old, new) in old.curves().zip(new.curves()) {
        assert_eq!((old.pre_wrap, old.post_wrap), (new.pre_wrap, new.post_wrap));
        let (old, new) = (old.read_keys().unwrap(), new.read_keys().unwrap());
        for (old, new) in old.iter().zip(new.iter()) {
            assert_eq!((old.time, old.value), (new.time, new.value));
            let (Some(old), Some(new)) = (old.tangents, new.tangents) else { continue };
            let is_same = |used: bool, old: f32, new: f32| !used || old == new;
            let mode = old.weighted_mode;
            assert!(is_same(mode & 1 != 0, old.in_weight, new.in_weight));
            assert!(is_same(mode & 2 != 0, old.out_weight, new.out_weight));
        }
    }
}

#[test]
fn lost_w_is_written_repaired() {
    let lossy = clip(&mrtk_file("proc_v11_wbug.bin"));
    let (written, report) = export(&lossy, &ExportOptions::default());
    let back = clip(&written);
    let is_lost =
        |one: &mutoscope_core::diagnostics::Diagnostic| one.code.as_str() == "mrtk/rotation-w-lost";
    assert!(!back.diagnostics.iter().any(is_lost));
    assert_same_motion(&lossy, &back, 0.0, back.span.duration, 1e-6);
    assert_eq!(codes(&report), ["export/w-written-rebuilt"]);
    let message = report.remarks().iter().map(|remark| &remark.message);
    assert!(message.into_iter().any(|one| one.contains("53 rotations")), "{report:?}");
}

#[test]
fn cut_sampled_and_converted_recordings_keep_their_motion() {
    for name in ["proc_v10.bin", "proc_v11_good.bin", "proc_v11_wbug.bin"] {
        let clip = clip(&mrtk_file(name));
        for version in ["1.0", "1.1"] {
            for (range, rate) in [(0.55..=2.35, None), (1.0..=3.0, Some(60.0))] {
                let (start, duration) = (*range.start(), range.end() - range.start());
                let settings = settings(version);
                let options = ExportOptions {
                    range: Some(range),
                    rate,
                    settings,
                    ..ExportOptions::default()
                };
                let (bytes, _) = export(&clip, &options);
                let back = super::clip(&bytes);
                assert_eq!(back.span.duration as f32, duration as f32, "{name}");
                // Between samples, lines replace the thinned curves of the recording.
                let bound = if rate.is_some() { 4e-3 } else { 2e-6 };
                assert_same_motion(&clip, &back, start, duration, bound);
                assert_eq!(back.version, version);
                let layout = mrtk::decode(&bytes).unwrap().layout;
                assert_eq!(layout == KeyLayout::Full, version == "1.0");
            }
        }
    }
}

#[test]
fn curves_with_tangents_become_lines_in_version_1_1() {
    check_property_times(200, |input| {
        let mut recording = Recording::v1_0();
        let mut time = 0.0;
        let keys: Vec<_> = (0..6)
            .map(|_| {
                time += input.in_range(0.05, 0.4);
                let mut number = || input.in_range(-2.0, 2.0) as f32;
                let numbers = [time as f32, number(), number(), number()];
                let weights = [input.in_range(0.05, 0.9) as f32, input.in_range(0.05, 0.9) as f32];
                let mode = input.below(4) as i32;
                ([numbers[0], numbers[1], numbers[2], numbers[3], weights[0], weights[1]], mode)
            })
            .collect();
        recording.camera.as_mut().unwrap()[0] = Keys::full(&keys);
        let source = clip(&recording.encode());
        let (bytes, report) = export_as(&source, "1.1");
        let back = clip(&bytes);
        let bound = 2.0 * (2e-5 + stated_error(&report));
        assert_eq!(mrtk::decode(&bytes).unwrap().layout, KeyLayout::Simple);
        for step in 0..100 {
            let time = source.span.duration * f64::from(step) / 99.0;
            let x = |clip: &Clip| pose(clip, time)[node(clip, "camera")].world.translation.x;
            assert!((x(&source) - x(&back)).abs() < bound, "at {time}: {report:?}");
        }
    });
}

/// Returns an AnimJ text with random positions and rotations of nodes with these names.
fn random_animj(input: &mut RandomInput, names: &[&str]) -> String {
    let mut tracks = Vec::new();
    for name in names {
        for (property, kind, count) in [("Position", "float3", 3), ("Rotation", "floatQ", 4)] {
            let mut keys = Vec::new();
            let mut time = input.in_range(0.0, 0.3);
            for _ in 0..1 + input.below(5) {
                let numbers: Vec<f64> = match count {
                    3 => (0..3).map(|_| input.in_range(-2.0, 2.0)).collect(),
                    _ => {
                        let numbers: [f64; 4] = std::array::from_fn(|_| input.in_range(-1.0, 1.0));
                        DQuat::from_array(numbers).normalize().to_array().to_vec()
                    }
                };
                let mut value = String::new();
                for (name, number) in ["x", "y", "z", "w"].iter().zip(&numbers) {
                    write!(value, r#""{name}": {number},"#).unwrap();
                }
                let value = value.trim_end_matches(',');
                let mode = ["Hold", "Linear"][input.below(2)];
                keys.push(format!(
                    r#"{{"time": {time}, "value": {{{value}}}, "interpolation": "{mode}"}}"#
                ));
                time += input.in_range(0.02, 0.5);
            }
            tracks.push(format!(
                r#"{{"trackType": "Curve", "valueType": "{kind}", "data": {{"node": "{name}",
                "property": "{property}", "keyframes": [{}]}}}}"#,
                keys.join(",")
            ));
        }
    }
    format!(r#"{{"name": "", "globalDuration": 1, "tracks": [{}]}}"#, tracks.join(","))
}

#[test]
fn random_motion_of_other_formats_reads_back() {
    const NAMES: [&str; 4] = ["left/Wrist", "left/IndexTip", "right/ThumbTip", "right/Palm"];
    check_property(|input| {
        let count = 1 + input.below(NAMES.len());
        let text = random_animj(input, &NAMES[..count]);
        let source = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
        let version = ["1.0", "1.1"][input.below(2)];
        let (bytes, report) = export_as(&source, version);
        let back = clip(&bytes);
        assert_eq!(back.span.duration as f32, source.span.duration as f32);
        let mut times: Vec<f64> =
            (0..40).map(|_| input.in_range(0.0, source.span.duration)).collect();
        // Jumps are ramps of one f32 step, so skip the times next to keys.
        let keys: Vec<f64> =
            source.tracks.iter().flat_map(|track| track.curve.key_times().to_vec()).collect();
        times.retain(|time| keys.iter().all(|key| (key - time).abs() > 1e-4));
        let bound = 4e-5 + stated_error(&report);
        for time in times {
            let (expected, found) = (pose(&source, time), pose(&back, time));
            for (id, one) in source.nodes.with_ids() {
                let found = &found[node(&back, &one.name)];
                let expected = &expected[id].world;
                assert!(found.is_visible);
                let off = found.world.translation.distance(expected.translation);
                let turn = found.world.rotation.angle_between(expected.rotation);
                assert!(
                    off < bound && turn < 2.0 * bound,
                    "{} at {time}: {off} {turn}\n{text}\n{report:?}",
                    one.name
                );
            }
        }
    });
}

#[test]
fn joints_below_other_nodes_are_written_in_world_space() {
    let text = "HIERARCHY\nROOT LeftArm\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
        JOINT LeftHand\n{\nOFFSET 10 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
        JOINT LeftHandIndex1\n{\nOFFSET 8 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
        End Site\n{\nOFFSET 3 0 0\n}\n}\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n\
        0 100 0 10 20 30 5 5 5 0 0 40\n10 110 5 50 20 30 5 -5 5 10 0 40\n0 90 0 10 60 30 5 5 45 0 30 40\n";
    let source = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
    let (bytes, report) = export(&source, &ExportOptions::default());
    let back = clip(&bytes);
    for step in 0..=10 {
        let time = f64::from(step) * 0.1;
        for (joint, bone) in [("left/Wrist", "LeftHand"), ("left/IndexKnuckle", "LeftHandIndex1")] {
            let found = pose(&back, time)[node(&back, joint)].world;
            let expected = pose(&source, time)[node(&source, bone)].world;
            assert!(found.translation.distance(expected.translation) < 4e-5, "{joint} at {time}");
            assert!(found.rotation.angle_between(expected.rotation) < 1e-4, "{joint} at {time}");
        }
    }
    assert_eq!(codes(&report), ["export/parts-skipped"]);
}

#[test]
fn recordings_without_a_hand_or_head_are_refused() {
    let text = random_animj_of(&["Cube"]);
    let source = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
    let refused = try_export(&source, &ExportOptions::default()).unwrap_err();
    assert_eq!(refused.code().map(|code| code.as_str()), Some("export/nothing-to-write"));
}

fn random_animj_of(names: &[&str]) -> String {
    let text = std::cell::RefCell::new(String::new());
    check_property_times(1, |input| *text.borrow_mut() = random_animj(input, names));
    text.into_inner()
}

#[test]
fn values_that_are_not_finite_are_skipped_and_reported() {
    let mut recording = Recording::with_gaze(Default::default());
    recording.gaze.as_mut().unwrap()[2] =
        Keys::simple(&[(0.5, -1.0), (1.0, f32::NAN), (1.5, f32::INFINITY), (2.0, 3.0)]);
    let (bytes, report) = export(&clip(&recording.encode()), &ExportOptions::default());
    let document = mrtk::decode(&bytes).unwrap();
    assert_eq!(document.curves().map(|curve| curve.len()).sum::<usize>(), 2);
    assert_eq!(codes(&report), ["export/non-finite-skipped"]);
}
