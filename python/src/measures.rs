//! The events of a report: movements, saccades, pinches, and the smoothness of a movement.

use glam::DVec3;
use mutoscope_core::io::progress::Progress;
use mutoscope_study::{
    self as library, Request, Study, StudyOptions,
    gaze::{self, saccades as saccades_of},
    hands::{self, movements as movements_of, smoothness as smoothness_of},
};
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::{
    exceptions::{PyKeyError, PyTypeError, PyValueError},
    prelude::*,
};

use crate::{clip::Clip, error};

/// A movement of a wrist between two rests. The fields have the names of the columns of a report.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Movement {
    /// The hand: ``"right"`` or ``"left"``. Empty if the positions were given as an array.
    hand: &'static str,
    /// The time of the first sample, in seconds.
    start_s: f64,
    /// The time of the last sample, in seconds.
    end_s: f64,
    /// The duration in seconds.
    duration_s: f64,
    /// The path length in metres.
    path_m: f64,
    /// The distance from the first position to the last, in metres.
    displacement_m: f64,
    /// Displacement divided by path length. 1 is a straight line. NaN if undefined.
    straightness: f64,
    /// The largest speed in metres per second.
    peak_speed_mps: f64,
    /// Path length divided by duration, in metres per second.
    mean_speed_mps: f64,
    /// The time from the start to the largest speed, in seconds.
    time_to_peak_s: f64,
    /// The number of prominent speed peaks, an estimate of the number of submovements.
    speed_peaks: usize,
    /// The log dimensionless jerk, computed from the vector jerk. Values closer to 0 are smoother.
    /// NaN if undefined.
    ldlj: f64,
    /// The spectral arc length. Values closer to 0 are smoother. NaN if undefined.
    sparc: f64,
    /// True if the movement touches an end of its tracked period, so that it may have begun earlier
    /// or continued.
    cut: bool,
}

/// A pinch, and the reach before it. The fields have the names of the columns of a report. Unknown
/// values are None.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Pinch {
    /// The hand: ``"right"`` or ``"left"``.
    hand: &'static str,
    /// The start in seconds.
    start_s: f64,
    /// The end in seconds.
    end_s: f64,
    /// The duration in seconds.
    duration_s: f64,
    /// The largest distance between the tips of thumb and index finger before the pinch, in metres.
    aperture_peak_m: Option<f64>,
    /// The time of the largest aperture, in seconds.
    aperture_peak_s: Option<f64>,
    /// The largest closing speed of the fingertips after that time, in metres per second.
    closing_speed_mps: Option<f64>,
    /// The start of the movement before the pinch, in seconds.
    reach_start_s: Option<f64>,
    /// The time from the start of the reach to the pinch, in seconds.
    reach_s: Option<f64>,
    /// The time from the start of the reach to the largest speed, in seconds.
    reach_time_to_peak_speed_s: Option<f64>,
    /// The time from the start of the reach to the largest aperture, in seconds.
    reach_time_to_peak_aperture_s: Option<f64>,
    /// The time from the arrival of the gaze at the target to the pinch, in seconds.
    gaze_lead_s: Option<f64>,
    /// The time from the arrival of the gaze at the target to the start of the reach, in seconds.
    /// Positive if the gaze arrives first.
    gaze_lead_onset_s: Option<f64>,
}

/// A saccade. The fields have the names of the columns of a report.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Saccade {
    /// The time of the first sample, in seconds.
    start_s: f64,
    /// The time of the last sample, in seconds.
    end_s: f64,
    /// The duration in seconds.
    duration_s: f64,
    /// The angle between the first and the last direction, in degrees.
    amplitude_deg: f64,
    /// The largest angular velocity in degrees per second. Below 200 Hz it is a lower bound.
    peak_velocity_degps: f64,
    /// Amplitude divided by duration, in degrees per second.
    mean_velocity_degps: f64,
    /// The part of the amplitude that the head contributes, in degrees. None if the recording has
    /// no head.
    head_deg: Option<f64>,
}

/// The smoothness of a movement, computed from its speed alone. NaN if undefined.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Smoothness {
    /// The spectral arc length (SPARC). Values closer to 0 are smoother.
    sparc: f64,
    /// The log dimensionless jerk of the speed. Values closer to 0 are smoother. `Movement.ldlj` is
    /// computed from the vector jerk instead.
    ldlj: f64,
}

