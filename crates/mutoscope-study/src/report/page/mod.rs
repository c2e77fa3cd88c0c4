//! One self-contained page: no file and no server is needed besides it, and no script to read it.
//!
//! | file | what it does |
//! |---|---|
//! | `html` | text and numbers as HTML |
//! | `words` | the names of measures for readers, their units, and why they may be unknown |
//! | `overview` | a table with a row for each recording |
//! | `recording` | the section of a recording |
//! | `motion` | the picture of a recording, and the player that takes its place |
//! | `timeline` | the lanes of a recording |
//! | `lanes` | the bars of a lane |
//! | `plots` | curves over time, main sequence, scan path |
//! | `axis` | scales and ticks |
//! | `range_table`, `event_tables` | tables |
//! | `style.css`, `script.js`, `motion.js` | how it looks; copying commands and sorting; players |

mod axis;
mod event_tables;
mod html;
mod lanes;
mod motion;
mod overview;
mod plots;
mod range_table;
mod recording;
mod timeline;
mod words;

use std::io::{self, Write};

pub use html::Short;
pub use motion::PagePlayer;
pub use words::{MeasureWords, measure_words, unknown_reason};

use super::{LinkTarget, Report};
use html::escaped;

/// The most recordings that a page has plots and events of: beyond, it is an overview.
pub const MOST_PLOTTED: usize = 64;

/// How a page is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageOptions {
    /// Where links to a moment lead.
    pub link: LinkTarget,
    /// The player; without one, a page shows no motion.
    pub player: Option<PagePlayer>,
}

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Writes a report as one page of HTML.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_page(report: &Report, options: &PageOptions, out: &mut dyn Write) -> io::Result<()> {
    let count = report.recordings.len();
    let title = match &report.recordings[..] {
        [one] => format!("Report of {}", one.path),
        _ => format!("Report of {count} recordings"),
    };
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(
        out,
        "<title>{}</title>\n<style>{}</style>",
        escaped(&title),
        include_str!("style.css")
    )?;
    writeln!(out, "</head>\n<body>\n<main>\n<h1>{}</h1>", escaped(&title))?;
    writeln!(
        out,
        "<p class=\"quiet\">{}. <a href=\"#method\">Method</a>, <a href=\"#limits\">limits</a></p>",
        escaped(&report.generator)
    )?;
    if count > 1 {
        overview::write(report, out)?;
    }
    let is_overview = count > MOST_PLOTTED;
    if is_overview {
        writeln!(
            out,
            "<p class=\"quiet\">Motion, plots and events are left out of a page with more than {MOST_PLOTTED} recordings. \
             Report some of them alone to see these.</p>"
        )?;
    }
    let motions = match is_overview {
        true => vec![motion::Shown::Nowhere; count],
        false => motion::shown(&report.recordings, options),
    };
    for (index, (recording, motion)) in report.recordings.iter().zip(&motions).enumerate() {
        let (link, motion) = (&options.link, *motion);
        let section = recording::Section { recording, index, link, motion, is_overview };
        section.write(out)?;
    }
    sentences("method", "Method", &report.method, out)?;
    sentences("limits", "Limits", &report.limits, out)?;
    writeln!(out, "</main>")?;
    write_data(report, out)?;
    write!(out, "<script>{}", include_str!("script.js"))?;
    motion::write_script(&motions, options, out)?;
    writeln!(out, "</script>\n</body>\n</html>")
}

fn sentences(id: &str, title: &str, sentences: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section id=\"{id}\">\n<h2>{title}</h2>\n<ul>")?;
    for sentence in sentences {
        match sentence.split_once(": ").filter(|(subject, _)| subject.len() < 40) {
            Some((subject, rest)) => {
                writeln!(out, "<li><b>{}:</b> {}</li>", escaped(subject), escaped(rest))?;
            }
            None => writeln!(out, "<li>{}</li>", escaped(sentence))?,
        }
    }
    writeln!(out, "</ul>\n</section>")
}

/// The JSON of the report. Nothing in it can end the element: `<` is written by its number.
fn write_data(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<script type=\"application/json\" id=\"report\">")?;
    report.write_json(&mut WithoutMarkup(out))?;
    writeln!(out, "</script>")
}

/// Writes `\u003c` for `<`, which JSON has in strings only.
struct WithoutMarkup<'a>(&'a mut dyn Write);

impl Write for WithoutMarkup<'_> {
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
