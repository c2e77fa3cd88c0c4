//! Converts record batches to the columns of a table. Structs and lists are split into columns with
//! dotted names.

use std::{collections::HashMap, fmt, iter, rc::Rc, sync::Arc};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RunArray, cast::AsArray,
    types,
};
use arrow_schema::{DataType, Schema, TimeUnit};
use mutoscope_core::{
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    io::parallel::map_all_in_order,
};
use mutoscope_logs::table::{Column, MAX_LIST_ITEMS, Table, is_missing, item_names};

use super::{batches::Batches, codes, limits::Budget};

pub(super) fn flatten(
    version: &'static str,
    batches: &Batches<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    // In our own exports, words such as `none` are strings, because these exports do not use words
    // for missing values.
    let is_own = batches.metadata.contains_key("mutoscope.table");
    let mut flattener = Flattener { is_own, ..Flattener::new(version, Some(&batches.budget)) };
    let rows = batches.rows.min(u32::MAX as usize);
    flattener.table.rows = rows;
    for field in batches.schema.fields() {
        flattener.declare_field(field.name(), field.data_type());
        flattener.report_unread_types(field.name(), field.data_type(), diagnostics);
    }
    // All threads read columns of numbers. This thread adds them in order, and reads the others.
    let fields = batches.schema.fields();
    let read = |field: usize| (field, NumberColumn::read(field, batches));
    let mut added = Ok(());
    map_all_in_order(fields.len(), read, |(index, numbers)| {
        if added.is_ok() && unread_type(fields[index].data_type()).is_none() {
            added = numbers.and_then(|numbers| flattener.add_field(index, numbers, batches));
        }
    });
    added?;
    flattener.report_skipped_items(diagnostics);
    Ok(flattener.table)
}

/// Returns a table with one row. Each column has a sample value that does not come from the file.
/// Returns `None` if the schema has lists, because their lengths decide the columns.
pub(super) fn sample_table(version: &'static str, schema: &Schema) -> Option<Table> {
    let mut flattener = Flattener::new(version, None);
    flattener.table.rows = 1;
    for field in schema.fields() {
        flattener.declare_field(field.name(), field.data_type());
        flattener.add_sample(field.name(), field.data_type())?;
    }
    Some(flattener.table)
}

struct NumberColumn {
    numbers: Arc<[f64]>,
    are_finite: bool,
}

impl NumberColumn {
    /// Reads a field. Returns `None` if its type does not fit into an f64 without loss, or if the file
    /// states too many rows.
    fn read(field: usize, batches: &Batches<'_>) -> Result<Option<Self>, Error> {
        use DataType::{Float16, Float32, Float64, Int8, Int16, Int32, UInt8, UInt16, UInt32};
        /// The row count of a broken file may be wrong, so do not allocate more rows than this in
        /// advance.
        const MAX_PREALLOCATED_ROWS: usize = 1 << 26;
        let holds = matches!(
            batches.schema.field(field).data_type(),
            Float64 | Float32 | Float16 | Int8 | Int16 | Int32 | UInt8 | UInt16 | UInt32
        );
        if !holds || batches.rows > MAX_PREALLOCATED_ROWS {
            return Ok(None);
        }
        let numbers = iter::repeat_n(f64::NAN, batches.rows).collect();
        let mut column = Self { numbers, are_finite: true };
        batches.read_field(field, |start, array| column.add(start, array))?;
        Ok(Some(column))
    }

    fn add(&mut self, start: usize, array: &dyn Array) {
        let Some(numbers) = Arc::get_mut(&mut self.numbers) else { return };
        let Some(room) = numbers.get_mut(start..) else { return };
        macro_rules! fill {
            ($type:ty) => {
                self.are_finite &= copy_numbers(room, array.as_primitive::<$type>(), f64::from)
            };
        }
        match array.data_type() {
            DataType::Float64 => fill!(types::Float64Type),
            DataType::Float32 => fill!(types::Float32Type),
            DataType::Float16 => fill!(types::Float16Type),
            DataType::Int8 => fill!(types::Int8Type),
            DataType::Int16 => fill!(types::Int16Type),
            DataType::Int32 => fill!(types::Int32Type),
            DataType::UInt8 => fill!(types::UInt8Type),
            DataType::UInt16 => fill!(types::UInt16Type),
            DataType::UInt32 => fill!(types::UInt32Type),
            _ => {}
        }
    }
}

