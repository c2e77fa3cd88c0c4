//! Tables of cells in columns, independent of the container that they were read from.

use std::{collections::HashMap, mem, sync::Arc};

use mutoscope_core::{
    clip::{SourceAxes, UniqueNames},
    diagnostics::SourceLocation,
};

/// A table: columns of cells, and the source line of each row.
///
/// Memory grows with the number of cells that have a value, so a column without values takes none.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The kind of container, such as `csv`, `jsonl` or `parquet`.
    pub version: &'static str,
    /// The columns, in the order of the file.
    pub columns: Vec<Column>,
    /// The number of rows.
    pub rows: usize,
    /// The line of the text at which each row begins. Empty if the container has no lines.
    pub lines: Vec<u32>,
    /// The number of lines that were skipped because they are broken.
    pub broken_lines: usize,
    /// The first lines of the text. Empty if the container has no lines.
    pub(crate) first_lines: Vec<String>,
    /// The facts that the file states.
    pub declared: Declared,
    /// Numbers that are sampled at a rate of their own, independent of the rows.
    pub series: Vec<Series>,
    texts: String,
}

/// Numbers that are sampled at a rate of their own, such as an analog channel. A series becomes a
/// signal.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The name of the signal.
    pub name: String,
    /// The time of the first number in seconds.
    pub start: f64,
    /// The sampling rate in Hz.
    pub rate: f64,
    /// The numbers. NaN is a missing number.
    pub values: Vec<f32>,
}

/// Facts that a file states outside its columns.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The metres in one unit of the positions.
    pub metres_per_unit: Option<f64>,
    /// The directions of x, y and z.
    pub axes: Option<SourceAxes>,
    /// Events that are stored separately from the rows: times in seconds, and names.
    pub events: Vec<(f64, String)>,
    /// The order of Euler angles, as a matrix product from left to right.
    pub euler: Option<String>,
    /// The meaning of rotation vectors if the program can also export Euler angles in these columns.
    pub assumed_angles: Option<AssumedAngles>,
    /// The frame rate in Hz.
    pub rate_hz: Option<f64>,
    /// `true` for one of our own exports, whose axes are right, up, back and whose units are metres
    /// and seconds.
    pub is_own: bool,
    /// The name of the recording.
    pub name: String,
    /// The nodes that the file lists.
    pub nodes: Vec<DeclaredNode>,
    /// The roles of columns, if the format defines them.
    pub roles: HashMap<usize, Role>,
}

/// The meaning of three angles that a file does not state.
#[derive(Clone, Copy, Debug)]
pub struct AssumedAngles {
    /// The order of Euler angles such as `XYZ`, or `vector`.
    pub value: &'static str,
    /// The reason.
    pub why: &'static str,
}

/// Facts that a file states about a node.
#[derive(Clone, Debug, Default)]
pub struct DeclaredNode {
    /// The name.
    pub name: String,
    /// The index of the parent in the list of nodes. The pose is relative to the parent.
    pub parent: Option<usize>,
    /// The index of the node where the bone of this node begins, if it is not the parent.
    pub bone_from: Option<usize>,
    /// The metres in one unit of the position. `None` if the unit of the table applies.
    pub metres_per_unit: Option<f64>,
    /// The radians in one unit of angle.
    pub radians_per_unit: Option<f64>,
}

/// The role that a format gives to a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The time, in seconds.
    Time,
    /// The number of the frame, which determines the time. The first frame is at 0 s.
    Frame {
        /// The number of the frame at 0 s.
        first: i64,
    },
    /// A component of a node's property: the node, and for example `position.x`.
    Property(String, &'static str),
    /// A column that is not used, with the reason.
    Unused(&'static str),
}

/// The properties of a position and a rotation, as a [`Role`] names them.
pub(crate) const POSE_PROPERTIES: [&str; 7] = [
    "position.x",
    "position.y",
    "position.z",
    "rotation.x",
    "rotation.y",
    "rotation.z",
    "rotation.w",
];

/// A column of cells. A cell is a number, a string or missing.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// The name, which is unique in the table.
    pub name: String,
    /// The time unit that the column's type states.
    pub time_unit: Option<&'static str>,
    /// The name of the column's type if the values of this type are not read.
    pub unread_type: Option<String>,
    /// `true` if the column holds an item of a list. The file does not name such items.
    pub is_list_item: bool,
    numbers: Numbers,
    wide_integers: Vec<(u32, i64)>,
    /// The row, the start and the length of each string in the table's `texts`.
    texts: Vec<(u32, u32, u32)>,
}

