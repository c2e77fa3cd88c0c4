//! The camera of the stage: orbits, flies, glides to where it is asked, or looks through the head.

mod ease;
mod everything;
mod fit;
mod follow;
mod head;
mod input;
mod moves;
mod turned;
mod zoom;

use bevy::{
    camera::visibility::RenderLayers, camera_controller::free_camera::FreeCamera,
    core_pipeline::tonemapping::Tonemapping, input::keyboard::NativeKeyCode,
    light::cluster::ClusterConfig, prelude::*,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{framing::Orbit, look::BACKGROUND, overlay::LINES_LAYER};
use turned::Turned;

pub(super) use fit::fit_viewport;
pub(super) use follow::go_along;
pub(super) use head::take_place;
pub(super) use input::steer;
pub(super) use moves::{glide, note_standpoint, obey_requests};
pub(super) use zoom::zoom_to_pointer;

/// Marks the camera that the stage draws with: a [`Camera3d`] on the primary window, unless its
/// entity has a [`RenderTarget`](bevy::camera::RenderTarget).
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct StageCamera;

/// The vertical field of view, in radians.
const FOV: f32 = 40.0 * std::f32::consts::PI / 180.0;

/// The near plane, in metres: close enough for a finger.
const NEAR: f32 = 0.01;

/// The camera's current move, and the owner of the pointer.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Rig {
    /// Where it is on its way to.
    glide: Option<moves::Glide>,
    /// Where it was put so that everything is seen, and for which aspect ratio of the viewport.
    framed: Option<(Orbit, f32)>,
    /// How it is turned besides orbiting.
    turned: Turned,
    /// Whether the buttons that are held, or the wheel, are the stage's.
    has_pointer: bool,
    /// Whether it flies.
    flies: bool,
    /// Whether it is being dragged, or has not yet come to rest after zooming.
    is_steered: bool,
}

impl Rig {
    /// Whether it is not at rest.
    pub(super) fn moves(&self) -> bool {
        self.glide.is_some() || self.flies || self.is_steered || self.turned.rolls()
    }
}

/// Sets up the camera.
pub(super) fn spawn(mut commands: Commands) {
    let camera = (
        StageCamera,
        Name::new("Stage camera"),
        Camera3d::default(),
        Camera { clear_color: ClearColorConfig::Custom(BACKGROUND), ..default() },
        Projection::Perspective(PerspectiveProjection { fov: FOV, near: NEAR, ..default() }),
        // The colour #5aa9ff is #5aa9ff on the screen: no tone mapping.
        Tonemapping::None,
        Msaa::Sample4,
        // There are no lights to be divided among parts of the picture.
        ClusterConfig::Single,
        RenderLayers::from_layers(&[0, LINES_LAYER]),
        Rig::default(),
        orbiting(),
        flying(),
    );
    commands.spawn(camera);
}

/// Follows the pointer without lag.
fn orbiting() -> PanOrbitCamera {
    PanOrbitCamera {
        orbit_smoothness: 0.0,
        pan_smoothness: 0.0,
        zoom_smoothness: 0.0,
        zoom_sensitivity: 0.5,
        button_pan: MouseButton::Middle,
        use_real_time: true,
        initialized: true,
        ..at(Orbit::default())
    }
}

fn flying() -> FreeCamera {
    let no_key = KeyCode::Unidentified(NativeKeyCode::Unidentified);
    FreeCamera {
        keyboard_key_toggle_cursor_grab: no_key,
        axis_top: no_key,
        axis_right: no_key,
        axis_front: no_key,
        scroll_factor: 0.1,
        ..default()
    }
}

fn at(orbit: Orbit) -> PanOrbitCamera {
    let mut controls = PanOrbitCamera::default();
    put(&mut controls, orbit);
    controls
}

/// Puts the camera there at once.
fn put(controls: &mut PanOrbitCamera, orbit: Orbit) {
    let Orbit { focus, yaw, pitch, radius } = orbit;
    (controls.focus, controls.target_focus) = (focus, focus);
    (controls.yaw, controls.target_yaw) = (Some(yaw), yaw);
    (controls.pitch, controls.target_pitch) = (Some(pitch), pitch);
    (controls.radius, controls.target_radius) = (Some(radius), radius);
    controls.force_update = true;
}

/// Where the controls are taking the camera.
fn target(controls: &PanOrbitCamera) -> Orbit {
    Orbit {
        focus: controls.target_focus,
        yaw: controls.target_yaw,
        pitch: controls.target_pitch,
        radius: controls.target_radius,
    }
}
