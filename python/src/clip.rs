//! A recording.

use std::{
    collections::HashMap,
    hint::black_box,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use mutoscope_core::{
    clip::{self, TrackId},
    export::{InputFiles, names::unique_names},
    measure::checks,
    read::{Input, Source},
};
use numpy::PyArray1;
use pyo3::{
    exceptions::{PyKeyError, PyTypeError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyMappingProxy, PyString},
};

use crate::{
    facts::{self, Animation, Convention, Event, Issue, Node, Signal},
    reading::{self, ReaderOf, Reading},
    sample::{self, Sample},
    source,
    track::Track,
};

/// Opens a recording.
///
/// Parameters
/// ----------
/// source : path, bytes or binary file object
///     What to read. Bytes, `bytearray` and `memoryview` are copied once.
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
/// name : str, optional
///     What messages call bytes or a file object; its extension helps where content may be of several
///     formats.
/// sidecars : mapping of str to bytes, optional
///     The files around bytes or a file object, by their names relative to it. A path has those in its
///     folder.
///
/// Returns
/// -------
/// Clip
///
/// Raises
/// ------
/// Error
///     If it cannot be read. It has the path, the format and the place in the file.
/// ValueError, TypeError
///     If an argument is none.
#[pyfunction]
#[pyo3(signature = (
    source, *, as_=None, columns=None, rig=None, retarget=None, allow_unmatched_rig=false, rotation=None, handedness=None, up=None,
    metres_per_unit=None, seconds_per_unit=None, animation=None, character=None, clip=None, name=None,
    sidecars=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
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
    name: Option<String>,
    sidecars: Option<HashMap<String, Vec<u8>>>,
) -> PyResult<Clip> {
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
    let source = source::source(source, name, sidecars)?;
    let of = reading.reader(py)?;
    let input = reading::open(py, &of.reader, &source)?;
    Ok(Clip::new(input, &source, &of))
}

/// The animations of a file that holds several, in its order: what `open` takes as ``animation``.
///
/// Parameters
/// ----------
/// source : path, bytes or binary file object
///     What to read, as `open` does.
/// as_ : str, optional
///     Reads the file as this format, whatever it looks like.
/// name : str, optional
/// sidecars : mapping of str to bytes, optional
///     As of `open`.
///
/// Returns
/// -------
/// list of Animation
///     Empty where there is nothing to choose from.
///
/// Raises
/// ------
/// Error
///     If it cannot be read.
/// ValueError, TypeError
///     If an argument is none.
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
    let of = Reading { format: as_, ..Reading::default() }.reader(py)?;
    let animations = reading::animations(py, &of.reader, &source)?;
    Ok(animations.into_iter().map(Animation::from).collect())
}

/// A recording: what moves, when, and by which curve. `open` makes one.
///
/// Tracks have the numbers of the file, in its own axes and units. `sample` gives poses in the viewer's
/// space: right-handed, Y up, −Z forward, metres. Times are in seconds. A clip is never changed, and
/// may be used from any number of threads.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Clip {
    clip: Arc<clip::Clip>,
    /// The name of the file in messages.
    file: String,
    path: Option<PathBuf>,
    character: Option<String>,
    /// The choice of an animation in a file that holds several.
    animation: Option<String>,
    /// The file that must not be written over.
    inputs: InputFiles,
    /// The issues in the file of its skeleton.
    rig_issues: Vec<(String, mutoscope_core::diagnostics::Notice)>,
    node_names: Vec<String>,
    track_names: Vec<String>,
    signal_names: Vec<String>,
    tracks: PyOnceLock<Py<PyMappingProxy>>,
}