/// Copies the numbers that are not null. Returns `true` if every row has a finite number.
fn copy_numbers<T: ArrowPrimitiveType>(
    room: &mut [f64],
    array: &PrimitiveArray<T>,
    number: impl Fn(T::Native) -> f64,
) -> bool {
    let both = room.iter_mut().zip(array.values().iter());
    if array.null_count() == 0 {
        let mut are_finite = true;
        for (room, value) in both {
            *room = number(*value);
            are_finite &= room.is_finite();
        }
        return are_finite;
    }
    for (index, (room, value)) in both.enumerate() {
        if array.is_valid(index) {
            *room = number(*value);
        }
    }
    false
}

struct Flattener<'a> {
    table: Table,
    known: HashMap<String, usize>,
    start: usize,
    is_own: bool,
    budget: Option<&'a Budget>,
    /// The error if the file has more content than the budget allows. Nothing is added after that.
    excess: Option<Error>,
    /// The name and the length of the first list with more than `MAX_LIST_ITEMS` items.
    long_list: Option<(String, usize)>,
    has_too_many_columns: bool,
    last_list: Option<ListColumns>,
}

/// The columns of the items of the last list. Most lists of a column have the same length.
struct ListColumns {
    path: String,
    length: usize,
    columns: Rc<[Option<usize>]>,
}

/// Further columns are skipped. Lists of any length in a small file could otherwise become any number
/// of columns.
const MAX_COLUMNS: usize = 1 << 16;

impl<'a> Flattener<'a> {
    fn new(version: &'static str, budget: Option<&'a Budget>) -> Self {
        Self {
            table: Table::new(version),
            known: HashMap::new(),
            start: 0,
            is_own: false,
            budget,
            excess: None,
            long_list: None,
            has_too_many_columns: false,
            last_list: None,
        }
    }

    fn add_field(
        &mut self,
        field: usize,
        numbers: Option<NumberColumn>,
        batches: &Batches<'_>,
    ) -> Result<(), Error> {
        let name = batches.schema.field(field).name();
        if let Some(NumberColumn { numbers, are_finite }) = numbers {
            match self.column_index(name, false) {
                Some(column) if are_finite => self.table.set_numbers(column, numbers),
                Some(column) => self.table.push_numbers(column, 0, &numbers),
                None => {}
            }
            return Ok(());
        }
        batches.read_field(field, |start, array| {
            if self.excess.is_none() {
                self.start = start;
                self.add_array(name, array, None);
            }
        })?;
        self.excess.take().map_or(Ok(()), Err)
    }

    fn declare_field(&mut self, path: &str, data_type: &DataType) {
        match data_type {
            DataType::Struct(fields) => {
                for field in fields {
                    self.declare_field(&format!("{path}.{}", field.name()), field.data_type());
                }
            }
            DataType::FixedSizeList(item, length) if is_cell(item.data_type()) => {
                let length = usize::try_from(*length).unwrap_or(0);
                for item in 0..length.min(MAX_LIST_ITEMS) {
                    self.column_index(&item_path(path, length, item), true);
                }
            }
            other if is_cell(other) => {
                if let Some(column) = self.column_index(path, false) {
                    self.table.columns[column].time_unit = time_unit(other);
                    self.table.columns[column].unread_type = unread_type(other);
                }
            }
            // Do not declare columns, because the lengths of lists are known only when rows are
            // read.
            _ => {}
        }
    }

    fn report_unread_types(&self, path: &str, data_type: &DataType, diagnostics: &mut Diagnostics) {
        let children = match data_type {
            DataType::Struct(fields) => &fields[..],
            DataType::List(item)
            | DataType::LargeList(item)
            | DataType::ListView(item)
            | DataType::LargeListView(item)
            | DataType::FixedSizeList(item, _) => {
                return self.report_unread_types(path, item.data_type(), diagnostics);
            }
            _ => &[],
        };
        for field in children {
            let path = format!("{path}.{}", field.name());
            self.report_unread_types(&path, field.data_type(), diagnostics);
        }
        if is_cell(data_type)
            && let Some(name) = unread_type(data_type)
        {
            let message = format!(
                "cannot read the column {path:?}: its type is {name}; skipped. Write it as numbers or \
                 strings"
            );
            diagnostics
                .warning(codes::UNSUPPORTED_TYPE, SourceLocation::File, message)
                .with("column", path)
                .with("type", name);
        }
    }

