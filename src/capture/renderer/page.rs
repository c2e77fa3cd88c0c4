//! Shares the renderer of the page with studios, because a page has only one connection to the
//! graphics device.

use std::sync::{Mutex, PoisonError};

use bevy::{
    prelude::*,
    render::{
        RenderApp, RenderStartup,
        renderer::{RenderAdapter, RenderAdapterInfo, RenderDevice, RenderInstance, RenderQueue},
        settings::{RenderCreation, RenderResources},
    },
};

use crate::capture::NoDriver;

/// `None` until the page has initialised its renderer.
static PAGE_RENDERER: Mutex<Option<RenderResources>> = Mutex::new(None);

/// Shares the renderer of `app` with all studios, so that they draw with the same graphics device.
pub fn share_renderer(app: &mut App) {
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(RenderStartup, store_renderer);
    }
}

fn store_renderer(
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
    adapter_info: Res<RenderAdapterInfo>,
    adapter: Res<RenderAdapter>,
    instance: Res<RenderInstance>,
) {
    let renderer = RenderResources(
        device.clone(),
        queue.clone(),
        adapter_info.clone(),
        adapter.clone(),
        instance.clone(),
    );
    *PAGE_RENDERER.lock().unwrap_or_else(PoisonError::into_inner) = Some(renderer);
}

pub(in crate::capture) fn create_renderer() -> Result<RenderCreation, NoDriver> {
    let renderer = PAGE_RENDERER.lock().unwrap_or_else(PoisonError::into_inner).clone();
    renderer.map(RenderCreation::Manual).ok_or(NoDriver)
}
