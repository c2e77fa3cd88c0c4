//! Archives and character sets of Metroid Prime: files that hold many named recordings.

use std::{collections::HashSet, io};

use super::{ReadError, Recording, Source, TrackedSidecars};
use crate::{
    clip::{Clip, FormatId, Variants},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::{
        Failure, NamedAnimation, ReadOptions, codes, extension_of,
        prime::{
            archive::Resources,
            characters::{
                FileKind, Library, OpenedAnimation, Selection, SkeletonPreference, check_archive,
                check_library, check_resource,
            },
        },
    },
    io::bytes::FileContent,
    skeleton_file::{LoadedSkeleton, SkeletonKind, check_match},
};

fn to_selection(options: &ReadOptions) -> Selection {
    let choice = |label| options.variant(label).map(str::to_owned);
    Selection { animation: choice(Variants::ANIMATION), character: choice(Variants::CHARACTER) }
}

/// Returns the kind of the archive, resource or character set in these bytes. `None` if the file is
/// of another kind, or if `options` request another format.
pub fn library_kind(source: &Source, bytes: &[u8], options: &ReadOptions) -> Option<FileKind> {
    let is_allowed = options.format.is_none_or(|format| format == FormatId::PRIME);
    is_allowed.then(|| FileKind::detect(bytes, extension_of(&source.file_name()))).flatten()
}

/// Reads the table of an archive, or a character set.
///
/// # Errors
/// Fails if the file is rejected.
pub fn read_library(source: &Source, bytes: &[u8], kind: FileKind) -> Result<Library, Error> {
    Library::decode(bytes, kind, &source.file_name())
}

/// Returns the names of the animations of an archive or a character set, without duplicates. Empty
/// if the file is rejected.
pub fn animation_names(source: &Source, bytes: &[u8], kind: FileKind) -> Vec<String> {
    read_library(source, bytes, kind).map(|library| unique_names(&library)).unwrap_or_default()
}

fn unique_names(library: &Library) -> Vec<String> {
    let all = library.sets.iter().flat_map(|set| &set.ancs.animations);
    let mut known = HashSet::new();
    let names = all.map(|animation| animation.name.as_str()).filter(|name| known.insert(*name));
    names.map(ToOwned::to_owned).collect()
}

/// Returns the animations of an archive or a character set, without duplicate names. Empty for a
/// single resource.
///
/// # Errors
/// Fails if the file is rejected.
pub fn list_animations(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    options: &ReadOptions,
) -> Result<Vec<NamedAnimation>, ReadError> {
    if matches!(kind, FileKind::Part(_)) {
        return Ok(Vec::new());
    }
    let library = read_library(source, bytes, kind)
        .map_err(|error| to_read_error(error, Diagnostics::new()))?;
    let assumptions = options.assumptions.clone();
    let options = ReadOptions { assumptions, ..ReadOptions::default() };
    let duration = |name: &str, resources: &dyn Resources| {
        let selection = Selection { animation: Some(name.to_owned()), character: None };
        let chosen = library.select(&selection).ok()?;
        let opened =
            library.open_first(&chosen, resources, &options, SkeletonPreference::Given).ok()?;
        Some(opened.clip.span.duration)
    };
    Ok(library.with_resources(bytes, &*source.sidecars(), |resources| {
        let named = unique_names(&library).into_iter().map(|name| {
            let duration = duration(&name, resources);
            NamedAnimation { name, duration }
        });
        named.collect()
    }))
}

/// Opens a recording of an archive or a character set.
///
/// # Errors
/// If the file is rejected, or lacks what `options` request.
pub fn open_recording(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    options: &ReadOptions,
) -> Result<Recording, ReadError> {
    let sidecars = TrackedSidecars::for_source(source);
    let OpenedAnimation { clip, character, .. } =
        open_animation(source, &sidecars, bytes, kind, options)?;
    Ok(Recording { clip, sidecars: sidecars.into_paths(), character })
}

