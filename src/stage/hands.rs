//! Features of hands that other skeletons lack: pinches.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    skeleton::between,
    subject::{Parts, Presence, Subjects, visible},
};
use crate::recording::Recording;
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner, SignalKind};

/// The fingers that pinch, by the ends of their tips' names.
const PINCHING_TIPS: [&str; 2] = ["ThumbTip", "IndexTip"];

/// The radius of the link between pinching fingers, in metres.
const LINK_RADIUS: f32 = 0.003;

/// How much thicker it is between fingers with a skin, which it would be within.
const AROUND_SKIN: f32 = 3.0;

/// The link between two fingertips while they pinch.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct PinchLink {
    recording: Entity,
    /// The index of the pinch signal.
    signal: usize,
    tips: [NodeId; 2],
    radius: f32,
}

/// A link for every hand that tells whether it pinches.
pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>) {
    let (clip, recording, radius) = (parts.clip, parts.recording, LINK_RADIUS * parts.size);
    for (signal, group) in pinches(clip) {
        if let [Some(thumb), Some(index)] = PINCHING_TIPS.map(|name| tip(clip, group, name)) {
            root.spawn((
                Name::new(format!("{} link", clip.signals[signal].name)),
                PinchLink { recording, signal, tips: [thumb, index], radius },
                Mesh3d(parts.look.bone.clone()),
                MeshMaterial3d(parts.look.pinch.clone()),
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
    mut links: Query<(&PinchLink, &mut Transform, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (link, mut transform, mut visibility) in &mut links {
        let Some(subject) = subjects.get(link.recording) else { continue };
        let is_there = |&tip: &NodeId| subject.presence(tip) == Presence::Solid;
        let pinches = subject.is_on(link.signal) && link.tips.iter().all(is_there);
        let place =
            |tip: NodeId| subject.staged.local(subject.pose().nodes[tip.index()].world.translation);
        let [thumb, index] = link.tips;
        let ends = pinches.then(|| [place(thumb), place(index)]);
        let thickness = if subject.view.smooth_hands { AROUND_SKIN } else { 1.0 };
        let between = ends.and_then(|[from, to]| between(from, to, thickness * link.radius));
        visibility.set_if_neq(visible(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}
