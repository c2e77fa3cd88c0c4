//! Distinguishing recordings from skeletons.

use crate::{
    clip::FormatId,
    formats::{is_recognised, recognise_skeleton},
};

/// The purpose of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be played.
    Recording,
    /// To be played, or to put recordings on: a model that brings animations.
    RecordingOrSkeleton,
    /// To put recordings on.
    Skeleton,
    /// Neither, or it is broken from its start.
    Unknown,
}

/// The purpose of a file that begins with `start`; recordings are of `format`, if one is given. A
/// skeleton is known by all of its bytes: `whole` gives them, if they can be read, and is only
/// asked if they are needed.
pub fn purpose<B: AsRef<[u8]>>(
    start: &[u8],
    format: Option<FormatId>,
    whole: impl FnOnce() -> Option<B>,
) -> Purpose {
    let may_be_recording = is_recognised(start, format);
    if may_be_recording && recognise_skeleton(start).is_none() {
        return Purpose::Recording;
    }
    let Some(whole) = whole() else {
        return if may_be_recording { Purpose::Recording } else { Purpose::Unknown };
    };
    let whole = whole.as_ref();
    match (is_recognised(whole, format), recognise_skeleton(whole)) {
        (true, Some(_)) => Purpose::RecordingOrSkeleton,
        (true, None) => Purpose::Recording,
        (false, Some(_)) => Purpose::Skeleton,
        (false, None) => Purpose::Unknown,
    }
}

/// Whether a file that begins with `start` is a recording, of `format` if one is given. `whole` gives
/// all of its bytes, and is only asked if it may be one and may be a skeleton, or if what tells may
/// come later.
pub fn is_recording<B: AsRef<[u8]>>(
    start: &[u8],
    format: Option<FormatId>,
    whole: impl FnOnce() -> Option<B>,
) -> bool {
    (is_recognised(start, format) || begins_as_json(start))
        && matches!(
            purpose(start, format, whole),
            Purpose::Recording | Purpose::RecordingOrSkeleton
        )
}

/// Whether it is text that begins with a JSON object, whose members are in any order.
fn begins_as_json(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    text.trim_ascii_start().starts_with(b"{")
}
