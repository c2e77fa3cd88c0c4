//! Results as a table: comma-separated, a line each row, names quoted where they have to be.
//!
//! Numbers are printed as in JSON; where JSON has null the cell is empty.

use std::io::{self, Write};

use super::names::Taken;
use crate::{
    clip::Value,
    diagnostics::{printable, printable_cell},
};

/// Writes rows cell by cell.
pub struct Table<'a, W: ?Sized> {
    out: &'a mut W,
    is_at_start: bool,
    is_verbatim: bool,
    /// How many numbers were left out, as they are not finite.
    pub(crate) left_out: usize,
}

impl<'a, W: Write + ?Sized> Table<'a, W> {
    /// A table that goes to `out`.
    pub fn new(out: &'a mut W) -> Self {
        Self { out, is_at_start: true, is_verbatim: false, left_out: 0 }
    }

    /// The same with every text as it is, to be read back.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn verbatim(out: &'a mut W) -> Self {
        Self { is_verbatim: true, ..Self::new(out) }
    }

    /// The row of the columns' names, each once: those that repeat get a number.
    pub fn head(&mut self, columns: impl IntoIterator<Item = String>) -> io::Result<()> {
        let mut taken = Taken::default();
        for column in columns {
            self.text(&taken.take(printable(&column).into_owned(), '.'))?;
        }
        self.end_row()
    }

    /// Ends the row.
    pub fn end_row(&mut self) -> io::Result<()> {
        self.is_at_start = true;
        self.out.write_all(b"\n")
    }

    /// A cell of text. Control characters are escaped: a table may be printed on a terminal.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.separate()?;
        let text = if self.is_verbatim { text.into() } else { printable_cell(text) };
        if text.contains([',', '"', '\n', '\r']) {
            write!(self.out, "\"{}\"", text.replace('"', "\"\""))
        } else {
            self.out.write_all(text.as_bytes())
        }
    }

    /// A cell for each of these texts.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn texts(&mut self, texts: &[&str]) -> io::Result<()> {
        texts.iter().try_for_each(|text| self.text(text))
    }

    /// A cell for an index, empty for none.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "for the command line"))]
    pub fn index(&mut self, index: Option<usize>) -> io::Result<()> {
        self.separate()?;
        index.map_or(Ok(()), |index| write!(self.out, "{index}"))
    }

    /// A cell for each of these numbers.
    pub fn numbers(&mut self, numbers: &[f64]) -> io::Result<()> {
        numbers.iter().try_for_each(|&number| self.value(&Value::Number(number)))
    }

    /// A cell for a value; one of several components as in JSON.
    pub fn value(&mut self, value: &Value) -> io::Result<()> {
        match value {
            Value::Text(text) => self.text(text),
            Value::Bools(_) | Value::Integers(_) | Value::Numbers(_) => {
                if let Value::Numbers(numbers) = value {
                    self.left_out += numbers.iter().filter(|number| !number.is_finite()).count();
                }
                self.text(&serde_json::to_string(value)?)
            }
            Value::Null => self.separate(),
            Value::Number(number) if !number.is_finite() => {
                self.left_out += 1;
                self.separate()
            }
            Value::Bool(_) | Value::Integer(_) | Value::Number(_) => {
                self.separate()?;
                Ok(serde_json::to_writer(&mut *self.out, value)?)
            }
        }
    }

    fn separate(&mut self) -> io::Result<()> {
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
        let mut table = Table::new(&mut out);
        table.texts(&["plain", "a,b", "say \"é\""]).unwrap();
        table.numbers(&[0.1, 1e-9, f64::NAN]).unwrap();
        table.index(None).unwrap();
        table.end_row().unwrap();
        table.index(Some(3)).unwrap();
        table.value(&Value::Null).unwrap();
        table.value(&Value::Bool(true)).unwrap();
        table.value(&Value::of_integers([1, -2].into_iter())).unwrap();
        table.value(&Value::Text("a\nb".into())).unwrap();
        table.end_row().unwrap();
        let expected = "plain,\"a,b\",\"say \"\"é\"\"\",0.1,1e-9,,\n3,,true,\"[1,-2]\",\"a\nb\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
