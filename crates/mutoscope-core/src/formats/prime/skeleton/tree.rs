//! The hierarchy of the bones.

use glam::DVec3;

use super::Skeleton;
use crate::diagnostics::{Notices, SourceLocation};

/// The bones of a skeleton as a tree, or as several.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// For each bone the index of its parent.
    pub parents: Vec<Option<usize>>,
    /// For each bone its place relative to its parent, or to the skeleton if it has none, in
    /// metres: in the bind pose no bone is turned.
    pub offsets: Vec<DVec3>,
}

impl Tree {
    /// Finds the parents of all bones. A bone whose parent is missing is a root; so is one that is
    /// its own ancestor. The latter, and several roots, are reported to `notices`.
    pub fn new(skeleton: &Skeleton, notices: &mut Notices) -> Self {
        let bones = &skeleton.bones;
        let mut parents: Vec<_> = bones.iter().map(|bone| skeleton.index_of(bone.parent)).collect();
        for (index, bone) in bones.iter().enumerate() {
            if leads_back(&parents, index) {
                parents[index] = None;
                let message =
                    format!("the parents of bone {} lead back to it; made a root", bone.id);
                notices.error(SourceLocation::span(bone.offset, 8), message);
            }
        }
        let origin = |index: usize| DVec3::from_array(bones[index].origin.map(f64::from));
        let offset = |(index, parent): (usize, &Option<usize>)| {
            origin(index) - parent.map_or(DVec3::ZERO, origin)
        };
        let offsets = parents.iter().enumerate().map(offset).collect();
        report_roots(skeleton, &parents, notices);
        Self { parents, offsets }
    }
}

/// Whether going from parent to parent ends at the bone that it began at.
fn leads_back(parents: &[Option<usize>], start: usize) -> bool {
    let mut next = parents[start];
    for _ in 0..parents.len() {
        match next {
            None => return false,
            Some(index) if index == start => return true,
            Some(index) => next = parents[index],
        }
    }
    // Around and around some other bones, which are cut apart in their own turn.
    false
}

fn report_roots(skeleton: &Skeleton, parents: &[Option<usize>], notices: &mut Notices) {
    let roots = skeleton.bones.iter().zip(parents).filter(|(_, parent)| parent.is_none());
    let ids: Vec<_> = roots.map(|(bone, _)| bone.id.to_string()).collect();
    if ids.len() > 1 {
        let message = format!(
            "{} bones have no parent, where the games have one: {}",
            ids.len(),
            ids.join(", ")
        );
        notices.warning(SourceLocation::File, message);
    }
}
