//! Labels are named ranges of a recording on tiers. This module reads and writes the files that
//! hold them.
//!
//! | file | what it does |
//! |---|---|
//! | `format` | the formats of label files and their extensions |
//! | `file` | reads and writes label files, formats messages about them |
//! | `codes` | the codes of diagnostics |
//! | `csv` | tables with the columns `start_s,end_s,label[,tier]` |
//! | `eaf` | ELAN annotations |
//! | `text_grid` | Praat TextGrids, long and short |
//! | `tokens` | splits a TextGrid into strings and numbers |
//! | `tiers` | sorts labels into tiers without overlaps, for formats that require them |
//! | `sidecar` | finds the label file next to a recording |

pub(crate) mod codes;
mod csv;
mod eaf;
mod file;
mod format;
mod sidecar;
mod text_grid;
mod tiers;
mod tokens;

pub use file::{LabelFileError, message_for_diagnostic, read_file, write_file};
pub use format::{LabelFormat, read, write};
pub use sidecar::{find_sidecar, sidecar_paths};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Diagnostics, Error},
};

/// A named range of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// The start, in seconds of clip time.
    pub start: f64,
    /// The end, in seconds of clip time; not before the start. A point ends where it starts.
    pub end: f64,
    /// The name.
    pub label: String,
    /// The tier of the label, if any.
    pub tier: Option<String>,
}

/// The labels of a file, in file order, and the problems in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// The labels.
    pub labels: Vec<Label>,
    /// Diagnostics about content that was changed or skipped.
    pub diagnostics: Diagnostics,
}

/// The result of reading a label file.
pub type Result<T> = std::result::Result<T, Error>;

/// Converts the events of a recording to labels. Each label lasts until the next event, and the
/// last one until the end of the recording.
pub fn labels_from_markers(clip: &Clip) -> Vec<Label> {
    let mut markers: Vec<(f64, &str)> = clip.events.iter().map(|it| (it.time, &*it.name)).collect();
    markers.retain(|(time, _)| time.is_finite());
    markers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ends: Vec<f64> =
        markers.iter().skip(1).map(|next| next.0).chain([clip.span.end()]).collect();
    let label = |((start, name), end): (&(f64, &str), f64)| Label {
        start: *start,
        end: end.max(*start),
        label: (*name).to_owned(),
        tier: None,
    };
    markers.iter().zip(ends).map(label).collect()
}
