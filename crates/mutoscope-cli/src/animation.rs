//! The choice of one recording in a file with several.

use clap::Args;

use mutoscope_core::{clip::VariantChoice, formats::animation_choice};

const HELP_HEADING: &str = "Files with several animations";

/// The choice of one recording in a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AnimationArgs {
    /// Choose the animation with this name, in GLB, glTF, FBX, PAK and ANCS files [default: the
    /// first]
    #[arg(long, value_name = "NAME", help_heading = HELP_HEADING)]
    pub animation: Option<String>,
    /// Choose this character, in PAK and ANCS files: by name, or by the id of its set and its
    /// index, such as CC779B26/0 [default: the first that has the animation]
    #[arg(long, value_name = "NAME", help_heading = HELP_HEADING)]
    pub character: Option<String>,
    /// Choose this clip of a blend, a sequence or a random choice, in PAK and ANCS files; all takes
    /// all clips together, without the game's transitions [default: the first]
    #[arg(long, value_name = "NAME", requires = "animation", help_heading = HELP_HEADING)]
    pub clip: Option<String>,
}

impl AnimationArgs {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn to_variants(&self) -> Vec<VariantChoice> {
        let Self { animation, character, clip } = self.clone();
        animation_choice(animation, character, clip)
    }
}
