//! Images of each kind of figure on the stage, in `tests/snapshots/stage`.

use mutoscope_testing::snapshots::ImageSnapshots;

use super::{errors, render};

/// The part of the pixels that may differ. Versions of a software driver draw the edges of meshes
/// and lines differently.
const MAX_DIFFERING_PART: f64 = 0.01;

/// Names of images, and the options that render them.
const IMAGES: &[(&str, &str)] = &[
    ("hands", "--at 1 --camera=0,60 assets/mrtk/two-hands.bin"),
    ("hands-lost", "--at 1.7 --camera=0,60 assets/mrtk/two-hands.bin"),
    ("hands-strip", "--strip 4 assets/mrtk/two-hands.bin"),
    ("maya-nodes", "--at 0.5 assets/maya/walk-with-hat.anim"),
    ("resonite-figure", "--at 2 assets/animj/lantern-show.animj"),
    ("resonite-character", "--at 1 --rig assets/animj/arm-swing.glb assets/animj/arm-swing.animj"),
    ("prime-skeleton", "--at 0.4 --rig assets/prime/walk.CINF assets/prime/walk.ANIM"),
    ("minecraft-day", "--at 5 --captions assets/mcmocap/a-day.mcmocap_rec"),
    ("minecraft-scene", "--at 1 tests/data/mcmocap-more/trio.mcmocap_scene"),
    ("minecraft-boat", "--at 1 tests/data/mcmocap-more/ride_boat.mcmocap_rec"),
    ("bvh-mannequin", "--at 0.5 assets/bvh/walk.bvh"),
    ("bvh-on-player", "--at 0.5 --rig minecraft assets/bvh/walk.bvh"),
    (
        "bvh-on-avatar",
        "--at 0 --retarget auto --rig tests/data/characters/boxes.vrm \
         tests/data/characters/cmu_names.bvh",
    ),
    ("gltf-skin", "--at 0.5 assets/gltf/walker.glb"),
    ("gltf-blend-shapes", "--at 1 tests/data/gltf/morphs.gltf"),
    ("fbx-texture", "--at 0.5 tests/data/fbx/shapes_embedded.fbx"),
    ("trc-markers", "--at 0.3 tests/data/trc/plug-in-gait.trc"),
    ("c3d-markers", "--at 0.5 tests/data/c3d/intel_float.c3d"),
    (
        "comparison",
        "--at 1 --against assets/mrtk/two-hands-damaged.bin --place side-by-side \
         assets/mrtk/two-hands.bin",
    ),
    ("title-and-timecode", "--at 1 --title Two-hands --timecode assets/mrtk/two-hands.bin"),
];

#[test]
fn figures_look_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.png");
    let mut images = ImageSnapshots::new("stage", MAX_DIFFERING_PART);
    for (name, options) in IMAGES {
        let mut arguments = vec!["-o", path.to_str().unwrap(), "--size", "320x180"];
        arguments.extend(options.split_whitespace());
        let ended = render(&arguments);
        assert!(ended.status.success(), "{name}: {}", errors(&ended));
        images.compare(name, &image::open(&path).unwrap().into_rgba8());
    }
    images.finish();
}
