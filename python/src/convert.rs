//! Recordings as files of other tools.

use std::{
    fs,
    ops::{ControlFlow, RangeInclusive},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use mutoscope_core::export::{self, ExportError, ExportOptions, ExportTarget, Progress, Report};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    clip::Clip,
    error,
    reading::{self, Reading},
    source,
};

/// The interval of checks for Ctrl+C.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// The result of a conversion.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Conversion {
    /// The file.
    path: PathBuf,
    /// Its target: ``"glb"``.
    target: &'static str,
    /// Its length.
    bytes: u64,
    /// The remarks on what was kept, approximated and lost.
    report: Vec<Py<Remark>>,
}

/// Something that a conversion kept, approximated or lost.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Remark {
    /// ``"info"`` for how it was done, ``"warning"`` for what is only nearly so, or lost.
    severity: &'static str,
    /// One sentence.
    message: String,
}

#[pymethods]
impl Conversion {
    fn __repr__(&self) -> String {
        let Self { path, target, bytes, .. } = self;
        format!("<Conversion to {:?}, {target}, {bytes} bytes>", path.display().to_string())
    }
}

#[pymethods]
impl Remark {
    fn __repr__(&self) -> String {
        format!("<Remark {}: {}>", self.severity, self.message)
    }
}

/// Writes a recording as a file that other tools read: whole or not at all, and never over a file that
/// it was read from.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     A path, bytes or file object is read with the models of characters, which a clip does not have.
/// output : path
///     Where it goes. The extension says as what: glb, csv, animj, anim, bvh, parquet, arrow, mcap. Tables of
///     signals and events go beside those of poses: out.signals.parquet, out.events.parquet.
/// to : str, optional
///     What it is written as, whatever the extension.
/// range : (float, float), optional
///     From when to when, both included, in seconds [default: all of it].
/// fps : float, optional
///     Samples it this many times a second [default: the keys of the recording].
/// as_ : str, optional
///     Reads the file as this format, whatever it looks like: ``"mrtk"``, ``"maya"``, ``"animj"``, ….
/// columns : path or dict, optional
///     What the columns of a table mean: a mapping file in TOML, or a dict of its structure, as `columns` returns it
///     [default: ``take.columns.toml`` beside ``take.csv``, else by the names of columns].
/// rig : path, bytes or binary file object, optional
///     The skeleton to put the recording on: glTF, GLB, VRM or FBX, or CINF for Metroid Prime.
/// retarget : {"auto", "off"}, path or dict, optional
///     How it is put there: bone by bone, so that the character does what the recording does, whatever the nodes are called
///     and however both rest; by the names of nodes, which is the default; or by a map of bones, in a file of JSON or as a
///     dict, as `bones` returns it.
/// allow_unmatched_rig : bool, default False
///     Whether it is put on the skeleton also if that has none of the nodes that it animates; else that is an
///     error.
/// rotation : {"short", "engine"}, optional
///     How rotations are interpolated between keys: the short way, which is the default, or as the program that
///     plays the format turns them.
/// handedness : {"left", "right"}, optional
/// up : {"Y", "Z"}, optional
/// metres_per_unit, seconds_per_unit : float, optional
///     What is assumed where the file does not say. What a file declares is never changed: see
///     `Clip.convention`.
/// animation, character : str, optional
///     Which recording of a file that holds several, and the character that it is shown on.
/// clip : str, optional
///     Of an animation that is composed of several clips, the one of this name, or "all" together,
///     approximately; the first by default.
///
/// Returns
/// -------
/// Conversion
///
/// Raises
/// ------
/// Error
///     If it cannot be read or written.
#[pyfunction]
#[pyo3(signature = (
    source, output, *, to=None, range=None, fps=None, as_=None, columns=None, rig=None, retarget=None, allow_unmatched_rig=false,
    rotation=None, handedness=None, up=None, metres_per_unit=None, seconds_per_unit=None,
    animation=None, character=None, clip=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    output: PathBuf,
    to: Option<&str>,
    range: Option<(f64, f64)>,
    fps: Option<f64>,
    as_: Option<String>,
    columns: Option<Bound<'_, PyAny>>,
    rig: Option<Bound<'_, PyAny>>,
    retarget: Option<Bound<'_, PyAny>>,
    allow_unmatched_rig: bool,
    rotation: Option<String>,
    handedness: Option<String>,
    up: Option<String>,
    metres_per_unit: Option<f64>,
    seconds_per_unit: Option<f64>,
    animation: Option<String>,
    character: Option<String>,
    clip: Option<String>,
) -> PyResult<Conversion> {
    let target = target(to, &output)?;
    let (range, rate) = (range_of(range)?, rate_of(fps)?);
    let reading = Reading {
        format: as_,
        columns,
        rig,
        retarget,
        allow_unmatched_rig,
        rotation,
        handedness,
        up,
        metres_per_unit,
        seconds_per_unit,
        animation,
        character,
        clip,
    };
    let clip = clip_of(source, &reading)?;
    let clip = clip.get();
    let failed = |why: String| error::about_file(py, &output.display().to_string(), why);
    clip.inputs().allow_all(&target.files(&output)).map_err(failed)?;
    let options = ExportOptions { title: title(clip), range, rate };
    let report = write(py, target, clip, &options, &output)?;
    let bytes = fs::metadata(&output).map_err(|why| failed(why.to_string()))?.len();
    let remark = |one: &export::Remark| {
        Py::new(py, Remark { severity: one.severity.word(), message: one.message.clone() })
    };
    let report = report.remarks().iter().map(remark).collect::<PyResult<_>>()?;
    Ok(Conversion { path: output, target: target.id, bytes, report })
}

