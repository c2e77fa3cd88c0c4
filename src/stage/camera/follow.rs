//! Following root motion or a node, in position and rotation.

use bevy::prelude::*;
use bevy_panorbit_camera::PanOrbitCamera;

use super::{Rig, turned::come_upright};
use crate::{
    recording::{RecordingNode, Revision},
    stage::{Follow, StageScreen, framing::Orbit, subject::Subjects},
};

/// The node that the camera follows, with its position and rotation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stage) struct Companion {
    revision: Revision,
    of: RecordingNode,
    pub(super) place: Vec3,
    rotation: Quat,
}

impl Companion {
    fn is_same(&self, other: &Self) -> bool {
        (self.revision, self.of) == (other.revision, other.of)
    }
}

/// How the camera follows.
fn follow(subjects: &Subjects) -> Follow {
    let goes_far = subjects.reference().is_some_and(|one| one.staged.bounds.goes_far);
    let usual = if goes_far { Follow::Position } else { Follow::Off };
    subjects.view.follow.unwrap_or(usual)
}

/// The followed node: the selected node, else the root of the reference.
pub(super) fn companion(subjects: &Subjects) -> Option<Companion> {
    if follow(subjects) == Follow::Off {
        return None;
    }
    let subject = subjects.selected_or_reference()?;
    let node = subject.selected().or_else(|| subject.clip().root_motion_node())?;
    // Absent nodes are not followed.
    subject.pose().nodes.get(node.index()).filter(|pose| pose.shown)?;
    let Transform { translation: place, rotation, .. } = subject.transform(node)?;
    let of = RecordingNode::new(subject.entity, node);
    let revision = subject.recording.revision();
    Some(Companion { revision, of, place, rotation: rotation.normalize() })
}

/// Moves the camera as the followed node has moved, and rotates it likewise if it is to.
pub(in crate::stage) fn go_along(
    mut camera: Single<(&mut PanOrbitCamera, &mut Transform, &mut Rig)>,
    mut before: Local<Option<Companion>>,
    mut screen: ResMut<StageScreen>,
    subjects: Subjects,
) {
    let now = companion(&subjects);
    let follows = follow(&subjects);
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
            // A flying camera rotates freely.
            transform.translation = way.carry(transform.translation);
        } else {
            go(controls, rig, &way);
        }
    }
    // A node that was absent is followed again from where it reappears.
    let is_open = |was: Companion| {
        let subject = subjects.get(was.of.recording);
        subject.is_some_and(|subject| subject.recording.revision() == was.revision)
    };
    let waits = now.is_none() && follows != Follow::Off && before.is_some_and(is_open);
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
