//! Finds the nodes of a recording that correspond to the parts of an MRTK recording.

use super::hand_index;
use crate::{
    clip::{Clip, NodeId, NodeKind, NodeVisibility, Owner, Side, Signal, SignalKind, TrackId},
    formats::mrtk::{JOINTS, find_joint, find_side},
};

/// The nodes and signals that are written.
pub(super) struct Roles {
    pub(super) camera: Option<NodeId>,
    /// The joints of the left and the right hand.
    pub(super) joints: [[Option<NodeId>; JOINTS.len()]; 2],
    pub(super) gaze: Option<NodeId>,
    /// The signals of the left and the right hand.
    pub(super) tracked: [Option<TrackId>; 2],
    pub(super) pinches: [Option<TrackId>; 2],
    /// The nodes with a position that have no counterpart.
    pub(super) others: Vec<NodeId>,
}

impl Roles {
    pub(super) fn new(clip: &Clip) -> Self {
        let mut roles = Self {
            camera: None,
            joints: [[None; JOINTS.len()]; 2],
            gaze: None,
            tracked: [None; 2],
            pinches: [None; 2],
            others: Vec::new(),
        };
        for (id, node) in clip.nodes.with_ids() {
            if node.motion.visibility == NodeVisibility::Never {
                continue;
            }
            let side = node.side.or_else(|| find_side(&clip.groups[node.group?.index()]));
            let role = match node.kind {
                NodeKind::Head => Some(&mut roles.camera),
                NodeKind::Ray => Some(&mut roles.gaze),
                _ => find_joint(&node.name, side)
                    .map(|(side, joint)| &mut roles.joints[hand_index(side)][joint]),
            };
            match role {
                Some(role @ None) => *role = Some(id),
                _ => roles.others.push(id),
            }
        }
        for signal in &clip.signals {
            let Some(side) = signal_side(clip, signal) else { continue };
            let role = match signal.kind {
                SignalKind::Pinch => &mut roles.pinches,
                SignalKind::Tracked => &mut roles.tracked,
                // Tables name the signals of an MRTK recording like this.
                SignalKind::Attribute => match signal.name.split_once('/') {
                    Some((_, "pinch")) => &mut roles.pinches,
                    Some((_, "tracked")) => &mut roles.tracked,
                    _ => continue,
                },
            };
            role[hand_index(side)].get_or_insert(signal.track);
        }
        roles
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let joints = self.joints.iter().flatten();
        [&self.camera, &self.gaze].into_iter().chain(joints).flatten().copied()
    }
}

/// Returns the side of the hand that a signal belongs to. `None` if it belongs to a single joint.
fn signal_side(clip: &Clip, signal: &Signal) -> Option<Side> {
    match clip.track(signal.track).owner {
        Owner::Node(_) => None,
        group => find_side(clip.owner_name(group)).or_else(|| find_side(&signal.name)),
    }
}
