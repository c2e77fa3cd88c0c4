//! Reads comma-separated values and similar text, with header rows and comments.

use std::collections::HashSet;

use mutoscope_core::{
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    export::table::unquote_formula,
    io::parallel::map_all_in_order,
};

use super::{
    cells::{CellReader, DecimalMarks},
    header::{Dialect, Head, split_cells},
    hololens,
    rows::{Block, divide_rows, for_each_row},
};
use crate::{
    codes,
    mapping::TableOptions,
    table::{Column, Table},
};

const MAX_HEADER_ROWS: usize = 8;

/// The maximum number of columns of a table that is read on all threads, because each block of rows
/// has its own columns.
const MAX_PARALLEL_COLUMNS: usize = 1 << 14;

pub(super) fn read(
    text: &str,
    options: &TableOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    /// The size of the blocks of rows that threads read.
    const BLOCK_BYTES: usize = 1 << 20;
    read_in_blocks(text, options, BLOCK_BYTES, diagnostics)
}

fn read_in_blocks(
    text: &str,
    options: &TableOptions,
    block_bytes: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let head = Head::detect(text, options);
    let blocks = divide_rows(&text[head.start..], head.line, head.dialect, block_bytes);
    let mut rows = read_rows(&blocks, &head, options, &HashSet::new());
    let mixed = rows.columns_with_unclear_commas();
    if let Some(&column) = mixed.iter().min() {
        let name = &rows.table.columns[column].name;
        let message = format!(
            "commas in the numbers of the column {name:?} may be decimal marks or not; these \
             numbers are read as strings. Set [table] decimal in a mapping file. Such columns: {}",
            mixed.len()
        );
        diagnostics
            .warning(codes::table::UNCLEAR_COMMAS, SourceLocation::File, message)
            .with("count", mixed.len());
        rows = read_rows(&blocks, &head, options, &mixed);
    }
    rows.move_vector_columns();
    if rows.table.columns.is_empty() {
        return Err(Error::malformed(SourceLocation::line(1), "a header", "no text"));
    }
    if let Some((count, line, first)) = head.preamble {
        let message =
            format!("{} above the header skipped, such as {first:?}", format_count(count, "line"));
        diagnostics
            .info(codes::table::LINES_SKIPPED, SourceLocation::line(line), message)
            .with("count", count);
    }
    if head.splits_numbers {
        let message = "the comma is the separator and also the decimal mark; each pair of cells is \
                       read as one number";
        diagnostics.warning(codes::table::COMMA_IS_BOTH, SourceLocation::line(head.line), message);
    }
    let has_points = rows.marks.iter().any(|marks| marks.has_point);
    let may_split_numbers = rows.delimiter == ',' && !has_points && rows.table.rows > 0;
    rows.problems.report(rows.vectors.len(), may_split_numbers, diagnostics);
    Ok(rows.table)
}

fn read_rows<'a>(
    blocks: &[Block<'_>],
    head: &Head<'_>,
    options: &'a TableOptions,
    without_decimal_comma: &HashSet<usize>,
) -> RowReader<'a> {
    let mut rows = RowReader {
        table: Table::new("csv"),
        header: Vec::new(),
        has_header: options.header != Some(false),
        has_row_names: head.has_row_names,
        splits_numbers: head.splits_numbers,
        first_line: head.line,
        delimiter: char::from(head.dialect.delimiter),
        cells: CellReader::new(options, head.dialect.has_decimal_comma),
        is_decimal_stated: options.decimal.is_some(),
        without_decimal_comma: without_decimal_comma.clone(),
        marks: Vec::new(),
        vectors: Vec::new(),
        problems: RowProblems::default(),
    };
    if let Some(comment) = head.comment {
        let names = split_cells(comment, head.dialect.delimiter).map(ToOwned::to_owned).collect();
        rows.header.push(names);
        rows.create_columns();
    }
    rows.read_blocks(blocks, head.dialect);
    rows.create_columns();
    rows
}