fn open_animation(
    source: &Source,
    sidecars: &TrackedSidecars,
    bytes: &[u8],
    kind: FileKind,
    options: &ReadOptions,
) -> Result<OpenedAnimation, ReadError> {
    if matches!(kind, FileKind::Part(_)) && !options.variants.is_empty() {
        return Err(ReadError::not_a_library());
    }
    let library = read_library(source, bytes, kind)
        .map_err(|error| to_read_error(error, Diagnostics::new()))?;
    let chosen = library.select(&to_selection(options)).map_err(|error| {
        match options.variants.is_empty() {
            // The user chose neither an animation nor a character, so the error is about the file
            // and not about the choice.
            true => {
                let error = Error::unsupported(SourceLocation::File, error.to_string());
                to_read_error(error, library.diagnostics.clone())
            }
            false => ReadError::WrongUsage(error.to_string()),
        }
    })?;
    let skeleton =
        replacement_skeleton(options).map_err(|error| to_read_error(error, Diagnostics::new()))?;
    let mut opened = library
        .with_resources(bytes, sidecars, |resources| {
            library.open_first(&chosen, resources, options, SkeletonPreference::Given)
        })
        .map_err(|error| to_read_error(error, library.diagnostics.clone()))?;
    if !options.allows_unmatched_skeleton && skeleton.is_some() {
        check_match(&opened.clip)
            .map_err(|error| to_read_error(error, opened.clip.diagnostics.clone()))?;
    }
    report_default_choice(&mut opened.clip, options);
    Ok(opened)
}

fn report_default_choice(clip: &mut Clip, options: &ReadOptions) {
    if options.variant(Variants::ANIMATION).is_none() {
        let message =
            format!("using the animation {:?}. Choose another with --animation", clip.name);
        clip.diagnostics.info(codes::ANIMATION_DEFAULTED, SourceLocation::File, message);
    }
}

fn replacement_skeleton(options: &ReadOptions) -> Result<Option<&LoadedSkeleton>, Error> {
    let format = options.registry.format(FormatId::PRIME);
    match (options.given_skeleton(), format) {
        (Some(skeleton), Some(format)) if !format.supports_skeleton(skeleton.kind) => {
            Err(format.unsupported_skeleton_error(skeleton.kind))
        }
        (skeleton, _) => Ok(skeleton),
    }
}

fn to_read_error(error: Error, diagnostics: Diagnostics) -> ReadError {
    ReadError::from_failure(Failure { format: Some(FormatId::PRIME), error, diagnostics })
}

/// Checks a file of this kind and returns all diagnostics.
///
/// # Errors
/// Fails if the file is rejected. The failure contains the diagnostics up to that point.
pub fn check_file(
    source: &Source,
    bytes: &[u8],
    kind: FileKind,
    skeleton: Option<&LoadedSkeleton>,
) -> Result<Diagnostics, Failure> {
    let to_failure =
        |error, diagnostics| Failure { format: Some(FormatId::PRIME), error, diagnostics };
    if let FileKind::Part(part) = kind {
        let mut diagnostics = Diagnostics::new();
        let skeleton = skeleton.filter(|skeleton| skeleton.kind == SkeletonKind::CINF);
        return match check_resource(part, bytes, skeleton, &mut diagnostics) {
            Ok(()) => Ok(diagnostics),
            Err(error) => Err(to_failure(error, diagnostics)),
        };
    }
    let library =
        read_library(source, bytes, kind).map_err(|error| to_failure(error, Diagnostics::new()))?;
    Ok(match kind {
        FileKind::Archive => check_archive(&library, bytes),
        _ => library.with_resources(bytes, &*source.sidecars(), |resources| {
            check_library(&library, resources)
        }),
    })
}

/// Returns the bytes and the kind of a file that was read. `None` if reading failed or if
/// [`library_kind`] returns `None`.
pub fn library_content<'a>(
    source: &Source,
    file: &'a io::Result<FileContent>,
    options: &ReadOptions,
) -> Option<(&'a [u8], FileKind)> {
    let bytes = file.as_ref().ok()?.in_memory()?;
    Some((bytes, library_kind(source, bytes, options)?))
}
