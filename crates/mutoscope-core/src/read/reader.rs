//! Reads recordings, on the requested skeleton and with the requested assumptions.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    AnimationChoice, LoadRequest, Message, OpenOptions, SkeletonChoice, Source, TrackedSidecars,
    library, load,
};
use crate::{
    clip::{Clip, FormatAssumptions, FormatId},
    diagnostics::{Diagnostics, ErrorKind, Severity},
    formats::{self, Failure, MappingFile, NamedAnimation, extension_of},
    io::bytes::FileContent,
    retarget::BoneMap,
    skeleton_file::LoadedSkeleton,
};

/// The result of reading one source.
#[derive(Debug)]
pub struct Input {
    /// The name in messages.
    pub name: String,
    /// The clip, or the reason why there is none.
    pub result: Result<Clip, InputError>,
    /// The other files that were read, if the source refers to any.
    pub sidecars: Vec<PathBuf>,
    /// The name of the character that the clip is shown on, for formats with characters.
    pub character: Option<String>,
}

/// The reason why there is no clip.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The source could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The bytes could not be decoded.
    #[error(transparent)]
    Undecodable(#[from] Failure),
    /// The source lacks what the user requested.
    #[error("{0}")]
    WrongUsage(String),
}

impl InputError {
    /// Creates the error for a file that contains no animations or characters with names, although
    /// the user chose one.
    pub fn not_a_library() -> Self {
        Self::WrongUsage("it has no animations or characters to choose from".to_owned())
    }

    /// Creates the error for a recording that cannot be decoded, or that lacks what was requested.
    pub fn from_failure(failure: Failure) -> Self {
        match failure.error.kind() {
            ErrorKind::UnknownVariant | ErrorKind::InvalidOptions => {
                Self::WrongUsage(failure.error.message().to_owned())
            }
            _ => Self::Undecodable(failure),
        }
    }
}

/// The way in which recordings are attached to a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Retarget {
    /// By node names.
    #[default]
    Off,
    /// Bone by bone, if both are bodies.
    Auto,
    /// Bone by bone, with this map overriding the bones that are found by name.
    Map(BoneMap),
}

impl Retarget {
    const OFF: &str = "off";
    const AUTO: &str = "auto";

    /// Returns the path of the bone map that `value` names, or `None` if `value` is `off` or
    /// `auto`.
    pub fn map_path(value: &Path) -> Option<&Path> {
        (value != Path::new(Self::OFF) && value != Path::new(Self::AUTO)).then_some(value)
    }

    /// Parses `off`, `auto`, or the path of a bone map, and reads the bone map.
    ///
    /// # Errors
    /// Returns the message if the file cannot be read or is not a bone map.
    pub fn from_argument(value: &Path) -> Result<Self, String> {
        match Self::map_path(value) {
            None if value == Path::new(Self::AUTO) => Ok(Self::Auto),
            None => Ok(Self::Off),
            Some(path) => {
                let text = fs::read_to_string(path)
                    .map_err(|error| format!("as a bone map: cannot be read: {error}"))?;
                BoneMap::parse(&text).map(Self::Map).map_err(|error| error.to_string())
            }
        }
    }
}

/// The options for reading files, independent of their content.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The format to read all files as. `None` recognises the format by content.
    pub format: Option<FormatId>,
    /// The skeleton to attach all recordings to.
    pub rig: Option<LoadedSkeleton>,
    /// The way in which recordings are attached to the skeleton.
    pub retarget: Retarget,
    /// If set, a skeleton is attached even to recordings that animate none of its nodes. Otherwise
    /// attaching it is an error.
    pub allows_unmatched_rig: bool,
    /// The assumptions about conventions that files do not declare.
    pub assumptions: FormatAssumptions,
    /// The choice of a recording in files that hold several.
    pub animation: AnimationChoice,
    /// The mapping file for the columns of tables, if one was given.
    pub columns: Option<MappingFile>,
    /// The frame rate in Hz of tables whose rows or frame numbers are the times.
    pub frame_rate: Option<f64>,
    /// If set, the models of characters are read too.
    pub with_model: bool,
    /// The sidecar files of the skeleton file that were read.
    pub rig_sidecars: Vec<PathBuf>,
}

