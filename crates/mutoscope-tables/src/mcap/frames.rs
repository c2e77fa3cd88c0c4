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

pub(super) struct Frames {
    world: FrameTransform,
    nodes: Vec<Frame>,
    non_finite: usize,
}

struct Frame {
    transform: FrameTransform,
    rotation: DQuat,
    /// `true` if any message contains the frame.
    is_written: bool,
    /// `true` if any message lacks the frame because the node is hidden.
    is_hidden: bool,
    is_scaled: bool,
}

impl Frames {
    pub(super) fn new(clip: &Clip, report: &mut Report) -> Self {
        let all = [Z_UP, WORLD].into_iter().chain(clip.nodes.iter().map(|node| node.name.as_str()));
        let names = names::clean_and_deduplicate(all, '.', clean_frame_id, report).split_off(2);
        let frame = |(id, name): (NodeId, &String)| Frame {
            transform: FrameTransform {
                parent_frame_id: match clip.nodes[id].parent {
                    Some(parent) => names[parent.index()].clone(),
                    None => WORLD.to_owned(),
                },
                child_frame_id: name.clone(),
                ..FrameTransform::default()
            },
            rotation: DQuat::IDENTITY,
            is_written: false,
            is_hidden: false,
            is_scaled: false,
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
            nodes: ids.zip(&names).map(frame).collect(),
            non_finite: 0,
        }
    }

    pub(super) fn frame_ids(&self) -> Vec<String> {
        self.nodes.iter().map(|frame| frame.transform.child_frame_id.clone()).collect()
    }

    pub(super) fn encode_pose(
        &mut self,
        clip: &Clip,
        pose: &Pose,
        timestamp: Timestamp,
        out: &mut Vec<u8>,
    ) {
        for ((id, node), frame) in clip.nodes.with_ids().zip(&mut self.nodes) {
            let NodePose { is_visible: shown, world, .. } = &pose[id];
            self.non_finite += usize::from(!world.is_finite());
            // A node without finite numbers is hidden, and so are the children of hidden nodes.
            frame.is_hidden |= !shown;
            frame.transform.timestamp = shown.then_some(timestamp);
            if !shown {
                continue;
            }
            frame.is_written = true;
            frame.is_scaled |= (world.scale - DVec3::ONE).abs().max_element() > SCALE_TOLERANCE;
            let (translation, rotation) = match node.parent {
                None => (world.translation, world.rotation),
                Some(parent) => {
                    // Frames have no scale. So compute the translation from the world positions,
                    // which include the scale of the parent.
                    let parent = &pose[parent].world;
                    let back = parent.rotation.conjugate();
                    let offset = world.translation - parent.translation;
                    (back * offset, back * world.rotation)
                }
            };
            let rotation = rotation.normalize();
            let is_of_other_sign = frame.rotation.dot(rotation) < 0.0;
            frame.rotation = if is_of_other_sign { -rotation } else { rotation };
            frame.transform.translation = Some(to_vector3(translation));
            frame.transform.rotation = Some(to_quaternion(frame.rotation));
        }
        self.world.timestamp = Some(timestamp);
        let nodes = self.nodes.iter().map(|frame| &frame.transform);
        iter::once(&self.world)
            .chain(nodes.filter(|transform| transform.timestamp.is_some()))
            .for_each(|transform| encoding::message::encode(TRANSFORMS, transform, out));
    }

    pub(super) fn report(&self, report: &mut Report) {
        let names = |is_listed: fn(&Frame) -> bool| -> Vec<String> {
            let listed = self.nodes.iter().filter(|frame| is_listed(frame));
            listed.map(|frame| format!("{:?}", frame.transform.child_frame_id)).collect()
        };
        let never = names(|frame| !frame.is_written);
        if !never.is_empty() {
            report.warning(format!("nodes skipped, hidden throughout: {}", list_names(&never)));
        }
        let at_times = names(|frame| frame.is_written && frame.is_hidden);
        if !at_times.is_empty() {
            report.warning(format!(
                "frames of hidden nodes skipped; viewers keep or interpolate the last transform until \
                 the node is visible again: {}",
                list_names(&at_times)
            ));
        }
        let scaled = names(|frame| frame.is_scaled);
        if !scaled.is_empty() {
            report.warning(format!("scales skipped: {}", list_names(&scaled)));
        }
        if self.non_finite > 0 {
            let transforms = format_count(self.non_finite, "transform");
            report.warning(format!("{transforms} skipped: non-finite"));
        }
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