#[pymethods]
impl Movement {
    fn __repr__(&self) -> String {
        let Self { start_s, end_s, path_m, .. } = self;
        format!("<Movement from {start_s} s to {end_s} s, {path_m} m>")
    }
}

#[pymethods]
impl Pinch {
    fn __repr__(&self) -> String {
        let Self { hand, start_s, end_s, .. } = self;
        format!("<Pinch of the {hand} hand from {start_s} s to {end_s} s>")
    }
}

#[pymethods]
impl Saccade {
    fn __repr__(&self) -> String {
        let Self { start_s, end_s, amplitude_deg, .. } = self;
        format!("<Saccade from {start_s} s to {end_s} s, {amplitude_deg}°>")
    }
}

#[pymethods]
impl Smoothness {
    fn __repr__(&self) -> String {
        format!("<Smoothness sparc {}, ldlj {}>", self.sparc, self.ldlj)
    }
}

impl From<hands::Movement> for Movement {
    fn from(one: hands::Movement) -> Self {
        Self {
            hand: one.hand,
            start_s: one.start_s,
            end_s: one.end_s,
            duration_s: one.duration_s,
            path_m: one.path_m,
            displacement_m: one.displacement_m,
            straightness: one.straightness,
            peak_speed_mps: one.peak_speed_mps,
            mean_speed_mps: one.mean_speed_mps,
            time_to_peak_s: one.time_to_peak_s,
            speed_peaks: one.speed_peaks,
            ldlj: one.ldlj,
            sparc: one.sparc,
            cut: one.cut,
        }
    }
}

impl From<hands::Pinch> for Pinch {
    fn from(one: hands::Pinch) -> Self {
        Self {
            hand: one.hand,
            start_s: one.start_s,
            end_s: one.end_s,
            duration_s: one.duration_s,
            aperture_peak_m: one.aperture_peak_m,
            aperture_peak_s: one.aperture_peak_s,
            closing_speed_mps: one.closing_speed_mps,
            reach_start_s: one.reach_start_s,
            reach_s: one.reach_s,
            reach_time_to_peak_speed_s: one.reach_time_to_peak_speed_s,
            reach_time_to_peak_aperture_s: one.reach_time_to_peak_aperture_s,
            gaze_lead_s: one.gaze_lead_s,
            gaze_lead_onset_s: one.gaze_lead_onset_s,
        }
    }
}

impl From<gaze::Saccade> for Saccade {
    fn from(one: gaze::Saccade) -> Self {
        Self {
            start_s: one.start_s,
            end_s: one.end_s,
            duration_s: one.duration_s,
            amplitude_deg: one.amplitude_deg,
            peak_velocity_degps: one.peak_velocity_degps,
            mean_velocity_degps: one.mean_velocity_degps,
            head_deg: one.head_deg,
        }
    }
}

/// Finds the movements of the wrists: periods above a speed threshold, merged across short pauses.
///
/// Parameters
/// ----------
/// motion : Clip or array-like of shape (n, 3)
///     A recording, or the positions of a point in metres, with NaN while it is not tracked.
/// hand : {"right", "left"}, optional
///     The hand of a recording [default: both].
/// rate : float, optional
///     Samples per second. Required for an array. For a recording, the rate at which it is measured
///     [default: the rate of the recording, or 60].
/// cutoff : float
///     The cut-off of the position filter, in Hz. 0 turns the filter off.
/// movement_speed : float
///     The speed above which a wrist is moving, in metres per second.
///
/// Returns
/// -------
/// list of Movement
///     In time order. For an array, times begin at 0 s. For a recording, the movements are those of
///     `report`.
///
/// Raises
/// ------
/// KeyError
///     If the recording has no such hand.
#[pyfunction]
#[pyo3(signature = (motion, hand=None, *, rate=None, cutoff=10.0, movement_speed=0.05))]
pub(crate) fn movements(
    py: Python<'_>,
    motion: &Bound<'_, PyAny>,
    hand: Option<&str>,
    rate: Option<f64>,
    cutoff: f64,
    movement_speed: f64,
) -> PyResult<Vec<Movement>> {
    let options = StudyOptions {
        rate: above_zero("rate", rate)?,
        cutoff_hz: not_negative("cutoff", cutoff)?,
        movement_speed_mps: positive("movement_speed", movement_speed)?,
        ..StudyOptions::default()
    };
    if let Ok(clip) = motion.cast::<Clip>() {
        let study = study(py, clip.get(), &options)?;
        let is_wanted = hand_filter(&study, hand)?;
        let found = study.events.movements.into_iter().filter(|one| is_wanted(one.hand));
        return Ok(found.map(Movement::from).collect());
    }
    if hand.is_some() {
        return Err(PyTypeError::new_err("hand is for a recording; an array is of one point"));
    }
    let (places, rate) = (to_vectors("motion", motion)?, require_rate(options.rate)?);
    let found = py.detach(|| movements_of(&places, rate, &options));
    Ok(found.into_iter().map(Movement::from).collect())
}

