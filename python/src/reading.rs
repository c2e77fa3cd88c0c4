//! How files are read: the keyword arguments of `open`, which are those of the command line.

use std::path::PathBuf;

use mutoscope_core::{
    clip::{Assumptions, FormatAssumptions, FormatId, Handedness, RotationRule, Up},
    export::InputFiles,
    formats::{self, MappingFile, NamedAnimation},
    read::{AnimationChoice, Input, Reader, Retarget, Source, path_text},
    retarget::BoneMap,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{error, source};

/// The keyword arguments that say how a file is read.
#[derive(Default)]
pub(crate) struct Reading<'py> {
    pub(crate) format: Option<String>,
    pub(crate) columns: Option<Bound<'py, PyAny>>,
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

impl Reading<'_> {
    /// Whether a clip, which is open already, may be given.
    ///
    /// # Errors
    /// If an argument says how it is read: `ValueError`.
    pub(crate) fn allow_clip(&self) -> PyResult<()> {
        match self.is_default() {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "a clip is open already: how it is read can only be said of a path, bytes or a file \
                 object",
            )),
        }
    }

    /// Whether nothing is said.
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
        let numbers = [self.metres_per_unit, self.seconds_per_unit];
        rig.is_none()
            && retarget.is_none()
            && columns.is_none()
            && !self.allow_unmatched_rig
            && words.iter().all(|word| word.is_none())
            && numbers == [None; 2]
    }

    /// The reader that does so, and the files that it was made of.
    pub(crate) fn reader(&self, py: Python<'_>) -> PyResult<ReaderOf> {
        let mut reader = Reader {
            format: self.format.as_deref().map(format_of).transpose()?,
            allows_unmatched_rig: self.allow_unmatched_rig,
            assumptions: FormatAssumptions::of_all(self.assumptions()?),
            animation: AnimationChoice {
                animation: self.animation.clone(),
                character: self.character.clone(),
                clip: self.clip.clone(),
            },
            ..Reader::default()
        };
        let mut files = InputFiles::default();
        if let Some(columns) = &self.columns {
            reader.columns = Some(mapping(columns, &mut files)?);
        }
        if let Some(given) = &self.retarget {
            reader.retarget = retarget(given, &mut files)?;
            if self.rig.is_none() && reader.retarget != Retarget::Off {
                let message = "retarget: of which character? rig names it";
                return Err(PyValueError::new_err(message));
            }
        }
        let Some(rig) = &self.rig else {
            return Ok(ReaderOf { reader, files, rig: String::new() });
        };
        let source = source::source(rig, None, None)?;
        let rig = source.to_string();
        let read = py.detach(|| reader.read_rig(&source));
        read.map_err(|message| error::about_file(py, &rig, message))?;
        source.path().into_iter().for_each(|path| files.add(path, "the skeleton"));
        reader.rig_sidecars.iter().for_each(|path| files.add(path, "a file of the skeleton"));
        Ok(ReaderOf { reader, files, rig })
    }

    fn assumptions(&self) -> PyResult<Assumptions> {
        Ok(Assumptions {
            handedness: chosen(
                "handedness",
                self.handedness.as_deref(),
                [("left", Handedness::Left), ("right", Handedness::Right)],
            )?,
            up: chosen("up", self.up.as_deref(), [("Y", Up::Y), ("Z", Up::Z)])?,
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

/// A reader, and what it was made of.
pub(crate) struct ReaderOf {
    pub(crate) reader: Reader,
    /// Its files, which must not be written over.
    pub(crate) files: InputFiles,
    /// The name of its skeleton in messages.
    pub(crate) rig: String,
}

/// The name in messages of a mapping that is no file.
const NO_FILE: &str = "<columns>";

/// The mapping of columns in a file, or in a dict with its structure.
fn mapping(given: &Bound<'_, PyAny>, files: &mut InputFiles) -> PyResult<MappingFile> {
    let py = given.py();
    if given.is_instance_of::<PyDict>() {
        let json: String = py.import("json")?.call_method1("dumps", (given,))?.extract()?;
        return mutoscope_logs::mapping_of_json(NO_FILE, &json).map_err(PyValueError::new_err);
    }
    let Ok(path) = given.extract::<PathBuf>() else {
        let found = given.get_type().name()?;
        let message =
            format!("columns: expected the path of a mapping file or a dict, found {found}");
        return Err(PyTypeError::new_err(message));
    };
    files.add(&path, "the mapping file");
    let read = py.detach(|| mutoscope_logs::mapping_file(&path));
    read.map_err(|why| error::unreadable(py, &path_text(&path), &why))
}

/// How a recording is put on its skeleton: by a word, a file with a map of bones, or a dict with its structure.
fn retarget(given: &Bound<'_, PyAny>, files: &mut InputFiles) -> PyResult<Retarget> {
    let py = given.py();
    if given.is_instance_of::<PyDict>() {
        let json: String = py.import("json")?.call_method1("dumps", (given,))?.extract()?;
        let map = BoneMap::parse(&json).map(Retarget::Map);
        return map.map_err(|why| PyValueError::new_err(format!("retarget: {why}")));
    }
    let Ok(word) = given.extract::<PathBuf>() else {
        let found = given.get_type().name()?;
        let message = format!(
            "retarget: expected \"auto\", \"off\", the path of a map of bones or a dict, found {found}"
        );
        return Err(PyTypeError::new_err(message));
    };
    Retarget::map_of(&word).into_iter().for_each(|path| files.add(path, "the map of bones"));
    let read = py.detach(|| Retarget::of_word(&word));
    read.map_err(|message| error::about_file(py, &path_text(&word), message))
}

/// Reads `source` with the interpreter released.
///
/// # Errors
/// If there is no clip: `mutoscope.Error`.
pub(crate) fn open(py: Python<'_>, reader: &Reader, source: &Source) -> PyResult<Input> {
    let input = py.detach(|| reader.open(source));
    match &input.result {
        Ok(_) => Ok(input),
        Err(why) => Err(error::of_input(py, &input, why)),
    }
}

/// The animations that may be chosen of `source`, with the interpreter released.
///
/// # Errors
/// If it cannot be read: `mutoscope.Error`.
pub(crate) fn animations(
    py: Python<'_>,
    reader: &Reader,
    source: &Source,
) -> PyResult<Vec<NamedAnimation>> {
    py.detach(|| reader.animations(source)).map_err(|why| {
        let input = Input {
            name: source.to_string(),
            result: Err(why),
            sidecars: Vec::new(),
            character: None,
        };
        match &input.result {
            Err(why) => error::of_input(py, &input, why),
            Ok(_) => unreachable!("it has just been made of an error"),
        }
    })
}

fn format_of(word: &str) -> PyResult<FormatId> {
    let format = formats::all().find(|format| format.id.word() == word);
    format.map(|format| format.id).ok_or_else(|| {
        let words: Vec<_> = formats::all().map(|format| format.id.word()).collect();
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
