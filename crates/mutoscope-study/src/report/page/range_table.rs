//! Writes the table of ranges side by side, and the table of areas.

use std::io::{self, Write};

use super::{
    html::{ShortNumber, escape, number_cell},
    measure_names::{describe_measure, unknown_reason},
    recording::Section,
};
use crate::{
    Number, RangeMeasures,
    gaze::AreaMeasures,
    signal::statistics::{mean, standard_deviation},
};

const MAX_RANGES: usize = 40;

enum Column {
    /// The range with this index.
    Range(usize),
    /// The mean over the ranges with these indices, which have the same label.
    Mean(Vec<usize>),
    Deviation(Vec<usize>),
}

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let ranges = &section.recording.ranges;
    let Some(whole) = ranges.first() else { return Ok(()) };
    let columns = columns(ranges);
    writeln!(
        out,
        "<h3>Ranges</h3>\n<div class=\"wide\"><table class=\"ranges\">\n<thead><tr><th>Measure</th>"
    )?;
    for column in &columns {
        writeln!(out, "{}", heading(section, ranges, column))?;
    }
    writeln!(out, "<th class=\"unit\">Unit</th></tr></thead>\n<tbody>")?;
    let mut subject = "";
    for (measure, _) in whole.measures.iter() {
        let description = describe_measure(measure);
        if description.subject != subject {
            subject = description.subject;
            let span = columns.len() + 2;
            writeln!(out, "<tr class=\"subject\"><th colspan=\"{span}\">{subject}</th></tr>")?;
        }
        write!(out, "<tr><th title=\"{measure}\">{}</th>", escape(&description.name))?;
        for column in &columns {
            out.write_all(column_cell(section, ranges, column, measure).as_bytes())?;
        }
        writeln!(out, "<td class=\"unit\">{}</td></tr>", description.unit)?;
    }
    writeln!(out, "</tbody></table></div>")?;
    if ranges.len() > MAX_RANGES {
        writeln!(
            out,
            "<p class=\"quiet\">Only the first {MAX_RANGES} of {} ranges are listed. CSV and JSON contain all of them.</p>",
            ranges.len()
        )?;
    }
    Ok(())
}

fn columns(ranges: &[RangeMeasures]) -> Vec<Column> {
    let shown = ranges.len().min(MAX_RANGES);
    let mut columns: Vec<Column> = (0..shown).map(Column::Range).collect();
    let mut labels: Vec<&str> = Vec::new();
    for range in &ranges[1..] {
        let label = &*range.label;
        if labels.contains(&label) || labels.len() >= MAX_RANGES {
            continue;
        }
        labels.push(label);
        let repeats = ranges.iter().enumerate().skip(1).filter(|(_, other)| other.label == label);
        let repeats: Vec<usize> = repeats.map(|(index, _)| index).collect();
        if repeats.len() > 1 {
            columns.push(Column::Mean(repeats.clone()));
            columns.push(Column::Deviation(repeats));
        }
    }
    columns
}

fn heading(section: &Section<'_>, ranges: &[RangeMeasures], column: &Column) -> String {
    let of_label = |what: &str, indices: &[usize]| {
        let label = indices.first().map_or("", |index| &ranges[*index].label);
        format!("<th>{}<small>{what} of {}</small></th>", escape(label), indices.len())
    };
    match column {
        Column::Range(index) => {
            let RangeMeasures { label, tier, start_s, end_s, .. } = &ranges[*index];
            let name = if *index == 0 { "whole recording" } else { label };
            let moment = section.moment(
                *start_s,
                Some([*start_s, *end_s]).filter(|_| end_s > start_s),
                None,
            );
            let link = section.format_link(
                &moment,
                &format!("{} to {} s", ShortNumber(*start_s), ShortNumber(*end_s)),
            );
            let tier = tier.as_ref().map_or_else(String::new, |tier| format!("{}: ", escape(tier)));
            format!("<th>{tier}{}<small>{link}</small></th>", escape(name))
        }
        Column::Mean(indices) => of_label("mean", indices),
        Column::Deviation(indices) => of_label("SD", indices),
    }
}

fn column_cell(
    section: &Section<'_>,
    ranges: &[RangeMeasures],
    column: &Column,
    measure: &str,
) -> String {
    let value = |index: usize| ranges[index].measures.get(measure).unwrap_or(Number::Unknown);
    let values = |indices: &[usize]| {
        indices.iter().filter_map(|index| value(*index).value()).collect::<Vec<f64>>()
    };
    let of_label = |indices: &[usize], statistic: &str, number: Option<f64>| {
        let label = indices.first().map_or("", |index| &ranges[*index].label);
        let attributes = format!(
            " data-recording=\"{}\" data-label=\"{}\" data-statistic=\"{statistic}\" data-measure=\"{measure}\"",
            section.index,
            escape(label)
        );
        number_cell(&attributes, number.into(), "too few known values")
    };
    match column {
        Column::Range(index) => {
            let attributes = format!(
                " data-recording=\"{}\" data-range=\"{index}\" data-measure=\"{measure}\"",
                section.index
            );
            number_cell(&attributes, value(*index), unknown_reason(measure))
        }
        Column::Mean(indices) => of_label(indices, "mean", mean(&values(indices))),
        Column::Deviation(indices) => of_label(indices, "sd", standard_deviation(&values(indices))),
    }
}

pub(super) fn write_areas(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let ranges = &section.recording.ranges;
    if ranges.iter().all(|range| range.areas.is_empty()) {
        return Ok(());
    }
    writeln!(
        out,
        "<h3>Areas</h3>\n<div class=\"wide\"><table>\n<thead><tr><th>Range</th><th>Area</th>"
    )?;
    for (measure, _) in AREA_MEASURES {
        let description = describe_measure(measure);
        let unit = if description.unit.is_empty() {
            String::new()
        } else {
            format!("<small>{}</small>", description.unit)
        };
        writeln!(out, "<th title=\"{measure}\">{}{unit}</th>", escape(&description.name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (index, range) in ranges.iter().enumerate().take(MAX_RANGES) {
        for area in &range.areas {
            let name = if index == 0 { "whole recording" } else { &range.label };
            write!(out, "<tr><th>{}</th><th>{}</th>", escape(name), escape(&area.area))?;
            for (measure, number) in AREA_MEASURES {
                let attributes = format!(
                    " data-recording=\"{}\" data-range=\"{index}\" data-area=\"{}\" data-measure=\"{measure}\"",
                    section.index,
                    escape(&area.area)
                );
                out.write_all(
                    number_cell(&attributes, number(area), "never looked at, or no gaze")
                        .as_bytes(),
                )?;
            }
            writeln!(out, "</tr>")?;
        }
    }
    writeln!(out, "</tbody></table></div>")
}

type AreaNumber = fn(&AreaMeasures) -> Number;

const AREA_MEASURES: [(&str, AreaNumber); 10] = [
    ("fixations", |area| area.fixations.into()),
    ("first_fixation_s", |area| area.first_fixation_s.into()),
    ("fixation_s", |area| area.fixation_s.into()),
    ("dwells", |area| area.dwells.into()),
    ("first_dwell_s", |area| area.first_dwell_s.into()),
    ("dwell_s", |area| area.dwell_s.into()),
    ("dwell_mean_s", |area| area.dwell_mean_s.into()),
    ("dwell_share", |area| area.dwell_share.into()),
    ("revisits", |area| area.revisits.into()),
    ("accuracy_deg", |area| area.accuracy_deg.into()),
];