/// Finds the saccades of a gaze by velocity (I-VT).
///
/// Parameters
/// ----------
/// gaze : Clip or array-like of shape (n, 3)
///     A recording, or directions of any length, with NaN while the gaze is lost.
/// rate : float, optional
///     Samples per second. Required for an array. For a recording, the rate at which it is measured
///     [default: the rate of the recording, or 60].
/// saccade_velocity : float
///     The angular velocity of saccades, in degrees per second.
///
/// Returns
/// -------
/// list of Saccade
///     In time order. For an array, times begin at 0 s. For a recording, the saccades are those of
///     `report`.
///
/// Raises
/// ------
/// KeyError
///     If the recording has no gaze.
#[pyfunction]
#[pyo3(signature = (gaze, *, rate=None, saccade_velocity=30.0))]
pub(crate) fn saccades(
    py: Python<'_>,
    gaze: &Bound<'_, PyAny>,
    rate: Option<f64>,
    saccade_velocity: f64,
) -> PyResult<Vec<Saccade>> {
    let options = StudyOptions {
        rate: above_zero("rate", rate)?,
        saccade_velocity_degps: positive("saccade_velocity", saccade_velocity)?,
        ..StudyOptions::default()
    };
    if let Ok(clip) = gaze.cast::<Clip>() {
        let study = study(py, clip.get(), &options)?;
        if !has_measure(&study, "gaze_tracked_share") {
            return Err(PyKeyError::new_err("the recording has no gaze"));
        }
        return Ok(study.events.saccades.into_iter().map(Saccade::from).collect());
    }
    let (directions, rate) = (to_vectors("gaze", gaze)?, require_rate(options.rate)?);
    let directions: Vec<_> =
        directions.into_iter().map(|one| Some(one).filter(|one| one.is_finite())).collect();
    let found = py.detach(|| saccades_of(&directions, rate, &options));
    Ok(found.into_iter().map(Saccade::from).collect())
}

/// Returns the recorded pinches, with their apertures and the reaches before them.
///
/// Parameters
/// ----------
/// clip : Clip
/// hand : {"right", "left"}, optional
///     [default: both]
/// rate : float, optional
///     The samples per second at which the recording is measured [default: the rate of the
///     recording, or 60].
/// cutoff : float
///     The cut-off of the position filter, in Hz. 0 turns the filter off.
/// movement_speed : float
///     The speed above which a wrist is moving, in metres per second.
/// gaze_on_target : float
///     The largest angle at which the gaze is on the target of a pinch, in degrees.
///
/// Returns
/// -------
/// list of Pinch
///     In time order. The pinches are those of `report`.
///
/// Raises
/// ------
/// KeyError
///     If the recording has no such hand.
#[pyfunction]
#[pyo3(signature = (
    clip, hand=None, *, rate=None, cutoff=10.0, movement_speed=0.05, gaze_on_target=5.0
))]
pub(crate) fn pinches(
    py: Python<'_>,
    clip: &Bound<'_, Clip>,
    hand: Option<&str>,
    rate: Option<f64>,
    cutoff: f64,
    movement_speed: f64,
    gaze_on_target: f64,
) -> PyResult<Vec<Pinch>> {
    let options = StudyOptions {
        rate: above_zero("rate", rate)?,
        cutoff_hz: not_negative("cutoff", cutoff)?,
        movement_speed_mps: positive("movement_speed", movement_speed)?,
        gaze_on_target_deg: positive("gaze_on_target", gaze_on_target)?,
        ..StudyOptions::default()
    };
    let study = study(py, clip.get(), &options)?;
    let is_wanted = hand_filter(&study, hand)?;
    let found = study.events.pinches.into_iter().filter(|one| is_wanted(one.hand));
    Ok(found.map(Pinch::from).collect())
}

