//! A table with a row for each recording.

use std::io::{self, Write};

use super::{
    MOST_PLOTTED,
    html::{Short, cell, escaped},
    words::{measure_words, unknown_reason},
};
use crate::{
    Number,
    report::{RecordingReport, Report},
    signal::statistics::{deviation, mean},
};

/// The measures that are in the table whatever the number of recordings.
const KEY: [&str; 22] = [
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
    for measures in
        recordings.iter().filter_map(|one| one.ranges.first()).map(|range| &range.measures)
    {
        let new = measures.iter().map(|(name, _)| name).filter(|name| !names.contains(name));
        let new: Vec<&str> = new.collect();
        names.extend(new);
    }
    let (key, rest): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| KEY.contains(name));
    writeln!(
        out,
        "<section id=\"overview\">\n<h2>Overview</h2>\n<p class=\"quiet\">Of the whole recordings.</p>"
    )?;
    write_table(recordings, &key, out)?;
    if !rest.is_empty() && recordings.len() <= MOST_PLOTTED {
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
        let words = measure_words(name);
        writeln!(
            out,
            "<th title=\"{name}\">{} {}<small>{}</small></th>",
            words.subject.to_lowercase(),
            escaped(&words.name),
            words.unit
        )?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    let value = |one: &RecordingReport, name: &str| match one.ranges.first() {
        Some(range) => range.measures.get(name).unwrap_or(Number::Unknown),
        None => Number::Unknown,
    };
    for (index, one) in recordings.iter().enumerate() {
        let animation =
            one.animation.as_ref().map_or_else(String::new, |name| format!(" · {name}"));
        let name = format!("{}{animation}", one.path);
        write!(out, "<tr><th><a href=\"#recording-{index}\">{}</a></th>", escaped(&name))?;
        if let Some(error) = &one.error {
            writeln!(
                out,
                "<td class=\"text\" colspan=\"{}\">error: {}</td></tr>",
                names.len() + 1,
                escaped(error)
            )?;
            continue;
        }
        let duration = one.duration_s.map_or_else(|| "–".to_owned(), |it| Short(it).to_string());
        write!(out, "<td data-value=\"{}\">{duration}</td>", one.duration_s.unwrap_or_default())?;
        for name in names {
            let has = one.has(name);
            let attributes = match has {
                true => {
                    format!(" data-recording=\"{index}\" data-range=\"0\" data-measure=\"{name}\"")
                }
                false => String::new(),
            };
            let reason =
                if has { unknown_reason(name) } else { "the recording has no such subject" };
            write!(out, "{}", cell(&attributes, value(one, name), reason))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n<tfoot>")?;
    for (title, statistic) in [("Mean", mean as fn(&[f64]) -> Option<f64>), ("SD", deviation)] {
        let of = |values: Vec<f64>| cell("", statistic(&values).into(), "too few known values");
        let durations = recordings.iter().filter_map(|one| one.duration_s).collect();
        write!(out, "<tr><th>{title}</th>{}", of(durations))?;
        for name in names {
            let values = recordings.iter().filter_map(|one| value(one, name).value()).collect();
            write!(out, "{}", of(values))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tfoot></table></div>")
}
