//! Background work: checks, listings and exports.

pub(super) mod exporting;
pub(super) mod issues;
mod job;
pub(super) mod listed;

pub use crate::capture::BurnIn;
pub use exporting::{ExportOrder, Exported, Exports};
pub use issues::Issues;
pub use job::{Busy, Crashed, Job, Jobs, Progress};
pub use listed::Listed;
