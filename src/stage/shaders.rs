//! Waiting for shaders.
//!
//! The engine draws nothing with a shader that is still being compiled, and an app at rest would
//! not draw again when it is ready: parts would be missing until the user does something.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

/// How much the last frame lacks, because shaders are not ready.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct ShadersPending(Arc<AtomicUsize>);

impl ShadersPending {
    /// The number of pipelines that wait for shaders.
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Waiting for shaders as long as some become ready: in a browser, the engine asks for some that
/// never do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience {
    /// How many pipelines waited, and since when that many, in seconds.
    since: Option<(usize, f64)>,
}

impl Patience {
    /// How long nothing may become ready, in seconds.
    const LIMIT: f64 = 10.0;

    /// Whether it is worth to wait for `count` pipelines at `now`, in seconds.
    pub(crate) fn waits(&mut self, count: usize, now: f64) -> bool {
        match self.since {
            Some((before, since)) if before == count => count > 0 && now - since < Self::LIMIT,
            _ => {
                self.since = Some((count, now));
                count > 0
            }
        }
    }
}

/// Lets the renderer, if there is one, report after every frame.
pub(super) fn plugin(app: &mut App) {
    let pending = ShadersPending::default();
    app.insert_resource(pending.clone());
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer
            .insert_resource(pending)
            .add_systems(Render, note_pending.in_set(RenderSystems::Cleanup));
    }
}

fn note_pending(pipelines: Res<PipelineCache>, pending: Res<ShadersPending>) {
    pending.0.store(pipelines.waiting_pipelines().count(), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_ends_when_nothing_becomes_ready() {
        let mut patience = Patience::default();
        assert!(!patience.waits(0, 0.0));
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
            assert_eq!(patience.waits(count, now), waits, "{count} at {now} s");
        }
    }
}
