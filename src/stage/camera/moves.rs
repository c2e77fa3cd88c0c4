//! Requested camera moves.

use std::{
    cell::LazyCell,
    f32::consts::{FRAC_PI_2, PI},
};

use bevy::{prelude::*, time::Real};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{
    Rig,
    ease::eased,
    everything::Everything,
    put, target,
    turned::{Turned, come_upright},
};
use crate::{
    recording::Revision,
    stage::{
        AxisView, CameraPose, CameraRequest, StageScreen, framing::Orbit,
        motion_bounds::MotionBounds, subject::Subjects,
    },
};

/// How far from a selected node the camera goes, in metres, at the size of a hand.
const NEARBY: f32 = 0.3;

/// The viewport's aspect ratio before it is known.
const USUAL_ASPECT: f32 = 16.0 / 9.0;

/// The camera on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::stage) struct Glide {
    from: Orbit,
    to: Orbit,
    elapsed: f32,
}

impl Glide {
    pub(super) fn new(from: Orbit, to: Orbit) -> Self {
        Self { from, to, elapsed: 0.0 }
    }

    /// Comes from somewhere else and goes somewhere else.
    pub(super) fn change(&mut self, to: impl Fn(&Orbit) -> Orbit) {
        (self.from, self.to) = (to(&self.from), to(&self.to));
    }

    /// Goes on by some seconds of real time: where it is then, and whether it has arrived.
    fn advance(&mut self, seconds: f32) -> (Orbit, bool) {
        self.elapsed += seconds;
        let (part, arrived) = eased(self.elapsed);
        (self.from.towards(&self.to, part), arrived)
    }
}

/// Moves the camera on its way, if it is on one.
pub(in crate::stage) fn glide(
    mut camera: Single<(&mut PanOrbitCamera, &mut Rig)>,
    time: Res<Time<Real>>,
) {
    let (controls, rig) = &mut *camera;
    rig.turned.ease(time.delta_secs());
    let Some(mut glide) = rig.glide else { return };
    let (orbit, arrived) = glide.advance(time.delta_secs());
    rig.glide = (!arrived).then_some(glide);
    put(controls, orbit);
}

/// Carries out requests, and frames another reference when there is one.
pub(in crate::stage) fn obey_requests(
    mut requests: MessageReader<CameraRequest>,
    mut camera: Single<(&Camera, &mut PanOrbitCamera, &mut Rig)>,
    mut seen: Local<Option<(Revision, MotionBounds)>>,
    subjects: Subjects,
) {
    let (camera, controls, rig) = &mut *camera;
    let aspect = aspect(camera);
    let everything = LazyCell::new(|| Everything::of(&subjects));
    if let Some(subject) = subjects.reference() {
        let (revision, bounds) = (subject.recording.revision(), &subject.staged.bounds);
        if seen.as_ref().is_none_or(|(of, _)| *of != revision) {
            if seen.as_ref().is_none_or(|(_, before)| moves_elsewhere(before, bounds)) {
                arrive(controls, rig, everything.home(aspect), aspect);
                limit_zoom(controls, &everything, aspect);
            }
            *seen = Some((revision, bounds.clone()));
        }
    }
    for request in requests.read() {
        let selected = selected(&subjects);
        // Only what is selected is looked at from where the camera is turned to; all else is upright.
        if *request != CameraRequest::FrameSelected || selected.is_none() {
            come_upright(controls, rig);
        }
        let now = rig.glide.map_or(target(controls), |glide| glide.to);
        let to = match *request {
            CameraRequest::FrameAll { at_once: true } => {
                arrive(controls, rig, everything.home(aspect), aspect);
                continue;
            }
            CameraRequest::FrameTimes { from, to } => {
                let seen = Everything::between(&subjects, [from, to]);
                arrive(controls, rig, seen.home(aspect), aspect);
                continue;
            }
            CameraRequest::FrameAll { at_once: false } => everything.home(aspect),
            CameraRequest::FrameSelected => match selected {
                Some((focus, scale)) => Orbit { focus, radius: NEARBY * scale, ..now },
                None => everything.home(aspect),
            },
            CameraRequest::LookAlong(axis) => along(axis, now),
            CameraRequest::LookFrom(camera_pose) => {
                put(controls, orbit(&camera_pose, &everything, &subjects, aspect));
                (rig.glide, rig.framed, rig.turned) = (None, None, Turned::default());
                continue;
            }
        };
        rig.glide = Some(Glide::new(target(controls), to));
        let sees_all = to == everything.home(aspect);
        rig.framed = sees_all.then_some((to, aspect));
    }
    keep_framed(controls, rig, || everything.home(aspect), aspect);
}

/// Until the user moves the camera, it keeps framing everything when the viewport is resized.
fn keep_framed(
    controls: &mut PanOrbitCamera,
    rig: &mut Rig,
    home: impl Fn() -> Orbit,
    aspect: f32,
) {
    if let Some((framed, for_aspect)) = rig.framed
        && rig.glide.is_none()
        && for_aspect != aspect
    {
        if same(&framed, &target(controls)) {
            arrive(controls, rig, home(), aspect);
        } else {
            rig.framed = None;
        }
    }
}

