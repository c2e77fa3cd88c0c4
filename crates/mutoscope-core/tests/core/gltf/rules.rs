//! Tests the choice of an animation, contradictory files, and sidecar files.

use std::fs;

use glam::DVec3;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, FormatId, NodeId, NodeKind, Value},
    diagnostics::{Diagnostic, Severity, SourceLocation},
    formats::Recognition,
    skeleton_file::SkeletonKind,
};
use serde_json::{Value as Json, json};

use crate::gltf::{WALKER, codes, decode, decode_in, index, pose};
use mutoscope_testing::fixtures;

fn samplers() -> Json {
    let text = fs::read(fixtures::path("gltf/samplers_embedded.gltf")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn decode_changed(change: impl FnOnce(&mut Json)) -> Clip {
    let mut json = samplers();
    change(&mut json);
    decode(json.to_string().as_bytes(), None)
}

#[test]
fn the_first_animation_is_read_and_the_others_are_listed() {
    let clip = decode(WALKER, None);
    let [variants] = &clip.variants[..] else { panic!("expected one choice") };
    assert_eq!((variants.label, variants.current, variants.is_chosen), ("Animation", 0, false));
    assert_eq!(*variants.names, ["Walk".to_owned(), "Greet".to_owned()]);
    assert_eq!(clip.name, "Walk");
    let messages: Vec<_> = clip.diagnostics.iter().map(|one| one.message.as_str()).collect();
    let message =
        "2 animations; using the first, \"Walk\". Choose another with --animation: \"Greet\"";
    assert!(messages.contains(&message), "{messages:?}");
    assert!(codes(&clip).contains(&"gltf/several-animations"), "{:?}", clip.diagnostics);
    let chosen = decode(WALKER, Some("Greet"));
    assert!(chosen.variants[0].is_chosen && chosen.variants[0].current == 1);
    assert!(!codes(&chosen).contains(&"gltf/several-animations"), "{:?}", chosen.diagnostics);
}

#[test]
fn unknown_animation_is_rejected() {
    let failure = decode_in(&fixtures::path("gltf"), WALKER, Some("Run")).unwrap_err();
    let message = failure.error.message();
    assert_eq!(message, "expected the animation \"Run\", found \"Walk\", \"Greet\"");
}

#[test]
fn file_without_animations_is_a_skeleton_only() {
    let mut json = samplers();
    json.as_object_mut().unwrap().remove("animations");
    for text in [json.to_string(), {
        json["animations"] = json!([]);
        json.to_string()
    }] {
        let failure = mutoscope_core::decode(text.as_bytes(), &ReadOptions::default()).unwrap_err();
        assert_eq!(failure.format, None, "{failure}");
        assert!(failure.error.message().contains("without animations"), "{failure}");
        assert_eq!(
            mutoscope_core::Registry::default().recognise_skeleton(text.as_bytes()),
            Some(SkeletonKind::GLTF)
        );
        // If the user forces the format, the file is a recording without motion.
        let request = ReadOptions::default().with_format(FormatId::GLTF);
        let clip = mutoscope_core::decode(text.as_bytes(), &request).unwrap();
        assert_eq!((clip.nodes.len(), clip.tracks.len(), clip.span.duration), (4, 0, 0.0));
    }
    let row = mutoscope_core::Registry::default().format(FormatId::GLTF).unwrap();
    assert_eq!((row.recognise)(WALKER), Recognition::Certain);
}

#[test]
fn missing_sidecar_file_keeps_the_nodes() {
    let text = fs::read(fixtures::path("gltf/samplers.gltf")).unwrap();
    let clip = decode_in(&fixtures::path("nowhere"), &text, None).unwrap();
    assert_eq!((clip.nodes.len(), clip.tracks.len()), (4, 0));
    let errors =
        clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: Vec<_> = errors.collect();
    assert_eq!(errors.len(), 5);
    assert!(errors.iter().all(|error| error.code.as_str() == "gltf/missing-data"), "{errors:?}");
    let message = &errors[0].message;
    assert!(message.starts_with("animations[0].channels[0]: accessors[3]: "), "{message}");
    assert!(message.contains("samplers of all.bin"), "{message}");
}

#[test]
fn tracks_are_named_and_nodes_keep_their_rest() {
    let clip = decode_changed(|_| {});
    let tracks: Vec<_> = clip
        .tracks
        .iter()
        .map(|track| {
            (clip.owner_name(track.owner), track.property.as_str(), track.curve.type_name())
        })
        .collect();
    let expected = [
        ("hip", "translation", "vector"),
        ("hip", "rotation", "quaternion"),
        ("knee", "rotation", "quaternion"),
        ("knee", "scale", "vector"),
        ("face", "weights.smile", "float"),
        ("face", "weights.frown", "float"),
    ];
    assert_eq!(tracks, expected);
    let foot = &clip.nodes[NodeId::new(index(&clip, "foot"))];
    assert!(foot.rest.scale.abs_diff_eq(DVec3::splat(2.0), 1e-6));
    assert_eq!(foot.kind, NodeKind::Joint);
    let position = pose(&clip, 0.7).nodes[index(&clip, "face")].world.translation;
    assert!(position.abs_diff_eq(DVec3::Y * 1.7, 1e-6), "{position}");
}

#[test]
fn morph_weights_without_names_are_numbered() {
    let names = |extras: Json| {
        let clip = decode_changed(|json| json["meshes"][0]["extras"] = extras);
        clip.signals.iter().map(|signal| signal.name.clone()).collect::<Vec<_>>()
    };
    for extras in [json!({}), json!({"targetNames": 3}), json!({"targetNames": []}), json!(null)] {
        assert_eq!(names(extras.clone()), ["face.weights.0", "face.weights.1"], "{extras}");
    }
    let repeated = json!({"targetNames": ["open", "open"]});
    assert_eq!(names(repeated), ["face.weights.open", "face.weights.1"]);
}

#[test]
fn glb_keys_have_their_byte_ranges() {
    let bytes = fs::read(fixtures::path("gltf/samplers.glb")).unwrap();
    for (animation, tangents) in [("Linear", 0), ("Cubic", 12)] {
        let clip = decode(&bytes, Some(animation));
        let track = &clip.tracks[0];
        for key in 0..track.curve.key_count() {
            let SourceLocation::Bytes(range) = track.source.key_location(key) else {
                panic!("expected bytes as the location")
            };
            // In a cubic spline the in-tangent precedes the value, so skip its 12 bytes.
            let start = range.start as usize + tangents;
            let values = [0, 4, 8].map(|at| {
                let component = bytes[start + at..start + at + 4].try_into().unwrap();
                f64::from(f32::from_le_bytes(component))
            });
            assert_eq!(track.curve.key_value(key), Value::from_numbers(values.into_iter()));
            assert_eq!(range.end - range.start, if tangents == 0 { 12 } else { 36 });
        }
    }
}

#[test]
fn contradictions_are_reported_and_the_rest_is_kept() {
    type Change = fn(&mut Json);
    let cases: [(Change, usize, &str); 12] = [
        (
            |json| json["animations"][0]["channels"][0]["target"]["node"] = json!(9),
            5,
            "gltf/missing-reference",
        ),
        (
            |json| json["animations"][0]["channels"][0]["sampler"] = json!(9),
            5,
            "gltf/missing-reference",
        ),
        (
            |json| json["animations"][0]["channels"][0]["target"]["path"] = json!("pointer"),
            5,
            "gltf/invalid-channel",
        ),
        (
            |json| json["animations"][0]["samplers"][0]["interpolation"] = json!("BEZIER"),
            5,
            "gltf/invalid-channel",
        ),
        (
            |json| json["animations"][0]["samplers"][0]["output"] = json!(999),
            5,
            "gltf/missing-reference",
        ),
        (
            |json| json["animations"][0]["samplers"][0]["input"] = json!(0),
            5,
            "gltf/invalid-accessor",
        ),
        (
            |json| json["animations"][0]["channels"][1]["target"]["path"] = json!("scale"),
            5,
            "gltf/invalid-accessor",
        ),
        (|json| json["nodes"][3]["mesh"] = json!(7), 4, "gltf/invalid-channel"),
        (
            |json| {
                json["animations"][0]["channels"][0]["target"]
                    .as_object_mut()
                    .unwrap()
                    .remove("node");
            },
            5,
            "gltf/unsupported-target",
        ),
        (
            |json| json["animations"][0]["channels"][2]["target"]["node"] = json!(0),
            6,
            "gltf/repeated-channel",
        ),
        (
            |json| {
                let output = json["animations"][0]["samplers"][0]["output"].as_u64().unwrap();
                json["accessors"][output as usize]["count"] = json!(4);
            },
            6,
            "gltf/key-count",
        ),
        (
            |json| {
                json["nodes"][1]["matrix"] = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
            },
            6,
            "gltf/animated-matrix",
        ),
    ];
    for (change, tracks, code) in cases {
        let clip = decode_changed(change);
        assert!(codes(&clip).contains(&code), "{code}: {:?}", clip.diagnostics);
        assert_eq!(clip.tracks.len(), tracks, "{code}: {:?}", clip.diagnostics);
        assert_eq!(clip.nodes.len(), 4, "{code}");
    }
}

#[test]
fn the_documented_example_moves() {
    let page = include_str!("../../../../../docs/formats/gltf.md");
    let example = page.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let clip = decode(example.as_bytes(), None);
    assert_eq!((clip.name.as_str(), codes(&clip)), ("Slide", Vec::new()));
    assert_eq!(pose(&clip, 0.25).nodes[0].world.translation, DVec3::X * 0.25);
}

#[test]
fn broken_sparse_accessors_are_reported() {
    type Change = fn(&mut Json);
    let sparse = |json: &Json| {
        let accessors = json["accessors"].as_array().unwrap();
        accessors.iter().position(|accessor| accessor.get("sparse").is_some()).unwrap()
    };
    let cases: [(Change, &str); 4] = [
        (|sparse| sparse["indices"]["bufferView"] = json!(999), "gltf/missing-reference"),
        (|sparse| sparse["count"] = json!(1_000_000_000_000_u64), "gltf/invalid-accessor"),
        (|sparse| sparse["values"]["byteOffset"] = json!(9), "gltf/invalid-accessor"),
        // The value accessor holds floats. Their bits, read as indices, do not ascend.
        (
            |sparse| sparse["indices"]["bufferView"] = sparse["values"]["bufferView"].clone(),
            "gltf/invalid-accessor",
        ),
    ];
    for (change, code) in cases {
        let mut json = samplers();
        let index = sparse(&json);
        change(&mut json["accessors"][index]["sparse"]);
        let clip = decode(json.to_string().as_bytes(), Some("animation 4"));
        let is_of_accessor = |one: &&Diagnostic| {
            one.severity == Severity::Error
                && one.message.contains(&format!("accessors[{index}]: "))
        };
        let found: Vec<_> =
            clip.diagnostics.iter().filter(is_of_accessor).map(|one| one.code.as_str()).collect();
        assert_eq!(found, [code], "{:?}", clip.diagnostics);
        assert_eq!(clip.tracks.len(), 2, "{code}");
    }
}

/// Many accessors may refer to the same bytes, so the limit is on the number of uses.
#[test]
fn small_files_cannot_claim_long_recordings() {
    let clip = decode_changed(|json| {
        let count = json["accessors"].as_array().unwrap().len();
        let output = json["animations"][0]["samplers"][0]["output"].as_u64().unwrap();
        let accessor = json["accessors"][output as usize].clone();
        let channel = json["animations"][0]["channels"][0].clone();
        let sampler = json["animations"][0]["samplers"][0].clone();
        for extra in 0..8000 {
            json["accessors"].as_array_mut().unwrap().push(accessor.clone());
            let mut sampler = sampler.clone();
            sampler["output"] = json!(count + extra);
            let samplers = json["animations"][0]["samplers"].as_array_mut().unwrap();
            samplers.push(sampler);
            let mut channel = channel.clone();
            channel["sampler"] = json!(5 + extra);
            json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
        }
    });
    assert!(codes(&clip).contains(&"gltf/too-large"));
    assert!(clip.tracks.len() < 6000, "{}", clip.tracks.len());
}

#[test]
fn zeros_without_bytes_are_limited() {
    let decode_zeros = |count: u64| {
        decode_changed(|json| {
            let output = json["animations"][0]["samplers"][0]["output"].as_u64().unwrap();
            json["accessors"][output as usize] =
                json!({"componentType": 5126, "count": count, "type": "VEC3"});
        })
    };
    let clip = decode_zeros(6);
    assert_eq!(clip.tracks.len(), 6);
    assert_eq!(pose(&clip, 0.7).nodes[index(&clip, "hip")].local.translation, DVec3::ZERO);
    for count in [10_000_000, u64::MAX] {
        let clip = decode_zeros(count);
        assert!(codes(&clip).contains(&"gltf/too-large"), "{:?}", clip.diagnostics);
        assert_eq!(clip.tracks.len(), 5);
    }
}
