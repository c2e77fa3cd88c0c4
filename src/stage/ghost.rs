//! The skeleton in outline: as it rests, which is what the motion turns away from, and as it is at
//! the time that the pointer is over.

use bevy::prelude::*;

use super::{
    HoveredTime, Staged, View,
    look::{GHOST, HOVERED},
    minecraft,
    overlay::StageLines,
};
use crate::{
    clip::{Clip, NodeId, NodePose, Pose},
    player::Player,
};

/// How long the arms of the cross are that stands for a node without bones, in metres, at the size
/// of a hand.
const CROSS: f32 = 0.02;

/// Draws a line for every bone of the skeleton at rest, if that is wanted and there is one.
pub(super) fn draw_rest_pose(
    mut lines: Gizmos<StageLines>,
    mut rest: Local<Pose>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let Some(clip) = player.clip().filter(|clip| view.rest_pose && clip.has_rest_pose()) else {
        return;
    };
    clip.rest_pose(&mut rest);
    for (id, from) in bones(clip, &view) {
        let [from, to] =
            [from, id].map(|id| staged.place(&rest.nodes[id.index()].world).translation);
        lines.line(from, to, GHOST);
    }
}

/// Draws the recording as it is at the time that the pointer is over, if it is over any.
pub(super) fn draw_hovered_pose(
    mut lines: Gizmos<StageLines>,
    mut pose: Local<Pose>,
    hovered: Res<HoveredTime>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let (Some(clip), Some(time)) = (player.clip(), hovered.0) else { return };
    clip.sample(clip.span.clamp(time), &mut pose);
    // What stays over one spot does so at every time.
    let shift = match view.in_place {
        true => (staged.gone - staged.gone_in(clip, &pose)).as_vec3(),
        false => Vec3::ZERO,
    };
    let place = |id: NodeId| {
        let node = pose.nodes.get(id.index()).filter(|node| is_there(node))?;
        let place = staged.place(&node.world);
        Some(place.with_translation(place.translation + shift))
    };
    for (id, from) in bones(clip, &view) {
        if let (Some(from), Some(to)) = (place(from), place(id)) {
            lines.line(from.translation, to.translation, HOVERED);
        }
    }
    if let Some(scene) = minecraft::scene(clip) {
        for (id, inside) in minecraft::boxes(scene) {
            if let Some(place) = place(id).filter(|_| !view.hidden.contains(&id)) {
                wire(&mut lines, place.to_matrix() * inside.to_matrix());
            }
        }
        return;
    }
    let arm = CROSS * staged.survey.scale as f32;
    let mut has_bones = vec![false; clip.nodes.len()];
    for (to, from) in bones(clip, &view) {
        has_bones[to.index()] = true;
        has_bones[from.index()] = true;
    }
    let alone = clip.nodes.with_ids().filter(|(id, _)| !has_bones[id.index()]);
    for (id, _) in alone.filter(|(id, _)| !view.hidden.contains(id)) {
        let Some(place) = place(id) else { continue };
        for axis in [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| arm * (place.rotation * axis)) {
            lines.line(place.translation - axis, place.translation + axis, HOVERED);
        }
    }
}

/// The bones that are drawn: the node at the end, and the one where it begins.
fn bones<'a>(clip: &'a Clip, view: &'a View) -> impl Iterator<Item = (NodeId, NodeId)> + 'a {
    let shown = clip.nodes.with_ids().filter(|(id, _)| !view.hidden.contains(id));
    shown.filter_map(|(id, node)| Some((id, node.bone_from?)))
}

fn is_there(node: &NodePose) -> bool {
    node.shown && node.world.is_finite()
}

/// The edges of a cube of size 1 that stands like `place`.
fn wire(lines: &mut Gizmos<StageLines>, place: Mat4) {
    let corner = |bits: u32| {
        let side = |bit: u32| if bits & bit == 0 { -0.5 } else { 0.5 };
        place.transform_point3(Vec3::new(side(1), side(2), side(4)))
    };
    for from in 0..8 {
        for bit in [1, 2, 4].into_iter().filter(|bit| from & bit == 0) {
            lines.line(corner(from), corner(from | bit), HOVERED);
        }
    }
}
