//! Facts about a recording besides its motion: nodes, signals, events, diagnostics and conventions.

use mutoscope_core::{
    clip::{self, Convention as Facts, FactOrigin, Handedness, Owner, SignalKind, UpAxis, Value},
    formats::NamedAnimation,
    measure::checks,
};
use pyo3::{prelude::*, types::PyDict};

use crate::column;

/// A node: a joint, a head, a ray or another object with a transform.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Node {
    /// The index in all arrays with a node axis.
    index: usize,
    /// The name in the file. Names may repeat.
    name: String,
    /// The index of the parent node. None if the motion is absolute.
    parent: Option<usize>,
    /// The group of the node, such as ``"left"``.
    group: Option<String>,
    /// ``"joint"``, ``"tip"``, ``"head"``, ``"ray"``, ``"locator"``, ``"shape"``, ``"effector"`` or
    /// ``"helper"``. Heads and rays look along their −Z.
    kind: &'static str,
    /// The side of the body: ``"left"``, ``"right"`` or None.
    side: Option<&'static str>,
}

/// A curve that does not animate a transform, such as tracking or a pinch.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Signal {
    /// The name, as in `Sample.signals`.
    name: String,
    /// ``"tracked"``, ``"pinch"`` or ``"attribute"``.
    kind: &'static str,
    /// The name of the track with the values.
    track: String,
}

/// An event at one time.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Event {
    /// The time in seconds.
    time: f64,
    /// The name of the node or group. Empty if the event concerns the whole recording.
    node: String,
    /// The text of a marker.
    name: String,
    /// The value of the event, such as the name of a sound. None if it has none.
    value: Py<PyAny>,
    /// The kind of event, in formats of games: ``"sound"``.
    kind: Option<&'static str>,
    /// True if the game plays the event. It does not if the event is after the end, or belongs to
    /// another character.
    fires: bool,
    /// The location in the file.
    place: String,
}

/// One of several animations in a file.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Animation {
    /// The name, which `open` takes as ``animation``.
    name: String,
    /// The duration in seconds. None if it cannot be read.
    duration: Option<f64>,
}

#[pymethods]
impl Animation {
    fn __repr__(&self) -> String {
        let duration = self.duration.map_or("None".to_owned(), |duration| duration.to_string());
        format!("<Animation {:?}, duration {duration}>", self.name)
    }
}

impl From<NamedAnimation> for Animation {
    fn from(NamedAnimation { name, duration }: NamedAnimation) -> Self {
        Self { name, duration }
    }
}

/// A diagnostic about the data of a recording.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Issue {
    /// ``"error"`` for lost data, ``"warning"`` for suspect data, ``"info"`` for what is worth
    /// knowing.
    severity: &'static str,
    /// The check that reported it: ``"Jumps"``. None for other diagnostics.
    topic: Option<&'static str>,
    /// The message, one sentence.
    message: String,
    /// The location in the file.
    place: String,
    /// The time or start in seconds. None if the diagnostic has no time.
    time: Option<f64>,
    /// The end in seconds, if the diagnostic covers a period.
    end: Option<f64>,
    /// The node or group.
    node: Option<String>,
    /// The name of the track.
    track: Option<String>,
    /// The index of the key, or of the first key. For a check of motion, of the last key until
    /// then.
    key: Option<usize>,
}

/// The axes, units and rotation rule of a file, and the origin of each.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Convention {
    /// ``"left"`` or ``"right"``.
    handedness: &'static str,
    /// The up axis: ``"Y"`` or ``"Z"``.
    up: &'static str,
    /// The length of one unit in metres.
    metres_per_unit: f64,
    /// The duration of a time unit in seconds, for formats that leave it open.
    seconds_per_unit: Option<f64>,
    /// The interpolation of rotations between keys: ``"short"`` or ``"engine"``.
    rotation: &'static str,
    /// The origin of each of these facts: ``"declared"`` by the file, ``"assumed"`` for the format,
    /// or ``"chosen"`` by an argument of `open`.
    origins: Py<PyDict>,
}

#[pymethods]
impl Node {
    fn __repr__(&self) -> String {
        format!("<Node {} {:?}, a {}>", self.index, self.name, self.kind)
    }
}

#[pymethods]
impl Signal {
    fn __repr__(&self) -> String {
        format!("<Signal {:?}>", self.name)
    }
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        format!("<Event {:?} at {} s>", self.name, self.time)
    }
}

