//! Converts record batches to the columns of a table. Structs and lists are split into columns with
//! dotted names.

use std::{collections::HashMap, iter, sync::Arc};

use arrow_array::{
    Array, ArrowPrimitiveType, BooleanArray, GenericListArray, OffsetSizeTrait, PrimitiveArray,
    cast::AsArray, types,
};
use arrow_schema::{DataType, Schema, TimeUnit};
use mutoscope_core::diagnostics::Error;
use mutoscope_logs::table::{Column, Table, is_missing, item_names};

use super::batches::Batches;

pub(super) fn flatten(version: &'static str, batches: &Batches<'_>) -> Result<Table, Error> {
    // In our own exports, words such as `none` are strings, because these exports do not use words
    // for missing values.
    let is_own = batches.metadata.contains_key("mutoscope.table");
    let mut flattener =
        Flattener { table: Table::new(version), known: HashMap::new(), start: 0, is_own };
    let rows = batches.rows.min(u32::MAX as usize);
    flattener.table.rows = rows;
    for field in batches.schema.fields() {
        flattener.declare_field(field.name(), field.data_type());
    }
    for (index, field) in batches.schema.fields().iter().enumerate() {
        if let Some(mut numbers) = NumberColumn::for_field(field.data_type(), batches) {
            batches.read_field(index, |start, array| numbers.add(start, array))?;
            let column = flattener.column_index(field.name().clone(), false);
            match numbers.are_finite {
                true => flattener.table.set_numbers(column, numbers.numbers),
                false => flattener.table.push_numbers(column, 0, &numbers.numbers),
            }
            continue;
        }
        batches.read_field(index, |start, array| {
            flattener.start = start;
            flattener.add_array(field.name(), array);
        })?;
    }
    Ok(flattener.table)
}

