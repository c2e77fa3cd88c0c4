//! Reads JSON lines: each line is an object, and nested members become columns with dotted names.

use std::{collections::HashMap, fmt};

use mutoscope_core::diagnostics::{Diagnostics, SourceLocation};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::header::Lines;
use crate::{
    mapping::TableOptions,
    table::{Column, Table, is_missing, item_names},
};

pub(super) fn read(text: &str, options: &TableOptions, diagnostics: &mut Diagnostics) -> Table {
    let mut table = Table::new("jsonl");
    let mut known = HashMap::new();
    let (mut broken, mut first) = (0, None);
    let mut lines = Lines::new(text);
    for _ in 0..options.skip.unwrap_or(0) {
        lines.next();
    }
    let mut number = lines.line_number;
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() && table.rows < u32::MAX as usize {
            let mut row = Row {
                table: &mut table,
                known: &mut known,
                path: String::new(),
                is_in_list: false,
                missing: &options.missing,
            };
            let mut json = serde_json::Deserializer::from_str(line);
            let read = row.cell().deserialize(&mut json).and_then(|()| json.end());
            if let Err(error) = read {
                broken += 1;
                first.get_or_insert((number, error.to_string()));
            }
            table.rows += 1;
            table.lines.push(number);
        }
        number = lines.line_number;
    }
    if let Some((line, error)) = first {
        let message =
            format!("not a JSON object: {error}; using the cells before it. Such lines: {broken}");
        diagnostics.error(SourceLocation::line(line), message);
    }
    table
}

struct Row<'a> {
    table: &'a mut Table,
    known: &'a mut HashMap<String, usize>,
    path: String,
    is_in_list: bool,
    missing: &'a [String],
}

struct Cell<'r, 'a>(&'r mut Row<'a>);

impl<'a> Row<'a> {
    fn cell(&mut self) -> Cell<'_, 'a> {
        Cell(self)
    }

    fn column_index(&mut self) -> usize {
        if let Some(&column) = self.known.get(&self.path) {
            return column;
        }
        let path = self.path.clone();
        let column = if self.is_in_list { Column::list_item(path) } else { Column::new(path) };
        self.table.columns.push(column);
        self.known.insert(self.path.clone(), self.table.columns.len() - 1);
        self.table.columns.len() - 1
    }

    fn read_member<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        let result = read(self);
        self.path.truncate(length);
        result
    }
}

impl<'de> DeserializeSeed<'de> for Cell<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        let column = self.0.column_index();
        self.0.table.push_bool(column, self.0.table.rows, value);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        let column = self.0.column_index();
        self.0.table.push_integer(column, self.0.table.rows, value);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        let column = self.0.column_index();
        match i64::try_from(value) {
            Ok(value) => self.0.table.push_integer(column, self.0.table.rows, value),
            Err(_) => self.0.table.push_number(column, self.0.table.rows, value as f64),
        }
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        let column = self.0.column_index();
        self.0.table.push_number(column, self.0.table.rows, value);
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        let column = self.0.column_index();
        let text = value.trim();
        if !is_missing(text) && !self.0.missing.iter().any(|missing| missing == text) {
            self.0.table.push_text(column, self.0.table.rows, text);
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.column_index();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        // Read all values first, because the length of the list decides the column names.
        let mut values: Vec<serde_json::Value> = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        let names = item_names(&self.0.path, values.len());
        self.0.is_in_list = true;
        for (index, value) in values.into_iter().enumerate() {
            let number = index.to_string();
            let name = names.get(index).copied().unwrap_or(&number);
            self.0
                .read_member(name, |row| row.cell().deserialize(value))
                .map_err(A::Error::custom)?;
        }
        self.0.is_in_list = false;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.0.read_member(&name, |row| map.next_value_seed(row.cell()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_members_get_dotted_names() {
        let text = "{\"t\":1,\"a\":{\"p\":[1,2,3],\"q_wxyz\":[4,5,6,7]},\"ok\":true,\"n\":null}\n\
                    {\"a\":{\"p\":[9,8,7]},\"t\":1700784960164000001,\"new\":\"x\"}\n{\"t\":2,\n";
        let mut diagnostics = Diagnostics::new();
        let table = read(text, &TableOptions::default(), &mut diagnostics);
        let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let expected = [
            "t",
            "a.p.x",
            "a.p.y",
            "a.p.z",
            "a.q_wxyz.w",
            "a.q_wxyz.x",
            "a.q_wxyz.y",
            "a.q_wxyz.z",
            "ok",
            "n",
            "new",
        ];
        assert_eq!(names, expected);
        assert_eq!(table.columns[0].integer(1), Some(1_700_784_960_164_000_001));
        assert_eq!((table.columns[1].number(1), table.columns[4].number(0)), (9.0, 4.0));
        assert_eq!((table.text(8, 0), table.text(10, 1)), (Some("true"), Some("x")));
        assert_eq!((table.rows, table.columns[0].number(2), diagnostics.len()), (3, 2.0, 1));
    }
}