impl Reader {
    /// Reads the skeleton in `source`, or loads the built-in one that `source` names, and attaches
    /// it to all recordings that are read afterwards.
    ///
    /// # Errors
    /// Returns the message if the source cannot be read or is not a skeleton.
    pub fn read_skeleton(&mut self, source: &Source) -> Result<(), String> {
        if let Some(skeleton) = source.path().and_then(formats::built_in_character) {
            (self.rig, self.rig_sidecars) = (Some(skeleton), Vec::new());
            return Ok(());
        }
        let sidecars = TrackedSidecars::for_source(source);
        // A skeleton in JSON may be recognisable only after its first bytes.
        let may_be =
            |head: &[u8]| head.starts_with(b"{") || formats::recognise_skeleton(head).is_some();
        let skeleton = source
            .read_if_accepted(may_be)
            .map_err(|error| format!("as a skeleton: cannot be read: {error}"))
            .and_then(|bytes| {
                formats::decode_skeleton(&bytes, &source.file_name(), &sidecars)
                    .map_err(|error| format!("as a skeleton: {error}"))
            })?;
        (self.rig, self.rig_sidecars) = (Some(skeleton), sidecars.into_paths());
        Ok(())
    }

    /// Reads `source` and decodes it.
    pub fn open(&self, source: &Source) -> Input {
        self.decode_content(source, self.read(source))
    }

    /// Decodes a source that was already read.
    pub fn decode_content(&self, source: &Source, file: io::Result<FileContent>) -> Input {
        let skeleton = self.skeleton_choice(SkeletonChoice::Required);
        self.decode_file(source, file, skeleton)
    }

    /// Reads `source` and decodes it. This is for files that the user did not name one by one.
    /// `None` if the source was read but its format is not known or not the requested one. The
    /// skeleton is ignored if the format does not support it.
    pub fn open_if_recognised(&self, source: &Source) -> Option<Input> {
        self.decode_content_if_recognised(source, self.read_if_recognised(source))
    }

