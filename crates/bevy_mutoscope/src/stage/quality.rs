//! Chooses between smooth edges and smooth motion, because without a graphics card there is not
//! enough time for both.

use bevy::{
    light::cluster::GlobalClusterSettings, prelude::*, render::renderer::RenderAdapterInfo,
    window::RequestRedraw,
};

use super::{
    StageCamera,
    camera::CameraState,
    shaders::{ShaderWait, ShadersPending},
};
use crate::PlaybackClock;

#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct SoftwareRendering(bool);

pub(super) fn detect_software_rendering(
    mut commands: Commands,
    driver: Option<Res<RenderAdapterInfo>>,
) {
    // Compare the debug output of the device type, because Bevy does not re-export the type.
    let software_rendering =
        driver.is_some_and(|driver| format!("{:?}", driver.device_type) == "Cpu");
    commands.insert_resource(SoftwareRendering(software_rendering));
}

/// Disables the compute shaders that assign lights to clusters, because the stage has no lights.
/// Mesa's software driver (22.3) would recompile the shaders in every frame and leak a megabyte
/// each time.
pub(super) fn disable_light_clustering(settings: Option<ResMut<GlobalClusterSettings>>) {
    if let Some(mut settings) = settings {
        settings.gpu_clustering = None;
    }
}

pub(super) fn choose_anti_aliasing(
    mut camera: Single<(&mut Msaa, &CameraState), With<StageCamera>>,
    clocks: Query<&PlaybackClock>,
    software_rendering: Res<SoftwareRendering>,
) {
    let (anti_aliasing, camera_state) = &mut *camera;
    let is_moving = camera_state.is_moving() || clocks.iter().any(|clock| clock.is_running());
    let wanted = if software_rendering.0 && is_moving { Msaa::Off } else { Msaa::Sample4 };
    anti_aliasing.set_if_neq(wanted);
}

/// After anti-aliasing has changed, the number of missing shaders is known only after this number
/// of frames, because the renderer is a frame behind.
const SHADER_CHECK_FRAMES: u8 = 3;

/// Requests another frame if the camera moves or if the current frame is incomplete. Otherwise an
/// app that draws only on events would stop before the move or the frame is complete.
pub(super) fn request_redraw_while_moving(
    mut redraw: MessageWriter<RequestRedraw>,
    mut frames: Local<u8>,
    mut shader_wait: Local<ShaderWait>,
    time: Res<Time<Real>>,
    camera: Single<(&CameraState, Ref<Msaa>), With<StageCamera>>,
    shaders: Res<ShadersPending>,
) {
    let (camera_state, anti_aliasing) = &*camera;
    *frames =
        if anti_aliasing.is_changed() { SHADER_CHECK_FRAMES } else { frames.saturating_sub(1) };
    let is_waiting = shader_wait.should_wait(shaders.count(), time.elapsed_secs_f64());
    if camera_state.is_moving() || *frames > 0 || is_waiting {
        redraw.write(RequestRedraw);
    }
}
