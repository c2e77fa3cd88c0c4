//! Authored curves, as the file has them.

use std::sync::Arc;

use mutoscope_core::clip::{
    AnyCurve, Clip, HandleEnd, Interpolation, ScalarCurve, TrackId, Unit, Value,
};
use numpy::PyArray1;
use pyo3::{exceptions::PyIndexError, prelude::*};

use crate::{
    column::{self, Column},
    sample,
};

/// One authored curve. Everything is as in the file: its own axes, units and rounding.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Track {
    clip: Arc<Clip>,
    id: TrackId,
    /// Its name, which no other track of the clip has.
    name: String,
}

impl Track {
    pub(crate) fn new(clip: Arc<Clip>, id: TrackId, name: String) -> Self {
        Self { clip, id, name }
    }

    fn track(&self) -> &mutoscope_core::clip::Track {
        self.clip.track(self.id)
    }
}

#[pymethods]
impl Track {
    /// Its name, which no other track of the clip has.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its index in the order of the file.
    #[getter]
    fn index(&self) -> usize {
        self.id.index()
    }

    /// The node, or the group of nodes, that it belongs to.
    #[getter]
    fn node(&self) -> &str {
        self.clip.owner_name(self.track().owner)
    }

    /// The property that it moves, as the format calls it: ``"position.x"``.
    #[getter]
    fn property(&self) -> &str {
        &self.track().property
    }

    /// The type of its values, in the words of the format: ``"float"``, ``"bool"``, ``"float3"``.
    #[getter(r#type)]
    fn type_name(&self) -> &'static str {
        self.track().curve.type_name()
    }

    /// The unit of its numbers, such as ``"cm"``; None if that is not known.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        match self.track().unit {
            Unit::None => None,
            Unit::Frames => Some("frames"),
            unit => Some(unit.symbol()),
        }
    }

    /// Where the file has it: ``"bytes 0x10..0x2c"``.
    #[getter]
    fn place(&self) -> String {
        self.track().source.place.to_string()
    }

    /// The times of its keys in seconds: float64 of shape (n,). Of driven curves, what drives them.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.track().curve.times().as_slice())
    }

    /// The values of its keys: shape (n,), or (n, components) for vectors, quaternions (x, y, z, w) and
    /// colours.
    ///
    /// Float64 for numbers, int64 or uint64 for whole numbers, bool for switches, else objects.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let curve = &self.track().curve;
        if let AnyCurve::Number(curve) | AnyCurve::Driven(curve) = curve {
            return Ok(PyArray1::from_vec(py, curve.values().iter().collect()).into_any());
        }
        let count = curve.key_count();
        let mut column = Column::of_curve(curve, count);
        (0..count).for_each(|index| column.push(&curve.key_value(index)));
        column.into_array(py)
    }

    /// Its keys, with their places in the file: a sequence that makes each when it is asked for.
    #[getter]
    fn keys(&self) -> Keys {
        Keys { clip: self.clip.clone(), id: self.id }
    }

    /// Its values at any times (seconds), by the curve's own rule, in the units of the file. Shaped as
    /// `values`.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = sample::times_of(times)?;
        let mut column = Column::of_curve(&self.track().curve, times.len());
        py.detach(|| times.iter().for_each(|&time| column.push(&self.clip.value(self.id, time))));
        column.into_array(py)
    }

    fn __len__(&self) -> usize {
        self.track().curve.key_count()
    }

    fn __repr__(&self) -> String {
        let curve = &self.track().curve;
        format!("<Track {:?}, {}, {} keys>", self.name, curve.type_name(), curve.key_count())
    }
}

/// The keys of a track, in the order of time. Each is made when it is asked for.
#[pyclass(frozen, sequence, module = "mutoscope")]
pub(crate) struct Keys {
    clip: Arc<Clip>,
    id: TrackId,
}

#[pymethods]
impl Keys {
    fn __len__(&self) -> usize {
        self.clip.track(self.id).curve.key_count()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Key> {
        let count = self.__len__();
        let from_end = if index < 0 { index.checked_add_unsigned(count) } else { Some(index) };
        let index = from_end.and_then(|index| usize::try_from(index).ok());
        match index.filter(|&index| index < count) {
            Some(index) => Key::new(py, self.clip.track(self.id), index),
            None => Err(PyIndexError::new_err("key index out of range")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<{} keys>", self.__len__())
    }
}

/// Where a tangent handle ends, seen from its key: seconds, and how much more than its value.
type Handle = Option<(f64, f64)>;

/// One key, as the file has it.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Key {
    /// Its index in the order of time.
    index: usize,
    /// Seconds.
    time: f64,
    /// Its value, as the file has it.
    value: Py<PyAny>,
    /// Where the file has it: ``"bytes 0x10..0x2c"``, ``"line 12"``.
    place: String,
    /// How the curve goes on to the next key: ``"step"``, ``"step-next"``, ``"nearest"``, ``"linear"``
    /// or ``"smooth"``; None after the last.
    interpolation: Option<&'static str>,
    /// For each component the ends of the tangent handles towards the key before and the key after,
    /// seen from the key: (seconds, value), or None.
    handles: Vec<(Handle, Handle)>,
    /// The integers that the file has for it, in formats that pack keys; else None.
    integers: Option<Vec<i64>>,
}

impl Key {
    fn new(py: Python<'_>, track: &mutoscope_core::clip::Track, index: usize) -> PyResult<Self> {
        let curve = &track.curve;
        let value: Value = curve.key_value(index);
        let end = |end: Option<HandleEnd>| end.map(|end| (end.seconds, end.value));
        let handles = curve.components().iter().map(|component: &ScalarCurve| {
            let handles = component.handles(index);
            (end(handles.before), end(handles.after))
        });
        Ok(Self {
            index,
            time: curve.times().as_slice()[index],
            value: column::object(py, &value)?.unbind(),
            place: track.source.key(index).to_string(),
            interpolation: curve
                .components()
                .first()
                .and_then(|component| component.interpolation(index))
                .map(interpolation_word),
            handles: handles.collect(),
            integers: track.source.code(index).map(|code| code.integers.into_vec()),
        })
    }
}

#[pymethods]
impl Key {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value.bind(py).repr()?;
        Ok(format!("<Key {value} at {} s, {}>", self.time, self.place))
    }
}

fn interpolation_word(course: Interpolation) -> &'static str {
    match course {
        Interpolation::Step => "step",
        Interpolation::StepNext => "step-next",
        Interpolation::Nearest => "nearest",
        Interpolation::Linear => "linear",
        Interpolation::Smooth => "smooth",
    }
}