/// The numbers of a column. Memory and time grow with the count of numbers, not with the count of
/// rows.
#[derive(Clone, Debug)]
enum Numbers {
    /// One number for each row, with NaN for missing numbers. The vector ends after the last
    /// number.
    Dense { numbers: Vec<f64>, count: usize },
    /// The rows that have a number, and the numbers.
    Sparse { rows: Vec<u32>, numbers: Vec<f64> },
    /// A number for every row, in memory that a curve can share.
    Whole(Arc<[f64]>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Dense { numbers: Vec::new(), count: 0 }
    }
}

impl Numbers {
    #[inline]
    fn get(&self, row: usize) -> f64 {
        match self {
            Self::Dense { numbers, .. } => numbers.get(row).copied().unwrap_or(f64::NAN),
            Self::Whole(numbers) => numbers.get(row).copied().unwrap_or(f64::NAN),
            Self::Sparse { rows, numbers } => {
                rows.binary_search(&(row as u32)).map_or(f64::NAN, |index| numbers[index])
            }
        }
    }

    #[inline]
    fn push(&mut self, row: usize, number: f64) {
        /// The maximum number of rows for each number in a dense column. A column with fewer
        /// numbers becomes sparse.
        const ROWS_PER_NUMBER: usize = 8;
        match self {
            Self::Dense { numbers, count } if row <= (*count + 1) * ROWS_PER_NUMBER => {
                if numbers.len() < row {
                    numbers.resize(row, f64::NAN);
                }
                if numbers.len() == row {
                    numbers.push(number);
                    *count += 1;
                }
            }
            Self::Dense { numbers, .. } => {
                let found = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan());
                let (mut rows, mut values): (Vec<u32>, Vec<f64>) =
                    found.map(|(row, number)| (row as u32, *number)).unzip();
                rows.push(row as u32);
                values.push(number);
                *self = Self::Sparse { rows, numbers: values };
            }
            Self::Sparse { rows, numbers } => {
                if rows.last().is_none_or(|last| (*last as usize) < row) {
                    rows.push(row as u32);
                    numbers.push(number);
                }
            }
            Self::Whole(_) => {
                self.make_mutable();
                self.push(row, number);
            }
        }
    }

    fn make_mutable(&mut self) {
        if let Self::Whole(whole) = self {
            *self = Self::Dense { numbers: whole.to_vec(), count: whole.len() };
        }
    }

    /// Adds numbers from `row` on. Numbers that are not finite become NaN, which means missing.
    fn extend(&mut self, row: usize, more: &[f64]) {
        match self {
            Self::Dense { numbers, count } if numbers.len() == row => {
                let finite = |number: &f64| if number.is_finite() { *number } else { f64::NAN };
                numbers.extend(more.iter().map(finite));
                *count += more.iter().filter(|number| number.is_finite()).count();
            }
            _ => {
                for (index, number) in more.iter().enumerate().filter(|(_, it)| it.is_finite()) {
                    self.push(row + index, *number);
                }
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        let (rows, numbers) = match self {
            Self::Dense { numbers, .. } => (None, &numbers[..]),
            Self::Whole(numbers) => (None, &numbers[..]),
            Self::Sparse { rows, numbers } => (Some(rows), &numbers[..]),
        };
        let with_row = move |(index, number): (usize, &f64)| {
            (rows.map_or(index, |rows| rows[index] as usize), *number)
        };
        numbers.iter().enumerate().map(with_row).filter(|(_, number)| !number.is_nan())
    }

    /// Removes the number of `row` if the row has one, which is then the last.
    fn drop_last(&mut self, row: usize) {
        self.make_mutable();
        match self {
            Self::Dense { numbers, count } if numbers.len() == row + 1 => {
                numbers.pop();
                *count -= 1;
            }
            Self::Sparse { rows, numbers } if rows.last() == Some(&(row as u32)) => {
                rows.pop();
                numbers.pop();
            }
            _ => {}
        }
    }

    fn reaches_row(&self, row: usize) -> bool {
        match self {
            Self::Dense { numbers, .. } => numbers.len() > row,
            Self::Whole(numbers) => numbers.len() > row,
            Self::Sparse { rows, .. } => rows.last().is_some_and(|last| *last as usize >= row),
        }
    }

    fn remove_values(&mut self, missing: &[f64]) {
        self.make_mutable();
        let mut dropped = 0;
        if let Self::Dense { numbers, .. } | Self::Sparse { numbers, .. } = self {
            for number in numbers.iter_mut().filter(|number| missing.contains(number)) {
                *number = f64::NAN;
                dropped += 1;
            }
        }
        if let Self::Dense { count, .. } = self {
            *count -= dropped;
        }
    }

    fn has_all(&self, rows: usize) -> bool {
        match self {
            Self::Whole(numbers) => numbers.len() == rows,
            Self::Dense { numbers, count } => numbers.len() == rows && *count == rows,
            Self::Sparse { .. } => false,
        }
    }

    fn to_shared(&self, rows: usize) -> Option<Arc<[f64]>> {
        match self {
            Self::Whole(numbers) if numbers.len() == rows => Some(Arc::clone(numbers)),
            Self::Dense { numbers, .. } if self.has_all(rows) => Some(Arc::from(&numbers[..])),
            _ => None,
        }
    }
}

impl Column {
    /// Creates an empty column.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Creates an empty column for an item of a list.
    pub fn list_item(name: impl Into<String>) -> Self {
        Self { is_list_item: true, ..Self::new(name) }
    }

    pub(crate) fn push(&mut self, row: usize, number: f64) {
        if number.is_finite() {
            self.numbers.push(row, number);
        }
    }

    /// Returns `true` if no row from `row` on has a value.
    pub(crate) fn is_empty_from(&self, row: usize) -> bool {
        !self.numbers.reaches_row(row)
            && self.texts.last().is_none_or(|last| (last.0 as usize) < row)
    }

    pub(crate) fn drop_numbers(&mut self) {
        self.numbers = Numbers::default();
    }

    /// Returns the number in a row, or NaN if there is none.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        self.numbers.get(row)
    }

    /// Returns the exact integer in a row. `None` if the cell is not an integer.
    pub fn integer(&self, row: usize) -> Option<i64> {
        if let Ok(index) = self.wide_integers.binary_search_by_key(&(row as u32), |(row, _)| *row) {
            return Some(self.wide_integers[index].1);
        }
        let number = self.number(row);
        (number.fract() == 0.0 && number.abs() <= MAX_EXACT_INTEGER).then_some(number as i64)
    }

    /// Returns each row that has a number, with the number, in order.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, f64)> {
        self.numbers.iter()
    }

    /// Returns `true` if any cell has a number.
    pub fn has_numbers(&self) -> bool {
        self.numbers.iter().next().is_some()
    }

    /// Returns `true` if any cell has a string.
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Returns `true` if no cell has a value.
    pub fn is_empty(&self) -> bool {
        !self.has_texts() && !self.has_numbers()
    }

    /// Returns why a column without values has none.
    pub(crate) fn why_empty(&self) -> String {
        match &self.unread_type {
            Some(name) => format!("its type {name} is not read"),
            None => "without values".to_owned(),
        }
    }

    pub(crate) fn count_texts(&self) -> Option<(usize, usize)> {
        self.texts.first().map(|first| (self.texts.len(), first.0 as usize))
    }

    pub(crate) fn has_all_numbers(&self, rows: usize) -> bool {
        self.numbers.has_all(rows)
    }

    pub(crate) fn number_slice(&self, rows: usize) -> Option<&[f64]> {
        match &self.numbers {
            Numbers::Whole(numbers) => Some(&numbers[..]),
            Numbers::Dense { numbers, .. } => Some(&numbers[..]),
            Numbers::Sparse { .. } => None,
        }
        .filter(|_| self.has_all_numbers(rows))
    }

    pub(crate) fn all_numbers(&self, rows: usize) -> Option<Arc<[f64]>> {
        self.numbers.to_shared(rows)
    }

    pub(crate) fn has_integers_only(&self) -> bool {
        let mut numbers = self.numbers().peekable();
        numbers.peek().is_some() && numbers.all(|(_, number)| number.fract() == 0.0)
    }
}

