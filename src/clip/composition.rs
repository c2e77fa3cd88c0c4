//! What an animation is put together of.

/// One part of what an animation is put together of, where that is a tree of other animations: a clip,
/// or what is done with those below it. A list of them is the tree, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositionPart {
    /// How many parts it is below: 0 for the first.
    pub depth: usize,
    /// What it is.
    pub kind: CompositionKind,
    /// The name of a clip; empty for all else.
    pub name: String,
    /// The file or resource that a clip is read from; empty for all else, and where none is named.
    pub source: String,
    /// How much it counts beside those that are below the same part, from 0 to 1: its weight in a blend,
    /// its chance in a random choice. Nothing elsewhere.
    pub share: Option<f64>,
    /// Where a clip begins, in seconds.
    pub start: f64,
    /// Whether it is the clip that this recording is of.
    pub is_shown: bool,
}

/// What a part of a composed animation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompositionKind {
    /// A clip.
    Clip,
    /// Two at once, each at its own speed.
    Blend,
    /// Two at once, both stretched to one length.
    PhaseBlend,
    /// One of several, by chance.
    Random,
    /// One after the other.
    Sequence,
}

impl CompositionKind {
    /// Its word in exports: `phase_blend`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Blend => "blend",
            Self::PhaseBlend => "phase_blend",
            Self::Random => "random",
            Self::Sequence => "sequence",
        }
    }
}
