//! The choice of one recording in a file that holds several.

use clap::Args;

use mutoscope_core::read::AnimationChoice;

/// The heading of these options in the help.
const SEVERAL: &str = "Files with several animations";

/// The choice of one recording in a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AnimationArgs {
    /// GLB, glTF, PAK, ANCS: the animation of this name [default: the first]
    #[arg(long, value_name = "NAME", help_heading = SEVERAL)]
    pub animation: Option<String>,
    /// PAK, ANCS: the character, by name or by the id of its set and its index, such as CC779B26/0
    /// [default: the first that has the animation]
    #[arg(long, value_name = "NAME", help_heading = SEVERAL)]
    pub character: Option<String>,
    /// PAK, ANCS: of a blend, a sequence or a random choice, the clip of this name, or `all` for all of
    /// them together, without the game's transitions [default: the first]
    #[arg(long, value_name = "NAME", requires = "animation", help_heading = SEVERAL)]
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
