//! Lets the camera follow root motion or a node, in position and rotation.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{CameraState, orbit_space::return_to_upright};
use crate::{
    RecordingNode, Revision,
    stage::{Follow, StageScreen, framing::Orbit, subject::Subjects},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stage) struct FollowedNode {
    revision: Revision,
    node: RecordingNode,
    pub(super) position: Vec3,
    rotation: Quat,
}

impl FollowedNode {
    fn is_same_node(&self, other: &Self) -> bool {
        (self.revision, self.node) == (other.revision, other.node)
    }
}

fn follow_mode(subjects: &Subjects) -> Follow {
    let has_long_path =
        subjects.reference().is_some_and(|subject| subject.staged.bounds.has_long_path);
    let default_follow = if has_long_path { Follow::Position } else { Follow::Off };
    subjects.view.follow.unwrap_or(default_follow)
}

pub(super) fn followed_node(subjects: &Subjects) -> Option<FollowedNode> {
    if follow_mode(subjects) == Follow::Off {
        return None;
    }
    let subject = subjects.selected_or_reference()?;
    let node = subject.selected().or_else(|| subject.clip().root_motion_node())?;
    // Do not follow a node that is not visible.
    subject.pose().nodes.get(node.index()).filter(|pose| pose.is_visible)?;
    let Transform { translation: position, rotation, .. } = subject.node_transform(node)?;
    let node_ref = RecordingNode::new(subject.entity, node);
    let revision = subject.recording.revision();
    Some(FollowedNode { revision, node: node_ref, position, rotation: rotation.normalize() })
}

pub(in crate::stage) fn follow_target(
    mut camera: Single<(&mut PanOrbitCamera, &mut Transform, &mut CameraState)>,
    mut before: Local<Option<FollowedNode>>,
    mut screen: ResMut<StageScreen>,
    subjects: Subjects,
) {
    let now = followed_node(&subjects);
    let follows = follow_mode(&subjects);
    if screen.follow != follows {
        screen.follow = follows;
    }
    let (controls, transform, camera_state) = &mut *camera;
    let rotates = follows == Follow::PositionAndRotation;
    if !rotates && !camera_state.orbit_space.is_upright() {
        return_to_upright(controls, camera_state);
    }
    if now == *before {
        return;
    }
    if let (Some(before), Some(now)) = (*before, now)
        && now.is_same_node(&before)
    {
        let motion = NodeMotion::between(&before, &now, rotates && !camera_state.is_flying);
        if camera_state.is_flying {
            // Move a flying camera without rotating it, because the user controls its rotation.
            transform.translation = motion.move_point(transform.translation);
        } else {
            apply_motion(controls, camera_state, &motion);
        }
    }
    // While the node is not visible, keep its last transform. When the node appears again, the
    // camera moves by the distance that the node has moved meanwhile.
    let is_open = |followed_node: FollowedNode| {
        let subject = subjects.get(followed_node.node.recording);
        subject.is_some_and(|subject| subject.recording.revision() == followed_node.revision)
    };
    let is_waiting = now.is_none() && follows != Follow::Off && before.is_some_and(is_open);
    if !is_waiting {
        *before = now;
    }
}

#[derive(Clone, Copy, Debug)]
struct NodeMotion {
    from: Vec3,
    to: Vec3,
    turn: Quat,
}

impl NodeMotion {
    fn between(before: &FollowedNode, now: &FollowedNode, rotates: bool) -> Self {
        let has_rotated = rotates && now.rotation != before.rotation;
        let turn =
            if has_rotated { now.rotation * before.rotation.inverse() } else { Quat::IDENTITY };
        Self { from: before.position, to: now.position, turn }
    }

    fn move_point(&self, point: Vec3) -> Vec3 {
        self.to + self.turn * (point - self.from)
    }

    fn move_orbit(&self, orbit: &Orbit) -> Orbit {
        Orbit { focus: self.move_point(orbit.focus), ..*orbit }
    }
}

fn apply_motion(
    controls: &mut PanOrbitCamera,
    camera_state: &mut CameraState,
    motion: &NodeMotion,
) {
    controls.focus = motion.move_point(controls.focus);
    controls.target_focus = motion.move_point(controls.target_focus);
    controls.force_update = true;
    if let Some(glide) = &mut camera_state.glide {
        glide.map_orbits(|orbit| motion.move_orbit(orbit));
    }
    if motion.turn == Quat::IDENTITY {
        camera_state.framed =
            camera_state.framed.map(|(orbit, aspect)| (motion.move_orbit(&orbit), aspect));
    } else {
        camera_state.orbit_space.space = (motion.turn * camera_state.orbit_space.space).normalize();
        // The orbit that framed everything is no longer valid, because the camera has rotated.
        camera_state.framed = None;
    }
}
