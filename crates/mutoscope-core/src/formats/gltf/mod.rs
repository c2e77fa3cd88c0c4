//! The animations of glTF 2.0, binary or text.
//!
//! `docs/formats/gltf.md` describes the parts of the format that concern motion, and our
//! assumptions.
//!
//! [`skeleton_file`](crate::skeleton_file) reads nodes, meshes and buffers, because it also reads
//! glTF files as skeletons. `animations` chooses the animation, `channels` makes curves of its
//! samplers, `convert` makes the clip, and `face` adds the signals of VRM animations.

mod animations;
mod channels;
mod convert;
mod face;

use super::{Decode, Format, NamedAnimation, ReadOptions, Recognition, SourceFile};
use crate::{
    clip::{Clip, Content, FormatId, Skeleton, Variants},
    diagnostics::{Diagnostics, Error},
    io::bytes::Sidecars,
    skeleton_file::{
        self, Matching, SkeletonKind,
        gltf::{Buffers, Document, has_animations, is_recognised},
    },
};

impl FormatId {
    /// The format of glTF 2.0 animations, binary or text.
    pub const GLTF: Self = Self::new("gltf");
}

pub(super) const FORMAT: Format = Format {
    id: FormatId::GLTF,
    name: "glTF animation",
    extensions: &["glb", "gltf", "vrma", "vrm"],
    between_keys: "as each sampler states: step, linear, cubic spline; rotations at constant speed",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::RestPose,
        Content::Scales,
        Content::Signals,
        Content::Meshes,
        Content::MorphTargets,
        Content::Tangents,
    ],
    recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: Some(SkeletonKind::GLTF),
    variants: &[Variants::ANIMATION],
    animations: Some(list_animations),
    unpack: None,
    explain_rejection: None,
};

fn decode_clip(
    bytes: &[u8],
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let document = Document::parse(bytes, diagnostics)?;
    let choice = animations::choose_animation(
        &document.root,
        options.variant(Variants::ANIMATION),
        diagnostics,
    )?;
    let buffers = Buffers::new(&document, file.sidecars);
    let mut clip = convert::convert(&document, choice, &buffers, diagnostics);
    if let Some(declared) = &document.humanoid {
        clip.humanoid = Some(Box::new(declared.humanoid.clone()));
        face::add_signals(&mut clip, declared);
    }
    Ok(match options.given_skeleton() {
        Some(skeleton) => skeleton_file::attach(clip, skeleton, Matching::ByName, diagnostics),
        None => {
            let model =
                skeleton_file::gltf::read_model(&document, &buffers, file.sidecars, diagnostics);
            clip.skeleton = Skeleton::WithModel(model.into());
            clip
        }
    })
}

fn list_animations(bytes: &[u8], sidecars: &dyn Sidecars) -> Result<Vec<NamedAnimation>, Error> {
    let document = Document::parse(bytes, &mut Diagnostics::new())?;
    let buffers = Buffers::new(&document, sidecars);
    let names = animations::unique_names(&document.root.animations).into_iter();
    let durations = convert::durations(&document, &buffers).into_iter();
    let named = names.zip(durations);
    Ok(named.map(|(name, duration)| NamedAnimation { name, duration }).collect())
}

/// Recognises glTF files with animations. A file without animations is a skeleton, not a recording.
/// If `bytes` end before the animations, the result is [`Recognition::Plausible`].
fn recognise(bytes: &[u8]) -> Recognition {
    match is_recognised(bytes).then(|| has_animations(bytes)) {
        None | Some(Some(false)) => Recognition::No,
        Some(Some(true)) => Recognition::Certain,
        Some(None) => Recognition::Plausible,
    }
}
