//! The animations of glTF 2.0, binary or text.
//!
//! `docs/formats/gltf.md` describes the format as far as it is about motion, and what is assumed.
//!
//! Nodes, meshes and the numbers in buffers are read by [`rig`](crate::rig), which reads glTF as a
//! skeleton, too. `animations` chooses the animation, `channels` makes curves of its samplers, and
//! `convert` the clip.

mod animations;
mod channels;
mod convert;
mod face;

use super::{Decode, DecodeContext, Format, NamedAnimation, Recognition};
use crate::{
    clip::{Clip, FormatId, Skeleton, Variants},
    diagnostics::{Error, Notices},
    io::bytes::Sidecars,
    rig::{
        self, Matching, RigKind,
        gltf::{Buffers, Document, has_animations, is_recognised},
    },
};

impl FormatId {
    /// The animations of glTF 2.0, binary or text.
    pub const GLTF: Self = Self::new("gltf");
}

/// The row of the registry.
pub(super) const FORMAT: Format = Format {
    id: FormatId::GLTF,
    name: "glTF animation",
    extensions: &["glb", "gltf", "vrma", "vrm"],
    between_keys: "as each sampler states: step, linear, cubic spline; rotations at constant speed",
    recognise,
    decode: Decode::Whole(decode),
    rig: Some(RigKind::GLTF),
    variants: &[Variants::ANIMATION],
    animations: Some(list_animations),
    unpacked: None,
};

fn decode(bytes: &[u8], context: &DecodeContext<'_>, notices: &mut Notices) -> Result<Clip, Error> {
    let document = Document::read(bytes, notices)?;
    let choice = animations::choose(&document.root, context.variant(Variants::ANIMATION), notices)?;
    let buffers = Buffers::new(&document, context.sidecars);
    let mut clip = convert::convert(&document.root, choice, &buffers, notices);
    if let Some(declared) = &document.humanoid {
        clip.humanoid = Some(Box::new(declared.humanoid.clone()));
        face::add_signals(&mut clip, declared);
    }
    Ok(match context.rig {
        Some(rig) => rig::attach(clip, rig, Matching::ByName, notices),
        None => {
            let model = rig::gltf::model(&document, &buffers, context.sidecars, notices);
            clip.skeleton = Skeleton::WithModel(model.into());
            clip
        }
    })
}

/// The name and duration of each animation as [`decode`] would have them, without reading meshes.
fn list_animations(bytes: &[u8], sidecars: &dyn Sidecars) -> Result<Vec<NamedAnimation>, Error> {
    let document = Document::read(bytes, &mut Notices::new())?;
    let buffers = Buffers::new(&document, sidecars);
    let names = animations::names(&document.root.animations).into_iter();
    let durations = convert::durations(&document.root, &buffers).into_iter();
    let named = names.zip(durations);
    Ok(named.map(|(name, duration)| NamedAnimation { name, duration }).collect())
}

/// A glTF without animations is a skeleton and no recording. The beginning of one may not tell.
fn recognise(bytes: &[u8]) -> Recognition {
    match is_recognised(bytes).then(|| has_animations(bytes)) {
        None | Some(Some(false)) => Recognition::No,
        Some(Some(true)) => Recognition::Certain,
        Some(None) => Recognition::Plausible,
    }
}
