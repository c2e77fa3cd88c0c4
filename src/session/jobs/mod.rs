//! Background jobs: checks, file listings and exports.

pub(super) mod diagnostics;
pub(super) mod exporting;
pub(super) mod file_listing;
mod job;

pub use crate::capture::BurnIn;
pub use diagnostics::RecordingDiagnostics;
pub use exporting::{ExportRequest, Exported, Exports};
pub use file_listing::FileListing;
pub use job::{Busy, Crashed, Job, Jobs, Progress};
