//! From bytes to document.

use super::{Action, Document, Layout, action, header, issues::Issues, reader::Reader};
use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

/// More ticks than this, some three years, are taken for damage.
const MOST_TICKS: u32 = 1 << 31;

/// Reads a recording, and reports the issues in it.
///
/// Actions are read up to the first that cannot be: [`Document::stopped`] then says why, and what
/// came before can be played.
///
/// # Errors
/// If the version is unknown or the header is damaged.
pub fn decode<'a>(bytes: &'a [u8], notices: &mut Notices) -> Result<Document<'a>, Error> {
    if u32::try_from(bytes.len()).is_err() {
        let message = "a recording of 4 GiB or more: too large to be read";
        return Err(Error::unsupported(SourceLocation::File, message));
    }
    let layouts = header::layouts(bytes)?;
    let mut best = attempt(bytes, layouts[0]);
    for &layout in &layouts[1..] {
        if fits(&best) == Fit::Whole {
            break;
        }
        let other = attempt(bytes, layout);
        if fits(&other) > fits(&best) {
            best = other;
        }
    }
    let (document, issues) = best?;
    report(&document, layouts[0], notices);
    issues.report(notices);
    Ok(document)
}

/// How well a way of reading fits a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The header cannot be read.
    None,
    /// Reading stops there.
    UpTo(usize),
    /// It reaches the end, but the header has values that no program writes.
    Oddly,
    /// It reaches the end.
    Whole,
}

fn fits(attempt: &Attempt<'_>) -> Fit {
    /// The only revision of an unreleased version that is known.
    const SUBVERSION: i8 = 1;
    match attempt {
        Err(_) => Fit::None,
        Ok((document, _)) if document.stopped.is_some() => Fit::UpTo(document.actions.end),
        Ok((document, _)) if document.header.subversion.is_some_and(|one| one != SUBVERSION) => {
            Fit::Oddly
        }
        Ok(_) => Fit::Whole,
    }
}

type Attempt<'a> = Result<(Document<'a>, Issues), Error>;

/// Reads the file as if it were laid out like this.
fn attempt(bytes: &[u8], layout: Layout) -> Attempt<'_> {
    let mut reader = Reader::new(bytes, layout);
    let header = header::read(&mut reader)?;
    let start = reader.cursor.offset();
    let mut ticks = 0_u32;
    let mut stopped = None;
    let mut has_trailing_actions = false;
    let mut end = start;
    while !reader.cursor.is_at_end() {
        reader.frame = Some(ticks);
        match action::read(&mut reader) {
            Ok(step) => {
                let ended = match (&step.action, step.entity) {
                    (Action::Ticks(count), None) => u32::from(*count),
                    _ => 0,
                };
                ticks += ended;
                // Skipping no ticks is doing nothing.
                let is_nothing = step.action == Action::Ticks(0);
                has_trailing_actions = ended == 0 && (has_trailing_actions || !is_nothing);
            }
            Err(error) => {
                stopped = Some(error);
                break;
            }
        }
        end = reader.cursor.offset();
        if ticks > MOST_TICKS {
            let expected = format!("at most {MOST_TICKS} ticks");
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
    Ok((document, reader.issues))
}

/// Reports how the file was read, where that differs from its version byte.
fn report(document: &Document<'_>, usual: Layout, notices: &mut Notices) {
    let version = SourceLocation::span(0, 1);
    match document.version_byte {
        0 => notices.info(version, "the version is 0, which is not defined; using version 5"),
        -4..=-1 => {
            let message = format!(
                "version {}, which was never released; using {}",
                document.version_byte, document.layout.dialect
            );
            notices.warning(version, message);
        }
        _ => {}
    }
    if document.header.flags.is_some_and(|flags| flags & header::MORE_FLAGS != 0) {
        let place = SourceLocation::span(header::FLAGS_OFFSET, 1);
        let message = "bit 7 of the flags is set, which no known version does; skipped";
        notices.warning(place, message);
    }
    let layout = document.layout;
    if layout.strings != usual.strings {
        let message = "the lengths of strings are counted in UTF-16 units, a defect of 1.2 to \
                       1.3.3; using those, as the file only then ends where it should";
        notices.warning(SourceLocation::File, message);
    } else if layout != usual {
        let message = "the header is that of an early build; using its layout, as the file only then ends \
                       where it should";
        notices.info(SourceLocation::File, message);
    }
}
