//! Writing animations of Metroid Prime: unchanged files, other formats, random motion, and motion
//! that a file cannot hold.

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions,
    clip::Clip,
    decode,
    diagnostics::Diagnostics,
    export::{
        ExportError, ExportOptions, InPlace, MotionOptions, OptionValue, Progress, Report,
        TargetSettings, Targets,
    },
    formats::prime::{self, Body, PrimeFormat},
};
use mutoscope_testing::{
    fixtures::{prime_file, prime_files},
    prime::walk,
    property::{RandomInput, check_property_times},
};

use super::{clip, decode_fixture_on_rig, decode_on_rig, node, pose};

fn options(rig: &str, format: PrimeFormat) -> ExportOptions {
    let target = Targets::default().target("prime").unwrap();
    let format = if format == PrimeFormat::V0 { "0" } else { "2" };
    let settings = TargetSettings::default()
        .with(target.option("rig").unwrap(), OptionValue::File(prime_file(rig).into()))
        .with(target.option("prime-format").unwrap(), format.into());
    ExportOptions { settings, ..ExportOptions::default() }
}

fn try_export(clip: &Clip, options: &ExportOptions) -> Result<(Vec<u8>, Report), ExportError> {
    let mut bytes = Vec::new();
    let target = Targets::default().target("prime").unwrap();
    let report = target.write(clip, options, &mut bytes, &mut Progress::default())?;
    Ok((bytes, report))
}

fn rig_of(name: &str) -> &'static str {
    if name.contains("mp2") { "rig_mp2.CINF" } else { "rig_mp1.CINF" }
}

fn format_of(bytes: &[u8]) -> PrimeFormat {
    let document = prime::decode(bytes, None, &mut Diagnostics::new()).unwrap();
    match document.body {
        Body::Arrays(_) => PrimeFormat::V0,
        Body::Bitstream(_) => PrimeFormat::V2,
    }
}

#[test]
fn unchanged_animations_are_written_byte_for_byte() {
    for (name, bytes) in prime_files() {
        if !name.ends_with(".ANIM") || name.contains("demo") {
            continue;
        }
        let options = options(rig_of(&name), format_of(&bytes));
        assert!(try_export(&clip(&bytes), &options).unwrap().0 == bytes, "{name}");
        assert!(try_export(&decode_fixture_on_rig(&name), &options).unwrap().0 == bytes, "{name}");
    }
}

#[test]
fn root_motion_is_removed_if_the_skeleton_is_known() {
    let (animation, rig) = (walk::encoded_animation(), walk::encoded_skeleton());
    let target = Targets::default().target("prime").unwrap();
    let settings = TargetSettings::default()
        .with(target.option("rig").unwrap(), OptionValue::File(rig.clone().into()))
        .with(target.option("prime-format").unwrap(), "0".into());
    let in_place = |in_place| ExportOptions {
        motion: MotionOptions { in_place, ..MotionOptions::default() },
        settings: settings.clone(),
        ..ExportOptions::default()
    };
    let (detached, attached) = (clip(&animation), decode_on_rig(&animation, &rig));
    let root = attached.root_motion_node().unwrap();
    let travelled = pose(&attached, attached.span.duration)[root].world.translation;
    assert!(travelled.with_y(0.0).length() > 0.1, "{travelled}");
    let (bytes, _) = try_export(&attached, &in_place(InPlace::Remove)).unwrap();
    let written = decode_on_rig(&bytes, &rig);
    for step in 0..=20 {
        let time = attached.span.duration * f64::from(step) / 20.0;
        let [expected, found] = [&attached, &written].map(|clip| pose(clip, time));
        let stays = found[root].world.translation;
        assert!(stays.with_y(0.0).length() < 1e-3, "{stays} at {time}");
        for (id, node) in attached.nodes.with_ids() {
            let [expected, found] = [&expected, &found].map(|pose| pose[id].world.translation.y);
            assert!((expected - found).abs() < 1e-3, "the height of {} at {time}", node.name);
        }
    }
    let refused = refusal_code(&detached, &in_place(InPlace::Remove));
    assert_eq!(refused.0, "export/no-root-motion", "the bones have no hierarchy");
}

/// Asserts that `back` has the world positions of `source` at its frames, from `start` seconds on.
fn assert_same_positions(source: &Clip, back: &Clip, start: f64, bound: f64, name: &str) {
    let frames = (back.span.duration * back.rate_hz.unwrap()).round() as u32;
    for frame in 0..=frames {
        let time = f64::from(frame) / back.rate_hz.unwrap();
        let (expected, found) = (pose(source, start + time), pose(back, time));
        for (index, bone) in back.nodes.iter().enumerate() {
            let expected = expected[node(source, &bone.name)].world.translation;
            let off = found.nodes[index].world.translation.distance(expected);
            assert!(off <= bound, "{name}: {} is {off} m off at {time}", bone.name);
        }
    }
}