/// 2⁵³. An f64 holds every integer up to this magnitude exactly.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

impl Table {
    /// Creates an empty table of a container.
    pub fn new(version: &'static str) -> Self {
        Self { version, ..Self::default() }
    }

    /// Returns the string in a cell, if any.
    pub fn text(&self, column: usize, row: usize) -> Option<&str> {
        let texts = &self.columns[column].texts;
        let index = match texts.get(row) {
            // If the column has a string in every row, no search is needed.
            Some((own, ..)) if *own == row as u32 => row,
            _ => texts.binary_search_by_key(&(row as u32), |(row, ..)| *row).ok()?,
        };
        let (_, start, length) = texts[index];
        self.texts.get(start as usize..(start + length) as usize)
    }

    /// Returns all strings of a column with their rows.
    pub fn texts(&self, column: usize) -> impl Iterator<Item = (usize, &str)> {
        self.columns[column].texts.iter().filter_map(|&(row, start, length)| {
            Some((row as usize, self.texts.get(start as usize..(start + length) as usize)?))
        })
    }

    /// Returns the string or the number in a cell, as a string.
    pub fn label(&self, column: usize, row: usize) -> Option<String> {
        if let Some(text) = self.text(column, row) {
            return Some(text.to_owned());
        }
        if let Some(integer) = self.columns[column].integer(row) {
            return Some(integer.to_string());
        }
        let number = self.columns[column].number(row);
        (!number.is_nan()).then(|| number.to_string())
    }

