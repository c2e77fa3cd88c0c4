//! Samples poses at many times into arrays.

use std::{num::NonZero, thread};

use mutoscope_core::clip::{Clip, Pose, Transform};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::{
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::column::Column;

/// The number of poses that each thread samples between checks for Ctrl+C.
const POSES_PER_CHECK: usize = 4096;

/// The smallest number of poses for which a thread is started.
const MIN_POSES_PER_THREAD: usize = 512;

/// The largest number of threads. With more, memory bandwidth is the limit.
const MAX_THREADS: usize = 8;

/// Poses at many times, in the viewer's space: right-handed, Y up, −Z forward, metres.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Sample {
    /// Seconds: float64 of shape (n,).
    times: Py<PyAny>,
    /// Metres: float64 of shape (n, nodes, 3).
    positions: Py<PyAny>,
    /// Unit quaternions as x, y, z, w: float64 of shape (n, nodes, 4).
    rotations: Py<PyAny>,
    /// Scale factors along the axes of each node: float64 of shape (n, nodes, 3).
    scales: Py<PyAny>,
    /// True where a node is visible: bool of shape (n, nodes). Untracked hands are not visible.
    visible: Py<PyAny>,
    /// The values of each signal by name, in the units of the file: shape (n,) or (n, components).
    signals: Py<PyDict>,
    /// The names of the nodes, in the order of the arrays.
    nodes: Vec<String>,
    /// True if poses are relative to the parent of each node. Otherwise they are absolute.
    local: bool,
}

#[pymethods]
impl Sample {
    /// Returns the index of the node with this name in the arrays. Raises `KeyError` if the node
    /// was not sampled.
    fn column(&self, name: &str) -> PyResult<usize> {
        let index = self.nodes.iter().position(|known| known == name);
        index.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.to_owned()))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.times.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Sample of {} times and {} nodes>", self.__len__(py)?, self.nodes.len()))
    }
}

pub(crate) struct Request<'a> {
    pub(crate) clip: &'a Clip,
    /// Seconds.
    pub(crate) times: Vec<f64>,
    /// The indices of the nodes to sample, and their names.
    pub(crate) nodes: Vec<usize>,
    pub(crate) names: Vec<String>,
    pub(crate) signals: &'a [String],
    pub(crate) local: bool,
}

/// Converts a number, a sequence or an array to times.
pub(crate) fn to_times(given: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given, "float64"))?;
    let array = numpy.call_method1("ascontiguousarray", (array,))?;
    let array = array.cast::<PyArrayDyn<f64>>()?;
    if array.ndim() != 1 {
        let message = format!("times: expected one dimension, found {}", array.ndim());
        return Err(PyValueError::new_err(message));
    }
    let times = array.readonly().as_slice()?.to_vec();
    match times.iter().find(|time| !time.is_finite()) {
        Some(time) => Err(PyValueError::new_err(format!("times: expected seconds, found {time}"))),
        None => Ok(times),
    }
}

