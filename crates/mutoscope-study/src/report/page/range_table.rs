//! Tables of ranges, side by side, and of areas.

use std::io::{self, Write};

use super::{
    html::{Short, cell, escaped},
    recording::Section,
    words::{measure_words, unknown_reason},
};
use crate::{
    Number, RangeMeasures,
    gaze::AreaMeasures,
    signal::statistics::{deviation, mean},
};

/// The most ranges that are shown side by side.
const MOST: usize = 40;

/// A column of the table.
enum Column {
    /// A range, by its index.
    Range(usize),
    /// The mean, or the standard deviation, of the ranges of a label.
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
        let words = measure_words(measure);
        if words.subject != subject {
            subject = words.subject;
            let span = columns.len() + 2;
            writeln!(out, "<tr class=\"subject\"><th colspan=\"{span}\">{subject}</th></tr>")?;
        }
        write!(out, "<tr><th title=\"{measure}\">{}</th>", escaped(&words.name))?;
        for column in &columns {
            out.write_all(number_cell(section, ranges, column, measure).as_bytes())?;
        }
        writeln!(out, "<td class=\"unit\">{}</td></tr>", words.unit)?;
    }
    writeln!(out, "</tbody></table></div>")?;
    if ranges.len() > MOST {
        writeln!(
            out,
            "<p class=\"quiet\">The first {MOST} of {} ranges; CSV and JSON have all of them.</p>",
            ranges.len()
        )?;
    }
    Ok(())
}

/// The ranges, and after the last of each label that repeats, their mean and standard deviation.
fn columns(ranges: &[RangeMeasures]) -> Vec<Column> {
    let shown = ranges.len().min(MOST);
    let mut columns: Vec<Column> = (0..shown).map(Column::Range).collect();
    let mut labels: Vec<&str> = Vec::new();
    for range in &ranges[1..] {
        let label = &*range.label;
        if labels.contains(&label) || labels.len() >= MOST {
            continue;
        }
        labels.push(label);
        let same = ranges.iter().enumerate().skip(1).filter(|(_, other)| other.label == label);
        let same: Vec<usize> = same.map(|(index, _)| index).collect();
        if same.len() > 1 {
            columns.push(Column::Mean(same.clone()));
            columns.push(Column::Deviation(same));
        }
    }
    columns
}

fn heading(section: &Section<'_>, ranges: &[RangeMeasures], column: &Column) -> String {
    let of_label = |what: &str, indices: &[usize]| {
        let label = indices.first().map_or("", |index| &ranges[*index].label);
        format!("<th>{}<small>{what} of {}</small></th>", escaped(label), indices.len())
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
            let link =
                section.link_text(&moment, &format!("{} to {} s", Short(*start_s), Short(*end_s)));
            let tier =
                tier.as_ref().map_or_else(String::new, |tier| format!("{}: ", escaped(tier)));
            format!("<th>{tier}{}<small>{link}</small></th>", escaped(name))
        }
        Column::Mean(indices) => of_label("mean", indices),
        Column::Deviation(indices) => of_label("SD", indices),
    }
}

fn number_cell(
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
            escaped(label)
        );
        cell(&attributes, number.into(), "too few known values")
    };
    match column {
        Column::Range(index) => {
            let attributes = format!(
                " data-recording=\"{}\" data-range=\"{index}\" data-measure=\"{measure}\"",
                section.index
            );
            cell(&attributes, value(*index), unknown_reason(measure))
        }
        Column::Mean(indices) => of_label(indices, "mean", mean(&values(indices))),
        Column::Deviation(indices) => of_label(indices, "sd", deviation(&values(indices))),
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
        let words = measure_words(measure);
        let unit = if words.unit.is_empty() {
            String::new()
        } else {
            format!("<small>{}</small>", words.unit)
        };
        writeln!(out, "<th title=\"{measure}\">{}{unit}</th>", escaped(&words.name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (index, range) in ranges.iter().enumerate().take(MOST) {
        for area in &range.areas {
            let name = if index == 0 { "whole recording" } else { &range.label };
            write!(out, "<tr><th>{}</th><th>{}</th>", escaped(name), escaped(&area.area))?;
            for (measure, number) in AREA_MEASURES {
                let attributes = format!(
                    " data-recording=\"{}\" data-range=\"{index}\" data-area=\"{}\" data-measure=\"{measure}\"",
                    section.index,
                    escaped(&area.area)
                );
                out.write_all(
                    cell(&attributes, number(area), "never looked at, or no gaze").as_bytes(),
                )?;
            }
            writeln!(out, "</tr>")?;
        }
    }
    writeln!(out, "</tbody></table></div>")
}

type AreaNumber = fn(&AreaMeasures) -> Number;

const AREA_MEASURES: [(&str, AreaNumber); 9] = [
    ("fixations", |area| area.fixations.into()),
    ("first_fixation_s", |area| area.first_fixation_s.into()),
    ("fixation_s", |area| area.fixation_s.into()),
    ("dwells", |area| area.dwells.into()),
    ("first_dwell_s", |area| area.first_dwell_s.into()),
    ("dwell_s", |area| area.dwell_s.into()),
    ("dwell_mean_s", |area| area.dwell_mean_s.into()),
    ("dwell_share", |area| area.dwell_share.into()),
    ("revisits", |area| area.revisits.into()),
];
