//! Writes the tables of events.

use std::{
    io::{self, Write},
    ops::Range,
    slice,
};

use super::{
    html::{escape, number_cell},
    measure_names::describe_measure,
    recording::{Section, seconds},
    timeline::wrist_node,
};
use crate::report::{Cells, ReportTable, build_tables};

const UNFOLDED_EVENTS: usize = 20;
const MAX_EVENTS: usize = 2000;

pub(super) fn write(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let tables = build_tables(slice::from_ref(section.recording));
    let event_tables = tables.iter().filter(|table| !matches!(table.name, "" | "areas"));
    for table in event_tables {
        let count = table.columns.first().map_or(0, |column| column.cells.len());
        if count == 0 {
            continue;
        }
        writeln!(out, "<h3>{} <small>{count}</small></h3>", capitalise(table.name))?;
        write_rows(section, table, 0..count.min(UNFOLDED_EVENTS), out)?;
        if count > UNFOLDED_EVENTS {
            let last = count.min(MAX_EVENTS);
            writeln!(out, "<details><summary>{} more</summary>", last - UNFOLDED_EVENTS)?;
            write_rows(section, table, UNFOLDED_EVENTS..last, out)?;
            writeln!(out, "</details>")?;
        }
        if count > MAX_EVENTS {
            writeln!(
                out,
                "<p class=\"quiet\">Only the first {MAX_EVENTS} of {count} are listed. CSV and JSON contain all of them.</p>"
            )?;
        }
    }
    Ok(())
}

fn capitalise(name: &str) -> String {
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
        let description = describe_measure(&column.name);
        let name = format!("{} {}", description.subject.to_lowercase(), description.name);
        let name = name.trim();
        let unit = if description.unit.is_empty() {
            String::new()
        } else {
            format!("<small>{}</small>", description.unit)
        };
        write!(out, "<th title=\"{}\">{}{unit}</th>", column.name, escape(name))?;
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
            Some(Cells::Text(hands)) => hands[row].as_deref().map(wrist_node),
            _ => Some("gaze"),
        };
        write!(out, "<tr>")?;
        for column in columns() {
            let attributes = section.cell_attributes(
                &format!("event=\"{}\" data-index", table.name),
                row,
                &column.name,
            );
            match &column.cells {
                Cells::Text(texts) => {
                    write!(
                        out,
                        "<td class=\"text\">{}</td>",
                        escape(texts[row].as_deref().unwrap_or_default())
                    )?;
                }
                Cells::Flags(flags) => {
                    write!(out, "<td class=\"text\">{}</td>", if flags[row] { "yes" } else { "" })?
                }
                Cells::Counts(counts) => {
                    let count = counts[row].and_then(|count| usize::try_from(count).ok());
                    write!(out, "{}", number_cell(&attributes, count.into(), ""))?;
                }
                Cells::Numbers(numbers) if column.name == "start_s" => {
                    let start = numbers[row].unwrap_or_default();
                    let range =
                        number("end_s", row).filter(|end| *end > start).map(|end| [start, end]);
                    let moment = section.moment(start, range, node);
                    let link = section.format_link(&moment, &format!("{start:.3}"));
                    write!(out, "<td{attributes} data-value=\"{}\">{link}</td>", seconds(start))?;
                }
                Cells::Numbers(numbers) => {
                    write!(
                        out,
                        "{}",
                        number_cell(&attributes, numbers[row].into(), "unknown for this event")
                    )?;
                }
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")
}
