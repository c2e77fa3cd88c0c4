//! The parts of a composed animation.

/// One part of an animation that is composed of other animations: a clip, or an operation on the
/// children of the part.
///
/// The parts form a tree. In a list of parts, each parent comes before its children.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositionPart {
    /// The number of ancestors in the tree; 0 for the root.
    pub depth: usize,
    /// The kind of the part.
    pub kind: CompositionKind,
    /// The name of a clip. Empty for other parts.
    pub name: String,
    /// The file or resource that contains a clip. Empty for other parts, and if the animation names
    /// none.
    pub source: String,
    /// The weight in a blend, or the probability in a random choice, from 0 to 1. `None` for all
    /// other parts.
    pub share: Option<f64>,
    /// The time at which a clip starts, in seconds.
    pub start: f64,
    /// `true` if this recording plays the clip.
    pub is_current: bool,
}

/// The kind of a part of a composed animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CompositionKind {
    /// A clip.
    Clip,
    /// Two animations at the same time, each at its own speed.
    Blend,
    /// Two animations at the same time, both stretched to the same duration.
    PhaseBlend,
    /// One of several animations, chosen at random.
    Random,
    /// Several animations, one after another.
    Sequence,
}

impl CompositionKind {
    /// Returns the name in exports: `phase_blend`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