fn arrive(controls: &mut PanOrbitCamera, rig: &mut Rig, orbit: Orbit, aspect: f32) {
    put(controls, orbit);
    (rig.glide, rig.turned) = (None, Turned::default());
    rig.framed = Some((orbit, aspect));
}

fn same(a: &Orbit, b: &Orbit) -> bool {
    a.focus.abs_diff_eq(b.focus, 1e-4)
        && (a.yaw - b.yaw).abs() + (a.pitch - b.pitch).abs() < 1e-4
        && (a.radius - b.radius).abs() < 1e-3 * a.radius
}

fn limit_zoom(controls: &mut PanOrbitCamera, everything: &Everything, aspect: f32) {
    controls.zoom_lower_limit = 0.05 * everything.scale();
    controls.zoom_upper_limit = Some(20.0 * everything.where_it_goes().home(aspect).radius);
}

/// Whether a camera that frames `before` would not show `now`. A file that is read again, or
/// another take of the same, leaves the camera where it is.
fn moves_elsewhere(before: &MotionBounds, now: &MotionBounds) -> bool {
    let [[least, most], [least_now, most_now]] = [before.bounds(), now.bounds()];
    let tolerance = 0.25 * (most - least).length();
    before.origin != now.origin
        || least.distance(least_now) > tolerance
        || most.distance(most_now) > tolerance
}

/// The orbit of a camera with this pose.
fn orbit(from: &CameraPose, everything: &Everything, subjects: &Subjects, aspect: f32) -> Orbit {
    let [yaw, pitch] = [from.yaw, from.pitch].map(f32::to_radians);
    let all = everything.seen_from(Orbit { yaw, pitch, ..default() }, aspect);
    let reference = subjects.reference().map(|subject| subject.staged);
    let middle = from.middle.zip(reference).map(|(middle, staged)| staged.point(middle));
    Orbit { focus: middle.unwrap_or(all.focus), radius: from.distance.unwrap_or(all.radius), ..all }
}

/// Publishes where the camera is, or is moving to.
pub(in crate::stage) fn note_standpoint(
    camera: Single<(&PanOrbitCamera, &Rig)>,
    subjects: Subjects,
    mut screen: ResMut<StageScreen>,
) {
    let (controls, rig) = *camera;
    let reference = subjects.reference().map(|subject| subject.staged);
    let orbit = rig.glide.map_or(target(controls), |glide| glide.to);
    let sees_all = rig.framed.is_some_and(|(framed, _)| same(&framed, &orbit));
    let Orbit { focus, yaw, pitch, radius } = rig.turned.seen_upright(orbit);
    let camera_pose = CameraPose {
        yaw: yaw.to_degrees().rem_euclid(360.0),
        pitch: pitch.to_degrees(),
        distance: Some(radius),
        middle: Some(reference.map_or(focus.as_dvec3(), |staged| staged.recorded(focus))),
    };
    if (screen.camera_pose, screen.sees_all) != (camera_pose, sees_all) {
        (screen.camera_pose, screen.sees_all) = (camera_pose, sees_all);
    }
}

fn along(axis: AxisView, now: Orbit) -> Orbit {
    let (yaw, pitch) = match axis {
        AxisView::Front => (PI, 0.0),
        AxisView::Right => (FRAC_PI_2, 0.0),
        AxisView::Top => (0.0, FRAC_PI_2),
    };
    Orbit { yaw, pitch, ..now }
}

/// Where the selected node is, and how large its recording is over a hand.
fn selected(subjects: &Subjects) -> Option<(Vec3, f32)> {
    let selected = subjects.view.selected?;
    let subject = subjects.get(selected.recording)?;
    let place = subject.transform(selected.node)?.translation;
    Some((place, subject.staged.bounds.scale as f32))
}

fn aspect(camera: &Camera) -> f32 {
    let size = camera.physical_viewport_size().unwrap_or_default();
    if size.min_element() > 0 { size.x as f32 / size.y as f32 } else { USUAL_ASPECT }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::stage::camera::ease::GLIDE_SECS;

    #[test]
    fn a_glide_eases_and_arrives() {
        let to = Orbit { focus: Vec3::X, yaw: 1.0, pitch: 0.5, radius: 2.0 };
        let mut glide = Glide::new(Orbit::default(), to);
        let steps: Vec<_> = (0..6).map(|_| glide.advance(GLIDE_SECS / 5.0)).collect();
        let ways: Vec<f32> = steps.iter().map(|(orbit, _)| orbit.focus.x).collect();
        assert!(ways.windows(2).all(|pair| pair[0] <= pair[1]), "{ways:?}");
        assert!(ways[0] < 0.2 && ways[3] > 0.8, "slow at both ends: {ways:?}");
        assert_eq!(steps.iter().position(|(_, arrived)| *arrived), Some(4));
        assert!(same(&steps[4].0, &to));
    }

    #[test]
    fn camera_is_kept_for_another_recording_at_the_same_place() {
        let survey = |x: f64| MotionBounds {
            joints: vec![DVec3::ZERO, DVec3::new(x, 1.0, 0.0)],
            ..MotionBounds::default()
        };
        assert!(!moves_elsewhere(&survey(1.0), &survey(1.2)));
        assert!(moves_elsewhere(&survey(1.0), &survey(2.0)));
    }
}
