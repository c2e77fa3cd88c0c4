//! Reading a recording from a file or from standard input.

use std::{
    convert::Infallible,
    fmt, fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{AnimationArgs, Message, Reading, RotationWay, Status, library, tell};
use crate::{
    bytes::nothing_beside,
    clip::{Clip, RotationRule},
    diagnostics::{Notices, Severity},
    formats::{self, Failure, FormatId},
    rig::{self, Rig},
};

/// Where a recording comes from. Its text is what messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input, which the command line calls `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// Everything in it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path) => fs::read(path),
            Self::Stdin => {
                let mut bytes = Vec::new();
                io::stdin().lock().read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    /// Everything in the file at a path that is relative to the folder of this one.
    ///
    /// # Errors
    /// If it cannot be read, or this is no file.
    pub fn read_beside(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self {
            Self::File(own) => fs::read(own.with_file_name(path)),
            Self::Stdin => nothing_beside(path),
        }
    }

    /// The path, if it is a file's.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// The name of the file; empty if it is none.
    pub(super) fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub(super) fn extension(&self) -> Option<&str> {
        self.path()?.extension()?.to_str()
    }
}

impl FromStr for Source {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "-" { Self::Stdin } else { Self::File(text.into()) })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// What became of one source: its clip, or why there is none.
#[derive(Debug)]
pub struct Input {
    /// What messages call it.
    pub name: String,
    /// Its clip, or why there is none.
    pub result: Result<Clip, InputError>,
    /// The name of the character that it is shown on, in formats that have some.
    pub character: Option<String>,
}

/// Why there is no clip.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The source could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// Its bytes could not be decoded.
    #[error(transparent)]
    Undecodable(#[from] Failure),
    /// It does not have what the command line asks for.
    #[error("{0}")]
    WrongUsage(String),
}

impl InputError {
    /// That an animation or a character was asked for of a file that has no names for any.
    pub(super) fn not_a_library() -> Self {
        let message = "--animation and --character are for archives and sets of characters of \
                       Metroid Prime (PAK, ANCS)";
        Self::WrongUsage(message.to_owned())
    }
}

/// How files are read, whatever is in them.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The format that all are taken for; nothing goes by their content.
    pub format: Option<FormatId>,
    /// The skeleton that all are put on.
    pub rig: Option<Rig>,
    /// How rotations run from key to key, if not as they do by default.
    pub rotation: Option<RotationRule>,
    /// Which recording of files that hold many.
    pub animation: AnimationArgs,
    /// Whether the models of characters are read too.
    pub with_model: bool,
}

impl Reader {
    /// Reads the skeleton, if one is wanted, and says what is odd about it on standard error;
    /// nothing, and why, if it cannot be read.
    pub(super) fn prepare(reading: &Reading) -> Option<Self> {
        let rig = match reading.rig.as_ref().map(|source| (source, read_rig(source))) {
            None => None,
            Some((source, Ok(rig))) => {
                let name = source.to_string();
                let messages = rig
                    .notices
                    .iter()
                    .map(|notice| Message::of_rig_notice(&name, rig.kind, notice));
                messages.for_each(tell);
                Some(rig)
            }
            Some((source, Err(error))) => {
                tell(Message::about_file(&source.to_string(), format!("as a skeleton: {error}")));
                return None;
            }
        };
        let rotation = reading.rotation.map(RotationWay::rule);
        Some(Self { format: reading.format, rig, rotation, ..Self::default() })
    }

    /// Reads `source` and decodes it.
    pub fn open(&self, source: &Source) -> Input {
        self.open_read(source, source.read())
    }

    /// The same for a source that was read.
    pub(super) fn open_read(&self, source: &Source, bytes: io::Result<Vec<u8>>) -> Input {
        self.of_bytes(source, bytes, formats::decode_on_rig)
    }

    /// The same, but nothing if the source can be read and is of no known format, or not of the
    /// one that is wanted, and without the skeleton if it takes none: for files that nobody named
    /// one by one.
    pub fn open_if_recognised(&self, source: &Source) -> Option<Input> {
        self.open_read_if_recognised(source, source.read())
    }

