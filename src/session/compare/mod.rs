//! What plays beside the recording: other recordings, and the reference footage.

pub(super) mod comparing;
pub(super) mod footage;

pub use comparing::{Comparing, Measured};
pub use footage::{FootagePlace, OpenFootage, SavedFootage};
