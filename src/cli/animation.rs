//! Which recording of a file that holds several.

use clap::Args;

use crate::clip::VariantChoice;

/// Which recording of a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AnimationArgs {
    /// Of a file with several animations: the one of this name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
}

impl AnimationArgs {
    /// The same as choices of what is read.
    pub(super) fn variants(&self) -> Vec<VariantChoice> {
        let choice =
            |name: &String| VariantChoice { label: "animation".to_owned(), name: name.clone() };
        self.animation.iter().map(choice).collect()
    }
}