    fn report_skipped_items(&self, diagnostics: &mut Diagnostics) {
        if let Some((path, length)) = &self.long_list {
            let message = format!(
                "the column {path:?} has a list of {}; only the first {MAX_LIST_ITEMS} of each list are \
                 used",
                format_count(*length, "item")
            );
            diagnostics
                .warning(codes::LONG_LIST, SourceLocation::File, message)
                .with("column", path.as_str())
                .with("items", *length)
                .with("limit", MAX_LIST_ITEMS);
        }
        if self.has_too_many_columns {
            let message = format!(
                "the table has more than {}; the others are skipped",
                format_count(MAX_COLUMNS, "column")
            );
            diagnostics
                .warning(codes::TOO_MANY_COLUMNS, SourceLocation::File, message)
                .with("limit", MAX_COLUMNS);
        }
    }

    fn add_sample(&mut self, path: &str, data_type: &DataType) -> Option<()> {
        match data_type {
            DataType::Struct(fields) => {
                for field in fields {
                    self.add_sample(&format!("{path}.{}", field.name()), field.data_type())?;
                }
            }
            list if !is_cell(list) => return None,
            other => {
                let Some(column) = self.column_index(path, false) else { return Some(()) };
                match value_type(other) {
                    DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                        self.table.push_text(column, 0, "left");
                    }
                    DataType::Date32 | DataType::Date64 => {
                        self.table.push_text(column, 0, "2024-05-06");
                    }
                    DataType::Boolean => self.table.push_bool(column, 0, true),
                    DataType::Null => {}
                    // Treat a type that is not read as a number, so that reading the file reports
                    // the type.
                    _ => self.table.push_number(column, 0, 1.0),
                }
            }
        }
        Some(())
    }

    fn column_index(&mut self, path: &str, is_list_item: bool) -> Option<usize> {
        if let Some(known) = self.known.get(path) {
            return Some(*known);
        }
        if self.table.columns.len() >= MAX_COLUMNS {
            self.has_too_many_columns = true;
            return None;
        }
        let column = if is_list_item { Column::list_item(path) } else { Column::new(path) };
        self.table.columns.push(column);
        self.known.insert(path.to_owned(), self.table.columns.len() - 1);
        Some(self.table.columns.len() - 1)
    }

    fn item_columns(&mut self, path: &str, length: usize) -> Rc<[Option<usize>]> {
        if let Some(last) = &self.last_list
            && last.path == path
            && last.length == length
        {
            return Rc::clone(&last.columns);
        }
        let items = 0..length.min(MAX_LIST_ITEMS);
        let columns: Rc<[Option<usize>]> =
            items.map(|item| self.column_index(&item_path(path, length, item), true)).collect();
        let path = path.to_owned();
        self.last_list = Some(ListColumns { path, length, columns: Rc::clone(&columns) });
        columns
    }

    /// Adds the values of an array. Rows for which `is_valid` returns `false` have no value, because
    /// a struct around the array is null there.
    fn add_array(
        &mut self,
        path: &str,
        array: &dyn Array,
        is_valid: Option<&dyn Fn(usize) -> bool>,
    ) {
        if let Some(structs) = array.as_struct_opt() {
            let both = |row: usize| structs.is_valid(row) && is_valid.is_none_or(|it| it(row));
            let is_valid = if structs.null_count() == 0 { is_valid } else { Some(&both as _) };
            for (field, child) in structs.fields().iter().zip(structs.columns()) {
                self.add_array(&format!("{path}.{}", field.name()), &**child, is_valid);
            }
            return;
        }
        if unread_type(array.data_type()).is_some() {
            return;
        }
        let rows = (0..array.len()).filter(|row| is_valid.is_none_or(|it| it(*row)));
        if !is_cell(array.data_type()) {
            return rows.for_each(|row| self.add_value(path, self.start + row, array, row));
        }
        let Some(column) = self.column_index(path, false) else { return };
        if let Some(numbers) = array.as_primitive_opt::<types::Float64Type>()
            && numbers.null_count() == 0
            && is_valid.is_none()
            && self.start + array.len() <= u32::MAX as usize
        {
            return self.table.push_numbers(column, self.start, numbers.values());
        }
        rows.for_each(|row| self.add_cell(column, self.start + row, array, row));
    }

    /// Adds a value of a list, which may be a struct or a list itself.
    fn add_value(&mut self, path: &str, row: usize, array: &dyn Array, index: usize) {
        if array.is_null(index) || self.excess.is_some() {
            return;
        }
        if let Some(structs) = array.as_struct_opt() {
            for (field, child) in structs.fields().iter().zip(structs.columns()) {
                self.add_value(&format!("{path}.{}", field.name()), row, child, index);
            }
        } else if let Some(items) = list_items(array, index) {
            let used = items.len().min(MAX_LIST_ITEMS);
            if used < items.len() {
                self.long_list.get_or_insert_with(|| (path.to_owned(), items.len()));
            }
            if let Some(budget) = self.budget {
                self.excess = budget.add_cells(used as u64).err();
            }
            if is_cell(items.data_type()) {
                let columns = self.item_columns(path, items.len());
                for (item, column) in columns.iter().enumerate() {
                    if let Some(column) = *column {
                        self.add_cell(column, row, &items, item);
                    }
                }
                return;
            }
            for item in 0..used {
                self.add_value(&item_path(path, items.len(), item), row, &items, item);
            }
        } else if let Some(column) = self.column_index(path, false) {
            self.add_cell(column, row, array, index);
        }
    }

    fn add_cell(&mut self, column: usize, row: usize, array: &dyn Array, index: usize) {
        if array.is_null(index) || row >= u32::MAX as usize {
            return;
        }
        let table = &mut self.table;
        macro_rules! integer {
            ($type:ty) => {
                table.push_integer(column, row, array.as_primitive::<$type>().value(index).into())
            };
        }
        macro_rules! number {
            ($type:ty) => {
                table.push_number(column, row, array.as_primitive::<$type>().value(index).into())
            };
        }
        match array.data_type() {
            DataType::Boolean => {
                let array: &BooleanArray = array.as_boolean();
                table.push_bool(column, row, array.value(index));
            }
            DataType::Int8 => integer!(types::Int8Type),
            DataType::Int16 => integer!(types::Int16Type),
            DataType::Int32 => integer!(types::Int32Type),
            DataType::Int64 => integer!(types::Int64Type),
            DataType::UInt8 => integer!(types::UInt8Type),
            DataType::UInt16 => integer!(types::UInt16Type),
            DataType::UInt32 => integer!(types::UInt32Type),
            DataType::UInt64 => {
                let value = array.as_primitive::<types::UInt64Type>().value(index);
                match i64::try_from(value) {
                    Ok(value) => table.push_integer(column, row, value),
                    Err(_) => table.push_number(column, row, value as f64),
                }
            }
            DataType::Float16 => number!(types::Float16Type),
            DataType::Float32 => number!(types::Float32Type),
            DataType::Float64 => number!(types::Float64Type),
            DataType::Timestamp(TimeUnit::Second, _) => integer!(types::TimestampSecondType),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                integer!(types::TimestampMillisecondType);
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                integer!(types::TimestampMicrosecondType);
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                integer!(types::TimestampNanosecondType);
            }
            DataType::Duration(TimeUnit::Second) => integer!(types::DurationSecondType),
            DataType::Duration(TimeUnit::Millisecond) => integer!(types::DurationMillisecondType),
            DataType::Duration(TimeUnit::Microsecond) => integer!(types::DurationMicrosecondType),
            DataType::Duration(TimeUnit::Nanosecond) => integer!(types::DurationNanosecondType),
            DataType::Time32(TimeUnit::Second) => integer!(types::Time32SecondType),
            DataType::Time32(_) => integer!(types::Time32MillisecondType),
            DataType::Time64(TimeUnit::Microsecond) => integer!(types::Time64MicrosecondType),
            DataType::Time64(_) => integer!(types::Time64NanosecondType),
            DataType::Utf8 => self.add_text(column, row, array.as_string::<i32>().value(index)),
            DataType::LargeUtf8 => {
                self.add_text(column, row, array.as_string::<i64>().value(index))
            }
            DataType::Utf8View => self.add_text(column, row, array.as_string_view().value(index)),
            DataType::Decimal32(_, scale) => {
                let value = array.as_primitive::<types::Decimal32Type>().value(index);
                push_decimal(table, column, row, value.into(), *scale);
            }
            DataType::Decimal64(_, scale) => {
                let value = array.as_primitive::<types::Decimal64Type>().value(index);
                push_decimal(table, column, row, value.into(), *scale);
            }
            DataType::Decimal128(_, scale) => {
                let value = array.as_primitive::<types::Decimal128Type>().value(index);
                push_decimal(table, column, row, value, *scale);
            }
            DataType::Decimal256(_, scale) => {
                let value = array.as_primitive::<types::Decimal256Type>().value(index);
                match value.to_i128() {
                    Some(value) => push_decimal(table, column, row, value, *scale),
                    None => table.push_number(column, row, parse_decimal(&value, *scale)),
                }
            }
            // Text tables contain dates as strings, so that dates of all containers are read in the
            // same way.
            DataType::Date32 => {
                let date = array.as_primitive::<types::Date32Type>().value_as_date(index);
                date.into_iter().for_each(|date| table.push_text(column, row, &date.to_string()));
            }
            DataType::Date64 => {
                let date = array.as_primitive::<types::Date64Type>().value_as_datetime(index);
                date.into_iter().for_each(|date| table.push_text(column, row, &date.to_string()));
            }
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_any_dictionary();
                // Do not call `normalized_keys`, because that visits all keys.
                if let Some(key) = dictionary_key(dictionary.keys(), index) {
                    let values = dictionary.values().clone();
                    if key < values.len() {
                        self.add_cell(column, row, &*values, key);
                    }
                }
            }
            DataType::RunEndEncoded(ends, _) => {
                if let Some((values, run)) = find_run(ends.data_type(), array, index) {
                    self.add_cell(column, row, &*values, run);
                }
            }
            _ => {}
        }
    }

    fn add_text(&mut self, column: usize, row: usize, text: &str) {
        if let Some(budget) = self.budget
            && self.excess.is_none()
        {
            self.excess = budget.add_bytes(text.len() as u64).err();
        }
        if self.excess.is_some() {
            return;
        }
        match (self.is_own, text.trim()) {
            (true, _) => self.table.push_text(column, row, text),
            (false, text) if is_missing(text) => {}
            (false, text) => self.table.push_text(column, row, text),
        }
    }
}

