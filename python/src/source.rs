//! Converts paths, bytes and file objects to sources of the library.

use std::{borrow::Cow, collections::HashMap, path::PathBuf, sync::Arc};

use mutoscope_core::{
    io::bytes::MemorySidecars,
    read::{MemoryFile, Source},
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyByteArray, PyBytes, PyMemoryView, PyString},
};

/// The name of bytes without a name.
const UNNAMED_BYTES: &str = "<bytes>";

/// Converts a path, bytes, or an object with a method `read`.
pub(crate) fn source(
    given: &Bound<'_, PyAny>,
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Source> {
    let describes_memory = name.is_some() || sidecars.is_some();
    let in_memory = |bytes: &[u8], own_name: Option<String>| {
        let name = name.clone().or(own_name).unwrap_or_else(|| UNNAMED_BYTES.to_owned());
        let sidecars = MemorySidecars::new(sidecars.unwrap_or_default());
        Source::Memory(MemoryFile { name, bytes: Arc::new(Cow::Owned(bytes.to_vec())), sidecars })
    };
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(in_memory(bytes.as_bytes(), None));
    }
    if given.is_instance_of::<PyByteArray>() || given.is_instance_of::<PyMemoryView>() {
        let bytes = given.py().get_type::<PyBytes>().call1((given,))?;
        return Ok(in_memory(bytes.cast::<PyBytes>()?.as_bytes(), None));
    }
    if given.hasattr("read")? {
        let read = given.call_method0("read")?;
        let Ok(bytes) = read.cast::<PyBytes>() else {
            let message = format!(
                "expected a file object that reads bytes (opened with mode \"rb\"), found one that \
                 reads {}",
                read.get_type().name()?
            );
            return Err(PyTypeError::new_err(message));
        };
        return Ok(in_memory(bytes.as_bytes(), file_object_name(given)));
    }
    let Ok(path) = given.extract::<PathBuf>() else {
        let found = given.get_type().name()?;
        let message = format!("expected a path, bytes or a binary file object, found {found}");
        return Err(PyTypeError::new_err(message));
    };
    if describes_memory {
        let message = "name and sidecars are for bytes and file objects; a path has its own";
        return Err(PyTypeError::new_err(message));
    }
    Ok(Source::File(path))
}

/// Returns the name of a file object. `None` if the name is a number, because Python then returns
/// the file descriptor.
fn file_object_name(file: &Bound<'_, PyAny>) -> Option<String> {
    let name = file.getattr("name").ok()?;
    let name = name.cast::<PyString>().ok()?.to_str().ok()?.to_owned();
    (!name.is_empty()).then_some(name)
}