#[test]
fn animations_keep_their_motion_in_the_other_format_and_in_part() {
    for name in ["walk_mp1_v0.ANIM", "walk_mp1_v2.ANIM", "walk_mp2_v0.ANIM", "walk_mp2_v2.ANIM"] {
        let source = decode_fixture_on_rig(name);
        for format in [PrimeFormat::V0, PrimeFormat::V2] {
            for range in [None, Some(0.1..=0.5)] {
                let start = range.as_ref().map_or(0.0, |range| *range.start());
                let options =
                    ExportOptions { range, rate: Some(30.0), ..options(rig_of(name), format) };
                let bytes = try_export(&source, &options).unwrap().0;
                assert_eq!(format_of(&bytes), format);
                let alone = try_export(&clip(&prime_file(name)), &options).unwrap().0;
                let alone = decode_on_rig(&alone, &prime_file(rig_of(name)));
                assert_same_positions(&source, &alone, start, 2e-3, name);
                let mut diagnostics = Diagnostics::new();
                prime::decode(&bytes, None, &mut diagnostics).unwrap();
                let worst = diagnostics.worst_severity();
                assert!(
                    worst <= Some(mutoscope_core::diagnostics::Severity::Info),
                    "{name}: {diagnostics:?}"
                );
                let back = decode_on_rig(&bytes, &prime_file(rig_of(name)));
                // Twenty bones in a chain add up half a step each. The gun turns through half a
                // turn, where w is as coarse as the square root of a step.
                let bound = if format == PrimeFormat::V0 { 2e-5 } else { 2e-3 };
                assert_same_positions(&source, &back, start, bound, name);
            }
        }
    }
}

/// Returns an AnimJ text in which these bones have random places and rotations at each frame.
fn random_motion(input: &mut RandomInput, bones: &[&str], frames: usize) -> String {
    let mut tracks = Vec::new();
    for bone in bones {
        for (property, kind) in [("Position", "float3"), ("Rotation", "floatQ")] {
            let keys: Vec<String> = (0..frames)
                .map(|frame| {
                    let numbers = match kind {
                        "float3" => {
                            DVec3::from_array(std::array::from_fn(|_| input.in_range(-3.0, 3.0)))
                                .to_array()
                                .to_vec()
                        }
                        _ => {
                            let axis = DVec3::from_array(std::array::from_fn(|_| {
                                input.in_range(-1.0, 1.0)
                            }));
                            DQuat::from_axis_angle(axis.normalize(), input.in_range(-2.2, 2.2))
                                .to_array()
                                .to_vec()
                        }
                    };
                    let members = ["x", "y", "z", "w"].iter().zip(numbers);
                    let members: Vec<String> =
                        members.map(|(name, number)| format!("\"{name}\": {number}")).collect();
                    format!(
                        r#"{{"time": {}, "value": {{{}}}, "interpolation": "Linear"}}"#,
                        frame as f64 / 32.0,
                        members.join(",")
                    )
                })
                .collect();
            tracks.push(format!(
                r#"{{"trackType": "Curve", "valueType": "{kind}", "data": {{"node": "{bone}",
                "property": "{property}", "keyframes": [{}]}}}}"#,
                keys.join(",")
            ));
        }
    }
    format!(r#"{{"tracks": [{}]}}"#, tracks.join(","))
}

/// Returns the names of bones without children.
fn leaf_bones(rig: &str) -> Vec<String> {
    let rig = prime::decode_skeleton(&prime_file(rig), &mut Diagnostics::new()).unwrap();
    let is_leaf = |bone: &&prime::Bone| rig.bones.iter().all(|other| other.parent != bone.id);
    rig.bones.iter().filter(is_leaf).filter_map(|bone| bone.name.clone()).collect()
}

#[test]
fn random_motion_reads_back_within_half_a_step() {
    check_property_times(1000, |input| {
        let rig = ["rig_mp1.CINF", "rig_mp2.CINF"][input.below(2)];
        let format = [PrimeFormat::V0, PrimeFormat::V2][input.below(2)];
        let leaves = leaf_bones(rig);
        let count = 1 + input.below(3);
        let bones: Vec<&str> = leaves[..count].iter().map(String::as_str).collect();
        let frames = 2 + input.below(70);
        let text = random_motion(input, &bones, frames);
        let source = decode(text.as_bytes(), &ReadOptions::default()).unwrap();
        let options = ExportOptions { rate: Some(32.0), ..options(rig, format) };
        let bytes = try_export(&source, &options).unwrap().0;
        let back = decode_on_rig(&bytes, &prime_file(rig));
        assert_eq!(back.span.duration, (frames - 1) as f64 / 32.0);
        // A step is at most 5 m / 32767, and a quarter turn / 32767. w is at least cos(1.1).
        let (off_bound, turn_bound) = match format {
            PrimeFormat::V0 => (1e-5, 1e-5),
            PrimeFormat::V2 => (0.5 * 3.0_f64.sqrt() * 8.0 / 32767.0, 3e-4),
        };
        for frame in 0..frames {
            let time = frame as f64 / 32.0;
            let (expected, found) = (pose(&source, time), pose(&back, time));
            for bone in &bones {
                let expected = expected[node(&source, bone)].world;
                let found = found[node(&back, bone)].world;
                let off = found.translation.distance(expected.translation);
                let turn = found.rotation.angle_between(expected.rotation);
                assert!(
                    off <= off_bound && turn <= turn_bound,
                    "{bone} in {frame}: {off} m, {turn} rad"
                );
            }
        }
    });
}

