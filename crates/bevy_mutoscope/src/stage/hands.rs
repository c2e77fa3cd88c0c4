//! Draws pinches, which only hands have.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    skeleton::bone_transform,
    subject::{PartContext, Presence, Subjects, visibility_if},
};
use crate::Recording;
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner, SignalKind};

const PINCHING_TIPS: [&str; 2] = ["ThumbTip", "IndexTip"];

/// The radius of the link between pinching fingers, in metres.
const LINK_RADIUS: f32 = 0.003;

/// While the fingers are drawn with a skin, the radius of the link is multiplied by this factor.
/// Otherwise the skin would hide the link.
const SKIN_RADIUS_FACTOR: f32 = 3.0;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct PinchLink {
    recording: Entity,
    signal: usize,
    tips: [NodeId; 2],
    radius: f32,
}

pub(super) fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>) {
    let (clip, recording, radius) = (parts.clip, parts.recording, LINK_RADIUS * parts.size);
    for (signal, group) in pinch_signals(clip) {
        if let [Some(thumb), Some(index)] = PINCHING_TIPS.map(|name| find_tip(clip, group, name)) {
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

fn pinch_signals(clip: &Clip) -> impl Iterator<Item = (usize, GroupId)> {
    clip.signals.iter().enumerate().filter_map(|(index, signal)| {
        match (signal.kind, clip.track(signal.track).owner) {
            (SignalKind::Pinch, Owner::Group(group)) => Some((index, group)),
            _ => None,
        }
    })
}

fn find_tip(clip: &Clip, group: GroupId, name: &str) -> Option<NodeId> {
    let mut nodes = clip.nodes.with_ids();
    nodes.find(|(_, node)| node.group == Some(group) && node.name.ends_with(name)).map(|(id, _)| id)
}

pub(super) fn pinch_signal_of_tip(clip: &Clip, id: NodeId) -> Option<usize> {
    let node = &clip.nodes[id];
    let is_pinching_tip = PINCHING_TIPS.iter().any(|name| node.name.ends_with(name));
    let mut signals = pinch_signals(clip);
    let signal = signals.find(|&(_, group)| is_pinching_tip && node.group == Some(group));
    signal.map(|(signal, _)| signal)
}

pub(super) fn update_pinch_links(
    mut links: Query<(&PinchLink, &mut Transform, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (link, mut transform, mut visibility) in &mut links {
        let Some(subject) = subjects.get(link.recording) else { continue };
        let is_there = |&tip: &NodeId| subject.presence(tip) == Presence::Solid;
        let pinches = subject.is_signal_on(link.signal) && link.tips.iter().all(is_there);
        let position_of =
            |tip: NodeId| subject.staged.to_local(subject.pose()[tip].world.translation);
        let [thumb, index] = link.tips;
        let ends = pinches.then(|| [position_of(thumb), position_of(index)]);
        let thickness = if subject.view.smooth_hands { SKIN_RADIUS_FACTOR } else { 1.0 };
        let between = ends.and_then(|[from, to]| bone_transform(from, to, thickness * link.radius));
        visibility.set_if_neq(visibility_if(between.is_some()));
        if let Some(between) = between {
            *transform = between;
        }
    }
}
