//! Waiting for shaders.
//!
//! The engine draws nothing with a shader that is still being compiled, and an app at rest would
//! not draw again when it is ready: parts would be missing until the user does something.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

/// Whether the last frame lacks what is drawn with shaders that are not ready.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct ShadersPending(Arc<AtomicBool>);

impl ShadersPending {
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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
    pending.0.store(pipelines.waiting_pipelines().next().is_some(), Ordering::Relaxed);
}
