//! Separated values: a header, rows, comments.

use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

use super::{
    cells::CellReader,
    header::{Head, split},
    rows::for_each_row,
    stream_recorder,
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
        delimiter: char::from(head.dialect.delimiter),
        cells,
        vectors: Vec::new(),
        problems: Problems::default(),
    };
    if let Some(comment) = head.comment {
        let names = split(comment, head.dialect.delimiter).map(ToOwned::to_owned).collect();
        rows.header.push(names);
        rows.begin();
    }
    for_each_row(&text[head.start..], head.line, head.dialect, |line, row| rows.add(line, row));
    rows.begin();
    rows.sort_vectors();
    if rows.table.columns.is_empty() {
        return Err(Error::malformed(SourceLocation::line(1), "a header", "no text"));
    }
    rows.problems.report(rows.vectors.len(), notices);
    Ok(rows.table)
}

/// Puts rows into a table.
struct RowReader<'a> {
    table: Table,
    /// The rows of the header, until the first row of values.
    header: Vec<Vec<String>>,
    has_header: bool,
    first_line: u32,
    delimiter: char,
    cells: CellReader<'a>,
    /// For each column of the text the vectors in its cells.
    vectors: Vec<Vectors>,
    problems: Problems,
}

/// The vectors in the cells of a column.
#[derive(Clone, Debug, Default)]
struct Vectors {
    /// The columns of their items; none where there are no vectors.
    items: Vec<usize>,
    /// Whether the name of the column is that of a vector, once it was asked.
    is_named: Option<bool>,
}

impl RowReader<'_> {
    fn add(&mut self, line: u32, row: &[&str]) {
        if !self.table.columns.is_empty() {
            return self.values(line, row);
        }
        let mut row: Vec<&str> = row.iter().map(|cell| cell.trim()).collect();
        // Numbers alone are no header.
        let is_header_number = |cell: &&str| self.cells.number(cell).is_some();
        let has_header = self.has_header
            && !(self.header.is_empty() && row.len() > 1 && row.iter().all(is_header_number));
        if !has_header {
            self.header = vec![match stream_recorder::names(row.len()) {
                Some(names) if self.has_header => names,
                _ => (1..=row.len()).map(|number| number.to_string()).collect(),
            }];
            self.begin();
            return self.values(line, &row);
        }
        let is_header = self.header.is_empty()
            || self.header.len() < HEADER_ROWS && !row.iter().any(|cell| self.cells.is_value(cell));
        if is_header {
            while row.pop_if(|last| last.is_empty()).is_some() {}
            self.header.push(row.into_iter().map(ToOwned::to_owned).collect());
        } else {
            self.begin();
            self.values(line, &row);
        }
    }

    /// Makes the columns of the header.
    fn begin(&mut self) {
        if self.table.columns.is_empty() {
            let names = names(&self.header);
            self.table.columns = names.into_iter().map(Column::new).collect();
            self.table.name_columns_apart();
            self.vectors = vec![Vectors::default(); self.table.columns.len()];
        }
    }

    /// Adds a text that is no number: a vector, whose items get columns of their own, or a text.
    fn text(&mut self, column: usize, row: usize, text: &str) {
        let name = &self.table.columns[column].name;
        let vectors = &mut self.vectors[column];
        let is_named = *vectors.is_named.get_or_insert_with(|| crate::names::is_vector_name(name));
        let Some(numbers) = self.cells.vector(text, is_named) else {
            return self.table.push_text(column, row, text);
        };
        if vectors.items.is_empty() {
            let items = crate::table::item_names(name, numbers.len());
            let name = name.clone();
            for item in 0..numbers.len() {
                let number = item.to_string();
                let item = items.get(item).copied().unwrap_or(&number);
                vectors.items.push(self.table.columns.len());
                self.table.columns.push(Column::of_list(format!("{name}.{item}")));
            }
        }
        if numbers.len() != vectors.items.len() {
            return self.table.push_text(column, row, text);
        }
        for (item, number) in vectors.items.iter().zip(numbers) {
            self.table.push_number(*item, row, number);
        }
    }

    /// Puts the columns of vectors in the place of those that they stood in.
    fn sort_vectors(&mut self) {
        if self.vectors.iter().all(|vectors| vectors.items.is_empty()) {
            return;
        }
        let mut columns: Vec<Option<Column>> =
            std::mem::take(&mut self.table.columns).into_iter().map(Some).collect();
        for (column, Vectors { items, .. }) in self.vectors.iter().enumerate() {
            let own = columns[column].take();
            // A lost vector is a 0 in some logs, which is no number of its own.
            let is_kept = |own: &Column| {
                items.is_empty() || own.has_texts() || own.numbers().any(|(_, it)| it != 0.0)
            };
            self.table.columns.extend(own.filter(is_kept));
            for item in items {
                self.table.columns.extend(columns[*item].take());
            }
        }
        self.table.name_columns_apart();
    }

    /// Adds a cell to a row.
    fn cell(&mut self, cells: &mut RowCells, row: usize, cell: &str) {
        let column = cells.count;
        if column >= self.vectors.len() {
            cells.extra += usize::from(!cell.trim().is_empty());
            return;
        }
        cells.count += 1;
        if let Some(text) = self.cells.add_number(&mut self.table, column, row, cell) {
            cells.repeats += usize::from(cell == self.table.columns[column].name);
            self.text(column, row, text);
        }
    }

    /// Adds cells that are one vector together, or else each by itself.
    fn joined(&mut self, cells: &mut RowCells, row: usize, open: &[&str]) {
        if open.is_empty() {
            return;
        }
        let joined = open.join(self.delimiter.encode_utf8(&mut [0; 4]));
        if open.len() > 1 && self.cells.vector(joined.trim(), false).is_some() {
            return self.cell(cells, row, &joined);
        }
        open.iter().for_each(|cell| self.cell(cells, row, cell));
    }

    fn values(&mut self, line: u32, row: &[&str]) {
        let index = self.table.rows;
        if index >= u32::MAX as usize {
            return;
        }
        let width = self.vectors.len();
        let mut cells = RowCells::default();
        // A vector in brackets, but without quotes, that the separator divides.
        let mut open: Vec<&str> = Vec::new();
        for &cell in row {
            if open.is_empty() && (!begins_vector(cell) || is_closed(cell)) {
                self.cell(&mut cells, index, cell);
                continue;
            }
            open.push(cell);
            if is_closed(cell) {
                self.joined(&mut cells, index, &open);
                open.clear();
            }
        }
        self.joined(&mut cells, index, &open);
        let RowCells { count, extra, repeats } = cells;
        if count == 1 && width > 1 && self.table.is_row_empty(index) {
            return;
        }
        if repeats > 1 && repeats * 2 > count {
            self.table.drop_texts_of(index);
            self.problems.repeated_header.get_or_insert(line);
            return;
        }
        if count < width {
            self.problems.few.add(line, count);
        } else if extra > 0 {
            self.problems.many.add(line, count + extra);
        }
        self.table.rows += 1;
        self.table.lines.push(line.max(self.first_line));
    }
}

