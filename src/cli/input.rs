//! Reading a recording from a file or from standard input.

use std::{
    cell::RefCell,
    ffi::OsString,
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{AnimationArgs, Message, Reading, RotationWay, message::path_text, tell};
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
        self.read_if(|_| true)
    }

    /// Everything in it if `is_worth` of its first bytes; the first bytes of something large that is
    /// not.
    ///
    /// # Errors
    /// If it cannot be read, or comes to no end.
    pub fn read_if(&self, is_worth: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path) => {
                let file = File::open(path)?;
                let about = file.metadata()?;
                read_if(&mut &file, about.is_file().then_some(about.len()), is_worth)
            }
            Self::Stdin => read_if(&mut io::stdin().lock(), None, is_worth),
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
    fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map_or_else(|| self.to_string(), |name| path_text(Path::new(name)))
    }
}

/// How much of a file is read to find out whether it is worth reading, in bytes.
const HEAD: u64 = 1 << 20;

/// Up to this size, in bytes, a file is read whatever its head is.
const SMALL: u64 = 64 << 20;

/// How much is read from what states no size, such as a pipe, in bytes.
const ENDLESS: u64 = 2 << 30;

fn read_if(
    from: &mut impl Read,
    size: Option<u64>,
    is_worth: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.by_ref().take(HEAD).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == HEAD && !is_worth(&bytes) {
        if size.is_none_or(|size| size <= SMALL) {
            from.by_ref().take(SMALL - HEAD).read_to_end(&mut bytes)?;
        }
        if size.is_some_and(|size| size > SMALL) || bytes.len() as u64 == SMALL {
            bytes.truncate(HEAD as usize);
        }
        return Ok(bytes);
    }
    match size {
        Some(_) => from.read_to_end(&mut bytes)?,
        None => from.by_ref().take(ENDLESS - HEAD).read_to_end(&mut bytes)?,
    };
    if size.is_none() && bytes.len() as u64 >= ENDLESS {
        let message = format!("it comes to no end: {} GiB read", ENDLESS >> 30);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Any name that the system has, also one that is not UTF-8.
impl From<OsString> for Source {
    fn from(text: OsString) -> Self {
        if text == "-" { Self::Stdin } else { Self::File(text.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::File(path) => f.write_str(&path_text(path)),
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
    /// The other files that it was read from, if it names any.
    pub sidecars: Vec<PathBuf>,
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
    /// Which recording of files that hold several.
    pub animation: AnimationArgs,
    /// The files that the skeleton was read from, besides its own.
    pub rig_sidecars: Vec<PathBuf>,
}

impl Reader {
    /// Reads the skeleton, if one is wanted, and says what is odd about it on standard error;
    /// nothing, and why, if it cannot be read.
    pub(super) fn prepare(reading: &Reading) -> Option<Self> {
        let sidecars = NotedSidecars::of(reading.rig.as_ref().unwrap_or(&Source::Stdin));
        let read = |source| (source, read_rig(source, &sidecars));
        let rig = match reading.rig.as_ref().map(read) {
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
        let rig_sidecars = sidecars.into_paths();
        Some(Self { format: reading.format, rig, assumptions, rig_sidecars, ..Self::default() })
    }

    /// Reads `source` and decodes it.
    pub fn open(&self, source: &Source) -> Input {
        let skeleton = self.rig.as_ref().map_or(SkeletonChoice::Own, SkeletonChoice::Required);
        let bytes = source
            .read_if(|head| self.format.is_some() || formats::is_recognised(head, self.format));
        self.of_bytes(source, bytes, skeleton)
    }

    /// The same, but nothing if the source can be read and is of no known format, or not of the
    /// one that is wanted, and without the skeleton if it takes none: for files that nobody named
    /// one by one.
    pub fn open_if_recognised(&self, source: &Source) -> Option<Input> {
        let bytes = source.read_if(|head| formats::is_recognised(head, self.format));
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
        let (name, sidecars) = (source.file_name(), NotedSidecars::of(source));
        let variants = self.animation.variants();
        let load = |bytes: Vec<u8>| {
            load(&LoadRequest {
                sidecars: &sidecars,
                format: self.format,
                skeleton,
                assumptions: self.assumptions.clone(),
                variants: &variants,
                ..LoadRequest::new(&name, &bytes)
            })
        };
        let result =
            bytes.map_err(InputError::from).and_then(|bytes| load(bytes).map_err(Into::into));
        Input { name: source.to_string(), result, sidecars: sidecars.into_paths() }
    }
}

/// Sidecars of a source that remember which of them were read.
struct NotedSidecars {
    sidecars: Box<dyn Sidecars>,
    folder: PathBuf,
    read: RefCell<Vec<PathBuf>>,
}

impl NotedSidecars {
    fn of(source: &Source) -> Self {
        let folder = source.path().and_then(Path::parent).map(Path::to_owned);
        let (sidecars, folder) = (source.sidecars(), folder.unwrap_or_default());
        Self { sidecars, folder, read: RefCell::default() }
    }

    fn into_paths(self) -> Vec<PathBuf> {
        self.read.into_inner()
    }
}

impl Sidecars for NotedSidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let bytes = self.sidecars.read(name)?;
        self.read.borrow_mut().push(self.folder.join(name));
        Ok(bytes)
    }

    fn names(&self) -> Vec<String> {
        self.sidecars.names()
    }
}

fn read_rig(source: &Source, sidecars: &dyn Sidecars) -> Result<Rig, String> {
    let bytes = source.read().map_err(|error| format!("cannot be read: {error}"))?;
    formats::decode_skeleton(&bytes, &source.file_name(), sidecars)
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
            Err(error @ InputError::Unreadable(_)) => {
                vec![Message::about_file(name, error.to_string())]
            }
        }
    }

    /// Prints its messages on standard error and returns its clip, if there is one.
    pub fn report(&self) -> Option<&Clip> {
        self.messages().iter().for_each(tell);
        self.result.as_ref().ok()
    }

    /// Whether there is nothing to say about it that is an error.
    pub fn is_sound(&self) -> bool {
        let worst = self.result.as_ref().ok().map(|clip| clip.notices.worst());
        worst.is_some_and(|worst| worst < Some(Severity::Error))
    }
}
