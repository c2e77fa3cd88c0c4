//! Reads text tables: the encoding, the separator, the header and the rows.

mod capture;
mod cells;
mod csv;
mod header;
mod hololens;
mod json_lines;
mod motive;
mod qualisys;
mod rows;
mod trc;
mod vicon;

use std::borrow::Cow;

use mutoscope_core::{
    diagnostics::format_count,
    diagnostics::{Diagnostics, Error, SourceLocation},
};

use crate::{codes, mapping::TableOptions, table::Table};

pub(crate) fn read_table(
    bytes: &[u8],
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let table = parse_table(bytes, options, diagnostics)?;
    if table.rows == 0 {
        let found = format!("only a header of {}", format_count(table.columns.len(), "column"));
        return Err(Error::malformed(SourceLocation::File, "rows below the header", found));
    }
    Ok(table)
}

/// Reads a table like [`read_table`], but accepts a table without rows.
pub(crate) fn parse_table(
    bytes: &[u8],
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let text = decode_text(bytes, diagnostics);
    let start = text.trim_start();
    let mut table = if let Some(format) = capture::CaptureFormat::detect(start) {
        format.read(&text, options, diagnostics)?
    } else if trc::is_trc(start) {
        trc::read(&text, options, diagnostics)?
    } else if json_lines::is_json(start) {
        json_lines::read(&text, options, diagnostics)?
    } else {
        csv::read(&text, options, diagnostics)?
    };
    if table.columns.is_empty() {
        return Err(Error::malformed(SourceLocation::line(1), "a header", "no columns"));
    }
    table.remove_missing(&options.missing_numbers());
    table.first_lines = first_lines(&text);
    Ok(table)
}

fn first_lines(text: &str) -> Vec<String> {
    const MAX_LINES: usize = 64;
    const MAX_CHARS: usize = 1000;
    text.lines().take(MAX_LINES).map(|line| line.chars().take(MAX_CHARS).collect()).collect()
}

/// Returns `true` if the text begins like a file of Motive, Vicon or Qualisys.
pub(crate) fn is_motion_capture(bytes: &[u8]) -> bool {
    let text = decode_text(bytes, &mut Diagnostics::new());
    capture::CaptureFormat::detect(text.trim_start()).is_some()
}

/// Returns `true` if the bytes are text that begins with `PathFileType`, as every TRC file does.
pub(crate) fn is_trc(bytes: &[u8]) -> bool {
    may_be_text(bytes) && {
        let start = &bytes[..bytes.len().min(256) & !1];
        trc::is_trc(decode_text(start, &mut Diagnostics::new()).trim_start())
    }
}

/// Returns whole lines from the start of a text: as many as fit into 256 KiB, but at least two if
/// they fit into 4 MiB.
pub(crate) fn leading_lines(bytes: &[u8]) -> &[u8] {
    const MAX_BYTES: usize = 1 << 18;
    const MIN_LINES: usize = 2;
    const MAX_BYTES_OF_MIN_LINES: usize = 1 << 22;
    if bytes.len() <= MAX_BYTES {
        return bytes;
    }
    let line_end: &[u8] = match Encoding::detect(bytes) {
        Encoding::Utf8 => b"\n",
        Encoding::Utf16Le => b"\n\0",
        Encoding::Utf16Be => b"\0\n",
    };
    let start = &bytes[..bytes.len().min(MAX_BYTES_OF_MIN_LINES)];
    let characters = start.chunks_exact(line_end.len()).enumerate();
    let ends = characters
        .filter(|(_, character)| *character == line_end)
        .map(|(index, _)| (index + 1) * line_end.len());
    let lines = ends.enumerate().map(|(index, end)| (index + 1, end));
    let last = lines.take_while(|(count, end)| *end <= MAX_BYTES || *count <= MIN_LINES).last();
    match last {
        Some((count, end)) if end <= MAX_BYTES || count >= MIN_LINES => &bytes[..end],
        _ => &bytes[..MAX_BYTES],
    }
}

pub(crate) fn may_be_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    if Encoding::detect(start) != Encoding::Utf8 {
        return true;
    }
    start.iter().all(|byte| *byte >= 0x20 || matches!(byte, b'\n' | b'\r' | b'\t'))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// Detects the encoding by the byte order mark, or by the zero bytes of Latin letters in
    /// UTF-16.
    fn detect(bytes: &[u8]) -> Self {
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

fn decode_text<'a>(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> Cow<'a, str> {
    let units = |of: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        let text = char::decode_utf16(pairs).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER));
        text.skip_while(|first| *first == '\u{feff}').collect::<String>()
    };
    match Encoding::detect(bytes) {
        Encoding::Utf16Le => units(u16::from_le_bytes).into(),
        Encoding::Utf16Be => units(u16::from_be_bytes).into(),
        Encoding::Utf8 => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            if let Ok(text) = str::from_utf8(bytes) {
                return text.into();
            }
            diagnostics.warning(
                codes::table::INVALID_UTF8,
                SourceLocation::File,
                "invalid UTF-8; invalid bytes replaced",
            );
            String::from_utf8_lossy(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_lines_are_whole_in_every_encoding() {
        for length in [63, 64, 1001, 1_000_001] {
            let line = format!("{{\"t\":1,\"é\":\"{}\"}}\n", "\u{10a}".repeat(length / 2));
            let text = line.repeat((1 << 20) / line.len() + 3);
            let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
                text.encode_utf16().flat_map(bytes).collect()
            };
            let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
            let with_mark = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
            for bytes in [
                text.clone().into_bytes(),
                with_mark(b"\xef\xbb\xbf", text.as_bytes()),
                with_mark(&[0xff, 0xfe], &little),
                with_mark(&[0xfe, 0xff], &big),
            ] {
                let start = leading_lines(&bytes);
                let mut diagnostics = Diagnostics::new();
                let decoded = decode_text(start, &mut diagnostics);
                assert!(decoded.ends_with("}\n") && diagnostics.is_empty(), "{length}");
                let lines = decoded.lines().count();
                assert!(lines >= 2 && (start.len() <= 1 << 18 || lines == 2), "{length}: {lines}");
            }
        }
        let long = "1,".repeat(1 << 20);
        assert_eq!(leading_lines(long.as_bytes()).len(), 1 << 18);
        assert_eq!(leading_lines(format!("{long}\n").as_bytes()).len(), 1 << 18);
    }
}
