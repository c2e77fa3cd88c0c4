//! Labels: named ranges of a recording, stored next to its file.
//!
//! | file | content |
//! |---|---|
//! | `command` | commands on labels |
//! | `history` | labels with undo and redo |
//! | `edited` | the labels of an open recording, with selection and naming |
//! | `reading` | reads the label file next to a recording |
//! | `saving` | writes labels |
//! | `measuring` | measures the labels |
//! | `reporting` | writes the report of all open recordings |

mod command;
mod edited;
mod history;
mod measuring;
mod reading;
mod reporting;
mod saving;

pub use command::{EditCommand, LabelCommand};
pub use edited::{EditedLabels, Naming};
pub(super) use measuring::measure_labels;
pub use measuring::{MeasuredRange, Measuring};
pub(super) use reading::{find_labels, read_labels};
pub use reporting::Reports;
pub(super) use reporting::{ReportInput, finish_report};
pub(super) use saving::{SaveOutcome, encode_labels, label_path, save_labels};
