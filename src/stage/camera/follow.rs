//! Going along with what moves from place to place.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::Rig;
use crate::{
    clip::NodeId,
    player::Player,
    stage::{StageScreen, Staged, View},
};

/// What the camera went along with in the last frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stage) struct Companion {
    generation: u32,
    node: NodeId,
    place: Vec3,
}

/// Whether the camera goes along at all.
fn follows(view: &View, staged: &Staged) -> bool {
    view.follow.unwrap_or(staged.survey.goes_far)
}

/// What the camera goes along with, and where that is on the stage: what is selected, else what
/// carries the recording.
pub(super) fn companion(player: &Player, view: &View, staged: &Staged) -> Option<(NodeId, Vec3)> {
    if !follows(view, staged) {
        return None;
    }
    let node = view.selected.or_else(|| player.clip()?.carrier())?;
    let pose = player.pose().nodes.get(node.index())?;
    // Nobody goes along with what is not there.
    let is_there = pose.shown && pose.world.is_finite();
    is_there.then(|| (node, staged.place(&pose.world).translation))
}

/// Moves the camera by as much as its companion has moved.
pub(in crate::stage) fn go_along(
    mut camera: Single<(&mut PanOrbitCamera, &mut Rig)>,
    mut before: Local<Option<Companion>>,
    mut screen: ResMut<StageScreen>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let generation = player.generation();
    let now = companion(&player, &view, &staged).map(|(node, place)| Companion {
        generation,
        node,
        place,
    });
    let follows = follows(&view, &staged);
    if screen.follows != follows {
        screen.follows = follows;
    }
    if now == *before {
        return;
    }
    let is_same = |a: &Companion, b: &Companion| (a.generation, a.node) == (b.generation, b.node);
    if let (Some(before), Some(now)) = (*before, now)
        && is_same(&before, &now)
    {
        let (controls, rig) = &mut *camera;
        shift(controls, rig, now.place - before.place);
    }
    // Who is gone for a while is met again where he comes back.
    let waits = now.is_none() && follows && before.is_some_and(|was| was.generation == generation);
    if !waits {
        *before = now;
    }
}

/// Moves the camera, and where it is on its way to, by `way`.
fn shift(controls: &mut PanOrbitCamera, rig: &mut Rig, way: Vec3) {
    controls.focus += way;
    controls.target_focus += way;
    controls.force_update = true;
    if let Some(glide) = &mut rig.glide {
        glide.shift(way);
    }
    if let Some((orbit, _)) = &mut rig.framed {
        orbit.focus += way;
    }
}
