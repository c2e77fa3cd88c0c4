//! Reads Parquet, Arrow and MCAP files.
//!
//! | file | what it does |
//! |---|---|
//! | `batches` | reads Parquet and Arrow in batches of rows |
//! | `codes` | the codes of diagnostics |
//! | `flatten` | converts batches to table columns, and splits structs and lists |
//! | `limits` | limits the unpacked size of a file |
//! | `pages` | checks the page headers of Parquet |
//! | `own` | reads our own tables of poses, signals and events |
//! | `mcap` | reads logs of transforms |

mod batches;
mod codes;
mod flatten;
mod limits;
mod mcap;
mod own;
mod pages;

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Code, Diagnostics, Error},
    formats::{
        Decode, DecodeWhole, ExplainRejection, Format, ReadOptions, Recognition, SourceFile,
    },
};

use batches::{BatchFormat, Batches};

/// The codes of diagnostics about Parquet, Arrow and MCAP files.
pub const CODES: &[&[Code]] = &[codes::CODES, mcap::codes::CODES];

pub(super) static FORMATS: [Format; 3] = [
    encoding(
        |bytes| recognise(BatchFormat::Parquet, bytes),
        |bytes| explain_rejection(BatchFormat::Parquet, bytes),
        |bytes, file, options, diagnostics| {
            decode(BatchFormat::Parquet, bytes, file, options, diagnostics)
        },
    ),
    encoding(
        |bytes| recognise(BatchFormat::Arrow, bytes),
        |bytes| explain_rejection(BatchFormat::Arrow, bytes),
        |bytes, file, options, diagnostics| {
            decode(BatchFormat::Arrow, bytes, file, options, diagnostics)
        },
    ),
    mcap::FORMAT,
];

/// Returns an encoding of the format of tables.
const fn encoding(
    recognise: fn(&[u8]) -> Recognition,
    explain_rejection: ExplainRejection,
    decode: DecodeWhole,
) -> Format {
    Format {
        recognise,
        decode: Decode::Whole(decode),
        explain_rejection: Some(explain_rejection),
        ..mutoscope_logs::FORMAT
    }
}

/// Recognition reads at most this many rows.
const MAX_RECOGNITION_ROWS: usize = 1024;

fn recognise(kind: BatchFormat, bytes: &[u8]) -> Recognition {
    if !kind.has_magic(bytes) {
        return Recognition::No;
    }
    if !kind.is_complete(bytes) {
        // The file is cut off, or only its first bytes are here. Accept the file, so that reading
        // it reports the reason.
        return Recognition::Plausible;
    }
    let Ok(batches) = kind.open(bytes, Some(MAX_RECOGNITION_ROWS)) else {
        return Recognition::Plausible;
    };
    match batches.metadata.get("mutoscope.table").cloned().as_deref() {
        Some("poses") => Recognition::Certain,
        Some(_) => Recognition::No,
        None if is_recording(kind, &batches) => Recognition::Plausible,
        None => Recognition::No,
    }
}

fn explain_rejection(kind: BatchFormat, bytes: &[u8]) -> Option<String> {
    if !kind.has_magic(bytes) {
        return None;
    }
    let batches = kind.open(bytes, Some(MAX_RECOGNITION_ROWS)).ok()?;
    if let Some(table) = batches.metadata.get("mutoscope.table") {
        return Some(format!("a table of Mutoscope that is not a recording: {table}"));
    }
    let table = flatten::flatten(kind.version(), &batches, &mut Diagnostics::new()).ok()?;
    mutoscope_logs::explain_table(table)
}

/// Returns `true` if the columns form a recording. Looks at the first rows only if the schema is
/// not sufficient.
fn is_recording(kind: BatchFormat, batches: &Batches<'_>) -> bool {
    let of_schema = flatten::sample_table(kind.version(), &batches.schema);
    of_schema.is_some_and(mutoscope_logs::is_recording)
        // If the rows cannot be read, accept the file, so that reading it reports the reason.
        || flatten::flatten(kind.version(), batches, &mut Diagnostics::new())
            .map_or(true, mutoscope_logs::is_recording)
}

fn decode(
    kind: BatchFormat,
    bytes: &[u8],
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let batches = kind.open(bytes, None)?;
    if let Some(clip) = own::read_poses(kind, &batches, file, diagnostics)? {
        return Ok(clip);
    }
    let read =
        |diagnostics: &mut Diagnostics| flatten::flatten(kind.version(), &batches, diagnostics);
    mutoscope_logs::decode_table(read, file, options, diagnostics)
}
