//! Reads JSON: each object is a row, and nested members become columns with dotted names. The objects
//! are lines, follow each other, or are the items of an array.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fmt,
    ops::Range,
};

use mutoscope_core::diagnostics::{
    Diagnostics, Error, SourceLocation, describe_json_syntax_error, format_count,
};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::header::Lines;
use crate::{
    codes,
    mapping::TableOptions,
    table::{Column, MAX_LIST_ITEMS, Table, is_missing, item_names},
};

/// Returns `true` if the text begins with an object or an array of objects, or if at least half of
/// the first lines are objects. The first line may be broken, or a title.
pub(super) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('{') || is_array_of_objects(text) || has_lines_of_objects(text)
}

fn is_array_of_objects(text: &str) -> bool {
    text.strip_prefix('[').is_some_and(|items| items.trim_start().starts_with('{'))
}

fn has_lines_of_objects(text: &str) -> bool {
    const MAX_LINES: usize = 8;
    let is_object = |line: &str| {
        let inner = line.trim().strip_prefix('{').and_then(|line| line.strip_suffix('}'));
        inner.is_some_and(|inner| inner.trim_start().starts_with('"'))
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(MAX_LINES);
    let objects = lines().filter(|line| is_object(line)).count();
    let count = lines().count();
    let is_first = lines().next().is_some_and(is_object);
    count > 1 && objects > 0 && (is_first || 2 * objects >= count)
}

/// Reads the objects. Objects that are broken are skipped.
///
/// # Errors
/// If no object is whole.
pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let mut lines = Lines::new(text);
    for _ in 0..options.skip.unwrap_or(0) {
        lines.next();
    }
    let has_lines = has_lines_of_objects(&text[lines.offset..]);
    let is_one_line = text.starts_with('{') && text.trim_end().lines().nth(1).is_none();
    let mut table = Table::new(if has_lines || is_one_line { "jsonl" } else { "json" });
    let mut row = RowState::default();
    let mut first_broken = None;
    let mut add_row = |line: u32, object: &str| {
        if object.trim().is_empty() || table.rows >= u32::MAX as usize {
            return;
        }
        match read_object(object, &mut table, &mut row, &options.missing) {
            Ok(()) => {
                table.rows += 1;
                table.lines.push(line);
            }
            Err((expected, found)) => {
                table.drop_cells(table.rows, &row.columns);
                table.broken_lines += 1;
                first_broken.get_or_insert((line, expected, found));
            }
        }
    };
    if has_lines {
        let mut line_number = lines.line_number;
        while let Some(line) = lines.next() {
            add_row(line_number, line);
            line_number = lines.line_number;
        }
    } else {
        let objects = Objects { text, at: lines.offset, line: lines.line_number };
        let (objects, name) = objects.or_items_of_only_object();
        if let Some(name) = name {
            let message = format!("the rows are the items of {name:?}; nothing else is read");
            diagnostics.info(
                codes::table::ROWS_IN_MEMBER,
                SourceLocation::line(objects.line),
                message,
            );
        }
        objects.for_each(|(line, object)| add_row(line, object));
    }
    drop_empty_parents(&mut table);
    if let Some((path, length)) = row.long_list {
        let message = format!(
            "the column {path:?} has a list of {}; only the first {MAX_LIST_ITEMS} of each list are used",
            format_count(length, "item")
        );
        diagnostics
            .warning(codes::table::LONG_LIST, SourceLocation::File, message)
            .with("count", length);
    }
    if let Some((line, expected, found)) = first_broken {
        let what = if has_lines { "line" } else { "object" };
        let location = SourceLocation::line(line);
        if table.rows == 0 {
            return Err(Error::malformed(location, expected, found));
        }
        let count = match table.broken_lines {
            1 => format!("this {what} is"),
            count => format!("{} like this are", format_count(count, what)),
        };
        let message = format!("expected {expected}, found {found}; {count} skipped");
        diagnostics
            .error(codes::table::BROKEN_ROWS, location, message)
            .with("count", table.broken_lines);
    }
    Ok(table)
}

/// Removes the columns of members that are `null` in some rows and a list or an object in others,
/// because their items have columns.
fn drop_empty_parents(table: &mut Table) {
    let parents: HashSet<String> = table
        .columns
        .iter()
        .filter(|column| !column.is_empty())
        .flat_map(|column| {
            column.name.match_indices('.').map(|(at, _)| column.name[..at].to_owned())
        })
        .collect();
    table.columns.retain(|column| !column.is_empty() || !parents.contains(&column.name));
}

/// Objects that follow each other, with or without commas and the brackets of an array.
struct Objects<'a> {
    text: &'a str,
    at: usize,
    /// The line number at `at`.
    line: u32,
}

impl<'a> Iterator for Objects<'a> {
    type Item = (u32, &'a str);

    fn next(&mut self) -> Option<(u32, &'a str)> {
        let is_between = |it: char| it.is_whitespace() || matches!(it, ',' | '[' | ']');
        let rest = &self.text[self.at..];
        self.advance(rest.len() - rest.trim_start_matches(is_between).len());
        let rest = &self.text[self.at..];
        let length = match rest.starts_with('{') {
            true => bracket_end(rest),
            false => rest.find([',', '\n', '{', ']']),
        };
        let object = &rest[..length.unwrap_or(rest.len())];
        let line = self.line;
        self.advance(object.len());
        (!object.is_empty()).then_some((line, object))
    }
}

impl<'a> Objects<'a> {
    fn advance(&mut self, bytes: usize) {
        let skipped = &self.text[self.at..self.at + bytes];
        let breaks = skipped.bytes().filter(|byte| *byte == b'\n').count();
        self.line = self.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        self.at += bytes;
    }