fn refusal_code(clip: &Clip, options: &ExportOptions) -> (&'static str, String) {
    let error = try_export(clip, options).unwrap_err();
    (error.code().unwrap().as_str(), error.to_string())
}

fn moved_animj(bone: &str, x: f64) -> Clip {
    let text = format!(
        r#"{{"tracks": [{{"trackType": "Curve", "valueType": "double3", "data": {{"node": "{bone}",
        "property": "Position", "keyframes": [{{"time": 0, "value": {{"x": 0, "y": 0, "z": 0}},
        "interpolation": "Linear"}}, {{"time": 1, "value": {{"x": {x}, "y": 0, "z": 0}}}}]}}}}]}}"#
    );
    decode(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn motion_that_does_not_fit_is_refused_by_name() {
    let walk = decode_fixture_on_rig("walk_mp1_v2.ANIM");
    assert_eq!(refusal_code(&walk, &ExportOptions::default()).0, "export/skeleton-required");
    let (v0, v2) =
        (options("rig_mp1.CINF", PrimeFormat::V0), options("rig_mp1.CINF", PrimeFormat::V2));
    assert_eq!(refusal_code(&moved_animj("Cube", 1.0), &v2).0, "export/nothing-to-write");
    let bone = &leaf_bones("rig_mp1.CINF")[0];
    let (code, message) = refusal_code(&moved_animj(bone, 1000.0), &v2);
    assert!(code == "export/value-out-of-range" && message.contains(bone), "{code}: {message}");
    assert!(try_export(&moved_animj(bone, 1000.0), &v0).is_ok());
    let long = ExportOptions { range: Some(0.0..=4000.0), ..v2.clone() };
    assert_eq!(refusal_code(&moved_animj(bone, 1.0), &long).0, "export/too-many-frames");
    let both = format!(r#"{{"tracks": [{}, {}]}}"#, one_track(bone), one_track("Cape"));
    let both = decode(both.as_bytes(), &ReadOptions::default()).unwrap();
    let (code, message) = refusal_code(&both, &v2);
    assert!(code == "export/bone-not-in-skeleton" && message.contains("\"Cape\""), "{message}");
}

fn one_track(bone: &str) -> String {
    format!(
        r#"{{"trackType": "Discrete", "valueType": "float3", "data": {{"node": "{bone}", "property": "Position",
        "keyframes": [{{"time": 0, "value": {{"x": 1, "y": 0, "z": 0}}}}]}}}}"#
    )
}

#[test]
fn frames_are_never_closer_than_the_game_allows() {
    let source = clip(&prime_file("long_mp1_v2.ANIM"));
    let rig = "rig_mp1.CINF";
    for (range, rate) in
        [(1.0..=1.0 + 1e-12, None), (1.0..=1.0, Some(1e6)), (1.0..=1.001, Some(1e5))]
    {
        for format in [PrimeFormat::V0, PrimeFormat::V2] {
            let options =
                ExportOptions { range: Some(range.clone()), rate, ..options(rig, format) };
            let (written, _) = try_export(&source, &options).unwrap();
            let document = prime::decode(&written, None, &mut Diagnostics::new()).unwrap();
            assert!(document.interval >= 1e-4, "{range:?}: {}", document.interval);
        }
    }
}

#[test]
fn single_poses_become_two_frames_and_events_are_kept() {
    let bytes = prime_file("long_mp1_v2.ANIM");
    let source = clip(&bytes);
    let options =
        ExportOptions { range: Some(1.0..=1.0), ..options("rig_mp1.CINF", PrimeFormat::V2) };
    let (written, report) = try_export(&source, &options).unwrap();
    let codes: Vec<_> = report.remarks().iter().filter_map(|remark| remark.code).collect();
    assert_eq!(codes.iter().map(|code| code.as_str()).collect::<Vec<_>>(), ["export/no-duration"]);
    let document = prime::decode(&written, None, &mut Diagnostics::new()).unwrap();
    let original = prime::decode(&bytes, None, &mut Diagnostics::new()).unwrap();
    assert_eq!(document.keyed_frames(), [0, 1]);
    assert!(original.events.is_some() && document.events == original.events);
    assert_eq!(document.root_bone, original.root_bone);
}
