//! Decoding a file into a clip, for every format.

use std::sync::Arc;

use super::{Fit, Format, ReadOptions, SkeletonSource, SourceFile, codes, extension_of};
use crate::{
    clip::{Clip, FormatId},
    diagnostics::{Diagnostics, Error, SourceLocation, format_number},
    io::{bytes::Sidecars, cooperative},
    retarget::{self, BoneMap, retarget},
    skeleton_file::{self, LoadedSkeleton},
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

/// Decodes a file that was read, on the skeleton that `options` request.
///
/// Nothing here accesses the file system: [`SourceFile::sidecars`] gives access to the files around
/// the recording.
///
/// # Errors
/// If no format recognises the bytes, if the format does not support the given skeleton or
/// variants, if the decoder fails, and if the recording animates none of the nodes of a given
/// skeleton, unless that is allowed.
pub fn decode<'a>(file: impl Into<SourceFile<'a>>, options: &ReadOptions) -> Result<Clip, Failure> {
    cooperative::block_on(decode_async(file.into(), options))
}

/// Decodes a file as [`decode`] does. If the format is decoded in pieces, the future yields between
/// pieces.
///
/// # Errors
/// The same as for [`decode`].
pub async fn decode_async(file: SourceFile<'_>, options: &ReadOptions) -> Result<Clip, Failure> {
    let found =
        options.registry.find_format(file.content.start(), file.extension(), options.format);
    let format = match (found, &options.columns) {
        (Err(_), Some(columns)) if options.format.is_none() => {
            options.registry.find_format(file.content.start(), None, Some(columns.format))?
        }
        (found, _) => found?,
    };
    let decoder = Decoder { format, file, options };
    let skeleton = match &options.skeleton {
        SkeletonSource::Own => return decoder.decode_alone().await,
        SkeletonSource::Beside => return decoder.decode_on_skeleton_beside().await,
        SkeletonSource::Given(skeleton) => skeleton,
    };
    match &options.fit {
        Fit::ByBones => decoder.decode_retargeted(skeleton, None).await,
        Fit::Map(map) => decoder.decode_retargeted(skeleton, Some(map)).await,
        Fit::ByName if skeleton.matches_by_bones_only() => {
            decoder.decode_retargeted(skeleton, None).await
        }
        Fit::ByName | Fit::Automatic
            if options.skips_unsupported_skeleton && !format.supports_skeleton(skeleton.kind) =>
        {
            decoder.decode_alone().await
        }
        Fit::ByName => decoder.decode_on_given_skeleton(skeleton).await,
        Fit::Automatic => decoder.decode_on_fitting_skeleton(skeleton).await,
    }
}

struct Decoder<'a> {
    format: &'static Format,
    file: SourceFile<'a>,
    options: &'a ReadOptions,
}

