//! Moves that somebody asked for.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::{math::DVec3, prelude::*, time::Real};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{
    FOV, Rig,
    follow::companion,
    put, target,
    turned::{Turned, come_upright},
};
use crate::{
    player::Player,
    stage::{
        AxisView, CameraRequest, StageScreen, Staged, Standpoint, Survey, View,
        beside::Beside,
        framing::{Lens, Orbit, frame},
        skeleton::LARGEST_JOINT,
    },
};

/// How long a move takes, in seconds.
const GLIDE_SECS: f32 = 0.15;

/// Where everything is first seen from, in radians, turned with the person who was recorded.
const HOME_YAW: f32 = 150.0 * PI / 180.0;
const HOME_PITCH: f32 = 20.0 * PI / 180.0;

/// How far from a selected node the camera goes, in metres, at the size of a hand.
const NEARBY: f32 = 0.3;

/// The picture's width over its height before it is known.
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

/// Which part of the way is behind a move that began some seconds ago, and whether it is all of it.
pub(super) fn eased(seconds: f32) -> (f32, bool) {
    let part = (seconds / GLIDE_SECS).min(1.0);
    (part * part * (3.0 - 2.0 * part), part == 1.0)
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

/// Does what was asked, and looks at another recording when there is one.
pub(in crate::stage) fn obey_requests(
    mut requests: MessageReader<CameraRequest>,
    mut camera: Single<(&Camera, &mut PanOrbitCamera, &mut Rig)>,
    mut seen: Local<Option<Survey>>,
    player: Res<Player>,
    view: Res<View>,
    (staged, beside): (Res<Staged>, Res<Beside>),
) {
    let (camera, controls, rig) = &mut *camera;
    let survey = &staged.survey;
    let aspect = aspect(camera);
    let with = centre(&player, &view, &staged);
    let scene = Scene { survey, with, beside: &beside };

    if staged.is_changed() && player.clip().is_some() {
        if seen.as_ref().is_none_or(|before| moves_elsewhere(before, survey)) {
            arrive(controls, rig, home(&scene, aspect), aspect);
            limit_zoom(controls, &scene, aspect);
        }
        *seen = Some(survey.clone());
    }
    for request in requests.read() {
        let selected = selected(&player, &view, &staged);
        // Only what is selected is looked at from where the camera is turned to; all else is upright.
        if *request != CameraRequest::FrameSelected || selected.is_none() {
            come_upright(controls, rig);
        }
        let now = rig.glide.map_or(target(controls), |glide| glide.to);
        let to = match *request {
            CameraRequest::FrameAll { at_once: true } => {
                arrive(controls, rig, home(&scene, aspect), aspect);
                continue;
            }
            CameraRequest::FrameAll { at_once: false } => home(&scene, aspect),
            CameraRequest::FrameSelected => match selected {
                Some(focus) => Orbit { focus, radius: NEARBY * survey.scale as f32, ..now },
                None => home(&scene, aspect),
            },
            CameraRequest::LookAlong(axis) => along(axis, now),
            CameraRequest::LookFrom(standpoint) => {
                put(controls, orbit(&standpoint, &scene, &staged, aspect));
                (rig.glide, rig.framed, rig.turned) = (None, None, Turned::default());
                continue;
            }
        };
        rig.glide = Some(Glide::new(target(controls), to));
        let sees_all = to == home(&scene, aspect);
        rig.framed = sees_all.then_some((to, aspect));
    }
    keep_framed(controls, rig, &scene, aspect);
}

/// While nobody moves the camera away from where it sees everything, it goes on seeing everything
/// when the picture changes its shape.
fn keep_framed(controls: &mut PanOrbitCamera, rig: &mut Rig, scene: &Scene<'_>, aspect: f32) {
    if let Some((framed, for_aspect)) = rig.framed
        && rig.glide.is_none()
        && for_aspect != aspect
    {
        if same(&framed, &target(controls)) {
            arrive(controls, rig, home(scene, aspect), aspect);
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

fn limit_zoom(controls: &mut PanOrbitCamera, scene: &Scene<'_>, aspect: f32) {
    controls.zoom_lower_limit = 0.05 * scene.survey.scale as f32;
    let everything = home(&Scene { with: None, ..*scene }, aspect);
    controls.zoom_upper_limit = Some(20.0 * everything.radius);
}

/// Whether somebody who looks at `before` would not see `now`. A file that is read again, or
/// another take of the same, leaves the camera where it is.
fn moves_elsewhere(before: &Survey, now: &Survey) -> bool {
    let [[least, most], [least_now, most_now]] = [before.bounds(), now.bounds()];
    let tolerance = 0.25 * (most - least).length();
    before.origin != now.origin
        || least.distance(least_now) > tolerance
        || most.distance(most_now) > tolerance
}

/// What there is to see.
#[derive(Clone, Copy, Debug)]
struct Scene<'a> {
    survey: &'a Survey,
    /// Around what, if not where everything goes.
    with: Option<Vec3>,
    /// Where a second recording is that is seen with the first.
    beside: &'a Beside,
}

/// Where that is around which everything is: what the camera goes along with, or what carries the
/// recording while that stays in place; nothing if things are where they are.
fn centre(player: &Player, view: &View, staged: &Staged) -> Option<Vec3> {
    let with = companion(player, view, staged).map(|companion| companion.place);
    with.or_else(|| {
        let carrier = player.clip().filter(|_| view.in_place)?.carrier()?;
        let node = player.pose().nodes.get(carrier.index())?;
        node.world.is_finite().then(|| staged.place(&node.world).translation)
    })
}

/// From where everything is seen, or everything around what the camera goes along with.
fn home(scene: &Scene<'_>, aspect: f32) -> Orbit {
    let heading = scene.survey.heading;
    let turned =
        if heading == DVec3::ZERO { 0.0 } else { f64::atan2(-heading.x, -heading.z) as f32 };
    all_from(scene, Orbit { yaw: turned + HOME_YAW, pitch: HOME_PITCH, ..default() }, aspect)
}

/// The same in the direction of `from`.
fn all_from(Scene { survey, with, beside }: &Scene<'_>, from: Orbit, aspect: f32) -> Orbit {
    let lens = Lens { fov: FOV, aspect };
    let radius = LARGEST_JOINT * survey.scale as f32;
    if let Some(with) = with {
        let first = survey.around.iter().map(|place| place.as_vec3());
        let all: Vec<_> = first.chain(beside.around()).map(|place| *with + place).collect();
        return frame(&all, radius, &all, from, lens).unwrap_or(from);
    }
    let [joints, others] = [&survey.joints, &survey.others]
        .map(|places| places.iter().map(|place| place.as_vec3()).collect::<Vec<_>>());
    let around = if joints.is_empty() { &others } else { &joints };
    let mut all = [&joints[..], &others].concat();
    all.extend(beside.places());
    frame(&all, radius, around, from, lens).unwrap_or(from)
}

/// The orbit of a camera that stands there.
fn orbit(from: &Standpoint, scene: &Scene<'_>, staged: &Staged, aspect: f32) -> Orbit {
    let [yaw, pitch] = [from.yaw, from.pitch].map(f32::to_radians);
    let all = all_from(scene, Orbit { yaw, pitch, ..default() }, aspect);
    Orbit {
        focus: from.middle.map_or(all.focus, |middle| staged.on_stage(middle)),
        radius: from.distance.unwrap_or(all.radius),
        ..all
    }
}

/// Tells others where the camera is, or is on its way to.
pub(in crate::stage) fn note_standpoint(
    camera: Single<(&PanOrbitCamera, &Rig)>,
    staged: Res<Staged>,
    mut screen: ResMut<StageScreen>,
) {
    let (controls, rig) = *camera;
    let orbit = rig.glide.map_or(target(controls), |glide| glide.to);
    let sees_all = rig.framed.is_some_and(|(framed, _)| same(&framed, &orbit));
    let Orbit { focus, yaw, pitch, radius } = rig.turned.seen_upright(orbit);
    let standpoint = Standpoint {
        yaw: yaw.to_degrees().rem_euclid(360.0),
        pitch: pitch.to_degrees(),
        distance: Some(radius),
        middle: Some(staged.off_stage(focus)),
    };
    if (screen.standpoint, screen.sees_all) != (standpoint, sees_all) {
        (screen.standpoint, screen.sees_all) = (standpoint, sees_all);
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

/// Where the selected node is.
fn selected(player: &Player, view: &View, staged: &Staged) -> Option<Vec3> {
    let node = player.pose().nodes.get(view.selected?.index())?;
    node.world.is_finite().then(|| staged.place(&node.world).translation)
}

fn aspect(camera: &Camera) -> f32 {
    let size = camera.physical_viewport_size().unwrap_or_default();
    if size.min_element() > 0 { size.x as f32 / size.y as f32 } else { USUAL_ASPECT }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn another_recording_at_the_same_place_keeps_the_camera() {
        let survey = |x: f64| Survey {
            joints: vec![DVec3::ZERO, DVec3::new(x, 1.0, 0.0)],
            ..Survey::default()
        };
        assert!(!moves_elsewhere(&survey(1.0), &survey(1.2)));
        assert!(moves_elsewhere(&survey(1.0), &survey(2.0)));
    }

    #[test]
    fn home_turns_with_the_person() {
        let facing = |heading| Survey {
            joints: vec![DVec3::ZERO, DVec3::ONE],
            heading,
            ..Survey::default()
        };
        let yaw = |heading| {
            home(&Scene { survey: &facing(heading), with: None, beside: &Beside::default() }, 1.5)
                .yaw
                - HOME_YAW
        };
        assert!(yaw(DVec3::NEG_Z).abs() < 1e-5);
        assert!(yaw(DVec3::ZERO).abs() < 1e-5);
        assert!((yaw(DVec3::NEG_X) - FRAC_PI_2).abs() < 1e-5);
    }
}
