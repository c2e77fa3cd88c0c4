//! Reads and writes labels as a table with the columns `start_s,end_s,label[,tier]`, in UTF-8 CSV
//! (RFC 4180).

use std::io;

use csv::{ReaderBuilder, StringRecord};
use mutoscope_core::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    export::table::{TableWriter, unquote_formula},
};

use super::{Label, Labels, Result};

const REQUIRED_COLUMNS: [&str; 3] = ["start_s", "end_s", "label"];

pub(super) fn read(bytes: &[u8]) -> Result<Labels> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = StringRecord::new();
    let mut lines = LineCounter { bytes, position: 0, line: 1 };
    let mut read_next = |record: &mut StringRecord| match reader.read_record(record) {
        Ok(is_row) => Ok((is_row, lines.location(record.position()))),
        Err(error) => Err(convert_error(&error, lines.location(error.position()))),
    };
    if !read_next(&mut record)?.0 {
        return Err(header_error("nothing"));
    }
    let column = |name: &str| record.iter().position(|cell| cell.trim() == name);
    let [start, end, label] = REQUIRED_COLUMNS.map(column);
    let (Some(start), Some(end), Some(label)) = (start, end, label) else {
        return Err(header_error(record.iter().collect::<Vec<_>>().join(",")));
    };
    let tier = column("tier");
    let mut labels = Vec::new();
    while let (true, location) = read_next(&mut record)? {
        let parse_seconds =
            |column: usize, name: &str| parse_number(&record, column, name, &location);
        let (start, end) = (parse_seconds(start, "start_s")?, parse_seconds(end, "end_s")?);
        if end < start {
            let expected = format!("an end_s of {start} or later");
            return Err(Error::malformed(location, expected, end));
        }
        let Some(label) = record.get(label) else {
            let found = format!("{} cells", record.len());
            return Err(Error::malformed(location, "a cell for label", found));
        };
        let tier = tier.and_then(|tier| record.get(tier)).filter(|tier| !tier.is_empty());
        let text = |cell: &str| unquote_formula(cell).to_owned();
        labels.push(Label { start, end, label: text(label), tier: tier.map(text) });
    }
    Ok(Labels { labels, diagnostics: Diagnostics::new() })
}

/// Counts lines for the positions of rows. The line of [`csv::Position`] is one too small after a
/// carriage return and a line feed, because the reader ends a row at the carriage return.
struct LineCounter<'a> {
    bytes: &'a [u8],
    position: usize,
    line: u32,
}

impl LineCounter<'_> {
    /// Returns the line of the row at `position`, which must not be before the previous row.
    fn location(&mut self, position: Option<&csv::Position>) -> SourceLocation {
        let start = position.map_or(0, |position| usize::try_from(position.byte()).unwrap_or(0));
        let is_line_end = |index: usize| match self.bytes.get(index) {
            Some(b'\r') => self.bytes.get(index + 1) != Some(&b'\n'),
            byte => byte == Some(&b'\n'),
        };
        // Between two rows there may be the rest of a line end, and empty lines.
        let is_skipped = |index: &usize| matches!(self.bytes.get(*index), Some(b'\r' | b'\n'));
        let row = (start..self.bytes.len()).find(|index| !is_skipped(index)).unwrap_or(start);
        let ends = (self.position..row).filter(|index| is_line_end(*index)).count();
        self.line = self.line.saturating_add(u32::try_from(ends).unwrap_or(u32::MAX));
        self.position = row.max(self.position);
        SourceLocation::line(self.line)
    }
}

fn parse_number(
    record: &StringRecord,
    column: usize,
    name: &str,
    location: &SourceLocation,
) -> Result<f64> {
    let cell = record.get(column).unwrap_or_default().trim();
    let number = cell.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        Error::malformed(
            location.clone(),
            format!("a finite number for {name}"),
            format!("{cell:?}"),
        )
    })
}

fn header_error(found: impl std::fmt::Display) -> Error {
    let expected = "the header start_s,end_s,label[,tier]";
    Error::malformed(SourceLocation::line(1), expected, format!("{:?}", found.to_string()))
}

fn convert_error(error: &csv::Error, location: SourceLocation) -> Error {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => Error::malformed(location, "text in UTF-8", "other bytes"),
        _ => Error::malformed(location, "a row of a table", error),
    }
}

pub(super) fn write(labels: &[Label], out: &mut dyn io::Write) -> io::Result<()> {
    let has_tiers = labels.iter().any(|label| label.tier.is_some());
    let mut table = TableWriter::verbatim(out);
    table.write_strings(&REQUIRED_COLUMNS)?;
    if has_tiers {
        table.write_string("tier")?;
    }
    table.end_row()?;
    for Label { start, end, label, tier } in labels {
        table.write_numbers(&[*start, *end])?;
        table.write_string(label)?;
        if has_tiers {
            table.write_string(tier.as_deref().unwrap_or_default())?;
        }
        table.end_row()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text.as_bytes()).expect_err(text).to_string()
    }

    #[test]
    fn columns_may_be_in_any_order_and_others_are_ignored() {
        let text = "\u{feff}note,label,end_s,start_s\r\nx,\"a,\nb\",2.5,1\r\n,,3,3\r\n";
        let labels = read(text.as_bytes()).expect("it is a table").labels;
        let label =
            |start, end, label: &str| Label { start, end, label: label.to_owned(), tier: None };
        assert_eq!(labels, [label(1.0, 2.5, "a,\nb"), label(3.0, 3.0, "")]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(
            error("start,end,label\n"),
            "at line 1: expected the header start_s,end_s,label[,tier], found \"start,end,label\""
        );
        assert!(error("").starts_with("at line 1: expected the header"));
        let head = "start_s,end_s,label\n0,1,\"two\nlines\"\n";
        assert_eq!(
            error(&format!("{head}2,1,late\n")),
            "at line 4: expected an end_s of 2 or later, found 1"
        );
        for wrong in ["nan", "inf", "1e999", "", "one"] {
            let error = error(&format!("{head}0,{wrong},x\n"));
            assert_eq!(
                error,
                format!("at line 4: expected a finite number for end_s, found {wrong:?}")
            );
        }
        assert_eq!(
            error(&format!("{head}0,1\n")),
            "at line 4: expected a cell for label, found 2 cells"
        );
        for line_end in ["\r\n", "\r", "\n"] {
            let text = format!("\u{feff}{head}\n0,1,a\n\n\n2,1,late\n").replace('\n', line_end);
            let expected = "at line 8: expected an end_s of 2 or later, found 1";
            assert_eq!(error(&text), expected, "{line_end:?}");
        }
        let latin = [head.as_bytes(), b"0,1,caf\xe9\n"].concat();
        let error = read(&latin).expect_err("it is not UTF-8").to_string();
        assert_eq!(error, "at line 4: expected text in UTF-8, found other bytes");
    }
}
