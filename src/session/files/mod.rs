//! Lists the files of a folder, loads files, and holds the open recordings.

pub(super) mod decoding;
mod file_list;
mod file_order;
pub(super) mod folder;
pub(super) mod loading;
pub(super) mod open;
pub(super) mod open_job;
pub(super) mod previews;
mod same_node;
mod samples;
pub(super) mod sorting;
mod thumbnail;
#[cfg(not(target_family = "wasm"))]
pub(super) mod watch;
pub(super) mod writing;

pub use file_list::{
    AttachedSkeleton, Confirmation, FileFailure, Files, ListOrigin, Loading, Source,
};
pub use file_order::{FileOrder, FileSort};
pub use folder::recordings_in;
pub use open::{OpenRecording, OpenRecordings, SessionClock, recording_letter};
pub use previews::{FilePreview, RecordingPreview};
pub(crate) use same_node::find_same_node;
pub use samples::{SAMPLES, Sample};
pub use thumbnail::{Stroke, Thumbnail};
