//! Morph targets and colours of vertices, compared with values that were computed apart from this program.

use std::{fs, ops::ControlFlow};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, MorphWeights, Piece, Pose},
    export::{ExportOptions, ExportTarget},
};
use serde_json::{Value as Json, json};

use crate::gltf::{WALKER, decode, index, pose, said};
use mutoscope_testing::fixtures;

fn root() -> Json {
    let text = fs::read(fixtures::path("gltf/morphs.gltf")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn changed(change: impl FnOnce(&mut Json)) -> Clip {
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

/// How far vectors are from those that are expected.
fn farthest(found: &[DVec3], expected: &Json) -> f64 {
    let expected = expected.as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    let pairs = found.iter().zip(expected);
    pairs.map(|(one, row)| one.distance(vector(row))).fold(0.0, f64::max)
}

fn vector(row: &Json) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| row[axis].as_f64().unwrap()))
}

#[test]
fn vertices_are_where_the_weights_put_them() {
    let clip = decode(root().to_string().as_bytes(), None);
    assert!(said(&clip).is_empty(), "{:?}", said(&clip));
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
            let (shaped, mut places) = (piece.with_baked_morphs(&weights), Vec::new());
            shaped.fill_posed_positions(&matrices, &mut places);
            let off = farthest(&places, &row[name]);
            assert!(off < 1e-6, "{name} at {}: {off}", pose.time);
            if name == "moving" {
                let normals: Vec<_> =
                    shaped.normals.iter().map(|one| glam::Vec3::from(*one).as_dvec3()).collect();
                let off = farthest(&normals, &row["normals"]);
                assert!(off < 1e-6, "normals at {}: {off}", pose.time);
            }
        }
    }
    let names = |node| piece(&clip, node).morph_targets.iter().map(|one| one.name.clone());
    assert_eq!(names("moving").collect::<Vec<_>>(), ["bulge", "lift", "coarse"]);
    assert_eq!(names("worn").collect::<Vec<_>>(), ["0", "1", "2"]);
    assert_eq!(weights(&clip, piece(&clip, "still"), &pose(&clip, 9.0)), [0.0, 1.5, 0.0]);
}

#[test]
fn without_an_animation_weights_are_those_of_the_mesh() {
    let clip = changed(|root| {
        root["animations"] = json!([{"name": "None", "channels": [], "samplers": []}]);
    });
    assert_eq!(weights(&clip, piece(&clip, "moving"), &pose(&clip, 0.0)), [0.5, 0.0, -0.25]);
    assert!(!MorphWeights::new(&clip, piece(&clip, "moving")).is_animated());
}

#[test]
fn colours_of_vertices_are_linear_and_opaque_where_their_material_is() {
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
    let blended = changed(|root| {
        root["materials"] = json!([{"alphaMode": "BLEND"}]);
        root["meshes"][1]["primitives"][0]["material"] = json!(0);
    });
    assert!(piece(&blended, "worn").colors.iter().any(|color| color[3] < 1.0));
}

#[test]
fn targets_of_other_vertices_are_skipped_and_the_mesh_is_kept() {
    // An accessor of three numbers, one of none that exists, one of other numbers.
    for (accessor, expected) in
        [(json!(9), "expected"), (json!(99), "it does not exist"), (json!(8), "expected")]
    {
        let clip = changed(|root| {
            root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = accessor.clone();
        });
        let piece = piece(&clip, "moving");
        assert_eq!(piece.morph_targets.len(), 3);
        assert!(piece.morph_targets[0].positions.is_empty());
        assert_eq!(piece.morph_targets[2].positions.len(), 8);
        let said = said(&clip);
        let is_named = |one: &String| {
            one.contains("morph target \"bulge\"")
                && one.contains(expected)
                && one.contains("skipped")
        };
        assert!(said.iter().any(is_named), "{said:?}");
    }
    let short = changed(|root| {
        let count = json!(7);
        let accessor =
            root["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].as_u64().unwrap();
        root["accessors"][accessor as usize]["count"] = count;
    });
    let said = said(&short);
    assert!(said.iter().any(|one| one.contains("expected 8 displacements, found 7")), "{said:?}");
}

#[test]
fn targets_that_many_meshes_share_are_made_as_often_as_the_bytes_allow() {
    let clip = changed(|root| {
        let target = root["meshes"][0]["primitives"][0]["targets"][1].clone();
        let many = vec![target; 40_000];
        root["meshes"][0]["primitives"][0]["targets"] = Json::Array(many);
    });
    let said = said(&clip);
    let is_refused = |one: &String| one.contains("morph targets: its numbers are used too often");
    assert!(said.iter().any(is_refused), "{}", said.len());
    let made: usize = clip
        .model()
        .unwrap()
        .pieces
        .iter()
        .flat_map(|piece| &piece.morph_targets)
        .map(|target| target.positions.len())
        .sum();
    assert!(made < 10_000, "{made}");
}

#[test]
fn normals_that_a_file_lacks_follow_the_displaced_triangles() {
    let clip = changed(|root| {
        for mesh in 0..2 {
            let attributes = &mut root["meshes"][mesh]["primitives"][0]["attributes"];
            attributes.as_object_mut().unwrap().remove("NORMAL");
        }
    });
    let piece = piece(&clip, "moving");
    // At 1, they are those of the displaced triangles.
    let shaped = piece.with_baked_morphs(&[1.0, 0.0, 0.0]);
    let [a, b, c] = [0, 1, 2].map(|at| glam::Vec3::from(shaped.positions[at]));
    let normal = (b - a).cross(c - a).normalize();
    assert!(glam::Vec3::from(shaped.normals[1]).distance(normal) < 1e-5);
    assert!(glam::Vec3::from(piece.normals[1]).distance(normal) > 1e-2);
}

#[test]
fn weights_of_a_character_of_blender_move_its_mesh() {
    let clip = decode(WALKER, None);
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
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

/// Where the vertices of all meshes are at a pose, in the order of the meshes.
fn shown(clip: &Clip, time: f64) -> Vec<Vec<DVec3>> {
    let pose = pose(clip, time);
    let mut matrices = Vec::new();
    clip.nodes.fill_world_matrices(&pose, &mut matrices);
    let place = |piece: &Piece| {
        let mut places = Vec::new();
        let weights = weights(clip, piece, &pose);
        piece.with_baked_morphs(&weights).fill_posed_positions(&matrices, &mut places);
        places
    };
    clip.model().unwrap().pieces.iter().map(place).collect()
}

#[test]
fn exported_meshes_keep_their_morph_targets_and_their_colours() {
    let clip = decode(root().to_string().as_bytes(), None);
    let mut bytes = Vec::new();
    let target = ExportTarget::from_id("glb").unwrap();
    let report = target
        .write(&clip, &ExportOptions::default(), &mut bytes, &mut |_| ControlFlow::Continue(()))
        .unwrap();
    let said: Vec<_> = report.remarks().iter().map(|remark| remark.message.as_str()).collect();
    assert!(said.contains(&"2 meshes with moving morph targets"), "{said:?}");
    assert!(!said.iter().any(|one| one.contains("signals skipped")), "{said:?}");
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
        for (name, places) in ["moving", "still", "worn"].iter().zip(shown(&back, time)) {
            let off = farthest(&places, &row[name]);
            assert!(off < 1e-5, "{name} at {time}: {off}");
        }
    }
}
