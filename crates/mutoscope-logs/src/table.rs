//! Tables: columns of cells, whatever container they were read from.

use std::{collections::HashMap, mem, sync::Arc};

use mutoscope_core::clip::{SourceAxes, UniqueNames};

/// A table: columns of cells, with the places of its rows.
///
/// Its memory follows the cells that were read: a column without values takes none.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The version of the container: `csv`, `jsonl`, `parquet`.
    pub version: &'static str,
    /// The columns, in the order of the file.
    pub columns: Vec<Column>,
    /// The number of rows.
    pub rows: usize,
    /// For each row the line of the text that it begins in; empty where there are no lines.
    pub lines: Vec<u32>,
    /// The facts that the file itself states.
    pub declared: Declared,
    /// Numbers at even times of their own, beside the rows.
    pub series: Vec<Series>,
    texts: String,
}

/// Numbers at even times of their own, such as an analog channel: a signal.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The name of the signal.
    pub name: String,
    /// The time of the first number in seconds.
    pub start: f64,
    /// Numbers a second.
    pub rate: f64,
    /// The numbers; NaN where there is none.
    pub values: Vec<f32>,
}

/// The facts that a file states besides its columns.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The length of the unit of positions in metres.
    pub metres_per_unit: Option<f64>,
    /// Where its axes point.
    pub axes: Option<SourceAxes>,
    /// The events that stand beside the rows: times in seconds, and names.
    pub events: Vec<(f64, String)>,
    /// The order of Euler angles: the matrix product from left to right.
    pub euler: Option<String>,
    /// Rows a second.
    pub rate_hz: Option<f64>,
    /// Whether the table is one of our own exports: right, up, back, metres, seconds.
    pub is_own: bool,
    /// The name of the recording.
    pub name: String,
    /// The names and parents of all nodes, in order, where the file lists them.
    pub nodes: Option<Vec<(String, Option<usize>)>>,
    /// The roles of columns, where the format gives them.
    pub roles: HashMap<usize, Role>,
}

/// The role of a column that a format gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The time, in seconds.
    Time,
    /// The component of a property of a node, such as `position.x`.
    Property(String, &'static str),
    /// Not used, with the reason.
    Unused(&'static str),
}

/// A column of cells. A cell is a number, a text, or missing.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Its name, which no other column has.
    pub name: String,
    /// The unit of times that its type states.
    pub time_unit: Option<&'static str>,
    /// Whether it is an item of a list, which the file does not name.
    pub is_of_list: bool,
    numbers: Numbers,
    /// The whole numbers that no double holds, with their rows.
    wide: Vec<(u32, i64)>,
    /// The texts with their rows, as ranges of the texts of the table.
    texts: Vec<(u32, u32, u32)>,
}

/// The numbers of a column. Memory and work follow the numbers that there are, whatever the number of
/// rows.
#[derive(Clone, Debug)]
enum Numbers {
    /// By row, NaN where there is none; shorter than the table where the rest is missing.
    Dense { numbers: Vec<f64>, count: usize },
    /// The rows, and the number of each.
    Sparse { rows: Vec<u32>, numbers: Vec<f64> },
    /// By row, with one for each of these rows; a curve may share them.
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
        /// A column has this many rows for each number at most, or it is sparse.
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
                self.open();
                self.push(row, number);
            }
        }
    }

    /// Lets numbers be added and changed.
    fn open(&mut self) {
        if let Self::Whole(whole) = self {
            *self = Self::Dense { numbers: whole.to_vec(), count: whole.len() };
        }
    }

    /// Adds numbers of successive rows; NaN where there is none.
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

    /// The numbers with their rows.
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

    /// Whether it has a number in this row or a later one.
    fn reaches(&self, row: usize) -> bool {
        match self {
            Self::Dense { numbers, .. } => numbers.len() > row,
            Self::Whole(numbers) => numbers.len() > row,
            Self::Sparse { rows, .. } => rows.last().is_some_and(|last| *last as usize >= row),
        }
    }

    /// Makes these numbers missing.
    fn drop_values(&mut self, missing: &[f64]) {
        self.open();
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

    /// Whether each of as many rows has a number.
    fn are_whole(&self, rows: usize) -> bool {
        match self {
            Self::Whole(numbers) => numbers.len() == rows,
            Self::Dense { numbers, count } => numbers.len() == rows && *count == rows,
            Self::Sparse { .. } => false,
        }
    }

    /// The numbers of all rows, if each of as many has one.
    fn whole(&self, rows: usize) -> Option<Arc<[f64]>> {
        match self {
            Self::Whole(numbers) if numbers.len() == rows => Some(Arc::clone(numbers)),
            Self::Dense { numbers, .. } if self.are_whole(rows) => Some(Arc::from(&numbers[..])),
            _ => None,
        }
    }
}

