//! Labels: ranges of a recording with a name, and their files.

use std::path::{Path, PathBuf};

use mutoscope_core::{diagnostics::Severity, read::path_text};
use mutoscope_study::labels::{self, LabelFormat};
use pyo3::{
    exceptions::{PyUserWarning, PyValueError},
    prelude::*,
};

use crate::error;

/// A range of a recording with a name.
///
/// Parameters
/// ----------
/// start, end : float
///     Seconds of the recording. A point ends where it starts.
/// label : str
///     Its name.
/// tier : str, optional
///     The tier that it is on.
#[pyclass(frozen, eq, get_all, module = "mutoscope")]
#[derive(Clone, PartialEq)]
pub(crate) struct Label {
    /// Its start, in seconds of the recording.
    start: f64,
    /// Its end, in seconds of the recording.
    end: f64,
    /// Its name.
    label: String,
    /// The tier that it is on, or None.
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
    /// The same for the library.
    pub(crate) fn of_library(&self) -> labels::Label {
        let Self { start, end, label, tier } = self.clone();
        labels::Label { start, end, label, tier }
    }
}

/// Reads the labels of a file: CSV with the columns ``start_s``, ``end_s``, ``label`` and perhaps ``tier``, ELAN
/// (``.eaf``) or Praat (``.TextGrid``).
///
/// A `UserWarning` names the content of a file that labels cannot keep.
///
/// Parameters
/// ----------
/// path : path
///     Its extension chooses the format.
///
/// Returns
/// -------
/// list of Label
///     In the order of the file.
///
/// Raises
/// ------
/// Error
///     If it cannot be read. It has the place in the file, what was expected and what was found.
/// ValueError
///     If its extension is another.
#[pyfunction(name = "labels")]
pub(crate) fn read_labels(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Label>> {
    let of_library = |one: labels::Label| {
        let labels::Label { start, end, label, tier } = one;
        Label { start, end, label, tier }
    };
    Ok(read(py, &path)?.into_iter().map(of_library).collect())
}

/// Writes labels as a file of CSV, ELAN or Praat. The file is written atomically.
///
/// ELAN has whole milliseconds. In ELAN and Praat, labels that overlap on a tier go to a further tier.
///
/// Parameters
/// ----------
/// labels : sequence of Label
/// path : path
///     Its extension chooses the format: csv, eaf or TextGrid.
///
/// Returns
/// -------
/// list of str
///     Sentences about content that the format cannot hold.
///
/// Raises
/// ------
/// Error
///     If it cannot be written, or the format has no way to hold a label.
/// ValueError
///     If its extension is another.
#[pyfunction]
pub(crate) fn save_labels(
    py: Python<'_>,
    labels: Vec<Bound<'_, Label>>,
    path: PathBuf,
) -> PyResult<Vec<String>> {
    let format = format_of(&path)?;
    let labels: Vec<_> = labels.iter().map(|one| one.get().of_library()).collect();
    let written = py.detach(|| labels::write_file(&labels, format, &path));
    written.map_err(|why| {
        error::about_file(py, &path_text(&path), format!("cannot be written: {why}"))
    })
}

/// The labels in a file. Its issues are warnings of Python.
pub(crate) fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<labels::Label>> {
    let (format, name) = (format_of(path)?, path_text(path));
    let read = py.detach(|| labels::read_file(path, format));
    let read = read.map_err(|why| error::of_labels(py, &name, format, &why))?;
    for notice in read.notices.iter().filter(|notice| notice.severity != Severity::Info) {
        let message = labels::message_of_notice(&name, format, notice).to_string();
        let text = std::ffi::CString::new(message.replace('\0', "\\0"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(read.labels)
}

fn format_of(path: &Path) -> PyResult<LabelFormat> {
    LabelFormat::of_path(path).ok_or_else(|| {
        let words = LabelFormat::ALL.map(LabelFormat::extension).join(", ");
        let message =
            format!("expected a file with the extension {words}, found {:?}", path_text(path));
        PyValueError::new_err(message)
    })
}