/// Adds the number `value` · 10^-`scale`. An integer stays exact, because a time in nanoseconds has
/// more digits than an f64.
fn push_decimal(table: &mut Table, column: usize, row: usize, value: i128, scale: i8) {
    let unit = u32::try_from(scale).ok().and_then(|scale| 10_i128.checked_pow(scale));
    let integer = unit.filter(|unit| value % unit == 0);
    match integer.and_then(|unit| i64::try_from(value / unit).ok()) {
        Some(integer) => table.push_integer(column, row, integer),
        None => table.push_number(column, row, parse_decimal(&value, scale)),
    }
}

fn parse_decimal(value: &dyn fmt::Display, scale: i8) -> f64 {
    format!("{value}e{}", -i32::from(scale)).parse().unwrap_or(f64::NAN)
}

/// Returns `true` if a value becomes one cell, and not several columns.
fn is_cell(data_type: &DataType) -> bool {
    use DataType::{FixedSizeList, LargeList, LargeListView, List, ListView, Struct};
    !matches!(
        data_type,
        Struct(_) | List(_) | LargeList(_) | ListView(_) | LargeListView(_) | FixedSizeList(..)
    )
}

fn list_items(array: &dyn Array, index: usize) -> Option<ArrayRef> {
    Some(match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().value(index),
        DataType::LargeList(_) => array.as_list::<i64>().value(index),
        DataType::ListView(_) => array.as_list_view::<i32>().value(index),
        DataType::LargeListView(_) => array.as_list_view::<i64>().value(index),
        DataType::FixedSizeList(..) => array.as_fixed_size_list().value(index),
        _ => return None,
    })
}

