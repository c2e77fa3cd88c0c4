//! Writes comma-separated tables: one line per row, with quotes where they are needed.
//!
//! Numbers are printed as in JSON. A JSON null becomes an empty cell. Text that a spreadsheet would
//! evaluate gets an apostrophe: see [`quote_formula`].

use std::{
    borrow::Cow,
    io::{self, Write},
};

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

    /// Creates a writer to `out` that does not escape control characters, so that readers get the
    /// original strings.
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
        let text = quote_formula(&text);
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

/// Returns `text` with an apostrophe before it if a spreadsheet would evaluate `text` as a formula:
/// if it begins with `=`, `+`, `-`, `@`, a tab or a line end, and is not a number.
///
/// Text of this kind that already begins with apostrophes gets one more, so that [`unquote_formula`]
/// always returns the original text.
pub fn quote_formula(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// Returns the text of a cell without the apostrophe that [`quote_formula`] has added.
pub fn unquote_formula(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

fn is_formula(text: &str) -> bool {
    const FIRST_CHARS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];
    let is_number = || text.parse().is_ok_and(f64::is_finite);
    text.trim_start_matches('\'').starts_with(FIRST_CHARS) && !is_number()
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

    #[test]
    fn formulas_are_quoted_and_unquoted() {
        let cases = [
            ("=1+1", "'=1+1"),
            ("@sum", "'@sum"),
            ("+", "'+"),
            ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
            ("\tx", "'\tx"),
            ("'=x", "''=x"),
            ("'-5", "''-5"),
            ("-5", "-5"),
            ("+1e3", "+1e3"),
            ("-inf", "'-inf"),
            ("'quoted'", "'quoted'"),
            ("a=b", "a=b"),
            ("", ""),
        ];
        for (text, cell) in cases {
            assert_eq!((&*quote_formula(text), unquote_formula(cell)), (cell, text));
        }
    }
}