impl Decoder<'_> {
    async fn decode(&self, options: &ReadOptions) -> Result<Clip, Failure> {
        let mut diagnostics = Diagnostics::new();
        let decoded = match check_options(self.format, options) {
            Ok(()) => self.format.decode.run(&self.file, options, &mut diagnostics).await,
            Err(error) => Err(error),
        };
        match decoded.and_then(|clip| check_variants(clip, options)) {
            Ok(clip) => Ok(finish_clip(clip, options, diagnostics)),
            Err(error) => Err(self.failure(error, diagnostics)),
        }
    }

    async fn decode_alone(&self) -> Result<Clip, Failure> {
        self.decode(&self.options.on_own_skeleton()).await
    }

    async fn decode_retargeted(
        &self,
        skeleton: &LoadedSkeleton,
        map: Option<&BoneMap>,
    ) -> Result<Clip, Failure> {
        let clip = self.decode_alone().await?;
        let diagnostics = clip.diagnostics.clone();
        retarget(clip, skeleton, map).map_err(|error| self.failure(error, diagnostics))
    }

    async fn decode_on_given_skeleton(&self, skeleton: &LoadedSkeleton) -> Result<Clip, Failure> {
        let mut clip = self.decode(self.options).await?;
        if skeleton_file::matches_few(&clip)
            && self.decode_alone().await.is_ok_and(|clip| retarget::are_bodies(&clip, skeleton))
        {
            let message = "few nodes match by name, but both are humanoid. To map the bones, pass --retarget auto";
            clip.diagnostics.info(codes::FEW_NAMES_MATCH, SourceLocation::File, message);
        }
        self.require_match_unless_allowed(clip)
    }

    async fn decode_on_fitting_skeleton(&self, skeleton: &LoadedSkeleton) -> Result<Clip, Failure> {
        if !self.format.supports_skeleton(skeleton.kind) {
            return self.decode_retargeted(skeleton, None).await;
        }
        let by_name = self.decode(self.options).await?;
        if !skeleton_file::matches_few(&by_name) {
            return Ok(by_name);
        }
        if let Ok(mut clip) = self.decode_retargeted(skeleton, None).await {
            let message = "few nodes match by name, so bones are mapped";
            clip.diagnostics.info(codes::BONES_MAPPED, SourceLocation::File, message);
            return Ok(clip);
        }
        self.require_match_unless_allowed(by_name)
    }

    async fn decode_on_skeleton_beside(&self) -> Result<Clip, Failure> {
        let sidecars = self.file.sidecars;
        let found = skeleton_beside(self.format, self.options, sidecars).map(|name| {
            let skeleton = read_skeleton_beside(&name, self.options, sidecars);
            (name, skeleton)
        });
        if sidecars.has_unfetched() {
            // Stop, because the recording is decoded again after the skeleton is fetched.
            let error = Error::unsupported(SourceLocation::File, "its sidecars are not fetched");
            return Err(self.failure(error, Diagnostics::new()));
        }
        let Some((name, skeleton)) = found else { return self.decode_alone().await };
        let loaded = match skeleton {
            Ok(skeleton) => {
                let skeleton = SkeletonSource::Given(Arc::new(skeleton));
                let decoded = self.decode(&ReadOptions { skeleton, ..self.options.clone() }).await;
                decoded.and_then(|clip| self.require_match(clip)).map_err(|why| why.to_string())
            }
            Err(why) => Err(why),
        };
        match loaded {
            Ok(mut clip) => {
                // A recording that has its own skeleton may not use the one in the folder, so check
                // that the one in the folder was attached.
                if clip.skeleton.attached().is_some_and(|attached| attached.name == name) {
                    let message = format!("on the skeleton {name}, the only one in its folder");
                    clip.diagnostics.info(codes::SKELETON_BESIDE, SourceLocation::File, message);
                }
                Ok(clip)
            }
            Err(why) => {
                let mut clip = self.decode_alone().await?;
                let message = format!("not on the skeleton {name} in its folder: {why}");
                clip.diagnostics.warning(
                    codes::SKELETON_BESIDE_UNUSED,
                    SourceLocation::File,
                    message,
                );
                Ok(clip)
            }
        }
    }

    fn require_match_unless_allowed(&self, clip: Clip) -> Result<Clip, Failure> {
        match self.options.allows_unmatched_skeleton {
            true => Ok(clip),
            false => self.require_match(clip),
        }
    }

    fn require_match(&self, mut clip: Clip) -> Result<Clip, Failure> {
        skeleton_file::check_match(&clip)
            .map_err(|error| self.failure(error, std::mem::take(&mut clip.diagnostics)))?;
        Ok(clip)
    }

    fn failure(&self, error: Error, diagnostics: Diagnostics) -> Failure {
        Failure { format: Some(self.format.id), error, diagnostics }
    }
}

