//! Reads JSON lines: each line is an object, and nested members become columns with dotted names.

use std::{borrow::Cow, collections::HashMap, fmt};

use mutoscope_core::diagnostics::{
    Diagnostics, Error, SourceLocation, describe_json_syntax_error, format_count,
};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::header::Lines;
use crate::{
    mapping::TableOptions,
    table::{Column, MAX_LIST_ITEMS, Table, is_missing, item_names},
};

/// Returns `true` if the first line begins an object, or if at least half of the first lines are
/// objects. The first line may be broken, or a title.
pub(super) fn is_json_lines(text: &str) -> bool {
    const MAX_LINES: usize = 8;
    let is_object = |line: &str| {
        let inner = line.trim().strip_prefix('{').and_then(|line| line.strip_suffix('}'));
        inner.is_some_and(|inner| inner.trim_start().starts_with('"'))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES);
    let (objects, others): (Vec<_>, Vec<_>) = lines.partition(|line| is_object(line));
    text.trim_start().starts_with('{') || !objects.is_empty() && objects.len() >= others.len()
}

/// Reads the objects. Lines that are not whole objects are skipped.
///
/// # Errors
/// If no line is a whole object.
pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let mut table = Table::new("jsonl");
    let mut row = RowState::default();
    let mut first_broken = None;
    let mut lines = Lines::new(text);
    for _ in 0..options.skip.unwrap_or(0) {
        lines.next();
    }
    let mut number = lines.line_number;
    while let Some(line) = lines.next() {
        if !line.trim().is_empty() && table.rows < u32::MAX as usize {
            match read_line(line, &mut table, &mut row, &options.missing) {
                Ok(()) => {
                    table.rows += 1;
                    table.lines.push(number);
                }
                Err((expected, found)) => {
                    table.drop_cells(table.rows, &row.columns);
                    table.broken_lines += 1;
                    first_broken.get_or_insert((number, expected, found));
                }
            }
        }
        number = lines.line_number;
    }
    if let Some((path, length)) = row.long_list {
        let message = format!(
            "the column {path:?} has a list of {}; only the first {MAX_LIST_ITEMS} of each list are used",
            format_count(length, "item")
        );
        diagnostics.warning(SourceLocation::File, message);
    }
    if let Some((line, expected, found)) = first_broken {
        let location = SourceLocation::line(line);
        if table.rows == 0 {
            return Err(Error::malformed(location, expected, found));
        }
        let count = match table.broken_lines {
            1 => "this line is".to_owned(),
            count => format!("{} like this are", format_count(count, "line")),
        };
        let message = format!("expected {expected}, found {found}; {count} skipped");
        diagnostics.error(location, message);
    }
    Ok(table)
}

/// Adds the cells of a line to the table. Returns what was expected and found if the line is not a
/// whole object. The columns of `state` then have cells that are not valid.
fn read_line(
    line: &str,
    table: &mut Table,
    state: &mut RowState,
    missing: &[String],
) -> Result<(), (String, String)> {
    state.columns.clear();
    let mut text = Cow::Borrowed(line.trim());
    if !text.starts_with('{') {
        let first = text.chars().next().unwrap_or_default();
        return Err(("a JSON object".to_owned(), format!("{first:?}")));
    }
    loop {
        let mut row = Row {
            table: &mut *table,
            state: &mut *state,
            path: String::new(),
            is_in_list: false,
            missing,
        };
        let mut json = serde_json::Deserializer::from_str(&text);
        let Err(error) = row.cell().deserialize(&mut json).and_then(|()| json.end()) else {
            return Ok(());
        };
        if let Some(replaced) = replace_missing_numbers(&text) {
            table.drop_cells(table.rows, &state.columns);
            text = Cow::Owned(replaced);
            continue;
        }
        let (expected, found) = describe_json_syntax_error(&error, text.as_bytes());
        return Err((
            expected,
            if error.is_eof() { "the end of the line".to_owned() } else { found },
        ));
    }
}

/// Replaces `NaN`, `Infinity` and `inf`, with or without a sign, by `null`. JSON has no such
/// numbers, but Python and C write them. Returns `None` if the line has none of these words.
fn replace_missing_numbers(line: &str) -> Option<String> {
    let mut replaced = String::new();
    let (mut copied, mut at) = (0, 0);
    let mut is_in_string = false;
    let bytes = line.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => is_in_string = !is_in_string,
            b'\\' => at += 1,
            _ if is_in_string || !byte.is_ascii_alphabetic() => {}
            _ => {
                at += bytes[at..].iter().take_while(|it| it.is_ascii_alphabetic()).count();
                let words = ["nan", "inf", "infinity"];
                if words.iter().any(|word| word.eq_ignore_ascii_case(&line[start..at])) {
                    replaced.push_str(line[copied..start].trim_end_matches(['+', '-']));
                    replaced.push_str("null");
                    copied = at;
                }
            }
        }
    }
    (copied > 0).then(|| replaced + &line[copied..])
}