impl Column {
    /// A column without cells.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A column without cells of the items of a list.
    pub fn of_list(name: impl Into<String>) -> Self {
        Self { is_of_list: true, ..Self::new(name) }
    }

    /// Adds a number to a row behind the last one with a number.
    pub(crate) fn push(&mut self, row: usize, number: f64) {
        if number.is_finite() {
            self.numbers.push(row, number);
        }
    }

    /// Drops its numbers.
    pub(crate) fn drop_numbers(&mut self) {
        self.numbers = Numbers::default();
    }

    /// The number in a row; NaN where there is none.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        self.numbers.get(row)
    }

    /// The whole number in a row, exact.
    pub fn integer(&self, row: usize) -> Option<i64> {
        if let Ok(index) = self.wide.binary_search_by_key(&(row as u32), |(row, _)| *row) {
            return Some(self.wide[index].1);
        }
        let number = self.number(row);
        (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
    }

    /// The numbers with their rows, in order.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, f64)> {
        self.numbers.iter()
    }

    /// Whether any cell has a number.
    pub fn has_numbers(&self) -> bool {
        self.numbers.iter().next().is_some()
    }

    /// Whether any cell has a text.
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Whether no cell has a value.
    pub fn is_empty(&self) -> bool {
        !self.has_texts() && !self.has_numbers()
    }

    /// The number of cells with a text, and the row of the first.
    pub(crate) fn texts_found(&self) -> Option<(usize, usize)> {
        self.texts.first().map(|first| (self.texts.len(), first.0 as usize))
    }

    /// Whether each of as many rows has a number.
    pub(crate) fn has_all(&self, rows: usize) -> bool {
        self.numbers.are_whole(rows)
    }

    /// The numbers of all rows, to be read one after the other, if each of as many has one.
    pub(crate) fn number_slice(&self, rows: usize) -> Option<&[f64]> {
        match &self.numbers {
            Numbers::Whole(numbers) => Some(&numbers[..]),
            Numbers::Dense { numbers, .. } => Some(&numbers[..]),
            Numbers::Sparse { .. } => None,
        }
        .filter(|_| self.has_all(rows))
    }

    /// The numbers of all rows, if each of as many has one.
    pub(crate) fn all_numbers(&self, rows: usize) -> Option<Arc<[f64]>> {
        self.numbers.whole(rows)
    }

    /// Whether its numbers are all whole, and there are any.
    pub(crate) fn is_whole(&self) -> bool {
        let mut numbers = self.numbers().peekable();
        numbers.peek().is_some() && numbers.all(|(_, number)| number.fract() == 0.0)
    }
}

