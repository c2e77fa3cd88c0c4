//! The properties of a format.

use std::pin::Pin;

use super::{DecodeContext, Recognition};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::{Content, Sidecars},
    rig::RigKind,
};

/// A format: how to name, recognise and decode it.
#[derive(Debug)]
pub struct Format {
    /// Its id.
    pub id: FormatId,
    /// Its name for users.
    pub name: &'static str,
    /// The extensions its files usually have, lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// How its values are interpolated between keys, in a few words for the user.
    pub between_keys: &'static str,
    /// Recognises the format by a file's bytes.
    pub recognise: fn(&[u8]) -> Recognition,
    /// Decodes a file.
    pub decode: Decode,
    /// The kind of skeletons from other files that its recordings can be put on, if they can be.
    pub rig: Option<RigKind>,
    /// The labels of the [`Variants`](crate::clip::Variants) that its files may have.
    pub variants: &'static [&'static str],
    /// Lists the animations of a file, if the format has files that hold several.
    pub animations: Option<ListAnimations>,
    /// Unpacks a file's bytes, if the format packs them: places of keys are in the unpacked data.
    pub unpacked: Option<Unpack>,
}

/// Decodes a file: on the skeleton of the context if it has one, which is then of the kind that the
/// format takes.
#[derive(Clone, Copy, Debug)]
pub enum Decode {
    /// From all of its bytes.
    Whole(fn(&[u8], &DecodeContext<'_>, &mut Notices) -> Result<Clip, Error>),
    /// Piece by piece, so that a large file need not be in memory, yielding between pieces.
    Pieces(for<'a> fn(Content<'a>, &'a DecodeContext<'_>, &'a mut Notices) -> Decoding<'a>),
}

/// Decoding that yields between pieces, and awaits nothing else.
pub type Decoding<'a> = Pin<Box<dyn Future<Output = Result<Clip, Error>> + 'a>>;

/// An animation of a file that holds several.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAnimation {
    /// The name that it is chosen by, which no other has.
    pub name: String,
    /// Its duration in seconds; `None` if it cannot be read.
    pub duration: Option<f64>,
}

/// The animations of a file, in its order, from all of its bytes and the files around it.
///
/// # Errors
/// If the file is refused.
pub type ListAnimations = fn(&[u8], &dyn Sidecars) -> Result<Vec<NamedAnimation>, Error>;

/// The unpacked data of a file; `None` if it is not packed, or cannot be unpacked.
pub type Unpack = fn(&[u8]) -> Option<Vec<u8>>;

impl Decode {
    /// The clip of a file with this content.
    pub(super) async fn run(
        self,
        content: Content<'_>,
        context: &DecodeContext<'_>,
        notices: &mut Notices,
    ) -> Result<Clip, Error> {
        match self {
            Self::Whole(decode) => decode(&content.whole()?, context, notices),
            Self::Pieces(decode) => decode(content, context, notices).await,
        }
    }
}

impl Format {
    /// Whether a large file need not be in memory to be decoded.
    pub fn reads_pieces(&self) -> bool {
        matches!(self.decode, Decode::Pieces(_))
    }

    /// Whether its recordings can be put on skeletons of this kind.
    pub fn takes(&self, kind: RigKind) -> bool {
        // Both are trees of named nodes in the viewer's space.
        let kind = if kind == RigKind::FBX { RigKind::GLTF } else { kind };
        self.rig == Some(kind)
    }

    /// Why its recordings cannot be put on skeletons of this kind; for those that it does not take.
    pub fn refusal(&self, kind: RigKind) -> Error {
        let message = format!(
            "expected a recording that takes a skeleton of {kind}, found {}, which takes {}",
            self.name,
            self.rig.map_or("none", RigKind::name)
        );
        Error::unsupported(SourceLocation::File, message)
    }
}