/// The clip that is converted: a clip as it is, or what is opened with the models of characters, which
/// some targets take along.
pub(crate) fn clip_of<'py>(
    given: &Bound<'py, PyAny>,
    reading: &Reading<'_>,
) -> PyResult<Bound<'py, Clip>> {
    let py = given.py();
    if let Ok(clip) = given.cast::<Clip>() {
        reading.allow_clip()?;
        return Ok(clip.clone());
    }
    let source = source::source(given, None, None)?;
    let mut of = reading.reader(py)?;
    of.reader.with_model = true;
    let input = reading::open(py, &of.reader, &source)?;
    Bound::new(py, Clip::new(input, &source, &of))
}

fn write(
    py: Python<'_>,
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    output: &Path,
) -> PyResult<Report> {
    let written = interruptible(py, |progress| {
        export::write_file(target, clip.clip(), options, output, progress)
    })?;
    written.map_err(|why| error::about_file(py, &output.display().to_string(), why.to_string()))
}

/// Does `work` without the interpreter, and stops it at Ctrl+C.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Progress<'_>) -> Result<T, ExportError> + Send,
) -> PyResult<Result<T, ExportError>> {
    let mut interrupt = None;
    let mut asked = Instant::now();
    let done = py.detach(|| {
        let mut progress = |_| {
            if asked.elapsed() < PATIENCE {
                return ControlFlow::Continue(());
            }
            asked = Instant::now();
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    interrupt = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        work(&mut progress)
    });
    match (done, interrupt) {
        (Err(ExportError::Cancelled), Some(interrupt)) => Err(interrupt),
        (done, _) => Ok(done),
    }
}

/// The target of the file: the one asked for, otherwise by its name.
fn target(to: Option<&str>, output: &Path) -> PyResult<&'static ExportTarget> {
    let target = match to {
        Some(id) => ExportTarget::of_id(id),
        None => ExportTarget::of_path(output),
    };
    target.filter(|target| target.video().is_none()).ok_or_else(|| {
        let ids: Vec<_> = ExportTarget::motion().map(|target| target.id).collect();
        let found = to.map_or_else(|| output.display().to_string(), ToOwned::to_owned);
        let message = format!("expected one of {}, found {found:?}", ids.join(", "));
        PyValueError::new_err(message)
    })
}

fn range_of(range: Option<(f64, f64)>) -> PyResult<Option<RangeInclusive<f64>>> {
    match range {
        Some((from, to)) if !(from.is_finite() && to.is_finite() && from <= to) => {
            let message = format!("range: expected two times in seconds, found {from} and {to}");
            Err(PyValueError::new_err(message))
        }
        range => Ok(range.map(|(from, to)| from..=to)),
    }
}

fn rate_of(fps: Option<f64>) -> PyResult<Option<f64>> {
    match fps {
        Some(rate) if !(rate.is_finite() && rate > 0.0) => {
            Err(PyValueError::new_err(format!("fps: expected a rate above 0, found {rate}")))
        }
        rate => Ok(rate),
    }
}

/// The name of a recording that has none of its own.
pub(crate) fn title(clip: &Clip) -> String {
    let stem = clip.path().and_then(Path::file_stem);
    stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
