//! Variants of a file that can be read in several ways.

use std::sync::Arc;

/// One choice that a file leaves to its user, and what was chosen: the game that an animation is
/// of, where the file does not say; the animation, where it holds several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variants {
    /// The label for the user: `Game`.
    pub label: &'static str,
    /// The names to choose from; they are unique.
    pub names: Arc<[String]>,
    /// The index of the one that was read.
    pub current: usize,
    /// Whether the user chose it; else the decoder decided.
    pub is_chosen: bool,
}

impl Variants {
    /// The label of the animations that a file holds.
    pub const ANIMATION: &'static str = "Animation";

    /// The label of the clips that an animation is composed of: another animation has others.
    pub const CLIP: &'static str = "Clip";

    /// The name, among the clips that an animation is composed of, of all of them together.
    pub const ALL_CLIPS: &'static str = "All (approximate)";

    /// Whether there is more than one to choose from.
    pub fn is_choice(&self) -> bool {
        self.names.len() > 1
    }

    /// The variant that the decoder decided on.
    pub fn found<S: Into<String>>(
        label: &'static str,
        names: impl IntoIterator<Item = S>,
        current: usize,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { label, names, current, is_chosen: false }
    }

    /// The user's choice, if there is one.
    pub fn choice(&self) -> Option<VariantChoice> {
        let name = self.names.get(self.current).filter(|_| self.is_chosen)?;
        Some(VariantChoice { label: self.label.to_owned(), name: name.clone() })
    }
}

/// The user's choice of one of the [`Variants`] of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantChoice {
    /// The label of the variants, in any case.
    pub label: String,
    /// The name of one of them.
    pub name: String,
}
