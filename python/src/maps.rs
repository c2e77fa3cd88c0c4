//! Mappings as they were found, to be edited and given back to `open`.

use std::collections::HashMap;

use mutoscope_core::clip;
use pyo3::{prelude::*, types::PyString};

use crate::{
    clip::Clip,
    error,
    reading::{self, Reading},
    source,
};

/// The mapping of the columns of a table: which is the time, a node, a signal, and in which units. What
/// ``mutoscope columns`` prints.
///
/// Given to `open` as ``columns``, perhaps edited, it reads the table alike, and nothing is assumed any more. What was assumed
/// of the file is among `Clip.issues`.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     The table, or the log of transforms (MCAP).
/// text : bool
///     Whether it is returned as the text of a mapping file, in TOML with comments.
/// as_ : str, optional
/// columns : path or dict, optional
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As of `open`.
///
/// Returns
/// -------
/// dict or str
///     The sections ``table``, ``time``, ``space``, ``long``, ``nodes``, ``signals``, ``events``, as far as they apply.
///
/// Raises
/// ------
/// Error
///     If it cannot be read, or is of a format without columns.
/// ValueError, TypeError
///     If an argument is none.
#[pyfunction]
#[pyo3(signature = (source, *, text=false, as_=None, columns=None, name=None, sidecars=None))]
pub(crate) fn columns<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    text: bool,
    as_: Option<String>,
    columns: Option<Bound<'py, PyAny>>,
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let reading = Reading { format: as_, columns, ..Reading::default() };
    if let Ok(clip) = source.cast::<Clip>() {
        reading.allow_clip()?;
        return columns_of(py, clip.get().clip(), clip.get().file(), text);
    }
    let source = source::source(source, name, sidecars)?;
    let input = reading::open(py, &reading.reader(py)?.reader, &source)?;
    match &input.result {
        Ok(clip) => columns_of(py, clip, &input.name, text),
        Err(why) => Err(error::of_input(py, &input, why)),
    }
}

fn columns_of<'py>(
    py: Python<'py>,
    clip: &clip::Clip,
    file: &str,
    text: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = clip.columns().ok_or_else(|| {
        let message = format!("a recording of {}, which has no columns", clip.format);
        error::about_file(py, file, message)
    })?;
    if text {
        return Ok(PyString::new(py, &columns.mapping).into_any());
    }
    let json = mutoscope_logs::mapping_as_json(&columns.mapping);
    let json = json.map_err(|why| error::about_file(py, file, why))?;
    py.import("json")?.call_method1("loads", (json,))
}
