//! Which recording of a file that holds several.

use std::io;

use clap::Args;

use super::{InputError, Reader, Source, library, source::NotedSidecars};
use crate::{
    bytes::FileContent,
    clip::{VariantChoice, Variants},
    diagnostics::Notices,
    formats::{self, Failure, NamedAnimation, extension_of},
};

/// Which recording of a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AnimationArgs {
    /// Of a file with several animations (GLB, glTF, PAK, ANCS): the one of this name [default: the
    /// first]
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// Of an archive or a set of characters (PAK, ANCS): the character of the animation, by name,
    /// or by the id of its set and its index, such as CC779B26/0 [default: the first that has the
    /// animation]
    #[arg(long, value_name = "NAME")]
    pub character: Option<String>,
    /// Of an animation that is a blend, a sequence or a random choice (PAK, ANCS): the clip of this
    /// name, or `all`: together, as the file says, but without the game's transitions [default: the
    /// first]
    #[arg(long, value_name = "NAME", requires = "animation")]
    pub clip: Option<String>,
}

impl AnimationArgs {
    /// Whether neither is given.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same as choices of what is read.
    pub(super) fn variants(&self) -> Vec<VariantChoice> {
        let choice = |(label, name): (&str, &Option<String>)| {
            Some(VariantChoice { label: label.to_owned(), name: name.clone()? })
        };
        let chosen = [
            (Variants::ANIMATION, &self.animation),
            ("character", &self.character),
            (Variants::CLIP, &self.clip),
        ];
        chosen.into_iter().filter_map(choice).collect()
    }
}

impl Reader {
    /// The animations that may be chosen of `source` by their names, in the order of the file; none where
    /// the file holds one recording without a name to choose it by.
    ///
    /// # Errors
    /// If it cannot be read, or is no recording.
    pub fn animations(&self, source: &Source) -> Result<Vec<NamedAnimation>, InputError> {
        self.animations_of_read(source, &self.read(source))
    }

    /// The same of a source that was read.
    pub(super) fn animations_of_read(
        &self,
        source: &Source,
        file: &io::Result<FileContent>,
    ) -> Result<Vec<NamedAnimation>, InputError> {
        if let Some((bytes, kind)) = library::of_read(source, file, self) {
            return library::animations(source, bytes, kind, self);
        }
        let content = match file {
            Ok(file) => file.content(),
            // An error is given away only once.
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string()).into()),
        };
        let name = source.file_name();
        let format = formats::find(content.start(), extension_of(&name), self.format)?;
        let Some(list) = format.animations else { return Ok(Vec::new()) };
        let failure = |error| {
            InputError::of_recording(Failure {
                format: Some(format.id),
                error,
                notices: Notices::new(),
            })
        };
        let bytes = content.whole().map_err(failure)?;
        list(&bytes, &NotedSidecars::of(source)).map_err(failure)
    }
}
