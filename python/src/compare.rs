//! Two recordings on one clock.

use mutoscope_core::{
    clip::NodeId,
    measure::compare::{self as library, Deviation, JointPair, Timing, pair_joints},
};
use numpy::PyArray1;
use pyo3::{
    exceptions::{PyKeyError, PyTypeError, PyValueError},
    prelude::*,
};

use crate::{
    clip::Clip,
    error,
    reading::{self, Reading},
    source,
};

/// How far the joints of B are from those of A, for as long as both play.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Comparison {
    /// The time of A, in seconds, at which B is at its own time 0.
    offset: f64,
    /// How many seconds of B pass in one second of A.
    rate: f64,
    /// From when both play, in seconds of A.
    start: f64,
    /// Until when both play, in seconds of A.
    end: f64,
    /// When they were compared, in seconds of A: float64 of shape (n,).
    times: Py<PyArray1<f64>>,
    /// The RMS distance over all joints that both show at each time, in metres: shape (n,); NaN where
    /// there are none.
    distances: Py<PyArray1<f64>>,
    /// The RMS distance over all joints and times, in metres.
    rms: Option<f64>,
    /// From where A is on average to where B is, in metres.
    mean: Option<(f64, f64, f64)>,
    /// How the offset was found, if it was.
    alignment: Option<Py<Alignment>>,
    /// Each pair of joints.
    joints: Vec<Py<JointDeviation>>,
}

/// The timing of B on the clock of A, found by how the joints move.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Alignment {
    /// The time of A, in seconds, at which B is at its own time 0.
    offset: f64,
    /// The correlation of the speeds of the joints there: 1 is the same.
    correlation: f64,
    /// Whether the recordings are of one motion, which can hardly be chance, and no other offset comes close.
    certain: bool,
    /// The offset is good to within this many seconds.
    interval: f64,
    /// The next best offset and its correlation.
    runner_up: Option<(f64, f64)>,
}

/// How far one joint of B is from the matched joint of A.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct JointDeviation {
    /// The name of the joint in A.
    first: String,
    /// The name of the joint in B.
    second: String,
    /// The distance at each of the times, in metres: float64 of shape (n,); NaN where one is not
    /// visible.
    distances: Py<PyArray1<f64>>,
    /// At how many times both are visible.
    seen: usize,
    /// The largest distance, in metres; None, as all below, if they are never visible together.
    max: Option<f64>,
    /// When that is, in seconds of A.
    max_at: Option<f64>,
    /// The RMS distance, in metres.
    rms: Option<f64>,
    /// The same once the mean offset is taken off.
    rms_in_place: Option<f64>,
    /// From A to B on average, in metres.
    mean: Option<(f64, f64, f64)>,
    /// The largest angle between the two, in degrees.
    max_angle: Option<f64>,
    /// The RMS angle, in degrees.
    rms_angle: Option<f64>,
}

#[pymethods]
impl Comparison {
    fn __repr__(&self) -> String {
        let rms = self.rms.map_or_else(|| "nothing seen".to_owned(), |rms| format!("RMS {rms} m"));
        format!("<Comparison of {} joints, offset {} s, {rms}>", self.joints.len(), self.offset)
    }
}

#[pymethods]
impl Alignment {
    fn __repr__(&self) -> String {
        format!("<Alignment at {} s, correlation {:.3}>", self.offset, self.correlation)
    }
}

#[pymethods]
impl JointDeviation {
    fn __repr__(&self) -> String {
        match (self.rms, self.max) {
            (Some(rms), Some(max)) => {
                format!("<JointDeviation {:?}, RMS {rms} m, max {max} m>", self.first)
            }
            _ => format!("<JointDeviation {:?}, never visible in both>", self.first),
        }
    }
}

