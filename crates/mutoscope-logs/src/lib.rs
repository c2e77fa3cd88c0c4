//! Reads tables of hands, eyes and bodies as motion recordings: CSV and JSON lines from any
//! program, text files from OptiTrack Motive, Vicon and Qualisys, TRC, C3D, and folders of Pupil Neon.
//!
//! ```text
//! bytes ─▶ text, or a container of another crate ─▶ Table ─▶ Plan ─▶ Clip
//!                                                             ▲
//!                                     column names, or a mapping file
//! ```
//!
//! `docs/formats/tables.md` describes the rules.
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | `text` | reads text tables: encoding, separators, headers, JSON lines |
//! | `c3d` | reads C3D: points, analog channels and events of motion capture |
//! | [`table`] | holds columns of cells, independent of the container |
//! | `kitti` | recognises the rows of a KITTI trajectory |
//! | `matrices` | splits columns of matrices into positions, rotations and scales |
//! | `names` | parses column names: words, units, quantities, hand joints |
//! | `neon` | reads native folders of Pupil Neon |
//! | `numbering` | knows which joints numbers mean in the output of trackers |
//! | `catalogue` | knows programs by their column names |
//! | `codes` | declares the codes of diagnostics |
//! | `mapping` | reads and writes the mapping file in TOML |
//! | `plan` | decides which columns are the time, nodes, signals and events |
//! | `build` | builds the clip of a table from its plan |
//! | `own` | reads our own CSV exports, and the output of `sample` |
//! | [`skeleton`] | derives bones, sides and kinds of nodes from their names |
//! | [`sampled`] | builds clips from sampled nodes, for containers that need no recognition |

mod build;
mod c3d;
mod catalogue;
mod codes;
mod kitti;
mod mapping;
mod matrices;
mod names;
mod neon;
mod numbering;
mod own;
mod plan;
pub mod sampled;
pub mod skeleton;
pub mod table;
mod text;

use std::io;

use mutoscope_core::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Code, Diagnostics, Error, ErrorKind, SourceLocation},
    formats::{Decode, Format, FormatSet, ReadOptions, Recognition, SourceFile},
};

use mapping::{Mapping, TableOptions};
use plan::Plan;

/// The id of the table format.
pub const FORMAT_ID: FormatId = FormatId::new("table");

/// The axes and units of a log, from a mapping file or from the log.
pub use build::dates::parse_nanoseconds;
pub use mapping::{LogSpace, log_space};

/// Entries of the user in the catalogue of programs.
pub use catalogue::{add_entry, add_user_entries};

/// Changes to a mapping, for when recognition was wrong.
pub use mapping::{ColumnRole, MappingChange, change_mapping};

/// Questions about columns, and their answers.
pub use mapping::{ReadingNumber, choose_readings, format_questions};

/// Mapping files from disk and as JSON.
pub use mapping::{mapping_from_json, mapping_to_json, read_mapping_file};

/// The codes of diagnostics about tables, TRC files and C3D files.
pub const CODES: &[&[Code]] = &[codes::table::CODES, codes::trc::CODES, codes::c3d::CODES];

const DEFAULT_FRAME_RATE_HZ: f64 = 60.0;

const MAPPING_EXTENSION: &str = ".columns.toml";

static FORMATS: [Format; 1] = [FORMAT];

/// The format of tables. Crates that read other encodings of tables copy it.
pub const FORMAT: Format = Format {
    id: FORMAT_ID,
    name: "Table",
    extensions: &[
        "csv", "tsv", "txt", "jsonl", "ndjson", "trc", "c3d", "dtype", "parquet", "arrow",
        "feather",
    ],
    between_keys: "linear from row to row, rotations the short way",
    contents: &[
        Content::Motion,
        Content::Visibility,
        Content::Scales,
        Content::Signals,
        Content::Events,
    ],
    recognise,
    decode: Decode::Whole(decode),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: Some(explain_rejection),
};

/// Returns the format of tables as text, and of C3D files.
pub fn formats() -> FormatSet {
    FormatSet { formats: &FORMATS, codes: CODES, ..FormatSet::default() }
}

