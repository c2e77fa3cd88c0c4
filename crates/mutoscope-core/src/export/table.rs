//! Writes comma-separated tables: one line per row, with quotes where they are needed.
//!
//! Numbers are printed as in JSON. A JSON null becomes an empty cell.

use std::io::{self, Write};

use super::names::UsedNames;
use crate::{
    clip::Value,
    diagnostics::{escape_control_chars, escape_control_chars_in_cell},
};

/// Writes a table, row by row and cell by cell.
pub struct TableWriter<'a, W: ?Sized> {
    out: &'a mut W,
    is_at_start: bool,
    is_verbatim: bool,
    pub(crate) non_finite_count: usize,
}

impl<'a, W: Write + ?Sized> TableWriter<'a, W> {
    /// Creates a writer to `out` that escapes control characters.
    pub fn new(out: &'a mut W) -> Self {
        Self { out, is_at_start: true, is_verbatim: false, non_finite_count: 0 }
    }

    /// Creates a writer to `out` that does not escape strings, so that readers get the original
    /// strings.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn verbatim(out: &'a mut W) -> Self {
        Self { is_verbatim: true, ..Self::new(out) }
    }

    /// Writes the header row. Repeated names get a number.
    pub fn write_header(&mut self, columns: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut used = UsedNames::default();
        for column in columns {
            self.write_string(&used.claim(escape_control_chars(&column).into_owned(), '.'))?;
        }
        self.end_row()
    }

    /// Ends the row.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.is_at_start = true;
        self.out.write_all(b"\n")
    }

    /// Writes a string as a cell. Control characters are escaped, because a table may be printed on
    /// a terminal.
    pub fn write_string(&mut self, text: &str) -> io::Result<()> {
        self.write_separator()?;
        let text = if self.is_verbatim { text.into() } else { escape_control_chars_in_cell(text) };
        if text.contains([',', '"', '\n', '\r']) {
            write!(self.out, "\"{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    /// Writes a cell for each of `texts`.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn write_strings(&mut self, texts: &[&str]) -> io::Result<()> {
        texts.iter().try_for_each(|text| self.write_string(text))
    }

    /// Writes an index as a cell, which is empty for `None`.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn write_index(&mut self, index: Option<usize>) -> io::Result<()> {
        self.write_separator()?;
        index.map_or(Ok(()), |index| write!(self.out, "{index}"))
    }

    /// Writes a cell for each of `numbers`.
    pub fn write_numbers(&mut self, numbers: &[f64]) -> io::Result<()> {
        numbers.iter().try_for_each(|&number| self.write_value(&Value::Number(number)))
    }

    /// Writes a value as one cell. Several components are written as a JSON array.
    pub fn write_value(&mut self, value: &Value) -> io::Result<()> {
        match value {
            Value::Text(text) => self.write_string(text),
            Value::Bools(_) | Value::Integers(_) | Value::Numbers(_) => {
                if let Value::Numbers(numbers) = value {
                    self.non_finite_count +=
                        numbers.iter().filter(|number| !number.is_finite()).count();
                }
                self.write_string(&serde_json::to_string(value)?)
            }
            Value::Null => self.write_separator(),
            Value::Number(number) if !number.is_finite() => {
                self.non_finite_count += 1;
                self.write_separator()
            }
            Value::Bool(_) | Value::Integer(_) | Value::Number(_) => {
                self.write_separator()?;
                Ok(serde_json::to_writer(&mut *self.out, value)?)
            }
        }
    }

    fn write_separator(&mut self) -> io::Result<()> {
        let is_at_start = std::mem::replace(&mut self.is_at_start, false);
        if is_at_start { Ok(()) } else { self.out.write_all(b",") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_cells_are_quoted_where_needed_and_null_is_empty() {
        let mut out = Vec::new();
        let mut table = TableWriter::new(&mut out);
        table.write_strings(&["plain", "a,b", "say \"é\""]).unwrap();
        table.write_numbers(&[0.1, 1e-9, f64::NAN]).unwrap();
        table.write_index(None).unwrap();
        table.end_row().unwrap();
        table.write_index(Some(3)).unwrap();
        table.write_value(&Value::Null).unwrap();
        table.write_value(&Value::Bool(true)).unwrap();
        table.write_value(&Value::from_integers([1, -2].into_iter())).unwrap();
        table.write_value(&Value::Text("a\nb".into())).unwrap();
        table.end_row().unwrap();
        let expected = "plain,\"a,b\",\"say \"\"é\"\"\",0.1,1e-9,,\n3,,true,\"[1,-2]\",\"a\nb\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
