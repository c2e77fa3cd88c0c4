//! From a file with a name and sidecars to a clip: what the command line, the viewer, its previews
//! and the asset loader all do.
//!
//! [`load`] finds the format, finds the skeleton that the recording goes on, and asks
//! [`formats::decode`] for the clip. It knows no file system: the caller reads the bytes, and says
//! by [`Sidecars`] where the files around them are.

use crate::{
    clip::{Clip, FormatAssumptions, FormatId, VariantChoice},
    diagnostics::SourceLocation,
    formats::{self, DecodeRequest, Failure, Format, MappingFile, extension_of},
    io::{
        bytes::{Content, NoSidecars, Sidecars},
        cooperative,
    },
    retarget::{self, BoneMap, retarget},
    rig::{self, Rig},
};

/// A request to load a file: see [`LoadRequest::new`] for the defaults.
#[derive(Clone)]
pub struct LoadRequest<'a> {
    /// The name of the file; its extension breaks ties where the content may be of several formats.
    pub name: &'a str,
    /// Everything in the file.
    pub content: Content<'a>,
    /// The files around it.
    pub sidecars: &'a dyn Sidecars,
    /// The format that it is read as, whatever it looks like.
    pub format: Option<FormatId>,
    /// The skeleton that it is put on.
    pub skeleton: SkeletonChoice<'a>,
    /// The assumptions where it declares nothing.
    pub assumptions: FormatAssumptions,
    /// The chosen variants.
    pub variants: &'a [VariantChoice],
    /// The mapping file of the columns of a table, if one was given.
    pub columns: Option<&'a MappingFile>,
    /// Whether all clips of a composed animation play, approximately, where none is chosen; else its
    /// first clip does.
    pub plays_all_clips: bool,
    /// Whether it is put on a given skeleton also if that has none of the nodes that it animates; else that
    /// is an error.
    pub allows_unmatched_rig: bool,
}

