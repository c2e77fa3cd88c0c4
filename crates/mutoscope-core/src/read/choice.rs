//! The choice of one recording in a file that holds several.

use crate::clip::{VariantChoice, Variants};

/// The choice of one recording in a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnimationChoice {
    /// The animation of this name; by default the first.
    pub animation: Option<String>,
    /// Of an archive or a set of characters: the character of the animation, by name or by the id of its set
    /// and its index; by default the first that has the animation.
    pub character: Option<String>,
    /// Of an animation that is a blend, a sequence or a random choice: the clip of this name, or `all`
    /// together; by default the first.
    pub clip: Option<String>,
}

impl AnimationChoice {
    /// Whether neither is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same as choices of what is read.
    pub fn variants(&self) -> Vec<VariantChoice> {
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