#[pymethods]
impl Issue {
    fn __repr__(&self) -> String {
        format!("<Issue {} at {}: {}>", self.severity, self.place, self.message)
    }
}

#[pymethods]
impl Convention {
    fn __repr__(&self) -> String {
        let Self { handedness, up, metres_per_unit, .. } = self;
        format!("<Convention {handedness}-handed, {up} up, 1 unit = {metres_per_unit} m>")
    }
}

pub(crate) fn nodes(clip: &clip::Clip) -> Vec<Node> {
    let of = |(index, node): (usize, &clip::Node)| Node {
        index,
        name: node.name.clone(),
        parent: node.parent.map(clip::NodeId::index),
        group: node.group.and_then(|group| clip.groups.get(group.index()).cloned()),
        kind: node.kind.as_str(),
        side: node.side.map(|side| match side {
            clip::Side::Left => "left",
            clip::Side::Right => "right",
        }),
    };
    clip.nodes.iter().enumerate().map(of).collect()
}

/// Returns the signals of `clip`. `names` and `tracks` are the unique names of its signals and
/// tracks.
pub(crate) fn signals(clip: &clip::Clip, names: &[String], tracks: &[String]) -> Vec<Signal> {
    let of = |(signal, name): (&clip::Signal, &String)| Signal {
        name: name.clone(),
        kind: match signal.kind {
            SignalKind::Tracked => "tracked",
            SignalKind::Pinch => "pinch",
            SignalKind::Attribute => "attribute",
        },
        track: tracks[signal.track.index()].clone(),
    };
    clip.signals.iter().zip(names).map(of).collect()
}

pub(crate) fn events(py: Python<'_>, clip: &clip::Clip) -> PyResult<Vec<Event>> {
    let of = |event: &clip::Event| {
        let details = event.details.as_deref();
        let owner = event.owner.map_or("", |owner| clip.owner_name(owner));
        Ok(Event {
            time: event.time,
            node: details.map_or(owner, |details| &details.node).to_owned(),
            name: event.name.clone(),
            value: column::to_object(py, event.value.as_deref().unwrap_or(&Value::Null))?.unbind(),
            kind: details.map(|details| details.kind),
            fires: details.is_none_or(|details| details.is_fired),
            place: event.location.to_string(),
        })
    };
    clip.events.iter().map(of).collect()
}

/// Converts `issues` of `clip`, whose tracks have these names.
pub(crate) fn to_issues(
    clip: &clip::Clip,
    diagnostics: Vec<checks::ClipDiagnostic>,
    tracks: &[String],
) -> Vec<Issue> {
    let to_issue = |diagnostic: checks::ClipDiagnostic| Issue {
        severity: diagnostic.severity.as_str(),
        topic: diagnostic.topic().map(|topic| topic.name()),
        place: diagnostic.location.to_string(),
        time: diagnostic.time,
        end: diagnostic.end,
        node: diagnostic.owner.map(|owner: Owner| clip.owner_name(owner).to_owned()),
        track: diagnostic.track.map(|track| tracks[track.index()].clone()),
        key: diagnostic.key.map(|key| key.index),
        message: diagnostic.message,
    };
    diagnostics.into_iter().map(to_issue).collect()
}

pub(crate) fn convention(py: Python<'_>, facts: &Facts) -> PyResult<Convention> {
    let origins = PyDict::new(py);
    let words = [
        (FactOrigin::Declared, "declared"),
        (FactOrigin::Assumed, "assumed"),
        (FactOrigin::Chosen, "chosen"),
    ];
    for (origin, word) in words {
        facts.fact_names(origin).into_iter().try_for_each(|fact| origins.set_item(fact, word))?;
    }
    Ok(Convention {
        handedness: match facts.handedness.value {
            Handedness::Left => "left",
            Handedness::Right => "right",
        },
        up: match facts.up.value {
            UpAxis::Y => "Y",
            UpAxis::Z => "Z",
        },
        metres_per_unit: facts.metres_per_unit.value,
        seconds_per_unit: facts.seconds_per_unit.map(|time| time.value),
        rotation: match facts.rotation.value {
            clip::RotationRule::Continuous => "short",
            clip::RotationRule::AsAuthored => "engine",
        },
        origins: origins.unbind(),
    })
}
