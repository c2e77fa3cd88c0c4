//! Measures of gaze and hands: fixations, dwells, episodes, and the motion of joints.

use glam::DQuat;
use mutoscope_core::{
    clip::NodeId,
    measure::analysis::{
        self, DispersionOptions, GazeSample, NamedArea, Ray, Shape, VelocityOptions,
        fixations_by_dispersion, fixations_by_velocity,
    },
};
use numpy::{PyArray2, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::{
    exceptions::{PyKeyError, PyValueError},
    prelude::*,
};

use crate::{clip::Clip, sample};

/// A period in which the gaze rests on one point.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Fixation {
    /// The time of the first sample, in seconds.
    start: f64,
    /// The time of the last sample, in seconds.
    end: f64,
    /// The mean direction as a unit vector, in the viewer's space.
    direction: (f64, f64, f64),
    /// The mean origin of the gaze, in metres.
    origin: (f64, f64, f64),
    /// The index of the first sample.
    first: usize,
    /// The number of samples.
    count: usize,
}

/// A period in which a signal is on, or the gaze is on an area.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Episode {
    /// The name of the signal, or of the area of interest.
    name: String,
    /// The start in seconds.
    start: f64,
    /// The end in seconds.
    end: f64,
}

/// The path length and speed of a joint while it is visible.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct JointMotion {
    /// The duration in which the joint is visible, in seconds.
    visible: f64,
    /// The path length in metres.
    path_length: f64,
    /// The mean speed in metres per second.
    mean_speed: f64,
    /// The maximum speed in metres per second.
    max_speed: f64,
    /// The time of the maximum speed, in seconds.
    max_at: f64,
}

/// An area of interest: a sphere, a box or a rectangle, fixed or moving with a joint.
///
/// Lengths are in metres, and rotations are quaternions (x, y, z, w). Both are in the viewer's
/// space or, with a joint, in the joint's space.
#[pyclass(frozen, module = "mutoscope")]
pub(crate) struct Area {
    /// The name.
    #[pyo3(get)]
    name: String,
    shape: Shape,
    /// The name of the joint that the area moves with, or None.
    #[pyo3(get)]
    joint: Option<String>,
}

#[pymethods]
impl Area {
    /// Creates a sphere.
    #[staticmethod]
    #[pyo3(signature = (name, centre, radius, *, joint=None))]
    fn sphere(
        name: String,
        centre: [f64; 3],
        radius: f64,
        joint: Option<String>,
    ) -> PyResult<Self> {
        positive("radius", &[radius])?;
        Ok(Self { name, shape: Shape::Sphere { centre: centre.into(), radius }, joint })
    }

    /// Creates a box with these edge lengths.
    #[staticmethod]
    #[pyo3(signature = (name, centre, size, *, rotation=None, joint=None))]
    fn r#box(
        name: String,
        centre: [f64; 3],
        size: [f64; 3],
        rotation: Option<[f64; 4]>,
        joint: Option<String>,
    ) -> PyResult<Self> {
        positive("size", &size)?;
        let (centre, half) = (centre.into(), size.map(|edge| 0.5 * edge).into());
        let rotation = parse_rotation(rotation)?;
        Ok(Self { name, shape: Shape::Box { centre, rotation, half }, joint })
    }

    /// Creates a rectangle with this width and height, such as a screen. It faces along its Z axis,
    /// and is visible from both sides.
    #[staticmethod]
    #[pyo3(signature = (name, centre, size, *, rotation=None, joint=None))]
    fn plane(
        name: String,
        centre: [f64; 3],
        size: [f64; 2],
        rotation: Option<[f64; 4]>,
        joint: Option<String>,
    ) -> PyResult<Self> {
        positive("size", &size)?;
        let (centre, half) = (centre.into(), size.map(|edge| 0.5 * edge).into());
        let rotation = parse_rotation(rotation)?;
        Ok(Self { name, shape: Shape::Plane { centre, rotation, half }, joint })
    }

    fn __repr__(&self) -> String {
        format!("<Area {:?}>", self.name)
    }
}

impl Area {
    pub(crate) fn to_named_area(&self) -> NamedArea {
        NamedArea { name: self.name.clone(), shape: self.shape, joint: self.joint.clone() }
    }
}

#[pymethods]
impl Fixation {
    fn __repr__(&self) -> String {
        format!("<Fixation from {} s to {} s>", self.start, self.end)
    }
}

#[pymethods]
impl Episode {
    fn __repr__(&self) -> String {
        format!("<Episode {:?} from {} s to {} s>", self.name, self.start, self.end)
    }
}

#[pymethods]
impl JointMotion {
    fn __repr__(&self) -> String {
        format!("<JointMotion {} m, at most {} m/s>", self.path_length, self.max_speed)
    }
}

