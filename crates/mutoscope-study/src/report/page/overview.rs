//! Writes a table with recording row for each recording.

use std::io::{self, Write};

use super::{
    MAX_PLOTTED_RECORDINGS,
    html::{ShortNumber, escape, number_cell},
    measure_names::{describe_measure, unknown_reason},
};
use crate::{
    Number,
    report::{RecordingReport, Report},
    signal::statistics::{mean, standard_deviation},
};

const KEY_MEASURES: [&str; 22] = [
    "right_tracked_share",
    "right_path_length_m",
    "right_speed_peak_mps",
    "right_movements",
    "right_movement_sparc_median",
    "right_pinches",
    "right_reach_median_s",
    "left_tracked_share",
    "left_path_length_m",
    "left_speed_peak_mps",
    "left_movements",
    "left_movement_sparc_median",
    "left_pinches",
    "left_reach_median_s",
    "head_path_length_m",
    "gaze_tracked_share",
    "gaze_fixations",
    "gaze_fixation_duration_mean_s",
    "gaze_saccades",
    "root_speed_mps",
    "loop_gap_m",
    "ground_depth_m",
];

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let recordings = &report.recordings;
    let mut names: Vec<&str> = Vec::new();
    for measures in recordings
        .iter()
        .filter_map(|recording| recording.ranges.first())
        .map(|range| &range.measures)
    {
        let new = measures.iter().map(|(name, _)| name).filter(|name| !names.contains(name));
        let new: Vec<&str> = new.collect();
        names.extend(new);
    }
    let (key, rest): (Vec<&str>, Vec<&str>) =
        names.iter().partition(|name| KEY_MEASURES.contains(name));
    writeln!(
        out,
        "<section id=\"overview\">\n<h2>Overview</h2>\n<p class=\"quiet\">Measures over the whole recordings.</p>"
    )?;
    write_table(recordings, &key, out)?;
    if !rest.is_empty() && recordings.len() <= MAX_PLOTTED_RECORDINGS {
        writeln!(out, "<details><summary>{} more measures</summary>", rest.len())?;
        write_table(recordings, &rest, out)?;
        writeln!(out, "</details>")?;
    }
    writeln!(out, "</section>")
}

fn write_table(
    recordings: &[RecordingReport],
    names: &[&str],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"wide\"><table class=\"sortable\">\n<thead><tr><th>Recording</th><th>duration<small>s</small></th>"
    )?;
    for name in names {
        let description = describe_measure(name);
        writeln!(
            out,
            "<th title=\"{name}\">{} {}<small>{}</small></th>",
            description.subject.to_lowercase(),
            escape(&description.name),
            description.unit
        )?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    let value = |recording: &RecordingReport, name: &str| match recording.ranges.first() {
        Some(range) => range.measures.get(name).unwrap_or(Number::Unknown),
        None => Number::Unknown,
    };
    for (index, recording) in recordings.iter().enumerate() {
        let animation =
            recording.animation.as_ref().map_or_else(String::new, |name| format!(" · {name}"));
        let name = format!("{}{animation}", recording.path);
        write!(out, "<tr><th><a href=\"#recording-{index}\">{}</a></th>", escape(&name))?;
        if let Some(error) = &recording.error {
            writeln!(
                out,
                "<td class=\"text\" colspan=\"{}\">error: {}</td></tr>",
                names.len() + 1,
                escape(error)
            )?;
            continue;
        }
        let duration =
            recording.duration_s.map_or_else(|| "–".to_owned(), |it| ShortNumber(it).to_string());
        write!(
            out,
            "<td data-value=\"{}\">{duration}</td>",
            recording.duration_s.unwrap_or_default()
        )?;
        for name in names {
            let has_subject = recording.has_measure(name);
            let attributes = match has_subject {
                true => {
                    format!(" data-recording=\"{index}\" data-range=\"0\" data-measure=\"{name}\"")
                }
                false => String::new(),
            };
            let reason = if has_subject {
                unknown_reason(name)
            } else {
                "the recording has no such subject"
            };
            write!(out, "{}", number_cell(&attributes, value(recording, name), reason))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n<tfoot>")?;
    for (title, statistic) in
        [("Mean", mean as fn(&[f64]) -> Option<f64>), ("SD", standard_deviation)]
    {
        let format =
            |values: Vec<f64>| number_cell("", statistic(&values).into(), "too few known values");
        let durations = recordings.iter().filter_map(|recording| recording.duration_s).collect();
        write!(out, "<tr><th>{title}</th>{}", format(durations))?;
        for name in names {
            let values =
                recordings.iter().filter_map(|recording| value(recording, name).value()).collect();
            write!(out, "{}", format(values))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tfoot></table></div>")
}
