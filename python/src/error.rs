//! The one exception: what is wrong with a file, and where in it.

use mutoscope_core::read::{Input, InputError, Message};
use mutoscope_study::labels::{LabelFileError, LabelFormat};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};

/// The error of the file that is called `path`.
pub(crate) fn about_file(py: Python<'_>, path: &str, message: String) -> PyErr {
    of_message(py, &Message::about_file(path, message))
}

/// Why the file that is called `path` cannot be read.
pub(crate) fn unreadable(py: Python<'_>, path: &str, why: &std::io::Error) -> PyErr {
    with_cause(py, about_file(py, path, format!("cannot be read: {why}")), why, path)
}

/// Why there is no clip of an input.
pub(crate) fn of_input(py: Python<'_>, input: &Input, error: &InputError) -> PyErr {
    match error {
        InputError::Undecodable(failure) => {
            of_message(py, &Message::of_error(&input.name, failure.format, &failure.error))
        }
        InputError::Unreadable(why) => {
            let error = about_file(py, &input.name, error.to_string());
            with_cause(py, error, why, &input.name)
        }
        InputError::WrongUsage(message) => about_file(py, &input.name, message.clone()),
    }
}

/// Why the file that is called `path` has no labels.
pub(crate) fn of_labels(
    py: Python<'_>,
    path: &str,
    format: LabelFormat,
    error: &LabelFileError,
) -> PyErr {
    let raised = of_message(py, &error.message(path, format));
    match error {
        LabelFileError::Unreadable(why) => with_cause(py, raised, why, path),
        LabelFileError::Malformed(_) => raised,
    }
}

/// The same with what the system says of the file as its cause.
fn with_cause(py: Python<'_>, error: PyErr, why: &std::io::Error, path: &str) -> PyErr {
    let cause = why.raw_os_error().map(|errno| {
        pyo3::exceptions::PyOSError::new_err((errno, why.to_string(), path.to_owned()))
    });
    error.set_cause(py, cause);
    error
}

/// `mutoscope.Error` that says the same.
pub(crate) fn of_message(py: Python<'_>, message: &Message<'_>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS.import(py, "mutoscope._error", "Error").and_then(|class| {
        let text = message.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let error = class.call1((text,))?;
        error.setattr("path", message.path)?;
        error.setattr("format", message.format)?;
        error.setattr("place", message.place.as_deref())?;
        error.setattr("message", &message.message)?;
        Ok(error)
    });
    made.map_or_else(|failed| failed, PyErr::from_value)
}
