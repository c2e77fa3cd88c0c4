//! Writes a report as a self-contained page. It needs no other files and no server, and its text is
//! readable without scripts.
//!
//! | file | what it does |
//! |---|---|
//! | `html` | formats text and numbers as HTML |
//! | `measure_names` | the names and units of measures for readers, and reasons why they may be unknown |
//! | `overview` | writes a table with one row for each recording |
//! | `checks` | writes the problems and the worst values of all recordings |
//! | `recording` | writes the section of a recording |
//! | `motion` | writes the image of a recording, which a player replaces |
//! | `timeline` | draws the timeline of a recording |
//! | `lanes` | arranges the bars of a timeline lane |
//! | `plots` | draws curves over time, main sequence, scan path |
//! | `axis` | scales and ticks of plots |
//! | `range_table`, `event_tables` | write tables |
//! | `style.css`, `script.js`, `motion.js` | styles; copying commands and sorting; players |

mod axis;
mod checks;
mod event_tables;
mod html;
mod lanes;
mod measure_names;
mod motion;
mod overview;
mod plots;
mod range_table;
mod recording;
mod timeline;

use std::io::{self, Write};

pub use html::ShortNumber;
pub use measure_names::{MeasureDescription, describe_measure, unknown_reason};
pub use motion::PagePlayer;

use super::{LinkTarget, Report};
use html::escape;

/// The largest number of recordings in a page with plots and events. With more recordings, a page
/// is an overview.
pub const MAX_PLOTTED_RECORDINGS: usize = 64;

/// The options of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageOptions {
    /// The target of links to a moment.
    pub link: LinkTarget,
    /// The player. `None` leaves out all motion.
    pub player: Option<PagePlayer>,
}

const CONTENT_SECURITY_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Writes a report as an HTML page.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_page(report: &Report, options: &PageOptions, out: &mut dyn Write) -> io::Result<()> {
    let count = report.recordings.len();
    let title = match &report.recordings[..] {
        [one] => format!("Report of {}", one.path),
        _ => format!("Report of {count} recordings"),
    };
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{CONTENT_SECURITY_POLICY}\">"
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(
        out,
        "<title>{}</title>\n<style>{}</style>",
        escape(&title),
        include_str!("style.css")
    )?;
    writeln!(out, "</head>\n<body>\n<main>\n<h1>{}</h1>", escape(&title))?;
    writeln!(
        out,
        "<p class=\"quiet\">{}. <a href=\"#method\">Method</a>, <a href=\"#limits\">limits</a></p>",
        escape(&report.generator)
    )?;
    if count > 1 {
        overview::write(report, out)?;
        checks::write(report, out)?;
    }
    let is_overview = count > MAX_PLOTTED_RECORDINGS;
    if is_overview {
        writeln!(
            out,
            "<p class=\"quiet\">Motion, plots and events are left out of a page with more than {MAX_PLOTTED_RECORDINGS} recordings. \
             Report some of them alone to see these.</p>"
        )?;
    }
    let motions = match is_overview {
        true => vec![motion::PageMotion::Absent; count],
        false => motion::fit_motions(&report.recordings, options),
    };
    for (index, (recording, motion)) in report.recordings.iter().zip(&motions).enumerate() {
        let (link, motion) = (&options.link, *motion);
        let section = recording::Section { recording, index, link, motion, is_overview };
        section.write(out)?;
    }
    write_sentences("method", "Method", &report.method, out)?;
    write_sentences("limits", "Limits", &report.limits, out)?;
    writeln!(out, "</main>")?;
    write_data(report, out)?;
    write!(out, "<script>{}", include_str!("script.js"))?;
    motion::write_script(&motions, options, out)?;
    writeln!(out, "</script>\n</body>\n</html>")
}

fn write_sentences(
    id: &str,
    title: &str,
    sentences: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "<section id=\"{id}\">\n<h2>{title}</h2>\n<ul>")?;
    for sentence in sentences {
        match sentence.split_once(": ").filter(|(subject, _)| subject.len() < 40) {
            Some((subject, rest)) => {
                writeln!(out, "<li><b>{}:</b> {}</li>", escape(subject), escape(rest))?;
            }
            None => writeln!(out, "<li>{}</li>", escape(sentence))?,
        }
    }
    writeln!(out, "</ul>\n</section>")
}

/// Writes the report as JSON in a `<script>` element. Each `<` is escaped, so that no string can
/// close the element.
fn write_data(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<script type=\"application/json\" id=\"report\">")?;
    report.write_json(&mut ScriptSafeWriter(out))?;
    writeln!(out, "</script>")
}

/// Writes `\u003c` for each `<`. In JSON, this character only occurs in strings, where the escape
/// is valid.
struct ScriptSafeWriter<'a>(&'a mut dyn Write);

impl Write for ScriptSafeWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut parts = bytes.split(|byte| *byte == b'<');
        if let Some(first) = parts.next() {
            self.0.write_all(first)?;
        }
        for part in parts {
            self.0.write_all(b"\\u003c")?;
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
