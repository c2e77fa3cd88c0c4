//! The `Report` class, and `report`.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
};

use mutoscope_cli::{
    FailedRecording, Interrupt, MeasuredFile, ReportedFiles, motion_maker, page_player,
    write_parquet,
};
use mutoscope_core::{
    ReadOptions,
    export::InputFiles,
    measure::analysis::NamedArea,
    read::{Message, Source, format_path},
};
use mutoscope_study::{
    StudyOptions,
    report::{
        self as library, Cells, DEFAULT_MOTION_BYTES, LabelSource, LinkTarget, MeasureOptions,
        PageOptions, Recording, ReportFormat, WriteOptions, build_tables,
    },
};
use numpy::PyArray1;
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyString},
};

use crate::{
    analysis::Area,
    clip::Clip,
    convert::INTERRUPT_POLL_INTERVAL,
    error,
    labels::{self, Label},
    measures::{above_zero, expected, not_negative, positive},
    reading::{OptionsWithFiles, ReadArguments},
};

/// The kinds of events of a report.
const KINDS: [&str; 5] = ["movements", "pinches", "saccades", "fixations", "dwells"];

/// The measures of gaze, hands and bodies in recordings. `report` returns one.
///
/// The names of the measures end in their units: ``_s``, ``_m``, ``_m3``, ``_mps``, ``_deg``,
/// ``_degps``, ``_hz``, ``_per_min``. Unknown numbers are NaN, null or None, never 0.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Report {
    report: library::Report,
    messages: Vec<String>,
    failures: Vec<FailedRecording>,
    /// The input files, which must not be overwritten.
    inputs: InputFiles,
}

/// A column of a table: its name, the kind of its values, and the values.
type Column<'py> = (String, &'static str, Bound<'py, PyAny>);

#[pymethods]
impl Report {
    /// The messages about the recordings and their labels, in the form that the command line
    /// prints.
    #[getter]
    fn messages(&self) -> Vec<String> {
        self.messages.clone()
    }

    /// The recordings without measures: those that cannot be read, each as the exception that
    /// `open` raises, and those whose duration is too long for their number of keys.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        let error = |one| error::from_message(py, &message(one)).into_value(py).into_any();
        self.failures.iter().map(error).collect()
    }

    /// Returns a table of the ranges: a row for each whole recording, with an empty ``label``, and
    /// for each of its labels.
    ///
    /// The columns are ``path``, ``animation``, ``label``, ``tier``, ``start_s``, ``end_s``, and
    /// the measures.
    ///
    /// Parameters
    /// ----------
    /// library : {"pandas", "polars"}, optional
    ///     [default: the first that is installed]
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame or polars.DataFrame
    #[pyo3(signature = (*, library=None))]
    fn to_frame<'py>(&self, py: Python<'py>, library: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "", library)
    }

    /// Returns a table of the areas of interest: a row for each range and area.
    ///
    /// The columns are ``path``, ``animation``, ``label``, ``tier``, ``start_s``, ``end_s``,
    /// ``area``, then counts, times in seconds, and fractions of the tracked time.
    ///
    /// Parameters
    /// ----------
    /// library : {"pandas", "polars"}, optional
    ///     [default: the first that is installed]
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame or polars.DataFrame
    #[pyo3(signature = (*, library=None))]
    fn areas<'py>(&self, py: Python<'py>, library: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "areas", library)
    }

    /// Returns a table of the events of one kind.
    ///
    /// The columns are ``path``, ``animation``, and those of the kind, with units in their names.
    ///
    /// Parameters
    /// ----------
    /// kind : {"movements", "pinches", "saccades", "fixations", "dwells"}
    /// library : {"pandas", "polars"}, optional
    ///     [default: the first that is installed]
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame or polars.DataFrame
    #[pyo3(signature = (kind, *, library=None))]
    fn events<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        library: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !KINDS.contains(&kind) {
            let message = format!("kind: expected one of {}, found {kind:?}", KINDS.join(", "));
            return Err(PyValueError::new_err(message));
        }
        self.frame(py, kind, library)
    }

    /// Returns the whole report with the structure and the exact numbers of the command line's
    /// JSON.
    ///
    /// Returns
    /// -------
    /// dict
    ///     ``version``, ``generator``, ``method``, ``limits``, ``options``, ``recordings``. Each
    ///     recording has ``path``, ``rate_hz``, ``error``, ``ranges``, ``events``, ``notes``, ….
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut json = Vec::new();
        py.detach(|| self.report.write_json(&mut json))?;
        py.import("json")?.call_method1("loads", (json,))
    }

    /// Writes the report as a page, as tables or as JSON. Files are written atomically, and inputs
    /// are never overwritten.
    ///
    /// Tables are several files: ``report.csv`` has the ranges, and next to it are
    /// ``report.areas.csv``, ``report.movements.csv`` and so on.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The extension selects the format: html, csv, parquet or json.
    /// to : {"html", "csv", "parquet", "json"}, optional
    ///     Overrides the format of the extension.
    /// link : str, optional
    ///     The address of a hosted viewer that links in a page open [default: the installed
    ///     program].
    ///
    /// Returns
    /// -------
    /// list of Path
    ///     The written files.
    ///
    /// Raises
    /// ------
    /// Error
    ///     If a file cannot be written.
    /// ValueError
    ///     If an argument is invalid.
    #[pyo3(signature = (path, *, to=None, link=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        to: Option<&str>,
        link: Option<&str>,
    ) -> PyResult<Vec<PathBuf>> {
        let format = match to {
            Some(word) => ReportFormat::from_name(word),
            None => ReportFormat::from_path(&path),
        };
        let format = format.ok_or_else(|| {
            let found = to.map_or_else(|| format_path(&path), ToOwned::to_owned);
            let words = ReportFormat::NAMES.join(", ");
            PyValueError::new_err(format!("expected one of {words}, found {found:?}"))
        })?;
        let link = link.map(LinkTarget::from_address).transpose();
        let link = link.map_err(|why| PyValueError::new_err(format!("link: {why}")))?;
        let failed = |why: &dyn Display| error::for_file(py, &format_path(&path), why);
        let files = format.files(&path);
        self.inputs.check_outputs(&files).map_err(|error| failed(&error))?;
        let player = page_player(DEFAULT_MOTION_BYTES);
        let page = PageOptions { link: link.unwrap_or_default(), player };
        let writing = WriteOptions { format, page, parquet: write_parquet };
        let written = py.detach(|| self.report.write_files(&writing, &path));
        written.map_err(|why| failed(&format_args!("cannot be written: {why}")))?;
        Ok(files)
    }

    fn __repr__(&self) -> String {
        let recordings = &self.report.recordings;
        let failed = recordings.iter().filter(|one| one.error.is_some()).count();
        let plural = if recordings.len() == 1 { "" } else { "s" };
        match failed {
            0 => format!("<Report of {} recording{plural}>", recordings.len()),
            _ => format!(
                "<Report of {} recording{plural}, {failed} without measures>",
                recordings.len()
            ),
        }
    }
}

