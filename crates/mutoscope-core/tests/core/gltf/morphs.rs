//! Compares morph targets and vertex colours with values that an independent script computed.

use std::fs;

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, MorphWeights, Piece, Pose},
    diagnostics::Diagnostic,
    export::{ExportOptions, Progress},
};
use serde_json::{Value as Json, json};

use crate::gltf::{WALKER, codes, decode, index, pose};
use mutoscope_testing::fixtures;

fn root() -> Json {
    let text = fs::read(fixtures::path("gltf/morphs.gltf")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn decode_changed(change: impl FnOnce(&mut Json)) -> Clip {
    let mut root = root();
    change(&mut root);
    decode(root.to_string().as_bytes(), None)
}

fn piece<'a>(clip: &'a Clip, node: &str) -> &'a Piece {
    let node = index(clip, node);
    clip.model().unwrap().pieces.iter().find(|piece| piece.node == node).unwrap()
}

fn weights(clip: &Clip, piece: &Piece, pose: &Pose) -> Vec<f32> {
    let mut weights = Vec::new();
    MorphWeights::new(clip, piece).fill_from_pose(pose, &mut weights);
    weights
}

/// Returns the largest distance between a vector and its expected value.
fn max_distance(found: &[DVec3], expected: &Json) -> f64 {
    let expected = expected.as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    let pairs = found.iter().zip(expected);
    pairs.map(|(one, row)| one.distance(vector(row))).fold(0.0, f64::max)
}

fn vector(row: &Json) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| row[axis].as_f64().unwrap()))
}

#[test]
fn morph_weights_displace_the_vertices() {
    let clip = decode(root().to_string().as_bytes(), None);
    assert!(clip.diagnostics.is_empty(), "{:?}", clip.diagnostics);
    let expected = fixtures::json("gltf/morphs.json");
    let mut matrices = Vec::new();
    for row in expected["rows"].as_array().unwrap() {
        let pose = pose(&clip, row["time"].as_f64().unwrap());
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        for name in ["moving", "still", "worn"] {
            let piece = piece(&clip, name);
            let weights = weights(&clip, piece, &pose);
            if name != "still" {
                for (found, expected) in weights.iter().zip(row["weights"].as_array().unwrap()) {
                    assert!((f64::from(*found) - expected.as_f64().unwrap()).abs() < 1e-6);
                }
            }
            let (shaped, mut positions) = (piece.with_baked_morphs(&weights), Vec::new());
            shaped.fill_posed_positions(&matrices, &mut positions);
            let error = max_distance(&positions, &row[name]);
            assert!(error < 1e-6, "{name} at {}: {error}", pose.time);
            if name == "moving" {
                let normals: Vec<_> =
                    shaped.normals.iter().map(|one| glam::Vec3::from(*one).as_dvec3()).collect();
                let error = max_distance(&normals, &row["normals"]);
                assert!(error < 1e-6, "normals at {}: {error}", pose.time);
            }
        }
    }
    let names = |node| piece(&clip, node).morph_targets.iter().map(|one| one.name.clone());
    assert_eq!(names("moving").collect::<Vec<_>>(), ["bulge", "lift", "coarse"]);
    assert_eq!(names("worn").collect::<Vec<_>>(), ["0", "1", "2"]);
    assert_eq!(weights(&clip, piece(&clip, "still"), &pose(&clip, 9.0)), [0.0, 1.5, 0.0]);
}

#[test]
fn mesh_weights_apply_without_an_animation() {
    let clip = decode_changed(|root| {
        root["animations"] = json!([{"name": "None", "channels": [], "samplers": []}]);
    });
    assert_eq!(weights(&clip, piece(&clip, "moving"), &pose(&clip, 0.0)), [0.5, 0.0, -0.25]);
    assert!(!MorphWeights::new(&clip, piece(&clip, "moving")).is_animated());
}

#[test]
fn vertex_colours_are_linear_and_opaque_unless_blended() {
    let clip = decode(root().to_string().as_bytes(), None);
    let expected = fixtures::json("gltf/morphs.json");
    for name in ["moving", "worn"] {
        let found = piece(&clip, name).colors.as_flattened();
        let rows = expected["colors"][name].as_array().unwrap();
        let expected: Vec<_> = rows.iter().flat_map(|row| row.as_array().unwrap()).collect();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((f64::from(*found) - expected.as_f64().unwrap()).abs() < 1e-6, "{name}");
        }
    }
    let blended = decode_changed(|root| {
        root["materials"] = json!([{"alphaMode": "BLEND"}]);
        root["meshes"][1]["primitives"][0]["material"] = json!(0);
    });
    assert!(piece(&blended, "worn").colors.iter().any(|color| color[3] < 1.0));
}