/// Returns a table with one row. Each column has a sample value that does not come from the file.
/// Returns `None` if the schema has lists, because their lengths decide the columns.
pub(super) fn sample_table(version: &'static str, schema: &Schema) -> Option<Table> {
    let mut flattener =
        Flattener { table: Table::new(version), known: HashMap::new(), start: 0, is_own: false };
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
    /// Allocates space for a field, if its type fits into an f64 without loss.
    fn for_field(data_type: &DataType, batches: &Batches<'_>) -> Option<Self> {
        use DataType::{Float32, Float64, Int8, Int16, Int32, UInt8, UInt16, UInt32};
        /// The row count of a broken file may be wrong, so do not allocate more rows than this in
        /// advance.
        const MAX_PREALLOCATED_ROWS: usize = 1 << 26;
        let holds =
            matches!(data_type, Float64 | Float32 | Int8 | Int16 | Int32 | UInt8 | UInt16 | UInt32);
        (holds && batches.rows <= MAX_PREALLOCATED_ROWS).then(|| Self {
            numbers: iter::repeat_n(f64::NAN, batches.rows).collect(),
            are_finite: true,
        })
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

struct Flattener {
    table: Table,
    known: HashMap<String, usize>,
    start: usize,
    is_own: bool,
}

/// Longer lists lose their remaining items.
const MAX_LIST_ITEMS: usize = 1024;

impl Flattener {
    fn declare_field(&mut self, path: &str, data_type: &DataType) {
        match data_type {
            DataType::Struct(fields) => {
                for field in fields {
                    self.declare_field(&format!("{path}.{}", field.name()), field.data_type());
                }
            }
            // Do not declare columns, because the lengths of these lists are known only when rows
            // are read.
            DataType::List(_) | DataType::LargeList(_) => {}
            DataType::FixedSizeList(_, length) => {
                let length = usize::try_from(*length).unwrap_or(0).min(MAX_LIST_ITEMS);
                for item in 0..length {
                    self.item_column(path, length, item);
                }
            }
            other => {
                let column = self.column_index(path.to_owned(), false);
                self.table.columns[column].time_unit = time_unit(other);
            }
        }
    }

    fn add_sample(&mut self, path: &str, data_type: &DataType) -> Option<()> {
        match data_type {
            DataType::Struct(fields) => {
                for field in fields {
                    self.add_sample(&format!("{path}.{}", field.name()), field.data_type())?;
                }
            }
            DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => {
                return None;
            }
            other => {
                let column = self.column_index(path.to_owned(), false);
                match other {
                    DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                        self.table.push_text(column, 0, "left");
                    }
                    other if other.is_numeric() || time_unit(other).is_some() => {
                        self.table.push_number(column, 0, 1.0);
                    }
                    DataType::Boolean => self.table.push_bool(column, 0, true),
                    _ => return None,
                }
            }
        }
        Some(())
    }

    fn column_index(&mut self, path: String, is_list_item: bool) -> usize {
        if let Some(known) = self.known.get(&path) {
            return *known;
        }
        let column = match is_list_item {
            true => Column::list_item(path.clone()),
            false => Column::new(path.clone()),
        };
        self.table.columns.push(column);
        self.known.insert(path, self.table.columns.len() - 1);
        self.table.columns.len() - 1
    }

    fn item_column(&mut self, path: &str, length: usize, item: usize) -> usize {
        let name = item_names(path, length).get(item);
        let name = name.map_or_else(|| item.to_string(), |name| (*name).to_owned());
        self.column_index(format!("{path}.{name}"), true)
    }

    fn add_array(&mut self, path: &str, array: &dyn Array) {
        match array.data_type() {
            DataType::Struct(_) => {
                let array = array.as_struct();
                for (field, child) in array.fields().iter().zip(array.columns()) {
                    // A null struct has no values, even if its children do.
                    if array.null_count() == 0 {
                        self.add_array(&format!("{path}.{}", field.name()), &**child);
                    } else {
                        self.add_child(&format!("{path}.{}", field.name()), &**child, array);
                    }
                }
            }
            DataType::List(_) => self.add_list::<i32>(path, array.as_list()),
            DataType::LargeList(_) => self.add_list::<i64>(path, array.as_list()),
            DataType::FixedSizeList(_, _) => {
                let array = array.as_fixed_size_list();
                for row in (0..array.len()).filter(|row| array.is_valid(*row)) {
                    self.add_items(path, row, &*array.value(row));
                }
            }
            _ => {
                let column = self.column_index(path.to_owned(), false);
                let end = self.start + array.len();
                if let Some(numbers) = array.as_primitive_opt::<types::Float64Type>()
                    && numbers.null_count() == 0
                    && end <= u32::MAX as usize
                {
                    return self.table.push_numbers(column, self.start, numbers.values());
                }
                for row in 0..array.len() {
                    self.add_cell(column, self.start + row, array, row);
                }
            }
        }
    }

    fn add_child(&mut self, path: &str, child: &dyn Array, parent: &dyn Array) {
        if matches!(child.data_type(), DataType::Struct(_) | DataType::List(_)) {
            return self.add_array(path, child);
        }
        let column = self.column_index(path.to_owned(), false);
        for row in (0..child.len()).filter(|row| parent.is_valid(*row)) {
            self.add_cell(column, self.start + row, child, row);
        }
    }

    fn add_list<O: OffsetSizeTrait>(&mut self, path: &str, array: &GenericListArray<O>) {
        for row in (0..array.len()).filter(|row| array.is_valid(*row)) {
            self.add_items(path, row, &*array.value(row));
        }
    }

    fn add_items(&mut self, path: &str, row: usize, items: &dyn Array) {
        for item in 0..items.len().min(MAX_LIST_ITEMS) {
            let column = self.item_column(path, items.len(), item);
            self.add_cell(column, self.start + row, items, item);
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
            _ => {}
        }
    }
}

impl Flattener {
    fn add_text(&mut self, column: usize, row: usize, text: &str) {
        match (self.is_own, text.trim()) {
            (true, _) => self.table.push_text(column, row, text),
            (false, text) if is_missing(text) => {}
            (false, text) => self.table.push_text(column, row, text),
        }
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
    match data_type {
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
