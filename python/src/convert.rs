//! Converts recordings to files of other tools.

use std::{
    ffi::OsStr,
    fmt::Display,
    fs,
    ops::{ControlFlow, RangeInclusive},
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use mutoscope_core::{
    clip,
    export::{
        self, ExportError, ExportOptions, ExportTarget, FileAxis, InPlace, MotionOptions,
        OptionKind, OptionValue, Progress, Report, RestPose, TargetSettings,
    },
    read::{Source, open_other_animations},
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{
    clip::Clip,
    error,
    reading::{self, OptionsWithFiles, ReadArguments},
    source,
};

/// The interval of checks for Ctrl+C.
pub(crate) const INTERRUPT_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The result of a conversion.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Conversion {
    /// The output file.
    path: PathBuf,
    /// The id of the target: ``"glb"``.
    target: &'static str,
    /// The size of the file in bytes.
    bytes: u64,
    /// The remarks on what was kept, approximated and lost.
    report: Vec<Py<Remark>>,
}

/// A remark on what a conversion kept, approximated or lost.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Remark {
    /// ``"info"`` for how the data was converted, ``"warning"`` for data that is approximate or
    /// lost.
    severity: &'static str,
    /// The message, one sentence.
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

/// Writes a recording as a file for other tools. The file is written atomically, and an input is
/// never overwritten.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
///     A path, bytes or file object is read together with the models of characters, which a clip
///     does not contain.
/// output : path
///     The output file. The extension selects the target: glb, fbx, vrma, html, csv, animj, animx,
///     anim, bvh, bin (MRTK), ANIM (Metroid Prime, with a CINF as `rig`), parquet, arrow, mcap.
///     Tables of signals and events are written next to that of poses: out.signals.parquet,
///     out.events.parquet.
/// to : str, optional
///     Overrides the target of the extension.
/// range : (float, float), optional
///     The start and end to export, both included, in seconds [default: all].
/// fps : float, optional
///     The sampling rate in Hz [default: the keys of the recording].
/// in_place : {"keep", "remove", "root"}, optional
///     The treatment of the root motion, which is the horizontal movement and the heading of the
///     root: it is kept, removed, or moved to a new root node.
/// output_up, output_forward : {"x", "y", "z", "-x", "-y", "-z"}, optional
///     The axes of the file that point up and forward [default: "y" and "-z"], for targets that do
///     not fix them: bvh, csv, parquet, arrow, anim.
/// rest : {"file", "t-pose"} or float, optional
///     The rest pose, for targets that have one: that of the recording, a T-pose, or the pose at a
///     time in seconds.
/// scale : float, optional
///     The factor by which all lengths are multiplied.
/// speed : float, optional
///     The seconds of the recording that become one second of the file. `fps` applies to the
///     result, `range` and `rest` to the recording.
/// as_ : str, optional
///     Forces this format: ``"mrtk"``, ``"maya"``, ``"animj"``, ….
/// columns : path or dict, optional
///     The column mapping of a table: a mapping file in TOML, or a dict with the same structure, as
///     `columns` returns it [default: ``take.columns.toml`` next to ``take.csv``, or the names of
///     the columns].
/// rig : path, bytes or binary file object, optional
///     The skeleton to attach: glTF, GLB, VRM or FBX, or CINF for Metroid Prime. A target that needs
///     a skeleton takes this one, and the recording is attached to it only for retargeting.
/// retarget : {"auto", "off"}, path or dict, optional
///     How the recording is matched with the skeleton. "auto" retargets bone by bone, independent
///     of node names and rest poses. "off" matches nodes by name, and is the default. A path or
///     dict is a bone map, as `bones` returns it.
/// allow_unmatched_rig : bool, default False
///     If true, the skeleton is attached even if it has none of the animated nodes. Otherwise that
///     is an error.
/// rotation : {"short", "engine"}, optional
///     How rotations are interpolated between keys: the short way, which is the default, or like
///     the program that plays the format.
/// handedness : {"left", "right"}, optional
/// up : {"Y", "Z"}, optional
/// metres_per_unit, seconds_per_unit : float, optional
///     Assumptions for what the file does not declare. Declared values are never changed: see
///     `Clip.convention`.
/// animation, character : str, optional
///     Which animation of a file with several is read, and which character it is shown on.
/// clip : str, optional
///     The clip to read if an animation is composed of several, or "all" to combine them
///     approximately [default: the first].
/// **options : str or bool
///     The options that only some targets have, as on the command line: ``mrtk_version="1.0"``,
///     ``compression="none"``, ``prime_format="0"``, ``ascii=True`` (FBX), ``thin="0.5,0.2"``.
///
/// Returns
/// -------
/// Conversion
///
/// Raises
/// ------
/// Error
///     If the recording cannot be read, or the file cannot be written.
#[pyfunction]
#[pyo3(signature = (
    source, output, *, to=None, range=None, fps=None, in_place=None, output_up=None, output_forward=None,
    rest=None, scale=None, speed=None, as_=None, columns=None, rig=None, retarget=None, allow_unmatched_rig=false,
    rotation=None, handedness=None, up=None, metres_per_unit=None, seconds_per_unit=None,
    animation=None, character=None, clip=None, **options
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    output: PathBuf,
    to: Option<&str>,
    range: Option<(f64, f64)>,
    fps: Option<f64>,
    in_place: Option<&str>,
    output_up: Option<&str>,
    output_forward: Option<&str>,
    rest: Option<Bound<'_, PyAny>>,
    scale: Option<f64>,
    speed: Option<f64>,
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
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Conversion> {
    let rig_path = rig.as_ref().and_then(|rig| rig.extract::<PathBuf>().ok());
    let target = export_target(to, &output, rig_path.as_deref())?;
    let (range, rate) = (check_range(range)?, check_rate(fps)?);
    let axis = |argument, name: Option<&str>| {
        name.map(|name| parse_name(argument, name, FileAxis::NAMES)).transpose()
    };
    let motion = MotionOptions {
        in_place: in_place
            .map(|name| parse_name("in_place", name, InPlace::NAMES))
            .transpose()?
            .unwrap_or_default(),
        up: axis("output_up", output_up)?,
        forward: axis("output_forward", output_forward)?,
        rest: rest.map(|rest| rest_pose(&rest)).transpose()?.unwrap_or_default(),
        scale: scale.unwrap_or(1.0),
        speed: speed.unwrap_or(1.0),
    };
    let mut settings = target_settings(target, options)?;
    let mut rig = rig;
    if let (Some(option), Some(given)) = (target.skeleton_option(), &rig) {
        let skeleton = source::source(given, None, None)?;
        let bytes =
            skeleton.read().map_err(|why| error::for_file(py, &skeleton.to_string(), &why))?;
        settings.set(option, Some(OptionValue::File(bytes.into())));
        // The skeleton is for the output. The recording is attached to it only for retargeting.
        if retarget.is_none() {
            rig = None;
        }
    }
    let arguments = ReadArguments {
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
        ..ReadArguments::default()
    };
    let (clip, takes) = match target.wants_takes(&settings) {
        true => open_with_takes(source, &arguments)?,
        false => (open_clip(source, &arguments)?, Vec::new()),
    };
    let clip = clip.get();
    let failed = |why: &dyn Display| error::for_file(py, &output.display().to_string(), why);
    let mut inputs = clip.inputs().clone();
    if let Some(path) = &rig_path {
        inputs.add(path, "the skeleton");
    }
    inputs.check_outputs(&target.output_paths(&output)).map_err(|error| failed(&error))?;
    let title = clip_title(clip);
    let options =
        ExportOptions { title, range, rate, motion, settings, takes, ..ExportOptions::default() };
    let report = write(py, target, clip, &options, &output)?;
    let bytes = fs::metadata(&output).map_err(|why| failed(&why))?.len();
    let remark = |one: &export::Remark| {
        Py::new(py, Remark { severity: one.severity.as_str(), message: one.message.clone() })
    };
    let report = report.remarks().iter().map(remark).collect::<PyResult<_>>()?;
    Ok(Conversion { path: output, target: target.id, bytes, report })
}

/// Returns the clip to convert. A path, bytes or file object is opened together with the models of
/// characters, because some targets export them.
pub(crate) fn open_clip<'py>(
    given: &Bound<'py, PyAny>,
    arguments: &ReadArguments<'_>,
) -> PyResult<Bound<'py, Clip>> {
    let py = given.py();
    if let Ok(clip) = given.cast::<Clip>() {
        arguments.allow_clip()?;
        return Ok(clip.clone());
    }
    let (source, of) = source_with_model(given, arguments)?;
    let input = reading::open(py, &of.options, &source)?;
    Bound::new(py, Clip::new(input, &source, &of))
}

