//! Checks the padding and other bytes after the end of the data.

use super::LayoutFit;
use crate::{diagnostics::SourceLocation, formats::prime::codes, io::bytes::Cursor};

/// The alignment of files in the games' archives, in bytes. Some extraction tools keep the padding
/// that the archive adds.
const ALIGNMENT_BYTES: usize = 32;

const PADDING_BYTE: u8 = 0xff;

pub(in crate::formats::prime) fn check_tail(cursor: &mut Cursor, fit: &mut LayoutFit) {
    /// The weight of the doubt about a layout that leaves bytes other than padding. It is high
    /// because such a layout is hardly the right one.
    const TRAILING_DATA_WEIGHT: u32 = 4;
    let (offset, left) = (cursor.offset(), cursor.remaining());
    let tail = cursor.read_bytes(left, "the padding").unwrap_or_default();
    let location = SourceLocation::span(offset, left);
    if tail.iter().any(|&byte| byte != PADDING_BYTE) {
        let message = format!("{left} bytes after the end that are not padding: skipped");
        fit.add_weighted_doubt(TRAILING_DATA_WEIGHT, codes::TRAILING_DATA, location, message)
            .with("count", left);
    } else if left >= ALIGNMENT_BYTES {
        let message = format!("{left} bytes of padding, more than any archive needs");
        fit.add_doubt(codes::TRAILING_DATA, location, message).with("count", left);
    }
}
