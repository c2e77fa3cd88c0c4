//! Writes the section of a recording.

use std::io::{self, Write};

use mutoscope_core::diagnostics::{Severity, format_count};

use super::{
    event_tables,
    html::{ShortNumber, escape, json_number},
    motion::{self, PageMotion},
    plots, range_table, timeline,
};
use crate::{
    Number,
    report::{LinkTarget, RecordingReport, link::Moment},
};

const MAX_DIAGNOSTICS: usize = 20;

pub(super) struct Section<'a> {
    pub(super) recording: &'a RecordingReport,
    pub(super) index: usize,
    pub(super) link: &'a LinkTarget,
    pub(super) motion: PageMotion<'a>,
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
        writeln!(out, "<h2>{}</h2>", escape(&name))?;
        if let Some(error) = &recording.error {
            return writeln!(
                out,
                "<p class=\"issue error\"><b>error</b> {}</p>\n</section>",
                escape(error)
            );
        }
        self.write_facts(out)?;
        self.write_diagnostics(out)?;
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
        self.write_notes(out)?;
        writeln!(out, "</section>")
    }

    pub(super) fn format_link(&self, moment: &Moment<'_>, text: &str) -> String {
        self.format_link_with_class("", moment, text)
    }

    fn format_link_with_class(&self, class: &str, moment: &Moment<'_>, text: &str) -> String {
        let (address, command) = (moment.address(self.link), moment.command());
        format!(
            "<a{class} href=\"{}\" data-command=\"{}\">{}</a><button class=\"copy\" type=\"button\" \
             title=\"Copy the command\" aria-label=\"Copy the command\"></button>",
            escape(&address),
            escape(&command),
            escape(text)
        )
    }

    pub(super) fn moment<'m>(
        &'m self,
        time: f64,
        range: Option<[f64; 2]>,
        node: Option<&'m str>,
    ) -> Moment<'m> {
        Moment { path: &self.recording.path, time, range, node }
    }

    fn write_facts(&self, out: &mut dyn Write) -> io::Result<()> {
        let recording = self.recording;
        let mut facts = Vec::new();
        let parts = [&recording.format, &recording.version].into_iter().flatten();
        let format =
            parts.filter(|part| !part.is_empty()).map(|part| &**part).collect::<Vec<_>>().join(" ");
        facts.push(escape(&format).into_owned());
        facts.extend(recording.duration_s.map(|duration| format!("{} s", ShortNumber(duration))));
        if let Some((hz, from)) = recording.rate_hz.zip(recording.rate_from) {
            let from = match from {
                "option" => "chosen",
                "file" => "stated by the file",
                "keys" => "from the keys",
                _ => "assumed",
            };
            facts.push(format!("{} Hz ({from})", ShortNumber(hz)));
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
                        ShortNumber(longest)
                    )
                }
                _ => String::new(),
            };
            facts.push(format!("{subject} tracked {} %{losses}", ShortNumber(100.0 * share)));
        }
        facts.push(match recording.diagnostics.len() {
            0 => "no issues".to_owned(),
            count => format_count(count, "issue"),
        });
        let start = self.moment(recording.start_s.unwrap_or_default(), None, None);
        writeln!(out, "<p class=\"facts\">{}</p>", facts.join(" · "))?;
        writeln!(
            out,
            "<p>{}</p>",
            self.format_link_with_class(" class=\"open\"", &start, "Open in Mutoscope")
        )
    }

    fn write_diagnostics(&self, out: &mut dyn Write) -> io::Result<()> {
        let diagnostics = &self.recording.diagnostics;
        if diagnostics.is_empty() {
            return Ok(());
        }
        let worst = diagnostics
            .iter()
            .map(|diagnostic| diagnostic.severity)
            .max()
            .unwrap_or(Severity::Info);
        let open = if worst > Severity::Info { " open" } else { "" };
        writeln!(
            out,
            "<details{open}><summary>{}</summary>\n<ul class=\"issues\">",
            format_count(diagnostics.len(), "issue")
        )?;
        for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
            let class = diagnostic.severity.as_str();
            let time = diagnostic.time.map(|time| {
                self.format_link(
                    &self.moment(time, None, None),
                    &format!("{} s", ShortNumber(time)),
                )
            });
            let time = time.map_or_else(String::new, |time| format!(" {time}"));
            writeln!(
                out,
                "<li class=\"issue {class}\"><b>{class}</b>{time} {}</li>",
                escape(&diagnostic.message)
            )?;
        }
        if diagnostics.len() > MAX_DIAGNOSTICS {
            writeln!(
                out,
                "<li>{} more; <code>mutoscope check --all</code> lists them</li>",
                diagnostics.len() - MAX_DIAGNOSTICS
            )?;
        }
        writeln!(out, "</ul>\n</details>")
    }

    fn write_notes(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.recording.notes.is_empty() {
            return Ok(());
        }
        writeln!(out, "<h3>Notes</h3>\n<ul class=\"notes\">")?;
        for note in &self.recording.notes {
            writeln!(
                out,
                "<li><code>{}</code> {}</li>",
                escape(&note.measure),
                escape(&note.text)
            )?;
        }
        writeln!(out, "</ul>")
    }

    pub(super) fn cell_attributes(&self, item: &str, index: usize, measure: &str) -> String {
        format!(
            " data-recording=\"{}\" data-{item}=\"{index}\" data-measure=\"{measure}\"",
            self.index
        )
    }
}

pub(super) fn seconds(value: f64) -> String {
    json_number(value)
}