    /// The same for a source that was read.
    pub(super) fn open_read_if_recognised(
        &self,
        source: &Source,
        bytes: io::Result<Vec<u8>>,
    ) -> Option<Input> {
        let is_strange =
            bytes.as_ref().is_ok_and(|bytes| !formats::is_recognised(bytes, self.format));
        (!is_strange).then(|| {
            self.of_bytes(source, bytes, |bytes, extension, format, rig| {
                let read = |path: &Path| source.read_beside(path);
                formats::decode_on_rig_if_taken(bytes, extension, format, rig, &read)
            })
        })
    }

    fn of_bytes(
        &self,
        source: &Source,
        bytes: io::Result<Vec<u8>>,
        decode_on_rig: impl Fn(&[u8], Option<&str>, Option<FormatId>, &Rig) -> Result<Clip, Failure>,
    ) -> Input {
        let kind = bytes.as_ref().ok().and_then(|bytes| library::kind_of(source, bytes, self));
        let mut input = match (bytes, kind) {
            (Ok(bytes), Some(kind)) => library::open_input(source, &bytes, kind, self),
            (bytes, _) => self.of_recording(source, bytes, decode_on_rig),
        };
        if let (Ok(clip), Some(rule)) = (&mut input.result, self.rotation) {
            clip.convention.rotation.value = rule;
        }
        input
    }

    fn of_recording(
        &self,
        source: &Source,
        bytes: io::Result<Vec<u8>>,
        decode_on_rig: impl Fn(&[u8], Option<&str>, Option<FormatId>, &Rig) -> Result<Clip, Failure>,
    ) -> Input {
        let (extension, format) = (source.extension(), self.format);
        let decode = |bytes: Vec<u8>| match &self.rig {
            Some(rig) => decode_on_rig(&bytes, extension, format, rig),
            None => {
                let read = |path: &Path| source.read_beside(path);
                formats::decode_beside(&bytes, extension, format, &read)
            }
        };
        let result = bytes.map_err(InputError::from).and_then(|bytes| {
            if self.animation.is_empty() {
                decode(bytes).map_err(Into::into)
            } else {
                Err(InputError::not_a_library())
            }
        });
        Input { name: source.to_string(), result, character: None }
    }
}

fn read_rig(source: &Source) -> Result<Rig, String> {
    let bytes = source.read().map_err(|error| format!("cannot be read: {error}"))?;
    let path = source.path().and_then(Path::file_name);
    let name = path.map_or_else(|| source.to_string(), |name| name.to_string_lossy().into_owned());
    let read = |path: &Path| source.read_beside(path);
    rig::decode_beside(&bytes, &name, &read).map_err(|error| error.to_string())
}

impl Input {
    /// Everything there is to say about it: notices in the order in which they were found, and
    /// last the error if there is no clip.
    pub fn messages(&self) -> Vec<Message<'_>> {
        let name = self.name.as_str();
        let notices = |format: Option<FormatId>, notices: &Notices| -> Vec<_> {
            let all =
                format.into_iter().flat_map(|format| notices.iter().map(move |n| (format, n)));
            all.map(|(format, notice)| Message::of_notice(name, format, notice)).collect()
        };
        match &self.result {
            Ok(clip) => notices(Some(clip.format), &clip.notices),
            Err(InputError::Undecodable(failure)) => {
                let mut messages = notices(failure.format, &failure.notices);
                messages.push(Message::of_error(name, failure.format, &failure.error));
                messages
            }
            Err(error @ (InputError::Unreadable(_) | InputError::WrongUsage(_))) => {
                vec![Message::about_file(name, error.to_string())]
            }
        }
    }

    /// Prints its messages on standard error and returns its clip, if there is one.
    pub fn report(&self) -> Option<&Clip> {
        self.messages().iter().for_each(tell);
        self.result.as_ref().ok()
    }

    /// How a command ends that cannot go on without a clip.
    pub(super) fn failure(&self) -> Status {
        match self.result {
            Err(InputError::WrongUsage(_)) => Status::WrongUsage,
            _ => Status::Failed,
        }
    }

    /// Whether there is nothing to say about it that is an error.
    pub fn is_sound(&self) -> bool {
        let worst = self.result.as_ref().ok().map(|clip| clip.notices.worst());
        worst.is_some_and(|worst| worst < Some(Severity::Error))
    }
}