    /// Numbers the different labels of a column. Returns the number of each row's label, which is
    /// `u32::MAX` if the cell is empty, and the labels in the order of their first rows.
    pub(crate) fn index_labels(&self, column: usize) -> (Vec<u32>, Vec<String>) {
        let mut of_row = vec![u32::MAX; self.rows];
        let mut labels: Vec<String> = Vec::new();
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut index_of = |label: &str| match known.get(label) {
            Some(index) => *index,
            None => {
                let index = labels.len() as u32;
                labels.push(label.to_owned());
                known.insert(label.to_owned(), index);
                index
            }
        };
        // Format each number once, because a column of times has millions of them.
        let mut known_numbers: HashMap<(Option<i64>, u64), u32> = HashMap::new();
        let mut texts = self.texts(column).peekable();
        for (row, slot) in of_row.iter_mut().enumerate() {
            if let Some((_, text)) = texts.next_if(|(own, _)| *own == row) {
                *slot = index_of(text);
                continue;
            }
            let number = self.columns[column].number(row);
            if number.is_nan() {
                continue;
            }
            let key = (self.columns[column].integer(row), number.to_bits());
            let label = || self.label(column, row).unwrap_or_default();
            *slot = *known_numbers.entry(key).or_insert_with(|| index_of(&label()));
        }
        (of_row, labels)
    }

    /// Returns the line of a row. `None` if the container has no lines.
    pub fn line(&self, row: usize) -> Option<u32> {
        self.lines.get(row).copied()
    }

    /// Returns the location of a row. This is the whole file if the container has no lines.
    pub(crate) fn location(&self, row: usize) -> SourceLocation {
        self.line(row).map_or(SourceLocation::File, SourceLocation::line)
    }

    /// Adds a number to a row after the last row that has a number in this column. A number that is
    /// not finite stays missing.
    #[inline]
    pub fn push_number(&mut self, column: usize, row: usize, number: f64) {
        if number.is_finite() {
            self.columns[column].numbers.push(row, number);
        }
    }

    /// Adds numbers to successive rows, which come after the last row with a number in this column.
    pub fn push_numbers(&mut self, column: usize, row: usize, numbers: &[f64]) {
        self.columns[column].numbers.extend(row, numbers);
    }

