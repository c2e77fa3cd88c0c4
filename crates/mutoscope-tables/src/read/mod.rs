//! Parquet, Arrow and MCAP as recordings.
//!
//! | file | what it does |
//! |---|---|
//! | `batches` | Parquet and Arrow, batch by batch of rows |
//! | `flatten` | batches as columns of a table; structs and lists are taken apart |
//! | `own` | our own tables of poses, signals and events |
//! | `mcap` | logs of transforms |

mod batches;
mod flatten;
mod mcap;
mod own;

use mutoscope_core::{
    diagnostics::{Error, Notices},
    formats::{self, DecodeContext, Recognition},
};
use mutoscope_logs::container::{self, Container, Contents};

use batches::{Batches, Kind};

static CONTAINERS: [Container; 2] = [
    Container {
        is_one: |bytes| Kind::Parquet.begins(bytes),
        recognise: |bytes| recognise(Kind::Parquet, bytes),
        read: |bytes, context, notices| read(Kind::Parquet, bytes, context, notices),
    },
    Container {
        is_one: |bytes| Kind::Arrow.begins(bytes),
        recognise: |bytes| recognise(Kind::Arrow, bytes),
        read: |bytes, context, notices| read(Kind::Arrow, bytes, context, notices),
    },
];

/// Registers the readers.
pub(super) fn register() {
    mutoscope_logs::register();
    container::register(&CONTAINERS);
    formats::register(&mcap::FORMATS);
}

/// The rows that a table is recognised by.
const ROWS: usize = 1024;

/// A table is recognised if it has the poses of one of our exports, or columns that are a recording.
fn recognise(kind: Kind, bytes: &[u8]) -> Recognition {
    if !kind.is_whole(bytes) {
        // Only its beginning is known, or it is cut off: reading says which.
        return Recognition::Plausible;
    }
    let Ok(batches) = kind.read(bytes, Some(ROWS)) else { return Recognition::Plausible };
    match batches.metadata.get("mutoscope.table").cloned().as_deref() {
        Some("poses") => Recognition::Certain,
        Some(_) => Recognition::No,
        None if is_recording(kind, &batches) => Recognition::Plausible,
        None => Recognition::No,
    }
}

/// Whether a table is a recording: by its columns alone, or else by its first rows.
fn is_recording(kind: Kind, batches: &Batches<'_>) -> bool {
    let of_schema = flatten::table_of_schema(kind.version(), &batches.schema);
    of_schema.is_some_and(mutoscope_logs::is_recording)
        || flatten::table(kind.version(), batches).is_ok_and(mutoscope_logs::is_recording)
}

fn read(
    kind: Kind,
    bytes: &[u8],
    context: &DecodeContext<'_>,
    notices: &mut Notices,
) -> Result<Contents, Error> {
    let batches = kind.read(bytes, None)?;
    if let Some(clip) = own::read(kind, &batches, context, notices)? {
        return Ok(Contents::Clip(Box::new(clip)));
    }
    Ok(Contents::Table(Box::new(flatten::table(kind.version(), &batches)?)))
}
