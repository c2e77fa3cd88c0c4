//! Finds text that is not UTF-8.

use mutoscope_core::diagnostics::{Diagnostics, LineIndex, SourceLocation, format_count};

use crate::codes;

/// Text that is not UTF-8: the location and the bytes of the first one, and the number of them.
struct InvalidTexts<'a> {
    location: SourceLocation,
    first: &'a [u8],
    count: usize,
}

/// Reports texts that are not UTF-8 in one diagnostic, at the location of the first one.
pub(crate) fn report_invalid_utf8(bytes: &[u8], diagnostics: &mut Diagnostics) {
    let is_text = !bytes.starts_with(b"Kaydara FBX Binary");
    let found = if is_text { find_in_text(bytes) } else { find_in_binary(bytes) };
    let Some(InvalidTexts { location, first, count }) = found else { return };
    let excerpt: String = String::from_utf8_lossy(first).chars().take(60).collect();
    let verb = if count == 1 { "is" } else { "are" };
    let message = format!(
        "{} {verb} not UTF-8, first {excerpt:?}; each invalid byte is replaced by U+FFFD. Export \
         the file with UTF-8 text",
        format_count(count, "text"),
    );
    diagnostics.warning(codes::INVALID_UTF8, location, message).with("count", count);
}

/// Counts each line that is not UTF-8 as one text, except comments.
fn find_in_text(bytes: &[u8]) -> Option<InvalidTexts<'_>> {
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut found: Option<InvalidTexts<'_>> = None;
    let mut start = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let trimmed = line.trim_ascii();
        if let Err(error) = std::str::from_utf8(line)
            && !trimmed.starts_with(b";")
        {
            match &mut found {
                Some(found) => found.count += 1,
                None => {
                    let location = LineIndex::new(bytes).location(start + error.valid_up_to());
                    found = Some(InvalidTexts { location, first: trimmed, count: 1 });
                }
            }
        }
        start += line.len() + 1;
    }
    found
}

/// Searches the string properties of all nodes. Stops at bytes that are not a valid node, because
/// ufbx reports those.
fn find_in_binary(bytes: &[u8]) -> Option<InvalidTexts<'_>> {
    let mut found: Option<InvalidTexts<'_>> = None;
    let mut check = |offset: usize, text: &'_ [u8]| {
        if std::str::from_utf8(text).is_ok() {
            return;
        }
        match &mut found {
            Some(found) => found.count += 1,
            None => {
                let location = SourceLocation::span(offset, text.len());
                // A name is followed by the bytes 0 and 1, and its class.
                let length = text.windows(2).position(|pair| pair == [0, 1]);
                let first = &bytes[offset..offset + length.unwrap_or(text.len())];
                found = Some(InvalidTexts { location, first, count: 1 });
            }
        }
    };
    let _ = walk_strings(bytes, &mut check);
    found
}

/// Calls `visit` with the offset and the bytes of each string property. Returns `None` at the first
/// byte that is not a valid node.
fn walk_strings<'a>(bytes: &'a [u8], visit: &mut dyn FnMut(usize, &'a [u8])) -> Option<()> {
    const VERSION_OFFSET: usize = 23;
    let u32_at = |offset: usize| {
        let number = bytes.get(offset..offset.checked_add(4)?)?;
        Some(u32::from_le_bytes(number.try_into().ok()?) as usize)
    };
    let u64_at = |offset: usize| {
        let number = bytes.get(offset..offset.checked_add(8)?)?;
        usize::try_from(u64::from_le_bytes(number.try_into().ok()?)).ok()
    };
    let is_wide = u32_at(VERSION_OFFSET)? >= 7500;
    let mut offset = VERSION_OFFSET + 4;
    let mut ends: Vec<usize> = Vec::new();
    loop {
        while ends.last().is_some_and(|&end| offset >= end) {
            ends.pop();
        }
        let number = |index: usize| match is_wide {
            true => u64_at(offset + 8 * index),
            false => u32_at(offset + 4 * index),
        };
        let (end, properties, length) = (number(0)?, number(1)?, number(2)?);
        let name_length_offset = offset + if is_wide { 24 } else { 12 };
        let start = name_length_offset + 1 + usize::from(*bytes.get(name_length_offset)?);
        // A node that is all zeros ends the children of a node, or the file.
        if end == 0 {
            if ends.is_empty() {
                return Some(());
            }
            offset = start;
            continue;
        }
        let mut property = start;
        for _ in 0..properties {
            let kind = *bytes.get(property)?;
            property += 1;
            let size = match kind {
                b'B' | b'C' => 1,
                b'Y' => 2,
                b'I' | b'F' => 4,
                b'L' | b'D' => 8,
                b'S' | b'R' => {
                    let text = property + 4;
                    let length = u32_at(property)?;
                    let text_bytes = bytes.get(text..text.checked_add(length)?)?;
                    if kind == b'S' {
                        visit(text, text_bytes);
                    }
                    4 + length
                }
                // Arrays store their packed length after their count and their encoding.
                b'f' | b'd' | b'l' | b'i' | b'b' | b'c' => u32_at(property + 8)?.checked_add(12)?,
                _ => return None,
            };
            property = property.checked_add(size)?;
        }
        ends.push(end);
        offset = start.checked_add(length)?;
        if offset < property || offset > bytes.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(bytes: &[u8]) -> Vec<String> {
        let mut diagnostics = Diagnostics::new();
        report_invalid_utf8(bytes, &mut diagnostics);
        diagnostics.iter().map(|one| format!("{}: {}", one.location, one.message)).collect()
    }

    #[test]
    fn invalid_lines_of_a_text_are_reported_once() {
        let text = b"; FBX \xe9\nFBXHeaderExtension: {\n a: \"R\xf6t\"\n b: \"T\xefp\"\n}\n";
        let [message] = &messages(text)[..] else { panic!("expected one message") };
        assert!(message.starts_with("line 3, column 7: 2 texts are not UTF-8"), "{message}");
        assert!(messages("; FBX é".as_bytes()).is_empty());
    }

    /// Builds a node of FBX 7.4 at `offset`.
    fn node(offset: usize, properties: &[&[u8]], children: &[u8]) -> Vec<u8> {
        let strings: Vec<u8> = properties
            .iter()
            .flat_map(|text| [&b"S"[..], &(text.len() as u32).to_le_bytes()[..], text].concat())
            .collect();
        let end = offset + 13 + 1 + strings.len() + children.len();
        let header =
            [end, properties.len(), strings.len()].map(|number| (number as u32).to_le_bytes());
        [header.as_flattened(), b"\x01N", &strings, children].concat()
    }

    #[test]
    fn invalid_strings_of_a_binary_are_reported_once() {
        let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
        bytes.extend(7400u32.to_le_bytes());
        let child = node(27 + 14 + 7, &[b"J\xf6rg\0\x01Model", b"\xff"], &[]);
        let children = [&child[..], &[0; 13]].concat();
        bytes.extend(node(27, &[b"ok"], &children));
        bytes.extend([0; 13]);
        // The rest of a file is not made of nodes.
        bytes.extend(b"footer \xff");
        let [message] = &messages(&bytes)[..] else { panic!("expected one message") };
        assert!(message.starts_with("bytes 0x43..0x4e: 2 texts are not UTF-8, first"), "{message}");
        assert!(message.contains("\"J\u{fffd}rg\""), "{message}");
        for length in 0..bytes.len() {
            messages(&bytes[..length]);
        }
    }
}
