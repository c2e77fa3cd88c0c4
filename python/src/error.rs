//! The exception `mutoscope.Error`, with the location in the file.

use std::fmt::Display;

use mutoscope_core::read::{Message, ReadError};
use mutoscope_study::labels::{LabelFileError, LabelFormat};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};

/// Returns an error about the file `path`.
pub(crate) fn for_file(py: Python<'_>, path: &str, message: impl Display) -> PyErr {
    from_message(py, &Message::for_file(path, message))
}

/// Returns an error that says why the file `path` cannot be read.
pub(crate) fn unreadable(py: Python<'_>, path: &str, why: &std::io::Error) -> PyErr {
    with_cause(py, for_file(py, path, format!("cannot be read: {why}")), why, path)
}

/// Returns the error of the file `path`, which has no clip.
pub(crate) fn from_read_error(py: Python<'_>, path: &str, error: &ReadError) -> PyErr {
    match error {
        ReadError::Undecodable(failure) => {
            from_message(py, &Message::from_error(path, failure.format, &failure.error))
        }
        ReadError::Unreadable(why) => {
            with_cause(py, for_file(py, path, error.to_string()), why, path)
        }
        ReadError::WrongUsage(message) => for_file(py, path, message.clone()),
    }
}

/// Returns an error that says why the labels of the file `path` cannot be read.
pub(crate) fn from_label_error(
    py: Python<'_>,
    path: &str,
    format: LabelFormat,
    error: &LabelFileError,
) -> PyErr {
    let raised = from_message(py, &error.message(path, format));
    match error {
        LabelFileError::Unreadable(why) => with_cause(py, raised, why, path),
        LabelFileError::Malformed(_) => raised,
    }
}

/// Sets the operating system's error as the cause.
fn with_cause(py: Python<'_>, error: PyErr, why: &std::io::Error, path: &str) -> PyErr {
    let cause = why.raw_os_error().map(|errno| {
        pyo3::exceptions::PyOSError::new_err((errno, why.to_string(), path.to_owned()))
    });
    error.set_cause(py, cause);
    error
}

/// Converts a message to a `mutoscope.Error`.
pub(crate) fn from_message(py: Python<'_>, message: &Message<'_>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS.import(py, "mutoscope._error", "Error").and_then(|class| {
        let text = message.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let error = class.call1((text,))?;
        error.setattr("path", message.path)?;
        error.setattr("format", message.format)?;
        error.setattr("place", message.location.as_ref().map(ToString::to_string))?;
        error.setattr("code", message.code.as_deref())?;
        error.setattr("message", &message.message)?;
        Ok(error)
    });
    made.map_or_else(|failed| failed, PyErr::from_value)
}
