//! Files: those of the folder, those being read, and those that are open.

mod file_list;
mod file_order;
pub(super) mod folder;
pub(super) mod loading;
pub(super) mod open;
pub(super) mod open_request;
pub(super) mod previews;
pub(super) mod reader;
mod same_node;
mod samples;
pub(super) mod sorting;
mod thumbnail;
#[cfg(not(target_family = "wasm"))]
pub(super) mod watch;
pub(super) mod writing;

pub use file_list::{Confirmation, FailedLoading, Files, Listing, Loading, RigFile, Source};
pub use file_order::{FileOrder, FileSort};
pub use folder::recordings_in;
pub use open::{OpenRecording, OpenRecordings, SessionClock, letter};
pub use previews::{FilePreview, RecordingPreview};
pub(crate) use same_node::same_node;
pub use samples::{SAMPLES, Sample};
pub use thumbnail::{Stroke, Thumbnail};
