//! The hierarchy of the bones.

use glam::DVec3;

use super::CinfSkeleton;
use crate::{
    diagnostics::{Diagnostics, SourceLocation},
    formats::prime::codes,
};

/// The hierarchy of a skeleton: one tree, or several if it has several roots.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The index of each bone's parent. `None` for a root.
    pub parents: Vec<Option<usize>>,
    /// The position of each bone relative to its parent, in metres. The position of a root is
    /// relative to the skeleton. No bone is rotated in the bind pose.
    pub offsets: Vec<DVec3>,
}

impl Tree {
    /// Finds the parents of all bones. A bone becomes a root if its parent is missing, or if it is
    /// its own ancestor. Bones that are their own ancestor, and several roots, are reported to
    /// `diagnostics`.
    pub fn new(skeleton: &CinfSkeleton, diagnostics: &mut Diagnostics) -> Self {
        let bones = &skeleton.bones;
        let mut parents: Vec<_> = bones.iter().map(|bone| skeleton.index_of(bone.parent)).collect();
        for (index, bone) in bones.iter().enumerate() {
            if is_own_ancestor(&parents, index) {
                parents[index] = None;
                let message =
                    format!("the parents of bone {} lead back to it; made a root", bone.id);
                let location = SourceLocation::span(bone.offset, 8);
                diagnostics.error(codes::BONE_CYCLE, location, message).with("bone", bone.id);
            }
        }
        let origin = |index: usize| DVec3::from_array(bones[index].origin.map(f64::from));
        let offset = |(index, parent): (usize, &Option<usize>)| {
            origin(index) - parent.map_or(DVec3::ZERO, origin)
        };
        let offsets = parents.iter().enumerate().map(offset).collect();
        report_extra_roots(skeleton, &parents, diagnostics);
        Self { parents, offsets }
    }
}

fn is_own_ancestor(parents: &[Option<usize>], start: usize) -> bool {
    let mut next = parents[start];
    for _ in 0..parents.len() {
        match next {
            None => return false,
            Some(index) if index == start => return true,
            Some(index) => next = parents[index],
        }
    }
    // `start` leads into a cycle but is not in the cycle itself. The cycle is broken when this
    // function is called for one of its bones.
    false
}

fn report_extra_roots(
    skeleton: &CinfSkeleton,
    parents: &[Option<usize>],
    diagnostics: &mut Diagnostics,
) {
    let roots = skeleton.bones.iter().zip(parents).filter(|(_, parent)| parent.is_none());
    let ids: Vec<_> = roots.map(|(bone, _)| bone.id.to_string()).collect();
    if ids.len() > 1 {
        let message = format!(
            "{} bones have no parent, but skeletons of the games have a single root: {}",
            ids.len(),
            ids.join(", ")
        );
        diagnostics
            .warning(codes::SEVERAL_ROOTS, SourceLocation::File, message)
            .with("count", ids.len());
    }
}
