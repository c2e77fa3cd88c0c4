//! Padding and other bytes after the end of the data.

use super::Reading;
use crate::{diagnostics::SourceLocation, io::bytes::Cursor};

/// The games' archives fill files up to a multiple of this many bytes, and not all tools that
/// extract them cut that off again.
const ALIGNMENT: usize = 32;

/// The byte that the archives pad files with.
const PADDING: u8 = 0xff;

/// Doubts whatever is left and cannot be padding.
pub(in crate::formats::prime) fn check_tail(cursor: &mut Cursor, reading: &mut Reading) {
    /// A layout that leaves bytes over which mean something is hardly the right one.
    const OTHER_BYTES: u32 = 4;
    let (offset, left) = (cursor.offset(), cursor.left());
    let tail = cursor.take(left, "the padding").unwrap_or_default();
    let place = SourceLocation::span(offset, left);
    if tail.iter().any(|&byte| byte != PADDING) {
        let message = format!("{left} bytes after the end that are not padding: skipped");
        reading.doubt_strongly(OTHER_BYTES, place, message);
    } else if left >= ALIGNMENT {
        reading.doubt(place, format!("{left} bytes of padding, more than any archive needs"));
    }
}
