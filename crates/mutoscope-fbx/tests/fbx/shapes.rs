//! Compares blend shapes and textures with those in Blender.

use std::{fs, io};

use glam::DVec3;
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, ImageFormat, MorphWeights, Pose, TextureImage},
    decode,
    io::bytes::{FolderSidecars, Sidecars},
};
use mutoscope_testing::fixtures::{json, path};
use serde_json::Value;

fn options() -> ReadOptions {
    ReadOptions::default().with_formats(mutoscope_fbx::formats())
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(path("fbx").join(name)).unwrap()
}

fn load_clip(name: &str, bytes: &[u8], sidecars: &dyn Sidecars) -> Clip {
    decode(SourceFile::new(name, bytes).with_sidecars(sidecars), &options()).unwrap()
}

fn load_from_folder(name: &str) -> Clip {
    load_clip(name, &bytes(name), &FolderSidecars::for_file(&path("fbx").join(name)))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn vertex_positions_match_blender() {
    let clip = load_from_folder("shapes_embedded.fbx");
    let expected = json("fbx/shapes.json");
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("expected one piece") };
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
        let (shaped, mut positions) = (piece.with_baked_morphs(&weights), Vec::new());
        shaped.fill_posed_positions(&matrices, &mut positions);
        // Faces do not share vertices here, so compare the two sets of positions in both
        // directions.
        let expected_positions: Vec<DVec3> = row["vertices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|position| DVec3::from_slice(&numbers(position)))
            .collect();
        let nearest = |position: &DVec3, among: &[DVec3]| {
            among.iter().map(|other| other.distance(*position)).fold(f64::INFINITY, f64::min)
        };
        let extra = positions
            .iter()
            .map(|position| nearest(position, &expected_positions))
            .fold(0.0, f64::max);
        let missing = expected_positions
            .iter()
            .map(|position| nearest(position, &positions))
            .fold(0.0, f64::max);
        assert!(extra < 1e-5 && missing < 1e-5, "{extra} {missing} at frame {}", row["frame"]);
    }
}

#[test]
fn embedded_and_external_textures_are_read() {
    for name in ["shapes_embedded.fbx", "shapes_beside.fbx"] {
        let clip = load_from_folder(name);
        let model = clip.model().unwrap();
        let [texture] = &model.textures[..] else { panic!("{name}: {:?}", clip.diagnostics) };
        let TextureImage::Encoded { format: ImageFormat::Png, bytes } = &texture.image else {
            panic!("expected a PNG")
        };
        assert_eq!(**bytes, *fs::read(path("fbx/skin.png")).unwrap(), "{name}");
        let [piece] = &model.pieces[..] else { panic!("expected one piece") };
        assert_eq!((piece.texture, piece.color), (Some(0), [1.0; 4]));
        // The texture was mapped so: u follows x, and v follows z. v points up in Blender, but down
        // here.
        assert_eq!(piece.uvs.len(), piece.positions.len());
        for (position, uv) in piece.positions.iter().zip(&piece.uvs) {
            let expected = [0.5 + 0.5 * position[0], 1.0 - position[2] / 2.0];
            let error = (uv[0] - expected[0]).abs().max((uv[1] - expected[1]).abs());
            assert!(error < 1e-4, "{position:?} {uv:?}");
        }
    }
}

fn assert_has_unreadable_texture(clip: &Clip) {
    let mut codes = clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str());
    assert!(codes.any(|code| code == "fbx/texture-unreadable"), "{:?}", clip.diagnostics);
}

#[test]
fn missing_texture_is_replaced_by_the_plain_colour() {
    let missing = |_: &str| Err(io::ErrorKind::NotFound.into());
    let clip = load_clip("shapes_beside.fbx", &bytes("shapes_beside.fbx"), &missing);
    let [piece] = &clip.model().unwrap().pieces[..] else { panic!("expected one piece") };
    assert!(piece.texture.is_none() && piece.uvs.is_empty());
    assert_has_unreadable_texture(&clip);
}

#[test]
fn textures_outside_the_folder_are_not_read() {
    let name = "shapes_beside.fbx";
    let mut bytes = bytes(name);
    // The new name has the same length, so that the file stays valid, and points above the folder.
    let offsets: Vec<usize> =
        (0..bytes.len() - 8).filter(|&offset| bytes[offset..].starts_with(b"skin.png")).collect();
    assert!(!offsets.is_empty());
    for offset in offsets {
        bytes[offset..offset + 8].copy_from_slice(br"..\a.png");
    }
    let read = |name: &str| -> io::Result<Vec<u8>> { panic!("{name} must not be read") };
    let clip = load_clip(name, &bytes, &read);
    assert_has_unreadable_texture(&clip);
}

#[test]
fn broken_files_never_panic() {
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
            let offset = random() % changed.len();
            changed[offset] = random() as u8;
        }
        let file = SourceFile::new("it.fbx", &changed).with_sidecars(&nothing);
        let Ok(clip) = decode(file, &options()) else { continue };
        for piece in clip.model().map_or(&[][..], |model| &model.pieces) {
            for target in &piece.morph_targets {
                for vectors in [&target.positions, &target.normals] {
                    assert!(vectors.is_empty() || vectors.len() == piece.positions.len());
                }
            }
        }
    }
}
