//! Converts poses to transforms between coordinate frames.

use std::{f64::consts::FRAC_1_SQRT_2, iter};

use glam::{DQuat, DVec3};
use prost::encoding;

use super::messages::{FrameTransform, Quaternion, TRANSFORMS, Timestamp, Vector3};
use mutoscope_core::{
    clip::{Clip, NodeId, NodePose, Pose},
    diagnostics::format_count,
    export::{Report, list_names, names},
};

/// The frame of the viewer's space, which is the parent of all root nodes.
pub(super) const WORLD: &str = "world";

/// The parent frame of [`WORLD`], with Z up, because Foxglove and Rerun draw Z upwards.
const Z_UP: &str = "z_up";

/// If a scale differs from 1 by at most this much, the scale is not reported as skipped.
const SCALE_TOLERANCE: f64 = 1e-6;

/// The frames of the nodes of a clip.
pub(super) struct Frames {
    world: FrameTransform,
    /// The names of each node's frame and of its parent. The numbers are set for each pose.
    nodes: Vec<FrameTransform>,
}

/// What the messages so far contain.
pub(super) struct Written {
    /// The last rotation of each node, so that the next one can have the nearer sign.
    pub(super) rotations: Vec<DQuat>,
    nodes: Vec<NodeFacts>,
    non_finite: usize,
}

#[derive(Clone, Copy, Default)]
struct NodeFacts {
    /// `true` if any message contains the frame.
    is_written: bool,
    /// `true` if any message lacks the frame because the node is hidden.
    is_hidden: bool,
    is_scaled: bool,
}

/// The messages of successive poses.
pub(super) struct EncodedPoses {
    data: Vec<u8>,
    /// The end of each message in `data`.
    ends: Vec<usize>,
    /// The first rotation of each node. `None` if no message contains the node.
    first_rotations: Vec<Option<DQuat>>,
    written: Written,
}

impl Frames {
    pub(super) fn new(clip: &Clip, report: &mut Report) -> Self {
        let all = [Z_UP, WORLD].into_iter().chain(clip.nodes.iter().map(|node| node.name.as_str()));
        let names = names::clean_and_deduplicate(all, '.', clean_frame_id, report).split_off(2);
        let transform = |(id, name): (NodeId, &String)| FrameTransform {
            parent_frame_id: match clip.nodes[id].parent {
                Some(parent) => names[parent.index()].clone(),
                None => WORLD.to_owned(),
            },
            child_frame_id: name.clone(),
            ..FrameTransform::default()
        };
        let ids = (0..clip.nodes.len()).map(NodeId::new);
        let upright = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);
        Self {
            world: FrameTransform {
                parent_frame_id: Z_UP.to_owned(),
                child_frame_id: WORLD.to_owned(),
                translation: Some(to_vector3(DVec3::ZERO)),
                rotation: Some(to_quaternion(upright)),
                timestamp: None,
            },
            nodes: ids.zip(&names).map(transform).collect(),
        }
    }

    pub(super) fn frame_ids(&self) -> Vec<String> {
        self.nodes.iter().map(|transform| transform.child_frame_id.clone()).collect()
    }

    /// Encodes a message for each pose. `rotations` has the rotation of each node before the first
    /// pose, so that signs do not change from message to message.
    pub(super) fn encode_poses(
        &self,
        clip: &Clip,
        poses: &[Pose],
        timestamp: impl Fn(&Pose) -> Timestamp,
        rotations: &[DQuat],
    ) -> EncodedPoses {
        let mut encoded = EncodedPoses {
            data: Vec::new(),
            ends: Vec::with_capacity(poses.len()),
            first_rotations: vec![None; self.nodes.len()],
            written: Written { rotations: rotations.to_vec(), ..Written::nothing(clip) },
        };
        let (mut world, mut transforms) = (self.world.clone(), self.nodes.clone());
        for pose in poses {
            let timestamp = timestamp(pose);
            world.timestamp = Some(timestamp);
            encoding::message::encode(TRANSFORMS, &world, &mut encoded.data);
            for ((id, _), transform) in clip.nodes.with_ids().zip(&mut transforms) {
                let Some((translation, rotation)) = encoded.local_placement(clip, pose, id) else {
                    continue;
                };
                transform.timestamp = Some(timestamp);
                transform.translation = Some(to_vector3(translation));
                transform.rotation = Some(to_quaternion(rotation));
                encoding::message::encode(TRANSFORMS, &*transform, &mut encoded.data);
            }
            encoded.ends.push(encoded.data.len());
            if encoded.ends.len() == 1 {
                // Allocate once, because the messages of all poses are about as long as the first.
                encoded.data.reserve(encoded.data.len() * poses.len());
            }
        }
        encoded
    }

    pub(super) fn report(&self, written: &Written, report: &mut Report) {
        let names = |is_listed: fn(&NodeFacts) -> bool| -> Vec<String> {
            let nodes = written.nodes.iter().zip(&self.nodes);
            let listed = nodes.filter(|(facts, _)| is_listed(facts));
            listed.map(|(_, transform)| format!("{:?}", transform.child_frame_id)).collect()
        };
        let never = names(|facts| !facts.is_written);
        if !never.is_empty() {
            report.warning(format!("nodes skipped, hidden throughout: {}", list_names(&never)));
        }
        let at_times = names(|facts| facts.is_written && facts.is_hidden);
        if !at_times.is_empty() {
            report.warning(format!(
                "frames of hidden nodes skipped; viewers keep or interpolate the last transform until \
                 the node is visible again: {}",
                list_names(&at_times)
            ));
        }
        let scaled = names(|facts| facts.is_scaled);
        if !scaled.is_empty() {
            report.warning(format!("scales skipped: {}", list_names(&scaled)));
        }
        if written.non_finite > 0 {
            let transforms = format_count(written.non_finite, "transform");
            report.warning(format!("{transforms} skipped: non-finite"));
        }
    }
}

