//! Reading recordings, on the requested skeleton and under the requested assumptions.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    AnimationChoice, LoadRequest, Message, NotedSidecars, OpenOptions, SkeletonChoice, Source,
    library, load,
};
use crate::{
    clip::{Clip, FormatAssumptions, FormatId},
    diagnostics::{ErrorKind, Notices, Severity},
    formats::{self, Failure, MappingFile, NamedAnimation, extension_of},
    io::bytes::FileContent,
    retarget::BoneMap,
    rig::Rig,
};

/// The result of reading one source: its clip, or why there is none.
#[derive(Debug)]
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Its clip, or why there is none.
    pub result: Result<Clip, InputError>,
    /// The other files that it was read from, if it names any.
    pub sidecars: Vec<PathBuf>,
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
    /// It does not have what the command line requests.
    #[error("{0}")]
    WrongUsage(String),
}

impl InputError {
    /// The error for a requested animation or character of a file that has no names for any.
    pub fn not_a_library() -> Self {
        Self::WrongUsage("it has no animations or characters to choose from".to_owned())
    }

    /// The error for a recording that cannot be decoded, or of which something impossible is requested.
    pub fn of_recording(failure: Failure) -> Self {
        match failure.error.kind() {
            ErrorKind::NoVariants | ErrorKind::WrongOptions => {
                Self::WrongUsage(failure.error.message().to_owned())
            }
            _ => Self::Undecodable(failure),
        }
    }
}

/// How recordings are put on a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Retarget {
    /// By the names of nodes.
    #[default]
    Off,
    /// Bone by bone, where both are bodies.
    Auto,
    /// The same, where this map of bones says what names do not.
    Map(BoneMap),
}

impl Retarget {
    const OFF: &str = "off";
    const AUTO: &str = "auto";

    /// The file with the map of bones that `word` names; nothing if it is `off` or `auto`.
    pub fn map_of(word: &Path) -> Option<&Path> {
        (word != Path::new(Self::OFF) && word != Path::new(Self::AUTO)).then_some(word)
    }

    /// The way that `word` asks for: `off`, `auto`, or else the path of a map of bones, which is read.
    ///
    /// # Errors
    /// If the file cannot be read, or is no map of bones: the message.
    pub fn of_word(word: &Path) -> Result<Self, String> {
        match Self::map_of(word) {
            None if word == Path::new(Self::AUTO) => Ok(Self::Auto),
            None => Ok(Self::Off),
            Some(path) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| format!("as a map of bones: cannot be read: {error}"))?;
                BoneMap::parse(&text).map(Self::Map)
            }
        }
    }
}

/// How files are read, whatever their content.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The format that all are read as; `None` recognises it by content.
    pub format: Option<FormatId>,
    /// The skeleton that all are put on.
    pub rig: Option<Rig>,
    /// How recordings are put on the skeleton.
    pub retarget: Retarget,
    /// Whether a skeleton is attached also to what animates none of its nodes; else that is an error.
    pub allows_unmatched_rig: bool,
    /// The assumptions where files declare nothing.
    pub assumptions: FormatAssumptions,
    /// The choice of a recording in files that hold several.
    pub animation: AnimationChoice,
    /// The mapping file of the columns of tables, if one was given.
    pub columns: Option<MappingFile>,
    /// Whether the models of characters are read too.
    pub with_model: bool,
    /// The files that the skeleton was read from, besides its own.
    pub rig_sidecars: Vec<PathBuf>,
}

impl Reader {
    /// Reads the skeleton in `source`, or takes the built-in one that it means, and puts on it what is read from now on.
    ///
    /// # Errors
    /// If it cannot be read, or is no skeleton: the message.
    pub fn read_rig(&mut self, source: &Source) -> Result<(), String> {
        if let Some(rig) = source.path().and_then(formats::built_in_character) {
            (self.rig, self.rig_sidecars) = (Some(rig), Vec::new());
            return Ok(());
        }
        let sidecars = NotedSidecars::of(source);
        // Text may be recognisable only late.
        let may_be =
            |head: &[u8]| head.starts_with(b"{") || formats::recognise_skeleton(head).is_some();
        let rig = source
            .read_if(may_be)
            .map_err(|error| format!("as a skeleton: cannot be read: {error}"))
            .and_then(|bytes| {
                formats::decode_skeleton(&bytes, &source.file_name(), &sidecars)
                    .map_err(|error| format!("as a skeleton: {error}"))
            })?;
        (self.rig, self.rig_sidecars) = (Some(rig), sidecars.into_paths());
        Ok(())
    }

    /// Reads `source` and decodes it.
    pub fn open(&self, source: &Source) -> Input {
        self.open_read(source, self.read(source))
    }

    /// The same for a source that was read.
    pub fn open_read(&self, source: &Source, file: io::Result<FileContent>) -> Input {
        let skeleton = self.skeleton(SkeletonChoice::Required);
        self.of_file(source, file, skeleton)
    }

