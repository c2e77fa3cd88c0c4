//! Other recordings and reference footage beside the recording.

pub(super) mod comparing;
pub(super) mod footage;

pub use comparing::{Comparing, Measured};
pub use footage::{FootagePlace, OpenFootage, SavedFootage};
