//! Tests the models of skeletons.

use glam::{DAffine3, DVec3};

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Model, Piece, Pose},
    decode,
    io::bytes::{MemorySidecars, NoSidecars},
    skeleton_file::LoadedSkeleton,
};
use serde_json::{Value as Json, json};

use crate::rig::{arm, arm_bytes};
use mutoscope_testing::{fixtures, property::check_property};

/// Returns the posed positions of a piece, by the definition of skins in the glTF specification.
fn posed_positions(piece: &Piece, clip: &Clip, pose: &Pose) -> Vec<DVec3> {
    let mut worlds = vec![DAffine3::IDENTITY; clip.nodes.len()];
    for &id in clip.nodes.parents_first() {
        let local = pose[id].local;
        let local = DAffine3::from_scale_rotation_translation(
            local.scale,
            local.rotation,
            local.translation,
        );
        let parent = clip.nodes[id].parent.map(|parent| worlds[parent.index()]);
        worlds[id.index()] = parent.map_or(local, |parent| parent * local);
    }
    let positions = piece.positions.iter().map(|&position| glam::Vec3::from(position).as_dvec3());
    let pose_vertex = |(vertex, position): (usize, DVec3)| match &piece.skin {
        None => worlds[piece.node].transform_point3(position),
        Some(skin) => {
            let weighted = |joint: usize, weight: f32| {
                let bound = skin.inverse_bind[joint].as_dmat4().transform_point3(position);
                worlds[skin.joints[joint]].transform_point3(bound) * f64::from(weight)
            };
            let influences = skin.influences[vertex].iter().zip(skin.weights[vertex]);
            influences.map(|(&joint, weight)| weighted(joint.into(), weight)).sum()
        }
    };
    positions.enumerate().map(pose_vertex).collect()
}

#[test]
fn skinned_and_unskinned_pieces_are_read() {
    let model = arm().model;
    let [body, box_] = &model.pieces[..] else { panic!("{} pieces", model.pieces.len()) };
    assert_eq!((body.node, box_.node), (3, 5));
    assert_eq!((box_.positions.len(), box_.triangles.len()), (24, 36));
    assert!(box_.skin.is_none());
    let skin = body.skin.as_ref().unwrap();
    assert_eq!(skin.joints, [2, 1, 0]);
    for piece in &model.pieces {
        let is_unit = |normal: &[f32; 3]| (glam::Vec3::from(*normal).length() - 1.0).abs() < 1e-3;
        assert!(piece.normals.iter().all(is_unit));
        assert!(piece.triangles.iter().all(|&vertex| (vertex as usize) < piece.positions.len()));
    }
    let sums = skin.weights.iter().map(|weights| weights.iter().sum::<f32>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-6));
}

/// In the rest pose, every vertex is at its bind position. A vertex that is bound only to the hand
/// moves with the hand.
#[test]
fn skins_move_with_their_joints() {
    let bytes = fixtures::resonite_file("rig/arm_swing.animj");
    let rig = arm();
    let clip = decode(&bytes, &ReadOptions::default().with_skeleton(rig.clone())).unwrap();
    let body = &rig.model.pieces[0];
    let mut pose = Pose::default();
    clip.sample_rest_pose(&mut pose);
    for (found, bound) in posed_positions(body, &clip, &pose).iter().zip(&body.positions) {
        let bound = glam::Vec3::from(*bound).as_dvec3();
        assert!(found.abs_diff_eq(bound, 1e-5), "{found} instead of {bound}");
    }
    let hand = body.skin.as_ref().unwrap().joints.iter().position(|&node| node == 0).unwrap();
    let hand_vertices = |pose: &Pose| -> Vec<DVec3> {
        let skin = body.skin.as_ref().unwrap();
        let posed = posed_positions(body, &clip, pose);
        let is_bound_to_hand = |vertex: &usize| {
            let influences = skin.influences[*vertex].iter().zip(skin.weights[*vertex]);
            influences.filter(|(joint, _)| usize::from(**joint) == hand).any(|(_, w)| w > 0.999)
        };
        let local = |vertex: usize| {
            let world = pose.nodes[0].world;
            world.rotation.inverse() * (posed[vertex] - world.translation)
        };
        (0..posed.len()).filter(is_bound_to_hand).map(local).collect()
    };
    let at_rest = hand_vertices(&pose);
    assert!(at_rest.len() >= 4, "{}", at_rest.len());
    clip.sample(1.6, &mut pose);
    for (moved, rest) in hand_vertices(&pose).iter().zip(&at_rest) {
        assert!(moved.abs_diff_eq(*rest, 1e-4), "{moved} instead of {rest}");
    }
}

/// Builds a skeleton with one triangle after `change` edited its JSON.
fn triangle(change: impl FnOnce(&mut Json)) -> LoadedSkeleton {
    let mut root = triangle_json();
    change(&mut root);
    mutoscope_core::Registry::default()
        .decode_skeleton(root.to_string().as_bytes(), "triangle.gltf", &NoSidecars)
        .unwrap()
}

fn triangle_json() -> Json {
    let numbers: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .chain([0, 1, 2, 0])
        .collect();
    use base64::Engine as _;
    let text = base64::prelude::BASE64_STANDARD.encode(&numbers);
    json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.5, 0.25, 0.5]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 4}
        ],
        "buffers": [{"byteLength": 40, "uri": format!("data:application/octet-stream;base64,{text}")}]
    })
}

