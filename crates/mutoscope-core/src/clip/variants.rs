//! Variants of a file that can be read in several ways.

use std::sync::Arc;

/// A choice that a file leaves to its user, and the variant that was read.
///
/// Examples are the animation, if a file contains several, and the game that an animation belongs
/// to, if the file does not declare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The label for the user: `Game`.
    pub label: &'static str,
    /// The names of the variants, which are unique.
    pub names: Arc<[String]>,
    /// The index of the variant that was read.
    pub current: usize,
    /// `true` if the user chose the variant, `false` if the decoder did.
    pub is_chosen: bool,
}

impl Variants {
    /// The label for the animations in a file.
    pub const ANIMATION: &'static str = "Animation";

    /// The label for the characters that play an animation.
    pub const CHARACTER: &'static str = "Character";

    /// The label for the clips that an animation is composed of. Other animations of the same file
    /// have other clips.
    pub const CLIP: &'static str = "Clip";

    /// The name of the variant that combines all clips of a composed animation. The label of such
    /// variants is [`Self::CLIP`].
    pub const ALL_CLIPS: &'static str = "All (approximate)";

    /// Returns `true` if there is more than one variant.
    pub fn has_alternatives(&self) -> bool {
        self.names.len() > 1
    }

    /// Creates variants of which the decoder chose `current`.
    pub fn detected<S: Into<String>>(
        label: &'static str,
        names: impl IntoIterator<Item = S>,
        current: usize,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { label, names, current, is_chosen: false }
    }

    /// Returns the user's choice, or `None` if the decoder chose.
    pub fn user_choice(&self) -> Option<VariantChoice> {
        let name = self.names.get(self.current).filter(|_| self.is_chosen)?;
        Some(VariantChoice { label: self.label.to_owned(), name: name.clone() })
    }
}

/// The user's choice of one of the [`Variants`] of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantChoice {
    /// The label of the variants. Case does not matter.
    pub label: String,
    /// The name of the chosen variant.
    pub name: String,
}
