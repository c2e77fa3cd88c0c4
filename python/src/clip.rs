//! The `Clip` class, and `open`.

use std::{
    collections::HashMap,
    hint::black_box,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use mutoscope_core::{
    clip::{self, TrackId, Variants},
    export::{InputFiles, names::deduplicate},
    read::{Input, Recording, Source},
};
use mutoscope_study::verdict::{Profile, check_all};
use numpy::PyArray1;
use pyo3::{
    exceptions::{PyKeyError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyMappingProxy, PyString},
};

use crate::{
    facts::{self, Animation, Convention, Event, Issue, Node, Signal},
    reading::{self, OptionsWithFiles, ReadArguments},
    sample::{self, Sample},
    source,
    track::Track,
};

/// Opens a recording.
///
/// Parameters
/// ----------
/// source : path, bytes or binary file object
///     The file to read. Bytes, `bytearray` and `memoryview` are copied once.
/// as_ : str, optional
///     Forces this format: ``"mrtk"``, ``"maya"``, ``"animj"``, ….
/// columns : path or dict, optional
///     The column mapping of a table: a mapping file in TOML, or a dict with the same structure, as
///     `columns` returns it [default: ``take.columns.toml`` next to ``take.csv``, or the names of
///     the columns].
/// rate : float, optional
///     The frame rate in Hz of a table whose rows or frame numbers are the times.
/// rig : path, bytes or binary file object, optional
///     The skeleton to attach: glTF, GLB, VRM or FBX, or CINF for Metroid Prime.
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
/// name : str, optional
///     The name of bytes or a file object in messages. The extension helps if the content fits
///     several formats.
/// sidecars : mapping of str to bytes, optional
///     The files next to bytes or a file object, by their relative names. For a path, they are read
///     from its folder.
///
/// Returns
/// -------
/// Clip
///
/// Raises
/// ------
/// Error
///     If the file cannot be read. It has the path, the format and the location in the file.
/// ValueError, TypeError
///     If an argument is invalid.
#[pyfunction]
#[pyo3(signature = (
    source, *, as_=None, columns=None, rate=None, rig=None, retarget=None, allow_unmatched_rig=false, rotation=None, handedness=None, up=None,
    metres_per_unit=None, seconds_per_unit=None, animation=None, character=None, clip=None, name=None,
    sidecars=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    as_: Option<String>,
    columns: Option<Bound<'_, PyAny>>,
    rate: Option<f64>,
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
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Clip> {
    let arguments = ReadArguments {
        format: as_,
        columns,
        frame_rate: rate,
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
    let source = source::source(source, name, sidecars)?;
    let of = arguments.read_options(py)?;
    let input = reading::open(py, &of.options, &source)?;
    Ok(Clip::new(input, &source, &of))
}

/// Lists the animations of a file that contains several, in file order. Pass a name to `open` as
/// ``animation``.
///
/// Parameters
/// ----------
/// source : path, bytes or binary file object
///     The file to read, as for `open`.
/// as_ : str, optional
///     Forces this format.
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As for `open`.
///
/// Returns
/// -------
/// list of Animation
///     Empty if there is nothing to choose from.
///
/// Raises
/// ------
/// Error
///     If the file cannot be read.
/// ValueError, TypeError
///     If an argument is invalid.
#[pyfunction]
#[pyo3(signature = (source, *, as_=None, name=None, sidecars=None))]
pub(crate) fn animations(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    as_: Option<String>,
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Vec<Animation>> {
    let source = source::source(source, name, sidecars)?;
    let of = ReadArguments { format: as_, ..ReadArguments::default() }.read_options(py)?;
    let animations = reading::animations(py, &of.options, &source)?;
    Ok(animations.into_iter().map(Animation::from).collect())
}

/// A recording as decoded: nodes, tracks, curves and events. `open` returns one.
///
/// Tracks have the numbers of the file, in its own axes and units. `sample` returns poses in the
/// viewer's space: right-handed, Y up, −Z forward, metres. Times are in seconds. A clip is
/// immutable, and can be used from any number of threads.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Clip {
    clip: Arc<clip::Clip>,
    /// The name of the file in messages.
    file: String,
    path: Option<PathBuf>,
    character: Option<String>,
    /// The chosen animation of a file that contains several.
    animation: Option<String>,
    /// The input files, which must not be overwritten.
    inputs: InputFiles,
    /// The diagnostics of the skeleton file.
    rig_issues: Vec<(String, mutoscope_core::diagnostics::Diagnostic)>,
    node_names: Vec<String>,
    track_names: Vec<String>,
    signal_names: Vec<String>,
    tracks: PyOnceLock<Py<PyMappingProxy>>,
}

impl Clip {
    /// Creates a clip from an input that was decoded.
    ///
    /// # Panics
    /// If the input has no clip.
    pub(crate) fn new(input: Input, source: &Source, of: &OptionsWithFiles) -> Self {
        let OptionsWithFiles { options, rig, .. } = of;
        let recording = input.result.expect("there is a clip");
        let inputs = input_files(&recording, source, of);
        let Recording { clip, character, .. } = recording;
        let current = clip.animations().and_then(|all| all.names.get(all.current).cloned());
        let tracks: Vec<String> =
            clip.tracks.iter().map(|track| track_name(&clip, track)).collect();
        let names = |names: &mut dyn Iterator<Item = &str>| deduplicate(names, '.');
        let rig_diagnostics = options.given_skeleton().into_iter().flat_map(|rig| &rig.diagnostics);
        Self {
            node_names: names(&mut clip.nodes.iter().map(|node| node.name.as_str())),
            track_names: names(&mut tracks.iter().map(String::as_str)),
            signal_names: names(&mut clip.signals.iter().map(|signal| signal.name.as_str())),
            clip: Arc::new(clip),
            file: input.name,
            path: source.path().map(Path::to_owned),
            character,
            animation: options.variant(Variants::ANIMATION).map(str::to_owned).or(current),
            inputs,
            rig_issues: rig_diagnostics
                .map(|diagnostic| (rig.clone(), diagnostic.clone()))
                .collect(),
            tracks: PyOnceLock::new(),
        }
    }

    pub(crate) fn clip(&self) -> &clip::Clip {
        &self.clip
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(crate) fn animation(&self) -> Option<&str> {
        self.animation.as_deref()
    }

    pub(crate) fn inputs(&self) -> &InputFiles {
        &self.inputs
    }

    pub(crate) fn signal_names(&self) -> &[String] {
        &self.signal_names
    }

    pub(crate) fn node_names(&self) -> &[String] {
        &self.node_names
    }

    /// Returns the index of the node with this name or index.
    pub(crate) fn node_index(&self, node: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(name) = node.cast::<PyString>() {
            let name = name.to_str()?;
            let index = self.node_names.iter().position(|known| known == name);
            return index.ok_or_else(|| PyKeyError::new_err(name.to_owned()));
        }
        let index: usize = node
            .extract()
            .map_err(|_| PyTypeError::new_err("expected the name or the index of a node"))?;
        let count = self.node_names.len();
        if index < count {
            return Ok(index);
        }
        Err(PyKeyError::new_err(format!("node {index} of {count}")))
    }
}

/// Returns the number of seconds that the library itself takes to sample a clip at these times.
/// `bench.py` compares `Clip.sample` with it.
#[pyfunction]
pub(crate) fn _seconds_of_rust(
    py: Python<'_>,
    clip: &Bound<'_, Clip>,
    times: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let (clip, times) = (clip.get(), sample::to_times(times)?);
    Ok(py.detach(|| {
        let mut pose = clip::Pose::default();
        let start = Instant::now();
        for &time in &times {
            clip.clip.sample(time, &mut pose);
            black_box(&pose);
        }
        start.elapsed().as_secs_f64()
    }))
}

/// Returns the name of a track: `left/Wrist.position.x`.
fn track_name(clip: &clip::Clip, track: &clip::Track) -> String {
    match clip.owner_name(track.owner) {
        "" => track.property.clone(),
        owner => format!("{owner}.{}", track.property),
    }
}

fn input_files(recording: &Recording, source: &Source, of: &OptionsWithFiles) -> InputFiles {
    let mut files = InputFiles::default();
    source.path().into_iter().for_each(|path| files.add(path, "the recording"));
    files.add_all(&of.files);
    recording.sidecars.iter().for_each(|path| files.add(path, "a file of the recording"));
    files
}

#[pymethods]
impl Clip {
    /// The path as given to `open`. None for bytes and file objects.
    #[getter(path)]
    fn py_path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name of the recording in the file. Empty if it has none.
    #[getter]
    fn name(&self) -> &str {
        &self.clip.name
    }

    /// The id of the format: ``"mrtk"``.
    #[getter]
    fn format(&self) -> &'static str {
        self.clip.format.as_str()
    }

    /// The version of the format, as the file states it: ``"1.1"``.
    #[getter]
    fn version(&self) -> &str {
        &self.clip.version
    }

    /// The subject in a few words: ``"both hands, head, gaze"``.
    #[getter]
    fn subject(&self) -> &str {
        &self.clip.subject
    }

    /// The character of the animation, if the format has characters.
    #[getter]
    fn character(&self) -> Option<&str> {
        self.character.as_deref()
    }

    /// The start time in seconds.
    #[getter]
    fn start(&self) -> f64 {
        self.clip.span.start
    }

    /// The duration in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.clip.span.duration
    }

    /// The end time in seconds: start + duration.
    #[getter]
    fn end(&self) -> f64 {
        self.clip.span.end()
    }

    /// The sample rate that the file states, in Hz. None if the file does not state it.
    #[getter]
    fn rate_hz(&self) -> Option<f64> {
        self.clip.rate_hz
    }

    /// True if the animation is meant to loop. None if the file does not state it.
    #[getter]
    fn is_looping(&self) -> Option<bool> {
        self.clip.is_looping
    }

    /// The number of keys of all tracks.
    #[getter]
    fn key_count(&self) -> usize {
        self.clip.key_count()
    }

    /// The axes, units and rotation rule of the file, each with its origin.
    #[getter]
    fn convention(&self, py: Python<'_>) -> PyResult<Convention> {
        facts::convention(py, &self.clip.convention)
    }

    /// The choices that the file offers, such as ``"animation"``. Each maps to the current name and
    /// all available names.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let variants = PyDict::new(py);
        for one in &self.clip.variants {
            let current = one.names.get(one.current).cloned();
            variants.set_item(one.label.to_lowercase(), (current, one.names.to_vec()))?;
        }
        Ok(variants)
    }

    /// Other facts of the format, by their labels.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        let told = self.clip.facts();
        told.iter().try_for_each(|fact| facts.set_item(fact.label, &fact.text))?;
        Ok(facts)
    }

    /// The nodes in file order, which is the order of all arrays with a node axis.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        facts::nodes(&self.clip)
    }

    /// The names of the nodes. Repeated names get a number: ``"toe"``, ``"toe.001"``.
    #[getter(node_names)]
    fn py_node_names(&self) -> Vec<String> {
        self.node_names.clone()
    }

    /// Returns the index of the node with this name, as in `node_names`. It is the index in arrays
    /// with a node axis.
    ///
    /// Raises `KeyError` if there is no such node.
    fn index(&self, name: &Bound<'_, PyString>) -> PyResult<usize> {
        self.node_index(name.as_any())
    }

    /// The tracks by name, in file order, read-only: ``clip.tracks["left/Wrist.position.x"]``.
    ///
    /// The name of a track is the name of the node or group, a dot, and the property. Repeated
    /// names get a number.
    #[getter]
    fn tracks<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyMappingProxy>> {
        let tracks = self.tracks.get_or_try_init(py, || {
            let tracks = PyDict::new(py);
            for (index, name) in self.track_names.iter().enumerate() {
                let track = Track::new(self.clip.clone(), TrackId::new(index), name.clone());
                tracks.set_item(name, Py::new(py, track)?)?;
            }
            PyResult::Ok(PyMappingProxy::new(py, tracks.as_mapping()).unbind())
        })?;
        Ok(tracks.bind(py))
    }

    /// The tracks that do not animate transforms, such as ``"left/pinch"``.
    #[getter]
    fn signals(&self) -> Vec<Signal> {
        facts::signals(&self.clip, &self.signal_names, &self.track_names)
    }

    /// The events, such as markers, in file order.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        facts::events(py, &self.clip)
    }

    /// Returns all diagnostics of the data in time order: those of the decoder and those of the
    /// checks, with the thresholds of the default profile. The checks run on each call.
    fn issues(&self, py: Python<'_>) -> Vec<Issue> {
        let checked = py.detach(|| check_all(&self.clip, &Profile::default()));
        facts::to_issues(&self.clip, checked.diagnostics, &self.track_names)
    }

    /// The diagnostics of the skeleton file. Each has the file, severity, location and message.
    #[getter]
    fn rig_issues(&self) -> Vec<(String, &'static str, String, String)> {
        let issues = self.rig_issues.iter();
        issues
            .map(|(file, diagnostic)| {
                let location = diagnostic.location.to_string();
                (file.clone(), diagnostic.severity.as_str(), location, diagnostic.message.clone())
            })
            .collect()
    }

    /// Returns the times in seconds at which any track has a key, ascending and without duplicates:
    /// float64 of shape (n,).
    fn key_times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let times = py.detach(|| self.clip.sample_times());
        PyArray1::from_vec(py, times)
    }

    /// Samples poses at these times, in the viewer's space: right-handed, Y up, −Z forward, metres.
    ///
    /// The GIL is released, and the numbers are written directly into the arrays.
    ///
    /// Parameters
    /// ----------
    /// times : float or array-like of shape (n,)
    ///     Seconds, in any order. Outside the clip, curves are extrapolated by their own rule.
    /// nodes : sequence of str or int, optional
    ///     The names or indices of the nodes to sample [default: all].
    /// local : bool
    ///     If true, poses are relative to the parent of each node. Otherwise they are absolute.
    ///
    /// Returns
    /// -------
    /// Sample
    ///     positions (n, nodes, 3), rotations (n, nodes, 4), scales (n, nodes, 3), visible (n,
    ///     nodes).
    #[pyo3(signature = (times, *, nodes=None, local=false))]
    fn sample(
        &self,
        py: Python<'_>,
        times: &Bound<'_, PyAny>,
        nodes: Option<Vec<Bound<'_, PyAny>>>,
        local: bool,
    ) -> PyResult<Sample> {
        let nodes = match nodes {
            None => (0..self.node_names.len()).collect(),
            Some(nodes) => {
                nodes.iter().map(|node| self.node_index(node)).collect::<PyResult<Vec<usize>>>()?
            }
        };
        let request = sample::Request {
            clip: &self.clip,
            times: sample::to_times(times)?,
            names: nodes.iter().map(|&index| self.node_names[index].clone()).collect(),
            nodes,
            signals: &self.signal_names,
            local,
        };
        sample::sample(py, request)
    }

    /// Returns poses as a table of pandas or polars, in the viewer's space: metres, seconds.
    ///
    /// Parameters
    /// ----------
    /// times : float or array-like of shape (n,), optional
    ///     Seconds [default: `key_times`].
    /// layout : {"long", "wide"}
    ///     "long": a row for each time and node, with columns time, index, node, visible, x, y, z,
    ///     qx, qy, qz, qw, scale_x, scale_y, scale_z. "wide": a row for each time, with columns
    ///     such as ``left/Wrist.x`` for each node, and one for each signal.
    /// library : {"pandas", "polars"}, optional
    ///     [default: the first that is installed]
    /// nodes, local
    ///     As for `sample`.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame or polars.DataFrame
    #[pyo3(signature = (times=None, *, layout="long", library=None, nodes=None, local=false))]
    fn to_frame<'py>(
        slf: &Bound<'py, Self>,
        times: Option<Bound<'py, PyAny>>,
        layout: &str,
        library: Option<&str>,
        nodes: Option<Bound<'py, PyAny>>,
        local: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("mutoscope._frame")?;
        frame.call_method1("to_frame", (slf, times, layout, library, nodes, local))
    }

    /// Returns a page that plays this recording. Takes the keywords of `mutoscope.to_html`.
    ///
    /// Returns
    /// -------
    /// str
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, against=(), offsets=None, rates=None, at=None, range=None, select=None, \
            title=None, autoplay=True, loop=True, exact=False)"
    )]
    fn to_html<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("mutoscope._show")?.call_method("to_html", (slf,), options)
    }

    /// Plays this recording in a notebook. Takes the keywords of `mutoscope.show`.
    ///
    /// Returns
    /// -------
    /// Player
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, against=(), offsets=None, rates=None, at=None, range=None, select=None, \
            autoplay=False, loop=True, height=420)"
    )]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("mutoscope._show")?.call_method("show", (slf,), options)
    }

    fn __repr__(&self) -> String {
        let clip = &self.clip;
        let format = format!("{} {}", clip.format, clip.version);
        let (file, format, nodes) = (&self.file, format.trim_end(), clip.nodes.len());
        format!("<Clip {file:?}, {format}, {:.3} s, {nodes} nodes>", clip.span.duration)
    }
}
