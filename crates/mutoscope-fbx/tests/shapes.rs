//! Blend shapes and textures, compared with Blender.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{fs, io};

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, ImageFormat, MorphWeights, Pose, TextureImage},
    io::bytes::{FolderSidecars, Sidecars},
    read::{LoadRequest, load},
};
use mutoscope_testing::fixtures::{json, path};
use serde_json::Value;

/// Before any test.
#[ctor::ctor]
fn register() {
    mutoscope_fbx::register();
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("fbx").join(name)).unwrap()
}

fn clip(name: &str, bytes: &[u8], sidecars: &dyn Sidecars) -> Clip {
    load(&LoadRequest { sidecars, ..LoadRequest::new(name, bytes) }).unwrap()
}

fn in_folder(name: &str) -> Clip {
    clip(name, &bytes(name), &FolderSidecars::for_file(&path("fbx").join(name)))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn vertices_are_where_blender_has_them() {
    let clip = in_folder("shapes_embedded.fbx");
    let expected = json("fbx/shapes.json");
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
    let names: Vec<_> = piece.morph_targets.iter().map(|target| target.name.as_str()).collect();
    assert_eq!(names, ["Smile", "Blink", "Tip"]);
    let signals: Vec<_> = clip.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(signals, ["Head.weights.Smile", "Head.weights.Blink", "Head.weights.Tip"]);
    let source = MorphWeights::new(&clip, piece);
    let (mut pose, mut weights, mut matrices) = (Pose::default(), Vec::new(), Vec::new());
    for row in expected["rows"].as_array().unwrap() {
        clip.sample(row["time"].as_f64().unwrap(), &mut pose);
        source.fill_from_pose(&pose, &mut weights);
        for (found, expected) in weights.iter().zip(numbers(&row["weights"])) {
            assert!((f64::from(*found) - expected).abs() < 1e-4, "{weights:?} {row}");
        }
        clip.nodes.fill_world_matrices(&pose, &mut matrices);
        let (shaped, mut places) = (piece.with_baked_morphs(&weights), Vec::new());
        shaped.fill_posed_positions(&matrices, &mut places);
        // Faces do not share vertices here: each of ours is one of Blender's, and each of those is there.
        let theirs: Vec<DVec3> = row["vertices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| DVec3::from_slice(&numbers(place)))
            .collect();
        let nearest = |place: &DVec3, among: &[DVec3]| {
            among.iter().map(|other| other.distance(*place)).fold(f64::INFINITY, f64::min)
        };
        let off = places.iter().map(|place| nearest(place, &theirs)).fold(0.0, f64::max);
        let lost = theirs.iter().map(|place| nearest(place, &places)).fold(0.0, f64::max);
        assert!(off < 1e-5 && lost < 1e-5, "{off} {lost} at frame {}", row["frame"]);
    }
}

#[test]
fn textures_are_read_from_the_file_and_from_beside_it() {
    for name in ["shapes_embedded.fbx", "shapes_beside.fbx"] {
        let clip = in_folder(name);
        let model = clip.model().unwrap();
        let [texture] = &model.textures[..] else { panic!("{name}: {:?}", clip.diagnostics) };
        let TextureImage::Encoded { format: ImageFormat::Png, bytes } = &texture.image else {
            panic!("a PNG")
        };
        assert_eq!(**bytes, *fs::read(path("fbx/skin.png")).unwrap(), "{name}");
        let [piece] = &model.pieces[..] else { panic!("one piece") };
        assert_eq!((piece.texture, piece.color), (Some(0), [1.0; 4]));
        // As it was made: u by x, and v, which points upwards in Blender, by z.
        assert_eq!(piece.uvs.len(), piece.positions.len());
        for (position, uv) in piece.positions.iter().zip(&piece.uvs) {
            let expected = [0.5 + 0.5 * position[0], 1.0 - position[2] / 2.0];
            let off = (uv[0] - expected[0]).abs().max((uv[1] - expected[1]).abs());
            assert!(off < 1e-4, "{position:?} {uv:?}");
        }
    }
}

#[test]
fn a_texture_that_is_missing_leaves_the_plain_colour() {
    let missing = |_: &str| Err(io::ErrorKind::NotFound.into());
    let clip = clip("shapes_beside.fbx", &bytes("shapes_beside.fbx"), &missing);
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("one piece") };
    assert!(piece.texture.is_none() && piece.uvs.is_empty());
    let is_named = |message: &str| message.contains("skin.png") && message.contains("plain colour");
    assert!(
        clip.diagnostics.iter().any(|notice| is_named(&notice.message)),
        "{:?}",
        clip.diagnostics
    );
}

#[test]
fn a_texture_outside_of_the_folder_is_not_read() {
    let name = "shapes_beside.fbx";
    let mut bytes = bytes(name);
    // Of the same length, above the folder.
    let places: Vec<usize> =
        (0..bytes.len() - 8).filter(|&at| bytes[at..].starts_with(b"skin.png")).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + 8].copy_from_slice(br"..\a.png");
    }
    let read = |name: &str| -> io::Result<Vec<u8>> { panic!("{name} was read") };
    let clip = clip(name, &bytes, &read);
    let is_named = |message: &str| message.contains("is not in the folder of the FBX; not read");
    assert!(
        clip.diagnostics.iter().any(|notice| is_named(&notice.message)),
        "{:?}",
        clip.diagnostics
    );
}

#[test]
fn broken_files_are_errors_or_clips() {
    let bytes = bytes("shapes_embedded.fbx");
    let nothing = |_: &str| Err(io::ErrorKind::NotFound.into());
    let mut state = 11u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..200 {
        let mut changed = bytes.clone();
        for _ in 0..4 {
            let at = random() % changed.len();
            changed[at] = random() as u8;
        }
        let request = LoadRequest { sidecars: &nothing, ..LoadRequest::new("it.fbx", &changed) };
        let Ok(clip) = load(&request) else { continue };
        for piece in clip.model().map_or(&[][..], |model| &model.pieces) {
            for target in &piece.morph_targets {
                for vectors in [&target.positions, &target.normals] {
                    assert!(vectors.is_empty() || vectors.len() == piece.positions.len());
                }
            }
        }
    }
}
