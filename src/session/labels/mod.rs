//! Labels: ranges with names, beside an open recording. Reading, editing, undo, saving, measures, reports.
//!
//! | file | what it does |
//! |---|---|
//! | `command` | commands about labels |
//! | `history` | labels, and edits that are undone and made again |
//! | `edited` | the labels of an open recording, and what is being done with them |
//! | `reading` | the label file beside a recording |
//! | `saving` | writing labels |
//! | `measuring` | the measures of the selected label |
//! | `reporting` | the report of all open recordings |

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
pub(super) use reading::{find_labels, read_file};
pub use reporting::Reports;
pub(super) use reporting::{Reported, finish_report};
pub(super) use saving::{Saving, label_path, save, written};
