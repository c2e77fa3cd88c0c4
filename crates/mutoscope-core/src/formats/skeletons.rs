//! The kinds of files that skeletons are read from.

use std::{path::Path, sync::Arc};

use super::{Recognition, prime};
use crate::{
    clip::{Up, ViewerMirror},
    diagnostics::{Error, Notices},
    io::bytes::Sidecars,
    registry::{Registry, Row},
    rig::{Rig, RigContent, RigKind, RigSpace, gltf},
};

/// The kinds of files that this crate reads skeletons from. [`skeleton_formats`] has all.
pub static SKELETON_FORMATS: [SkeletonFormat; 3] = [GLTF, prime::CINF, prime::CHARACTER_RIG];

static ALL: Registry<SkeletonFormat> = Registry::new(&SKELETON_FORMATS);

static CHARACTERS: Registry<BuiltInCharacter> = Registry::new(&[]);

/// A character that is in no file: a word in place of the name of a file means it.
#[derive(Debug)]
pub struct BuiltInCharacter {
    /// The word.
    pub word: &'static str,
    /// Its name for users.
    pub name: &'static str,
    /// Its id.
    pub kind: RigKind,
    /// Makes it.
    pub content: fn() -> RigContent,
}

impl Row for BuiltInCharacter {
    fn has_id_of(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

/// Registers characters of other crates. One whose word is known already is left as it is.
pub fn register_characters(rows: &'static [BuiltInCharacter]) {
    CHARACTERS.register(rows);
}

/// The character that a path means by its word: a file of that name is `./WORD`.
pub fn built_in_character(path: &Path) -> Option<Rig> {
    let row = CHARACTERS.rows().find(|row| path.as_os_str() == row.word)?;
    let RigContent { nodes, model, humanoid } = (row.content)();
    Some(Rig {
        name: row.name.to_owned(),
        kind: row.kind,
        nodes,
        space: GLTF.space,
        humanoid,
        model: Arc::new(model),
        notices: Notices::new(),
    })
}

impl Row for SkeletonFormat {
    fn has_id_of(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Registers kinds of skeletons of other crates. A program does so once, before it reads anything. A kind that is known
/// already is left as it is.
pub fn register_skeletons(rows: &'static [SkeletonFormat]) {
    ALL.register(rows);
}

/// Every kind of file that skeletons are read from: those of this crate, then those that were registered.
pub fn skeleton_formats() -> impl Iterator<Item = &'static SkeletonFormat> + Clone {
    ALL.rows()
}

/// The row of glTF 2.0, binary or text. What begins with no zero may be a broken one.
const GLTF: SkeletonFormat = SkeletonFormat {
    kind: RigKind::GLTF,
    extensions: &["glb", "gltf", "vrm"],
    is_kept_with_recordings: false,
    space: RigSpace { up: Some(Up::Y), mirror: Some(ViewerMirror::X) },
    recognise: |bytes| match (gltf::is_recognised(bytes), bytes.first()) {
        (true, _) => Recognition::Certain,
        (false, Some(0)) => Recognition::No,
        (false, _) => Recognition::Plausible,
    },
    decode: gltf::decode,
};

/// A kind of file that skeletons are read from: how to name, recognise and decode it.
#[derive(Debug)]
pub struct SkeletonFormat {
    /// Its id.
    pub kind: RigKind,
    /// The extensions its files usually have, lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Whether such a skeleton is kept in the folder of the recordings that go on it, as where the
    /// files of a game are taken out of an archive.
    pub is_kept_with_recordings: bool,
    /// Its hints about the space of the recordings that are put on it.
    pub space: RigSpace,
    /// Tells from all bytes of a file whether it is of this kind. [`Recognition::Certain`] of what
    /// is sound; what is only plausible may also be a recording, or broken.
    pub recognise: fn(&[u8]) -> Recognition,
    /// Decodes a file's bytes.
    pub decode: DecodeSkeleton,
}

/// Decodes a file's bytes into the nodes of a skeleton and the meshes that they carry.
pub type DecodeSkeleton = fn(&[u8], &dyn Sidecars, &mut Notices) -> Result<RigContent, Error>;

/// The first row of this kind.
pub fn skeleton_format(kind: RigKind) -> Option<&'static SkeletonFormat> {
    skeleton_formats().find(|row| row.kind == kind)
}

/// The kind of skeleton that the whole `bytes` of a file look like, valid or not; `None` if none.
/// Recordings may look alike: ask their formats first.
pub fn recognise_skeleton(bytes: &[u8]) -> Option<RigKind> {
    let row = likeliest(bytes).filter(|row| (row.recognise)(bytes) == Recognition::Certain)?;
    Some(row.kind)
}

/// Reads the skeleton in `bytes` with this `name`; `sidecars` are the files that it keeps its
/// meshes in.
///
/// # Errors
/// If the bytes are of no kind that is known, or contradict it.
pub fn decode_skeleton(bytes: &[u8], name: &str, sidecars: &dyn Sidecars) -> Result<Rig, Error> {
    let row = likeliest(bytes).ok_or_else(|| {
        let mut kinds: Vec<_> = skeleton_formats().map(|row| row.kind.name()).collect();
        kinds.dedup();
        Error::unrecognised(format!("expected a skeleton of {}", kinds.join(" or ")))
    })?;
    let mut notices = Notices::new();
    let RigContent { nodes, model, humanoid } = (row.decode)(bytes, sidecars, &mut notices)?;
    let (name, model) = (name.to_owned(), Arc::new(model));
    Ok(Rig { name, kind: row.kind, nodes, space: row.space, humanoid, model, notices })
}

fn likeliest(bytes: &[u8]) -> Option<&'static SkeletonFormat> {
    let sure = |row: &'static SkeletonFormat| ((row.recognise)(bytes), row);
    let rows = skeleton_formats().map(sure).filter(|(sure, _)| *sure > Recognition::No);
    rows.max_by_key(|(sure, _)| *sure).map(|(_, row)| row)
}