impl Report {
    fn frame<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        library: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tables = py.detach(|| build_tables(&self.report.recordings));
        let table = tables.into_iter().find(|table| table.name == name);
        let columns = table.map(|table| table.columns).unwrap_or_default();
        let column = |column: library::TableColumn| -> PyResult<Column<'py>> {
            let (kind, values) = cell_values(py, column.cells)?;
            Ok((column.name, kind, values))
        };
        let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
        py.import("mutoscope._frame")?.call_method1("of_table", (columns, library))
    }
}

/// Returns the kind of a column's cells, and their values. Unknown numbers become NaN.
fn cell_values(py: Python<'_>, cells: Cells) -> PyResult<(&'static str, Bound<'_, PyAny>)> {
    Ok(match cells {
        Cells::Text(texts) => ("text", texts.into_bound_py_any(py)?),
        Cells::Counts(counts) => ("count", counts.into_bound_py_any(py)?),
        Cells::Flags(flags) => ("flag", PyArray1::from_vec(py, flags).into_any()),
        Cells::Numbers(numbers) => {
            let numbers = numbers.into_iter().map(|number| number.unwrap_or(f64::NAN));
            ("number", PyArray1::from_vec(py, numbers.collect()).into_any())
        }
    })
}

/// Measures gaze, hands and bodies in recordings, by label, as studies need it.
///
/// The numbers are exactly those of ``mutoscope report``. ``docs/report.md`` defines them, and so
/// does the report itself: ``to_dict()["method"]``. Files are measured on all cores, with the GIL
/// released.
///
/// Parameters
/// ----------
/// sources : path, Clip, or sequence of these
///     Recordings, or folders of recordings. A file that cannot be read is in the report with an
///     error: see `Report.errors`.
/// labels : path, sequence of Label, "markers" or False, optional
///     The ranges to measure besides each whole recording: the labels of a file, for every
///     recording; "markers", the ranges between markers; False, none [default: ``take.labels.csv``,
///     ``take.eaf`` or ``take.TextGrid`` next to ``take.bin``].
/// areas : sequence of Area or str
///     Areas of interest for the gaze. As a string: ``"cup=sphere:0,1,-2,0.1"``.
/// rate : float, optional
///     Samples per second [default: the rate of the recording, or 60].
/// cutoff : float
///     The cut-off of the filter for hand positions, in Hz. 0 turns the filter off.
/// movement_speed : float
///     The speed above which a wrist is moving, in metres per second.
/// saccade_velocity : float
///     The angular velocity of saccades, in degrees per second.
/// gaze_on_target : float
///     The largest angle at which the gaze is on the target of a pinch, in degrees.
/// ground : float
///     The height of the ground, in metres.
/// feet : sequence of str
///     The joints of the feet [default: joints whose names contain foot, ankle or toe].
/// device : str, optional
///     The device whose limits the report lists: ``"HoloLens 2"``.
/// as_, columns, rig, retarget, allow_unmatched_rig, rotation, handedness, up, metres_per_unit,
/// seconds_per_unit, animation, character, clip
///     How files are read, as for `open`. Without ``animation``, all animations of a file are
///     measured.
///
/// Returns
/// -------
/// Report
///
/// Raises
/// ------
/// Error
///     If labels cannot be read, or a file has no such animation.
/// ValueError, TypeError
///     If an argument is invalid.
#[pyfunction]
#[pyo3(signature = (
    sources, *, labels=None, areas=Vec::new(), rate=None, cutoff=10.0, movement_speed=0.05, saccade_velocity=30.0,
    gaze_on_target=5.0, ground=0.0, feet=Vec::new(), device=None, as_=None, columns=None, rig=None, retarget=None, allow_unmatched_rig=false,
    rotation=None, handedness=None, up=None, metres_per_unit=None, seconds_per_unit=None, animation=None,
    character=None, clip=None
), text_signature = "(sources, *, labels=None, areas=(), rate=None, cutoff=10.0, movement_speed=0.05, \
    saccade_velocity=30.0, gaze_on_target=5.0, ground=0.0, feet=(), device=None, as_=None, columns=None, rig=None, retarget=None, \
    allow_unmatched_rig=False, rotation=None, handedness=None, up=None, metres_per_unit=None, \
    seconds_per_unit=None, animation=None, character=None, clip=None)")]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn report(
    py: Python<'_>,
    sources: &Bound<'_, PyAny>,
    labels: Option<Bound<'_, PyAny>>,
    areas: Vec<Bound<'_, PyAny>>,
    rate: Option<f64>,
    cutoff: f64,
    movement_speed: f64,
    saccade_velocity: f64,
    gaze_on_target: f64,
    ground: f64,
    feet: Vec<String>,
    device: Option<&str>,
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
) -> PyResult<Report> {
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
        frame_rate: None,
    };
    let options = StudyOptions {
        rate: above_zero("rate", rate)?,
        cutoff_hz: not_negative("cutoff", cutoff)?,
        movement_speed_mps: positive("movement_speed", movement_speed)?,
        saccade_velocity_degps: positive("saccade_velocity", saccade_velocity)?,
        gaze_on_target_deg: positive("gaze_on_target", gaze_on_target)?,
        ground_m: expected("ground", ground, "a finite number", true)?,
        feet,
        ..StudyOptions::default()
    };
    let areas = areas.iter().map(parse_area).collect::<PyResult<Vec<_>>>()?;
    let given = list_sources(sources)?;
    let OptionsWithFiles { options: read_options, files: mut inputs, .. } =
        arguments.read_options(py)?;
    let labels = label_source(labels, &mut inputs)?;
    let motion = Some(motion_maker(DEFAULT_MOTION_BYTES));
    let options_of_all = options.clone();
    let measuring =
        MeasureOptions { labels, areas: &areas, options: options_of_all, for_page: true, motion };
    let groups = groups(&given, &arguments)?;
    for group in &groups {
        match group {
            Group::Clip(clip) => inputs.add_all(clip.inputs()),
            Group::Files(sources) => {
                ReportedFiles::new(sources, &read_options, &measuring).add_to_inputs(&mut inputs);
            }
        }
    }
    let files = measure_groups(py, &groups, &read_options, &measuring)?;
    let (mut recordings, mut messages, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        if let Some(broken) = file.broken_labels.first() {
            return Err(error::from_label_error(py, &broken.path, broken.format, &broken.error));
        }
        if let (true, Some(failure)) = (file.is_wrong_usage, file.failures.last()) {
            return Err(error::from_message(py, &message(failure)));
        }
        messages.extend(file.lines);
        failures.extend(file.failures);
        library::Report::append_recordings(&mut recordings, file.reports);
    }
    let report = py.detach(|| library::Report::new(recordings, options, device));
    Ok(Report { report, messages, failures, inputs })
}

