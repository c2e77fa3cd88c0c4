//! The description of a recording format.

use std::pin::Pin;

use super::{ReadOptions, Recognition, SourceFile};
use crate::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Diagnostics, Error, SourceLocation},
    io::bytes::Sidecars,
    skeleton_file::SkeletonKind,
};

/// A recording format: its names, and the functions that recognise and decode its files.
#[derive(Debug)]
pub struct Format {
    /// The id.
    pub id: FormatId,
    /// The name for users.
    pub name: &'static str,
    /// The usual file extensions, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// The interpolation between keys, in a few words for users.
    pub between_keys: &'static str,
    /// The kinds of content that recordings of this format can have.
    pub contents: &'static [Content],
    /// The function that judges from a file's bytes if the file is of this format.
    pub recognise: fn(&[u8]) -> Recognition,
    /// The function that decodes a file.
    pub decode: Decode,
    /// The kind of skeleton file that can be applied to recordings; `None` if the format does not
    /// support any.
    pub skeleton_kind: Option<SkeletonKind>,
    /// The labels of the [`Variants`](crate::clip::Variants) that files of this format may have.
    pub variants: &'static [&'static str],
    /// The function that lists the animations of a file; `None` if a file holds a single animation.
    pub animations: Option<ListAnimations>,
    /// The function that unpacks a file; `None` if the format does not pack data. Locations of keys
    /// refer to the unpacked data.
    pub unpack: Option<Unpack>,
    /// The function that explains why a file that resembles this format is not a recording of it;
    /// `None` if the format has no such files.
    pub explain_rejection: Option<ExplainRejection>,
}

/// A function that decodes a file. If the options have a given skeleton, the format supports its
/// kind, and the function places the clip on the skeleton. A decoder uses the assumptions only to
/// compute other values from them. They are applied to the clip's convention after decoding.
#[derive(Clone, Copy, Debug)]
pub enum Decode {
    /// Decodes all bytes of a file at once.
    Whole(DecodeWhole),
    /// Decodes a file piece by piece and yields between pieces, so that a large file need not be in
    /// memory.
    Pieces(DecodePieces),
}

/// A function that decodes all bytes of a file.
pub type DecodeWhole =
    fn(&[u8], &SourceFile<'_>, &ReadOptions, &mut Diagnostics) -> Result<Clip, Error>;

/// A function that decodes the content of a file piece by piece.
pub type DecodePieces =
    for<'a> fn(&'a SourceFile<'a>, &'a ReadOptions, &'a mut Diagnostics) -> Decoding<'a>;

/// A future that decodes a file. It yields between pieces and awaits nothing else.
pub type Decoding<'a> = Pin<Box<dyn Future<Output = Result<Clip, Error>> + 'a>>;

/// An animation in a file that holds several animations.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAnimation {
    /// The name that selects the animation. It is unique within the file.
    pub name: String,
    /// The duration in seconds; `None` if it cannot be read.
    pub duration: Option<f64>,
}

/// A function that lists the animations of a file in file order. Its arguments are all bytes of the
/// file and its sidecar files.
///
/// # Errors
/// If the file cannot be read as this format.
pub type ListAnimations = fn(&[u8], &dyn Sidecars) -> Result<Vec<NamedAnimation>, Error>;

/// A function that returns the unpacked data of a file, or `None` if the file is not packed or
/// cannot be unpacked.
pub type Unpack = fn(&[u8]) -> Option<Vec<u8>>;

/// A function that describes a file which the format does not recognise, and says why. Returns
/// `None` if the file does not resemble the format.
pub type ExplainRejection = fn(&[u8]) -> Option<String>;

impl Decode {
    pub(super) async fn run(
        self,
        file: &SourceFile<'_>,
        options: &ReadOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Clip, Error> {
        match self {
            Self::Whole(decode) => decode(&file.content.read_all()?, file, options, diagnostics),
            Self::Pieces(decode) => decode(file, options, diagnostics).await,
        }
    }
}

impl Format {
    pub(super) fn explain(&self, bytes: &[u8]) -> Option<String> {
        self.explain_rejection.and_then(|explain| explain(bytes))
    }

    /// Returns `true` if a file is decoded piece by piece, so that a large one need not be in
    /// memory.
    pub fn decodes_in_pieces(&self) -> bool {
        matches!(self.decode, Decode::Pieces(_))
    }

    /// Returns `true` if a skeleton of this kind can be applied to recordings of this format.
    pub fn supports_skeleton(&self, kind: SkeletonKind) -> bool {
        // FBX and glTF skeletons are interchangeable here, because both are trees of named nodes in
        // the viewer's space.
        let kind = if kind == SkeletonKind::FBX { SkeletonKind::GLTF } else { kind };
        self.skeleton_kind == Some(kind)
    }

    /// Returns the error that explains why this format does not support skeletons of this `kind`.
    pub fn unsupported_skeleton_error(&self, kind: SkeletonKind) -> Error {
        let message = format!(
            "expected a recording that takes a skeleton of {kind}, found {}, which takes {}",
            self.name,
            self.skeleton_kind.map_or("none", SkeletonKind::name)
        );
        Error::unsupported(SourceLocation::File, message)
    }
}