/// Computes the smoothness of a movement from its speed.
///
/// Parameters
/// ----------
/// speed : array-like of shape (n,)
///     Metres per second, from the start of the movement to its end.
/// rate : float
///     Samples per second.
///
/// Returns
/// -------
/// Smoothness
///     The spectral arc length of Balasubramanian et al. (2015) with a fixed cut-off of 10 Hz, an
///     amplitude threshold of 0.05 and padding to 2⁴ times the length; the log dimensionless jerk
///     of the speed, −ln(T³/s² · ∫ s″² dt).
#[pyfunction]
pub(crate) fn smoothness(
    py: Python<'_>,
    speed: &Bound<'_, PyAny>,
    rate: f64,
) -> PyResult<Smoothness> {
    let rate = positive("rate", rate)?;
    let numpy = py.import("numpy")?;
    let speed = numpy.call_method1("ascontiguousarray", (speed, "float64"))?;
    let speed = speed
        .cast::<PyArray1<f64>>()
        .map_err(|_| PyValueError::new_err("speed: expected the shape (n,)"))?;
    let speed = speed.readonly().as_slice()?.to_vec();
    let hands::Smoothness { sparc, ldlj } = py.detach(|| smoothness_of(&speed, rate));
    Ok(Smoothness { sparc, ldlj })
}

fn study(py: Python<'_>, clip: &Clip, options: &StudyOptions) -> PyResult<Study> {
    let request = Request { options: options.clone(), ..Request::default() };
    let study = py.detach(|| library::study(clip.clip(), &request, &mut Progress::default()));
    study.map_err(|why| error::for_file(py, clip.file(), why.to_string()))
}

/// Returns `true` if the whole recording has this measure.
fn has_measure(study: &Study, measure: &str) -> bool {
    study.ranges.first().is_some_and(|whole| whole.measures.get(measure).is_some())
}

/// Returns a filter for the requested hand.
fn hand_filter(study: &Study, hand: Option<&str>) -> PyResult<impl Fn(&str) -> bool + use<>> {
    let hand = hand.map(str::to_owned);
    match hand.as_deref() {
        None => {}
        Some("right" | "left") => {
            let hand = hand.as_deref().unwrap_or_default();
            if !has_measure(study, &format!("{hand}_path_length_m")) {
                return Err(PyKeyError::new_err(format!("the recording has no {hand} hand")));
            }
        }
        Some(other) => {
            let message = format!("hand: expected \"right\" or \"left\", found {other:?}");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(move |own: &str| hand.as_deref().is_none_or(|hand| hand == own))
}

/// Converts an array of shape (n, 3) to vectors.
fn to_vectors(argument: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<DVec3>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (given, "float64"))?;
    let array = array.cast::<PyArray2<f64>>().ok().filter(|array| array.shape()[1] == 3);
    let array = array.ok_or_else(|| {
        PyValueError::new_err(format!("{argument}: expected a recording, or the shape (n, 3)"))
    })?;
    let array = array.readonly();
    Ok(array.as_slice()?.as_chunks::<3>().0.iter().map(|one| DVec3::from_array(*one)).collect())
}

fn require_rate(rate: Option<f64>) -> PyResult<f64> {
    rate.ok_or_else(|| PyTypeError::new_err("rate: an array needs its samples per second"))
}

pub(crate) fn above_zero(argument: &str, number: Option<f64>) -> PyResult<Option<f64>> {
    number.map(|number| positive(argument, number)).transpose()
}

pub(crate) fn positive(argument: &str, number: f64) -> PyResult<f64> {
    expected(argument, number, "a number above 0", number > 0.0)
}

pub(crate) fn not_negative(argument: &str, number: f64) -> PyResult<f64> {
    expected(argument, number, "0 or a number above 0", number >= 0.0)
}

pub(crate) fn expected(argument: &str, number: f64, what: &str, is_fine: bool) -> PyResult<f64> {
    match number.is_finite() && is_fine {
        true => Ok(number),
        false => Err(PyValueError::new_err(format!("{argument}: expected {what}, found {number}"))),
    }
}
