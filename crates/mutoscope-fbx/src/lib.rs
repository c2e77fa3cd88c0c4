//! FBX: takes as recordings, characters as skeletons. Files are read and evaluated by ufbx.
//!
//! `docs/formats/fbx.md` describes what is read, and what is assumed.
//!
//! | module | what it does |
//! |---|---|
//! | `scene` | loads a file within limits, metres and Y up |
//! | `nodes` | nodes with their parents and the pose in which they were bound |
//! | `takes` | the choice among takes |
//! | `keys` | the times at which a node is keyed, and keys between where it does not move straight |
//! | `clip` | a take as a clip |
//! | `meshes` | triangles, skins and colours |
//! | `blends` | blend shapes as morph targets |
//! | `textures` | images of the diffuse colour, in the file or beside it |
//! | `libc` | the C functions that ufbx calls, in browsers |

mod blends;
mod clip;
mod keys;
#[cfg(any(test, target_family = "wasm"))]
mod libc;
mod meshes;
mod nodes;
mod scene;
mod takes;
mod textures;

use mutoscope_core::{
    clip::{FormatId, Up, Variants, ViewerMirror},
    formats::{self, Decode, Format, Recognition, SkeletonFormat},
    rig::{RigKind, RigSpace},
};

/// The id of the format.
pub const FORMAT_ID: FormatId = FormatId::new("fbx");

/// The row of the format.
static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "FBX",
    extensions: &["fbx"],
    between_keys: "by its curves, evaluated by ufbx at the keys of this recording; rotations between them at constant speed",
    recognise,
    decode: Decode::Whole(clip::decode),
    rig: Some(RigKind::GLTF),
    variants: &[Variants::ANIMATION],
    animations: Some(clip::list_animations),
    unpacked: None,
}];

/// The row of the kind of skeletons.
static SKELETONS: [SkeletonFormat; 1] = [SkeletonFormat {
    kind: RigKind::FBX,
    extensions: &["fbx"],
    is_kept_with_recordings: false,
    space: RigSpace { up: Some(Up::Y), mirror: Some(ViewerMirror::X) },
    recognise,
    decode: nodes::decode_skeleton,
}];

/// Registers FBX as a format and as a kind of skeletons. A program does so once, before it reads anything.
pub fn register() {
    formats::register(&FORMATS);
    formats::register_skeletons(&SKELETONS);
}

/// Binary files have a signature, texts name their header within the first KiB.
fn recognise(bytes: &[u8]) -> Recognition {
    /// How many bytes of a text are searched.
    const START: usize = 1024;
    let start = &bytes[..bytes.len().min(START)];
    let word = b"FBXHeaderExtension";
    let is_named = start.windows(word.len()).any(|window| window == word);
    let is_text = !start.contains(&0) && start.trim_ascii_start().starts_with(b";")
        || is_named && !start.contains(&0);
    match bytes.starts_with(b"Kaydara FBX Binary") || is_text && is_named {
        true => Recognition::Certain,
        false => Recognition::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_files_and_texts_are_recognised() {
        assert_eq!(recognise(b"Kaydara FBX Binary  \0\x1a\0"), Recognition::Certain);
        assert_eq!(
            recognise(b"; FBX 7.4.0 project file\nFBXHeaderExtension:  {"),
            Recognition::Certain
        );
        for other in [&b""[..], b"; FBX", b"{}", b"HIERARCHY", b"\0\0FBXHeaderExtension"] {
            assert_eq!(recognise(other), Recognition::No, "{other:?}");
        }
    }
}
