//! The column mapping of a table and the bone map of a character, which users can edit and pass to
//! `open`.

use std::collections::HashMap;

use mutoscope_core::{
    clip,
    formats::Fit,
    retarget::{Retargeting, bone_map},
};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyString};

use crate::{
    clip::Clip,
    error,
    reading::{self, ReadArguments},
    source,
};

/// Returns the column mapping of a table: which columns are the time, nodes and signals, and in
/// which units. ``mutoscope columns`` prints the same.
///
/// Pass it to `open` as ``columns``, edited or not. The table is then read by this mapping, and
/// nothing is assumed. The assumptions about the file are among `Clip.issues`.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     The table, or a log of transforms (MCAP).
/// text : bool
///     If true, returns the text of a mapping file, in TOML with comments.
/// as_ : str, optional
/// columns : path or dict, optional
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As for `open`.
///
/// Returns
/// -------
/// dict or str
///     The sections ``table``, ``time``, ``space``, ``long``, ``nodes``, ``signals``, ``events``,
///     if they apply.
///
/// Raises
/// ------
/// Error
///     If the file cannot be read, or its format has no columns.
/// ValueError, TypeError
///     If an argument is invalid.
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
    let arguments = ReadArguments { format: as_, columns, ..ReadArguments::default() };
    if let Ok(clip) = source.cast::<Clip>() {
        arguments.allow_clip()?;
        return clip_columns(py, clip.get().clip(), clip.get().file(), text);
    }
    let source = source::source(source, name, sidecars)?;
    let input = reading::open(py, &arguments.read_options(py)?.options, &source)?;
    match &input.result {
        Ok(recording) => clip_columns(py, &recording.clip, &input.name, text),
        Err(why) => Err(error::from_read_error(py, &input.name, why)),
    }
}

/// Returns the bone map with which a character follows a recording. ``mutoscope bones`` prints the
/// same.
///
/// Pass it to `open` as ``retarget``, edited or not.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     The motion, or a clip that was opened with ``retarget``.
/// rig : path, bytes or binary file object
///     The character: glTF, GLB, VRM or FBX. A retargeted clip has its own.
/// retarget : {"auto"}, path or dict
///     "auto" finds the bones from the declarations and names in the files. A bone map, as for
///     `open`, overrides some of them.
/// as_ : str, optional
/// animation : str, optional
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As for `open`.
///
/// Returns
/// -------
/// dict
///     ``motion`` and ``character`` map the names of bones, which are those of VRM 1.0, to names of
///     nodes: ``{"hips": "Hips", …}``. ``hip_scale`` is the factor for the positions of the hips.
///     In a bone map that you pass, None excludes a bone.
///
/// Raises
/// ------
/// Error
///     If a file cannot be read, or lacks the bones of a body.
/// ValueError, TypeError
///     If an argument is invalid.
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
    let arguments =
        ReadArguments { format: as_, rig, retarget, animation, ..ReadArguments::default() };
    if let Ok(clip) = source.cast::<Clip>() {
        arguments.allow_clip()?;
        let clip = clip.get();
        return clip_bones(py, clip.clip())?.ok_or_else(|| {
            let message = "a clip that is not retargeted, which has no bone map";
            error::for_file(py, clip.file(), message.to_owned())
        });
    }
    if arguments.rig.is_none() {
        return Err(PyValueError::new_err("bones needs a character: pass rig=…"));
    }
    let source = source::source(source, name, sidecars)?;
    let mut options = arguments.read_options(py)?.options;
    if options.fit == Fit::ByName {
        if arguments.retarget.is_some() {
            let message = "retarget: expected \"auto\", the path of a bone map or a dict, found \"off\", \
                           which maps no bones";
            return Err(PyValueError::new_err(message));
        }
        options.fit = Fit::ByBones;
    }
    let input = reading::open(py, &options, &source)?;
    match &input.result {
        Ok(recording) => clip_bones(py, &recording.clip)?.ok_or_else(|| {
            let format = recording.clip.format;
            let message = format!("a recording of {format}, which cannot be retargeted");
            error::for_file(py, &input.name, message)
        }),
        Err(why) => Err(error::from_read_error(py, &input.name, why)),
    }
}

fn clip_bones<'py>(py: Python<'py>, clip: &clip::Clip) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(retargeting) = clip.procedural_as::<Retargeting>() else { return Ok(None) };
    let json = bone_map(retargeting, &clip.nodes).to_json();
    py.import("json")?.call_method1("loads", (json,)).map(Some)
}

fn clip_columns<'py>(
    py: Python<'py>,
    clip: &clip::Clip,
    file: &str,
    text: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = clip.columns().ok_or_else(|| {
        let message = format!("a recording of {}, which has no columns", clip.format);
        error::for_file(py, file, message)
    })?;
    if text {
        return Ok(PyString::new(py, &columns.mapping).into_any());
    }
    let json = mutoscope_logs::mapping_to_json(&columns.mapping);
    let json = json.map_err(|why| error::for_file(py, file, why))?;
    py.import("json")?.call_method1("loads", (json,))
}
