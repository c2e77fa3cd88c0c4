//! Labels: named ranges of a recording, and their files.

use std::path::{Path, PathBuf};

use mutoscope_core::{diagnostics::Severity, read::format_path};
use mutoscope_study::labels::{self, LabelFormat};
use pyo3::{
    exceptions::{PyUserWarning, PyValueError},
    prelude::*,
};

use crate::error;

/// A named range of a recording.
///
/// Parameters
/// ----------
/// start, end : float
///     Seconds of the recording. A point has the same start and end.
/// label : str
///     The name.
/// tier : str, optional
///     The tier of the label.
#[pyclass(frozen, eq, get_all, module = "mutoscope")]
#[derive(Clone, PartialEq)]
pub(crate) struct Label {
    /// The start, in seconds of the recording.
    start: f64,
    /// The end, in seconds of the recording.
    end: f64,
    /// The name.
    label: String,
    /// The tier, or None.
    tier: Option<String>,
}

#[pymethods]
impl Label {
    #[new]
    #[pyo3(signature = (start, end, label, tier=None))]
    fn new(start: f64, end: f64, label: String, tier: Option<String>) -> PyResult<Self> {
        if !(start.is_finite() && end.is_finite() && start <= end) {
            let message = format!("expected a range of seconds, found start={start} and end={end}");
            return Err(PyValueError::new_err(message));
        }
        Ok(Self { start, end, label, tier })
    }

    fn __getnewargs__(&self) -> (f64, f64, String, Option<String>) {
        let Self { start, end, label, tier } = self.clone();
        (start, end, label, tier)
    }

    fn __repr__(&self) -> String {
        let Self { start, end, label, .. } = self;
        format!("<Label {label:?} from {start} s to {end} s>")
    }
}

impl Label {
    pub(crate) fn to_library(&self) -> labels::Label {
        let Self { start, end, label, tier } = self.clone();
        labels::Label { start, end, label, tier }
    }
}

/// Reads the labels of a file: CSV with the columns ``start_s``, ``end_s``, ``label`` and
/// optionally ``tier``, ELAN (``.eaf``) or Praat (``.TextGrid``).
///
/// A `UserWarning` names content of the file that labels cannot keep.
///
/// Parameters
/// ----------
/// path : path
///     The extension selects the format.
///
/// Returns
/// -------
/// list of Label
///     In file order.
///
/// Raises
/// ------
/// Error
///     If the file cannot be read. It has the location in the file, and what was expected and
///     found.
/// ValueError
///     If the extension is unknown.
#[pyfunction(name = "labels")]
pub(crate) fn read_labels(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Label>> {
    let from_library = |one: labels::Label| {
        let labels::Label { start, end, label, tier } = one;
        Label { start, end, label, tier }
    };
    Ok(read_library_labels(py, &path)?.into_iter().map(from_library).collect())
}

/// Writes labels to a file of CSV, ELAN or Praat. The file is written atomically.
///
/// ELAN stores whole milliseconds. In ELAN and Praat, overlapping labels of a tier are moved to
/// another tier.
///
/// Parameters
/// ----------
/// labels : sequence of Label
/// path : path
///     The extension selects the format: csv, eaf or TextGrid.
///
/// Returns
/// -------
/// list of str
///     Messages about content that the format cannot store.
///
/// Raises
/// ------
/// Error
///     If the file cannot be written, or the format cannot store a label.
/// ValueError
///     If the extension is unknown.
#[pyfunction]
pub(crate) fn save_labels(
    py: Python<'_>,
    labels: Vec<Bound<'_, Label>>,
    path: PathBuf,
) -> PyResult<Vec<String>> {
    let format = label_format(&path)?;
    let labels: Vec<_> = labels.iter().map(|one| one.get().to_library()).collect();
    let written = py.detach(|| labels::write_file(&labels, format, &path));
    written.map_err(|why| {
        error::for_file(py, &format_path(&path), format!("cannot be written: {why}"))
    })
}

/// Reads the labels of a file. Its diagnostics become Python warnings.
pub(crate) fn read_library_labels(py: Python<'_>, path: &Path) -> PyResult<Vec<labels::Label>> {
    let (format, name) = (label_format(path)?, format_path(path));
    let read = py.detach(|| labels::read_file(path, format));
    let read = read.map_err(|why| error::from_label_error(py, &name, format, &why))?;
    for diagnostic in
        read.diagnostics.iter().filter(|diagnostic| diagnostic.severity != Severity::Info)
    {
        let message = labels::message_for_diagnostic(&name, format, diagnostic).to_string();
        let text = std::ffi::CString::new(message.replace('\0', "\\0"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(read.labels)
}

fn label_format(path: &Path) -> PyResult<LabelFormat> {
    LabelFormat::from_path(path).ok_or_else(|| {
        let words = LabelFormat::ALL.map(LabelFormat::extension).join(", ");
        let message =
            format!("expected a file with the extension {words}, found {:?}", format_path(path));
        PyValueError::new_err(message)
    })
}
