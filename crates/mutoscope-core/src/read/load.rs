//! Turns a named file with sidecars into a clip, for the command line, the viewer, its previews and
//! the asset loader.
//!
//! [`load`] finds the format and the skeleton, and asks [`formats::decode`] for the clip. Nothing
//! here accesses the file system: the caller reads the bytes, and [`Sidecars`] gives access to the
//! files around them.

use crate::{
    clip::{Clip, FormatAssumptions, FormatId, VariantChoice},
    diagnostics::SourceLocation,
    formats::{self, DecodeRequest, Failure, Format, MappingFile, extension_of},
    io::{
        bytes::{Content, NoSidecars, Sidecars},
        cooperative,
    },
    retarget::{self, BoneMap, retarget},
    skeleton_file::{self, LoadedSkeleton},
};

/// A request to load a file: see [`LoadRequest::new`] for the defaults.
#[derive(Clone)]
pub struct LoadRequest<'a> {
    /// The name of the file. The extension decides between formats if the content may be of several
    /// formats.
    pub name: &'a str,
    /// The whole content of the file.
    pub content: Content<'a>,
    /// The other files in the folder of the recording, such as skeletons and textures.
    pub sidecars: &'a dyn Sidecars,
    /// The format to decode the file as, regardless of its content. `None` recognises the format.
    pub format: Option<FormatId>,
    /// The skeleton to attach the recording to.
    pub skeleton: SkeletonChoice<'a>,
    /// The assumptions about conventions that the file does not declare.
    pub assumptions: FormatAssumptions,
    /// The chosen variants.
    pub variants: &'a [VariantChoice],
    /// `true` to play all clips of a composed animation together if `variants` chooses no clip. The
    /// result is approximate. `false` to play the first clip.
    pub columns: Option<&'a MappingFile>,
    /// The frame rate in Hz of a table whose rows or frame numbers are the times.
    pub frame_rate: Option<f64>,
    /// `true` to play all clips of a composed animation approximately if none is selected; `false`
    /// to play its first clip.
    pub plays_all_clips: bool,
    /// `true` to use a given skeleton even if the recording animates none of its nodes. Otherwise,
    /// loading fails in that case.
    pub allows_unmatched_rig: bool,
}

