//! The way from bytes to a clip, whatever the format.

use std::path::Path;

use super::{DecodeContext, DecodeRequest, Format, Recognition, format, recognise};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Error, Notices, SourceLocation},
    io::{bytes::Content, cooperative},
};

/// Why a file could not be decoded, and the notices before.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}{error}", .format.map(|id| format!("{id} ")).unwrap_or_default())]
pub struct Failure {
    /// The format it was taken for, if for any.
    pub format: Option<FormatId>,
    /// Where and why reading stopped.
    pub error: Error,
    /// The notices before that.
    pub notices: Notices,
}

/// Decodes a file, as `request` says. This is the one way from bytes to a clip;
/// [`load`](crate::read::load) also looks for a skeleton that is kept with the recording.
///
/// # Errors
/// If no format recognises the bytes, the format takes no such skeleton or has no such variants, or
/// its decoder has to stop.
pub fn decode<'a>(
    content: impl Into<Content<'a>>,
    request: &DecodeRequest<'_>,
) -> Result<Clip, Failure> {
    cooperative::block_on(decode_async(content.into(), request))
}

/// Decodes a file as [`decode`] does, yielding between pieces if its format is decoded in pieces.
///
/// # Errors
/// As [`decode`].
pub async fn decode_async(
    content: Content<'_>,
    request: &DecodeRequest<'_>,
) -> Result<Clip, Failure> {
    let format = find(content.start(), request.extension, request.format)?;
    let context = DecodeContext {
        rig: request.rig,
        sidecars: request.sidecars,
        assumptions: request.assumptions.of(format.id),
        name: request.name,
        columns: request.columns,
        variants: request.variants,
        plays_all_clips: request.plays_all_clips,
    };
    let mut notices = Notices::new();
    let decoded = match check(format, &context) {
        Ok(()) => format.decode.run(content, &context, &mut notices).await,
        Err(error) => Err(error),
    };
    match decoded.and_then(|clip| check_variants(clip, &context)) {
        Ok(clip) => Ok(finish(clip, &context, notices)),
        Err(error) => Err(Failure { format: Some(format.id), error, notices }),
    }
}

/// The row of the format that a file with these first `bytes` is decoded as: of `id`, or if none is given of the format that
/// is surest of them, where `extension` breaks ties.
///
/// # Errors
/// If there is none.
pub fn find(
    bytes: &[u8],
    extension: Option<&str>,
    id: Option<FormatId>,
) -> Result<&'static Format, Failure> {
    let format = match id {
        Some(id) => format(id).ok_or_else(|| unknown(id)),
        None => recognise(bytes, extension),
    };
    format.map_err(|error| Failure { format: None, error, notices: Notices::new() })
}

/// Whether a file at `path` that begins with `start`, or is taken for `id`, is decoded piece by piece: a
/// large one need not be in memory.
pub fn reads_pieces(start: &[u8], path: &Path, id: Option<FormatId>) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    find(start, extension, id).is_ok_and(Format::reads_pieces)
}

/// Whether `format`, or if none is given any format, recognises `bytes`.
pub fn is_recognised(bytes: &[u8], format: Option<FormatId>) -> bool {
    let mut asked = super::all().filter(|row| format.is_none_or(|id| row.id == id));
    asked.any(|row| (row.recognise)(bytes) > Recognition::No)
}

/// Whether recordings of `format` can be decoded by this request.
fn check(format: &Format, context: &DecodeContext<'_>) -> Result<(), Error> {
    if let Some(rig) = context.rig.filter(|rig| !format.takes(rig.kind)) {
        return Err(format.refusal(rig.kind));
    }
    let is_known =
        |label: &str| format.variants.iter().any(|known| known.eq_ignore_ascii_case(label));
    match context.variants.iter().find(|choice| !is_known(&choice.label)) {
        Some(choice) => Err(no_variants(format.name, &choice.label)),
        None => Ok(()),
    }
}

/// Whether the file has every chosen variant.
fn check_variants(clip: Clip, context: &DecodeContext<'_>) -> Result<Clip, Error> {
    let is_left =
        |label: &str| clip.variants.iter().any(|one| one.label.eq_ignore_ascii_case(label));
    match context.variants.iter().find(|choice| !is_left(&choice.label)) {
        Some(choice) => Err(no_variants("this file", &choice.label)),
        None => Ok(clip),
    }
}

fn unknown(id: FormatId) -> Error {
    Error::unsupported(
        SourceLocation::File,
        format!("expected a known format, found {:?}", id.word()),
    )
}

fn no_variants(what: &str, label: &str) -> Error {
    Error::no_variants(format!("{what} offers no choice of {label:?}"))
}

/// The decoded clip with the assumptions applied and all notices.
fn finish(mut clip: Clip, context: &DecodeContext<'_>, mut notices: Notices) -> Clip {
    context.assumptions.apply(&mut clip.convention);
    for variants in &mut clip.variants {
        variants.is_chosen = context.variant(variants.label).is_some();
    }
    // The notices of the decoder come before those of the conversion.
    notices.extend(std::mem::take(&mut clip.notices));
    clip.notices = notices;
    let time = clip.convention.seconds_per_unit.map(|time| time.value);
    if let Some(seconds) = time.filter(|seconds| *seconds != 1.0) {
        clip.count_time_in(seconds);
    }
    clip
}