    /// Reads `source` and decodes it; `None` if it can be read and is of no known format, or not of
    /// the requested one. Without the skeleton if it takes none: for files that were not named one
    /// by one.
    pub fn open_if_recognised(&self, source: &Source) -> Option<Input> {
        self.open_read_if_recognised(source, self.read_if_recognised(source))
    }

    /// The same for a source that was read.
    pub fn open_read_if_recognised(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> Option<Input> {
        let is_foreign = file
            .as_ref()
            .is_ok_and(|file| !formats::is_recognised(file.content().start(), self.format));
        let skeleton = self.skeleton(SkeletonChoice::IfTaken);
        (!is_foreign).then(|| self.of_file(source, file, skeleton))
    }

    /// Reads a source that was named: of a large file that is not recognised, only the first bytes,
    /// unless a format is requested.
    pub fn read(&self, source: &Source) -> io::Result<FileContent> {
        let is_asked_for = self.format.is_some() || self.columns.is_some();
        self.read_worth(source, &|head| is_asked_for || self.is_recognised(source, head))
    }

    /// The same for a source that was not named itself: of a large file that is not recognised as
    /// the requested format, only the first bytes.
    pub fn read_if_recognised(&self, source: &Source) -> io::Result<FileContent> {
        self.read_worth(source, &|head| self.is_recognised(source, head))
    }

    fn read_worth(
        &self,
        source: &Source,
        is_worth: &dyn Fn(&[u8]) -> bool,
    ) -> io::Result<FileContent> {
        source.open(&OpenOptions { format: self.format, is_worth, progress: None })
    }

    /// The animations that may be chosen of `source` by their names, in the order of the file; none where
    /// the file holds one recording without a name to choose it by.
    ///
    /// # Errors
    /// If it cannot be read, or is no recording.
    pub fn animations(&self, source: &Source) -> Result<Vec<NamedAnimation>, InputError> {
        self.animations_of_read(source, &self.read(source))
    }

    /// The same of a source that was read.
    pub fn animations_of_read(
        &self,
        source: &Source,
        file: &io::Result<FileContent>,
    ) -> Result<Vec<NamedAnimation>, InputError> {
        if let Some((bytes, kind)) = library::of_read(source, file, self) {
            return library::animations(source, bytes, kind, self);
        }
        let content = match file {
            Ok(file) => file.content(),
            // An error is given away only once.
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string()).into()),
        };
        let name = source.file_name();
        let format = formats::find(content.start(), extension_of(&name), self.format)?;
        let Some(list) = format.animations else { return Ok(Vec::new()) };
        let failure = |error| {
            InputError::of_recording(Failure {
                format: Some(format.id),
                error,
                notices: Notices::new(),
            })
        };
        let bytes = content.whole().map_err(failure)?;
        list(&bytes, &NotedSidecars::of(source)).map_err(failure)
    }

    fn is_recognised(&self, source: &Source, head: &[u8]) -> bool {
        formats::is_recognised(head, self.format) || library::kind_of(source, head, self).is_some()
    }

    /// The skeleton that recordings are put on; `by_name` where they are not retargeted.
    fn skeleton<'a>(&'a self, by_name: fn(&'a Rig) -> SkeletonChoice<'a>) -> SkeletonChoice<'a> {
        match (&self.rig, &self.retarget) {
            (None, _) => SkeletonChoice::Own,
            (Some(rig), Retarget::Off) if !rig.matches_by_bones_only() => by_name(rig),
            (Some(rig), Retarget::Off | Retarget::Auto) => SkeletonChoice::Retargeted(rig, None),
            (Some(rig), Retarget::Map(map)) => SkeletonChoice::Retargeted(rig, Some(map)),
        }
    }

    fn of_file(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        match library::of_read(source, &file, self) {
            Some((bytes, kind)) => library::open_input(source, bytes, kind, self),
            None => self.of_recording(source, file, skeleton),
        }
    }

    fn of_recording(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        let (name, sidecars) = (source.file_name(), NotedSidecars::of(source));
        let variants = self.animation.variants();
        let load = |file: FileContent| {
            load(&LoadRequest {
                sidecars: &sidecars,
                format: self.format,
                columns: self.columns.as_ref(),
                skeleton,
                assumptions: self.assumptions.clone(),
                variants: &variants,
                allows_unmatched_rig: self.allows_unmatched_rig,
                ..LoadRequest::new(&name, file.content())
            })
        };
        let result = file
            .map_err(InputError::from)
            .and_then(|file| load(file).map_err(InputError::of_recording));
        let sidecars = sidecars.into_paths();
        Input { name: source.to_string(), result, sidecars, character: None }
    }
}

impl Input {
    /// All messages about it: notices in the order in which they were found, and last the error if
    /// there is no clip.
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

    /// Whether none of its messages is an error.
    pub fn is_sound(&self) -> bool {
        let worst = self.result.as_ref().ok().map(|clip| clip.notices.worst());
        worst.is_some_and(|worst| worst < Some(Severity::Error))
    }
}