fn item_path(path: &str, length: usize, item: usize) -> String {
    match item_names(path, length).get(item) {
        Some(name) => format!("{path}.{name}"),
        None => format!("{path}.{item}"),
    }
}

/// Returns the type of the values of a dictionary or of runs, and otherwise the type itself.
fn value_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, value) => value_type(value),
        DataType::RunEndEncoded(_, value) => value_type(value.data_type()),
        other => other,
    }
}

/// Returns the name of a type whose values are not read. Returns `None` for the types that are
/// read, and for structs.
fn unread_type(data_type: &DataType) -> Option<String> {
    use DataType::{
        Binary, BinaryView, FixedSizeBinary, FixedSizeList, Interval, LargeBinary, LargeList,
        LargeListView, List, ListView, Map, Struct, Union,
    };
    Some(match value_type(data_type) {
        Binary | LargeBinary | BinaryView => "Binary".to_owned(),
        FixedSizeBinary(bytes) => format!("FixedSizeBinary({bytes})"),
        Interval(unit) => format!("Interval({unit:?})"),
        Map(..) => "Map".to_owned(),
        Union(..) => "Union".to_owned(),
        List(item)
        | LargeList(item)
        | ListView(item)
        | LargeListView(item)
        | FixedSizeList(item, _) => {
            if !is_cell(data_type) {
                return unread_type(item.data_type());
            }
            "a dictionary of lists".to_owned()
        }
        Struct(_) if is_cell(data_type) => "a dictionary of structs".to_owned(),
        _ => return None,
    })
}