/// Compares B with A, joint by joint, at all times at which either has keys and both play.
///
/// Parameters
/// ----------
/// a, b : Clip, path, bytes or binary file object
/// align : bool
///     Whether to find the offset by aligning the speeds of the joints.
/// offset : float, optional
///     The time of A, in seconds, at which B is at its own time 0 [default: 0].
/// rate : float
///     How many seconds of B pass in one second of A.
/// joints : sequence of str, int or pairs of them, optional
///     The joints to compare, by their names in A; a pair for one that B calls otherwise [default: all
///     that have the same name in both].
///
/// Returns
/// -------
/// Comparison
///
/// Raises
/// ------
/// Error
///     If one cannot be read, they cannot be aligned, or they never play at the same time.
#[pyfunction]
#[pyo3(signature = (a, b, *, align=false, offset=None, rate=1.0, joints=None))]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    align: bool,
    offset: Option<f64>,
    rate: f64,
    joints: Option<Vec<Bound<'_, PyAny>>>,
) -> PyResult<Comparison> {
    if align && offset.is_some() {
        return Err(PyTypeError::new_err("align and offset: expected one of them, found both"));
    }
    let offset = offset.unwrap_or(0.0);
    if !(offset.is_finite() && rate.is_finite() && rate > 0.0) {
        let message = format!(
            "expected a finite offset and a rate above 0, found offset={offset}, rate={rate}"
        );
        return Err(PyValueError::new_err(message));
    }
    let (a, b) = (opened(a)?, opened(b)?);
    let (first, second) = (a.get(), b.get());
    let clips = [first.clip(), second.clip()];
    let pairs = pairs(joints, [first, second])?;
    let failed = |why: String| error::about_file(py, second.file(), why);
    let (timing, alignment) = if align {
        let found = py
            .detach(|| library::align(clips, &pairs, rate))
            .map_err(|why| failed(format!("cannot be aligned: {why}")))?;
        (Timing { offset: found.offset, rate }, Some(found))
    } else {
        (Timing { offset, rate }, None)
    };
    let comparison = py
        .detach(|| library::Comparison::new(clips, &pairs, timing))
        .map_err(|why| failed(why.to_string()))?;
    result(py, &comparison, alignment, [first, second])
}

/// A clip, or what can be opened as one.
fn opened<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Clip>> {
    if let Ok(clip) = given.cast::<Clip>() {
        return Ok(clip.clone());
    }
    let py = given.py();
    let source = source::source(given, None, None)?;
    let of = Reading::default().reader(py)?;
    let input = reading::open(py, &of.reader, &source)?;
    Bound::new(py, Clip::new(input, &source, &of))
}

/// The pairs of joints that are compared: those that are named, each by one name or by one of each
/// recording, or all that match by name.
fn pairs(
    joints: Option<Vec<Bound<'_, PyAny>>>,
    [first, second]: [&Clip; 2],
) -> PyResult<Vec<JointPair>> {
    let all = pair_joints(first.clip(), second.clip());
    let Some(joints) = joints else {
        return match all.is_empty() {
            true => Err(PyValueError::new_err(
                "no joints match by name; joints=[(NAME, OTHER)] names a pair",
            )),
            false => Ok(all),
        };
    };
    let pair = |joint: &Bound<'_, PyAny>| {
        if let Ok((one, other)) = joint.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
            let (one, other) = (first.node_index(&one)?, second.node_index(&other)?);
            return Ok(JointPair { first: NodeId::new(one), second: NodeId::new(other) });
        }
        let id = NodeId::new(first.node_index(joint)?);
        all.iter().copied().find(|pair| pair.first == id).ok_or_else(|| {
            let name = &first.node_names()[id.index()];
            PyKeyError::new_err(format!("the second has no match for {name:?}"))
        })
    };
    joints.iter().map(pair).collect()
}

fn result(
    py: Python<'_>,
    comparison: &library::Comparison,
    alignment: Option<library::Alignment>,
    clips: [&Clip; 2],
) -> PyResult<Comparison> {
    let rms = comparison.rms();
    let joints = comparison.deviations.iter().map(|one| Py::new(py, deviation(py, one, clips)));
    let alignment = alignment.map(|found| {
        let certain = found.is_certain();
        let library::Alignment { offset, correlation, runner_up, interval, .. } = found;
        Py::new(py, Alignment { offset, correlation, certain, interval, runner_up })
    });
    Ok(Comparison {
        offset: comparison.timing.offset,
        rate: comparison.timing.rate,
        start: comparison.range.0,
        end: comparison.range.1,
        times: PyArray1::from_slice(py, &comparison.times).unbind(),
        distances: with_nan(py, &comparison.distances()),
        rms,
        mean: rms.map(|_| comparison.mean().into()),
        alignment: alignment.transpose()?,
        joints: joints.collect::<PyResult<_>>()?,
    })
}

fn deviation(py: Python<'_>, one: &Deviation, [first, second]: [&Clip; 2]) -> JointDeviation {
    let of_seen = |number: f64| (one.seen > 0).then_some(number);
    JointDeviation {
        first: first.node_names()[one.joints.first.index()].clone(),
        second: second.node_names()[one.joints.second.index()].clone(),
        distances: with_nan(py, &one.distances),
        seen: one.seen,
        max: of_seen(one.max),
        max_at: of_seen(one.max_at),
        rms: of_seen(one.rms),
        rms_in_place: of_seen(one.rms_in_place),
        mean: (one.seen > 0).then(|| one.mean.into()),
        max_angle: of_seen(one.max_angle.to_degrees()),
        rms_angle: of_seen(one.rms_angle.to_degrees()),
    }
}

fn with_nan(py: Python<'_>, numbers: &[Option<f64>]) -> Py<PyArray1<f64>> {
    PyArray1::from_iter(py, numbers.iter().map(|number| number.unwrap_or(f64::NAN))).unbind()
}
