//! Reads FBX files with ufbx: takes as recordings, and characters as skeletons.
//!
//! `docs/formats/fbx.md` describes what is read and what is assumed.
//!
//! | module | what it does |
//! |---|---|
//! | `scene` | loads a file within limits, converted to metres and Y up |
//! | `nodes` | nodes with their parents and their bind pose |
//! | `text` | finds text that is not UTF-8 |
//! | `takes` | chooses one take of several, and finds its time range |
//! | `keys` | key times of nodes, and extra keys where the motion is not linear |
//! | `clip` | converts a take to a clip |
//! | `codes` | the codes of diagnostics |
//! | `meshes` | triangles, skins and colours |
//! | `blends` | blend shapes as morph targets |
//! | `textures` | diffuse images, embedded in the file or next to it |
//! | `libc` | the C functions that ufbx calls, for browsers |

mod blends;
mod clip;
mod codes;
mod keys;
#[cfg(any(test, target_family = "wasm"))]
mod libc;
mod meshes;
mod nodes;
mod scene;
mod takes;
mod text;
mod textures;

use mutoscope_core::{
    clip::{Content, FormatId, UpAxis, Variants, ViewerMirror},
    diagnostics::Code,
    formats::{Decode, Format, FormatSet, Recognition, SkeletonFormat},
    skeleton_file::{SkeletonKind, SkeletonSpace},
};

/// The id of the FBX format.
pub const FORMAT_ID: FormatId = FormatId::new("fbx");

/// The codes of diagnostics about FBX files.
pub const CODES: &[&[Code]] = &[codes::CODES];

static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "FBX",
    extensions: &["fbx"],
    between_keys: "by its curves, evaluated by ufbx at the keys of this recording; rotations between them at constant speed",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::RestPose,
        Content::Scales,
        Content::Meshes,
        Content::MorphTargets,
    ],
    recognise,
    decode: Decode::Whole(clip::decode),
    skeleton_kind: Some(SkeletonKind::GLTF),
    variants: &[Variants::ANIMATION],
    animations: Some(clip::list_animations),
    unpack: None,
    explain_rejection: None,
}];

static SKELETONS: [SkeletonFormat; 1] = [SkeletonFormat {
    kind: SkeletonKind::FBX,
    extensions: &["fbx"],
    is_kept_with_recordings: false,
    space: SkeletonSpace { up: Some(UpAxis::Y), mirror: Some(ViewerMirror::X) },
    recognise,
    decode: nodes::decode_skeleton,
}];

/// Returns FBX as a recording format and as a skeleton format.
pub fn formats() -> FormatSet {
    FormatSet { formats: &FORMATS, skeletons: &SKELETONS, codes: CODES, ..FormatSet::default() }
}

fn recognise(bytes: &[u8]) -> Recognition {
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
