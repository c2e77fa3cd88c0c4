//! The keyword arguments of `open`, which correspond to the options of the command line.

use std::path::PathBuf;

use mutoscope_cli::{map_path, parse_fit};
use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions, FormatId, Handedness, RotationRule, UpAxis},
    export::InputFiles,
    formats::{Fit, MappingFile, NamedAnimation, ReadOptions, animation_choice},
    read::{Input, Source, format_path, list_animations, open_skeleton},
    retarget::BoneMap,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{error, source};

/// The keyword arguments that control how a file is read.
#[derive(Default)]
pub(crate) struct ReadArguments<'py> {
    pub(crate) format: Option<String>,
    pub(crate) columns: Option<Bound<'py, PyAny>>,
    pub(crate) frame_rate: Option<f64>,
    pub(crate) rig: Option<Bound<'py, PyAny>>,
    pub(crate) retarget: Option<Bound<'py, PyAny>>,
    pub(crate) allow_unmatched_rig: bool,
    pub(crate) rotation: Option<String>,
    pub(crate) handedness: Option<String>,
    pub(crate) up: Option<String>,
    pub(crate) metres_per_unit: Option<f64>,
    pub(crate) seconds_per_unit: Option<f64>,
    pub(crate) animation: Option<String>,
    pub(crate) character: Option<String>,
    pub(crate) clip: Option<String>,
}

impl ReadArguments<'_> {
    /// Checks that no reading option was given, because a clip is already open.
    ///
    /// # Errors
    /// `ValueError` if an option was given.
    pub(crate) fn allow_clip(&self) -> PyResult<()> {
        match self.is_default() {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "a clip is open already: how it is read can only be said of a path, bytes or a file \
                 object",
            )),
        }
    }

    /// Returns `true` if no reading option was given.
    fn is_default(&self) -> bool {
        let Self {
            format,
            columns,
            rig,
            retarget,
            rotation,
            handedness,
            up,
            animation,
            character,
            clip,
            ..
        } = self;
        let words = [format, rotation, handedness, up, animation, character, clip];
        let numbers = [self.metres_per_unit, self.seconds_per_unit, self.frame_rate];
        rig.is_none()
            && retarget.is_none()
            && columns.is_none()
            && !self.allow_unmatched_rig
            && words.iter().all(|word| word.is_none())
            && numbers == [None; 3]
    }

    /// Returns the options that the arguments describe, and reads the files that they name.
    pub(crate) fn read_options(&self, py: Python<'_>) -> PyResult<OptionsWithFiles> {
        let mut options = ReadOptions {
            format: self.format.as_deref().map(parse_format).transpose()?,
            allows_unmatched_skeleton: self.allow_unmatched_rig,
            assumptions: FormatAssumptions::for_all_formats(self.assumptions()?),
            variants: animation_choice(
                self.animation.clone(),
                self.character.clone(),
                self.clip.clone(),
            ),
            frame_rate: above_zero("rate", self.frame_rate)?,
            ..ReadOptions::from(mutoscope_cli::registry())
        };
        let mut files = InputFiles::default();
        if let Some(columns) = &self.columns {
            options.columns = Some(read_mapping(columns, &mut files)?);
        }
        if let Some(given) = &self.retarget {
            options.fit = parse_fit_argument(given, &mut files)?;
            if self.rig.is_none() && options.fit != Fit::ByName {
                let message = "retarget needs a character: pass rig=…";
                return Err(PyValueError::new_err(message));
            }
        }
        let Some(rig) = &self.rig else {
            return Ok(OptionsWithFiles { options, files, rig: String::new() });
        };
        let source = source::source(rig, None, None)?;
        let rig = source.to_string();
        let skeleton = py
            .detach(|| open_skeleton(&source, &options.registry))
            .map_err(|why| error::for_file(py, &rig, why.to_string()))?;
        source.path().into_iter().for_each(|path| files.add(path, "the skeleton"));
        skeleton.sidecars.iter().for_each(|path| files.add(path, "a file of the skeleton"));
        Ok(OptionsWithFiles { options: options.with_skeleton(skeleton), files, rig })
    }

    fn assumptions(&self) -> PyResult<Assumptions> {
        Ok(Assumptions {
            handedness: chosen(
                "handedness",
                self.handedness.as_deref(),
                [("left", Handedness::Left), ("right", Handedness::Right)],
            )?,
            up: chosen("up", self.up.as_deref(), [("Y", UpAxis::Y), ("Z", UpAxis::Z)])?,
            metres_per_unit: above_zero("metres_per_unit", self.metres_per_unit)?,
            seconds_per_unit: above_zero("seconds_per_unit", self.seconds_per_unit)?,
            rotation: chosen(
                "rotation",
                self.rotation.as_deref(),
                [("short", RotationRule::Continuous), ("engine", RotationRule::AsAuthored)],
            )?,
        })
    }
}