impl Clip {
    /// The clip of an input that has one.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn new(input: Input, source: &Source, of: &ReaderOf) -> Self {
        let ReaderOf { reader, rig, .. } = of;
        let inputs = files_of(&input, source, of);
        let clip = input.result.expect("there is a clip");
        let current = clip.animations().and_then(|all| all.names.get(all.current).cloned());
        let tracks: Vec<String> =
            clip.tracks.iter().map(|track| track_name(&clip, track)).collect();
        let names = |names: &mut dyn Iterator<Item = &str>| unique_names(names, '.');
        let rig_notices = reader.rig.iter().flat_map(|rig| rig.notices.iter());
        Self {
            node_names: names(&mut clip.nodes.iter().map(|node| node.name.as_str())),
            track_names: names(&mut tracks.iter().map(String::as_str)),
            signal_names: names(&mut clip.signals.iter().map(|signal| signal.name.as_str())),
            clip: Arc::new(clip),
            file: input.name,
            path: source.path().map(Path::to_owned),
            character: input.character,
            animation: reader.animation.animation.clone().or(current),
            inputs,
            rig_issues: rig_notices.map(|notice| (rig.clone(), notice.clone())).collect(),
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

    /// The choice of an animation in a file that holds several.
    pub(crate) fn animation(&self) -> Option<&str> {
        self.animation.as_deref()
    }

    /// The files that it was made of.
    pub(crate) fn inputs(&self) -> &InputFiles {
        &self.inputs
    }

    pub(crate) fn signal_names(&self) -> &[String] {
        &self.signal_names
    }

    pub(crate) fn node_names(&self) -> &[String] {
        &self.node_names
    }

    /// The index of the node that is called or numbered so.
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

/// How many seconds the library itself takes to sample a clip at these times: what `bench.py` holds
/// `Clip.sample` against.
#[pyfunction]
pub(crate) fn _seconds_of_rust(
    py: Python<'_>,
    clip: &Bound<'_, Clip>,
    times: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let (clip, times) = (clip.get(), sample::times_of(times)?);
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

/// The name of a track: `left/Wrist.position.x`.
fn track_name(clip: &clip::Clip, track: &clip::Track) -> String {
    match clip.owner_name(track.owner) {
        "" => track.property.clone(),
        owner => format!("{owner}.{}", track.property),
    }
}

fn files_of(input: &Input, source: &Source, of: &ReaderOf) -> InputFiles {
    let mut files = InputFiles::default();
    source.path().into_iter().for_each(|path| files.add(path, "the recording"));
    files.add_all(&of.files);
    input.sidecars.iter().for_each(|path| files.add(path, "a file of the recording"));
    files
}

#[pymethods]
impl Clip {
    /// The path that it was opened from, as given; None for bytes and file objects.
    #[getter(path)]
    fn py_path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name of the recording in the file; empty if it has none.
    #[getter]
    fn name(&self) -> &str {
        &self.clip.name
    }

    /// The word for its format: ``"mrtk"``.
    #[getter]
    fn format(&self) -> &'static str {
        self.clip.format.word()
    }

    /// The version of the format, as the file states it: ``"1.1"``.
    #[getter]
    fn version(&self) -> &str {
        &self.clip.version
    }

    /// Its moving parts, in a few words: ``"both hands, head, gaze"``.
    #[getter]
    fn subject(&self) -> &str {
        &self.clip.subject
    }

    /// The character that it is shown on, in formats that have some.
    #[getter]
    fn character(&self) -> Option<&str> {
        self.character.as_deref()
    }

    /// The time it starts at, in seconds.
    #[getter]
    fn start(&self) -> f64 {
        self.clip.span.start
    }

    /// How long it plays, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.clip.span.duration
    }

    /// The time it ends at, in seconds: start + duration.
    #[getter]
    fn end(&self) -> f64 {
        self.clip.span.end()
    }

    /// The rate that it states to be recorded at, in samples a second; None if it states none.
    #[getter]
    fn rate_hz(&self) -> Option<f64> {
        self.clip.rate_hz
    }

    /// Whether it is meant to loop; None if the file does not say.
    #[getter]
    fn is_looping(&self) -> Option<bool> {
        self.clip.is_looping
    }

    /// How many keys its tracks hold together.
    #[getter]
    fn key_count(&self) -> usize {
        self.clip.key_count()
    }

    /// How the numbers of the file are understood, each fact with its origin.
    #[getter]
    fn convention(&self, py: Python<'_>) -> PyResult<Convention> {
        facts::convention(py, &self.clip.convention)
    }

    /// Choices that the file leaves, such as ``"animation"``: for each what was read, and all names.
    #[getter]
    fn variants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let variants = PyDict::new(py);
        for one in &self.clip.variants {
            let current = one.names.get(one.current).cloned();
            variants.set_item(one.label.to_lowercase(), (current, one.names.to_vec()))?;
        }
        Ok(variants)
    }