    /// Sets the numbers of all rows of an empty column. All numbers must be finite.
    pub fn set_numbers(&mut self, column: usize, numbers: Arc<[f64]>) {
        self.columns[column].numbers = Numbers::Whole(numbers);
    }

    /// Adds an integer to a row.
    pub fn push_integer(&mut self, column: usize, row: usize, integer: i64) {
        self.push_number(column, row, integer as f64);
        if integer.unsigned_abs() > MAX_EXACT_INTEGER as u64 {
            self.columns[column].wide_integers.push((row as u32, integer));
        }
    }

    /// Adds a string to a row.
    pub fn push_text(&mut self, column: usize, row: usize, text: &str) {
        let last = self.columns[column].texts.last().copied();
        let is_last = |&(last, start, length): &(u32, u32, u32)| {
            (last as usize) < row
                && self.texts.get(start as usize..(start + length) as usize) == Some(text)
        };
        let (start, length) = match last.filter(is_last) {
            Some((_, start, length)) => (start, length),
            // Drop strings beyond 4 GiB, because the starts and lengths of strings have 32 bits.
            None if self.texts.len() + text.len() > u32::MAX as usize => return,
            None => {
                let start = self.texts.len() as u32;
                self.texts.push_str(text);
                (start, text.len() as u32)
            }
        };
        self.columns[column].texts.push((row as u32, start, length));
    }

    /// Adds a boolean to a row.
    pub fn push_bool(&mut self, column: usize, row: usize, is_true: bool) {
        self.push_text(column, row, if is_true { "true" } else { "false" });
    }

    /// Adds the rows of a table that has the same columns.
    pub(crate) fn append(&mut self, later: &Self) {
        let first = self.rows;
        for (index, more) in later.columns.iter().enumerate() {
            let column = &mut self.columns[index];
            match &more.numbers {
                Numbers::Dense { numbers, .. } => column.numbers.extend(first, numbers),
                numbers => {
                    numbers.iter().for_each(|(row, it)| column.numbers.push(first + row, it))
                }
            }
            let integers = more.wide_integers.iter();
            column.wide_integers.extend(integers.map(|(row, it)| (first as u32 + row, *it)));
            later.texts(index).for_each(|(row, text)| self.push_text(index, first + row, text));
        }
        self.rows += later.rows;
        self.lines.extend(&later.lines);
    }

    /// Removes the cells of `row`, which must be the last one, from some columns.
    pub(crate) fn drop_cells(&mut self, row: usize, columns: &[usize]) {
        for column in columns {
            let column = &mut self.columns[*column];
            column.numbers.drop_last(row);
            column.wide_integers.pop_if(|(last, _)| *last as usize == row);
            while column.texts.pop_if(|last| last.0 as usize == row).is_some() {}
        }
    }

    /// Makes all column names unique by adding numbers to repeated names.
    pub fn make_column_names_unique(&mut self) {
        let mut names = UniqueNames::default();
        for (index, column) in self.columns.iter_mut().enumerate() {
            let own = match mem::take(&mut column.name) {
                own if own.is_empty() => format!("column {}", index + 1),
                own => own,
            };
            column.name = names.make_unique(own);
        }
    }

    /// Returns a table of some rows, which must be ascending.
    pub(crate) fn select_rows(&self, rows: &[usize]) -> Self {
        let mut selected = Self::new(self.version);
        selected.declared = self.declared.clone();
        selected.rows = rows.len();
        for (index, column) in self.columns.iter().enumerate() {
            selected.columns.push(Column {
                name: column.name.clone(),
                time_unit: column.time_unit,
                unread_type: column.unread_type.clone(),
                is_list_item: column.is_list_item,
                ..Column::default()
            });
            for (row, from) in rows.iter().enumerate() {
                if let Some(text) = self.text(index, *from) {
                    selected.push_text(index, row, text);
                }
                match column.integer(*from) {
                    Some(integer) => selected.push_integer(index, row, integer),
                    None => selected.push_number(index, row, column.number(*from)),
                }
            }
        }
        selected
    }