fn recognise(bytes: &[u8]) -> Recognition {
    if c3d::is_c3d(bytes) || neon::has_poses(bytes) {
        return Recognition::Certain;
    }
    if text::is_trc(bytes) {
        return Recognition::Certain;
    }
    if !text::may_be_text(bytes) {
        return Recognition::No;
    }
    match check_text(bytes) {
        Ok(()) => Recognition::Plausible,
        Err(_) => Recognition::No,
    }
}

/// The reason why a text file is not a table of a recording.
enum Rejection {
    /// The text is no table, or any kind of JSON file.
    NoTable,
    WithoutRows {
        columns: Vec<String>,
    },
    /// The columns are not those of a recording.
    OtherColumns(Error),
}

fn check_text(bytes: &[u8]) -> Result<(), Rejection> {
    let mut diagnostics = Diagnostics::new();
    let start = text::leading_lines(bytes);
    // The header of a motion capture file may be longer than its first lines, and positions may
    // follow only after the samples of devices.
    if start.len() < bytes.len() && text::is_motion_capture(start) {
        return Ok(());
    }
    let table = text::parse_table(start, &TableOptions::default(), &mut diagnostics);
    let mut table = table.map_err(|_| Rejection::NoTable)?;
    own::assign_roles(&mut table);
    // Do not recognise a single JSON object, because it could be any kind of file.
    let is_json = matches!(table.version, "json" | "jsonl");
    let objects = table.rows + table.broken_lines;
    let is_any_json =
        is_json && !table.declared.is_own && (objects < 2 || table.broken_lines > table.rows);
    if is_any_json || table.columns.len() < 2 {
        return Err(Rejection::NoTable);
    }
    if table.rows == 0 && !own::is_table_of_measures(&table) {
        // A table may also be separated by blanks. Then any prose would be a header.
        let has_separator = start.iter().any(|byte| matches!(byte, b',' | b';' | b'\t'));
        if !has_separator {
            return Err(Rejection::NoTable);
        }
        let columns = table.columns.into_iter().map(|column| column.name).collect();
        return Err(Rejection::WithoutRows { columns });
    }
    check_columns(table).map_err(Rejection::OtherColumns)
}

/// # Errors
/// If the columns do not form a recording without a mapping of the user.
fn check_columns(mut table: table::Table) -> Result<(), Error> {
    matrices::split_matrices(&mut table, &mut Diagnostics::new());
    let chosen = Mapping::default();
    let mapping = catalogue::complete_mapping(&chosen, &table, None);
    Plan::for_table(&table, &mapping).map(drop)
}

fn explain_rejection(bytes: &[u8]) -> Option<String> {
    if !text::may_be_text(bytes) || bytes.trim_ascii_start().starts_with(b"<") {
        return None;
    }
    if neon::is_layout(bytes) {
        return Some(
            "a stream of Pupil Neon without poses in space. Open eye_state.dtype or imu.dtype in the \
             same folder"
                .to_owned(),
        );
    }
    match check_text(bytes).err()? {
        Rejection::NoTable => None,
        Rejection::WithoutRows { columns } => Some(format!(
            "a table without rows: only a header with the columns {}",
            table::quote_names(columns.iter().map(String::as_str))
        )),
        Rejection::OtherColumns(error) => Some(describe_rejected_table(&error)),
    }
}

fn describe_rejected_table(error: &Error) -> String {
    format!("a table that is not a recording: {}", error.message())
}

/// Returns `true` if the columns of a container's table form a recording.
pub fn is_recording(table: table::Table) -> bool {
    explain_table(table).is_none()
}

/// Explains why the columns of a container's table do not form a recording. Returns `None` if they
/// do.
pub fn explain_table(table: table::Table) -> Option<String> {
    check_columns(table).err().map(|error| describe_rejected_table(&error))
}

fn decode(
    bytes: &[u8],
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    decode_with_mapping(file, options, diagnostics, |table_options, diagnostics| {
        if c3d::is_c3d(bytes) {
            return c3d::read(bytes, diagnostics);
        }
        if neon::is_layout(bytes) {
            return neon::read(bytes, file, diagnostics);
        }
        if bytes.is_empty() {
            return Err(Error::malformed(SourceLocation::File, "a table", "an empty file"));
        }
        let mut table = text::read_table(bytes, table_options, diagnostics)?;
        own::assign_roles(&mut table);
        Ok(table)
    })
}

