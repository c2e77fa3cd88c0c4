//! Files that gltfpack compressed, compared with the one that it read.

use std::fs;

use glam::{DAffine3, DVec3};
use mutoscope_core::{
    clip::{Clip, Piece},
    diagnostics::Severity,
};
use serde_json::{Value as Json, json};

use crate::gltf::{decode, index, pose, said};
use mutoscope_testing::fixtures;

const COMPRESSED: [&str; 2] = ["boxes_meshopt_ext.glb", "boxes_meshopt_khr.glb"];

fn file(name: &str) -> Vec<u8> {
    fs::read(fixtures::path("characters").join(name)).unwrap()
}

/// Where the vertices of the only mesh are.
fn vertices(clip: &Clip, time: f64) -> Vec<DVec3> {
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
    let (mut matrices, mut positions): (Vec<DAffine3>, _) = (Vec::new(), Vec::new());
    clip.nodes.fill_world_matrices(&pose(clip, time), &mut matrices);
    Piece::fill_posed_positions(piece, &matrices, &mut positions);
    positions
}

#[test]
fn compressed_files_are_as_the_one_that_they_were_made_from() {
    let plain = decode(&file("plain_source.glb"), None);
    let expected = fixtures::json("characters/expected.json");
    for name in COMPRESSED {
        let clip = decode(&file(name), None);
        assert!(said(&clip).is_empty(), "{name}: {:?}", said(&clip));
        assert_eq!(expected["alone"][name]["same_as"], "plain_source.glb");
        let within = expected["alone"][name]["within"].as_f64().unwrap();
        assert!((clip.span.duration - plain.span.duration).abs() < 1e-6, "{name}");
        let mut compared = 0;
        for row in expected["alone"]["plain_source.glb"]["rows"].as_array().unwrap() {
            let time = row["time"].as_f64().unwrap();
            let pose = pose(&clip, time);
            for (node, place) in row["nodes"].as_object().unwrap() {
                let place = place[0].as_array().unwrap().iter().map(|part| part.as_f64().unwrap());
                let place = DVec3::from_slice(&place.collect::<Vec<_>>());
                let found = pose.nodes[index(&clip, node)].world.translation;
                assert!(found.distance(place) < within, "{name} {node} at {time}: {found} {place}");
                compared += 1;
            }
            // The order of vertices is another: the nearest is the same one.
            let (ours, theirs) = (vertices(&clip, time), vertices(&plain, time));
            assert_eq!(ours.len(), theirs.len(), "{name}");
            for vertex in theirs {
                let far = ours.iter().map(|one| one.distance(vertex)).fold(f64::INFINITY, f64::min);
                assert!(far < within, "{name}: {far} at {time}");
            }
        }
        assert!(compared > 40, "{name}: {compared}");
    }
}

/// A file with a change of its JSON.
fn changed(name: &str, change: impl FnOnce(&mut Json)) -> Clip {
    let bytes = file(name);
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut root: Json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    change(&mut root);
    let text = root.to_string();
    let mut made = bytes[..12].to_vec();
    made.extend((text.len() as u32).to_le_bytes());
    made.extend(b"JSON");
    made.extend(text.as_bytes());
    made.extend(&bytes[20 + length..]);
    decode(&made, None)
}

#[test]
fn a_view_that_cannot_be_decoded_loses_only_its_channels() {
    let extension = |view: usize, member: &str| {
        format!("/bufferViews/{view}/extensions/EXT_meshopt_compression/{member}")
    };
    for (member, value, expected) in [
        ("count", json!(1_000_000_000u64), "expected 20 bytes, found 1000000000 elements"),
        ("byteLength", json!(9), "truncated"),
        ("byteOffset", json!(u64::MAX), "its view is larger than the buffer"),
        ("buffer", json!(9), "there is no such buffer"),
        ("mode", json!("LINES"), "unknown variant"),
        ("filter", json!("OCTAHEDRAL"), ""),
    ] {
        // The times of all channels.
        let clip = changed(COMPRESSED[0], |root| {
            *root.pointer_mut(&extension(5, "filter")).unwrap_or(&mut Json::Null) = Json::Null;
            root["bufferViews"][5]["extensions"]["EXT_meshopt_compression"][member] = value.clone();
        });
        assert_eq!(clip.model().unwrap().pieces.len(), 1, "{member}");
        if expected.is_empty() {
            continue;
        }
        assert_eq!(clip.tracks.len(), 0, "{member}");
        let errors = clip.diagnostics.iter().filter(|notice| notice.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|notice| notice.message.as_str()).collect();
        assert!(
            !errors.is_empty() && errors.iter().all(|one| one.contains(expected)),
            "{errors:?}"
        );
    }
}

#[test]
fn views_that_share_their_bytes_are_decoded_as_often_as_these_allow() {
    let clip = changed(COMPRESSED[1], |root| {
        let view = root["bufferViews"][0].clone();
        let views = root["bufferViews"].as_array_mut().unwrap();
        views.extend(vec![view; 2000]);
        let mut accessor = root["accessors"][0].clone();
        accessor["bufferView"] = json!(views_of(root) - 1);
        let accessors = root["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        let last = accessors.len() - 1;
        root["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(last);
    });
    let said = said(&clip);
    assert!(said.iter().any(|one| one.contains("its bytes are used too often")), "{said:?}");
    assert!(clip.model().is_none() && !clip.tracks.is_empty());
}

fn views_of(root: &Json) -> usize {
    root["bufferViews"].as_array().unwrap().len()
}

#[test]
fn meshes_compressed_by_draco_are_named() {
    let clip = changed("plain_source.glb", |root| {
        root["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        root["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    });
    let said = said(&clip);
    assert!(clip.model().is_none());
    let is_named = |one: &String| one.contains("by KHR_draco_mesh_compression, which is not read");
    assert!(said.iter().any(is_named), "{said:?}");
}
