//! Separated values: a header, rows, comments.

use csv::{ByteRecord, ReaderBuilder};

use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

use super::{
    cells::CellReader,
    header::{Dialect, Head, Lines, split},
};
use crate::{
    mapping::TableOptions,
    table::{Column, Table},
};

/// The rows of a header at most.
const HEADER_ROWS: usize = 8;

/// Reads separated values.
///
/// # Errors
/// If nothing in the text is a header.
pub(super) fn read(
    text: &str,
    options: &TableOptions,
    notices: &mut Notices,
) -> Result<Table, Error> {
    let head = Head::of(text, options);
    let cells = CellReader::new(options, head.dialect.has_decimal_comma);
    let mut rows = RowReader {
        table: Table::new("csv"),
        header: Vec::new(),
        has_header: options.header != Some(false),
        first_line: head.line,
        cells,
        problems: Problems::default(),
    };
    if let Some(comment) = head.comment {
        let names = split(comment, head.dialect.delimiter).map(ToOwned::to_owned).collect();
        rows.header.push(names);
        rows.begin();
    }
    for_each_row(&text[head.start..], head.line, head.dialect, |line, row| rows.add(line, row));
    rows.begin();
    if rows.table.columns.is_empty() {
        return Err(Error::malformed(SourceLocation::line(1), "a header", "no text"));
    }
    rows.problems.report(rows.table.columns.len(), notices);
    Ok(rows.table)
}

/// Calls `each` with the line and the cells of each row; comments and empty lines are skipped.
pub(super) fn for_each_row(
    text: &str,
    first_line: u32,
    dialect: Dialect,
    mut each: impl FnMut(u32, &mut dyn Iterator<Item = &str>),
) {
    if dialect.delimiter == b' ' {
        let mut lines = Lines::new(text);
        let mut number = lines.number;
        while let Some(line) = lines.next() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                each(first_line + number - 1, &mut line.split_ascii_whitespace());
            }
            number = lines.number;
        }
        return;
    }
    let mut reader = ReaderBuilder::new()
        .delimiter(dialect.delimiter)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut record = ByteRecord::new();
    // A reader of bytes in memory without a fixed number of cells has no errors.
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        let line = record.position().map_or(1, |position| position.line());
        let line = u64::from(first_line) + line - 1;
        let mut cells = record.iter().map(|cell| str::from_utf8(cell).unwrap_or_default());
        each(u32::try_from(line).unwrap_or(u32::MAX), &mut cells);
    }
}

/// Puts rows into a table.
struct RowReader<'a> {
    table: Table,
    /// The rows of the header, until the first row of values.
    header: Vec<Vec<String>>,
    has_header: bool,
    first_line: u32,
    cells: CellReader<'a>,
    problems: Problems,
}

impl RowReader<'_> {
    fn add(&mut self, line: u32, row: &mut dyn Iterator<Item = &str>) {
        if !self.table.columns.is_empty() {
            return self.values(line, row);
        }
        let mut row: Vec<String> = row.map(|cell| cell.trim().to_owned()).collect();
        if !self.has_header {
            self.header = vec![(1..=row.len()).map(|number| number.to_string()).collect()];
            self.begin();
            return self.values(line, &mut row.iter().map(String::as_str));
        }
        let is_header = self.header.is_empty()
            || self.header.len() < HEADER_ROWS && !row.iter().any(|cell| self.cells.is_value(cell));
        if is_header {
            while row.last().is_some_and(String::is_empty) {
                row.pop();
            }
            self.header.push(row);
        } else {
            self.begin();
            self.values(line, &mut row.iter().map(String::as_str));
        }
    }

    /// Makes the columns of the header.
    fn begin(&mut self) {
        if self.table.columns.is_empty() {
            let names = names(&self.header);
            self.table.columns = names.into_iter().map(Column::new).collect();
            self.table.name_columns_apart();
        }
    }

    fn values(&mut self, line: u32, row: &mut dyn Iterator<Item = &str>) {
        let index = self.table.rows;
        if index >= u32::MAX as usize {
            return;
        }
        let (mut count, mut extra, mut repeats) = (0, 0, 0);
        for cell in row {
            if count < self.table.columns.len() {
                if cell == self.table.columns[count].name {
                    repeats += 1;
                }
                self.cells.add(&mut self.table, count, index, cell);
                count += 1;
            } else if !cell.trim().is_empty() {
                extra += 1;
            }
        }
        if count == 1 && self.table.columns.len() > 1 && self.table.is_row_empty(index) {
            return;
        }
        if repeats > 1 && repeats * 2 > count {
            self.table.drop_texts_of(index);
            self.problems.repeated_header.get_or_insert(line);
            return;
        }
        if count < self.table.columns.len() {
            self.problems.few.add(line, count);
        } else if extra > 0 {
            self.problems.many.add(line, count + extra);
        }
        self.table.rows += 1;
        self.table.lines.push(line.max(self.first_line));
    }
}

