//! Decodes the bytes of a recording into a document.

use super::{
    Action, Document, Layout, action, codes, format_diagnostics::FormatDiagnostics, header,
    reader::Reader,
};
use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation};

/// The maximum number of ticks, about 3.4 years at 20 ticks per second. A file with more ticks is
/// regarded as damaged.
const MAX_TICKS: u32 = 1 << 31;

/// Decodes a recording and adds the problems in it to `diagnostics`.
///
/// If an action cannot be read, decoding stops there. [`Document::stopped`] then holds the error,
/// and the actions before it can be played.
///
/// # Errors
/// Fails if the version is unknown, the header is damaged, or the file has 4 GiB or more.
pub fn decode<'a>(bytes: &'a [u8], diagnostics: &mut Diagnostics) -> Result<Document<'a>, Error> {
    if u32::try_from(bytes.len()).is_err() {
        let message = "a recording of 4 GiB or more is too large to load";
        return Err(Error::unsupported(SourceLocation::File, message));
    }
    let layouts = header::candidate_layouts(bytes)?;
    let mut best = decode_with_layout(bytes, layouts[0]);
    for &layout in &layouts[1..] {
        if measure_fit(&best) == Fit::Complete {
            break;
        }
        let other = decode_with_layout(bytes, layout);
        if measure_fit(&other) > measure_fit(&best) {
            best = other;
        }
    }
    let (document, format_diagnostics) = best?;
    report_layout(&document, layouts[0], diagnostics);
    format_diagnostics.report(diagnostics);
    Ok(document)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The header cannot be read.
    Unreadable,
    /// Reading stops at this byte offset.
    StopsAt(usize),
    /// Reading reaches the end of the file, but no known program writes the subversion in the
    /// header.
    UnknownSubversion,
    /// Reading reaches the end of the file.
    Complete,
}

fn measure_fit(attempt: &Attempt<'_>) -> Fit {
    /// The only known subversion of an unreleased version.
    const KNOWN_SUBVERSION: i8 = 1;
    match attempt {
        Err(_) => Fit::Unreadable,
        Ok((document, _)) if document.stopped.is_some() => Fit::StopsAt(document.actions.end),
        Ok((document, _))
            if document
                .header
                .subversion
                .is_some_and(|subversion| subversion != KNOWN_SUBVERSION) =>
        {
            Fit::UnknownSubversion
        }
        Ok(_) => Fit::Complete,
    }
}

type Attempt<'a> = Result<(Document<'a>, FormatDiagnostics), Error>;

fn decode_with_layout(bytes: &[u8], layout: Layout) -> Attempt<'_> {
    let mut reader = Reader::new(bytes, layout);
    let header = header::read_header(&mut reader)?;
    let start = reader.cursor.offset();
    let mut ticks = 0_u32;
    let mut stopped = None;
    let mut has_trailing_actions = false;
    let mut end = start;
    while !reader.cursor.is_at_end() {
        reader.frame = Some(ticks);
        match action::read_action(&mut reader) {
            Ok(step) => {
                let ended = match (&step.action, step.entity) {
                    (Action::Ticks(count), None) => u32::from(*count),
                    _ => 0,
                };
                ticks += ended;
                // A skip of 0 ticks has no effect, so it is not a trailing action.
                let is_empty_skip = step.action == Action::Ticks(0);
                has_trailing_actions = ended == 0 && (has_trailing_actions || !is_empty_skip);
            }
            Err(error) => {
                stopped = Some(error);
                break;
            }
        }
        end = reader.cursor.offset();
        if ticks > MAX_TICKS {
            let expected = format!("at most {MAX_TICKS} ticks");
            stopped = Some(Error::malformed(SourceLocation::byte(end), expected, "more"));
            break;
        }
    }
    let document = Document {
        version_byte: bytes[0] as i8,
        layout,
        header,
        stopped,
        ticks,
        has_trailing_actions,
        bytes,
        actions: start..end,
    };
    Ok((document, reader.diagnostics))
}

fn report_layout(document: &Document<'_>, usual: Layout, diagnostics: &mut Diagnostics) {
    let version = SourceLocation::span(0, 1);
    match document.version_byte {
        0 => {
            diagnostics
                .info(
                    codes::UNKNOWN_VERSION,
                    version,
                    "the version is 0, which is not defined; using version 5",
                )
                .with("found", 0);
        }
        -4..=-1 => {
            let message = format!(
                "version {}, which was never released; using {}",
                document.version_byte, document.layout.dialect
            );
            diagnostics
                .warning(codes::UNKNOWN_VERSION, version, message)
                .with("found", document.version_byte);
        }
        _ => {}
    }
    if document.header.flags.is_some_and(|flags| flags & header::RESERVED_FLAG != 0) {
        let location = SourceLocation::span(header::FLAGS_OFFSET, 1);
        let message = "bit 7 of the flags is set, which no known version does; skipped";
        diagnostics.warning(codes::UNKNOWN_FLAG, location, message);
    }
    let layout = document.layout;
    if layout.strings != usual.strings {
        let message = "the lengths of strings are in UTF-16 units, a bug of versions 1.2 to 1.3.3; \
                       using those, because only then does the file end where it should";
        diagnostics.warning(codes::OTHER_LAYOUT, SourceLocation::File, message);
    } else if layout != usual {
        let message = "the header has the layout of an early build; using that layout, because only \
                       then does the file end where it should";
        diagnostics.info(codes::OTHER_LAYOUT, SourceLocation::File, message);
    }
}