/// Recognises the columns of a table in `file` that another crate reads with `read`, and builds the
/// clip.
///
/// # Errors
/// If `read` fails, if the columns do not form a recording, or if the mapping file is invalid.
pub fn decode_table(
    read: impl Fn(&mut Diagnostics) -> Result<table::Table, Error>,
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    decode_with_mapping(file, options, diagnostics, |table_options, diagnostics| {
        let mut table = read(diagnostics)?;
        table.remove_missing(&table_options.missing_numbers());
        Ok(table)
    })
}

fn decode_with_mapping(
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&TableOptions, &mut Diagnostics) -> Result<table::Table, Error>,
) -> Result<Clip, Error> {
    catalogue::report_broken_entries(diagnostics);
    let mut mapping = find_mapping(file, options, diagnostics)?;
    mapping.time.rate_hz = options.frame_rate.or(mapping.time.rate_hz);
    build_clip(file, &mapping, diagnostics, read).map_err(|error| match error.kind() {
        // If the user did not pass a mapping file, the fault is in the mapping file next to the
        // table. The command line is then not wrong.
        ErrorKind::InvalidOptions if options.columns.is_none() => {
            Error::unsupported(SourceLocation::File, error.message())
        }
        _ => error,
    })
}

fn build_clip(
    file: &SourceFile<'_>,
    mapping: &Mapping,
    diagnostics: &mut Diagnostics,
    read: impl Fn(&TableOptions, &mut Diagnostics) -> Result<table::Table, Error>,
) -> Result<Clip, Error> {
    let read = |table_options: &TableOptions, diagnostics: &mut Diagnostics| {
        let mut table = read(table_options, diagnostics)?;
        if table.rows == 0 {
            return Err(Error::malformed(SourceLocation::File, "rows", "none"));
        }
        matrices::split_matrices(&mut table, diagnostics);
        Ok(table)
    };
    let before = diagnostics.clone();
    let mut table = read(&mapping.table, diagnostics)?;
    let mut completed = catalogue::complete_mapping(mapping, &table, known_name(file));
    // An entry of the catalogue may state how the text is separated into cells.
    if completed.table != mapping.table {
        *diagnostics = before;
        table = read(&completed.table, diagnostics)?;
        completed = catalogue::complete_mapping(mapping, &table, known_name(file));
    }
    let plan = Plan::for_table(&table, &completed)?;
    build::build_clip(FORMAT_ID, table, &plan, &completed, mapping, diagnostics)
}

/// Returns the median. `None` if there are no numbers.
fn median(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    (middle < numbers.len()).then(|| *numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}

fn known_name<'a>(file: &SourceFile<'a>) -> Option<&'a str> {
    Some(file.name).filter(|name| !name.is_empty())
}

fn find_mapping(
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Mapping, Error> {
    if let Some(file) = &options.columns {
        let parsed = Mapping::parse(&file.name, &file.text).map_err(Error::invalid_options)?;
        return Ok(parsed.with_file(&file.name, &file.text, false));
    }
    let Some(name) = known_name(file).map(mapping_name) else { return Ok(Mapping::default()) };
    let text = match file.sidecars.read(&name) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            let is_absent = matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
            );
            if !is_absent {
                let message =
                    format!("cannot read {name}: {error}; using the names of the columns");
                diagnostics
                    .warning(codes::table::MAPPING_UNREADABLE, SourceLocation::File, message)
                    .with("name", name);
            }
            return Ok(Mapping::default());
        }
    };
    diagnostics
        .info(
            codes::table::MAPPING_USED,
            SourceLocation::File,
            format!("using the mapping file {name} next to the table"),
        )
        .with("name", name.as_str());
    let parsed = Mapping::parse(&name, &text);
    let parsed = parsed.map_err(|message| Error::unsupported(SourceLocation::File, message))?;
    Ok(parsed.with_file(&name, &text, true))
}

/// Returns `true` if the mapping file begins with a title that Mutoscope writes, so that the user
/// has not edited its first lines.
pub fn is_printed_mapping(text: &str) -> bool {
    mapping::TITLES.iter().any(|title| text.starts_with(title))
}

/// Returns the name of the mapping file that belongs next to a table.
pub fn mapping_name(table: &str) -> String {
    let stem = match table.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => table,
    };
    format!("{stem}{MAPPING_EXTENSION}")
}
