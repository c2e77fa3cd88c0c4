//! Measures gaze and head: saccades, fixations, dwells on areas, loss of the gaze.
//!
//! | file | what it does |
//! |---|---|
//! | `loss` | detects when the gaze is lost |
//! | `saccades` | detects saccades by velocity (I-VT) |
//! | `events` | fixations and dwells as events |
//! | `measure` | computes the measures of a gaze over a range |
//! | `precision` | RMS of the angles between samples, standard deviation and BCEA |
//! | `areas` | computes the measures of each area over a range |
//! | `head` | computes the measures of a head over a range |

pub(crate) mod areas;
pub(crate) mod events;
pub(crate) mod head;
pub(crate) mod loss;
pub(crate) mod measure;
pub(crate) mod precision;
pub(crate) mod saccades;

pub use areas::AreaMeasures;
pub use events::{DwellEvent, FixationEvent};
pub use saccades::{Saccade, saccades};