    /// If the text is a single object with an array of objects, returns the items of the longest
    /// such array, and its name. The array is not an item of another array, and its items have
    /// times.
    fn or_items_of_only_object(self) -> (Self, Option<String>) {
        let start = self.text[self.at..].trim_start();
        let end = bracket_end(start).unwrap_or(start.len());
        if !start.starts_with('{') || !start[end..].trim().is_empty() {
            return (self, None);
        }
        let offset = self.text.len() - start.len();
        match find_longest_array(&start[..end]) {
            Some((name, array)) if has_time(&start[array.clone()]) => {
                let mut items = Objects {
                    text: &self.text[..offset + array.end],
                    at: self.at,
                    line: self.line,
                };
                items.advance(offset + array.start - self.at);
                (items, Some(name))
            }
            _ => (self, None),
        }
    }
}

/// Returns `true` if the first object of an array has a member that is called like a time.
fn has_time(array: &str) -> bool {
    let Some(start) = array.find('{') else { return false };
    let end = bracket_end(&array[start..]).map_or(array.len(), |end| start + end);
    let mut names = array[start..end].split('"').skip(1).step_by(2);
    names.any(|name| {
        let words = crate::names::lowercase_words(name);
        words.iter().any(|word| word == "frame" || crate::names::is_time_word(word))
    })
}

/// Returns the length of the value in brackets at the start of `text`, or `None` if a bracket is
/// missing.
fn bracket_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in structural_bytes(text) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Returns the bytes outside of strings, and the quotes around strings, with their offsets.
fn structural_bytes(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut is_in_string, mut is_escaped) = (false, false);
    text.bytes().enumerate().filter(move |(_, byte)| {
        if is_in_string {
            let is_end = *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
            is_in_string = !is_end;
            return is_end;
        }
        is_in_string = *byte == b'"';
        true
    })
}

/// Returns the name and the byte range of the longest array of objects in an object. Returns `None`
/// if the array is nested deeply, or if another array is similarly long, because the array is then
/// only a part of the data.
fn find_longest_array(object: &str) -> Option<(String, Range<usize>)> {
    // The names of the members that are open, and the last string.
    let (mut path, mut name): (Vec<&str>, &str) = (Vec::new(), "");
    let mut quote = None;
    let mut arrays = 0_usize;
    let mut array = (0, String::new());
    const MAX_DEPTH: usize = 2;
    let mut found: Vec<(usize, String, Range<usize>)> = Vec::new();
    let mut close = |depth: usize, (start, name): &(usize, String), end: usize| {
        if is_array_of_objects(&object[*start..]) {
            found.push((depth, name.clone(), *start..end));
        }
    };
    for (at, byte) in structural_bytes(object) {
        match byte {
            b'"' => match quote.take() {
                Some(start) if arrays == 0 => name = &object[start + 1..at],
                Some(_) => {}
                None => quote = Some(at),
            },
            b'[' => {
                if arrays == 0 {
                    let members = path.iter().skip(1).copied().chain([name]);
                    array = (at, members.collect::<Vec<_>>().join("."));
                }
                arrays += 1;
            }
            b']' if arrays > 0 => {
                arrays -= 1;
                if arrays == 0 {
                    close(path.len(), &array, at);
                }
            }
            b'{' if arrays == 0 => path.push(name),
            b'}' if arrays == 0 => {
                path.pop();
            }
            _ => {}
        }
    }
    if arrays > 0 {
        close(path.len(), &array, object.len());
    }
    found.sort_by_key(|(.., range)| std::cmp::Reverse(range.len()));
    let mut found = found.into_iter();
    let (_, name, range) = found.next().filter(|(depth, ..)| *depth <= MAX_DEPTH)?;
    let has_rival = found.next().is_some_and(|(.., other)| 2 * other.len() > range.len());
    (!has_rival).then_some((name, range))
}

/// Adds the cells of an object to the table. Returns what was expected and found if it is not
/// whole. The columns of `state` then have cells that are not valid.
fn read_object(
    object: &str,
    table: &mut Table,
    state: &mut RowState,
    missing: &[String],
) -> Result<(), (String, String)> {
    state.columns.clear();
    let mut text = Cow::Borrowed(object.trim());
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
        return Err((expected, if error.is_eof() { "the end of it".to_owned() } else { found }));
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
        // Neither a list of lists nor a list of objects has the components of a vector.
        let has_items = values.iter().any(|value| value.is_array() || value.is_object());
        let names = if has_items { &[][..] } else { item_names(&self.0.path, values.len()) };
        if values.len() > MAX_LIST_ITEMS {
            let long_list = &mut self.0.state.long_list;
            long_list.get_or_insert_with(|| (self.0.path.clone(), values.len()));
        }
        let is_in_list = std::mem::replace(&mut self.0.is_in_list, true);
        for (index, value) in values.into_iter().take(MAX_LIST_ITEMS).enumerate() {
            let number = index.to_string();
            let name = names.get(index).copied().unwrap_or(&number);
            self.0
                .read_member(name, |row| row.cell().deserialize(value))
                .map_err(A::Error::custom)?;
        }
        self.0.is_in_list = is_in_list;
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
            ("{\"t\":9,\"a\":{\"x\"", "expected the rest of an object, found the end of it"),
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
                assert!(is_json(&text), "{text}");
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
