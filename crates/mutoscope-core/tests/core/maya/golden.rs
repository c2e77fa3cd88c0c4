//! Compares every file with the structure that an independent reader finds, with curve samples from
//! Autodesk's own evaluation library, and with numbers that Maya itself printed.

use mutoscope_core::clip::{Clip, NodeId, Unit, Value};
use mutoscope_core::{ReadOptions, SourceFile, decode};

use serde_json::Value as Json;

use mutoscope_testing::fixtures;

/// Relative to the expected value, or to a thousandth of the curve's greatest value if that is
/// larger.
const TOLERANCE: f64 = 3e-6;

/// The reference library solves weighted curves for time less exactly.
const WEIGHTED_TOLERANCE: f64 = 1e-5;

/// Returns the name, the clip and the expected values of each file.
fn cases() -> Vec<(String, Clip, Json)> {
    let files = fixtures::maya_files();
    let case = |(name, bytes): (String, Vec<u8>)| {
        let golden =
            fixtures::json(&format!("maya/golden/{}.json", name.trim_end_matches(".anim")));
        let clip = decode(SourceFile::new("x.anim", &bytes), &ReadOptions::default()).unwrap();
        (name, clip, golden)
    };
    files.into_iter().map(case).collect()
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn nodes_and_parents_match_the_reference() {
    for (file, clip, golden) in cases() {
        let expected: Vec<_> = list(&golden["hierarchy"]["nodes"])
            .iter()
            .map(|node| (node["name"].as_str().unwrap_or(""), node["parent"].as_u64()))
            .collect();
        let found: Vec<_> = clip
            .nodes
            .iter()
            .map(|node| (node.name.as_str(), node.parent.map(|id| id.index() as u64)))
            .collect();
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn tracks_and_key_counts_match_the_reference() {
    for (file, clip, golden) in cases() {
        let expected: Vec<_> = list(&golden["curves"])
            .iter()
            .map(|curve| {
                let text = |key: &str| curve[key].as_str().unwrap_or("");
                (text("node"), text("attr"), curve["nkeys"].as_u64().unwrap())
            })
            .collect();
        let found: Vec<_> = clip
            .tracks
            .iter()
            .map(|track| {
                let keys = track.curve.key_count() as u64;
                (clip.owner_name(track.owner), track.property.as_str(), keys)
            })
            .collect();
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn tracks_have_units() {
    let found = |file: &str| -> Vec<_> {
        let (_, clip, _) = cases().into_iter().find(|case| case.0 == file).unwrap();
        clip.tracks.iter().map(|track| track.unit).collect()
    };
    assert_eq!(found("units_in_angmin_pal.anim"), [Unit::Inches, Unit::ArcMinutes]);
    assert_eq!(found("verbose_units.anim"), [Unit::Feet, Unit::ArcSeconds]);
}

#[test]
fn frame_rates_match_the_reference() {
    for (file, clip, golden) in cases() {
        let per_second = golden["unitsPerSecond"].as_f64().unwrap();
        if let Some(rate) = clip.rate_hz {
            assert_eq!(rate, per_second, "{file}");
        }
    }
}

#[test]
fn curves_match_the_autodesk_library() {
    let mut samples = 0;
    let mut worst = (0.0, String::new());
    let mut worst_weighted = (0.0, String::new());
    for (file, clip, golden) in cases() {
        let per_second = golden["unitsPerSecond"].as_f64().unwrap();
        for (track, curve) in clip.tracks.iter().zip(list(&golden["curves"])) {
            let weighted = curve["weighted"].as_bool().unwrap();
            let scale = relevant_difference(curve);
            for sample in list(&curve["samples"]) {
                let (input, expected) = (sample[0].as_f64().unwrap(), sample[1].as_f64().unwrap());
                let time = input / units_per_second(&file, &track.property).unwrap_or(per_second);
                let Value::Number(found) = track.curve.value(time) else {
                    panic!("{file}: {} has no value", track.property);
                };
                let error = (found - expected).abs() / expected.abs().max(scale);
                let describe =
                    || format!("{file}: {} at {input}: {found}, {expected}", track.property);
                let worst = if weighted { &mut worst_weighted } else { &mut worst };
                if error > worst.0 {
                    *worst = (error, describe());
                }
                samples += 1;
            }
        }
    }
    println!("{samples} samples; largest error {worst:?}, in weighted curves {worst_weighted:?}");
    assert!(worst.0 <= TOLERANCE, "{worst:?}");
    assert!(worst_weighted.0 <= WEIGHTED_TOLERANCE, "{worst_weighted:?}");
    assert!(samples > 3000);
}

/// Returns the input units per second of a curve that states its own unit, because the expected
/// values do not contain it.
fn units_per_second(file: &str, property: &str) -> Option<f64> {
    match (file, property) {
        ("verbose_units.anim", "translateX") => Some(1.0),
        ("verbose_units.anim", "rotateX") => Some(1000.0),
        _ => None,
    }
}

/// Returns a thousandth of the curve's greatest absolute value. Differences are relative to at
/// least this.
fn relevant_difference(curve: &Json) -> f64 {
    let values = list(&curve["samples"]).iter().map(|sample| sample[1].as_f64().unwrap().abs());
    (values.fold(0.0, f64::max) * 1e-3).max(1e-9)
}

#[test]
fn curves_match_maya() {
    // Each tolerance is the precision of the numbers that Maya printed.
    let precisions = [
        ("ufbx_tangent_spline.anim", 6e-6),
        ("ufbx_tangent_clamped.anim", 6e-6),
        ("ufbx_auto_weighted.anim", 6e-4),
        ("ufbx_interpolation_modes_weighted.anim", 5e-6),
        ("ufbx_anim_interpolation_ntsc.anim", 8e-5),
        ("ufbx_extrapolation.anim", 1e-6),
    ];
    let printed = fixtures::json("maya/golden/ufbx_maya_values.json");
    for (file, clip, golden) in cases() {
        let Some((_, precision)) = precisions.iter().find(|(name, _)| *name == file) else {
            assert!(printed["files"].get(&file).is_none(), "{file}");
            continue;
        };
        let per_second = golden["unitsPerSecond"].as_f64().unwrap();
        let samples = list(&printed["files"][&file]);
        assert!(!samples.is_empty(), "{file}");
        let mut worst = 0.0_f64;
        for sample in samples {
            let (frame, expected) = (sample[0].as_f64().unwrap(), sample[1].as_f64().unwrap());
            let Value::Number(found) = clip.tracks[0].curve.value(frame / per_second) else {
                panic!("{file}: no value");
            };
            worst = worst.max((found - expected).abs());
            assert!(
                (found - expected).abs() <= *precision,
                "{file} at {frame}: {found}, {expected}"
            );
        }
        println!("{file}: {} numbers, worst {worst:.1e}", samples.len());
    }
}

#[test]
fn every_key_has_its_line_number() {
    for (file, bytes) in fixtures::maya_files() {
        let clip = decode(&bytes, &ReadOptions::default()).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<_> = text.lines().collect();
        for track in &clip.tracks {
            for index in 0..track.curve.key_count() {
                let location = track.source.key_location(index).to_string();
                let line: usize = location.strip_prefix("line ").unwrap().parse().unwrap();
                let Value::Number(value) = track.curve.key_value(index) else { panic!("{file}") };
                let words = lines[line - 1].replace(',', ".").replace(';', " ");
                let is_value = |word: &str| word.parse() == Ok(value);
                assert!(words.split_whitespace().any(is_value), "{file}: {value} in {location}");
            }
        }
    }
}

#[test]
fn nodes_outside_the_skeleton_are_marked() {
    let clip = |name: &str| {
        let bytes = fixtures::maya_file(name);
        decode(&bytes, &ReadOptions::default()).unwrap()
    };
    let skeleton_parts = |clip: &Clip| -> Vec<bool> {
        clip.nodes.iter().map(|node| node.kind.is_skeleton_part()).collect()
    };
    let cube = clip("ma_AnimatedCubeChildSphere1.anim");
    assert_eq!(skeleton_parts(&cube), [true, false, true, false]);
    assert_eq!(cube.nodes[NodeId::new(2)].bone_from, Some(NodeId::new(0)));
    assert_eq!(cube.nodes[NodeId::new(1)].bone_from, None);
    let joints = clip("spec_example_4joints.anim");
    assert_eq!(skeleton_parts(&joints), [true; 4]);
}
