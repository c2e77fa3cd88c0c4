//! Dialogs for labels over the viewport: naming a label, and exporting all labels.

mod export;
mod name;

pub(super) use export::{ExportLabelsState, export_labels_ui};
pub(super) use name::{NameState, name_ui};
