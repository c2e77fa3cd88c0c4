//! Archives and sets of characters of Metroid Prime: files that hold many recordings, by name.

use std::{fs, io, path::Path};

use clap::Args;

use super::{Input, InputError, Reader, Source};
use crate::{
    clip::Clip,
    diagnostics::{Error, Notices, Place},
    formats::{
        Failure, FormatId,
        prime::{
            archive::{ArchiveResources, LooseFiles, Resources},
            characters::{
                FileKind, Library, OpenOptions, Opened, Selection, check_archive, check_library,
                check_resource, open,
            },
        },
    },
    rig::{Rig, RigKind},
};

/// Which recording of a file that holds many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct AnimationArgs {
    /// Of an archive or a set of characters (PAK, ANCS): the animation of this name
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// The character that it is shown on: its name, or the id of its set and its own as
    /// CC779B26/0 [default: the first that has the animation]
    #[arg(long, value_name = "NAME")]
    pub character: Option<String>,
}

impl AnimationArgs {
    /// Whether neither is given.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn selection(&self) -> Selection {
        Selection { animation: self.animation.clone(), character: self.character.clone() }
    }
}

/// The kind of file that `bytes` are, unless another format is asked for.
pub(super) fn kind_of(source: &Source, bytes: &[u8], reader: &Reader) -> Option<FileKind> {
    let may_be = reader.format.is_none_or(|format| format == FormatId::Prime);
    may_be.then(|| FileKind::of(bytes, source.extension())).flatten()
}

/// Reads the table of an archive, or a set of characters.
///
/// # Errors
/// If it is refused.
pub(super) fn library(source: &Source, bytes: &[u8], kind: FileKind) -> Result<Library, Error> {
    match kind {
        FileKind::Archive => Library::of_archive(bytes),
        FileKind::Characters => Library::of_ancs(bytes, &source.file_name()),
        FileKind::Part(_) => {
            let message = format!(
                "{} alone holds no recording; `check` reads it. Open its archive or the ANCS of its \
                 character",
                kind.name()
            );
            Err(Error::unsupported(Place::File, message))
        }
    }
}

/// What opening a recording of an archive or of a set of characters comes to.
pub(super) fn open_input(source: &Source, bytes: &[u8], kind: FileKind, reader: &Reader) -> Input {
    let name = source.to_string();
    match opened(source, bytes, kind, reader) {
        Ok(Opened { clip, character, .. }) => Input { name, result: Ok(clip), character },
        Err(error) => Input { name, result: Err(error), character: None },
    }
}

fn opened(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    reader: &Reader,
) -> Result<Opened, InputError> {
    if matches!(kind, FileKind::Part(_)) && !reader.animation.is_empty() {
        return Err(InputError::not_a_library());
    }
    let library = library(source, bytes, kind).map_err(|error| failure(error, Notices::new()))?;
    let chosen = library
        .select(&reader.animation.selection())
        .map_err(|error| match reader.animation.is_empty() {
            // Nobody asked for a name that it does not have.
            true => {
                let error = Error::unsupported(Place::File, error.to_string());
                failure(error, library.notices.clone())
            }
            false => InputError::WrongUsage(error.to_string()),
        })?;
    let rig = rig_for(reader).map_err(|error| failure(error, Notices::new()))?;
    let options = OpenOptions { rig, with_model: reader.with_model, ..OpenOptions::default() };
    with_resources(source, bytes, &library, |resources| {
        let mut skipped = Notices::new();
        let mut last = None;
        for one in &chosen {
            match open(one, resources, &options) {
                Ok(mut opened) => {
                    let own = std::mem::take(&mut opened.clip.notices);
                    // What is wrong with the rest of an archive is for `check` to tell.
                    opened.clip.notices = skipped;
                    opened.clip.notices.extend(own);
                    note_choice(&mut opened.clip, reader);
                    return Ok(opened);
                }
                Err(error) => {
                    // Of a character's animations the first that can be shown is shown.
                    let message = format!("{:?}: {}; skipped", one.name, error.message());
                    skipped.warning(error.place().clone(), message);
                    last = Some(error);
                }
            }
        }
        let error = last.unwrap_or_else(|| Error::unsupported(Place::File, "no animation"));
        Err(failure(error, Notices::new()))
    })
}

fn note_choice(clip: &mut Clip, reader: &Reader) {
    if reader.animation.animation.is_none() {
        let message = format!("using the animation {:?}. --animation takes another", clip.name);
        clip.notices.info(Place::File, message);
    }
}

/// The skeleton that is to be used in place of characters' own.
fn rig_for(reader: &Reader) -> Result<Option<&Rig>, Error> {
    match &reader.rig {
        Some(rig) if rig.kind != RigKind::Cinf => Err(FormatId::Prime.format().refusal(rig.kind)),
        rig => Ok(rig.as_ref()),
    }
}

fn failure(error: Error, notices: Notices) -> InputError {
    Failure { format: Some(FormatId::Prime), error, notices }.into()
}

/// Finds the resources of a library: in its archive, or among the files of its folder.
fn with_resources<T>(
    source: &Source,
    bytes: &[u8],
    library: &Library,
    then: impl FnOnce(&dyn Resources) -> T,
) -> T {
    if let Some(archive) = &library.archive {
        return then(&ArchiveResources { archive, bytes });
    }
    let read = |name: &str| source.read_beside(Path::new(name));
    then(&LooseFiles::new(names_beside(source), &read))
}

/// The names of the files in the folder of a source.
fn names_beside(source: &Source) -> Vec<String> {
    let Some(path) = source.path() else { return Vec::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// Everything that is wrong with such a file.
///
/// # Errors
/// If it is refused: what was noticed before goes with it.
pub(super) fn check(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    rig: Option<&Rig>,
) -> Result<Notices, Failure> {
    let refused = |error, notices| Failure { format: Some(FormatId::Prime), error, notices };
    if let FileKind::Part(part) = kind {
        let mut notices = Notices::new();
        let rig = rig.filter(|rig| rig.kind == RigKind::Cinf);
        return match check_resource(part, bytes, rig, &mut notices) {
            Ok(()) => Ok(notices),
            Err(error) => Err(refused(error, notices)),
        };
    }
    let library = library(source, bytes, kind).map_err(|error| refused(error, Notices::new()))?;
    Ok(match kind {
        FileKind::Archive => check_archive(&library, bytes),
        _ => with_resources(source, bytes, &library, |resources| check_library(&library, resources)),
    })
}

/// The bytes of a source, and what kind of the games' files they are, if of one.
pub(super) fn read(source: &Source, reader: &Reader) -> (io::Result<Vec<u8>>, Option<FileKind>) {
    let bytes = source.read();
    let kind = bytes.as_ref().ok().and_then(|bytes| kind_of(source, bytes, reader));
    (bytes, kind)
}
