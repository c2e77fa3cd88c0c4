//! Compares two recordings on one clock.

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
    reading::{self, ReadArguments},
    source,
};

/// The distances between the joints of B and A while both play.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Comparison {
    /// The time on A's clock at which B starts, in seconds.
    offset: f64,
    /// The seconds of B that pass in one second of A.
    rate: f64,
    /// The start of the overlap of both recordings, in seconds on A's clock.
    start: f64,
    /// The end of the overlap of both recordings, in seconds on A's clock.
    end: f64,
    /// The compared times, in seconds of A: float64 of shape (n,).
    times: Py<PyArray1<f64>>,
    /// The RMS distance over all joints that are visible in both recordings at each time, in
    /// metres: shape (n,). NaN if there are none.
    distances: Py<PyArray1<f64>>,
    /// The RMS distance over all joints and times, in metres.
    rms: Option<f64>,
    /// The mean offset from A to B, in metres.
    mean: Option<(f64, f64, f64)>,
    /// The alignment, if the offset was found automatically.
    alignment: Option<Py<Alignment>>,
    /// The pairs of joints.
    joints: Vec<Py<JointDeviation>>,
}

/// The timing of B on A's clock, found from the speeds of the joints.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Alignment {
    /// The time on A's clock at which B starts, in seconds.
    offset: f64,
    /// The correlation of the speeds of the joints. 1 is a perfect match.
    correlation: f64,
    /// True if both recordings show the same motion, the match is very unlikely to be a
    /// coincidence, and no other offset is nearly as good.
    certain: bool,
    /// The precision of the offset in seconds.
    interval: f64,
    /// The next best offset and its correlation.
    runner_up: Option<(f64, f64)>,
}

/// The distance between a joint of B and the matched joint of A.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct JointDeviation {
    /// The name of the joint in A.
    first: String,
    /// The name of the joint in B.
    second: String,
    /// The distance at each time, in metres: float64 of shape (n,). NaN if a joint is not visible.
    distances: Py<PyArray1<f64>>,
    /// The number of times at which both joints are visible.
    seen: usize,
    /// The largest distance in metres. This and the fields below are None if the joints are never
    /// visible together.
    max: Option<f64>,
    /// The time of the largest distance, in seconds of A.
    max_at: Option<f64>,
    /// The RMS distance in metres.
    rms: Option<f64>,
    /// The RMS distance in metres after subtracting the mean offset.
    rms_in_place: Option<f64>,
    /// The mean offset from A to B, in metres.
    mean: Option<(f64, f64, f64)>,
    /// The largest angle between the rotations, in degrees.
    max_angle: Option<f64>,
    /// The RMS angle in degrees.
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

/// Compares B with A joint by joint, at all key times of either recording at which both play.
///
/// Parameters
/// ----------
/// a, b : Clip, path, bytes or binary file object
/// align : bool
///     If true, finds the offset from the speeds of the joints.
/// offset : float, optional
///     The time on A's clock at which B starts, in seconds [default: 0].
/// rate : float
///     The seconds of B that pass in one second of A.
/// joints : sequence of str, int or pairs of them, optional
///     The joints to compare, by their names in A. Pass a pair if the name in B differs [default:
///     all joints with the same name in both].
///
/// Returns
/// -------
/// Comparison
///
/// Raises
/// ------
/// Error
///     If a recording cannot be read, the recordings cannot be aligned, or they never play at the
///     same time.
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
    let (a, b) = (clip_or_open(a)?, clip_or_open(b)?);
    let (first, second) = (a.get(), b.get());
    let clips = [first.clip(), second.clip()];
    let pairs = joint_pairs(joints, [first, second])?;
    let failed = |why: String| error::for_file(py, second.file(), why);
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

/// Returns the clip, or opens the argument as a recording.
fn clip_or_open<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Clip>> {
    if let Ok(clip) = given.cast::<Clip>() {
        return Ok(clip.clone());
    }
    let py = given.py();
    let source = source::source(given, None, None)?;
    let of = ReadArguments::default().read_options(py)?;
    let input = reading::open(py, &of.options, &source)?;
    Bound::new(py, Clip::new(input, &source, &of))
}

/// Returns the pairs of joints to compare: the given ones, or all that match by name.
fn joint_pairs(
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
        distances: with_nan(py, &comparison.rms_distances()),
        rms,
        mean: rms.map(|_| comparison.mean_offset().into()),
        alignment: alignment.transpose()?,
        joints: joints.collect::<PyResult<_>>()?,
    })
}

fn deviation(py: Python<'_>, one: &Deviation, [first, second]: [&Clip; 2]) -> JointDeviation {
    let of_seen = |number: f64| (one.visible_count > 0).then_some(number);
    JointDeviation {
        first: first.node_names()[one.joints.first.index()].clone(),
        second: second.node_names()[one.joints.second.index()].clone(),
        distances: with_nan(py, &one.distances),
        seen: one.visible_count,
        max: of_seen(one.max),
        max_at: of_seen(one.max_at),
        rms: of_seen(one.rms),
        rms_in_place: of_seen(one.rms_in_place),
        mean: (one.visible_count > 0).then(|| one.mean_offset.into()),
        max_angle: of_seen(one.max_angle.to_degrees()),
        rms_angle: of_seen(one.rms_angle.to_degrees()),
    }
}

fn with_nan(py: Python<'_>, numbers: &[Option<f64>]) -> Py<PyArray1<f64>> {
    PyArray1::from_iter(py, numbers.iter().map(|number| number.unwrap_or(f64::NAN))).unbind()
}