/// How many cells of a row were added.
#[derive(Clone, Copy, Debug, Default)]
struct RowCells {
    count: usize,
    /// Cells beyond the columns, and those that repeat the name of their column.
    extra: usize,
    repeats: usize,
}

/// Whether a cell begins as a vector in brackets does.
#[inline]
fn begins_vector(cell: &str) -> bool {
    match cell.as_bytes().first() {
        Some(b'(' | b'[') => true,
        Some(b' ') => cell.trim_start_matches(' ').starts_with(['(', '[']),
        _ => false,
    }
}

/// Whether a vector in brackets is at its end.
fn is_closed(cell: &str) -> bool {
    cell.contains([')', ']'])
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

    #[test]
    fn vectors_in_cells_get_columns() {
        // Quoted, in other brackets, without quotes, and where a lost one is 0.
        let texts = [
            "time,HMDPosition,name\n0,\"(1, 2, 3)\",a\n1,\"(4, 5, 6)\",b\n",
            "time,HMDPosition,name\n0,1 2 3,a\n1,4 5 6,b\n",
            "time,HMDPosition,name\n0,(1,2,3),a\n1,(4, 5, 6),b\n",
            "time;HMDPosition;name\n0;X=1 Y=2 Z=3;a\n1;X=4 Y=5 Z=6;b\n",
        ];
        for text in texts {
            let (table, notices) = read(text);
            let names = ["time", "HMDPosition.x", "HMDPosition.y", "HMDPosition.z", "name"];
            assert_eq!(names_of(&table), names, "{text}");
            assert!(notices.is_empty(), "{text}: {notices:?}");
            assert_eq!((table.columns[2].number(0), table.columns[3].number(1)), (2.0, 6.0));
            assert_eq!(table.text(4, 1), Some("b"));
        }
        let (table, _) = read(",Right Hand,,\nt,Palm,Wrist\n0,0,(1/ 2/ 3)\n1,(7/ 8/ 9),0\n");
        let expected = ["t", "Right Hand_Palm.x", "Right Hand_Palm.y", "Right Hand_Palm.z"];
        assert_eq!(names_of(&table)[..4], expected);
        assert!(table.columns[1].number(0).is_nan() && table.columns[4].number(1).is_nan());
        assert_eq!((table.columns[1].number(1), table.columns[4].number(0)), (7.0, 1.0));
        // A text in brackets is a text.
        let (table, _) = read("t,x,note,other\n0,1,(a,b\n1,2,[c],d\n2,3,(e,f)\n");
        let texts = |row| (table.text(2, row), table.text(3, row));
        assert_eq!(texts(0), (Some("(a"), Some("b")));
        assert_eq!(texts(1), (Some("[c]"), Some("d")));
        assert_eq!(texts(2), (Some("(e"), Some("f)")));
    }

    #[test]
    fn numbers_alone_are_no_header() {
        let (table, notices) = read("0 1 2 3\n0.1 4 5 6\n");
        assert_eq!((names_of(&table), table.rows), (vec!["1", "2", "3", "4"], 2));
        assert!(notices.is_empty());
    }
}