/// The skeleton that a recording is attached to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SkeletonChoice<'a> {
    /// The recording's own skeleton, if it has one.
    #[default]
    Own,
    /// Use this skeleton. Fails if the format does not support it, or if the recording animates
    /// none of its nodes.
    Required(&'a LoadedSkeleton),
    /// Use this skeleton if the format supports it. Otherwise use the recording's own skeleton.
    /// Fails if the recording animates none of the nodes of this skeleton.
    IfSupported(&'a LoadedSkeleton),
    /// Use this skeleton, and choose the way of attaching the recording. Nodes are matched by name
    /// if the format supports the skeleton and most nodes match. Otherwise the recording is
    /// retargeted if both are bodies, and a diagnostic says so. If neither is possible, the result
    /// is that of [`Self::Required`], or that of [`Self::Retargeted`] if the format does not
    /// support the skeleton.
    Fitting(&'a LoadedSkeleton),
    /// Like [`Self::Fitting`] if the format supports the skeleton. Otherwise use the recording's
    /// own skeleton.
    FittingIfSupported(&'a LoadedSkeleton),
    /// Retarget the recording to this skeleton bone by bone instead of matching node names: see
    /// [`retarget`](mod@crate::retarget). Every format supports this. The bone map is optional.
    Retargeted(&'a LoadedSkeleton, Option<&'a BoneMap>),
    /// Use the only skeleton in the recording's folder, if the format keeps skeletons there. A
    /// diagnostic names the skeleton.
    KeptWithRecording,
}

impl<'a> LoadRequest<'a> {
    /// Creates a request with the defaults: the format is recognised by content, there are no
    /// sidecars and no other skeleton, and the format's default assumptions apply.
    pub fn new(name: &'a str, content: impl Into<Content<'a>>) -> Self {
        Self {
            name,
            content: content.into(),
            sidecars: &NoSidecars,
            format: None,
            skeleton: SkeletonChoice::Own,
            assumptions: FormatAssumptions::default(),
            variants: &[],
            columns: None,
            frame_rate: None,
            plays_all_clips: false,
            allows_unmatched_rig: false,
        }
    }

    async fn decode(
        &self,
        format: &Format,
        skeleton: Option<&LoadedSkeleton>,
    ) -> Result<Clip, Failure> {
        let request = DecodeRequest {
            extension: extension_of(self.name),
            format: Some(format.id),
            rig: skeleton,
            sidecars: self.sidecars,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
            name: Some(self.name),
            columns: self.columns,
            frame_rate: self.frame_rate,
            plays_all_clips: self.plays_all_clips,
        };
        formats::decode_async(self.content, &request).await
    }

    async fn decode_retargeted(
        &self,
        format: &Format,
        skeleton: &LoadedSkeleton,
        map: Option<&BoneMap>,
    ) -> Result<Clip, Failure> {
        let clip = self.decode(format, None).await?;
        let diagnostics = clip.diagnostics.clone();
        retarget(clip, skeleton, map).map_err(|error| Failure {
            format: Some(format.id),
            error,
            diagnostics,
        })
    }

    async fn decode_on_matching_skeleton(
        &self,
        format: &Format,
        skeleton: &LoadedSkeleton,
    ) -> Result<Clip, Failure> {
        require_match(self.decode(format, Some(skeleton)).await?, format)
    }

    async fn decode_on_given_skeleton(
        &self,
        format: &Format,
        skeleton: &LoadedSkeleton,
    ) -> Result<Clip, Failure> {
        let mut clip = self.decode(format, Some(skeleton)).await?;
        if skeleton_file::matches_few(&clip) && self.could_be_retargeted(format, skeleton).await {
            let message = "few nodes match by name, but both are humanoid. To map the bones, pass --retarget auto";
            clip.diagnostics.info(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
        }
        self.require_match_unless_allowed(clip, format)
    }

    async fn decode_on_fitting_skeleton(
        &self,
        format: &Format,
        skeleton: &LoadedSkeleton,
    ) -> Result<Clip, Failure> {
        if !format.supports_skeleton(skeleton.kind) {
            return self.decode_retargeted(format, skeleton, None).await;
        }
        let by_name = self.decode(format, Some(skeleton)).await?;
        if !skeleton_file::matches_few(&by_name) {
            return Ok(by_name);
        }
        if let Ok(mut clip) = self.decode_retargeted(format, skeleton, None).await {
            let message = "few nodes match by name, so bones are mapped";
            clip.diagnostics.info(crate::diagnostics::Code::PENDING, SourceLocation::File, message);
            return Ok(clip);
        }
        self.require_match_unless_allowed(by_name, format)
    }

    fn require_match_unless_allowed(&self, clip: Clip, format: &Format) -> Result<Clip, Failure> {
        match self.allows_unmatched_rig {
            true => Ok(clip),
            false => require_match(clip, format),
        }
    }

    async fn could_be_retargeted(&self, format: &Format, skeleton: &LoadedSkeleton) -> bool {
        let without_skeleton = self.decode(format, None).await;
        without_skeleton.is_ok_and(|clip| retarget::are_bodies(&clip, skeleton))
    }
}

fn require_match(mut clip: Clip, format: &Format) -> Result<Clip, Failure> {
    match skeleton_file::check_match(&clip) {
        Ok(()) => Ok(clip),
        Err(error) => {
            let diagnostics = std::mem::take(&mut clip.diagnostics);
            Err(Failure { format: Some(format.id), error, diagnostics })
        }
    }
}

/// Loads a recording.
///
/// # Errors
/// Fails for the same reasons as [`formats::decode`], and if the recording animates none of the
/// nodes of a given skeleton, unless that is allowed. A skeleton that is kept with the recording
/// never causes a failure: if it does not fit, the recording is loaded without it, and a warning
/// gives the reason.
pub fn load(request: &LoadRequest<'_>) -> Result<Clip, Failure> {
    cooperative::block_on(load_async(request))
}

/// Loads a recording like [`load`], and yields between pieces if the format is decoded in pieces.
///
/// # Errors
/// Fails for the same reasons as [`load`].
pub async fn load_async(request: &LoadRequest<'_>) -> Result<Clip, Failure> {
    let found =
        formats::find_format(request.content.start(), extension_of(request.name), request.format);
    let format = match (found, request.columns) {
        (Err(_), Some(columns)) if request.format.is_none() => {
            formats::find_format(&[], None, Some(columns.format))?
        }
        (found, _) => found?,
    };
    match request.skeleton {
        SkeletonChoice::Own => request.decode(format, None).await,
        SkeletonChoice::IfSupported(skeleton) | SkeletonChoice::FittingIfSupported(skeleton)
            if !format.supports_skeleton(skeleton.kind) =>
        {
            request.decode(format, None).await
        }
        SkeletonChoice::Fitting(skeleton) | SkeletonChoice::FittingIfSupported(skeleton) => {
            request.decode_on_fitting_skeleton(format, skeleton).await
        }
        SkeletonChoice::Required(skeleton) | SkeletonChoice::IfSupported(skeleton) => {
            request.decode_on_given_skeleton(format, skeleton).await
        }
        SkeletonChoice::Retargeted(skeleton, map) => {
            request.decode_retargeted(format, skeleton, map).await
        }
        SkeletonChoice::KeptWithRecording => load_on_kept_skeleton(request, format).await,
    }
}

async fn load_on_kept_skeleton(
    request: &LoadRequest<'_>,
    format: &Format,
) -> Result<Clip, Failure> {
    let Some(name) = super::kept::kept_skeleton_name(format, request.sidecars) else {
        return request.decode(format, None).await;
    };
    let loaded = match super::kept::decode_kept_skeleton(&name, request.sidecars) {
        Ok(skeleton) => request
            .decode_on_matching_skeleton(format, &skeleton)
            .await
            .map_err(|failure| failure.to_string()),
        Err(why) => Err(why),
    };
    match loaded {
        Ok(mut clip) => {
            // A recording that has its own skeleton may not use the one in the folder, so check
            // that the one in the folder was attached.
            if clip.skeleton.attached().is_some_and(|attached| attached.name == name) {
                let message = format!("on the skeleton {name}, the only one in its folder");
                clip.diagnostics.info(
                    crate::diagnostics::Code::PENDING,
                    SourceLocation::File,
                    message,
                );
            }
            Ok(clip)
        }
        Err(why) => {
            let mut clip = request.decode(format, None).await?;
            let message = format!("not on the skeleton {name} in its folder: {why}");
            clip.diagnostics.warning(
                crate::diagnostics::Code::PENDING,
                SourceLocation::File,
                message,
            );
            Ok(clip)
        }
    }
}