/// The state that lasts from row to row.
#[derive(Default)]
struct RowState {
    known: HashMap<String, usize>,
    /// The columns in which the current row has cells.
    columns: Vec<usize>,
    /// The name and the length of the first list with more than `MAX_LIST_ITEMS` items.
    long_list: Option<(String, usize)>,
}

struct Row<'a> {
    table: &'a mut Table,
    state: &'a mut RowState,
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
        let column = self.state.known.get(&self.path).copied().unwrap_or_else(|| {
            let path = self.path.clone();
            let column = if self.is_in_list { Column::list_item(path) } else { Column::new(path) };
            self.table.columns.push(column);
            self.state.known.insert(self.path.clone(), self.table.columns.len() - 1);
            self.table.columns.len() - 1
        });
        self.state.columns.push(column);
        column
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
        if values.len() > MAX_LIST_ITEMS {
            let long_list = &mut self.0.state.long_list;
            long_list.get_or_insert_with(|| (self.0.path.clone(), values.len()));
        }
        self.0.is_in_list = true;
        for (index, value) in values.into_iter().take(MAX_LIST_ITEMS).enumerate() {
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
                    {\"a\":{\"p\":[9,8,7]},\"t\":1700784960164000001,\"new\":\"x\"}\n";
        let mut diagnostics = Diagnostics::new();
        let table = read(text, &TableOptions::default(), &mut diagnostics).unwrap();
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
        assert_eq!((table.rows, diagnostics.len()), (2, 0));
    }

    fn read_text(text: &str) -> (Table, Vec<String>) {
        let mut diagnostics = Diagnostics::new();
        let table = read(text, &TableOptions::default(), &mut diagnostics).unwrap();
        let messages = diagnostics.iter();
        let messages = messages.map(|it| format!("{}: {}", it.location, it.message)).collect();
        (table, messages)
    }

    #[test]
    fn broken_lines_are_skipped() {
        let broken = [
            ("{\"t\":9,\"a\":{\"x\"", "expected the rest of an object, found the end of the line"),
            ("{\"t\":9,\"s\":\"b\",\"a\":tru}", "expected true, false or null, found '}'"),
            ("{\"t\":9}{\"t\":10}", "expected JSON, found trailing characters"),
            ("started", "expected a JSON object, found 's'"),
            ("[9, 9]", "expected a JSON object, found '['"),
        ];
        for (line, message) in broken {
            let (one, two) = ("{\"t\":1,\"s\":\"a\"}", "{\"t\":2,\"s\":\"a\"}");
            for (number, text) in [
                (1, format!("{line}\n{one}\n{two}")),
                (2, format!("{one}\r\n{line}\r\n{two}\r\n")),
                (3, format!("{one}\n{two}\n{line}")),
            ] {
                assert!(is_json_lines(&text), "{text}");
                let (table, messages) = read_text(&text);
                let expected = format!("line {number}: {message}; this line is skipped");
                assert_eq!(messages, [expected], "{text}");
                assert_eq!((table.rows, table.broken_lines), (2, 1), "{text}");
                let times: Vec<_> = table.columns[0].numbers().collect();
                assert_eq!(times, [(0, 1.0), (1, 2.0)], "{text}");
                let texts: Vec<_> = (0..2).map(|row| table.text(1, row)).collect();
                assert_eq!(texts, [Some("a"); 2], "{text}");
            }
        }
        let (_, messages) = read_text("{\"t\":1}\n{\n{\n");
        assert!(messages[0].ends_with("; 2 lines like this are skipped"), "{messages:?}");
        assert!(read("{\n", &TableOptions::default(), &mut Diagnostics::new()).is_err());
    }

    #[test]
    fn numbers_that_json_lacks_are_missing() {
        for word in ["NaN", "-NaN", "nan", "Infinity", "-Infinity", "+inf", "-inf", "INF"] {
            let text =
                format!("{{\"t\":1,\"x\":{word},\"p\":[{word},2,{word}],\"s\":\"a\\\"{word}\"}}\n");
            let (table, messages) = read_text(&text);
            assert!(messages.is_empty(), "{messages:?}");
            let number = |column: usize| table.columns[column].number(0);
            assert!(number(1).is_nan() && number(2).is_nan() && number(4).is_nan(), "{word}");
            assert_eq!(
                (number(0), number(3), table.text(5, 0)),
                (1.0, 2.0, Some(&*format!("a\"{word}")))
            );
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let (table, messages) = read_text(&format!("{{\"t\":1,\"a\":[{}0]}}", "0,".repeat(5000)));
        assert_eq!(table.columns.len(), 1 + MAX_LIST_ITEMS);
        assert!(messages[0].contains("\"a\" has a list of 5001 items"), "{messages:?}");
    }
}
