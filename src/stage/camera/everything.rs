//! Where all recordings on the stage are, and from where all of them are seen.

use std::f32::consts::PI;

use bevy::{math::DVec3, prelude::*};

use super::{FOV, follow::companion};
use crate::stage::{
    framing::{Lens, Orbit, frame},
    measure::places_between,
    overlay::LOOSE_AXIS_LENGTH,
    subject::{Staged, Subject, Subjects},
};
use mutoscope_core::measure::figure::LARGEST_JOINT;

/// Where everything is first seen from, in radians, turned with the person who was recorded.
const HOME_YAW: f32 = 150.0 * PI / 180.0;
const HOME_PITCH: f32 = 20.0 * PI / 180.0;

/// The bounds of what is on the stage, as points of the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Everything {
    /// Where joints go over the whole length.
    joints: Vec<Vec3>,
    /// Where everything else goes.
    others: Vec<Vec3>,
    /// The surroundings of what the camera follows, if it follows something; they are framed
    /// instead of the whole path.
    around: Option<Vec<Vec3>>,
    /// The direction that the reference mostly faces, or zero.
    heading: DVec3,
    /// How large the reference is over a hand.
    scale: f32,
    /// How far from its place a joint is drawn, at the size of a hand, in metres.
    joint: f32,
}

impl Everything {
    /// All that is on the stage.
    pub(super) fn of(subjects: &Subjects) -> Self {
        let Some(reference) = subjects.reference() else {
            return Self { scale: 1.0, joint: LARGEST_JOINT, ..Self::default() };
        };
        let bounds = &reference.staged.bounds;
        let visible: Vec<_> = subjects.iter().filter(Subject::is_visible).collect();
        let points = |of: fn(&Staged) -> &[DVec3]| -> Vec<Vec3> {
            let one = |subject: &Subject<'_>| {
                let staged = subject.staged;
                of(staged)
                    .iter()
                    .map(|place| staged.point(*place + staged.bounds.origin))
                    .collect::<Vec<_>>()
            };
            visible.iter().flat_map(one).collect()
        };
        Self {
            joints: points(|staged| &staged.bounds.joints),
            others: points(|staged| &staged.bounds.others),
            around: centre(subjects, &reference).map(|centre| around(&visible, &reference, centre)),
            heading: bounds.heading,
            scale: bounds.scale as f32,
            // Nodes without bones have axes, which are longer than a joint is thick.
            joint: match reference.clip().is_loose() {
                true => LOOSE_AXIS_LENGTH,
                false => LARGEST_JOINT,
            },
        }
    }

    /// The same between two times of the reference's clock: all of it, if nothing is visible then.
    pub(super) fn between(subjects: &Subjects, [from, to]: [f64; 2]) -> Self {
        let (mut joints, mut others) = (Vec::new(), Vec::new());
        for subject in subjects.iter().filter(Subject::is_visible) {
            let (staged, timing) = (subject.staged, subject.recording.timing());
            let times = [from, to].map(|time| subject.clip().span.clamp(timing.second(time)));
            let times = times[0].min(times[1])..=times[0].max(times[1]);
            let [of_joints, rest] = places_between(subject.clip(), &staged.bounds, times);
            joints.extend(of_joints.into_iter().map(|place| staged.point(place)));
            others.extend(rest.into_iter().map(|place| staged.point(place)));
        }
        let all = Self::of(subjects);
        let is_followed = all.around.is_some() && from < to;
        if is_followed || (joints.is_empty() && others.is_empty()) {
            return all;
        }
        Self { joints, others, around: None, ..all }
    }

    /// How large the reference is over a hand.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// The same, but where it goes over the whole length rather than what is around now.
    pub(super) fn where_it_goes(&self) -> Self {
        Self { around: None, ..self.clone() }
    }

    /// From where all of it is seen at first.
    pub(super) fn home(&self, aspect: f32) -> Orbit {
        let heading = self.heading;
        let turned =
            if heading == DVec3::ZERO { 0.0 } else { f64::atan2(-heading.x, -heading.z) as f32 };
        let from = Orbit { yaw: turned + HOME_YAW, pitch: HOME_PITCH, ..default() };
        self.seen_from(from, aspect)
    }

    /// From where all of it is seen in the direction of `from`.
    pub(super) fn seen_from(&self, from: Orbit, aspect: f32) -> Orbit {
        let lens = Lens { fov: FOV, aspect };
        let radius = self.joint * self.scale;
        if let Some(around) = &self.around {
            return frame(around, radius, around, from, lens).unwrap_or(from);
        }
        let middle = if self.joints.is_empty() { &self.others } else { &self.joints };
        let all = [&self.joints[..], &self.others].concat();
        frame(&all, radius, middle, from, lens).unwrap_or(from)
    }
}

/// The position of what the camera follows, or the root of the reference while root motion is
/// removed; nothing if things are where they are.
fn centre(subjects: &Subjects, reference: &Subject<'_>) -> Option<Vec3> {
    let followed = companion(subjects).map(|companion| companion.place);
    followed.or_else(|| root(reference).filter(|_| subjects.view.in_place))
}

fn root(subject: &Subject<'_>) -> Option<Vec3> {
    Some(subject.transform(subject.clip().root_motion_node()?)?.translation)
}

/// The places around `centre` in the reference, and around the roots in the others.
fn around(visible: &[Subject<'_>], reference: &Subject<'_>, centre: Vec3) -> Vec<Vec3> {
    let one = |subject: &Subject<'_>| {
        let own = root(subject).filter(|_| subject.entity != reference.entity);
        let (middle, staged) = (own.unwrap_or(centre), subject.staged);
        staged.bounds.around.iter().map(|place| middle + staged.vector(*place)).collect::<Vec<_>>()
    };
    visible.iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn home_turns_with_the_person() {
        let yaw = |heading| {
            let joints = vec![Vec3::ZERO, Vec3::ONE];
            let everything = Everything { joints, heading, scale: 1.0, ..Everything::default() };
            everything.home(1.5).yaw - HOME_YAW
        };
        assert!(yaw(DVec3::NEG_Z).abs() < 1e-5);
        assert!(yaw(DVec3::ZERO).abs() < 1e-5);
        assert!((yaw(DVec3::NEG_X) - FRAC_PI_2).abs() < 1e-5);
    }
}
