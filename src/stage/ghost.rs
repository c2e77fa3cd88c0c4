//! The skeleton as it rests, in outline: what the motion turns away from.

use bevy::prelude::*;

use super::{Staged, View, look::GHOST, overlay::StageLines};
use crate::{clip::Pose, player::Player};

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
    for (id, node) in clip.nodes.with_ids().filter(|(id, _)| !view.hidden.contains(id)) {
        if let Some(from) = node.bone_from {
            let [from, to] =
                [from, id].map(|id| staged.place(&rest.nodes[id.index()].world).translation);
            lines.line(from, to, GHOST);
        }
    }
}
