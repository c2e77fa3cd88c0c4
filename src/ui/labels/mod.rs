//! Labels over the viewport: naming one, and exporting them.

mod export;
mod name;

pub(super) use export::{ExportLabelsState, export_labels_ui};
pub(super) use name::{NameState, name_ui};
