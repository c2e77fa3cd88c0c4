//! Decoding a file into a clip, for every format.

use std::path::Path;

use super::{DecodeContext, DecodeRequest, Format, Recognition, format, recognise};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Diagnostics, Error, SourceLocation},
    io::{bytes::Content, cooperative},
};

/// A failure to decode a file.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}{error}", .format.map(|id| format!("{id} ")).unwrap_or_default())]
pub struct Failure {
    /// The format of the file; `None` if no format recognises its bytes.
    pub format: Option<FormatId>,
    /// The location and the reason of the failure.
    pub error: Error,
    /// The diagnostics that were added before the failure.
    pub diagnostics: Diagnostics,
}

/// Decodes a file according to `request`.
///
/// This function and [`decode_async`] do not look for a skeleton that is stored with the recording.
/// To use such a skeleton, call [`load`](crate::read::load).
///
/// # Errors
/// If no format recognises the bytes, if the format does not support the given skeleton or
/// variants, or if the decoder fails.
pub fn decode<'a>(
    content: impl Into<Content<'a>>,
    request: &DecodeRequest<'_>,
) -> Result<Clip, Failure> {
    cooperative::block_on(decode_async(content.into(), request))
}

/// Decodes a file as [`decode`] does. If the format is decoded in pieces, the future yields between
/// pieces.
///
/// # Errors
/// The same as for [`decode`].
pub async fn decode_async(
    content: Content<'_>,
    request: &DecodeRequest<'_>,
) -> Result<Clip, Failure> {
    let format = find_format(content.start(), request.extension, request.format)?;
    let context = DecodeContext {
        skeleton: request.rig,
        sidecars: request.sidecars,
        assumptions: request.assumptions.for_format(format.id),
        name: request.name,
        columns: request.columns,
        frame_rate: request.frame_rate,
        variants: request.variants,
        plays_all_clips: request.plays_all_clips,
    };
    let mut diagnostics = Diagnostics::new();
    if request.frame_rate.is_some() && format.id != FormatId::new("table") {
        let message = "the frame rate is only used for tables; ignored";
        diagnostics.warning(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
    }
    let decoded = match check_request(format, &context) {
        Ok(()) => format.decode.run(content, &context, &mut diagnostics).await,
        Err(error) => Err(error),
    };
    match decoded.and_then(|clip| check_variants(clip, &context)) {
        Ok(clip) => Ok(finish_clip(clip, &context, diagnostics)),
        Err(error) => Err(Failure { format: Some(format.id), error, diagnostics }),
    }
}

/// Returns the format with this `id`. If `id` is `None`, returns the format that recognises
/// `bytes`, the first bytes of the file, with the greatest certainty. If several formats are
/// equally certain, the format with this `extension` is preferred.
///
/// # Errors
/// If the format is not registered, or no format recognises the bytes.
pub fn find_format(
    bytes: &[u8],
    extension: Option<&str>,
    id: Option<FormatId>,
) -> Result<&'static Format, Failure> {
    let format = match id {
        Some(id) => format(id).ok_or_else(|| unknown_format_error(id)),
        None => recognise(bytes, extension),
    };
    format.map_err(|error| Failure { format: None, error, diagnostics: Diagnostics::new() })
}

/// Returns `true` if the decoder of this file reads it piece by piece, so that a large file is
/// never in memory as a whole. `start` holds the first bytes of the file at `path`. If `id` is
/// given, the file is decoded as that format.
pub fn is_decoded_in_pieces(start: &[u8], path: &Path, id: Option<FormatId>) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    find_format(start, extension, id).is_ok_and(Format::decodes_in_pieces)
}

/// Returns `true` if `format` recognises `bytes`, or, if `format` is `None`, if any format does.
pub fn is_recognised(bytes: &[u8], format: Option<FormatId>) -> bool {
    let mut candidates = super::all().filter(|row| format.is_none_or(|id| row.id == id));
    candidates.any(|row| (row.recognise)(bytes) > Recognition::No)
}

fn check_request(format: &Format, context: &DecodeContext<'_>) -> Result<(), Error> {
    if let Some(skeleton) =
        context.skeleton.filter(|skeleton| !format.supports_skeleton(skeleton.kind))
    {
        return Err(format.unsupported_skeleton_error(skeleton.kind));
    }
    let is_known =
        |label: &str| format.variants.iter().any(|known| known.eq_ignore_ascii_case(label));
    match context.variants.iter().find(|choice| !is_known(&choice.label)) {
        Some(choice) => Err(missing_variant_error(format.name, &choice.label)),
        None => Ok(()),
    }
}

fn check_variants(clip: Clip, context: &DecodeContext<'_>) -> Result<Clip, Error> {
    let has_variant = |label: &str| {
        clip.variants.iter().any(|variants| variants.label.eq_ignore_ascii_case(label))
    };
    match context.variants.iter().find(|choice| !has_variant(&choice.label)) {
        Some(choice) => Err(missing_variant_error("this file", &choice.label)),
        None => Ok(clip),
    }
}

fn unknown_format_error(id: FormatId) -> Error {
    Error::unsupported(
        SourceLocation::File,
        format!("expected a known format, found {:?}", id.as_str()),
    )
}

fn missing_variant_error(what: &str, label: &str) -> Error {
    Error::unknown_variant(format!("{what} offers no choice of {label:?}"))
}

fn finish_clip(mut clip: Clip, context: &DecodeContext<'_>, mut diagnostics: Diagnostics) -> Clip {
    context.assumptions.apply(&mut clip.convention);
    for variants in &mut clip.variants {
        variants.is_chosen = context.variant(variants.label).is_some();
    }
    // Decoding comes before conversion, so the decoder's diagnostics come first.
    diagnostics.extend(std::mem::take(&mut clip.diagnostics));
    clip.diagnostics = diagnostics;
    let time = clip.convention.seconds_per_unit.map(|time| time.value);
    if let Some(seconds) = time.filter(|seconds| *seconds != 1.0) {
        clip.scale_time(seconds);
    }
    clip
}