#[test]
fn missing_normals_are_computed() {
    let rig = triangle(|_| {});
    assert_eq!(rig.diagnostics.iter().next(), None);
    let [piece] = &rig.model.pieces[..] else { panic!("expected one piece") };
    assert_eq!(piece.triangles, [0, 1, 2]);
    assert_eq!(piece.normals, [[0.0, 0.0, 1.0]; 3]);
    // Without blending the material is opaque, so its alpha of 0.5 is ignored.
    assert_eq!(piece.color, [1.0, 0.5, 0.25, 1.0]);
    let strip = triangle(|root| root["meshes"][0]["primitives"][0]["mode"] = json!(5));
    assert_eq!(strip.model.pieces[0].triangles, [0, 1, 2]);
}

/// Exporters call this "glTF separate". The URI of the buffer is percent-encoded.
#[test]
fn buffers_may_be_sidecar_files() {
    let whole = triangle_json();
    let uri = whole["buffers"][0]["uri"].as_str().unwrap();
    use base64::Engine as _;
    let numbers = base64::prelude::BASE64_STANDARD.decode(uri.split_once(',').unwrap().1).unwrap();
    let mut root = whole.clone();
    root["buffers"][0]["uri"] = json!("my%20triangle.bin");
    let sidecars = MemorySidecars::new([("my triangle.bin".to_owned(), numbers)]);
    let text = root.to_string();
    let rig = mutoscope_core::Registry::default()
        .decode_skeleton(text.as_bytes(), "triangle.gltf", &sidecars)
        .unwrap();
    assert_eq!(rig.diagnostics.iter().next(), None);
    assert_eq!(rig.model, triangle(|_| {}).model);
}

#[test]
fn unsupported_mesh_features_are_reported() {
    type Change = fn(&mut Json);
    let cases: [(Change, &str); 11] = [
        (|root| root["accessors"][0]["count"] = json!(4), "gltf/invalid-accessor"),
        (|root| root["accessors"][0]["count"] = json!(u64::MAX), "gltf/invalid-accessor"),
        (|root| root["accessors"][1]["byteOffset"] = json!(2), "gltf/invalid-accessor"),
        (|root| root["accessors"][0]["type"] = json!("VEC2"), "gltf/invalid-accessor"),
        (|root| root["bufferViews"][0]["byteLength"] = json!(400), "gltf/invalid-accessor"),
        (|root| root["buffers"][0]["uri"] = json!("triangle.bin"), "gltf/missing-data"),
        (|root| root["buffers"][0]["uri"] = json!("https://a.b/c.bin"), "gltf/missing-data"),
        (|root| root["buffers"][0]["uri"] = json!("/c.bin"), "gltf/missing-data"),
        (|root| root["buffers"][0]["uri"] = json!("data:;base64,?"), "gltf/missing-data"),
        (|root| root["meshes"][0]["primitives"][0]["mode"] = json!(1), "gltf/invalid-mesh"),
        (|root| root["nodes"][0]["mesh"] = json!(9), "gltf/missing-reference"),
    ];
    for (change, expected) in cases {
        let rig = triangle(change);
        let found: Vec<_> = rig.diagnostics.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(found, [expected], "{:?}", rig.diagnostics);
        assert!(rig.model.pieces.is_empty(), "{expected}");
    }
}

#[test]
fn small_files_cannot_claim_large_models() {
    let rig = triangle(|root| {
        // Accessors without a buffer view are zeros, so they take no bytes in the file.
        root["accessors"][1] = json!({"componentType": 5121, "count": 60_000, "type": "SCALAR"});
        let primitive = root["meshes"][0]["primitives"][0].clone();
        root["meshes"][0]["primitives"] = vec![primitive; 1000].into();
    });
    assert!((50..100).contains(&rig.model.pieces.len()), "{}", rig.model.pieces.len());
    assert!(rig.diagnostics.iter().any(|one| one.code.as_str() == "gltf/too-large"));
}

#[test]
fn corrupted_models_never_panic() {
    let arm = arm_bytes();
    let json = 20..20 + u32::from_le_bytes(arm[12..16].try_into().unwrap()) as usize;
    let piece_count = std::cell::Cell::new(0);
    check_property(|random| {
        let mut bytes = arm.clone();
        for _ in 0..1 + random.below(3) {
            let offset = json.start + random.below(json.len());
            // Replace digits by digits, so that most mutated files are still valid JSON.
            if bytes[offset].is_ascii_digit() {
                bytes[offset] = b'0' + random.below(10) as u8;
            } else if random.below(8) == 0 {
                bytes[offset] = random.below(256) as u8;
            }
        }
        if random.below(4) == 0 {
            bytes.truncate(json.end + random.below(bytes.len() - json.end));
        }
        let Ok(rig) = mutoscope_core::Registry::default().decode_skeleton(&bytes, "x", &NoSidecars)
        else {
            return;
        };
        assert_valid_model(&rig.model, rig.nodes.len());
        piece_count.set(piece_count.get() + rig.model.pieces.len());
    });
    assert!(piece_count.get() > 500, "{}", piece_count.get());
}

/// Asserts the invariants that drawing code relies on.
fn assert_valid_model(model: &Model, nodes: usize) {
    for piece in &model.pieces {
        let count = piece.positions.len();
        assert!(piece.node < nodes && piece.normals.len() == count);
        assert!(piece.triangles.len() % 3 == 0);
        assert!(piece.triangles.iter().all(|&vertex| (vertex as usize) < count));
        let Some(skin) = &piece.skin else { continue };
        assert!(skin.joints.iter().all(|&node| node < nodes));
        assert!(skin.inverse_bind.len() >= skin.joints.len());
        assert_eq!((skin.influences.len(), skin.weights.len()), (count, count));
        let joints = skin.influences.iter().flatten();
        assert!(joints.into_iter().all(|&joint| usize::from(joint) < skin.joints.len()));
    }
    model.node_bounds();
}