    /// Other facts of its format, by their labels.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        let told = self.clip.facts();
        told.iter().try_for_each(|fact| facts.set_item(fact.label, &fact.text))?;
        Ok(facts)
    }

    /// Its nodes, in the order of the file, which is that of all arrays with a node axis.
    #[getter]
    fn nodes(&self) -> Vec<Node> {
        facts::nodes(&self.clip)
    }

    /// The names of its nodes. Repeated names get a number: ``"toe"``, ``"toe.001"``.
    #[getter(node_names)]
    fn py_node_names(&self) -> Vec<String> {
        self.node_names.clone()
    }

    /// The index of the node of this name, as in `node_names`: its place in arrays with a node axis.
    ///
    /// Raises `KeyError` if there is none.
    fn index(&self, name: &Bound<'_, PyString>) -> PyResult<usize> {
        self.node_index(name.as_any())
    }

    /// Its tracks by name, in the order of the file, read-only:
    /// ``clip.tracks["left/Wrist.position.x"]``.
    ///
    /// A name is that of the node or group, a dot and the property. Repeated names get a number.
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

    /// Its tracks that are not a place in space, such as ``"left/pinch"``.
    #[getter]
    fn signals(&self) -> Vec<Signal> {
        facts::signals(&self.clip, &self.signal_names, &self.track_names)
    }

    /// Events at one moment, such as markers, in the order of the file.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        facts::events(py, &self.clip)
    }

    /// All issues in its data, in the order of time: what decoding brought up and what the checks
    /// find. They run on each call.
    fn issues(&self, py: Python<'_>) -> Vec<Issue> {
        let issues = py.detach(|| checks::all_issues(&self.clip));
        facts::issues(&self.clip, issues, &self.track_names)
    }

    /// The issues in the file of the skeleton: for each issue the file, severity, place and
    /// message.
    #[getter]
    fn rig_issues(&self) -> Vec<(String, &'static str, String, String)> {
        let told = self.rig_issues.iter();
        told.map(|(file, notice)| {
            let place = notice.place.to_string();
            (file.clone(), notice.severity.word(), place, notice.message.clone())
        })
        .collect()
    }

    /// The times in seconds at which any track has a key, each once and ascending: float64 of shape
    /// (n,).
    fn key_times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let times = py.detach(|| self.clip.sample_times());
        PyArray1::from_vec(py, times)
    }

    /// Poses at these times, in the viewer's space: right-handed, Y up, −Z forward, metres.
    ///
    /// The interpreter is released meanwhile, and the numbers go straight into the arrays.
    ///
    /// Parameters
    /// ----------
    /// times : float or array-like of shape (n,)
    ///     Seconds, in any order. Outside of the clip, curves do what they do outside of their keys.
    /// nodes : sequence of str or int, optional
    ///     The names or indices of the nodes that are wanted [default: all].
    /// local : bool
    ///     Whether poses are relative to the parent of each node rather than absolute.
    ///
    /// Returns
    /// -------
    /// Sample
    ///     positions (n, nodes, 3), rotations (n, nodes, 4), scales (n, nodes, 3), visible (n, nodes).
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
            times: sample::times_of(times)?,
            names: nodes.iter().map(|&index| self.node_names[index].clone()).collect(),
            nodes,
            signals: &self.signal_names,
            local,
        };
        sample::sample(py, request)
    }

    /// Poses as a table of pandas or polars, in the viewer's space: metres, seconds.
    ///
    /// Parameters
    /// ----------
    /// times : float or array-like of shape (n,), optional
    ///     Seconds [default: `key_times`].
    /// layout : {"long", "wide"}
    ///     A row for each time and node, with columns time, index, node, visible, x, y, z, qx, qy, qz,
    ///     qw, scale_x, scale_y, scale_z. Or a row for each time, with columns such as ``left/Wrist.x``
    ///     for each node, and one for each signal.
    /// library : {"pandas", "polars"}, optional
    ///     [default: the first of them that is installed]
    /// nodes, local
    ///     As in `sample`.
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

    /// This recording as a page that plays it: `mutoscope.to_html` with its keywords.
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

    /// Plays this recording in a notebook: `mutoscope.show` with its keywords.
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
