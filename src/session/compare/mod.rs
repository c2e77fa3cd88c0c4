//! Comparison with other recordings and with reference footage.

pub(super) mod comparing;
pub(super) mod footage;

pub use comparing::{Comparing, MeasuredDistances};
pub use footage::{FootagePhase, OpenFootage, SavedFootage};
