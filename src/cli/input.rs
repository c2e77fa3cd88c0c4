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
    bytes::{FolderSidecars, NoSidecars, Sidecars},
    clip::{Assumptions, Clip, FormatAssumptions, FormatId},
    diagnostics::{Notices, Severity},
    formats::{self, Failure},
    load::{LoadRequest, SkeletonChoice, load},
    rig::Rig,
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

    /// The files around it: those in its folder, or none.
    pub fn sidecars(&self) -> Box<dyn Sidecars> {
        match self {
            Self::File(path) => Box::new(FolderSidecars::of_file(path)),
            Self::Stdin => Box::new(NoSidecars),
        }
    }

    /// The path, if it is a file's.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// The name of its file, or its text.
    pub(super) fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map_or_else(|| self.to_string(), |name| name.to_string_lossy().into_owned())
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
    /// How numbers are understood where files do not say.
    pub assumptions: FormatAssumptions,
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
        let assumptions =
            FormatAssumptions::of_all(Assumptions { rotation, ..Assumptions::default() });
        Some(Self { format: reading.format, rig, assumptions, ..Self::default() })
    }

    /// Reads `source` and decodes it.
    pub fn open(&self, source: &Source) -> Input {
        self.open_read(source, source.read())
    }

    /// The same for a source that was read.
    pub(super) fn open_read(&self, source: &Source, bytes: io::Result<Vec<u8>>) -> Input {
        let skeleton = self.rig.as_ref().map_or(SkeletonChoice::Own, SkeletonChoice::Required);
        self.of_bytes(source, bytes, skeleton)
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
        let is_foreign =
            bytes.as_ref().is_ok_and(|bytes| !formats::is_recognised(bytes, self.format));
        let skeleton = self.rig.as_ref().map_or(SkeletonChoice::Own, SkeletonChoice::IfTaken);
        (!is_foreign).then(|| self.of_bytes(source, bytes, skeleton))
    }

    fn of_bytes(
        &self,
        source: &Source,
        bytes: io::Result<Vec<u8>>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        let kind = bytes.as_ref().ok().and_then(|bytes| library::kind_of(source, bytes, self));
        match (bytes, kind) {
            (Ok(bytes), Some(kind)) => library::open_input(source, &bytes, kind, self),
            (bytes, _) => self.of_recording(source, bytes, skeleton),
        }
    }

    fn of_recording(
        &self,
        source: &Source,
        bytes: io::Result<Vec<u8>>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        let (name, sidecars) = (source.file_name(), source.sidecars());
        let load = |bytes: Vec<u8>| {
            load(&LoadRequest {
                sidecars: &*sidecars,
                format: self.format,
                skeleton,
                assumptions: self.assumptions.clone(),
                ..LoadRequest::new(&name, &bytes)
            })
        };
        let result = bytes.map_err(InputError::from).and_then(|bytes| {
            if self.animation.is_empty() {
                load(bytes).map_err(Into::into)
            } else {
                Err(InputError::not_a_library())
            }
        });
        Input { name: source.to_string(), result, character: None }
    }
}

fn read_rig(source: &Source) -> Result<Rig, String> {
    let bytes = source.read().map_err(|error| format!("cannot be read: {error}"))?;
    formats::decode_skeleton(&bytes, &source.file_name(), &*source.sidecars())
        .map_err(|error| error.to_string())
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