fn message(failure: &FailedRecording) -> Message<'_> {
    Message {
        format: failure.format,
        location: failure.location.clone(),
        ..Message::for_file(&failure.path, failure.message.clone())
    }
}

/// Returns the single source, or each of several.
fn list_sources<'py>(sources: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_one = sources.is_instance_of::<Clip>() || sources.extract::<PathBuf>().is_ok();
    if is_one {
        return Ok(vec![sources.clone()]);
    }
    let several = sources.try_iter().map_err(|_| unexpected(sources))?;
    several.collect()
}

fn unexpected(found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "another".to_owned(), |it| it.to_string());
    PyTypeError::new_err(format!("sources: expected paths or clips, found {found}"))
}

/// Consecutive files, or a clip.
enum Group<'a> {
    Files(Vec<Source>),
    Clip(&'a Clip),
}

fn groups<'a>(
    given: &'a [Bound<'_, PyAny>],
    arguments: &ReadArguments<'_>,
) -> PyResult<Vec<Group<'a>>> {
    let mut groups = Vec::new();
    for one in given {
        if let Ok(clip) = one.cast::<Clip>() {
            arguments.allow_clip()?;
            groups.push(Group::Clip(clip.get()));
            continue;
        }
        let source = Source::File(one.extract().map_err(|_| unexpected(one))?);
        match groups.last_mut() {
            Some(Group::Files(files)) => files.push(source),
            _ => groups.push(Group::Files(vec![source])),
        }
    }
    Ok(groups)
}

