//! Waits until shaders are compiled.
//!
//! Bevy draws nothing with a shader that is still being compiled. An idle app would not draw again
//! when the shader is ready, so parts would be missing until the user does something.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

#[derive(Resource, Clone, Debug, Default)]
pub(super) struct ShadersPending(Arc<AtomicUsize>);

impl ShadersPending {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Decides how long to wait for shaders. In a browser, some shaders that Bevy requests never become
/// ready. The wait therefore ends if the number of waiting shaders does not change for a while.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShaderWait {
    /// The number of waiting pipelines, and the time in seconds at which this number was first
    /// seen.
    since: Option<(usize, f64)>,
}

impl ShaderWait {
    const TIMEOUT_S: f64 = 10.0;

    /// Returns `true` if shaders are still being compiled. `count` is the number of waiting shaders,
    /// and `now` the time in seconds.
    pub fn should_wait(&mut self, count: usize, now: f64) -> bool {
        match self.since {
            Some((before, since)) if before == count => count > 0 && now - since < Self::TIMEOUT_S,
            _ => {
                self.since = Some((count, now));
                count > 0
            }
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    let pending = ShadersPending::default();
    app.insert_resource(pending.clone());
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer
            .insert_resource(pending)
            .add_systems(Render, count_pending_pipelines.in_set(RenderSystems::Cleanup));
    }
}

fn count_pending_pipelines(pipelines: Res<PipelineCache>, pending: Res<ShadersPending>) {
    pending.0.store(pipelines.waiting_pipelines().count(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_when_nothing_becomes_ready() {
        let mut shader_wait = ShaderWait::default();
        assert!(!shader_wait.should_wait(0, 0.0));
        for (count, now, waits) in [
            (3, 1.0, true),
            (3, 10.9, true),
            (2, 11.0, true),
            (2, 20.9, true),
            (2, 21.0, false),
            (2, 99.0, false),
            (3, 100.0, true),
            (0, 101.0, false),
            (2, 102.0, true),
        ] {
            assert_eq!(shader_wait.should_wait(count, now), waits, "{count} at {now} s");
        }
    }
}
