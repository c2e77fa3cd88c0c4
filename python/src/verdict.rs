//! The `Verdict` class, and `check`.

use mutoscope_core::read::Message;
use mutoscope_study::verdict::{self as library, CheckedClip};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{convert::open_clip, reading::ReadArguments};

/// The verdict of a profile on a recording: whether the recording is usable. `check` returns it.
#[pyclass(frozen, get_all, module = "mutoscope")]
pub(crate) struct Verdict {
    /// ``"pass"``, ``"review"`` or ``"fail"``.
    verdict: &'static str,
    /// The profile: its name, or the path of its file.
    profile: String,
    /// The codes of at most three reasons, the worst first.
    reasons: Vec<String>,
    /// All problems, those of the decoder first.
    problems: Vec<Problem>,
    /// The codes of the checks that lack what they need.
    not_applicable: Vec<&'static str>,
}

/// A problem of a recording.
#[pyclass(frozen, get_all, module = "mutoscope")]
#[derive(Clone)]
pub(crate) struct Problem {
    /// The code, such as ``"hand/jump"``.
    code: Option<String>,
    /// ``"info"``, ``"warning"`` or ``"error"``.
    severity: &'static str,
    /// One sentence.
    message: String,
    /// The time or the start in seconds. None if the problem concerns the whole file.
    time: Option<f64>,
    /// The end in seconds. None if the problem has no duration.
    end: Option<f64>,
    /// The names of the nodes concerned.
    nodes: Vec<String>,
    /// The name of the measured value. None for problems without a value.
    measure: Option<&'static str>,
    /// The worst value, in `unit`.
    value: Option<f64>,
    /// The threshold that the value crosses, in `unit`.
    threshold: Option<f64>,
    /// The unit of the value.
    unit: Option<&'static str>,
}

/// Checks a recording, and judges whether it is usable.
///
/// Parameters
/// ----------
/// source : Clip, path, bytes or binary file object
/// profile : str, optional
///     The name of a built-in profile, or the path of a TOML file. The built-in profiles are
///     ``"default"``, ``"mrtk"``, ``"study-hands"``, ``"game-body"``, ``"blender"``, ``"maya"``,
///     ``"resonite"`` and ``"minecraft"``.
///
/// Returns
/// -------
/// Verdict
///
/// Raises
/// ------
/// Error
///     If the recording cannot be read.
/// ValueError
///     If the profile is unknown, cannot be read or is invalid.
#[pyfunction]
#[pyo3(signature = (source, *, profile="default"))]
pub(crate) fn check(py: Python<'_>, source: &Bound<'_, PyAny>, profile: &str) -> PyResult<Verdict> {
    let profile = mutoscope_cli::read_profile(profile, mutoscope_cli::registry())
        .map_err(PyValueError::new_err)?;
    let clip = open_clip(source, &ReadArguments::default())?;
    let clip = clip.get().clip();
    let of_decoder = clip.diagnostics.iter();
    let of_decoder = of_decoder.map(|one| Message::from_diagnostic("", clip.format, one));
    let mut messages = profile.apply(of_decoder);
    let CheckedClip { diagnostics, not_applicable, .. } = py.detach(|| profile.check(clip));
    messages.extend(diagnostics.iter().map(|one| Message::from_clip_diagnostic("", clip, one)));
    let verdict = library::Verdict::from_messages(&profile, &messages);
    Ok(Verdict {
        verdict: verdict.outcome.as_str(),
        profile: profile.name,
        reasons: verdict.reasons.iter().map(|reason| reason.code.to_string()).collect(),
        problems: messages.into_iter().map(Problem::from_message).collect(),
        not_applicable: not_applicable.iter().map(|code| code.as_str()).collect(),
    })
}

impl Problem {
    fn from_message(message: Message<'_>) -> Self {
        let measure = message.measure;
        Self {
            code: message.code.map(String::from),
            severity: message.severity.as_str(),
            message: message.message,
            time: message.time,
            end: message.end,
            nodes: message.nodes.into_iter().map(str::to_owned).collect(),
            measure: measure.map(|measure| measure.name),
            value: measure.map(|measure| measure.value),
            threshold: measure.map(|measure| measure.threshold),
            unit: measure.map(|measure| measure.unit),
        }
    }
}