/// Returns the clip to convert, and the other animations of its file.
fn open_with_takes<'py>(
    given: &Bound<'py, PyAny>,
    arguments: &ReadArguments<'_>,
) -> PyResult<(Bound<'py, Clip>, Vec<Arc<clip::Clip>>)> {
    let py = given.py();
    if given.is_instance_of::<Clip>() {
        let message = "takes=True needs the path of a file, because a clip is one animation";
        return Err(PyValueError::new_err(message));
    }
    let (source, of) = source_with_model(given, arguments)?;
    let input = reading::open(py, &of.options, &source)?;
    let clip = Clip::new(input, &source, &of);
    let takes = py
        .detach(|| open_other_animations(&source, &of.options, clip.clip()))
        .map_err(|why| error::from_read_error(py, &source.to_string(), &why))?;
    Ok((Bound::new(py, clip)?, takes))
}

fn source_with_model(
    given: &Bound<'_, PyAny>,
    arguments: &ReadArguments<'_>,
) -> PyResult<(Source, OptionsWithFiles)> {
    let source = source::source(given, None, None)?;
    let mut of = arguments.read_options(given.py())?;
    of.options.with_model = true;
    Ok((source, of))
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
    written.map_err(|why| error::for_file(py, &output.display().to_string(), why.to_string()))
}

