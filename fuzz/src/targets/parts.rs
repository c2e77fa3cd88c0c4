//! Scenes with the files that they refer to, archives, character sets and their parts.

use std::{hint::black_box, io};

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{FormatId, Pose},
    decode,
    diagnostics::Diagnostics,
    formats::prime::{
        archive::ResourceType,
        characters::{Library, check_archive, check_library, check_resource},
    },
};
use mutoscope_minecraft::scene::{self, ElementEdit, SceneDocument, SceneEdit};

use super::uses;

/// Recordings that a scene finds next to it, whatever their names.
const RECORDINGS: [&[u8]; 2] = [
    include_bytes!("../../../tests/data/mcmocap-more/p.mcmocap_rec"),
    include_bytes!("../../../tests/data/mcmocap-more/old.mcmocap_rec"),
];

/// Decodes a scene. Every name of a recording resolves to a recording, and some names resolve to
/// the scene itself.
pub(super) fn scene(bytes: &[u8]) {
    let sidecars = |name: &str| match name {
        name if name.ends_with("_rec") => Ok(RECORDINGS[name.len() % 2].to_vec()),
        name if name.ends_with("_scene") && name.len() % 2 == 0 => Ok(bytes.to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let options =
        ReadOptions::from(mutoscope_cli::registry()).with_format(mutoscope_minecraft::FORMAT_ID);
    let clip = decode(SourceFile::new("", bytes).with_sidecars(&sidecars), &options);
    edit_scene(bytes);
    let Ok(clip) = clip else { return };
    let mut pose = Pose::default();
    for time in [clip.span.start, clip.span.end(), 0.33, -1e30, f64::NAN] {
        clip.sample(time, &mut pose);
    }
    // Query only small clips, because a scene with many loops has many keys.
    if clip.key_count() < 2_000 && clip.tracks.len() < 500 {
        uses::query_clip(&clip, bytes);
    }
}

/// Edits a scene, and checks that the written text reads back unchanged.
fn edit_scene(bytes: &[u8]) {
    let decoded = scene::decode(bytes, &mut Diagnostics::new());
    let document = SceneDocument::read(bytes);
    assert!(document.is_err() || decoded.is_ok(), "an editable scene can be decoded");
    let Ok(mut document) = document else { return };
    for index in 0..document.len().min(8) {
        for edit in [ElementEdit::StartDelay(0.35), ElementEdit::Offset([1.0, 0.0, -2.5].into())] {
            // Edits of invalid elements are rejected.
            let _ = SceneEdit::Change(index, edit).apply_to(&mut document);
        }
    }
    let text = document.to_json_text();
    let reread = SceneDocument::read(text.as_bytes()).expect("the written scene can be read");
    assert_eq!(reread.to_json_text(), text);
    assert_eq!(reread.elements(), document.elements());
}

pub(super) fn archive(bytes: &[u8]) {
    let Ok(library) = Library::from_archive(bytes) else { return };
    black_box(check_archive(&library, bytes));
    if let Ok(clip) = decode(bytes, &ReadOptions::default().with_format(FormatId::PRIME)) {
        uses::query_clip(&clip, bytes);
    }
}

pub(super) fn characters(bytes: &[u8]) {
    let Ok(library) = Library::from_ancs(bytes, "A.ANCS") else { return };
    let animation: &[u8] = include_bytes!("../../../tests/data/prime/walk_mp1_v2.ANIM");
    let sidecars = |name: &str| match name.ends_with(".ANIM") {
        true => Ok(animation.to_vec()),
        false => Err(io::ErrorKind::NotFound.into()),
    };
    library.with_resources(bytes, &sidecars, |resources| {
        black_box(check_library(&library, resources));
    });
    let options = ReadOptions::default().with_format(FormatId::PRIME);
    let file = SourceFile::new("", bytes);
    black_box(decode(file.with_sidecars(&sidecars), &options).is_ok());
    black_box(decode(file, &options).is_ok());
}

pub(super) fn part(bytes: &[u8]) {
    for kind in [ResourceType::CMDL, ResourceType::CSKR, ResourceType::EVNT, ResourceType::TXTR] {
        black_box(check_resource(kind, bytes, None, &mut Diagnostics::new()).is_ok());
    }
}
