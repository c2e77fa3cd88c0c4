//! Finds the joints and signals of a hand by name and side.

use crate::clip::{Clip, Node, NodeId, Owner, Side, SignalKind, TrackId};

/// Returns the joint of a hand with this name, such as `Wrist`, or `None` if there is none. Case,
/// and the path before the name, are ignored.
pub fn hand_joint(clip: &Clip, side: Side, name: &str) -> Option<NodeId> {
    let has_name = |node: &Node| {
        let own = node.name.rsplit('/').next().unwrap_or_default();
        node.side == Some(side) && own.eq_ignore_ascii_case(name)
    };
    clip.nodes.with_ids().find(|(_, node)| has_name(node)).map(|(id, _)| id)
}

/// Returns the track of a signal of a hand, or `None` if the recording lacks it.
pub fn hand_signal(clip: &Clip, side: Side, kind: SignalKind) -> Option<TrackId> {
    let group = clip.nodes.iter().find(|node| node.side == Some(side))?.group?;
    let is_in_group = |track: TrackId| clip.track(track).owner == Owner::Group(group);
    let mut signals = clip.signals.iter();
    signals
        .find(|signal| signal.kind == kind && is_in_group(signal.track))
        .map(|signal| signal.track)
}
