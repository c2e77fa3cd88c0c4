//! Which of a format's layouts a recording was read in.

/// Which layout a recording was read in, of a format whose files do not say: see
/// [`Layouts`](crate::formats::Layouts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its index among the format's layouts.
    pub index: usize,
    /// Whether the user asked for it; else it was found out.
    pub is_chosen: bool,
}