fn positive(argument: &str, numbers: &[f64]) -> PyResult<()> {
    match numbers.iter().find(|number| !(number.is_finite() && **number > 0.0)) {
        Some(number) => {
            let message = format!("{argument}: expected a number above 0, found {number}");
            Err(PyValueError::new_err(message))
        }
        None => Ok(()),
    }
}

/// Normalises a quaternion. `None` is the identity.
fn parse_rotation(rotation: Option<[f64; 4]>) -> PyResult<DQuat> {
    let Some(rotation) = rotation else { return Ok(DQuat::IDENTITY) };
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 1e-9) {
        let message = format!("rotation: expected a quaternion, found {rotation:?}");
        return Err(PyValueError::new_err(message));
    }
    Ok(DQuat::from_array(rotation.map(|part| part / length)))
}

/// Finds fixations, by dispersion (I-DT) or by velocity (I-VT), after Salvucci and Goldberg (2000).
///
/// Parameters
/// ----------
/// gaze : Clip, or (times, directions)
///     A recording. Or times in seconds, ascending, of shape (n,), and directions of shape (n, 3),
///     with NaN while the gaze is lost.
/// method : {"idt", "ivt"}
/// node : str or int
///     The node of a recording whose −Z axis is the gaze direction.
/// times : array-like of shape (n,), optional
///     Sample times of a recording in seconds, ascending [default: its `key_times`].
/// dispersion : float
///     I-DT: the largest sum of horizontal and vertical range, in degrees.
/// velocity : float
///     I-VT: the largest angular velocity, in degrees per second.
/// duration : float, optional
///     The shortest fixation, in seconds [default: 0.1 for I-DT, 0.06 for I-VT].
/// merged_within, merged_angle : float
///     I-VT: fixations that are at most this many seconds and degrees apart are merged.
///
/// Returns
/// -------
/// list of Fixation
#[pyfunction]
#[pyo3(signature = (
    gaze, *, method="idt", node=None, times=None, dispersion=1.0, velocity=30.0, duration=None,
    merged_within=0.075, merged_angle=0.5
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of a function of Python")]
pub(crate) fn fixations(
    py: Python<'_>,
    gaze: &Bound<'_, PyAny>,
    method: &str,
    node: Option<Bound<'_, PyAny>>,
    times: Option<Bound<'_, PyAny>>,
    dispersion: f64,
    velocity: f64,
    duration: Option<f64>,
    merged_within: f64,
    merged_angle: f64,
) -> PyResult<Vec<Fixation>> {
    let samples = samples(gaze, node, times)?;
    let found = match method {
        "idt" => {
            let duration = duration.unwrap_or(DispersionOptions::default().min_duration);
            let options = DispersionOptions {
                max_dispersion: dispersion.to_radians(),
                min_duration: duration,
            };
            py.detach(|| fixations_by_dispersion(&samples, &options))
        }
        "ivt" => {
            let options = VelocityOptions {
                max_velocity: velocity.to_radians(),
                min_duration: duration.unwrap_or(VelocityOptions::default().min_duration),
                max_merge_gap: merged_within,
                max_merge_angle: merged_angle.to_radians(),
            };
            py.detach(|| fixations_by_velocity(&samples, &options))
        }
        _ => {
            let message = format!("method: expected \"idt\" or \"ivt\", found {method:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let fixation = |one: analysis::Fixation| Fixation {
        start: one.start,
        end: one.end,
        direction: one.direction.into(),
        origin: one.origin.into(),
        first: one.samples.start,
        count: one.samples.len(),
    };
    Ok(found.into_iter().map(fixation).collect())
}

fn samples(
    gaze: &Bound<'_, PyAny>,
    node: Option<Bound<'_, PyAny>>,
    times: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<GazeSample>> {
    if let Ok(clip) = gaze.cast::<Clip>() {
        let clip = clip.get();
        let (node, times) = (gaze_node(clip, node)?, times_of(clip, times)?);
        return Ok(gaze.py().detach(|| analysis::sample_gaze(clip.clip(), node, &times)));
    }
    let (times, directions) = gaze.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
    let times = check_ascending(sample::to_times(&times)?)?;
    let numpy = gaze.py().import("numpy")?;
    let directions = numpy.call_method1("ascontiguousarray", (directions, "float64"))?;
    let expected = [times.len(), 3];
    let directions = directions
        .cast::<PyArray2<f64>>()
        .ok()
        .filter(|array| array.shape() == expected)
        .ok_or_else(|| {
            PyValueError::new_err(format!("directions: expected the shape ({}, 3)", times.len()))
        })?;
    let directions = directions.readonly();
    let rays = directions.as_slice()?.as_chunks::<3>().0.iter().map(|&[x, y, z]| {
        let length = (x * x + y * y + z * z).sqrt();
        let unit = [x / length, y / length, z / length];
        (length.is_finite() && length > 0.0)
            .then(|| Ray { origin: [0.0; 3].into(), direction: unit.into() })
    });
    Ok(times.iter().zip(rays).map(|(&time, ray)| GazeSample { time, ray }).collect())
}

/// Returns the given node, or the node called `gaze`.
fn gaze_node(clip: &Clip, node: Option<Bound<'_, PyAny>>) -> PyResult<NodeId> {
    let index = match node {
        Some(node) => clip.node_index(&node)?,
        None => clip.node_names().iter().position(|name| name == "gaze").ok_or_else(|| {
            PyKeyError::new_err("the recording has no node \"gaze\": node=… names one that looks")
        })?,
    };
    Ok(NodeId::new(index))
}

fn times_of(clip: &Clip, times: Option<Bound<'_, PyAny>>) -> PyResult<Vec<f64>> {
    match times {
        Some(times) => check_ascending(sample::to_times(&times)?),
        None => Ok(clip.clip().sample_times()),
    }
}

fn check_ascending(times: Vec<f64>) -> PyResult<Vec<f64>> {
    match times.is_sorted() {
        true => Ok(times),
        false => Err(PyValueError::new_err("times: expected them in ascending order")),
    }
}

/// Finds when the gaze rests on each area of interest. If the gaze passes through several areas,
/// the nearest is used.
///
/// Parameters
/// ----------
/// clip : Clip
/// areas : sequence of Area
/// node : str or int, optional
///     The node whose −Z axis is the gaze direction [default: ``"gaze"``].
/// times : array-like of shape (n,), optional
///     Sample times in seconds, ascending [default: `Clip.key_times`].
///
/// Returns
/// -------
/// list of Episode
///     In time order, each with the name of its area.
#[pyfunction]
#[pyo3(signature = (clip, areas, *, node=None, times=None))]
pub(crate) fn dwells(
    py: Python<'_>,
    clip: &Bound<'_, Clip>,
    areas: Vec<Bound<'_, Area>>,
    node: Option<Bound<'_, PyAny>>,
    times: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<Episode>> {
    let clip = clip.get();
    let (node, times) = (gaze_node(clip, node)?, times_of(clip, times)?);
    let area = |area: &Bound<'_, Area>| {
        let Area { name, shape, joint } = area.get();
        let index = |joint: &String| {
            let index = clip.node_names().iter().position(|known| known == joint);
            index.map(NodeId::new).ok_or_else(|| PyKeyError::new_err(joint.clone()))
        };
        let joint = joint.as_ref().map(index).transpose()?;
        Ok(analysis::Area { name: name.clone(), shape: *shape, joint })
    };
    let areas = areas.iter().map(area).collect::<PyResult<Vec<_>>>()?;
    let found = py.detach(|| analysis::find_dwells(clip.clip(), node, &areas, &times));
    let episode = |one: analysis::Dwell| Episode {
        name: areas[one.area].name.clone(),
        start: one.start,
        end: one.end,
    };
    Ok(found.into_iter().map(episode).collect())
}

/// Finds the periods in which a signal is on: true, or above 0.5.
///
/// Parameters
/// ----------
/// clip : Clip
/// signal : str
///     The name of the signal, as in `Clip.signals`: ``"right/pinch"``.
///
/// Returns
/// -------
/// list of Episode
///     In time order.
#[pyfunction]
pub(crate) fn episodes(clip: &Bound<'_, Clip>, signal: &str) -> PyResult<Vec<Episode>> {
    let clip = clip.get();
    let index = clip.signal_names().iter().position(|name| name == signal);
    let index = index.ok_or_else(|| PyKeyError::new_err(signal.to_owned()))?;
    let found = analysis::find_episodes(clip.clip(), clip.clip().signals[index].track);
    let episode = |one: analysis::Episode| Episode {
        name: signal.to_owned(),
        start: one.start,
        end: one.end,
    };
    Ok(found.into_iter().map(episode).collect())
}

/// Measures the path length and speed of a joint over a recording.
///
/// Parameters
/// ----------
/// clip : Clip
/// joint : str or int
/// rate : float
///     The sampling rate in Hz. The path length grows with the rate, because tremor adds to it.
///
/// Returns
/// -------
/// JointMotion
#[pyfunction]
#[pyo3(signature = (clip, joint, *, rate=120.0))]
pub(crate) fn joint_motion(
    py: Python<'_>,
    clip: &Bound<'_, Clip>,
    joint: &Bound<'_, PyAny>,
    rate: f64,
) -> PyResult<JointMotion> {
    positive("rate", &[rate])?;
    let clip = clip.get();
    let joint = NodeId::new(clip.node_index(joint)?);
    let found = py.detach(|| analysis::joint_motion(clip.clip(), joint, rate));
    let analysis::JointMotion {
        visible_duration: visible,
        path_length,
        mean_speed,
        max_speed,
        max_at,
    } = found;
    Ok(JointMotion { visible, path_length, mean_speed, max_speed, max_at })
}
