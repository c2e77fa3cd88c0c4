//! Mappings as they were found, to be edited and given back to `open`.

use std::collections::HashMap;

use mutoscope_core::{
    clip,
    read::Retarget,
    retarget::{Retargeting, bone_map},
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyString};

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

/// The bones by which a character does what a recording does: the map that ``mutoscope bones`` prints.
///
/// Given to `open` as ``retarget``, perhaps edited, it says which node is which bone.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     The motion; or a clip that was opened with ``retarget``.
/// rig : path, bytes or binary file object
///     The character: glTF, GLB, VRM or FBX. A clip has its own.
/// retarget : {"auto"}, path or dict
///     How bones are found: by what files declare and by names; or also by a map, as of `open`.
/// as_ : str, optional
/// animation : str, optional
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As of `open`.
///
/// Returns
/// -------
/// dict
///     ``motion`` and ``character``, each with the names of nodes by the names of bones, which are those of VRM 1.0:
///     ``{"hips": "Hips", …}``; and ``hip_scale``, by which the positions of the hips are multiplied. In a map that is
///     given, None leaves a bone out.
///
/// Raises
/// ------
/// Error
///     If one of them cannot be read, or lacks the bones of a body.
/// ValueError, TypeError
///     If an argument is none.
#[pyfunction]
#[pyo3(signature = (
    source, *, rig=None, retarget=None, as_=None, animation=None, name=None, sidecars=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn bones<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    rig: Option<Bound<'py, PyAny>>,
    retarget: Option<Bound<'py, PyAny>>,
    as_: Option<String>,
    animation: Option<String>,
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let reading = Reading { format: as_, rig, retarget, animation, ..Reading::default() };
    if let Ok(clip) = source.cast::<Clip>() {
        reading.allow_clip()?;
        let clip = clip.get();
        return bones_of(py, clip.clip())?.ok_or_else(|| {
            let message = "a clip that is not retargeted, which has no map of bones";
            error::about_file(py, clip.file(), message.to_owned())
        });
    }
    if reading.rig.is_none() {
        return Err(PyValueError::new_err("bones: of which character? rig names it"));
    }
    let source = source::source(source, name, sidecars)?;
    let mut reader = reading.reader(py)?.reader;
    if reader.retarget == Retarget::Off {
        if reading.retarget.is_some() {
            let message = "retarget: expected \"auto\", the path of a map of bones or a dict, found \"off\", \
                           which maps no bones";
            return Err(PyValueError::new_err(message));
        }
        reader.retarget = Retarget::Auto;
    }
    let input = reading::open(py, &reader, &source)?;
    match &input.result {
        Ok(clip) => bones_of(py, clip)?.ok_or_else(|| {
            let message = format!("a recording of {}, which cannot be retargeted", clip.format);
            error::about_file(py, &input.name, message)
        }),
        Err(why) => Err(error::of_input(py, &input, why)),
    }
}

fn bones_of<'py>(py: Python<'py>, clip: &clip::Clip) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(retargeting) = clip.procedural_as::<Retargeting>() else { return Ok(None) };
    let json = bone_map(retargeting, &clip.nodes).to_json();
    py.import("json")?.call_method1("loads", (json,)).map(Some)
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
