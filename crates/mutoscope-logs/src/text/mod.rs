//! Tables in text: the characters, the separator, the header, the rows.

mod cells;
mod csv;
mod header;
mod json_lines;
mod motion_capture;
mod rows;
mod stream_recorder;

use std::borrow::Cow;

use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

use crate::{mapping::TableOptions, table::Table};

/// Reads a table from text of any kind.
///
/// # Errors
/// If it has no header, or no rows.
pub(crate) fn read(
    bytes: &[u8],
    options: &TableOptions,
    notices: &mut Notices,
) -> Result<Table, Error> {
    let text = characters(bytes, notices);
    let start = text.trim_start();
    let mut table = if let Some(kind) = motion_capture::Kind::of(start) {
        motion_capture::read(&text, kind, options, notices)?
    } else if start.starts_with('{') {
        json_lines::read(&text, options, notices)
    } else {
        csv::read(&text, options, notices)?
    };
    if table.columns.is_empty() {
        return Err(Error::malformed(SourceLocation::line(1), "a header", "no columns"));
    }
    if table.rows == 0 {
        let found = format!("a header of {} columns alone", table.columns.len());
        return Err(Error::malformed(SourceLocation::File, "rows below the header", found));
    }
    table.drop_missing(&options.missing_numbers());
    Ok(table)
}

/// The beginning of a text, with whole lines: enough to recognise the columns by.
pub(crate) fn beginning(bytes: &[u8]) -> &[u8] {
    const SNIFFED: usize = 1 << 18;
    if bytes.len() <= SNIFFED {
        return bytes;
    }
    let start = &bytes[..SNIFFED];
    let end = start.iter().rposition(|byte| *byte == b'\n').map_or(SNIFFED, |end| end + 1);
    // A line break of UTF-16 may have its second byte behind.
    &start[..end + (end % 2)]
}

/// Whether these bytes may be text: no control characters but those of lines and cells.
pub(crate) fn may_be_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    if Encoding::of(start) != Encoding::Utf8 {
        return true;
    }
    start.iter().all(|byte| *byte >= 0x20 || matches!(byte, b'\n' | b'\r' | b'\t'))
}

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// By its byte order mark, or by the zeros of western letters in UTF-16.
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xff, 0xfe, ..] => return Self::Utf16Le,
            [0xfe, 0xff, ..] => return Self::Utf16Be,
            _ => {}
        }
        let start = &bytes[..bytes.len().min(64)];
        let zeros = |from: usize| start.iter().skip(from).step_by(2).all(|byte| *byte == 0);
        let letters = |from: usize| start.iter().skip(from).step_by(2).all(|byte| *byte != 0);
        match start.len() >= 8 {
            true if zeros(1) && letters(0) => Self::Utf16Le,
            true if zeros(0) && letters(1) => Self::Utf16Be,
            _ => Self::Utf8,
        }
    }
}

fn characters<'a>(bytes: &'a [u8], notices: &mut Notices) -> Cow<'a, str> {
    let units = |of: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        let text = char::decode_utf16(pairs).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER));
        text.skip_while(|first| *first == '\u{feff}').collect::<String>()
    };
    match Encoding::of(bytes) {
        Encoding::Utf16Le => units(u16::from_le_bytes).into(),
        Encoding::Utf16Be => units(u16::from_be_bytes).into(),
        Encoding::Utf8 => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            if let Ok(text) = str::from_utf8(bytes) {
                return text.into();
            }
            notices.warning(SourceLocation::File, "invalid UTF-8; invalid bytes replaced");
            String::from_utf8_lossy(bytes)
        }
    }
}