/// Samples on several threads with the GIL released, directly into the arrays that Python receives.
pub(crate) fn sample(py: Python<'_>, request: Request<'_>) -> PyResult<Sample> {
    let Request { clip, times, nodes, names, signals, local } = request;
    let (rows, columns) = (times.len(), nodes.len());
    let [positions, scales] =
        [(); 2].map(|()| empty_array::<f64>(py, &[rows, columns, 3], "float64"));
    let (positions, scales) = (positions?, scales?);
    let rotations = empty_array::<f64>(py, &[rows, columns, 4], "float64")?;
    let visible = empty_array::<bool>(py, &[rows, columns], "bool")?;
    let mut values = signal_columns(clip, rows);
    {
        let mut borrowed =
            (positions.readwrite(), rotations.readwrite(), scales.readwrite(), visible.readwrite());
        let mut rest = Rows {
            nodes: &nodes,
            positions: borrowed.0.as_slice_mut()?,
            rotations: borrowed.1.as_slice_mut()?,
            scales: borrowed.2.as_slice_mut()?,
            visible: borrowed.3.as_slice_mut()?,
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
        for some in times.chunks(POSES_PER_CHECK * threads) {
            let rows = rest.split_off_rows(some.len());
            let found = py.detach(|| fill_on(threads, clip, some, rows, local));
            for part in found {
                values.iter_mut().zip(part).for_each(|(all, more)| all.append(more));
            }
            py.check_signals()?;
        }
    }
    let by_name = PyDict::new(py);
    for (name, column) in signals.iter().zip(values) {
        by_name.set_item(name, column.into_array(py)?)?;
    }
    Ok(Sample {
        times: PyArray1::from_vec(py, times).into_any().unbind(),
        positions: positions.into_any().unbind(),
        rotations: rotations.into_any().unbind(),
        scales: scales.into_any().unbind(),
        visible: visible.into_any().unbind(),
        signals: by_name.unbind(),
        nodes: names,
        local,
    })
}

/// Creates a column for each signal.
fn signal_columns(clip: &Clip, capacity: usize) -> Vec<Column> {
    let curves = clip.signals.iter().map(|signal| &clip.track(signal.track).curve);
    curves.map(|curve| Column::for_curve(curve, capacity)).collect()
}

/// Fills `rows` with the poses at `times`, divided among at most `threads` threads. Returns the
/// values of all signals, one part for each thread.
fn fill_on(
    threads: usize,
    clip: &Clip,
    times: &[f64],
    mut rows: Rows<'_>,
    local: bool,
) -> Vec<Vec<Column>> {
    let part = times.len().div_ceil(threads).max(MIN_POSES_PER_THREAD);
    let fill = |times: &[f64], mut rows: Rows<'_>| {
        let (mut pose, mut values) = (Pose::default(), signal_columns(clip, times.len()));
        for &time in times {
            clip.sample(time, &mut pose);
            rows.split_off_rows(1).fill(&pose, local);
            values.iter_mut().zip(&pose.signals).for_each(|(all, one)| all.push(one));
        }
        values
    };
    thread::scope(|scope| {
        let mut parts = times.chunks(part);
        let first = parts.next().map(|times| (times, rows.split_off_rows(times.len())));
        let others: Vec<_> = parts
            .map(|times| {
                let rows = rows.split_off_rows(times.len());
                scope.spawn(move || fill(times, rows))
            })
            .collect();
        let mut found: Vec<_> = first.map(|(times, rows)| fill(times, rows)).into_iter().collect();
        for other in others {
            found.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        found
    })
}

/// The rows of all arrays that are not filled yet.
struct Rows<'a> {
    /// The index of the node in each column.
    nodes: &'a [usize],
    positions: &'a mut [f64],
    rotations: &'a mut [f64],
    scales: &'a mut [f64],
    visible: &'a mut [bool],
}

impl<'a> Rows<'a> {
    /// Splits off the first `count` rows.
    fn split_off_rows(&mut self, count: usize) -> Rows<'a> {
        fn split_slice<'a, T>(all: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            let (first, rest) = std::mem::take(all).split_at_mut(count);
            *all = rest;
            first
        }
        let cells = count * self.nodes.len();
        Rows {
            nodes: self.nodes,
            positions: split_slice(&mut self.positions, cells * 3),
            rotations: split_slice(&mut self.rotations, cells * 4),
            scales: split_slice(&mut self.scales, cells * 3),
            visible: split_slice(&mut self.visible, cells),
        }
    }

    /// Fills one row.
    fn fill(self, pose: &Pose, local: bool) {
        let (positions, _) = self.positions.as_chunks_mut::<3>();
        let (rotations, _) = self.rotations.as_chunks_mut::<4>();
        let (scales, _) = self.scales.as_chunks_mut::<3>();
        let cells = positions.iter_mut().zip(rotations).zip(scales).zip(self.visible);
        for (&index, (((position, rotation), scale), visible)) in self.nodes.iter().zip(cells) {
            let node = &pose.nodes[index];
            let Transform { translation, rotation: turn, scale: size } =
                if local { &node.local } else { &node.world };
            *position = translation.to_array();
            *rotation = turn.to_array();
            *scale = size.to_array();
            *visible = node.is_visible;
        }
    }
}

/// Creates an uninitialised array with this shape. NumPy allocates it, so that a lack of memory
/// raises `MemoryError`.
fn empty_array<'py, T: numpy::Element>(
    py: Python<'py>,
    shape: &[usize],
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let cells = shape.iter().try_fold(8_usize, |cells, &length| cells.checked_mul(length));
    if cells.is_none() {
        return Err(PyOverflowError::new_err("more numbers than there are addresses"));
    }
    let shape = pyo3::types::PyTuple::new(py, shape)?;
    let array = py.import("numpy")?.call_method1("empty", (shape, dtype))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}
