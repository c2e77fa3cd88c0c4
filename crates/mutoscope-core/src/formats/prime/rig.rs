//! Putting an animation on a skeleton.

use super::{Document, bone_number};
use crate::{
    clip::{Clip, Node, ScaleInheritance},
    diagnostics::{Notices, SourceLocation},
    rig::{Matching, Rig, attach},
};

/// `clip`, which was made of `document`, with the bones of `rig` for nodes: in their order and by
/// their names. Bones that the skeleton lacks follow, and are hidden.
pub(super) fn put_on(document: &Document, clip: Clip, rig: &Rig, notices: &mut Notices) -> Clip {
    report_root(document, rig, notices);
    let bones = clip.nodes.len();
    let number = |node: &Node| bone_number(&node.name);
    let mut clip = attach(clip, rig, Matching::ByNumber(number), notices);
    report_match(&clip, bones, notices);
    clip.nodes = clip.nodes.with_scales(ScaleInheritance::OffsetOnly);
    clip
}

/// In the games the root of every skeleton has one id, by which animations name it.
fn report_root(document: &Document, rig: &Rig, notices: &mut Notices) {
    let roots = || rig.nodes.iter().filter(|bone| bone.parent.is_none());
    let ids: Vec<_> = roots().filter_map(|bone| bone.id).collect();
    if !ids.contains(&document.root_bone) {
        let ids: Vec<_> = ids.iter().map(u32::to_string).collect();
        let message = format!(
            "{}: its root is bone {}, the animation's is bone {}: of another game, where bones \
             have other numbers",
            rig.name,
            ids.join(", "),
            document.root_bone
        );
        notices.warning(SourceLocation::File, message);
    }
}

/// Says how many of the animation's bones the skeleton has.
fn report_match(clip: &Clip, bones: usize, notices: &mut Notices) {
    /// How many bones are named.
    const MOST: usize = 8;
    let missing = clip.skeleton.attached().map_or(&[][..], |attached| &attached.missing);
    let found = bones - missing.len();
    let message = format!("{found} of {bones} bones of this clip exist in the rig");
    if missing.is_empty() {
        return notices.info(SourceLocation::File, message);
    }
    let named: Vec<_> = missing.iter().take(MOST).map(|&id| clip.nodes[id].name.as_str()).collect();
    let more = match missing.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    notices
        .warning(SourceLocation::File, format!("{message}; it lacks {}{more}", named.join(", ")));
}