    /// Removes all numbers in `missing`, which the user declared to be missing values.
    pub fn remove_missing(&mut self, missing: &[f64]) {
        if missing.is_empty() {
            return;
        }
        self.columns.iter_mut().for_each(|column| column.numbers.remove_values(missing));
    }
}

/// Longer lists lose their remaining items, because each item becomes a column.
pub const MAX_LIST_ITEMS: usize = 1024;

/// Returns the names of the items of a vector or a quaternion called `name`. Returns an empty slice
/// for lists of any other length.
pub fn item_names(name: &str, length: usize) -> &'static [&'static str] {
    let is_w_first = name.to_ascii_lowercase().contains("wxyz");
    match (length, is_w_first) {
        (3, _) => &["x", "y", "z"],
        (4, false) => &["x", "y", "z", "w"],
        (4, true) => &["w", "x", "y", "z"],
        _ => &[],
    }
}

/// Formats the first names of a list in quotes, with the number of the others.
pub(crate) fn quote_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MAX_LISTED: usize = 12;
    let mut quoted: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    let others = quoted.len().saturating_sub(MAX_LISTED);
    quoted.truncate(MAX_LISTED);
    if others > 0 {
        quoted.push(format!("{others} more"));
    }
    quoted.join(", ")
}

/// Returns `true` if the string always means a missing value.
pub fn is_missing(text: &str) -> bool {
    const WORDS: [&str; 9] = ["", "nan", "na", "n/a", "null", "none", "-", "inf", "infinity"];
    let text = text.strip_prefix(['+', '-']).filter(|rest| !rest.is_empty()).unwrap_or(text);
    text.len() <= 8 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_cells_by_row() {
        let mut table = Table::new("csv");
        table.columns = vec![Column::new("a"), Column::new("a"), Column::new("")];
        table.push_number(0, 2, 1.5);
        table.push_integer(0, 3, 1_700_784_960_164_000_001);
        table.push_text(1, 1, "left");
        table.push_text(1, 2, "left");
        table.rows = 4;
        table.make_column_names_unique();
        let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a", "a (2)", "column 3"]);
        assert!(table.columns[0].number(0).is_nan() && table.columns[0].number(9).is_nan());
        assert_eq!(table.columns[0].number(2), 1.5);
        assert_eq!(table.columns[0].integer(3), Some(1_700_784_960_164_000_001));
        assert_eq!((table.text(1, 0), table.text(1, 2)), (None, Some("left")));
        assert_eq!(table.texts, "left", "texts that repeat are kept once");
        assert!(table.columns[2].is_empty());
    }

    #[test]
    fn sparse_columns_store_only_their_numbers() {
        let mut table = Table::new("csv");
        table.columns = vec![Column::new("a")];
        for row in [0, 3, 4_000_000_000] {
            table.push_number(0, row, row as f64);
        }
        let found: Vec<_> = table.columns[0].numbers().collect();
        assert_eq!(found, [(0, 0.0), (3, 3.0), (4_000_000_000, 4e9)]);
        assert_eq!(table.columns[0].number(3), 3.0);
        assert!(table.columns[0].number(4).is_nan());
    }

    #[test]
    fn push_numbers_equals_repeated_push_number() {
        let numbers = [1.0, f64::NAN, 3.0, f64::INFINITY, 5.0];
        for start in [0, 2, 100] {
            let mut table = Table::new("parquet");
            table.columns = vec![Column::new("a"), Column::new("b")];
            table.push_numbers(0, start, &numbers);
            table.push_numbers(0, start + 5, &[6.0]);
            let rows = numbers.iter().copied().chain([6.0]).enumerate();
            rows.for_each(|(row, number)| table.push_number(1, start + row, number));
            let [many, single] =
                [0, 1].map(|column| -> Vec<_> { table.columns[column].numbers().collect() });
            assert_eq!(many, single, "from row {start}");
        }
    }

    #[test]
    fn recognises_words_for_missing_values() {
        for word in ["", "NaN", "NA", "n/a", "null", "None", "-", "-inf", "+Infinity"] {
            assert!(is_missing(word), "{word}");
        }
        for word in ["0", "lost", "-1"] {
            assert!(!is_missing(word), "{word}");
        }
    }
}
