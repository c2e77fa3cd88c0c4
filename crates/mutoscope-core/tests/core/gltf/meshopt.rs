//! Compares files that gltfpack compressed with their uncompressed source.

use std::fs;

use glam::{DAffine3, DVec3};
use mutoscope_core::{
    clip::{Clip, Piece},
    diagnostics::Severity,
};
use serde_json::{Value as Json, json};

use crate::gltf::{codes, decode, index, pose};
use mutoscope_testing::fixtures;

const COMPRESSED: [&str; 2] = ["boxes_meshopt_ext.glb", "boxes_meshopt_khr.glb"];

fn read_fixture(name: &str) -> Vec<u8> {
    fs::read(fixtures::path("characters").join(name)).unwrap()
}

/// Returns the posed positions of the only mesh.
fn posed_positions(clip: &Clip, time: f64) -> Vec<DVec3> {
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
    let (mut matrices, mut positions): (Vec<DAffine3>, _) = (Vec::new(), Vec::new());
    clip.nodes.fill_world_matrices(&pose(clip, time), &mut matrices);
    Piece::fill_posed_positions(piece, &matrices, &mut positions);
    positions
}

#[test]
fn compressed_files_match_their_source() {
    let plain = decode(&read_fixture("plain_source.glb"), None);
    let expected = fixtures::json("characters/expected.json");
    for name in COMPRESSED {
        let clip = decode(&read_fixture(name), None);
        assert!(clip.diagnostics.is_empty(), "{name}: {:?}", clip.diagnostics);
        assert_eq!(expected["alone"][name]["same_as"], "plain_source.glb");
        let within = expected["alone"][name]["within"].as_f64().unwrap();
        assert!((clip.span.duration - plain.span.duration).abs() < 1e-6, "{name}");
        let mut compared = 0;
        for row in expected["alone"]["plain_source.glb"]["rows"].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            let pose = pose(&clip, time);
            for (node, expected_position) in row["nodes"].as_object().unwrap() {
                let expected_position = expected_position[0]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|part| part.as_f64().unwrap());
                let expected_position = DVec3::from_slice(&expected_position.collect::<Vec<_>>());
                let found = pose.nodes[index(&clip, node)].world.translation;
                assert!(
                    found.distance(expected_position) < within,
                    "{name} {node} at {time}: {found} {expected_position}"
                );
                compared += 1;
            }
            // gltfpack reorders vertices, so compare each vertex with the nearest one.
            let (ours, theirs) = (posed_positions(&clip, time), posed_positions(&plain, time));
            assert_eq!(ours.len(), theirs.len(), "{name}");
            for vertex in theirs {
                let distance =
                    ours.iter().map(|other| other.distance(vertex)).fold(f64::INFINITY, f64::min);
                assert!(distance < within, "{name}: {distance} at {time}");
            }
        }
        assert!(compared > 40, "{name}: {compared}");
    }
}

/// Decodes a file after `change` edited its JSON.
fn decode_changed(name: &str, change: impl FnOnce(&mut Json)) -> Clip {
    let bytes = read_fixture(name);
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut root: Json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    change(&mut root);
    let text = root.to_string();
    let mut glb = bytes[..12].to_vec();
    glb.extend((text.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(text.as_bytes());
    glb.extend(&bytes[20 + length..]);
    decode(&glb, None)
}

#[test]
fn undecodable_view_loses_only_its_channels() {
    let extension = |view: usize, member: &str| {
        format!("/bufferViews/{view}/extensions/EXT_meshopt_compression/{member}")
    };
    for (member, value, expected) in [
        ("count", json!(1_000_000_000u64), Some("gltf/invalid-compression")),
        ("byteLength", json!(9), Some("gltf/invalid-compression")),
        ("byteOffset", json!(u64::MAX), Some("gltf/invalid-compression")),
        ("buffer", json!(9), Some("gltf/missing-reference")),
        ("mode", json!("LINES"), Some("gltf/invalid-compression")),
        ("filter", json!("OCTAHEDRAL"), None),
    ] {
        // View 5 holds the times of all channels, so every track is lost.
        let clip = decode_changed(COMPRESSED[0], |root| {
            *root.pointer_mut(&extension(5, "filter")).unwrap_or(&mut Json::Null) = Json::Null;
            root["bufferViews"][5]["extensions"]["EXT_meshopt_compression"][member] = value.clone();
        });
        assert_eq!(clip.model().unwrap().pieces.len(), 1, "{member}");
        let Some(expected) = expected else { continue };
        assert_eq!(clip.tracks.len(), 0, "{member}");
        let errors =
            clip.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|diagnostic| diagnostic.code.as_str()).collect();
        assert!(
            !errors.is_empty() && errors.iter().all(|code| *code == expected),
            "{member}: {:?}",
            clip.diagnostics
        );
    }
}

#[test]
fn repeated_decoding_of_shared_bytes_is_limited() {
    let clip = decode_changed(COMPRESSED[1], |root| {
        let view = root["bufferViews"][0].clone();
        let views = root["bufferViews"].as_array_mut().unwrap();
        views.extend(vec![view; 2000]);
        let mut accessor = root["accessors"][0].clone();
        accessor["bufferView"] = json!(view_count(root) - 1);
        let accessors = root["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        let last = accessors.len() - 1;
        root["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(last);
    });
    assert!(codes(&clip).contains(&"gltf/too-large"), "{:?}", clip.diagnostics);
    assert!(clip.model().is_none() && !clip.tracks.is_empty());
}

fn view_count(root: &Json) -> usize {
    root["bufferViews"].as_array().unwrap().len()
}

#[test]
fn draco_meshes_are_skipped_and_reported() {
    let clip = decode_changed("plain_source.glb", |root| {
        root["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        let primitive = &mut root["meshes"][0]["primitives"][0];
        primitive["extensions"] = json!({"KHR_draco_mesh_compression": {"bufferView": 0}});
        let positions = primitive["attributes"]["POSITION"].as_u64().unwrap();
        let accessor = &mut root["accessors"][positions as usize];
        accessor.as_object_mut().unwrap().remove("bufferView");
    });
    assert!(clip.model().is_none());
    let reported =
        clip.diagnostics.iter().find(|one| one.code.as_str() == "gltf/unsupported-extension");
    let reported = reported.unwrap_or_else(|| panic!("{:?}", clip.diagnostics));
    assert!(reported.message.contains("by KHR_draco_mesh_compression, which is not read"));
}
