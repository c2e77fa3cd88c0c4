//! Tables of events.

use std::{
    io::{self, Write},
    ops::Range,
    slice,
};

use super::{
    html::{cell, escaped},
    recording::{Section, seconds},
    timeline::wrist,
    words::measure_words,
};
use crate::report::{Cells, ReportTable, tables};

/// The events of each kind that are shown; the others are folded.
const SHOWN: usize = 20;
/// The most that are in the page; tables and JSON have all.
const MOST: usize = 2000;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let tables = tables(slice::from_ref(section.recording));
    let of_events = tables.iter().filter(|table| !matches!(table.name, "" | "areas"));
    for table in of_events {
        let count = table.columns.first().map_or(0, |column| column.cells.len());
        if count == 0 {
            continue;
        }
        writeln!(out, "<h3>{} <small>{count}</small></h3>", capitalised(table.name))?;
        write_rows(section, table, 0..count.min(SHOWN), out)?;
        if count > SHOWN {
            let last = count.min(MOST);
            writeln!(out, "<details><summary>{} more</summary>", last - SHOWN)?;
            write_rows(section, table, SHOWN..last, out)?;
            writeln!(out, "</details>")?;
        }
        if count > MOST {
            writeln!(
                out,
                "<p class=\"quiet\">The first {MOST} of {count}; CSV and JSON have all of them.</p>"
            )?;
        }
    }
    Ok(())
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn write_rows(
    section: &Section<'_>,
    table: &ReportTable,
    rows: Range<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns =
        || table.columns.iter().filter(|column| !matches!(&*column.name, "path" | "animation"));
    writeln!(out, "<div class=\"wide\"><table>\n<thead><tr>")?;
    for column in columns() {
        let words = measure_words(&column.name);
        let name = format!("{} {}", words.subject.to_lowercase(), words.name);
        let name = name.trim();
        let unit = if words.unit.is_empty() {
            String::new()
        } else {
            format!("<small>{}</small>", words.unit)
        };
        write!(out, "<th title=\"{}\">{}{unit}</th>", column.name, escaped(name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    let number = |name: &str, row: usize| {
        table.columns.iter().find(|column| column.name == name).and_then(|column| {
            match &column.cells {
                Cells::Numbers(numbers) => numbers[row],
                _ => None,
            }
        })
    };
    for row in rows {
        let node = match table
            .columns
            .iter()
            .find(|column| column.name == "hand")
            .map(|column| &column.cells)
        {
            Some(Cells::Text(hands)) => hands[row].as_deref().map(wrist),
            _ => Some("gaze"),
        };
        write!(out, "<tr>")?;
        for column in columns() {
            let attributes = section.attributes(
                &format!("event=\"{}\" data-index", table.name),
                row,
                &column.name,
            );
            match &column.cells {
                Cells::Text(texts) => {
                    write!(
                        out,
                        "<td class=\"text\">{}</td>",
                        escaped(texts[row].as_deref().unwrap_or_default())
                    )?;
                }
                Cells::Flags(flags) => {
                    write!(out, "<td class=\"text\">{}</td>", if flags[row] { "yes" } else { "" })?
                }
                Cells::Counts(counts) => {
                    let count = counts[row].and_then(|count| usize::try_from(count).ok());
                    write!(out, "{}", cell(&attributes, count.into(), ""))?;
                }
                Cells::Numbers(numbers) if column.name == "start_s" => {
                    let start = numbers[row].unwrap_or_default();
                    let range =
                        number("end_s", row).filter(|end| *end > start).map(|end| [start, end]);
                    let moment = section.moment(start, range, node);
                    let link = section.link_text(&moment, &format!("{start:.3}"));
                    write!(out, "<td{attributes} data-value=\"{}\">{link}</td>", seconds(start))?;
                }
                Cells::Numbers(numbers) => {
                    write!(
                        out,
                        "{}",
                        cell(&attributes, numbers[row].into(), "unknown for this event")
                    )?;
                }
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")
}
