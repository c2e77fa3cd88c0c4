//! Finds the byte ranges of source locations.

use std::ops::Range;

use super::Listing;
use mutoscope_core::diagnostics::SourceLocation;

const MAX_VALUE_LEN: usize = 4096;

/// Returns the byte ranges of `location` in `listing`. The result is empty for the file as a whole,
/// and for locations that the listing does not show.
pub(super) fn byte_ranges(listing: &Listing, location: &SourceLocation) -> Vec<Range<usize>> {
    let length = listing.size();
    let mut ranges = match (location, listing.text_rows()) {
        (SourceLocation::Bytes(bytes), None) if !listing.is_unpacked() => vec![byte_range(bytes)],
        (SourceLocation::Unpacked(bytes), None) if listing.is_unpacked() => vec![byte_range(bytes)],
        (SourceLocation::Bits { word, bits }, None) if !listing.is_unpacked() => {
            bit_byte_ranges(*word, bits)
        }
        (SourceLocation::Line { line, column }, Some(rows)) => {
            let line = rows.line_range(*line, listing.in_memory());
            let value = |line: Range<usize>| match column {
                None => line,
                Some(column) => {
                    let start = line.start + (*column as usize).saturating_sub(1);
                    start..find_value_end(listing.in_memory(), start.min(length))
                }
            };
            line.map(value).into_iter().collect()
        }
        _ => Vec::new(),
    };
    ranges.iter_mut().for_each(|range| range.end = range.end.min(length));
    ranges.retain(|range| range.start < range.end);
    ranges
}

/// Converts a byte range to `usize`. An empty range becomes the single byte after its position.
fn byte_range(bytes: &Range<u64>) -> Range<usize> {
    let start = usize::try_from(bytes.start).unwrap_or(usize::MAX);
    let end = usize::try_from(bytes.end).unwrap_or(usize::MAX);
    start..end.max(start.saturating_add(1))
}

fn bit_byte_ranges(word: u64, bits: &Range<u64>) -> Vec<Range<usize>> {
    let mut bytes: Vec<usize> = (bits.start / 8..bits.end.div_ceil(8))
        .map(|byte| (word + byte / 4 * 4 + (3 - byte % 4)) as usize)
        .collect();
    bytes.sort_unstable();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for byte in bytes {
        match ranges.last_mut() {
            Some(last) if last.end == byte => last.end += 1,
            _ => ranges.push(byte..byte + 1),
        }
    }
    ranges
}

fn find_value_end(text: &[u8], start: usize) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (index, &byte) in text.iter().enumerate().skip(start).take(MAX_VALUE_LEN) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { index + 1 } else { index },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return index,
            _ if depth == 0 && byte.is_ascii_whitespace() => return index,
            _ => {}
        }
    }
    (start + MAX_VALUE_LEN).min(text.len())
}

/// Returns the bits of a location in reading order, least significant first, such as `0110 1`.
/// Returns `None` if the location has no bits, or lies beyond `content`.
pub(super) fn format_bits(content: &[u8], location: &SourceLocation) -> Option<String> {
    let SourceLocation::Bits { word, bits } = location else { return None };
    let bit = |bit: u64| {
        let byte = usize::try_from(word + bit / 32 * 4 + (3 - bit % 32 / 8)).ok()?;
        Some(content.get(byte)? >> (bit % 8) & 1)
    };
    let mut text = String::new();
    for (index, number) in bits.clone().enumerate() {
        if index > 0 && index % 4 == 0 {
            text.push(' ');
        }
        text.push(if bit(number)? == 1 { '1' } else { '0' });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_listed_least_significant_first() {
        let content = [0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0];
        let bits = |bits| format_bits(&content, &SourceLocation::Bits { word: 0, bits });
        assert_eq!(bits(0..8).unwrap(), "0001 1110", "0x78");
        assert_eq!(bits(28..36).unwrap(), "1000 0000", "0x1 and 0x0");
        assert_eq!(bits(60..65), None);
    }
}
