//! The section of a recording.

use std::io::{self, Write};

use mutoscope_core::diagnostics::Severity;

use super::{
    event_tables,
    html::{Short, counted, escaped, full},
    motion::{self, Shown},
    plots, range_table, timeline,
};
use crate::{
    Number,
    report::{LinkTarget, RecordingReport, link::Moment},
};

/// The most issues that are listed at once.
const MOST_ISSUES: usize = 20;

/// The section of a recording.
pub(super) struct Section<'a> {
    pub(super) recording: &'a RecordingReport,
    /// Its index in the report.
    pub(super) index: usize,
    pub(super) link: &'a LinkTarget,
    pub(super) motion: Shown<'a>,
    /// Whether plots and events are left out.
    pub(super) is_overview: bool,
}

impl Section<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { recording, index, .. } = self;
        writeln!(out, "<section class=\"recording\" id=\"recording-{index}\">")?;
        let name = match &recording.animation {
            Some(animation) => format!("{} · {animation}", recording.path),
            None => recording.path.clone(),
        };
        writeln!(out, "<h2>{}</h2>", escaped(&name))?;
        if let Some(error) = &recording.error {
            return writeln!(
                out,
                "<p class=\"issue error\"><b>error</b> {}</p>\n</section>",
                escaped(error)
            );
        }
        self.facts(out)?;
        self.issues(out)?;
        motion::write(self.motion, *index, out)?;
        timeline::write(self, out)?;
        if !self.is_overview {
            plots::write(self, out)?;
        }
        range_table::write(self, out)?;
        range_table::write_areas(self, out)?;
        if !self.is_overview {
            event_tables::write(self, out)?;
        }
        self.notes(out)?;
        writeln!(out, "</section>")
    }

    /// A link to a moment, and a button that copies its command.
    pub(super) fn link_text(&self, moment: &Moment<'_>, text: &str) -> String {
        self.link_of_class("", moment, text)
    }

    fn link_of_class(&self, class: &str, moment: &Moment<'_>, text: &str) -> String {
        let (address, command) = (moment.address(self.link), moment.command());
        format!(
            "<a{class} href=\"{}\" data-command=\"{}\">{}</a><button class=\"copy\" type=\"button\" \
             title=\"Copy the command\" aria-label=\"Copy the command\"></button>",
            escaped(&address),
            escaped(&command),
            escaped(text)
        )
    }

    /// A moment of it.
    pub(super) fn moment<'m>(
        &'m self,
        at: f64,
        range: Option<[f64; 2]>,
        node: Option<&'m str>,
    ) -> Moment<'m> {
        Moment { path: &self.recording.path, at, range, node }
    }

    fn facts(&self, out: &mut dyn Write) -> io::Result<()> {
        let recording = self.recording;
        let mut facts = Vec::new();
        let words = [&recording.format, &recording.version].into_iter().flatten();
        let format =
            words.filter(|word| !word.is_empty()).map(|word| &**word).collect::<Vec<_>>().join(" ");
        facts.push(escaped(&format).into_owned());
        facts.extend(recording.duration_s.map(|duration| format!("{} s", Short(duration))));
        if let Some((hz, from)) = recording.rate_hz.zip(recording.rate_from) {
            let from = match from {
                "option" => "chosen",
                "file" => "stated by the file",
                "keys" => "from the keys",
                _ => "assumed",
            };
            facts.push(format!("{} Hz ({from})", Short(hz)));
        }
        let whole = recording.ranges.first().map(|range| &range.measures);
        let value = |name: &str| whole.and_then(|measures| measures.get(name));
        for (name, subject) in [("right", "right hand"), ("left", "left hand"), ("gaze", "gaze")] {
            let Some(Number::Real(share)) = value(&format!("{name}_tracked_share")) else {
                continue;
            };
            let losses = match value(&format!("{name}_losses")) {
                Some(Number::Count(count)) if count > 0 => {
                    let longest = value(&format!("{name}_longest_loss_s"))
                        .and_then(Number::value)
                        .unwrap_or_default();
                    format!(
                        ", lost {}, longest {} s",
                        if count == 1 { "once".to_owned() } else { format!("{count} times") },
                        Short(longest)
                    )
                }
                _ => String::new(),
            };
            facts.push(format!("{subject} tracked {} %{losses}", Short(100.0 * share)));
        }
        facts.push(match recording.issues.len() {
            0 => "no issues".to_owned(),
            count => counted(count, "issue"),
        });
        let start = self.moment(recording.start_s.unwrap_or_default(), None, None);
        writeln!(out, "<p class=\"facts\">{}</p>", facts.join(" · "))?;
        writeln!(
            out,
            "<p>{}</p>",
            self.link_of_class(" class=\"open\"", &start, "Open in Mutoscope")
        )
    }

    fn issues(&self, out: &mut dyn Write) -> io::Result<()> {
        let issues = &self.recording.issues;
        if issues.is_empty() {
            return Ok(());
        }
        let worst = issues.iter().map(|issue| issue.severity).max().unwrap_or(Severity::Info);
        let open = if worst > Severity::Info { " open" } else { "" };
        writeln!(
            out,
            "<details{open}><summary>{}</summary>\n<ul class=\"issues\">",
            counted(issues.len(), "issue")
        )?;
        for issue in issues.iter().take(MOST_ISSUES) {
            let class = issue.severity.word();
            let time = issue.time.map(|time| {
                self.link_text(&self.moment(time, None, None), &format!("{} s", Short(time)))
            });
            let time = time.map_or_else(String::new, |time| format!(" {time}"));
            writeln!(
                out,
                "<li class=\"issue {class}\"><b>{class}</b>{time} {}</li>",
                escaped(&issue.message)
            )?;
        }
        if issues.len() > MOST_ISSUES {
            writeln!(
                out,
                "<li>{} more; <code>mutoscope check --all</code> lists them</li>",
                issues.len() - MOST_ISSUES
            )?;
        }
        writeln!(out, "</ul>\n</details>")
    }

    fn notes(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.recording.notes.is_empty() {
            return Ok(());
        }
        writeln!(out, "<h3>Notes</h3>\n<ul class=\"notes\">")?;
        for note in &self.recording.notes {
            writeln!(
                out,
                "<li><code>{}</code> {}</li>",
                escaped(&note.measure),
                escaped(&note.text)
            )?;
        }
        writeln!(out, "</ul>")
    }

    /// The attributes of a cell that is not of a range.
    pub(super) fn attributes(&self, of: &str, index: usize, measure: &str) -> String {
        format!(
            " data-recording=\"{}\" data-{of}=\"{index}\" data-measure=\"{measure}\"",
            self.index
        )
    }
}

/// The value of a moment's cell, as in JSON.
pub(super) fn seconds(value: f64) -> String {
    full(value)
}