/// Doubles hold all whole numbers up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Table {
    /// An empty table of a container.
    pub fn new(version: &'static str) -> Self {
        Self { version, ..Self::default() }
    }

    /// The text in a row of a column.
    pub fn text(&self, column: usize, row: usize) -> Option<&str> {
        let texts = &self.columns[column].texts;
        let index = texts.binary_search_by_key(&(row as u32), |(row, ..)| *row).ok()?;
        let (_, start, length) = texts[index];
        self.texts.get(start as usize..(start + length) as usize)
    }

    /// All texts of a column with their rows.
    pub fn texts(&self, column: usize) -> impl Iterator<Item = (usize, &str)> {
        self.columns[column].texts.iter().filter_map(|&(row, start, length)| {
            Some((row as usize, self.texts.get(start as usize..(start + length) as usize)?))
        })
    }

    /// The text or the number in a row of a column, as text.
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

    /// The line of a row, if rows have lines.
    pub fn line(&self, row: usize) -> Option<u32> {
        self.lines.get(row).copied()
    }

    /// Adds a number to a row that is not before the last one with a cell in this column.
    #[inline]
    pub fn push_number(&mut self, column: usize, row: usize, number: f64) {
        if number.is_finite() {
            self.columns[column].numbers.push(row, number);
        }
    }

    /// Adds numbers to successive rows from one on that is behind the last with a cell in this column.
    pub fn push_numbers(&mut self, column: usize, row: usize, numbers: &[f64]) {
        self.columns[column].numbers.extend(row, numbers);
    }

    /// Sets the numbers of all rows of a column without cells; all of them are finite.
    pub fn set_numbers(&mut self, column: usize, numbers: Arc<[f64]>) {
        self.columns[column].numbers = Numbers::Whole(numbers);
    }

    /// Adds a whole number to a row.
    pub fn push_integer(&mut self, column: usize, row: usize, integer: i64) {
        self.push_number(column, row, integer as f64);
        if integer.unsigned_abs() > EXACT as u64 {
            self.columns[column].wide.push((row as u32, integer));
        }
    }

    /// Adds a text to a row.
    pub fn push_text(&mut self, column: usize, row: usize, text: &str) {
        let last = self.columns[column].texts.last().copied();
        let is_last = |&(last, start, length): &(u32, u32, u32)| {
            (last as usize) < row
                && self.texts.get(start as usize..(start + length) as usize) == Some(text)
        };
        let (start, length) = match last.filter(is_last) {
            Some((_, start, length)) => (start, length),
            // Beyond 4 GiB of texts there are none.
            None if self.texts.len() + text.len() > u32::MAX as usize => return,
            None => {
                let start = self.texts.len() as u32;
                self.texts.push_str(text);
                (start, text.len() as u32)
            }
        };
        self.columns[column].texts.push((row as u32, start, length));
    }

    /// Adds yes or no to a row.
    pub fn push_bool(&mut self, column: usize, row: usize, is_true: bool) {
        self.push_text(column, row, if is_true { "true" } else { "false" });
    }

    /// Whether no column has a cell in this row, which is the last one.
    pub(crate) fn is_row_empty(&self, row: usize) -> bool {
        self.columns.iter().all(|column| {
            !column.numbers.reaches(row)
                && column.texts.last().is_none_or(|last| (last.0 as usize) < row)
        })
    }

    /// Drops the cells of this row, which is the last one and has texts only.
    pub(crate) fn drop_texts_of(&mut self, row: usize) {
        for column in &mut self.columns {
            column.texts.pop_if(|last| last.0 as usize == row);
        }
    }

    /// Gives each column a name that no other has: repeated ones get a number.
    pub fn name_columns_apart(&mut self) {
        let mut names = UniqueNames::default();
        for (index, column) in self.columns.iter_mut().enumerate() {
            let own = match mem::take(&mut column.name) {
                own if own.is_empty() => format!("column {}", index + 1),
                own => own,
            };
            column.name = names.take(own);
        }
    }

    /// Makes the numbers of columns missing that stand for missing ones.
    pub fn drop_missing(&mut self, missing: &[f64]) {
        if missing.is_empty() {
            return;
        }
        self.columns.iter_mut().for_each(|column| column.numbers.drop_values(missing));
    }
}

/// The names of the items of a list of this length under this name, where they are a vector or a
/// quaternion; none for any other list.
pub fn item_names(name: &str, length: usize) -> &'static [&'static str] {
    let is_w_first = name.to_ascii_lowercase().contains("wxyz");
    match (length, is_w_first) {
        (3, _) => &["x", "y", "z"],
        (4, false) => &["x", "y", "z", "w"],
        (4, true) => &["w", "x", "y", "z"],
        _ => &[],
    }
}

/// Whether a text says yes.
pub(crate) fn is_yes(text: &str) -> bool {
    const NO: [&str; 8] = ["false", "no", "off", "lost", "untracked", "invalid", "f", "n"];
    !NO.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Whether a text stands for a missing value: those that always do.
pub fn is_missing(text: &str) -> bool {
    const WORDS: [&str; 9] = ["", "nan", "na", "n/a", "null", "none", "-", "inf", "infinity"];
    let text = text.strip_prefix(['+', '-']).filter(|rest| !rest.is_empty()).unwrap_or(text);
    text.len() <= 8 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_kept_by_row() {
        let mut table = Table::new("csv");
        table.columns = vec![Column::new("a"), Column::new("a"), Column::new("")];
        table.push_number(0, 2, 1.5);
        table.push_integer(0, 3, 1_700_784_960_164_000_001);
        table.push_text(1, 1, "left");
        table.push_text(1, 2, "left");
        table.rows = 4;
        table.name_columns_apart();
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
    fn memory_follows_the_numbers_rather_than_the_rows() {
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
    fn many_numbers_are_added_as_one_by_one() {
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
    fn words_for_missing_values_are_known() {
        for word in ["", "NaN", "NA", "n/a", "null", "None", "-", "-inf", "+Infinity"] {
            assert!(is_missing(word), "{word}");
        }
        for word in ["0", "lost", "-1"] {
            assert!(!is_missing(word), "{word}");
        }
    }
}