#[derive(Clone)]
struct RowReader<'a> {
    table: Table,
    header: Vec<Vec<String>>,
    has_header: bool,
    has_row_names: bool,
    splits_numbers: bool,
    first_line: u32,
    delimiter: char,
    cells: CellReader<'a>,
    is_decimal_stated: bool,
    /// The columns in which a number with a comma is a string.
    without_decimal_comma: HashSet<usize>,
    /// The decimal marks of each column.
    marks: Vec<DecimalMarks>,
    vectors: Vec<VectorColumns>,
    problems: RowProblems,
}

#[derive(Clone, Debug, Default)]
struct VectorColumns {
    /// The indices of the columns for the vector's items. Empty if no cell holds a vector.
    items: Vec<usize>,
    is_named: Option<bool>,
}

impl RowReader<'_> {
    /// Reads the header and the rows of all blocks. The first blocks are read on this thread until
    /// the columns are known. All threads read the other blocks, and this thread joins them in order.
    fn read_blocks(&mut self, blocks: &[Block<'_>], dialect: Dialect) {
        let mut blocks = blocks.iter();
        while self.table.columns.is_empty() || self.table.columns.len() > MAX_PARALLEL_COLUMNS {
            match blocks.next() {
                Some(block) => self.read_block(block, dialect),
                None => return,
            }
        }
        let columns = self.table.columns.len();
        let table = self.table.select_rows(&[]);
        let empty = Self { table, problems: RowProblems::default(), ..self.clone() };
        let blocks = blocks.as_slice();
        let read = |index: usize| {
            let mut part = empty.clone();
            part.read_block(&blocks[index], dialect);
            (index, part)
        };
        map_all_in_order(blocks.len(), read, |(index, part)| {
            // The items of vectors become columns. If a block has the first vector of a column, this
            // block and all later ones are read again, one after the other.
            let has_same_columns =
                [&*self, &part].iter().all(|reader| reader.table.columns.len() == columns);
            if has_same_columns && self.table.rows + part.table.rows < u32::MAX as usize {
                self.append(&part);
            } else {
                self.read_block(&blocks[index], dialect);
            }
        });
    }

    fn read_block(&mut self, block: &Block<'_>, dialect: Dialect) {
        for_each_row(block.text, block.line, dialect, |line, row| self.add_row(line, row));
    }

    fn append(&mut self, other: &Self) {
        self.table.append(&other.table);
        self.marks.iter_mut().zip(&other.marks).for_each(|(marks, more)| marks.add(*more));
        self.problems.append(&other.problems);
    }

    fn add_row(&mut self, line: u32, row: &[&str]) {
        if !self.table.columns.is_empty() {
            return self.add_values(line, row);
        }
        let mut row: Vec<&str> = row.iter().map(|cell| cell.trim()).collect();
        // A row of numbers only cannot be a header.
        let header_number = |cell: &&str| match cell.eq_ignore_ascii_case("nan") {
            true => Some(f64::NAN),
            false => self.cells.parse_number(cell),
        };
        let numbers: Option<Vec<f64>> = row.iter().map(header_number).collect();
        let numbers = numbers.filter(|numbers| numbers.iter().any(|number| !number.is_nan()));
        let has_header =
            self.has_header && !(self.header.is_empty() && row.len() > 1 && numbers.is_some());
        if !has_header {
            let numbers = numbers.filter(|_| self.has_header);
            let names = numbers.and_then(|numbers| hololens::column_names(&numbers));
            let number = || (1..=row.len()).map(|number| number.to_string()).collect();
            self.header = vec![names.unwrap_or_else(number)];
            self.create_columns();
            return self.add_values(line, &row);
        }
        let is_header = self.header.is_empty()
            || self.header.len() < MAX_HEADER_ROWS
                && !row.iter().any(|cell| self.cells.is_value(cell));
        if is_header {
            while row.pop_if(|last| last.is_empty()).is_some() {}
            self.header.push(row.into_iter().map(ToOwned::to_owned).collect());
        } else {
            self.create_columns();
            self.add_values(line, &row);
        }
    }

    fn create_columns(&mut self) {
        if self.table.columns.is_empty() {
            let mut names = column_names(&self.header);
            if self.has_row_names {
                names.insert(0, "row".to_owned());
            }
            let column = |name: String| Column::new(unquote_formula(&name).to_owned());
            self.table.columns = names.into_iter().map(column).collect();
            self.table.make_column_names_unique();
            self.vectors = vec![VectorColumns::default(); self.table.columns.len()];
            let refuses_comma = |column: usize| self.without_decimal_comma.contains(&column);
            self.marks = (0..self.table.columns.len())
                .map(|it| DecimalMarks { refuses_comma: refuses_comma(it), ..Default::default() })
                .collect();
        }
    }

    /// Returns the columns in which it is not clear that commas are decimal marks, because the
    /// column has points too, or because commas separate cells and may separate thousands.
    fn columns_with_unclear_commas(&self) -> HashSet<usize> {
        let is_separator = self.delimiter == ',' && !self.splits_numbers;
        let is_unclear = |marks: &DecimalMarks| {
            marks.has_comma && (marks.has_point || is_separator && !marks.has_clear_comma)
        };
        let unclear = self.marks.iter().enumerate().filter(|(_, marks)| is_unclear(marks));
        unclear.filter(|_| !self.is_decimal_stated).map(|(column, _)| column).collect()
    }

    fn add_text(&mut self, column: usize, row: usize, text: &str) {
        let text = unquote_formula(text);
        let name = &self.table.columns[column].name;
        let vectors = &mut self.vectors[column];
        let is_named = *vectors.is_named.get_or_insert_with(|| crate::names::is_vector_name(name));
        let Some(numbers) = self.cells.parse_vector(text, is_named) else {
            return self.table.push_text(column, row, text);
        };
        if vectors.items.is_empty() {
            let items = crate::table::item_names(name, numbers.len());
            let name = name.clone();
            for item in 0..numbers.len() {
                let number = item.to_string();
                let item = items.get(item).copied().unwrap_or(&number);
                vectors.items.push(self.table.columns.len());
                self.table.columns.push(Column::list_item(format!("{name}.{item}")));
            }
        }
        if numbers.len() != vectors.items.len() {
            return self.table.push_text(column, row, text);
        }
        for (item, number) in vectors.items.iter().zip(numbers) {
            self.table.push_number(*item, row, number);
        }
    }

    fn move_vector_columns(&mut self) {
        if self.vectors.iter().all(|vectors| vectors.items.is_empty()) {
            return;
        }
        let mut columns: Vec<Option<Column>> =
            std::mem::take(&mut self.table.columns).into_iter().map(Some).collect();
        for (column, VectorColumns { items, .. }) in self.vectors.iter().enumerate() {
            let own = columns[column].take();
            // Some programs write 0 in place of a lost vector. If the column has only such zeros,
            // drop it and keep the columns of the items.
            let is_kept = |own: &Column| {
                items.is_empty() || own.has_texts() || own.numbers().any(|(_, it)| it != 0.0)
            };
            self.table.columns.extend(own.filter(is_kept));
            for item in items {
                self.table.columns.extend(columns[*item].take());
            }
        }
        self.table.make_column_names_unique();
    }

    fn add_cell(&mut self, cells: &mut RowCells, row: usize, cell: &str) {
        let column = cells.count;
        if column >= self.vectors.len() {
            cells.extra += usize::from(!cell.trim().is_empty());
            return;
        }
        cells.count += 1;
        let marks = &mut self.marks[column];
        if let Some(text) = self.cells.add_number(&mut self.table, column, row, cell, marks) {
            cells.repeats += usize::from(cell == self.table.columns[column].name);
            self.add_text(column, row, text);
        }
    }

    fn add_joined(&mut self, cells: &mut RowCells, row: usize, open: &[&str]) {
        if open.is_empty() {
            return;
        }
        let joined = open.join(self.delimiter.encode_utf8(&mut [0; 4]));
        if open.len() > 1 && self.cells.parse_vector(joined.trim(), false).is_some() {
            return self.add_cell(cells, row, &joined);
        }
        open.iter().for_each(|cell| self.add_cell(cells, row, cell));
    }

    fn is_first_cell_empty(&self, row: usize) -> bool {
        let items = self.vectors.first().map_or(&[][..], |vectors| &vectors.items);
        [0].iter().chain(items).all(|column| self.table.columns[*column].is_empty_from(row))
    }

    fn add_values(&mut self, line: u32, row: &[&str]) {
        if self.splits_numbers && row.len() == 2 * self.vectors.len() {
            let joined: Vec<String> = row.chunks_exact(2).map(|pair| pair.join(",")).collect();
            return self.add_cells(line, &joined.iter().map(String::as_str).collect::<Vec<_>>());
        }
        self.add_cells(line, row);
    }

    fn add_cells(&mut self, line: u32, row: &[&str]) {
        let index = self.table.rows;
        if index >= u32::MAX as usize {
            return;
        }
        let width = self.vectors.len();
        let mut cells = RowCells::default();
        // The cells of a vector that is in brackets but not in quotes. The delimiter splits such a
        // vector.
        let mut open: Vec<&str> = Vec::new();
        for &cell in row {
            if open.is_empty() && (!begins_vector(cell) || ends_vector(cell)) {
                self.add_cell(&mut cells, index, cell);
                continue;
            }
            open.push(cell);
            if ends_vector(cell) {
                self.add_joined(&mut cells, index, &open);
                open.clear();
            }
        }
        self.add_joined(&mut cells, index, &open);
        let RowCells { count, extra, repeats } = cells;
        if count == 1 && width > 1 && self.is_first_cell_empty(index) {
            return;
        }
        if repeats > 1 && repeats * 2 > count {
            self.table.drop_cells(index, &(0..width).collect::<Vec<_>>());
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

#[derive(Clone, Copy, Debug, Default)]
struct RowCells {
    count: usize,
    extra: usize,
    repeats: usize,
}

#[inline]
fn begins_vector(cell: &str) -> bool {
    match cell.as_bytes().first() {
        Some(b'(' | b'[') => true,
        Some(b' ') => cell.trim_start_matches(' ').starts_with(['(', '[']),
        _ => false,
    }
}

fn ends_vector(cell: &str) -> bool {
    cell.contains([')', ']'])
}

fn column_names(header: &[Vec<String>]) -> Vec<String> {
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
        // A group name stands above the first column of its group, and also applies to the columns
        // after it.
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

#[derive(Clone, Copy, Default)]
struct UnevenRows {
    count: usize,
    first: Option<(u32, usize)>,
}

impl UnevenRows {
    fn add(&mut self, line: u32, cells: usize) {
        self.count += 1;
        self.first.get_or_insert((line, cells));
    }

    fn append(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.or(later.first);
    }
}

#[derive(Clone, Default)]
struct RowProblems {
    few: UnevenRows,
    many: UnevenRows,
    repeated_header: Option<u32>,
}

impl RowProblems {
    fn append(&mut self, later: &Self) {
        self.few.append(later.few);
        self.many.append(later.many);
        self.repeated_header = self.repeated_header.or(later.repeated_header);
    }

    /// `may_split_numbers` is `true` if commas separate the cells, and no number has a point.
    fn report(&self, columns: usize, may_split_numbers: bool, diagnostics: &mut Diagnostics) {
        let remedy = match may_split_numbers {
            true => ". If commas are also decimal marks, save the table with another separator",
            false => "",
        };
        for (uneven, outcome, remedy) in
            [(&self.few, "the rest is missing", ""), (&self.many, "the rest is skipped", remedy)]
        {
            if let Some((line, found)) = uneven.first {
                let message = format!(
                    "expected {columns} cells in each row, found {found}; {outcome}{remedy}. Such rows: {}",
                    uneven.count
                );
                diagnostics
                    .warning(codes::table::UNEVEN_ROWS, SourceLocation::line(line), message)
                    .with("expected", columns)
                    .with("found", found)
                    .with("count", uneven.count);
            }
        }
        if let Some(line) = self.repeated_header {
            diagnostics.warning(
                codes::table::LINES_SKIPPED,
                SourceLocation::line(line),
                "the header is repeated; skipped",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Table, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        (super::read(text, &TableOptions::default(), &mut diagnostics).unwrap(), diagnostics)
    }

    fn names_of(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn detects_separators_and_decimal_commas() {
        for text in
            ["t,a x\n1,2.5\n", "t;a x\n1;2,5\n", "t\ta x\n1\t2.5\n", "# c\nt\ta x\n1\t2,5\n"]
        {
            let (table, diagnostics) = read(text);
            assert_eq!(names_of(&table), ["t", "a x"], "{text}");
            assert_eq!((table.columns[1].number(0), table.rows), (2.5, 1), "{text}");
            assert!(diagnostics.is_empty());
        }
        let (table, _) = read("t  x   y\n 1  2 \t 3\n");
        assert_eq!((names_of(&table), table.columns[2].number(0)), (vec!["t", "x", "y"], 3.0));
    }

    #[test]
    fn comment_can_be_the_header() {
        let (table, _) = read("# a log\n#t [ns], x [m]\n1,2\n# more\n3,4\n");
        assert_eq!(names_of(&table), ["t [ns]", "x [m]"]);
        assert_eq!((table.rows, table.lines[0]), (2, 3));
    }

    #[test]
    fn joins_several_header_rows() {
        let (table, _) = read("time,Right Hand,,,Left Hand\n,Tip x,Tip y,Tip z,Tip x\n0,1,2,3,4\n");
        assert_eq!(names_of(&table)[1..3], ["Right Hand_Tip x", "Right Hand_Tip y"]);
        assert_eq!(names_of(&table)[4], "Left Hand_Tip x");
        let (table, _) = read("time,x\ns,mm\n0,1\n");
        assert_eq!(names_of(&table), ["time [s]", "x [mm]"]);
        let (table, diagnostics) = read("time,x\n0,1\ntime,x\n2,3\n");
        assert_eq!((table.rows, diagnostics.len()), (2, 1), "{diagnostics:?}");
        assert_eq!(table.columns[1].number(1), 3.0);
    }

    #[test]
    fn reports_rows_of_other_lengths() {
        let (table, diagnostics) = read("t,x,y\n1,2\n1,2,3,4\n1,2,3,,\n");
        assert_eq!((table.rows, diagnostics.len()), (3, 2));
        assert!(
            diagnostics.iter().all(|notice| notice.message.contains("cells")),
            "{diagnostics:?}"
        );
    }

    #[test]
    fn blocks_of_rows_give_the_table_of_one_block() {
        use std::fmt::Write as _;

        let header = "t,x,late,flag,\"v\",id\n".to_owned();
        let mut numbers = header.replace('"', "");
        let mut mixed = header;
        for row in 0..100_u32 {
            let late = if row < 50 { String::new() } else { format!("{row}e-1") };
            let id = 9_007_199_254_740_992_u64 + u64::from(row);
            let end = if row % 2 == 0 { "\n" } else { "\r\n" };
            write!(numbers, "{row},{row}.25,{late},{},1,{id}{end}", row % 7 == 0).unwrap();
            let vector = if row == 70 { "\"(1,2,3)\"" } else { "a" };
            let extra = [",,", ",", "", ",5,6"][row as usize % 4];
            write!(mixed, "{row},nan,{late},yes,{vector}{extra}\n# c\n").unwrap();
        }
        let quoted = mixed.replace("70,nan", "\"70\",\"a,\n\"\"b\"\"\"");
        let vectors = mixed.replace("\"(1,2,3)\"", "(1/2/3)").replace('"', "");
        let commas = "t;x\n1;1,234\n2;2.5\n3;3,456\n".replace("3;", "\n\n3;");
        let lines = "t,x\n1,2\r3,4\n5,6\n";
        for text in [&numbers, &mixed, &quoted, &vectors, &commas, lines] {
            let read = |size| {
                let mut diagnostics = Diagnostics::new();
                let options = TableOptions::default();
                (read_in_blocks(text, &options, size, &mut diagnostics).unwrap(), diagnostics)
            };
            let (expected, expected_diagnostics) = read(usize::MAX);
            for size in [0, 5, 200] {
                let (table, diagnostics) = read(size);
                assert_eq!(names_of(&table), names_of(&expected), "{text}");
                assert_eq!((table.rows, &table.lines), (expected.rows, &expected.lines), "{text}");
                assert_eq!(
                    format!("{diagnostics:?}"),
                    format!("{expected_diagnostics:?}"),
                    "{text}"
                );
                let cells = |table: &Table| -> Vec<_> {
                    let rows = |column| (0..table.rows).map(move |row| (column, row));
                    let cells = (0..table.columns.len()).flat_map(rows);
                    cells.map(|(column, row)| (row, table.label(column, row))).collect()
                };
                assert_eq!(cells(&table), cells(&expected), "{text}");
            }
        }
    }

    #[test]
    fn splits_vectors_in_cells_into_columns() {
        // Quoted vectors, bare vectors, unquoted vectors and named components.
        let texts = [
            "time,HMDPosition,name\n0,\"(1, 2, 3)\",a\n1,\"(4, 5, 6)\",b\n",
            "time,HMDPosition,name\n0,1 2 3,a\n1,4 5 6,b\n",
            "time,HMDPosition,name\n0,(1,2,3),a\n1,(4, 5, 6),b\n",
            "time;HMDPosition;name\n0;X=1 Y=2 Z=3;a\n1;X=4 Y=5 Z=6;b\n",
        ];
        for text in texts {
            let (table, diagnostics) = read(text);
            let names = ["time", "HMDPosition.x", "HMDPosition.y", "HMDPosition.z", "name"];
            assert_eq!(names_of(&table), names, "{text}");
            assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
            assert_eq!((table.columns[2].number(0), table.columns[3].number(1)), (2.0, 6.0));
            assert_eq!(table.text(4, 1), Some("b"));
        }
        let (table, _) = read(",Right Hand,,\nt,Palm,Wrist\n0,0,(1/ 2/ 3)\n1,(7/ 8/ 9),0\n");
        let expected = ["t", "Right Hand_Palm.x", "Right Hand_Palm.y", "Right Hand_Palm.z"];
        assert_eq!(names_of(&table)[..4], expected);
        assert!(table.columns[1].number(0).is_nan() && table.columns[4].number(1).is_nan());
        assert_eq!((table.columns[1].number(1), table.columns[4].number(0)), (7.0, 1.0));
        // Text in brackets stays text.
        let (table, _) = read("t,x,note,other\n0,1,(a,b\n1,2,[c],d\n2,3,(e,f)\n");
        let texts = |row| (table.text(2, row), table.text(3, row));
        assert_eq!(texts(0), (Some("(a"), Some("b")));
        assert_eq!(texts(1), (Some("[c]"), Some("d")));
        assert_eq!(texts(2), (Some("(e"), Some("f)")));
    }

    #[test]
    fn row_of_numbers_is_not_a_header() {
        let (table, diagnostics) = read("0 1 2 3\n0.1 4 5 6\n");
        assert_eq!((names_of(&table), table.rows), (vec!["1", "2", "3", "4"], 2));
        assert!(diagnostics.is_empty());
    }
}
