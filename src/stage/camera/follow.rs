//! Going along with what moves from place to place, and turning with it.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{Rig, turned::come_upright};
use crate::{
    clip::NodeId,
    player::Player,
    stage::{Follow, StageScreen, Staged, View, framing::Orbit},
};

/// What the camera goes along with, and how that stands on the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stage) struct Companion {
    generation: u32,
    node: NodeId,
    pub(super) place: Vec3,
    rotation: Quat,
}

impl Companion {
    fn is_same(&self, other: &Self) -> bool {
        (self.generation, self.node) == (other.generation, other.node)
    }
}

/// How the camera goes along.
fn follow(view: &View, staged: &Staged) -> Follow {
    let usual = if staged.survey.goes_far { Follow::Position } else { Follow::Off };
    view.follow.unwrap_or(usual)
}

/// What the camera goes along with: what is selected, else what carries the recording.
pub(super) fn companion(player: &Player, view: &View, staged: &Staged) -> Option<Companion> {
    if follow(view, staged) == Follow::Off {
        return None;
    }
    let node = view.selected.or_else(|| player.clip()?.carrier())?;
    let pose = player.pose().nodes.get(node.index())?;
    // Nobody goes along with what is not there.
    if !pose.shown || !pose.world.is_finite() {
        return None;
    }
    let Transform { translation: place, rotation, .. } = staged.place(&pose.world);
    let generation = player.generation();
    Some(Companion { generation, node, place, rotation: rotation.normalize() })
}

/// Moves the camera by as much as its companion has moved, and turns it by as much as that has turned
/// if it is to.
pub(in crate::stage) fn go_along(
    mut camera: Single<(&mut PanOrbitCamera, &mut Transform, &mut Rig)>,
    mut before: Local<Option<Companion>>,
    mut screen: ResMut<StageScreen>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let now = companion(&player, &view, &staged);
    let follows = follow(&view, &staged);
    if screen.follows != follows {
        screen.follows = follows;
    }
    let (controls, transform, rig) = &mut *camera;
    let turns = follows == Follow::PositionAndRotation;
    if !turns && !rig.turned.is_upright() {
        come_upright(controls, rig);
    }
    if now == *before {
        return;
    }
    if let (Some(before), Some(now)) = (*before, now)
        && now.is_same(&before)
    {
        let way = Way::from(&before, &now, turns && !rig.flies);
        if rig.flies {
            // Who flies looks where he likes.
            transform.translation = way.carry(transform.translation);
        } else {
            go(controls, rig, &way);
        }
    }
    // Who is gone for a while is met again where he comes back.
    let generation = player.generation();
    let waits = now.is_none()
        && follows != Follow::Off
        && before.is_some_and(|was| was.generation == generation);
    if !waits {
        *before = now;
    }
}

/// How something has moved and turned.
#[derive(Clone, Copy, Debug)]
struct Way {
    from: Vec3,
    to: Vec3,
    turn: Quat,
}

impl Way {
    fn from(before: &Companion, now: &Companion, turns: bool) -> Self {
        let turned = turns && now.rotation != before.rotation;
        let turn = if turned { now.rotation * before.rotation.inverse() } else { Quat::IDENTITY };
        Self { from: before.place, to: now.place, turn }
    }

    /// Where a point is then that is fastened to it.
    fn carry(&self, point: Vec3) -> Vec3 {
        self.to + self.turn * (point - self.from)
    }

    fn carry_orbit(&self, orbit: &Orbit) -> Orbit {
        Orbit { focus: self.carry(orbit.focus), ..*orbit }
    }
}

/// Moves the camera, and where it is on its way to, along.
fn go(controls: &mut PanOrbitCamera, rig: &mut Rig, way: &Way) {
    controls.focus = way.carry(controls.focus);
    controls.target_focus = way.carry(controls.target_focus);
    controls.force_update = true;
    if let Some(glide) = &mut rig.glide {
        glide.change(|orbit| way.carry_orbit(orbit));
    }
    if way.turn == Quat::IDENTITY {
        rig.framed = rig.framed.map(|(orbit, aspect)| (way.carry_orbit(&orbit), aspect));
    } else {
        rig.turned.space = (way.turn * rig.turned.space).normalize();
        // From there all that moves may not be seen.
        rig.framed = None;
    }
}
