//! The parts of a composed animation.

/// One part of an animation that is a tree of other animations: a clip, or an operation on those
/// below it. A list of them is the tree, parents before children.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositionPart {
    /// How many parts it is below: 0 for the first.
    pub depth: usize,
    /// Whether it is a clip or an operation, and which.
    pub kind: CompositionKind,
    /// The name of a clip; empty for other parts.
    pub name: String,
    /// The file or resource that a clip is read from; empty for other parts, and where none is
    /// named.
    pub source: String,
    /// Its weight in a blend, or its probability in a random choice, from 0 to 1. `None` elsewhere.
    pub share: Option<f64>,
    /// Where a clip begins, in seconds.
    pub start: f64,
    /// Whether it is the clip that this recording is of.
    pub is_shown: bool,
}

/// The kind of a part of a composed animation.
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
