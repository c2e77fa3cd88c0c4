//! Distinguishes recordings from skeletons.

use crate::{clip::FormatId, formats::Registry};

/// The purpose of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A recording to play.
    Recording,
    /// A recording to play, or a skeleton to attach recordings to: a model that contains
    /// animations.
    RecordingOrSkeleton,
    /// A skeleton to attach recordings to.
    Skeleton,
    /// Neither a recording nor a skeleton, or a file that is broken from its start.
    Unknown,
}

/// Returns the purpose of a file that begins with `start`. If `format` is given, only recordings of
/// this format are recognised.
///
/// `whole` reads the whole file. It is called only if the start shows no recording, or if the file
/// may also be a skeleton.
pub fn detect_purpose<B: AsRef<[u8]>>(
    registry: &Registry,
    start: &[u8],
    format: Option<FormatId>,
    whole: impl FnOnce() -> Option<B>,
) -> Purpose {
    let may_be_recording = registry.is_recognised(start, format);
    if may_be_recording && registry.recognise_skeleton(start).is_none() {
        return Purpose::Recording;
    }
    let Some(whole) = whole() else {
        return if may_be_recording { Purpose::Recording } else { Purpose::Unknown };
    };
    let whole = whole.as_ref();
    match (registry.is_recognised(whole, format), registry.recognise_skeleton(whole)) {
        (true, Some(_)) => Purpose::RecordingOrSkeleton,
        (true, None) => Purpose::Recording,
        (false, Some(_)) => Purpose::Skeleton,
        (false, None) => Purpose::Unknown,
    }
}

/// Returns `true` if the file that begins with `start` is a recording. If `format` is given, the
/// recording must have this format. `whole` reads the whole file. It is called only if the file may
/// also be a skeleton, or if the start is not enough to recognise a recording.
pub fn is_recording<B: AsRef<[u8]>>(
    registry: &Registry,
    start: &[u8],
    format: Option<FormatId>,
    whole: impl FnOnce() -> Option<B>,
) -> bool {
    (registry.is_recognised(start, format) || begins_as_json(start))
        && matches!(
            detect_purpose(registry, start, format, whole),
            Purpose::Recording | Purpose::RecordingOrSkeleton
        )
}

/// Returns `true` if the file begins with a JSON object. The start of such a file may not identify
/// the format, because the members of an object may be in any order.
fn begins_as_json(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    text.trim_ascii_start().starts_with(b"{")
}