/// Runs `work` with the GIL released, and stops it at Ctrl+C.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Progress<'_>) -> Result<T, ExportError> + Send,
) -> PyResult<Result<T, ExportError>> {
    let mut interrupt = None;
    let mut asked = Instant::now();
    let done = py.detach(|| {
        let mut progress = Progress::new(|_| {
            if asked.elapsed() < INTERRUPT_POLL_INTERVAL {
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
        });
        work(&mut progress)
    });
    match (done, interrupt) {
        (Err(ExportError::Cancelled(_)), Some(interrupt)) => Err(interrupt),
        (done, _) => Ok(done),
    }
}

fn parse_name<T: FromStr>(argument: &str, name: &str, names: &[&str]) -> PyResult<T> {
    name.parse().map_err(|_| {
        let expected = names.join(", ");
        PyValueError::new_err(format!("{argument}: expected one of {expected}, found {name:?}"))
    })
}

fn rest_pose(given: &Bound<'_, PyAny>) -> PyResult<RestPose> {
    match given.extract::<f64>() {
        Ok(time) => Ok(RestPose::Time(time)),
        Err(_) => {
            let name: String = given.extract()?;
            name.parse().map_err(|why| PyValueError::new_err(format!("rest: {why}")))
        }
    }
}

/// Returns the settings for the options that only some targets have. Python's names have an
/// underscore in place of each dash.
fn target_settings(
    target: &ExportTarget,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<TargetSettings> {
    let mut settings = TargetSettings::default();
    for (name, value) in options.iter().flatten() {
        let name: String = name.extract()?;
        let Some(option) = target.option(&name.replace('_', "-")) else {
            let message = format!("convert() has no argument {name:?} for {}", target.id);
            return Err(PyTypeError::new_err(message));
        };
        let value = match option.kind {
            OptionKind::Choice { .. } | OptionKind::Bounds => {
                value.extract::<Option<String>>()?.map(OptionValue::Choice)
            }
            OptionKind::Flag | OptionKind::Takes | OptionKind::Skeleton { .. } => {
                value.extract::<bool>()?.then_some(OptionValue::Flag)
            }
        };
        settings.set(option, value);
    }
    Ok(settings)
}

/// Returns the requested target, or the target of the file's extension and of the skeleton.
fn export_target(
    to: Option<&str>,
    output: &Path,
    rig: Option<&Path>,
) -> PyResult<&'static ExportTarget> {
    let rig_extension = rig.and_then(Path::extension).and_then(OsStr::to_str);
    let targets = mutoscope_cli::targets();
    let target = match to {
        Some(id) => targets.target(id),
        None => targets.target_for_output(output, rig_extension),
    };
    target.filter(|target| target.video_format().is_none()).ok_or_else(|| {
        let ids: Vec<_> = targets.motion_targets().map(|target| target.id).collect();
        let found = to.map_or_else(|| output.display().to_string(), ToOwned::to_owned);
        let message = format!("expected one of {}, found {found:?}", ids.join(", "));
        PyValueError::new_err(message)
    })
}

fn check_range(range: Option<(f64, f64)>) -> PyResult<Option<RangeInclusive<f64>>> {
    match range {
        Some((from, to)) if !(from.is_finite() && to.is_finite() && from <= to) => {
            let message = format!("range: expected two times in seconds, found {from} and {to}");
            Err(PyValueError::new_err(message))
        }
        range => Ok(range.map(|(from, to)| from..=to)),
    }
}

fn check_rate(fps: Option<f64>) -> PyResult<Option<f64>> {
    match fps {
        Some(rate) if !(rate.is_finite() && rate > 0.0) => {
            Err(PyValueError::new_err(format!("fps: expected a rate above 0, found {rate}")))
        }
        rate => Ok(rate),
    }
}

/// Returns the stem of the path, or `recording` if there is no path.
pub(crate) fn clip_title(clip: &Clip) -> String {
    let stem = clip.path().and_then(Path::file_stem);
    stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
