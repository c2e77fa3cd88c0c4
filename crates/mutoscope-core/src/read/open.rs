//! Opens recordings, including those in archives.

use std::{io, path::PathBuf, sync::Arc};

use super::{Source, TrackedSidecars, library};
use crate::{
    clip::{Clip, VariantChoice, Variants},
    diagnostics::{Diagnostics, ErrorKind, Severity},
    formats::{
        Failure, NamedAnimation, ReadOptions, Registry, SourceFile, animation_choice, decode,
        extension_of,
    },
    io::bytes::FileContent,
    skeleton_file::LoadedSkeleton,
};

/// A recording that was read.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The motion.
    pub clip: Clip,
    /// The other files that were read, if the source refers to any.
    pub sidecars: Vec<PathBuf>,
    /// The name of the character that the clip is shown on, for formats with characters.
    pub character: Option<String>,
}

/// The reason why a source could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
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

impl ReadError {
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

impl Recording {
    /// Returns `true` if none of the diagnostics is an error.
    pub fn is_sound(&self) -> bool {
        self.clip.diagnostics.worst_severity() < Some(Severity::Error)
    }
}

/// Reads `source` and decodes it.
///
/// ```
/// use mutoscope_core::{ReadOptions, open, read::Source};
///
/// let take = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/mrtk/two-hands.bin");
/// let recording = open(&Source::File(take.into()), &ReadOptions::default())?;
/// assert!(recording.clip.span.duration > 1.0);
/// # Ok::<(), mutoscope_core::read::ReadError>(())
/// ```
///
/// # Errors
/// If the source cannot be read or decoded, or lacks what `options` request.
pub fn open(source: &Source, options: &ReadOptions) -> Result<Recording, ReadError> {
    open_content(source, read(source, options), options)
}

/// Decodes a source that was already read.
///
/// # Errors
/// The same as for [`open`].
pub fn open_content(
    source: &Source,
    content: io::Result<FileContent>,
    options: &ReadOptions,
) -> Result<Recording, ReadError> {
    if let Some((bytes, kind)) = library::library_content(source, &content, options) {
        return library::open_recording(source, bytes, kind, options);
    }
    let (name, sidecars) = (source.file_name(), TrackedSidecars::for_source(source));
    let content = content?;
    let file = SourceFile::new(&name, content.as_content()).with_sidecars(&sidecars);
    let clip = decode(file, options).map_err(ReadError::from_failure)?;
    Ok(Recording { clip, sidecars: sidecars.into_paths(), character: None })
}

/// Reads a source that the user named. A large file that is not recognised is read only up to its
/// first bytes, unless a format is requested.
///
/// # Errors
/// If the source cannot be read.
pub fn read(source: &Source, options: &ReadOptions) -> io::Result<FileContent> {
    let is_requested = options.format.is_some() || options.columns.is_some();
    source.open(options, &|head| is_requested || is_recognised(source, head, options), None)
}

/// Reads a source that the user did not name. A large file that is not recognised as the requested
/// format is read only up to its first bytes.
///
/// # Errors
/// If the source cannot be read.
pub fn read_if_recognised(source: &Source, options: &ReadOptions) -> io::Result<FileContent> {
    source.open(options, &|head| is_recognised(source, head, options), None)
}

fn is_recognised(source: &Source, head: &[u8], options: &ReadOptions) -> bool {
    options.registry.is_recognised(head, options.format)
        || library::library_kind(source, head, options).is_some()
}

/// Returns the animations that can be chosen from `source` by name, in the order of the file. Empty
/// if the file holds a single recording without a name.
///
/// # Errors
/// Fails if the source cannot be read or is not a recording.
pub fn list_animations(
    source: &Source,
    options: &ReadOptions,
) -> Result<Vec<NamedAnimation>, ReadError> {
    list_animations_in(source, &read(source, options), options)
}

/// Returns the animations of a source that was already read.
///
/// # Errors
/// The same as for [`list_animations`].
pub fn list_animations_in(
    source: &Source,
    content: &io::Result<FileContent>,
    options: &ReadOptions,
) -> Result<Vec<NamedAnimation>, ReadError> {
    if let Some((bytes, kind)) = library::library_content(source, content, options) {
        return library::list_animations(source, bytes, kind, options);
    }
    let content = match content {
        Ok(content) => content.as_content(),
        // `io::Error` cannot be cloned, so create an equal one.
        Err(error) => return Err(io::Error::new(error.kind(), error.to_string()).into()),
    };
    let name = source.file_name();
    let registry = &options.registry;
    let format = registry.find_format(content.start(), extension_of(&name), options.format)?;
    let Some(list) = format.animations else { return Ok(Vec::new()) };
    let failure = |error| {
        let (format, diagnostics) = (Some(format.id), Diagnostics::new());
        ReadError::from_failure(Failure { format, error, diagnostics })
    };
    let bytes = content.read_all().map_err(failure)?;
    list(&bytes, &TrackedSidecars::for_source(source)).map_err(failure)
}

/// Opens all animations of `source` except `opened`, which was read from it with `options`.
///
/// # Errors
/// The same as for [`open`].
pub fn open_other_animations(
    source: &Source,
    options: &ReadOptions,
    opened: &Clip,
) -> Result<Vec<Arc<Clip>>, ReadError> {
    let Some(animations) = opened.animations() else { return Ok(Vec::new()) };
    if *source == Source::Stdin {
        let message =
            "standard input can be read only once, but the other animations read the file again";
        return Err(ReadError::WrongUsage(message.to_owned()));
    }
    // Read the file once. Cloning its content is cheap.
    let content = read(source, options)?;
    let others = animations.names.iter().enumerate().filter(|(at, _)| *at != animations.current);
    let open_animation = |(_, name): (usize, &String)| {
        let mut options = options.clone();
        // Leave out the choice of a clip, too, because another animation may not have that clip.
        let depends_on_animation = |choice: &VariantChoice| {
            let labels = [Variants::ANIMATION, Variants::CLIP];
            labels.iter().any(|label| choice.label.eq_ignore_ascii_case(label))
        };
        options.variants.retain(|choice| !depends_on_animation(choice));
        options.variants.extend(animation_choice(Some(name.clone()), None, None));
        let mut clip = open_content(source, Ok(content.clone()), &options)?.clip;
        clip.name.clone_from(name);
        Ok(Arc::new(clip))
    };
    others.map(open_animation).collect()
}

/// Reads the skeleton in `source`, or builds the built-in one that `source` names.
///
/// # Errors
/// If the source cannot be read or is not a skeleton.
pub fn open_skeleton(
    source: &Source,
    registry: &Registry,
) -> Result<LoadedSkeleton, SkeletonError> {
    if let Some(skeleton) = source.path().and_then(|path| registry.built_in_character(path)) {
        return Ok(skeleton);
    }
    let sidecars = TrackedSidecars::for_source(source);
    // A skeleton in JSON may be recognisable only after its first bytes.
    let may_be =
        |head: &[u8]| head.starts_with(b"{") || registry.recognise_skeleton(head).is_some();
    let bytes = source.read_if_accepted(may_be)?;
    let skeleton = registry.decode_skeleton(&bytes, &source.file_name(), &sidecars)?;
    Ok(LoadedSkeleton { sidecars: sidecars.into_paths(), ..skeleton })
}

/// The reason why a skeleton could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SkeletonError {
    /// The source could not be read.
    #[error("as a skeleton: cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The bytes are not a skeleton.
    #[error("as a skeleton: {0}")]
    Undecodable(#[from] crate::diagnostics::Error),
}