impl Written {
    pub(super) fn nothing(clip: &Clip) -> Self {
        Self {
            rotations: vec![DQuat::IDENTITY; clip.nodes.len()],
            nodes: vec![NodeFacts::default(); clip.nodes.len()],
            non_finite: 0,
        }
    }

    /// Returns `true` if the rotations of `next` have the signs that they have to have after these.
    pub(super) fn is_continued_by(&self, next: &EncodedPoses) -> bool {
        let mut pairs = self.rotations.iter().zip(&next.first_rotations);
        pairs.all(|(last, first)| first.is_none_or(|first| last.dot(first) > 0.0))
    }

    pub(super) fn add(&mut self, next: &EncodedPoses) {
        let added = &next.written;
        let rotations = self.rotations.iter_mut().zip(&added.rotations).zip(&next.first_rotations);
        for ((last, next), first) in rotations {
            if first.is_some() {
                *last = *next;
            }
        }
        for (facts, added) in self.nodes.iter_mut().zip(&added.nodes) {
            facts.is_written |= added.is_written;
            facts.is_hidden |= added.is_hidden;
            facts.is_scaled |= added.is_scaled;
        }
        self.non_finite += added.non_finite;
    }
}

impl EncodedPoses {
    /// Returns the messages.
    pub(super) fn messages(&self) -> impl Iterator<Item = &[u8]> {
        let starts = iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.data[start..*end])
    }

    /// Returns the translation and the rotation of a node relative to its parent, and notes what the
    /// message contains. `None` if the node is hidden.
    fn local_placement(&mut self, clip: &Clip, pose: &Pose, id: NodeId) -> Option<(DVec3, DQuat)> {
        let NodePose { is_visible: shown, world, .. } = &pose[id];
        let facts = &mut self.written.nodes[id.index()];
        self.written.non_finite += usize::from(!world.is_finite());
        // A node without finite numbers is hidden, and so are the children of hidden nodes.
        facts.is_hidden |= !shown;
        if !shown {
            return None;
        }
        facts.is_written = true;
        facts.is_scaled |= (world.scale - DVec3::ONE).abs().max_element() > SCALE_TOLERANCE;
        let (translation, rotation) = match clip.nodes[id].parent {
            None => (world.translation, world.rotation),
            Some(parent) => {
                // Frames have no scale. So compute the translation from the world positions, which
                // include the scale of the parent.
                let parent = &pose[parent].world;
                let back = parent.rotation.conjugate();
                let offset = world.translation - parent.translation;
                (back * offset, back * world.rotation)
            }
        };
        let rotation = rotation.normalize();
        let last = &mut self.written.rotations[id.index()];
        let is_of_other_sign = last.dot(rotation) < 0.0;
        *last = if is_of_other_sign { -rotation } else { rotation };
        self.first_rotations[id.index()].get_or_insert(*last);
        Some((translation, *last))
    }
}

/// Returns a valid frame id. A valid id is not empty. It does not begin with a slash, because some
/// readers remove a leading slash.
fn clean_frame_id(name: &str) -> String {
    let name = name.trim_start_matches('/');
    if name.is_empty() { "node".to_owned() } else { name.to_owned() }
}

fn to_vector3(vector: DVec3) -> Vector3 {
    Vector3 { x: vector.x, y: vector.y, z: vector.z }
}

fn to_quaternion(rotation: DQuat) -> Quaternion {
    Quaternion { x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w }
}
