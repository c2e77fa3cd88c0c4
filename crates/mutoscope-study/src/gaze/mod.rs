//! Gaze and head: saccades, fixations, looks at areas, loss of the eye.
//!
//! | file | what it does |
//! |---|---|
//! | `lost` | where a gaze is only the head's forward |
//! | `saccades` | saccades by velocity (I-VT) |
//! | `looks` | fixations and dwells as events |
//! | `measure` | the measures of a gaze over a range |
//! | `areas` | the measures of each area over a range |
//! | `head` | the measures of a head over a range |

pub(crate) mod areas;
pub(crate) mod head;
pub(crate) mod looks;
pub(crate) mod lost;
pub(crate) mod measure;
pub(crate) mod saccades;

pub use areas::AreaMeasures;
pub use looks::{DwellEvent, FixationEvent};
pub use saccades::{Saccade, saccades};
