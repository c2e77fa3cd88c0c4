//! Smooth edges, or a smooth motion: without a graphics card there is not time for both.

use bevy::{
    light::cluster::GlobalClusterSettings, prelude::*, render::renderer::RenderAdapterInfo,
    window::RequestRedraw,
};

use super::{
    StageCamera,
    camera::Rig,
    shaders::{Patience, ShadersPending},
};
use crate::recording::PlaybackClock;

/// Whether frames are drawn in software.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct DrawsInSoftware(bool);

/// Finds out, when the app starts.
pub(super) fn look_at_driver(mut commands: Commands, driver: Option<Res<RenderAdapterInfo>>) {
    // The type has no name here: Bevy does not pass it on.
    let in_software = driver.is_some_and(|driver| format!("{:?}", driver.device_type) == "Cpu");
    commands.insert_resource(DrawsInSoftware(in_software));
}

/// Keeps compute shaders from looking for lights: there are none. Mesa's driver in software (22.3) would
/// recompile them in every frame and never free that, a megabyte each time.
pub(super) fn look_for_no_lights(settings: Option<ResMut<GlobalClusterSettings>>) {
    if let Some(mut settings) = settings {
        settings.gpu_clustering = None;
    }
}

/// Turns anti-aliasing off while something moves, if it would take too long; at rest it is on.
pub(super) fn choose_smoothness(
    mut camera: Single<(&mut Msaa, &Rig), With<StageCamera>>,
    clocks: Query<&PlaybackClock>,
    in_software: Res<DrawsInSoftware>,
) {
    let (smoothness, rig) = &mut *camera;
    let moves = rig.moves() || clocks.iter().any(|clock| clock.is_running());
    let wanted = if in_software.0 && moves { Msaa::Off } else { Msaa::Sample4 };
    smoothness.set_if_neq(wanted);
}

/// After a change of smoothness it takes this many frames until it is known whether shaders are
/// missing: the renderer is a frame behind.
const UNTIL_KNOWN: u8 = 3;

/// Asks for another frame while the camera is on its way, or the frame is incomplete: an app at
/// rest would stop there.
pub(super) fn keep_moving(
    mut redraw: MessageWriter<RequestRedraw>,
    (mut frames, mut patience): (Local<u8>, Local<Patience>),
    time: Res<Time<Real>>,
    camera: Single<(&Rig, Ref<Msaa>), With<StageCamera>>,
    shaders: Res<ShadersPending>,
) {
    let (rig, smoothness) = &*camera;
    *frames = if smoothness.is_changed() { UNTIL_KNOWN } else { frames.saturating_sub(1) };
    let waits = patience.waits(shaders.count(), time.elapsed_secs_f64());
    if rig.moves() || *frames > 0 || waits {
        redraw.write(RequestRedraw);
    }
}
