//! What hands have and other skeletons have not: pinches.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Look, Staged, View,
    skeleton::between,
    staged::{Presence, is_on, presence, visible},
};
use crate::{
    clip::{Clip, GroupId, NodeId, Owner, SignalKind},
    player::Player,
};

/// The fingers that pinch, by the ends of their tips' names.
const PINCHING_TIPS: [&str; 2] = ["ThumbTip", "IndexTip"];

/// The radius of the link between pinching fingers, in metres.
const LINK_RADIUS: f32 = 0.003;

/// The link between two fingertips while they pinch.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct PinchLink {
    /// The index of the signal that tells whether they do.
    signal: usize,
    tips: [NodeId; 2],
    radius: f32,
}

/// A link for every hand that tells whether it pinches.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, clip: &Clip, look: &Look, size: f32) {
    for (signal, group) in pinches(clip) {
        if let [Some(thumb), Some(index)] = PINCHING_TIPS.map(|name| tip(clip, group, name)) {
            root.spawn((
                Name::new(format!("{} link", clip.signals[signal].name)),
                PinchLink { signal, tips: [thumb, index], radius: LINK_RADIUS * size },
                Mesh3d(look.bone.clone()),
                MeshMaterial3d(look.pinch.clone()),
                Visibility::Hidden,
            ));
        }
    }
}

/// The signals that tell of pinches, by index, and the hands they tell of.
fn pinches(clip: &Clip) -> impl Iterator<Item = (usize, GroupId)> {
    clip.signals.iter().enumerate().filter_map(|(index, signal)| {
        match (signal.kind, clip.track(signal.track).owner) {
            (SignalKind::Pinch, Owner::Group(group)) => Some((index, group)),
            _ => None,
        }
    })
}

fn tip(clip: &Clip, group: GroupId, name: &str) -> Option<NodeId> {
    let mut nodes = clip.nodes.with_ids();
    nodes.find(|(_, node)| node.group == Some(group) && node.name.ends_with(name)).map(|(id, _)| id)
}

/// The signal during which the node glows, because it is a tip of a pinching finger.
pub(super) fn pinch_of_tip(clip: &Clip, id: NodeId) -> Option<usize> {
    let node = &clip.nodes[id];
    let pinches_ever = PINCHING_TIPS.iter().any(|name| node.name.ends_with(name));
    let mut signals = pinches(clip);
    let found = signals.find(|&(_, group)| pinches_ever && node.group == Some(group));
    found.map(|(signal, _)| signal)
}

/// Shows the links of the hands that pinch.
pub(super) fn link(
    mut links: Query<(&PinchLink, &mut Transform, &mut Visibility)>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    for (link, mut transform, mut visibility) in &mut links {
        let is_there = |&tip: &NodeId| presence(&player, &view, tip) == Presence::Solid;
        let pinches = is_on(&player, link.signal) && link.tips.iter().all(is_there);
        let place = |tip: NodeId| staged.place(&player.pose().nodes[tip.index()].world).translation;
        let between = if pinches {
            between(place(link.tips[0]), place(link.tips[1]), link.radius)
        } else {
            None
        };
        visibility.set_if_neq(visible(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}
