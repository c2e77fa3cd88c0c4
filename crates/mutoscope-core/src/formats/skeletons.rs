//! The skeleton file formats, and the characters that are built in.

use std::{path::Path, sync::Arc};

use super::{Recognition, Registry, prime};
use crate::{
    clip::{UpAxis, ViewerMirror},
    diagnostics::{Diagnostics, Error},
    io::bytes::Sidecars,
    skeleton_file::{LoadedSkeleton, SkeletonContent, SkeletonKind, SkeletonSpace, gltf},
};

/// The skeleton file formats of this crate. [`Registry::skeleton_formats`] also returns those of
/// extensions.
pub static SKELETON_FORMATS: [SkeletonFormat; 3] = [GLTF, prime::CINF, prime::CHARACTER_SKELETON];

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

impl Registry {
    /// Returns the built-in character whose keyword is the whole `path`, otherwise `None`. To open
    /// a file with the same name, the user writes `./KEYWORD`.
    pub fn built_in_character(&self, path: &Path) -> Option<LoadedSkeleton> {
        let row = self.characters().find(|row| path.as_os_str() == row.keyword)?;
        let SkeletonContent { nodes, model, humanoid } = (row.build)();
        Some(LoadedSkeleton {
            name: row.name.to_owned(),
            kind: row.kind,
            nodes,
            space: GLTF.space,
            humanoid,
            model: Arc::new(model),
            diagnostics: Diagnostics::new(),
            sidecars: Vec::new(),
        })
    }

    /// Returns the kind of skeleton in `bytes`, which are a whole file. Returns `None` if no
    /// skeleton format is certain. Try the recording formats first, because some recordings look
    /// like skeletons.
    pub fn recognise_skeleton(&self, bytes: &[u8]) -> Option<SkeletonKind> {
        let row = self.most_likely_skeleton_format(bytes)?;
        ((row.recognise)(bytes) == Recognition::Certain).then_some(row.kind)
    }

    /// Decodes the skeleton file with this `name` from its `bytes`. `sidecars` are the files that
    /// its meshes are stored in.
    ///
    /// # Errors
    /// If no skeleton format recognises the bytes, or they violate the format.
    pub fn decode_skeleton(
        &self,
        bytes: &[u8],
        name: &str,
        sidecars: &dyn Sidecars,
    ) -> Result<LoadedSkeleton, Error> {
        let row = self.most_likely_skeleton_format(bytes).ok_or_else(|| {
            let mut kinds: Vec<_> = self.skeleton_formats().map(|row| row.kind.name()).collect();
            kinds.dedup();
            Error::unrecognised(format!(
                "expected a skeleton file of a known format ({})",
                kinds.join(", ")
            ))
        })?;
        let mut diagnostics = Diagnostics::new();
        let SkeletonContent { nodes, model, humanoid } =
            (row.decode)(bytes, sidecars, &mut diagnostics)?;
        Ok(LoadedSkeleton {
            name: name.to_owned(),
            kind: row.kind,
            nodes,
            space: row.space,
            humanoid,
            model: Arc::new(model),
            diagnostics,
            sidecars: Vec::new(),
        })
    }

    fn most_likely_skeleton_format(&self, bytes: &[u8]) -> Option<&'static SkeletonFormat> {
        self.skeleton_formats()
            .map(|row| ((row.recognise)(bytes), row))
            .filter(|(recognition, _)| *recognition > Recognition::No)
            .max_by_key(|(recognition, _)| *recognition)
            .map(|(_, row)| row)
    }
}
