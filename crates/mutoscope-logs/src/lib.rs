//! Tables of hands, eyes and bodies as motion recordings: CSV and JSON lines by whichever program, and
//! text by OptiTrack Motive, Vicon and in TRC; C3D.
//!
//! ```text
//! bytes ─▶ text, or a container of another crate ─▶ Table ─▶ Plan ─▶ Clip
//!                                                             ▲
//!                                 names of columns, or a mapping file
//! ```
//!
//! `docs/formats/tables.md` describes the rules.
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | `text` | tables in text: characters, separators, headers, JSON lines |
//! | `c3d` | C3D: points, analog channels and events of motion capture |
//! | [`table`] | columns of cells, whatever container they are from |
//! | `matrices` | columns of matrices, taken apart into positions and rotations |
//! | `names` | names of columns: words, units, quantities, joints of hands |
//! | `mapping` | the mapping file in TOML |
//! | `plan` | which column is the time, a node, a signal, an event |
//! | `build` | the clip of a table by its plan |
//! | `own` | our own exports in CSV |
//! | [`skeleton`] | nodes by their names: hands with bones, heads, rays |
//! | [`sampled`] | clips of nodes that were sampled, for containers that need no recognition |
//! | [`container`] | containers of other crates, such as Parquet |

mod build;
mod c3d;
pub mod container;
mod mapping;
mod matrices;
mod names;
mod own;
mod plan;
pub mod sampled;
pub mod skeleton;
pub mod table;
mod text;

use std::io;

use mutoscope_core::{
    clip::{Clip, FormatId},
    diagnostics::{Error, ErrorKind, Notices, Severity, SourceLocation},
    formats::{self, Decode, DecodeContext, Format, Recognition},
};

use container::{Container, Contents};
use mapping::{Mapping, TableOptions};
use plan::Plan;

/// The id of the format: its word is `table`.
pub const FORMAT_ID: FormatId = FormatId::new("table");

/// The axes and units of a log, by a mapping file or else as given.
pub use mapping::{LogSpace, log_space};

/// Changing a mapping where it does not fit.
pub use mapping::{ColumnRole, MappingChange, changed_mapping};

/// Mapping files, from disk and as JSON.
pub use mapping::{mapping_as_json, mapping_file, mapping_of_json};

/// The frames a second where nothing states them.
const FRAME_RATE: f64 = 60.0;

/// The ending of mapping files in place of the extension of their table.
const MAPPING: &str = ".columns.toml";

/// The row of the registry.
static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "Table",
    extensions: &[
        "csv", "tsv", "txt", "jsonl", "ndjson", "trc", "c3d", "parquet", "arrow", "feather",
    ],
    between_keys: "linear from row to row, rotations the short way",
    recognise,
    decode: Decode::Whole(decode),
    rig: None,
    variants: &[],
    animations: None,
    unpacked: None,
}];

/// Registers the format, so that tables are recognised and decoded.
pub fn register() {
    formats::register(&FORMATS);
}

/// A table is recognised if its columns are a recording: times, and positions or directions.
fn recognise(bytes: &[u8]) -> Recognition {
    if let Some(container) = Container::of(bytes) {
        return (container.recognise)(bytes);
    }
    if c3d::is_one(bytes) {
        return Recognition::Certain;
    }
    if !text::may_be_text(bytes) {
        return Recognition::No;
    }
    let mut notices = Notices::new();
    let start = text::beginning(bytes);
    let Ok(mut table) = text::read(start, &TableOptions::default(), &mut notices) else {
        return Recognition::No;
    };
    // A single object of JSON may be anything, and so is one of several lines.
    let is_broken = notices.worst() == Some(Severity::Error);
    if table.version == "jsonl" && (table.rows < 2 || is_broken) {
        return Recognition::No;
    }
    own::recognise(&mut table);
    matrices::take_apart(&mut table, &mut notices);
    match Plan::of(&table, &Mapping::default()) {
        Ok(_) => Recognition::Plausible,
        Err(_) => Recognition::No,
    }
}

/// Whether the columns of a table of a container are a recording.
pub fn is_recording(mut table: table::Table) -> bool {
    matrices::take_apart(&mut table, &mut Notices::new());
    Plan::of(&table, &Mapping::default()).is_ok()
}

fn decode(bytes: &[u8], context: &DecodeContext<'_>, notices: &mut Notices) -> Result<Clip, Error> {
    let mapping = mapping_of(context, notices)?;
    let is_beside = context.columns.is_none();
    decode_by(bytes, context, &mapping, notices).map_err(|error| match error.kind() {
        // The file beside the table was not asked for on the command line.
        ErrorKind::WrongOptions if is_beside => {
            Error::unsupported(SourceLocation::File, error.message())
        }
        _ => error,
    })
}

fn decode_by(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    mapping: &Mapping,
    notices: &mut Notices,
) -> Result<Clip, Error> {
    let mut table = match Container::of(bytes) {
        Some(container) => match (container.read)(bytes, context, notices)? {
            Contents::Clip(clip) => return Ok(*clip),
            Contents::Table(mut table) => {
                table.drop_missing(&mapping.table.missing_numbers());
                *table
            }
        },
        None if c3d::is_one(bytes) => c3d::read(bytes, notices)?,
        None if bytes.is_empty() => {
            return Err(Error::malformed(SourceLocation::File, "a table", "an empty file"));
        }
        None => {
            let mut table = text::read(bytes, &mapping.table, notices)?;
            own::recognise(&mut table);
            table
        }
    };
    if table.rows == 0 {
        return Err(Error::malformed(SourceLocation::File, "rows", "none"));
    }
    matrices::take_apart(&mut table, notices);
    let plan = Plan::of(&table, mapping)?;
    build::clip(FORMAT_ID, table, &plan, mapping, notices)
}

/// The mapping that was given, or else the one that is kept beside the table.
fn mapping_of(context: &DecodeContext<'_>, notices: &mut Notices) -> Result<Mapping, Error> {
    if let Some(file) = context.columns {
        let parsed = Mapping::parse(&file.name, &file.text).map_err(Error::wrong_options)?;
        return Ok(parsed.read_by(&file.name, &file.text, false));
    }
    let Some(name) = context.name.map(mapping_name) else { return Ok(Mapping::default()) };
    let text = match context.sidecars.read(&name) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            let is_absent = matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
            );
            if !is_absent {
                let message = format!("{name} cannot be read: {error}; using the names of columns");
                notices.warning(SourceLocation::File, message);
            }
            return Ok(Mapping::default());
        }
    };
    notices.info(SourceLocation::File, format!("columns by the mapping file {name} beside it"));
    let parsed = Mapping::parse(&name, &text);
    let parsed = parsed.map_err(|message| Error::unsupported(SourceLocation::File, message))?;
    Ok(parsed.read_by(&name, &text, true))
}

/// Whether a mapping file is one that was printed or saved, and not edited from its first line on.
pub fn is_printed_mapping(text: &str) -> bool {
    mapping::TITLES.iter().any(|title| text.starts_with(title))
}

/// The name of the mapping file that is kept beside a table.
pub fn mapping_name(table: &str) -> String {
    let stem = match table.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => table,
    };
    format!("{stem}{MAPPING}")
}
