//! Handles requested camera moves.

use std::{
    cell::LazyCell,
    f32::consts::{FRAC_PI_2, PI},
};

use bevy::{prelude::*, time::Real};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{
    CameraState,
    ease::ease_progress,
    orbit_space::{OrbitSpace, return_to_upright},
    set_orbit,
    stage_bounds::StageBounds,
    target_orbit,
};
use crate::{
    Revision,
    stage::{
        AxisView, CameraPose, CameraRequest, StageScreen, framing::Orbit,
        motion_bounds::MotionBounds, subject::Subjects,
    },
};

/// The distance between the camera and a selected node, in metres, if the recording has the size of
/// a hand.
const SELECTION_DISTANCE: f32 = 0.3;

const DEFAULT_ASPECT: f32 = 16.0 / 9.0;

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

    pub(super) fn map_orbits(&mut self, to: impl Fn(&Orbit) -> Orbit) {
        (self.from, self.to) = (to(&self.from), to(&self.to));
    }

    /// Advances by `seconds` of real time. Returns the new orbit, and whether the move is complete.
    fn advance(&mut self, seconds: f32) -> (Orbit, bool) {
        self.elapsed += seconds;
        let (part, arrived) = ease_progress(self.elapsed);
        (self.from.towards(&self.to, part), arrived)
    }
}

pub(in crate::stage) fn advance_glide(
    mut camera: Single<(&mut PanOrbitCamera, &mut CameraState)>,
    time: Res<Time<Real>>,
) {
    let (controls, camera_state) = &mut *camera;
    camera_state.orbit_space.advance_roll(time.delta_secs());
    let Some(mut glide) = camera_state.glide else { return };
    let (orbit, arrived) = glide.advance(time.delta_secs());
    camera_state.glide = (!arrived).then_some(glide);
    set_orbit(controls, orbit);
}

pub(in crate::stage) fn handle_requests(
    mut requests: MessageReader<CameraRequest>,
    mut camera: Single<(&Camera, &mut PanOrbitCamera, &mut CameraState)>,
    mut last_framed: Local<Option<(Revision, MotionBounds)>>,
    subjects: Subjects,
) {
    let (camera, controls, camera_state) = &mut *camera;
    let aspect = aspect_ratio(camera);
    let stage_bounds = LazyCell::new(|| StageBounds::from_subjects(&subjects));
    if let Some(subject) = subjects.reference() {
        let (revision, bounds) = (subject.recording.revision(), &subject.staged.bounds);
        if last_framed.as_ref().is_none_or(|(last_revision, _)| *last_revision != revision) {
            if last_framed.as_ref().is_none_or(|(_, before)| needs_reframing(before, bounds)) {
                jump_to_framed(controls, camera_state, stage_bounds.home_orbit(aspect), aspect);
                limit_zoom(controls, &stage_bounds, aspect);
            }
            *last_framed = Some((revision, bounds.clone()));
        }
    }
    for request in requests.read() {
        let selected = selected_node(&subjects);
        // Rotate the camera upright, unless the request frames a selected node. That request keeps
        // the current direction.
        if *request != CameraRequest::FrameSelected || selected.is_none() {
            return_to_upright(controls, camera_state);
        }
        let now = camera_state.glide.map_or(target_orbit(controls), |glide| glide.to);
        let to = match *request {
            CameraRequest::FrameAll { at_once: true } => {
                jump_to_framed(controls, camera_state, stage_bounds.home_orbit(aspect), aspect);
                continue;
            }
            CameraRequest::FrameTimes { from, to } => {
                let stage_bounds = StageBounds::between_times(&subjects, [from, to]);
                jump_to_framed(controls, camera_state, stage_bounds.home_orbit(aspect), aspect);
                continue;
            }
            CameraRequest::FrameAll { at_once: false } => stage_bounds.home_orbit(aspect),
            CameraRequest::FrameSelected => match selected {
                Some((focus, scale)) => Orbit { focus, radius: SELECTION_DISTANCE * scale, ..now },
                None => stage_bounds.home_orbit(aspect),
            },
            CameraRequest::LookAlong(axis) => orbit_along_axis(axis, now),
            CameraRequest::LookFrom(camera_pose) => {
                set_orbit(
                    controls,
                    orbit_from_pose(&camera_pose, &stage_bounds, &subjects, aspect),
                );
                (camera_state.glide, camera_state.framed, camera_state.orbit_space) =
                    (None, None, OrbitSpace::default());
                continue;
            }
        };
        camera_state.glide = Some(Glide::new(target_orbit(controls), to));
        let sees_all = to == stage_bounds.home_orbit(aspect);
        camera_state.framed = sees_all.then_some((to, aspect));
    }
    keep_framed(controls, camera_state, || stage_bounds.home_orbit(aspect), aspect);
}

fn keep_framed(
    controls: &mut PanOrbitCamera,
    camera_state: &mut CameraState,
    home: impl Fn() -> Orbit,
    aspect: f32,
) {
    if let Some((framed, for_aspect)) = camera_state.framed
        && camera_state.glide.is_none()
        && for_aspect != aspect
    {
        if is_same_orbit(&framed, &target_orbit(controls)) {
            jump_to_framed(controls, camera_state, home(), aspect);
        } else {
            camera_state.framed = None;
        }
    }
}