/// Measures with the GIL released, and stops at Ctrl+C.
fn measure_groups(
    py: Python<'_>,
    groups: &[Group<'_>],
    read_options: &ReadOptions,
    measuring: &MeasureOptions<'_>,
) -> PyResult<Vec<MeasuredFile>> {
    let interrupt = Interrupt::default();
    py.detach(|| {
        let interrupt = &interrupt;
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut files = Vec::new();
                for group in groups {
                    match group {
                        Group::Clip(clip) => files.push(measured_clip(clip, measuring)),
                        Group::Files(sources) => {
                            let sources = ReportedFiles::new(sources, read_options, measuring);
                            files.extend(sources.measure_all(interrupt).unwrap_or_default());
                        }
                    }
                    if interrupt.is_requested() {
                        break;
                    }
                }
                // After an interruption the receiver is gone, and the result is not needed.
                let _ = sender.send(files);
            });
            loop {
                match receiver.recv_timeout(INTERRUPT_POLL_INTERVAL) {
                    Ok(files) => return Ok(files),
                    Err(RecvTimeoutError::Timeout) => {}
                    // The thread has panicked. The panic is raised again when the scope ends.
                    Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                }
                if let Err(raised) = Python::attach(|py| py.check_signals()) {
                    interrupt.request();
                    return Err(raised);
                }
            }
        })
    })
}

fn measured_clip(clip: &Clip, measuring: &MeasureOptions<'_>) -> MeasuredFile {
    let mut file = MeasuredFile::default();
    let recording = Recording {
        clip: clip.clip(),
        name: clip.file().to_owned(),
        file: clip.path(),
        animation: clip.animation().map(str::to_owned),
    };
    match measuring.measure_recording(recording, &mut file.lines) {
        Ok(report) => file.add(report),
        Err(broken) => file.broken_labels.push(broken),
    }
    file
}

/// Returns the source of labels. A label file is added to `inputs`.
fn label_source(given: Option<Bound<'_, PyAny>>, inputs: &mut InputFiles) -> PyResult<LabelSource> {
    let Some(given) = given else { return Ok(LabelSource::Sidecars) };
    let unexpected = || {
        let message = "labels: expected a path, labels, \"markers\" or False";
        PyTypeError::new_err(message)
    };
    if let Ok(flag) = given.cast::<PyBool>() {
        return if flag.is_true() { Err(unexpected()) } else { Ok(LabelSource::None) };
    }
    if given.cast::<PyString>().is_ok_and(|word| word == "markers") {
        return Ok(LabelSource::Markers);
    }
    if let Ok(path) = given.extract::<PathBuf>() {
        let path: &Path = &path;
        inputs.add(path, "the labels");
        return Ok(LabelSource::Given(labels::read_library_labels(given.py(), path)?));
    }
    let labels: Vec<Bound<'_, Label>> = given.extract().map_err(|_| unexpected())?;
    Ok(LabelSource::Given(labels.iter().map(|one| one.get().to_library()).collect()))
}

fn parse_area(given: &Bound<'_, PyAny>) -> PyResult<NamedArea> {
    if let Ok(area) = given.cast::<Area>() {
        return Ok(area.get().to_named_area());
    }
    let text: String = given
        .extract()
        .map_err(|_| PyTypeError::new_err("areas: expected areas, or text such as cup=sphere:…"))?;
    text.parse().map_err(|why| PyValueError::new_err(format!("areas: {why}")))
}
