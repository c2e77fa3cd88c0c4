//! The joints and signals of a hand, by name and side.

use crate::clip::{Clip, Node, NodeId, Owner, Side, SignalKind, TrackId};

/// The joint of this side with this name, such as `Wrist`, in any case and without the path before it.
pub fn hand_joint(clip: &Clip, side: Side, name: &str) -> Option<NodeId> {
    let is_it = |node: &Node| {
        let own = node.name.rsplit('/').next().unwrap_or_default();
        node.side == Some(side) && own.eq_ignore_ascii_case(name)
    };
    clip.nodes.with_ids().find(|(_, node)| is_it(node)).map(|(id, _)| id)
}

/// The track of a signal of the hand of this side, if the recording has it.
pub fn hand_signal(clip: &Clip, side: Side, kind: SignalKind) -> Option<TrackId> {
    let group = clip.nodes.iter().find(|node| node.side == Some(side))?.group?;
    let of_group = |track: TrackId| clip.track(track).owner == Owner::Group(group);
    let mut signals = clip.signals.iter();
    signals.find(|signal| signal.kind == kind && of_group(signal.track)).map(|signal| signal.track)
}