/// Returns the values of a run-end encoded array, and the index of the value at `index`.
fn find_run(ends: &DataType, array: &dyn Array, index: usize) -> Option<(ArrayRef, usize)> {
    fn find<R: types::RunEndIndexType>(
        array: &dyn Array,
        index: usize,
    ) -> Option<(ArrayRef, usize)> {
        let runs = array.as_any().downcast_ref::<RunArray<R>>()?;
        let run = runs.get_physical_index(index);
        (run < runs.values().len()).then(|| (runs.values().clone(), run))
    }
    match ends {
        DataType::Int16 => find::<types::Int16Type>(array, index),
        DataType::Int32 => find::<types::Int32Type>(array, index),
        DataType::Int64 => find::<types::Int64Type>(array, index),
        _ => None,
    }
}

fn dictionary_key(keys: &dyn Array, index: usize) -> Option<usize> {
    match keys.data_type() {
        DataType::Int8 => keys.as_primitive::<types::Int8Type>().value(index).try_into().ok(),
        DataType::Int16 => keys.as_primitive::<types::Int16Type>().value(index).try_into().ok(),
        DataType::Int32 => keys.as_primitive::<types::Int32Type>().value(index).try_into().ok(),
        DataType::Int64 => keys.as_primitive::<types::Int64Type>().value(index).try_into().ok(),
        DataType::UInt8 => Some(keys.as_primitive::<types::UInt8Type>().value(index).into()),
        DataType::UInt16 => Some(keys.as_primitive::<types::UInt16Type>().value(index).into()),
        DataType::UInt32 => keys.as_primitive::<types::UInt32Type>().value(index).try_into().ok(),
        DataType::UInt64 => keys.as_primitive::<types::UInt64Type>().value(index).try_into().ok(),
        _ => None,
    }
}

