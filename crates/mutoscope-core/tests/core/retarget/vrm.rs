//! Tests avatars and animations of VRM.

use mutoscope_core::clip::{HumanBone, MorphWeights, Value as ClipValue};
use mutoscope_testing::fixtures::json;

use super::{deviation, load_recording, retarget, rig, sample};

#[test]
fn avatars_declare_their_bones() {
    let expected = json("characters/expected.json");
    for name in ["boxes.vrm", "boxes_v0.vrm"] {
        let rig = rig(name);
        let humanoid = rig.humanoid.as_ref().unwrap();
        assert!(humanoid.is_t_pose && humanoid.bones.missing_required().is_empty());
        let bones = expected["alone"][name]["bones"].as_object().unwrap();
        for (bone, node) in bones {
            let bone: HumanBone = bone.parse().unwrap();
            let found = humanoid.bones.get(bone).map(|id| rig.nodes[id.index()].name.as_str());
            assert_eq!(found, node.as_str(), "{name}: {bone}");
        }
        assert!(!rig.model.is_empty());
    }
}

#[test]
fn vrm_animations_match_the_reference() {
    for name in ["move.vrma", "few_bones.vrma"] {
        let clip = load_recording(name);
        assert!(clip.humanoid.is_some());
        for row in json("characters/expected.json")["alone"][name]["rows"].as_array().unwrap() {
            let pose = sample(&clip, row["time"].as_f64().unwrap());
            for (node, expected) in row["nodes"].as_object().unwrap() {
                let (distance, angle) = deviation(&clip, &pose, node, expected);
                assert!(distance < 5e-6 && angle < 5e-6, "{name}: {node} {distance} {angle}");
            }
        }
    }
}

#[test]
fn expressions_and_gaze_are_signals() {
    let clip = load_recording("move.vrma");
    let rows = &json("characters/expected.json")["alone"]["move.vrma"]["signals"];
    for row in rows.as_array().unwrap() {
        let pose = sample(&clip, row["time"].as_f64().unwrap());
        for (name, expected) in row.as_object().unwrap().iter().filter(|(name, _)| *name != "time")
        {
            let index = clip.signals.iter().position(|signal| signal.name == *name).unwrap();
            let ClipValue::Number(found) = pose.signals[index] else {
                panic!("expected a number for {name}")
            };
            let expected = expected.as_f64().unwrap();
            assert!((found - expected).abs() < 1e-3, "{name}: {found} instead of {expected}");
        }
    }
    assert_eq!(clip.signals.len(), 5);
}

#[test]
fn expressions_move_the_morph_targets_of_the_avatar() {
    // In the VRM 1.0 file, happy moves target 0, and both blink and wink move target 1. In the VRM
    // 0.x file, joy moves target 0 and is renamed to happy.
    for (name, signals_of_targets) in [
        ("boxes.vrm", [&["expression/happy"][..], &["expression/blink", "expression/wink"]]),
        ("boxes_v0.vrm", [&["expression/happy"][..], &[]]),
    ] {
        let rig = rig(name);
        let clip = retarget("move.vrma", &rig);
        let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
        let source = MorphWeights::new(&clip, piece);
        let mut weights = Vec::new();
        let mut largest_sum = 0.0f64;
        let rows = &json("characters/expected.json")["alone"]["move.vrma"]["signals"];
        for row in rows.as_array().unwrap() {
            source.fill_from_pose(&sample(&clip, row["time"].as_f64().unwrap()), &mut weights);
            assert_eq!(weights.len(), 2);
            for (found, signals) in weights.iter().zip(signals_of_targets) {
                let sum: f64 = signals.iter().map(|signal| row[*signal].as_f64().unwrap()).sum();
                assert!((f64::from(*found) - sum).abs() < 1e-3, "{name}: {found}, expected {sum}");
                largest_sum = largest_sum.max(sum);
            }
        }
        assert!(largest_sum > 0.5, "{name}");
    }
}
