//! Decoding of skeletons, and recordings attached to them.

use std::hint::black_box;

use mutoscope_core::{
    ReadOptions,
    clip::FormatId,
    decode,
    diagnostics::Diagnostics,
    formats::SKELETON_FORMATS,
    io::bytes::NoSidecars,
    skeleton_file::{LoadedSkeleton, SkeletonContent, SkeletonKind},
};

use super::uses;

/// Recordings for glTF skeletons.
const RECORDINGS_FOR_GLTF: [(FormatId, &[u8]); 2] = [
    (FormatId::ANIMJ, include_bytes!("../../../tests/data/animj/rig/arm_swing.animj")),
    (FormatId::MAYA, include_bytes!("../../../tests/data/maya/spec_example_4joints.anim")),
];

/// A recording for Metroid Prime skeletons.
const RECORDINGS_FOR_CINF: [(FormatId, &[u8]); 1] =
    [(FormatId::PRIME, include_bytes!("../../../tests/data/prime/walk_mp1_v2.ANIM"))];

pub(super) fn gltf(bytes: &[u8]) {
    decode_and_attach(bytes, SkeletonKind::GLTF, &RECORDINGS_FOR_GLTF);
}

pub(super) fn cinf(bytes: &[u8]) {
    decode_and_attach(bytes, SkeletonKind::CINF, &RECORDINGS_FOR_CINF);
}

fn decode_and_attach(bytes: &[u8], kind: SkeletonKind, recordings: &[(FormatId, &[u8])]) {
    let Some(row) = SKELETON_FORMATS.iter().find(|row| row.kind == kind) else { return };
    black_box((row.recognise)(bytes));
    let mut diagnostics = Diagnostics::new();
    let Ok(SkeletonContent { nodes, model, humanoid }) =
        (row.decode)(bytes, &NoSidecars, &mut diagnostics)
    else {
        return;
    };
    for (index, node) in nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < nodes.len() && parent != index));
    }
    for piece in &model.pieces {
        let count = piece.positions.len();
        assert!(piece.triangles.iter().all(|&corner| (corner as usize) < count));
    }
    let name = "skeleton".to_owned();
    let skeleton = LoadedSkeleton {
        name,
        kind,
        nodes,
        space: row.space,
        humanoid,
        model: model.into(),
        diagnostics,
        sidecars: Vec::new(),
    };
    for &(format, recording) in recordings {
        let request = ReadOptions::default().with_format(format).with_skeleton(skeleton.clone());
        let Ok(clip) = decode(recording, &request) else { continue };
        uses::pose_model(&clip);
    }
}
