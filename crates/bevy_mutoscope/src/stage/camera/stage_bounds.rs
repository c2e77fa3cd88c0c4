//! The bounds of everything on the stage, and camera orbits that frame them.

use std::f32::consts::PI;

use bevy::{math::DVec3, prelude::*};

use super::{FOV, follow::followed_node};
use crate::stage::{
    framing::{Lens, Orbit, frame_points},
    measure::positions_between,
    overlay::RIGID_BODY_AXIS_LENGTH,
    subject::{Staged, Subject, Subjects},
};
use mutoscope_view::figure::MAX_JOINT_RADIUS;

/// The initial yaw of the camera in radians, relative to the heading of the recorded person.
const HOME_YAW: f32 = 150.0 * PI / 180.0;
const HOME_PITCH: f32 = 20.0 * PI / 180.0;

#[derive(Clone, Debug, Default)]
pub(super) struct StageBounds {
    joints: Vec<Vec3>,
    others: Vec<Vec3>,
    /// Positions around the node that the camera follows. The camera frames them instead of the
    /// whole path. `None` if the camera does not follow a node.
    around: Option<Vec<Vec3>>,
    /// The main heading of the reference, or zero if unknown.
    heading: DVec3,
    /// The size of the reference relative to a hand.
    scale: f32,
    /// The radius of a drawn joint in metres, if the recording has the size of a hand.
    joint_radius: f32,
}

impl StageBounds {
    pub(super) fn from_subjects(subjects: &Subjects) -> Self {
        let Some(reference) = subjects.reference() else {
            return Self { scale: 1.0, joint_radius: MAX_JOINT_RADIUS, ..Self::default() };
        };
        let bounds = &reference.staged.bounds;
        let visible: Vec<_> = subjects.iter().filter(Subject::is_visible).collect();
        let points_of = |select: fn(&Staged) -> &[DVec3]| -> Vec<Vec3> {
            let world_points = |subject: &Subject<'_>| {
                let staged = subject.staged;
                select(staged)
                    .iter()
                    .map(|point| staged.to_world(*point + staged.bounds.origin))
                    .collect::<Vec<_>>()
            };
            visible.iter().flat_map(world_points).collect()
        };
        Self {
            joints: points_of(|staged| &staged.bounds.joints),
            others: points_of(|staged| &staged.bounds.others),
            around: framing_centre(subjects, &reference)
                .map(|centre| surrounding_points(&visible, &reference, centre)),
            heading: bounds.heading,
            scale: bounds.scale as f32,
            // Nodes without bones are drawn as axes, which are longer than the radius of a joint.
            // Leave enough space for them.
            joint_radius: match reference.clip().has_only_rigid_bodies() {
                true => RIGID_BODY_AXIS_LENGTH,
                false => MAX_JOINT_RADIUS,
            },
        }
    }

    /// Returns the bounds between two times of the reference's clock, in seconds. Returns the whole
    /// bounds if nothing is visible in that range. Also returns them if the camera follows a node
    /// and the times differ.
    pub(super) fn between_times(subjects: &Subjects, [from, to]: [f64; 2]) -> Self {
        let (mut joints, mut others) = (Vec::new(), Vec::new());
        for subject in subjects.iter().filter(Subject::is_visible) {
            let (staged, timing) = (subject.staged, subject.recording.timing());
            let times = [from, to].map(|time| subject.clip().span.clamp(timing.to_clip_time(time)));
            let times = times[0].min(times[1])..=times[0].max(times[1]);
            let [joint_points, other_points] =
                positions_between(subject.clip(), &staged.bounds, times);
            joints.extend(joint_points.into_iter().map(|point| staged.to_world(point)));
            others.extend(other_points.into_iter().map(|point| staged.to_world(point)));
        }
        let all = Self::from_subjects(subjects);
        let is_followed = all.around.is_some() && from < to;
        if is_followed || (joints.is_empty() && others.is_empty()) {
            return all;
        }
        Self { joints, others, around: None, ..all }
    }

    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    pub(super) fn without_followed_surroundings(&self) -> Self {
        Self { around: None, ..self.clone() }
    }

    pub(super) fn home_orbit(&self, aspect: f32) -> Orbit {
        let heading = self.heading;
        let heading_yaw =
            if heading == DVec3::ZERO { 0.0 } else { f64::atan2(-heading.x, -heading.z) as f32 };
        let from = Orbit { yaw: heading_yaw + HOME_YAW, pitch: HOME_PITCH, ..default() };
        self.orbit_from_direction(from, aspect)
    }

    pub(super) fn orbit_from_direction(&self, from: Orbit, aspect: f32) -> Orbit {
        let lens = Lens { fov: FOV, aspect };
        let radius = self.joint_radius * self.scale;
        if let Some(around) = &self.around {
            return frame_points(around, radius, around, from, lens).unwrap_or(from);
        }
        let middle = if self.joints.is_empty() { &self.others } else { &self.joints };
        let all = [&self.joints[..], &self.others].concat();
        frame_points(&all, radius, middle, from, lens).unwrap_or(from)
    }
}

fn framing_centre(subjects: &Subjects, reference: &Subject<'_>) -> Option<Vec3> {
    let followed = followed_node(subjects).map(|followed_node| followed_node.position);
    followed.or_else(|| root_position(reference).filter(|_| subjects.view.in_place))
}

fn root_position(subject: &Subject<'_>) -> Option<Vec3> {
    Some(subject.node_transform(subject.clip().root_motion_node()?)?.translation)
}

fn surrounding_points(visible: &[Subject<'_>], reference: &Subject<'_>, centre: Vec3) -> Vec<Vec3> {
    let subject_points = |subject: &Subject<'_>| {
        let own_root = root_position(subject).filter(|_| subject.entity != reference.entity);
        let (middle, staged) = (own_root.unwrap_or(centre), subject.staged);
        staged
            .bounds
            .around_root
            .iter()
            .map(|point| middle + staged.to_world_vector(*point))
            .collect::<Vec<_>>()
    };
    visible.iter().flat_map(subject_points).collect()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn home_orbit_turns_with_the_heading() {
        let yaw = |heading| {
            let joints = vec![Vec3::ZERO, Vec3::ONE];
            let stage_bounds =
                StageBounds { joints, heading, scale: 1.0, ..StageBounds::default() };
            stage_bounds.home_orbit(1.5).yaw - HOME_YAW
        };
        assert!(yaw(DVec3::NEG_Z).abs() < 1e-5);
        assert!(yaw(DVec3::ZERO).abs() < 1e-5);
        assert!((yaw(DVec3::NEG_X) - FRAC_PI_2).abs() < 1e-5);
    }
}