/// Returns the name of the only file in the folder of the recording that has the extension of a
/// skeleton. `None` if there are no or several such files, or if the skeletons of `format` are not
/// kept with recordings.
fn skeleton_beside(
    format: &Format,
    options: &ReadOptions,
    sidecars: &dyn Sidecars,
) -> Option<String> {
    let row = options.registry.skeleton_format(format.skeleton_kind?)?;
    if !row.is_kept_with_recordings {
        return None;
    }
    let is_skeleton = |name: &String| {
        let own = extension_of(name);
        own.is_some_and(|own| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(own)))
    };
    let mut skeletons = sidecars.names().into_iter().filter(is_skeleton);
    match (skeletons.next(), skeletons.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn read_skeleton_beside(
    name: &str,
    options: &ReadOptions,
    sidecars: &dyn Sidecars,
) -> Result<LoadedSkeleton, String> {
    let bytes = sidecars.read(name).map_err(|error| format!("cannot be read: {error}"))?;
    let skeleton = options.registry.decode_skeleton(&bytes, name, sidecars);
    skeleton.map_err(|error| format!("as a skeleton: {error}"))
}

fn check_options(format: &Format, options: &ReadOptions) -> Result<(), Error> {
    if let Some(skeleton) =
        options.given_skeleton().filter(|skeleton| !format.supports_skeleton(skeleton.kind))
    {
        return Err(format.unsupported_skeleton_error(skeleton.kind));
    }
    let is_known =
        |label: &str| format.variants.iter().any(|known| known.eq_ignore_ascii_case(label));
    match options.variants.iter().find(|choice| !is_known(&choice.label)) {
        Some(choice) => Err(missing_variant_error(format.name, &choice.label)),
        None => Ok(()),
    }
}

fn check_variants(clip: Clip, options: &ReadOptions) -> Result<Clip, Error> {
    let has_variant = |label: &str| {
        clip.variants.iter().any(|variants| variants.label.eq_ignore_ascii_case(label))
    };
    match options.variants.iter().find(|choice| !has_variant(&choice.label)) {
        Some(choice) => Err(missing_variant_error("this file", &choice.label)),
        None => Ok(clip),
    }
}

fn missing_variant_error(what: &str, label: &str) -> Error {
    Error::unknown_variant(format!("{what} offers no choice of {label:?}"))
}

fn finish_clip(mut clip: Clip, options: &ReadOptions, mut diagnostics: Diagnostics) -> Clip {
    options.assumptions_for(clip.format).apply(&mut clip.convention);
    for variants in &mut clip.variants {
        variants.is_chosen = options.variant(variants.label).is_some();
    }
    // Decoding comes before conversion, so the decoder's diagnostics come first.
    diagnostics.extend(std::mem::take(&mut clip.diagnostics));
    clip.diagnostics = diagnostics;
    let time = clip.convention.seconds_per_unit.map(|time| time.value);
    if let Some(seconds) = time.filter(|seconds| *seconds != 1.0) {
        clip.scale_time(seconds);
    }
    if let Some(rate_hz) = options.frame_rate {
        set_frame_rate(&mut clip, rate_hz);
    }
    clip
}

/// Plays the frames of a clip at `rate_hz` in place of the rate that the file declares.
fn set_frame_rate(clip: &mut Clip, rate_hz: f64) {
    let Some(declared) = clip.rate_hz.filter(|_| clip.procedural.is_none()) else {
        // A decoder may have given a better reason.
        if clip.diagnostics.iter().any(|one| one.code == codes::FRAME_RATE_IGNORED) {
            return;
        }
        let message = format!(
            "the recording has times and declares no frame rate; the frame rate of {} Hz is ignored",
            format_number(rate_hz)
        );
        clip.diagnostics.warning(codes::FRAME_RATE_IGNORED, SourceLocation::File, message);
        return;
    };
    if declared == rate_hz {
        return;
    }
    clip.scale_time(declared / rate_hz);
    clip.rate_hz = Some(rate_hz);
    let message = format!(
        "played at {} Hz instead of the {} Hz that the file declares",
        format_number(rate_hz),
        format_number(declared)
    );
    clip.diagnostics
        .info(codes::FRAME_RATE_CHOSEN, SourceLocation::File, message)
        .with("declared_hz", declared)
        .with("rate_hz", rate_hz);
}
