//! Attaches an animation to a skeleton.

use super::{Document, bone_id_from_name, codes};
use crate::{
    clip::{Clip, Node, ScaleInheritance},
    diagnostics::{Diagnostics, SourceLocation},
    skeleton_file::{LoadedSkeleton, Matching, attach},
};

/// Replaces the nodes of `clip` with the bones of `skeleton`, in the order of `skeleton`.
/// Bones that `skeleton` lacks are appended and hidden.
pub(super) fn attach_to_skeleton(
    document: &Document,
    clip: Clip,
    skeleton: &LoadedSkeleton,
    diagnostics: &mut Diagnostics,
) -> Clip {
    report_root_mismatch(document, skeleton, diagnostics);
    let bones = clip.nodes.len();
    let bone_id = |node: &Node| bone_id_from_name(&node.name);
    let mut clip = attach(clip, skeleton, Matching::ById(bone_id), diagnostics);
    report_missing_bones(&clip, bones, diagnostics);
    clip.nodes = clip.nodes.with_scale_inheritance(ScaleInheritance::OffsetOnly);
    clip
}

/// Reports a skeleton of another game. In each game the roots of all skeletons have the same id,
/// and animations store that id.
fn report_root_mismatch(
    document: &Document,
    skeleton: &LoadedSkeleton,
    diagnostics: &mut Diagnostics,
) {
    let roots = || skeleton.nodes.iter().filter(|bone| bone.parent.is_none());
    let ids: Vec<_> = roots().filter_map(|bone| bone.id).collect();
    if !ids.contains(&document.root_bone) {
        let ids: Vec<_> = ids.iter().map(u32::to_string).collect();
        let message = format!(
            "{}: the root of the skeleton is bone {}, that of the animation is bone {}; the skeleton \
             is from another game, which numbers bones differently",
            skeleton.name,
            ids.join(", "),
            document.root_bone
        );
        diagnostics
            .warning(codes::SKELETON_OF_OTHER_GAME, SourceLocation::File, message)
            .with("skeleton", skeleton.name.as_str());
    }
}

fn report_missing_bones(clip: &Clip, bones: usize, diagnostics: &mut Diagnostics) {
    const MAX_NAMED_BONES: usize = 8;
    let missing = clip.skeleton.attached().map_or(&[][..], |attached| &attached.missing);
    let found = bones - missing.len();
    let message = format!("{found} of {bones} bones of this clip exist in the skeleton");
    if missing.is_empty() {
        diagnostics.info(codes::BONES_FOUND, SourceLocation::File, message).with("count", bones);
        return;
    }
    let named: Vec<_> =
        missing.iter().take(MAX_NAMED_BONES).map(|&id| clip.nodes[id].name.as_str()).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!("{message}; missing: {}{more}", named.join(", "));
    diagnostics
        .warning(codes::BONES_MISSING, SourceLocation::File, message)
        .with("found", found)
        .with("expected", bones);
}