fn jump_to_framed(
    controls: &mut PanOrbitCamera,
    camera_state: &mut CameraState,
    orbit: Orbit,
    aspect: f32,
) {
    set_orbit(controls, orbit);
    (camera_state.glide, camera_state.orbit_space) = (None, OrbitSpace::default());
    camera_state.framed = Some((orbit, aspect));
}

fn is_same_orbit(a: &Orbit, b: &Orbit) -> bool {
    a.focus.abs_diff_eq(b.focus, 1e-4)
        && (a.yaw - b.yaw).abs() + (a.pitch - b.pitch).abs() < 1e-4
        && (a.radius - b.radius).abs() < 1e-3 * a.radius
}

fn limit_zoom(controls: &mut PanOrbitCamera, stage_bounds: &StageBounds, aspect: f32) {
    controls.zoom_lower_limit = 0.05 * stage_bounds.scale();
    controls.zoom_upper_limit =
        Some(20.0 * stage_bounds.without_followed_surroundings().home_orbit(aspect).radius);
}

/// Returns `true` if a camera that frames `before` may not show all of `now`. Otherwise the camera
/// stays, for example if a file is reloaded or replaced by another take of the same motion.
fn needs_reframing(before: &MotionBounds, now: &MotionBounds) -> bool {
    let [[min, max], [min_now, max_now]] = [before.bounds(), now.bounds()];
    let tolerance = 0.25 * (max - min).length();
    before.origin != now.origin
        || min.distance(min_now) > tolerance
        || max.distance(max_now) > tolerance
}

fn orbit_from_pose(
    from: &CameraPose,
    stage_bounds: &StageBounds,
    subjects: &Subjects,
    aspect: f32,
) -> Orbit {
    let [yaw, pitch] = [from.yaw, from.pitch].map(f32::to_radians);
    let all = stage_bounds.orbit_from_direction(Orbit { yaw, pitch, ..default() }, aspect);
    let reference = subjects.reference().map(|subject| subject.staged);
    let middle = from.middle.zip(reference).map(|(middle, staged)| staged.to_world(middle));
    Orbit { focus: middle.unwrap_or(all.focus), radius: from.distance.unwrap_or(all.radius), ..all }
}

pub(in crate::stage) fn publish_pose(
    camera: Single<(&PanOrbitCamera, &CameraState)>,
    subjects: Subjects,
    mut screen: ResMut<StageScreen>,
) {
    let (controls, camera_state) = *camera;
    let reference = subjects.reference().map(|subject| subject.staged);
    let orbit = camera_state.glide.map_or(target_orbit(controls), |glide| glide.to);
    let sees_all = camera_state.framed.is_some_and(|(framed, _)| is_same_orbit(&framed, &orbit));
    let Orbit { focus, yaw, pitch, radius } = camera_state.orbit_space.upright_orbit(orbit);
    let camera_pose = CameraPose {
        yaw: yaw.to_degrees().rem_euclid(360.0),
        pitch: pitch.to_degrees(),
        distance: Some(radius),
        middle: Some(reference.map_or(focus.as_dvec3(), |staged| staged.to_recorded(focus))),
    };
    if (screen.camera_pose, screen.frames_all) != (camera_pose, sees_all) {
        (screen.camera_pose, screen.frames_all) = (camera_pose, sees_all);
    }
}

fn orbit_along_axis(axis: AxisView, now: Orbit) -> Orbit {
    let (yaw, pitch) = match axis {
        AxisView::Front => (PI, 0.0),
        AxisView::Right => (FRAC_PI_2, 0.0),
        AxisView::Top => (0.0, FRAC_PI_2),
    };
    Orbit { yaw, pitch, ..now }
}

fn selected_node(subjects: &Subjects) -> Option<(Vec3, f32)> {
    let selected = subjects.view.selected?;
    let subject = subjects.get(selected.recording)?;
    let position = subject.node_transform(selected.node)?.translation;
    Some((position, subject.staged.bounds.scale as f32))
}

fn aspect_ratio(camera: &Camera) -> f32 {
    let size = camera.physical_viewport_size().unwrap_or_default();
    if size.min_element() > 0 { size.x as f32 / size.y as f32 } else { DEFAULT_ASPECT }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::stage::camera::ease::GLIDE_DURATION_S;

    #[test]
    fn glide_eases_and_arrives() {
        let to = Orbit { focus: Vec3::X, yaw: 1.0, pitch: 0.5, radius: 2.0 };
        let mut glide = Glide::new(Orbit::default(), to);
        let steps: Vec<_> = (0..6).map(|_| glide.advance(GLIDE_DURATION_S / 5.0)).collect();
        let positions: Vec<f32> = steps.iter().map(|(orbit, _)| orbit.focus.x).collect();
        assert!(positions.windows(2).all(|pair| pair[0] <= pair[1]), "{positions:?}");
        assert!(positions[0] < 0.2 && positions[3] > 0.8, "slow at both ends: {positions:?}");
        assert_eq!(steps.iter().position(|(_, arrived)| *arrived), Some(4));
        assert!(is_same_orbit(&steps[4].0, &to));
    }

    #[test]
    fn camera_stays_for_another_recording_at_the_same_position() {
        let bounds = |x: f64| MotionBounds {
            joints: vec![DVec3::ZERO, DVec3::new(x, 1.0, 0.0)],
            ..MotionBounds::default()
        };
        assert!(!needs_reframing(&bounds(1.0), &bounds(1.2)));
        assert!(needs_reframing(&bounds(1.0), &bounds(2.0)));
    }
}
