//! The choice of one recording in a file that holds several.

use clap::Args;

use mutoscope_core::read::AnimationChoice;

/// The choice of one recording in a file that holds several.
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

    /// The same for a reader.
    pub(super) fn choice(&self) -> AnimationChoice {
        let Self { animation, character, clip } = self.clone();
        AnimationChoice { animation, character, clip }
    }
}