fn time_unit(data_type: &DataType) -> Option<&'static str> {
    match value_type(data_type) {
        DataType::Timestamp(unit, _)
        | DataType::Duration(unit)
        | DataType::Time32(unit)
        | DataType::Time64(unit) => Some(match unit {
            TimeUnit::Second => "s",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Microsecond => "us",
            TimeUnit::Nanosecond => "ns",
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        DictionaryArray, FixedSizeListArray, ListArray, RecordBatch, StringArray, StructArray,
    };
    use arrow_ipc::writer::FileWriter;

    use super::{super::batches::BatchFormat, *};

    fn write_arrow(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    fn read_arrow(columns: Vec<(&str, ArrayRef)>) -> (Table, Diagnostics) {
        let bytes = write_arrow(columns);
        let mut diagnostics = Diagnostics::new();
        let batches = BatchFormat::Arrow.open(&bytes, None).unwrap();
        let table = flatten("arrow", &batches, &mut diagnostics).unwrap();
        (table, diagnostics)
    }

    fn names_of(table: &Table) -> Vec<&str> {
        table.columns.iter().map(|column| column.name.as_str()).collect()
    }

    #[test]
    fn decimals_are_read_exactly() {
        let nanoseconds = 1_700_784_960_164_000_001_i128;
        let decimal128 = |values: Vec<i128>, scale| -> ArrayRef {
            let array = PrimitiveArray::<types::Decimal128Type>::from(values);
            Arc::new(array.with_precision_and_scale(38, scale).unwrap())
        };
        let decimal32 = PrimitiveArray::<types::Decimal32Type>::from(vec![-15, 7]);
        let (table, diagnostics) = read_arrow(vec![
            ("integers", decimal128(vec![nanoseconds, nanoseconds + 1], 0)),
            ("scaled", decimal128(vec![nanoseconds * 1_000_000_000, 5], 9)),
            ("tenths", decimal128(vec![1, 3], 1)),
            ("hundreds", decimal128(vec![1, 3], -2)),
            ("small", Arc::new(decimal32.with_precision_and_scale(9, 1).unwrap())),
        ]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let integer = |column: usize, row| table.columns[column].integer(row);
        assert_eq!(integer(0, 1), i64::try_from(nanoseconds + 1).ok());
        assert_eq!(integer(1, 0), i64::try_from(nanoseconds).ok());
        let numbers = |column: usize| [0, 1].map(|row| table.columns[column].number(row));
        assert_eq!(numbers(1)[1], 5e-9);
        assert_eq!((numbers(2), numbers(3), numbers(4)), ([0.1, 0.3], [1e2, 3e2], [-1.5, 0.7]));
    }

    #[test]
    fn nested_lists_and_structs_become_columns() {
        let floats: ArrayRef = Arc::new(PrimitiveArray::<types::Float32Type>::from(vec![0.5; 6]));
        let point = Arc::new(arrow_schema::Field::new("item", DataType::Float32, true));
        let points = FixedSizeListArray::new(point, 3, floats, None);
        let joints = StructArray::from(vec![(
            Arc::new(arrow_schema::Field::new("p", points.data_type().clone(), true)),
            Arc::new(points) as ArrayRef,
        )]);
        let rows = Some(vec![Some(1), Some(2)]);
        let lists = ListArray::from_iter_primitive::<types::Int8Type, _, _>([rows]);
        let (field, offsets, _, _) = lists.into_parts();
        let field = Arc::new(field.as_ref().clone().with_data_type(joints.data_type().clone()));
        let lists = ListArray::new(field, offsets, Arc::new(joints), None);
        let (table, diagnostics) = read_arrow(vec![("joints", Arc::new(lists))]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let names: Vec<String> = [0, 1]
            .iter()
            .flat_map(|joint| ["x", "y", "z"].map(|axis| format!("joints.{joint}.p.{axis}")))
            .collect();
        assert_eq!(names_of(&table), names);
        assert!(table.columns.iter().all(|column| column.number(0) == 0.5));
    }

    #[test]
    fn unread_types_and_long_lists_are_reported() {
        let blobs: ArrayRef = Arc::new(arrow_array::BinaryArray::from_vec(vec![b"a"]));
        let items = Some((0..2000).map(Some).collect::<Vec<_>>());
        let long = ListArray::from_iter_primitive::<types::Int16Type, _, _>([items]);
        let (table, diagnostics) = read_arrow(vec![("blob", blobs), ("long", Arc::new(long))]);
        let reported: Vec<_> =
            diagnostics.iter().map(|one| (one.code, one.value("column").cloned())).collect();
        let expected = [
            (codes::UNSUPPORTED_TYPE, Some("blob".into())),
            (codes::LONG_LIST, Some("long".into())),
        ];
        assert_eq!(reported, expected);
        assert_eq!(table.columns.len(), 1 + MAX_LIST_ITEMS);
        assert_eq!(table.columns[0].unread_type.as_deref(), Some("Binary"));
    }

    #[test]
    fn repeated_strings_of_a_dictionary_are_limited() {
        let long = "x".repeat(1 << 20);
        let words = StringArray::from(vec![format!("{long}a"), format!("{long}b")]);
        let keys = PrimitiveArray::<types::Int16Type>::from_iter_values((0..1000).map(|it| it % 2));
        let words = DictionaryArray::new(keys, Arc::new(words));
        let bytes = write_arrow(vec![("word", Arc::new(words))]);
        let batches = BatchFormat::Arrow.open(&bytes, None).unwrap();
        let error = flatten("arrow", &batches, &mut Diagnostics::new()).unwrap_err();
        assert!(error.message().contains("unpacked bytes"), "{error}");
    }

    #[test]
    fn rows_without_bytes_are_limited() {
        let rows: ArrayRef = Arc::new(arrow_array::NullArray::new(1 << 30));
        let bytes = write_arrow(vec![("time", rows)]);
        let error = BatchFormat::Arrow.open(&bytes, None).map(|_| ()).unwrap_err();
        assert!(error.message().contains("found 1073741824 rows of 1 column"), "{error}");
    }
}