/// The names of the columns: one for each, from all rows of the header.
fn names(header: &[Vec<String>]) -> Vec<String> {
    let mut rows: Vec<&Vec<String>> = Vec::new();
    for row in header {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    if let [only] = rows[..] {
        return only.clone();
    }
    let (last, groups) = rows.split_last().map_or((None, &[][..]), |(last, it)| (Some(*last), it));
    let is_units = last.is_some_and(|row| {
        let mut words = row.iter().filter(|cell| !cell.is_empty());
        words.all(|word| crate::names::is_unit(word.trim_matches(['[', ']', '(', ')'])))
    });
    let mut names = vec![String::new(); width];
    for (depth, row) in groups.iter().enumerate() {
        // The name of a group stands above its first column.
        let is_group = depth + 1 < groups.len() || !is_units;
        let mut current = "";
        for (column, name) in names.iter_mut().enumerate() {
            let cell = row.get(column).map_or("", String::as_str);
            if !cell.is_empty() || !is_group {
                current = cell;
            }
            if !current.is_empty() {
                if !name.is_empty() {
                    name.push('_');
                }
                name.push_str(current);
            }
        }
    }
    for (column, name) in names.iter_mut().enumerate() {
        match last.and_then(|row| row.get(column)).filter(|cell| !cell.is_empty()) {
            Some(unit) if is_units => *name = format!("{name} [{}]", unit.trim_matches(['[', ']'])),
            Some(cell) if name.is_empty() => name.clone_from(cell),
            Some(cell) => *name = format!("{name}_{cell}"),
            None => {}
        }
    }
    names
}

/// Rows with another number of cells than there are columns.
#[derive(Default)]
struct Uneven {
    count: usize,
    /// The line of the first, and its number of cells.
    first: Option<(u32, usize)>,
}

impl Uneven {
    fn add(&mut self, line: u32, cells: usize) {
        self.count += 1;
        self.first.get_or_insert((line, cells));
    }
}

#[derive(Default)]
struct Problems {
    few: Uneven,
    many: Uneven,
    repeated_header: Option<u32>,
}

impl Problems {
    fn report(&self, columns: usize, notices: &mut Notices) {
        for (uneven, outcome) in
            [(&self.few, "the rest is missing"), (&self.many, "the rest is skipped")]
        {
            if let Some((line, found)) = uneven.first {
                let message = format!(
                    "expected {columns} cells in each row, found {found}; {outcome}. Such rows: {}",
                    uneven.count
                );
                notices.warning(SourceLocation::line(line), message);
            }
        }
        if let Some(line) = self.repeated_header {
            notices.warning(SourceLocation::line(line), "the header is repeated; skipped");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Table, Notices) {
        let mut notices = Notices::new();
        (super::read(text, &TableOptions::default(), &mut notices).unwrap(), notices)
    }

    fn names_of(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn separators_and_decimal_commas_are_found() {
        for text in
            ["t,a x\n1,2.5\n", "t;a x\n1;2,5\n", "t\ta x\n1\t2.5\n", "# c\nt\ta x\n1\t2,5\n"]
        {
            let (table, notices) = read(text);
            assert_eq!(names_of(&table), ["t", "a x"], "{text}");
            assert_eq!((table.columns[1].number(0), table.rows), (2.5, 1), "{text}");
            assert!(notices.is_empty());
        }
        let (table, _) = read("t  x   y\n 1  2 \t 3\n");
        assert_eq!((names_of(&table), table.columns[2].number(0)), (vec!["t", "x", "y"], 3.0));
    }

    #[test]
    fn comments_may_be_the_header() {
        let (table, _) = read("# a log\n#t [ns], x [m]\n1,2\n# more\n3,4\n");
        assert_eq!(names_of(&table), ["t [ns]", "x [m]"]);
        assert_eq!((table.rows, table.lines[0]), (2, 3));
    }

    #[test]
    fn several_rows_of_a_header_are_joined() {
        let (table, _) = read("time,Right Hand,,,Left Hand\n,Tip x,Tip y,Tip z,Tip x\n0,1,2,3,4\n");
        assert_eq!(names_of(&table)[1..3], ["Right Hand_Tip x", "Right Hand_Tip y"]);
        assert_eq!(names_of(&table)[4], "Left Hand_Tip x");
        let (table, _) = read("time,x\ns,mm\n0,1\n");
        assert_eq!(names_of(&table), ["time [s]", "x [mm]"]);
        let (table, notices) = read("time,x\n0,1\ntime,x\n2,3\n");
        assert_eq!((table.rows, notices.len()), (2, 1), "{notices:?}");
        assert_eq!(table.columns[1].number(1), 3.0);
    }

    #[test]
    fn rows_of_other_lengths_are_told() {
        let (table, notices) = read("t,x,y\n1,2\n1,2,3,4\n1,2,3,,\n");
        assert_eq!((table.rows, notices.len()), (3, 2));
        assert!(notices.iter().all(|notice| notice.message.contains("cells")), "{notices:?}");
    }
}