#[test]
fn invalid_morph_targets_are_skipped_and_the_mesh_is_kept() {
    // Accessor 9 holds scalars, 99 does not exist, and 8 holds vectors of four components.
    for (accessor, expected) in [
        (json!(9), "gltf/invalid-accessor"),
        (json!(99), "gltf/missing-reference"),
        (json!(8), "gltf/invalid-accessor"),
    ] {
        let clip = decode_changed(|root| {
            root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = accessor.clone();
        });
        let piece = piece(&clip, "moving");
        assert_eq!(piece.morph_targets.len(), 3);
        assert!(piece.morph_targets[0].positions.is_empty());
        assert_eq!(piece.morph_targets[2].positions.len(), 8);
        let is_bulge = |one: &&Diagnostic| one.value("name").is_some_and(|name| name == "bulge");
        let found: Vec<_> =
            clip.diagnostics.iter().filter(is_bulge).map(|one| one.code.as_str()).collect();
        assert!(!found.is_empty(), "{:?}", clip.diagnostics);
        assert!(found.iter().all(|code| *code == expected), "{:?}", clip.diagnostics);
    }
    let short = decode_changed(|root| {
        let count = json!(7);
        let accessor =
            root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].as_u64().unwrap();
        root["accessors"][accessor as usize]["count"] = count;
    });
    let message = "morph target \"bulge\": expected 8 displacements, found 7; skipped";
    let found = short.diagnostics.iter().find(|one| one.message.ends_with(message));
    let found = found.unwrap_or_else(|| panic!("{:?}", short.diagnostics));
    assert_eq!(found.code.as_str(), "gltf/invalid-morph-target");
}

#[test]
fn repeated_morph_targets_are_limited() {
    let clip = decode_changed(|root| {
        let target = root["meshes"][0]["primitives"][0]["targets"][1].clone();
        let many = vec![target; 700_000];
        root["meshes"][0]["primitives"][0]["targets"] = Json::Array(many);
    });
    assert!(codes(&clip).contains(&"gltf/too-large"), "{}", clip.diagnostics.len());
    let position_count: usize = clip
        .model()
        .unwrap()
        .pieces
        .iter()
        .flat_map(|piece| &piece.morph_targets)
        .map(|target| target.positions.len())
        .sum();
    assert!(position_count < 4_300_000, "{position_count}");
}

#[test]
fn missing_normals_follow_the_displaced_triangles() {
    let clip = decode_changed(|root| {
        for mesh in 0..2 {
            let attributes = &mut root["meshes"][mesh]["primitives"][0]["attributes"];
            attributes.as_object_mut().unwrap().remove("NORMAL");
        }
    });
    let piece = piece(&clip, "moving");
    // At weight 1, the normals are exactly the normals of the displaced triangles.
    let shaped = piece.with_baked_morphs(&[1.0, 0.0, 0.0]);
    let [a, b, c] = [0, 1, 2].map(|at| glam::Vec3::from(shaped.positions[at]));
    let normal = (b - a).cross(c - a).normalize();
    assert!(glam::Vec3::from(shaped.normals[1]).distance(normal) < 1e-5);
    assert!(glam::Vec3::from(piece.normals[1]).distance(normal) > 1e-2);
}

#[test]
fn blender_morph_weights_move_the_mesh() {
    let clip = decode(WALKER, None);
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("expected one piece") };
    assert_eq!(piece.morph_targets[0].name, "Breathe");
    let expected = fixtures::json("gltf/walker.json");
    assert!(expected.is_array() || expected.is_object());
    let mut shapes = Vec::new();
    for time in [0.0, 0.25, 0.5] {
        let pose = pose(&clip, time);
        let weights = weights(&clip, piece, &pose);
        let signal =
            clip.signals.iter().position(|one| one.name == "Body.weights.Breathe").unwrap();
        let mutoscope_core::clip::Value::Number(number) = pose.signals[signal] else { panic!() };
        assert!((f64::from(weights[0]) - number).abs() < 1e-6);
        shapes.push(piece.with_baked_morphs(&weights).positions);
    }
    assert!(shapes[0] != shapes[1] || shapes[1] != shapes[2]);
}

/// Returns the posed vertices of each mesh.
fn posed_vertices(clip: &Clip, time: f64) -> Vec<Vec<DVec3>> {
    let pose = pose(clip, time);
    let mut matrices = Vec::new();
    clip.nodes.fill_world_matrices(&pose, &mut matrices);
    let posed = |piece: &Piece| {
        let mut positions = Vec::new();
        let weights = weights(clip, piece, &pose);
        piece.with_baked_morphs(&weights).fill_posed_positions(&matrices, &mut positions);
        positions
    };
    clip.model().unwrap().pieces.iter().map(posed).collect()
}

#[test]
fn exported_meshes_keep_morph_targets_and_colours() {
    let clip = decode(root().to_string().as_bytes(), None);
    let mut bytes = Vec::new();
    let target = mutoscope_core::export::Targets::default().target("glb").unwrap();
    let report = target
        .write(&clip, &ExportOptions::default(), &mut bytes, &mut Progress::default())
        .unwrap();
    let diagnostics: Vec<_> =
        report.remarks().iter().map(|remark| remark.message.as_str()).collect();
    assert!(diagnostics.contains(&"2 meshes with moving morph targets"), "{diagnostics:?}");
    assert!(!diagnostics.iter().any(|one| one.contains("signals skipped")), "{diagnostics:?}");
    let back = decode(&bytes, None);
    let (own, theirs) = (&clip.model().unwrap().pieces, &back.model().unwrap().pieces);
    for (own, theirs) in own.iter().zip(theirs) {
        let names = |piece: &Piece| -> Vec<String> {
            piece.morph_targets.iter().map(|target| target.name.clone()).collect()
        };
        assert_eq!(names(own), names(theirs));
        assert_eq!(own.colors, theirs.colors);
    }
    for row in fixtures::json("gltf/morphs.json")["rows"].as_array().unwrap() {
        let time = row["time"].as_f64().unwrap();
        for (name, positions) in ["moving", "still", "worn"].iter().zip(posed_vertices(&back, time))
        {
            let error = max_distance(&positions, &row[name]);
            assert!(error < 1e-5, "{name} at {time}: {error}");
        }
    }
}