/// The options for reading a file, and the files that they were read from.
pub(crate) struct OptionsWithFiles {
    pub(crate) options: ReadOptions,
    /// The input files, which must not be overwritten.
    pub(crate) files: InputFiles,
    /// The name of the skeleton in messages.
    pub(crate) rig: String,
}

/// The name of a mapping that is not a file, in messages.
const MAPPING_NAME: &str = "<columns>";

/// Reads a column mapping from a file, or from a dict with the same structure.
fn read_mapping(given: &Bound<'_, PyAny>, files: &mut InputFiles) -> PyResult<MappingFile> {
    let py = given.py();
    if given.is_instance_of::<PyDict>() {
        let json: String = py.import("json")?.call_method1("dumps", (given,))?.extract()?;
        return mutoscope_logs::mapping_from_json(MAPPING_NAME, &json)
            .map_err(PyValueError::new_err);
    }
    let Ok(path) = given.extract::<PathBuf>() else {
        let found = given.get_type().name()?;
        let message =
            format!("columns: expected the path of a mapping file or a dict, found {found}");
        return Err(PyTypeError::new_err(message));
    };
    files.add(&path, "the mapping file");
    let read = py.detach(|| mutoscope_logs::read_mapping_file(&path));
    read.map_err(|why| error::unreadable(py, &format_path(&path), &why))
}

/// Reads a retargeting option: a keyword, a file with a bone map, or a dict with the same
/// structure.
fn parse_fit_argument(given: &Bound<'_, PyAny>, files: &mut InputFiles) -> PyResult<Fit> {
    let py = given.py();
    if given.is_instance_of::<PyDict>() {
        let json: String = py.import("json")?.call_method1("dumps", (given,))?.extract()?;
        let map = BoneMap::parse(&json).map(Fit::Map);
        return map.map_err(|why| PyValueError::new_err(format!("retarget: {why}")));
    }
    let Ok(word) = given.extract::<PathBuf>() else {
        let found = given.get_type().name()?;
        let message = format!(
            "retarget: expected \"auto\", \"off\", the path of a bone map or a dict, found {found}"
        );
        return Err(PyTypeError::new_err(message));
    };
    map_path(&word).into_iter().for_each(|path| files.add(path, "the bone map"));
    let read = py.detach(|| parse_fit(&word));
    read.map_err(|message| error::for_file(py, &format_path(&word), message))
}

/// Reads `source` with the GIL released.
///
/// # Errors
/// `mutoscope.Error` if there is no clip.
pub(crate) fn open(py: Python<'_>, options: &ReadOptions, source: &Source) -> PyResult<Input> {
    let input = py.detach(|| Input::open(source, options));
    match &input.result {
        Ok(_) => Ok(input),
        Err(why) => Err(error::from_read_error(py, &input.name, why)),
    }
}

/// Lists the animations of `source`, with the GIL released.
///
/// # Errors
/// `mutoscope.Error` if the source cannot be read.
pub(crate) fn animations(
    py: Python<'_>,
    options: &ReadOptions,
    source: &Source,
) -> PyResult<Vec<NamedAnimation>> {
    let animations = py.detach(|| list_animations(source, options));
    animations.map_err(|why| error::from_read_error(py, &source.to_string(), &why))
}

fn parse_format(word: &str) -> PyResult<FormatId> {
    let registry = mutoscope_cli::registry();
    registry.format_named(word).map(|format| format.id).ok_or_else(|| {
        let words: Vec<_> = registry.formats().map(|format| format.id.as_str()).collect();
        let message = format!("as_: expected one of {}, found {word:?}", words.join(", "));
        PyValueError::new_err(message)
    })
}

fn chosen<T: Copy>(
    argument: &str,
    word: Option<&str>,
    choices: [(&str, T); 2],
) -> PyResult<Option<T>> {
    let Some(word) = word else { return Ok(None) };
    match choices.iter().find(|(known, _)| *known == word) {
        Some((_, choice)) => Ok(Some(*choice)),
        None => {
            let [first, second] = choices.map(|(known, _)| known);
            let message = format!("{argument}: expected {first:?} or {second:?}, found {word:?}");
            Err(PyValueError::new_err(message))
        }
    }
}

fn above_zero(argument: &str, number: Option<f64>) -> PyResult<Option<f64>> {
    match number {
        Some(number) if !(number.is_finite() && number > 0.0) => {
            let message = format!("{argument}: expected a number above 0, found {number}");
            Err(PyValueError::new_err(message))
        }
        number => Ok(number),
    }
}
