//! The picture from the recorded head.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{FOV, target};
use crate::{
    clip::NodeKind,
    player::Player,
    stage::{CameraMode, StageCamera, Staged, View, minecraft},
};

/// The angle from the bottom to the top of the picture from the head, in radians.
const HEAD_FOV: f32 = 60.0 * std::f32::consts::PI / 180.0;

/// Takes the camera to the recorded head, or back to where it was before.
pub(in crate::stage) fn look_through_head(
    mut camera: Single<(&mut Transform, &mut Projection, &PanOrbitCamera), With<StageCamera>>,
    mut was_in_head: Local<bool>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let (transform, projection, controls) = &mut *camera;
    let head = (view.camera == CameraMode::Head).then(|| head(&player, &staged)).flatten();
    let mut leave_or_enter = |fov: f32| {
        if let Projection::Perspective(perspective) = &mut **projection {
            perspective.fov = fov;
        }
    };
    match head {
        Some(head) => {
            transform.set_if_neq(head);
            if !*was_in_head {
                leave_or_enter(HEAD_FOV);
            }
        }
        None if *was_in_head => {
            **transform = target(controls).transform();
            leave_or_enter(FOV);
        }
        None => {}
    }
    *was_in_head = head.is_some();
}

/// Where the eyes of the first head are, if there is one.
fn head(player: &Player, staged: &Staged) -> Option<Transform> {
    let clip = player.clip()?;
    if let Some(eyes) = minecraft::eyes(player) {
        return Some(staged.place(&eyes));
    }
    let mut heads = clip.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Head);
    let (id, _) = heads.next()?;
    let node = &player.pose().nodes[id.index()];
    node.shown.then(|| staged.place(&node.world))
}
