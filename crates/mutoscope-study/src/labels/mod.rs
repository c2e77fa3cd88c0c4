//! Labels: ranges of a recording with a name, on tiers, and the files that hold them.
//!
//! | file | what it does |
//! |---|---|
//! | `format` | the formats of label files, by extension |
//! | `file` | label files on disk, and messages about them |
//! | `csv` | a table: `start_s,end_s,label[,tier]` |
//! | `eaf` | annotations of ELAN |
//! | `text_grid` | TextGrids of Praat, long and short |
//! | `tokens` | the strings and numbers of a TextGrid |
//! | `tiers` | labels as tiers that do not overlap themselves, for formats that need such |
//! | `sidecar` | the label files beside a recording |

mod csv;
mod eaf;
mod file;
mod format;
mod sidecar;
mod text_grid;
mod tiers;
mod tokens;

pub use file::{LabelFileError, message_of_notice, read_file, write_file};
pub use format::{LabelFormat, read, write};
pub use sidecar::{find_sidecar, sidecar_paths};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Error, Notices},
};

/// A range of a recording with a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Its start, in seconds of the recording.
    pub start: f64,
    /// Its end, in seconds of the recording; not before its start. A point ends where it starts.
    pub end: f64,
    /// Its name.
    pub label: String,
    /// The tier that it is on, if any.
    pub tier: Option<String>,
}

/// The labels of a file, in its order, and the issues in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// The labels.
    pub labels: Vec<Label>,
    /// Remarks on content that could not be kept as the file has it.
    pub notices: Notices,
}

/// A result of reading a label file.
pub type Result<T> = std::result::Result<T, Error>;

/// The events of a recording as labels: each lasts until the next, the last one until the end of the
/// recording.
pub fn labels_of_markers(clip: &Clip) -> Vec<Label> {
    let mut markers: Vec<(f64, &str)> = clip.events.iter().map(|it| (it.time, &*it.name)).collect();
    markers.retain(|(time, _)| time.is_finite());
    markers.sort_by(|one, other| one.0.total_cmp(&other.0));
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
