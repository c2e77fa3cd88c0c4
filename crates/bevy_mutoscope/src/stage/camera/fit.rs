//! Fits the viewport of the camera into its part of the window.

use bevy::{
    camera::{RenderTarget, Viewport},
    prelude::*,
    window::PrimaryWindow,
};

use crate::stage::{StageCamera, StageViewport};

pub(in crate::stage) fn fit_viewport(
    mut camera: Single<(&mut Camera, &RenderTarget), With<StageCamera>>,
    windows: Query<&Window, With<PrimaryWindow>>,
    requested: Res<StageViewport>,
) {
    let (camera, target) = &mut *camera;
    let window = windows.single().ok().filter(|_| matches!(target, RenderTarget::Window(_)));
    let viewport = requested.rect.zip(window).and_then(|(rect, window)| {
        to_physical_viewport(rect, window.scale_factor(), window.physical_size())
    });
    let area = |viewport: &Option<Viewport>| {
        viewport.as_ref().map(|viewport| (viewport.physical_position, viewport.physical_size))
    };
    if area(&camera.viewport) != area(&viewport) {
        camera.viewport = viewport;
    }
}

/// Returns the viewport for `rect`, in logical pixels, in a window of `size` physical pixels. The
/// viewport is clamped to the window, because the window may have become smaller since `rect` was
/// computed. `None` if the window has no area.
fn to_physical_viewport(rect: Rect, scale_factor: f32, size: UVec2) -> Option<Viewport> {
    if size.min_element() == 0 {
        return None;
    }
    let rect = Rect { min: rect.min * scale_factor, max: rect.max * scale_factor };
    let position = rect.min.round().max(Vec2::ZERO).as_uvec2().min(size - 1);
    let end = rect.max.round().max(Vec2::ZERO).as_uvec2().min(size).max(position + 1);
    Some(Viewport { physical_position: position, physical_size: end - position, ..default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewport_stays_within_the_window() {
        let size = UVec2::new(1280, 720);
        let cases = [
            (Rect::new(10.0, 20.0, 110.0, 70.0), 1.0, [10, 20, 100, 50]),
            (Rect::new(10.0, 20.0, 110.0, 70.0), 2.0, [20, 40, 200, 100]),
            (Rect::new(-5.0, 0.0, 2000.0, 2000.0), 1.0, [0, 0, 1280, 720]),
            (Rect::new(1500.0, 10.0, 1600.0, 20.0), 1.0, [1279, 10, 1, 10]),
            (Rect::new(50.0, 50.0, 50.0, 50.0), 1.0, [50, 50, 1, 1]),
        ];
        for (rect, scale_factor, [x, y, width, height]) in cases {
            let viewport =
                to_physical_viewport(rect, scale_factor, size).expect("the window has a size");
            assert_eq!(viewport.physical_position, UVec2::new(x, y), "{rect:?}");
            assert_eq!(viewport.physical_size, UVec2::new(width, height), "{rect:?}");
        }
        assert!(to_physical_viewport(Rect::new(0.0, 0.0, 1.0, 1.0), 1.0, UVec2::ZERO).is_none());
    }
}
