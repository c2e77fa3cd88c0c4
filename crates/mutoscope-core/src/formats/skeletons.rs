//! The skeleton file formats, and the characters that are built in.

use std::{path::Path, sync::Arc};

use super::{Recognition, prime};
use crate::{
    clip::{UpAxis, ViewerMirror},
    diagnostics::{Diagnostics, Error},
    io::bytes::Sidecars,
    registry::{Registry, RegistryRow},
    skeleton_file::{LoadedSkeleton, SkeletonContent, SkeletonKind, SkeletonSpace, gltf},
};

/// The skeleton file formats of this crate. [`skeleton_formats`] also returns registered ones.
pub static SKELETON_FORMATS: [SkeletonFormat; 3] = [GLTF, prime::CINF, prime::CHARACTER_SKELETON];

static FORMATS: Registry<SkeletonFormat> = Registry::new(&SKELETON_FORMATS);

static CHARACTERS: Registry<BuiltInCharacter> = Registry::new(&[]);

/// A character that is built into the program. Users select it with a keyword in place of a file
/// name.
#[derive(Debug)]
pub struct BuiltInCharacter {
    /// The keyword.
    pub keyword: &'static str,
    /// The name for users.
    pub name: &'static str,
    /// The kind of skeleton.
    pub kind: SkeletonKind,
    /// The function that builds the character.
    pub build: fn() -> SkeletonContent,
}

impl RegistryRow for BuiltInCharacter {
    fn has_same_id(&self, other: &Self) -> bool {
        self.keyword == other.keyword
    }
}

/// Registers built-in characters of other crates. A character whose keyword is already registered
/// is ignored.
pub fn register_characters(rows: &'static [BuiltInCharacter]) {
    CHARACTERS.register(rows);
}

/// Returns the built-in character whose keyword is the whole `path`, otherwise `None`. To open a
/// file with the same name, the user writes `./KEYWORD`.
pub fn built_in_character(path: &Path) -> Option<LoadedSkeleton> {
    let row = CHARACTERS.rows().find(|row| path.as_os_str() == row.keyword)?;
    let SkeletonContent { nodes, model, humanoid } = (row.build)();
    Some(LoadedSkeleton {
        name: row.name.to_owned(),
        kind: row.kind,
        nodes,
        space: GLTF.space,
        humanoid,
        model: Arc::new(model),
        diagnostics: Diagnostics::new(),
    })
}

impl RegistryRow for SkeletonFormat {
    fn has_same_id(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Registers skeleton file formats of other crates. Call this once, before the program reads any
/// file. A format whose kind is already registered is ignored.
pub fn register_skeletons(rows: &'static [SkeletonFormat]) {
    FORMATS.register(rows);
}

/// Returns all skeleton file formats: first those of this crate, then the registered ones.
pub fn skeleton_formats() -> impl Iterator<Item = &'static SkeletonFormat> + Clone {
    FORMATS.rows()
}

/// The format of glTF 2.0 skeletons, binary or text. All files whose first byte is not zero are
/// plausible, because they may be damaged glTF files.
const GLTF: SkeletonFormat = SkeletonFormat {
    kind: SkeletonKind::GLTF,
    extensions: &["glb", "gltf", "vrm"],
    is_kept_with_recordings: false,
    space: SkeletonSpace { up: Some(UpAxis::Y), mirror: Some(ViewerMirror::X) },
    recognise: |bytes| match (gltf::is_recognised(bytes), bytes.first()) {
        (true, _) => Recognition::Certain,
        (false, Some(0)) => Recognition::No,
        (false, _) => Recognition::Plausible,
    },
    decode: gltf::decode,
};

/// A skeleton file format: its names, and the functions that recognise and decode its files.
#[derive(Debug)]
pub struct SkeletonFormat {
    /// The kind of skeleton.
    pub kind: SkeletonKind,
    /// The usual file extensions, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// `true` if skeletons are stored in the folder of the recordings that use them, such as files
    /// extracted from a game's archive.
    pub is_kept_with_recordings: bool,
    /// Hints about the space of recordings that are placed on these skeletons.
    pub space: SkeletonSpace,
    /// The function that judges from all bytes of a file if the file is of this kind. Valid files
    /// are [`Recognition::Certain`]. A file that is only plausible may also be a recording or a
    /// damaged file.
    pub recognise: fn(&[u8]) -> Recognition,
    /// The function that decodes a file.
    pub decode: DecodeSkeleton,
}

/// A function that decodes a file into the nodes of a skeleton and their meshes.
pub type DecodeSkeleton =
    fn(&[u8], &dyn Sidecars, &mut Diagnostics) -> Result<SkeletonContent, Error>;

/// Returns the first skeleton file format of this kind, or `None` if the kind is not registered.
pub fn skeleton_format(kind: SkeletonKind) -> Option<&'static SkeletonFormat> {
    skeleton_formats().find(|row| row.kind == kind)
}

/// Returns the kind of skeleton in `bytes`, which are a whole file. Returns `None` if no skeleton
/// format is certain. Try the recording formats first, because some recordings look like skeletons.
pub fn recognise_skeleton(bytes: &[u8]) -> Option<SkeletonKind> {
    let row =
        most_likely_format(bytes).filter(|row| (row.recognise)(bytes) == Recognition::Certain)?;
    Some(row.kind)
}

/// Decodes the skeleton file with this `name` from its `bytes`. `sidecars` are the files that its
/// meshes are stored in.
///
/// # Errors
/// If no skeleton format recognises the bytes, or they violate the format.
pub fn decode_skeleton(
    bytes: &[u8],
    name: &str,
    sidecars: &dyn Sidecars,
) -> Result<LoadedSkeleton, Error> {
    let row = most_likely_format(bytes).ok_or_else(|| {
        let mut kinds: Vec<_> = skeleton_formats().map(|row| row.kind.name()).collect();
        kinds.dedup();
        Error::unrecognised(format!(
            "expected a skeleton file of a known format ({})",
            kinds.join(", ")
        ))
    })?;
    let mut diagnostics = Diagnostics::new();
    let SkeletonContent { nodes, model, humanoid } =
        (row.decode)(bytes, sidecars, &mut diagnostics)?;
    let (name, model) = (name.to_owned(), Arc::new(model));
    Ok(LoadedSkeleton {
        name,
        kind: row.kind,
        nodes,
        space: row.space,
        humanoid,
        model,
        diagnostics,
    })
}

fn most_likely_format(bytes: &[u8]) -> Option<&'static SkeletonFormat> {
    let judge = |row: &'static SkeletonFormat| ((row.recognise)(bytes), row);
    skeleton_formats()
        .map(judge)
        .filter(|(recognition, _)| *recognition > Recognition::No)
        .max_by_key(|(recognition, _)| *recognition)
        .map(|(_, row)| row)
}
