//! Authored curves, as the file stores them.

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

/// One authored curve. Everything is as in the file: axes, units and rounding.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Track {
    clip: Arc<Clip>,
    id: TrackId,
    /// The name, which is unique within the clip.
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
    /// The name, which is unique within the clip.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The index in file order.
    #[getter]
    fn index(&self) -> usize {
        self.id.index()
    }

    /// The name of the node or the group that owns the track.
    #[getter]
    fn node(&self) -> &str {
        self.clip.owner_name(self.track().owner)
    }

    /// The property, with the name that the format uses: ``"position.x"``.
    #[getter]
    fn property(&self) -> &str {
        &self.track().property
    }

    /// The type of the values, with the name that the format uses: ``"float"``, ``"bool"``,
    /// ``"float3"``.
    #[getter(r#type)]
    fn type_name(&self) -> &'static str {
        self.track().curve.type_name()
    }

    /// The unit of the numbers, such as ``"cm"``. None if it is not known.
    #[getter]
    fn unit(&self) -> Option<&'static str> {
        match self.track().unit {
            Unit::None => None,
            Unit::Frames => Some("frames"),
            unit => Some(unit.symbol()),
        }
    }

    /// The location in the file: ``"bytes 0x10..0x2c"``.
    #[getter]
    fn place(&self) -> String {
        self.track().source.location.to_string()
    }

    /// The times of the keys in seconds: float64 of shape (n,). For driven curves, the values of
    /// the driver.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.track().curve.times().as_slice())
    }

    /// The values of the keys: shape (n,), or (n, components) for vectors, quaternions (x, y, z, w)
    /// and colours.
    ///
    /// Float64 for numbers, int64 or uint64 for integers, bool for switches, otherwise objects.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let curve = &self.track().curve;
        if let AnyCurve::Number(curve) | AnyCurve::Driven(curve) = curve {
            return Ok(PyArray1::from_vec(py, curve.values().iter().collect()).into_any());
        }
        let count = curve.key_count();
        let mut column = Column::for_curve(curve, count);
        (0..count).for_each(|index| column.push(&curve.key_value(index)));
        column.into_array(py)
    }

    /// The keys with their locations in the file. The sequence creates each key on access.
    #[getter]
    fn keys(&self) -> Keys {
        Keys { clip: self.clip.clone(), id: self.id }
    }

    /// Evaluates the curve at any times in seconds, by its own rule and in the units of the file.
    /// The result has the shape of `values`.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = sample::to_times(times)?;
        let mut column = Column::for_curve(&self.track().curve, times.len());
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

/// The keys of a track in time order. Each is created on access.
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

/// The end of a tangent handle relative to its key: seconds, and the difference in value.
type Handle = Option<(f64, f64)>;

/// One key, as the file stores it.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Key {
    /// The index of the key in time order.
    index: usize,
    /// The time in seconds.
    time: f64,
    /// The value, as the file stores it.
    value: Py<PyAny>,
    /// The location in the file: ``"bytes 0x10..0x2c"``, ``"line 12"``.
    place: String,
    /// The interpolation to the next key: ``"step"``, ``"step-next"``, ``"nearest"``, ``"linear"``
    /// or ``"smooth"``. None for the last key.
    interpolation: Option<&'static str>,
    /// The ends of the tangent handles towards the previous and the next key for each component,
    /// relative to the key: (seconds, value), or None.
    handles: Vec<(Handle, Handle)>,
    /// The integers that the file stores, in formats that pack keys. Otherwise None.
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
            value: column::to_object(py, &value)?.unbind(),
            place: track.source.key_location(index).to_string(),
            interpolation: curve
                .components()
                .first()
                .and_then(|component| component.interpolation(index))
                .map(interpolation_name),
            handles: handles.collect(),
            integers: track.source.quantized_key(index).map(|code| code.integers.into_vec()),
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

fn interpolation_name(course: Interpolation) -> &'static str {
    match course {
        Interpolation::Step => "step",
        Interpolation::StepNext => "step-next",
        Interpolation::Nearest => "nearest",
        Interpolation::Linear => "linear",
        Interpolation::Smooth => "smooth",
    }
}
