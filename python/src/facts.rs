//! Facts of a recording besides its motion: nodes, signals, events, issues, and how its numbers are
//! understood.

use mutoscope_core::{
    clip::{self, Convention as Facts, Handedness, Origin, Owner, SignalKind, Up, Value},
    formats::NamedAnimation,
    measure::checks,
};
use pyo3::{prelude::*, types::PyDict};

use crate::column;

/// A joint, a head, a ray: something that stands somewhere.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Node {
    /// Its index in all arrays with a node axis.
    index: usize,
    /// Its name in the file; names may repeat.
    name: String,
    /// The index of the node that its motion is relative to; None if it is absolute.
    parent: Option<usize>,
    /// The group it belongs to, such as ``"left"``.
    group: Option<String>,
    /// ``"joint"``, ``"tip"``, ``"head"``, ``"ray"``, ``"locator"``, ``"shape"``, ``"effector"`` or
    /// ``"helper"``. Heads and rays look along their −Z.
    kind: &'static str,
    /// The side of the body: ``"left"``, ``"right"`` or None.
    side: Option<&'static str>,
}

/// A curve that is not a place in space: whether a hand is tracked, whether it pinches.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Signal {
    /// Its name, as in `Sample.signals`.
    name: String,
    /// ``"tracked"``, ``"pinch"`` or ``"attribute"``.
    kind: &'static str,
    /// The name of the track that has its values.
    track: String,
}

/// Something that happens at one moment.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Event {
    /// Seconds.
    time: f64,
    /// The node or group that it concerns; empty for the recording as a whole.
    node: String,
    /// The text of a marker.
    name: String,
    /// Its value, such as what a sound or an action is of; None if it has none.
    value: Py<PyAny>,
    /// The kind of event, in formats of games: ``"sound"``.
    kind: Option<&'static str>,
    /// Whether the game plays it: it may be after the end, or for another character.
    fires: bool,
    /// Where the file has it.
    place: String,
}

/// An animation of a file that holds several.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Animation {
    /// Its name, which `open` takes as ``animation``.
    name: String,
    /// Its duration in seconds; None if it cannot be read.
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

/// Something about a recording that is odd or worth a look.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Issue {
    /// ``"error"`` for what is lost, ``"warning"`` for what is suspect, ``"info"`` for what is worth
    /// knowing.
    severity: &'static str,
    /// The check that found it: ``"Jumps"``; None for others.
    topic: Option<&'static str>,
    /// One sentence.
    message: String,
    /// Where the file has it.
    place: String,
    /// When it is or begins, in seconds; None if it is about no time.
    time: Option<f64>,
    /// When it ends, in seconds, if it takes a while.
    end: Option<f64>,
    /// The node or group that it concerns.
    node: Option<String>,
    /// The name of the track that it concerns.
    track: Option<String>,
    /// The index of the key that it is about or begins at.
    key: Option<usize>,
}

/// How the numbers of a file are understood, and where each of these facts comes from.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Convention {
    /// ``"left"`` or ``"right"``.
    handedness: &'static str,
    /// The axis that points up: ``"Y"`` or ``"Z"``.
    up: &'static str,
    /// The length of one unit in metres.
    metres_per_unit: f64,
    /// How many seconds a unit of time has, in formats in which that is open.
    seconds_per_unit: Option<f64>,
    /// How rotations are interpolated between keys: ``"short"`` or ``"engine"``.
    rotation: &'static str,
    /// For each of these facts ``"declared"`` by the file, ``"assumed"`` for the format, or
    /// ``"chosen"`` by an argument of `open`.
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
        kind: node.kind.word(),
        side: node.side.map(|side| match side {
            clip::Side::Left => "left",
            clip::Side::Right => "right",
        }),
    };
    clip.nodes.iter().enumerate().map(of).collect()
}

/// The signals of `clip`, whose names and those of the tracks are `names` and `tracks`.
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
            value: column::object(py, event.value.as_deref().unwrap_or(&Value::Null))?.unbind(),
            kind: details.map(|details| details.kind),
            fires: details.is_none_or(|details| details.fires),
            place: event.place.to_string(),
        })
    };
    clip.events.iter().map(of).collect()
}

/// `issues` in `clip`, whose tracks have these names.
pub(crate) fn issues(
    clip: &clip::Clip,
    issues: Vec<checks::Issue>,
    tracks: &[String],
) -> Vec<Issue> {
    let of = |issue: checks::Issue| Issue {
        severity: issue.severity.word(),
        topic: issue.topic.map(|topic| topic.name()),
        place: issue.place.to_string(),
        time: issue.time,
        end: issue.end,
        node: issue.owner.map(|owner: Owner| clip.owner_name(owner).to_owned()),
        track: issue.track.map(|track| tracks[track.index()].clone()),
        key: issue.key.map(|key| key.index),
        message: issue.message,
    };
    issues.into_iter().map(of).collect()
}

pub(crate) fn convention(py: Python<'_>, facts: &Facts) -> PyResult<Convention> {
    let origins = PyDict::new(py);
    let words =
        [(Origin::Declared, "declared"), (Origin::Assumed, "assumed"), (Origin::Chosen, "chosen")];
    for (origin, word) in words {
        facts.names_of(origin).into_iter().try_for_each(|fact| origins.set_item(fact, word))?;
    }
    Ok(Convention {
        handedness: match facts.handedness.value {
            Handedness::Left => "left",
            Handedness::Right => "right",
        },
        up: match facts.up.value {
            Up::Y => "Y",
            Up::Z => "Z",
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
