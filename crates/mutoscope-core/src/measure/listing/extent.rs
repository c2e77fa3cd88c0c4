//! The byte ranges of source locations.

use std::ops::Range;

use super::Listing;
use crate::diagnostics::SourceLocation;

/// At most this many bytes of one value are searched for its end.
const LONGEST_VALUE: usize = 4096;

/// The bytes that `place` takes in `listing`; none for the file as a whole, and for what is not
/// listed.
pub(super) fn of_place(listing: &Listing, place: &SourceLocation) -> Vec<Range<usize>> {
    let length = listing.size();
    let mut ranges = match (place, listing.text()) {
        (SourceLocation::Bytes(bytes), None) if !listing.is_unpacked() => vec![of_bytes(bytes)],
        (SourceLocation::Unpacked(bytes), None) if listing.is_unpacked() => vec![of_bytes(bytes)],
        (SourceLocation::Bits { word, bits }, None) if !listing.is_unpacked() => {
            of_bits(*word, bits)
        }
        (SourceLocation::Line { line, column }, Some(rows)) => {
            let line = rows.line(*line, listing.in_memory());
            let value = |line: Range<usize>| match column {
                None => line,
                Some(column) => {
                    let start = line.start + (*column as usize).saturating_sub(1);
                    start..end_of_value(listing.in_memory(), start.min(length))
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

/// A point takes the byte after it.
fn of_bytes(bytes: &Range<u64>) -> Range<usize> {
    let start = usize::try_from(bytes.start).unwrap_or(usize::MAX);
    let end = usize::try_from(bytes.end).unwrap_or(usize::MAX);
    start..end.max(start.saturating_add(1))
}

/// The bytes that have bits of big-endian words, in the order of the file.
fn of_bits(word: u64, bits: &Range<u64>) -> Vec<Range<usize>> {
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

/// The end of the value of JSON that begins at `start`: what it opens it closes; a word or a number
/// goes up to what separates it from the next.
fn end_of_value(text: &[u8], start: usize) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (index, &byte) in text.iter().enumerate().skip(start).take(LONGEST_VALUE) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { index + 1 } else { index },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return index,
            _ if depth == 0 && byte.is_ascii_whitespace() => return index,
            _ => {}
        }
    }
    (start + LONGEST_VALUE).min(text.len())
}

/// The bits of a place as they are read, least significant first, if it is one of bits within
/// `content`: `0110 1`.
pub(super) fn bits_of(content: &[u8], place: &SourceLocation) -> Option<String> {
    let SourceLocation::Bits { word, bits } = place else { return None };
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
        let bits = |bits| bits_of(&content, &SourceLocation::Bits { word: 0, bits });
        assert_eq!(bits(0..8).unwrap(), "0001 1110", "0x78");
        assert_eq!(bits(28..36).unwrap(), "1000 0000", "0x1 and 0x0");
        assert_eq!(bits(60..65), None);
    }
}
