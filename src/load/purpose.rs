//! Telling recordings from skeletons.

use crate::{
    clip::FormatId,
    formats::{is_recognised, recognise_skeleton},
};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be played.
    Recording,
    /// To put recordings on.
    Skeleton,
    /// Neither, or it is broken from its start.
    Unknown,
}

/// What a file is for that begins with `start`; recordings are of `format`, if one is given. What may
/// be a recording is one. A skeleton is known by all of its bytes: `whole` gives them, if they can be
/// read, and is only asked if they are needed.
pub fn purpose<B: AsRef<[u8]>>(
    start: &[u8],
    format: Option<FormatId>,
    whole: impl FnOnce() -> Option<B>,
) -> Purpose {
    if is_recognised(start, format) {
        return Purpose::Recording;
    }
    match whole().and_then(|bytes| recognise_skeleton(bytes.as_ref())) {
        Some(_) => Purpose::Skeleton,
        None => Purpose::Unknown,
    }
}