    /// Decodes a source that was already read, with the rules of [`Self::open_if_recognised`].
    pub fn decode_content_if_recognised(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> Option<Input> {
        let is_foreign = file
            .as_ref()
            .is_ok_and(|file| !formats::is_recognised(file.as_content().start(), self.format));
        let skeleton = self.skeleton_choice(SkeletonChoice::IfSupported);
        (!is_foreign).then(|| self.decode_file(source, file, skeleton))
    }

    /// Reads a source that the user named. A large file that is not recognised is read only up to
    /// its first bytes, unless a format is requested.
    pub fn read(&self, source: &Source) -> io::Result<FileContent> {
        let is_requested = self.format.is_some() || self.columns.is_some();
        self.read_if(source, &|head| is_requested || self.is_recognised(source, head))
    }

    /// Reads a source that the user did not name. A large file that is not recognised as the
    /// requested format is read only up to its first bytes.
    pub fn read_if_recognised(&self, source: &Source) -> io::Result<FileContent> {
        self.read_if(source, &|head| self.is_recognised(source, head))
    }

    fn read_if(
        &self,
        source: &Source,
        is_worth: &dyn Fn(&[u8]) -> bool,
    ) -> io::Result<FileContent> {
        source.open(&OpenOptions { format: self.format, is_worth, progress: None })
    }

    /// Returns the animations that can be chosen from `source` by name, in the order of the file.
    /// Empty if the file holds a single recording without a name.
    ///
    /// # Errors
    /// Fails if the source cannot be read or is not a recording.
    pub fn list_animations(&self, source: &Source) -> Result<Vec<NamedAnimation>, InputError> {
        self.list_animations_in(source, &self.read(source))
    }

    /// Returns the animations of a source that was already read.
    pub fn list_animations_in(
        &self,
        source: &Source,
        file: &io::Result<FileContent>,
    ) -> Result<Vec<NamedAnimation>, InputError> {
        if let Some((bytes, kind)) = library::library_content(source, file, self) {
            return library::list_animations(source, bytes, kind, self);
        }
        let content = match file {
            Ok(file) => file.as_content(),
            // `io::Error` cannot be cloned, so create an equal one.
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string()).into()),
        };
        let name = source.file_name();
        let format = formats::find_format(content.start(), extension_of(&name), self.format)?;
        let Some(list) = format.animations else { return Ok(Vec::new()) };
        let failure = |error| {
            InputError::from_failure(Failure {
                format: Some(format.id),
                error,
                diagnostics: Diagnostics::new(),
            })
        };
        let bytes = content.read_all().map_err(failure)?;
        list(&bytes, &TrackedSidecars::for_source(source)).map_err(failure)
    }

    fn is_recognised(&self, source: &Source, head: &[u8]) -> bool {
        formats::is_recognised(head, self.format)
            || library::library_kind(source, head, self).is_some()
    }

    fn skeleton_choice<'a>(
        &'a self,
        by_name: fn(&'a LoadedSkeleton) -> SkeletonChoice<'a>,
    ) -> SkeletonChoice<'a> {
        match (&self.rig, &self.retarget) {
            (None, _) => SkeletonChoice::Own,
            (Some(skeleton), Retarget::Off) if !skeleton.matches_by_bones_only() => {
                by_name(skeleton)
            }
            (Some(skeleton), Retarget::Off | Retarget::Auto) => {
                SkeletonChoice::Retargeted(skeleton, None)
            }
            (Some(skeleton), Retarget::Map(map)) => SkeletonChoice::Retargeted(skeleton, Some(map)),
        }
    }

    fn decode_file(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        match library::library_content(source, &file, self) {
            Some((bytes, kind)) => library::open_input(source, bytes, kind, self),
            None => self.decode_recording(source, file, skeleton),
        }
    }

    fn decode_recording(
        &self,
        source: &Source,
        file: io::Result<FileContent>,
        skeleton: SkeletonChoice<'_>,
    ) -> Input {
        let (name, sidecars) = (source.file_name(), TrackedSidecars::for_source(source));
        let variants = self.animation.variants();
        let load = |file: FileContent| {
            load(&LoadRequest {
                sidecars: &sidecars,
                format: self.format,
                columns: self.columns.as_ref(),
                frame_rate: self.frame_rate,
                skeleton,
                assumptions: self.assumptions.clone(),
                variants: &variants,
                allows_unmatched_rig: self.allows_unmatched_rig,
                ..LoadRequest::new(&name, file.as_content())
            })
        };
        let result = file
            .map_err(InputError::from)
            .and_then(|file| load(file).map_err(InputError::from_failure));
        let sidecars = sidecars.into_paths();
        Input { name: source.to_string(), result, sidecars, character: None }
    }
}

impl Input {
    /// Returns all messages about the source: the diagnostics in the order in which they were
    /// found, followed by the error if there is no clip.
    pub fn messages(&self) -> Vec<Message<'_>> {
        let name = self.name.as_str();
        let diagnostics = |format: Option<FormatId>, diagnostics: &Diagnostics| -> Vec<_> {
            let all =
                format.into_iter().flat_map(|format| diagnostics.iter().map(move |n| (format, n)));
            all.map(|(format, diagnostic)| Message::from_diagnostic(name, format, diagnostic))
                .collect()
        };
        match &self.result {
            Ok(clip) => diagnostics(Some(clip.format), &clip.diagnostics),
            Err(InputError::Undecodable(failure)) => {
                let mut messages = diagnostics(failure.format, &failure.diagnostics);
                messages.push(Message::from_error(name, failure.format, &failure.error));
                messages
            }
            Err(error @ (InputError::Unreadable(_) | InputError::WrongUsage(_))) => {
                vec![Message::for_file(name, error.to_string())]
            }
        }
    }

    /// Returns `true` if none of the messages is an error.
    pub fn is_sound(&self) -> bool {
        let worst = self.result.as_ref().ok().map(|clip| clip.diagnostics.worst_severity());
        worst.is_some_and(|worst| worst < Some(Severity::Error))
    }
}
