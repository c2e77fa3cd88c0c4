//! The renderer of the page, which studios share: a page has one connection to the graphics.

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

/// The renderer of the page, as soon as it is ready.
static LENT: Mutex<Option<RenderResources>> = Mutex::new(None);

/// Lets studios draw with the renderer of `app`.
pub fn lend_renderer(app: &mut App) {
    if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
        renderer.add_systems(RenderStartup, lend);
    }
}

fn lend(
    (device, queue): (Res<RenderDevice>, Res<RenderQueue>),
    (about, adapter): (Res<RenderAdapterInfo>, Res<RenderAdapter>),
    instance: Res<RenderInstance>,
) {
    let renderer = RenderResources(
        device.clone(),
        queue.clone(),
        about.clone(),
        adapter.clone(),
        instance.clone(),
    );
    *LENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(renderer);
}

/// The renderer of the page.
///
/// # Errors
/// If it is not ready.
pub(in crate::capture) fn create() -> Result<RenderCreation, NoDriver> {
    let lent = LENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    lent.map(RenderCreation::Manual).ok_or(NoDriver)
}
