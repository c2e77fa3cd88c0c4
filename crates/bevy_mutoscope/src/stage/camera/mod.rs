//! The camera of the stage. It orbits, flies, glides to a requested orbit, or looks through the
//! recorded head.

mod ease;
mod fit;
mod follow;
mod head;
mod input;
mod moves;
mod orbit_space;
mod stage_bounds;
mod zoom;

use bevy::{
    camera::visibility::RenderLayers, camera_controller::free_camera::FreeCamera,
    core_pipeline::tonemapping::Tonemapping, input::keyboard::NativeKeyCode,
    light::cluster::ClusterConfig, prelude::*,
};
use bevy_panorbit_camera::PanOrbitCamera;

use super::{framing::Orbit, overlay::LINES_LAYER, theme::StageTheme};
use orbit_space::OrbitSpace;

pub(super) use fit::fit_viewport;
pub(super) use follow::follow_target;
pub(super) use head::update_transform;
pub(super) use input::route_input;
pub(super) use moves::{advance_glide, handle_requests, publish_pose};
pub(super) use zoom::zoom_to_pointer;

/// Marks the camera that the stage renders with: a [`Camera3d`] on the primary window, unless its
/// entity has a [`RenderTarget`](bevy::camera::RenderTarget).
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct StageCamera;

const FOV: f32 = 40.0 * std::f32::consts::PI / 180.0;

/// In metres. The user can look at a finger from this distance.
const NEAR_PLANE: f32 = 0.01;

#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct CameraState {
    glide: Option<moves::Glide>,
    /// The orbit that frames everything, and the aspect ratio of the viewport for which we computed
    /// it. `None` if the camera has moved away from this orbit.
    framed: Option<(Orbit, f32)>,
    orbit_space: OrbitSpace,
    has_pointer: bool,
    is_flying: bool,
    is_steered: bool,
}

impl CameraState {
    pub(super) fn is_moving(&self) -> bool {
        self.glide.is_some() || self.is_flying || self.is_steered || self.orbit_space.is_rolling()
    }
}

pub(super) fn spawn(mut commands: Commands) {
    let camera = (
        StageCamera,
        Name::new("Stage camera"),
        Camera3d::default(),
        Camera {
            clear_color: ClearColorConfig::Custom(StageTheme::default().colors().background),
            ..default()
        },
        Projection::Perspective(PerspectiveProjection { fov: FOV, near: NEAR_PLANE, ..default() }),
        // Disable tone mapping, so that the colour #5aa9ff is displayed as #5aa9ff.
        Tonemapping::None,
        Msaa::Sample4,
        // The scene has no lights that Bevy would have to assign to clusters.
        ClusterConfig::Single,
        RenderLayers::from_layers(&[0, LINES_LAYER]),
        CameraState::default(),
        orbit_controls(),
        fly_controls(),
    );
    commands.spawn(camera);
}

fn orbit_controls() -> PanOrbitCamera {
    PanOrbitCamera {
        orbit_smoothness: 0.0,
        pan_smoothness: 0.0,
        zoom_smoothness: 0.0,
        zoom_sensitivity: 0.5,
        button_pan: MouseButton::Middle,
        use_real_time: true,
        initialized: true,
        ..orbit_controls_at(Orbit::default())
    }
}

fn fly_controls() -> FreeCamera {
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

fn orbit_controls_at(orbit: Orbit) -> PanOrbitCamera {
    let mut controls = PanOrbitCamera::default();
    set_orbit(&mut controls, orbit);
    controls
}

fn set_orbit(controls: &mut PanOrbitCamera, orbit: Orbit) {
    let Orbit { focus, yaw, pitch, radius } = orbit;
    (controls.focus, controls.target_focus) = (focus, focus);
    (controls.yaw, controls.target_yaw) = (Some(yaw), yaw);
    (controls.pitch, controls.target_pitch) = (Some(pitch), pitch);
    (controls.radius, controls.target_radius) = (Some(radius), radius);
    controls.force_update = true;
}

fn target_orbit(controls: &PanOrbitCamera) -> Orbit {
    Orbit {
        focus: controls.target_focus,
        yaw: controls.target_yaw,
        pitch: controls.target_pitch,
        radius: controls.target_radius,
    }
}