/// The skeleton that a recording is put on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SkeletonChoice<'a> {
    /// None but its own.
    #[default]
    Own,
    /// This one; what does not take it, or animates none of its nodes, is refused.
    Required(&'a Rig),
    /// This one, if its format takes such skeletons, else none; what animates none of its nodes is refused.
    IfTaken(&'a Rig),
    /// This one: by the names of nodes if its format takes such skeletons and most match, else bone by bone if both are bodies,
    /// as a notice says. What fits neither way is as with [`Self::Required`], or with [`Self::Retargeted`] if its format takes
    /// no such skeletons.
    Fitting(&'a Rig),
    /// As [`Self::Fitting`], if its format takes such skeletons, else none.
    FittingIfTaken(&'a Rig),
    /// As [`Self::Required`], and bone by bone instead of by the names of nodes: see [`retarget`](mod@crate::retarget). `None` for a map of bones that
    /// says nothing. Any format will do.
    Retargeted(&'a Rig, Option<&'a BoneMap>),
    /// The one that is kept in its folder, if its format keeps them there and there is just one.
    /// The notices tell.
    KeptWithRecording,
}

impl<'a> LoadRequest<'a> {
    /// The file of this name with this content: recognised by content, on no other skeleton, without
    /// sidecars, with its format's default assumptions.
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
            plays_all_clips: false,
            allows_unmatched_rig: false,
        }
    }

    /// Decodes it as `format`, on `rig`.
    async fn decode(&self, format: &Format, rig: Option<&Rig>) -> Result<Clip, Failure> {
        let request = DecodeRequest {
            extension: extension_of(self.name),
            format: Some(format.id),
            rig,
            sidecars: self.sidecars,
            assumptions: self.assumptions.clone(),
            variants: self.variants,
            name: Some(self.name),
            columns: self.columns,
            plays_all_clips: self.plays_all_clips,
        };
        formats::decode_async(self.content, &request).await
    }

    /// Decodes it and makes the character in `rig` do what it does.
    async fn decode_retargeted(
        &self,
        format: &Format,
        rig: &Rig,
        map: Option<&BoneMap>,
    ) -> Result<Clip, Failure> {
        let clip = self.decode(format, None).await?;
        let notices = clip.notices.clone();
        retarget(clip, rig, map).map_err(|error| Failure {
            format: Some(format.id),
            error,
            notices,
        })
    }

    /// The same, on a skeleton that has any of the nodes that it animates.
    async fn decode_on(&self, format: &Format, rig: &Rig) -> Result<Clip, Failure> {
        matched(self.decode(format, Some(rig)).await?, format)
    }

    /// The same on a skeleton that was given. Where few nodes match by name and bones would, a notice says so.
    async fn decode_on_given(&self, format: &Format, rig: &Rig) -> Result<Clip, Failure> {
        let mut clip = self.decode(format, Some(rig)).await?;
        if rig::matches_few(&clip) && self.could_be_retargeted(format, rig).await {
            let message =
                "few nodes match by name, but both are humanoid; --retarget auto maps the bones";
            clip.notices.info(SourceLocation::File, message);
        }
        self.allowed(clip, format)
    }

    /// The same on a skeleton that fits by the names of nodes or bone by bone.
    async fn decode_on_fitting(&self, format: &Format, rig: &Rig) -> Result<Clip, Failure> {
        if !format.takes(rig.kind) {
            return self.decode_retargeted(format, rig, None).await;
        }
        let by_name = self.decode(format, Some(rig)).await?;
        if !rig::matches_few(&by_name) {
            return Ok(by_name);
        }
        if let Ok(mut clip) = self.decode_retargeted(format, rig, None).await {
            let message = "few nodes match by name, so bones are mapped";
            clip.notices.info(SourceLocation::File, message);
            return Ok(clip);
        }
        self.allowed(by_name, format)
    }

    /// The clip, if the skeleton that it is on has any of the nodes that it animates, or need not have.
    fn allowed(&self, clip: Clip, format: &Format) -> Result<Clip, Failure> {
        match self.allows_unmatched_rig {
            true => Ok(clip),
            false => matched(clip, format),
        }
    }

    /// Whether the recording is of a body, and `rig` is one.
    async fn could_be_retargeted(&self, format: &Format, rig: &Rig) -> bool {
        let alone = self.decode(format, None).await;
        alone.is_ok_and(|clip| retarget::are_bodies(&clip, rig))
    }
}

/// The clip, if the skeleton that it is on has any of the nodes that it animates.
fn matched(mut clip: Clip, format: &Format) -> Result<Clip, Failure> {
    match rig::check_match(&clip) {
        Ok(()) => Ok(clip),
        Err(error) => {
            let notices = std::mem::take(&mut clip.notices);
            Err(Failure { format: Some(format.id), error, notices })
        }
    }
}

/// Loads a recording.
///
/// # Errors
/// As [`formats::decode`], and if a given skeleton has none of the nodes that it animates, unless that is
/// allowed. A skeleton that is kept with the recording is no reason to fail: if it
/// does not fit, the recording is loaded without it, and a warning says why.
pub fn load(request: &LoadRequest<'_>) -> Result<Clip, Failure> {
    cooperative::block_on(load_async(request))
}

/// Loads a recording as [`load`] does, yielding between pieces if its format is decoded in pieces.
///
/// # Errors
/// As [`load`].
pub async fn load_async(request: &LoadRequest<'_>) -> Result<Clip, Failure> {
    let found = formats::find(request.content.start(), extension_of(request.name), request.format);
    let format = match (found, request.columns) {
        (Err(_), Some(columns)) if request.format.is_none() => {
            formats::find(&[], None, Some(columns.format))?
        }
        (found, _) => found?,
    };
    match request.skeleton {
        SkeletonChoice::Own => request.decode(format, None).await,
        SkeletonChoice::IfTaken(rig) | SkeletonChoice::FittingIfTaken(rig)
            if !format.takes(rig.kind) =>
        {
            request.decode(format, None).await
        }
        SkeletonChoice::Fitting(rig) | SkeletonChoice::FittingIfTaken(rig) => {
            request.decode_on_fitting(format, rig).await
        }
        SkeletonChoice::Required(rig) | SkeletonChoice::IfTaken(rig) => {
            request.decode_on_given(format, rig).await
        }
        SkeletonChoice::Retargeted(rig, map) => request.decode_retargeted(format, rig, map).await,
        SkeletonChoice::KeptWithRecording => on_kept_skeleton(request, format).await,
    }
}

async fn on_kept_skeleton(request: &LoadRequest<'_>, format: &Format) -> Result<Clip, Failure> {
    let Some(name) = super::kept::skeleton_name(format, request.sidecars) else {
        return request.decode(format, None).await;
    };
    let on_it = match super::kept::skeleton(&name, request.sidecars) {
        Ok(rig) => request.decode_on(format, &rig).await.map_err(|failure| failure.to_string()),
        Err(why) => Err(why),
    };
    match on_it {
        Ok(mut clip) => {
            // A recording with a skeleton of its own may not use it.
            if clip.skeleton.attached().is_some_and(|attached| attached.name == name) {
                let message = format!("on the skeleton {name}, the only one in its folder");
                clip.notices.info(SourceLocation::File, message);
            }
            Ok(clip)
        }
        Err(why) => {
            let mut clip = request.decode(format, None).await?;
            let message = format!("not on the skeleton {name} in its folder: {why}");
            clip.notices.warning(SourceLocation::File, message);
            Ok(clip)
        }
    }
}
