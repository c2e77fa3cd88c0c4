//! Reads the streams in a native folder of Pupil Neon. `eye_state.dtype` lists the fields of a
//! sample as NumPy would, `eye_state ps1.raw` has the samples, and `eye_state ps1.time` has their
//! times in nanoseconds. Long recordings continue in `ps2` and so on.

use std::io;

use mutoscope_core::{
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    formats::SourceFile,
};

use crate::{
    codes,
    table::{Column, Table},
};

const MAX_LAYOUT_BYTES: usize = 1 << 14;

const TIME_BYTES: usize = size_of::<i64>();

/// The column of times that are in a file of their own, as our catalogue names it.
const TIME: &str = "timestamp [ns]";

struct Field<'a> {
    name: &'a str,
    kind: &'a str,
    bytes: usize,
}

impl<'a> Field<'a> {
    fn new(name: &'a str, kind: &'a str) -> Option<Self> {
        let bytes = match kind.trim_start_matches(|first: char| !first.is_ascii_digit()) {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        let is_known = match kind.trim_end_matches(|last: char| last.is_ascii_digit()) {
            "int" | "uint" => true,
            "float" => bytes >= 4,
            _ => false,
        };
        is_known.then_some(Self { name, kind, bytes })
    }

    fn push(&self, table: &mut Table, column: usize, row: usize, bytes: &[u8]) {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        match self.kind {
            "float32" => {
                let number = f32::from_bits(u64::from_le_bytes(wide) as u32);
                table.push_number(column, row, f64::from(number));
            }
            "float64" => table.push_number(column, row, f64::from_le_bytes(wide)),
            "int8" | "int16" | "int32" => {
                // Shift the sign of the number to the sign of the wide integer, and back.
                let unused = 64 - 8 * bytes.len();
                table.push_integer(column, row, i64::from_le_bytes(wide) << unused >> unused);
            }
            _ => table.push_integer(column, row, i64::from_le_bytes(wide)),
        }
    }
}

/// Returns `true` if the bytes list the fields of samples with poses.
pub(crate) fn has_poses(bytes: &[u8]) -> bool {
    let is_pose =
        |field: &Field<'_>| matches!(field.name, "eyeball_center_left_x" | "quaternion_w");
    parse_layout(bytes).is_some_and(|fields| fields.iter().any(is_pose))
}

/// Returns `true` if the bytes list the fields of samples.
pub(crate) fn is_layout(bytes: &[u8]) -> bool {
    parse_layout(bytes).is_some()
}

/// Parses a list such as `[("x", "float32"), ("y", "float32")]`.
fn parse_layout(bytes: &[u8]) -> Option<Vec<Field<'_>>> {
    if bytes.len() > MAX_LAYOUT_BYTES || !bytes.trim_ascii_start().starts_with(b"[") {
        return None;
    }
    let text = str::from_utf8(bytes).ok()?;
    let parts: Vec<&str> = text.split(['"', '\'']).collect();
    let is_between =
        |part: &&str| part.chars().all(|it| "[](),".contains(it) || it.is_whitespace());
    if !parts.iter().step_by(2).all(is_between) {
        return None;
    }
    let strings: Vec<&str> = parts.into_iter().skip(1).step_by(2).collect();
    let (pairs, []) = strings.as_chunks::<2>() else { return None };
    let fields = pairs.iter().map(|[name, kind]| Field::new(name, kind));
    fields.collect::<Option<Vec<_>>>().filter(|fields| !fields.is_empty())
}

/// Reads the samples whose fields `bytes` lists, from the files next to `file`.
pub(crate) fn read(
    bytes: &[u8],
    file: &SourceFile<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Table, Error> {
    let fields = parse_layout(bytes).unwrap_or_default();
    let sample_bytes: usize = fields.iter().map(|field| field.bytes).sum();
    let has_times = fields.iter().any(|field| field.name == "timestamp_ns");
    let mut table = Table::new("neon");
    if !has_times {
        table.columns.push(Column::new(TIME));
    }
    table.columns.extend(fields.iter().map(|field| Column::new(field.name)));
    table.make_column_names_unique();
    let stem = file.name.strip_suffix(".dtype").unwrap_or(file.name);
    for part in 1.. {
        let name = format!("{stem} ps{part}.raw");
        let samples = match file.sidecars.read(&name) {
            Err(error) if part > 1 && error.kind() == io::ErrorKind::NotFound => break,
            samples => samples.map_err(|error| missing_file(&name, &error))?,
        };
        let times = match has_times {
            true => None,
            false => {
                let name = format!("{stem} ps{part}.time");
                Some(file.sidecars.read(&name).map_err(|error| missing_file(&name, &error))?)
            }
        };
        let count = samples.len() / sample_bytes;
        let times = times.as_deref().map(|times| times.as_chunks::<TIME_BYTES>().0);
        let timed = times.map_or(count, |times| count.min(times.len()));
        if timed * sample_bytes < samples.len() {
            let message = format!(
                "{name}: {} at its end are no whole sample with a time; skipped",
                format_count(samples.len() - timed * sample_bytes, "byte")
            );
            diagnostics.warning(codes::table::BROKEN_ROWS, SourceLocation::File, message);
        }
        for (index, sample) in samples.chunks_exact(sample_bytes).take(timed).enumerate() {
            let row = table.rows;
            let mut column = 0;
            if let Some(times) = times {
                table.push_integer(column, row, i64::from_le_bytes(times[index]));
                column += 1;
            }
            let mut rest = sample;
            for field in &fields {
                let (bytes, after) = rest.split_at(field.bytes);
                field.push(&mut table, column, row, bytes);
                (column, rest) = (column + 1, after);
            }
            table.rows += 1;
        }
    }
    Ok(table)
}

fn missing_file(name: &str, error: &io::Error) -> Error {
    Error::malformed(
        SourceLocation::File,
        format!("the file {name:?} in the same folder"),
        format!("none that can be read: {error}"),
    )
}
