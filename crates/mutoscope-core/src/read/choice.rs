//! The choice of one recording in a file that holds several.

use crate::clip::{VariantChoice, Variants};

/// The choice of one recording in a file that holds several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnimationChoice {
    /// The name of the animation. `None` chooses the first.
    pub animation: Option<String>,
    /// The character that plays the animation, in an archive or a character set. It is chosen by
    /// its name, or by the id of its set and its index in the set. `None` chooses the first
    /// character that has the animation.
    pub character: Option<String>,
    /// The name of the clip to play if the animation is a blend, a sequence or a random choice.
    /// `all` plays all clips together. `None` chooses the first clip.
    pub clip: Option<String>,
}

impl AnimationChoice {
    /// Returns `true` if no choice was made.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the choices as variants.
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
