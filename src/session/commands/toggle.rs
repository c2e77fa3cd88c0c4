//! Settings that are on or off.

use std::fmt;

use crate::session::view::{Panels, WindowRequest};
use bevy_mutoscope::stage::{CameraMode, Ghosts, View};

/// A setting that is on or off. Each toggle is a row of [`ACTIONS`](super::ACTIONS), which declares
/// its constant too.
#[derive(Clone, Copy)]
pub struct Toggle {
    /// The name of the constant.
    pub id: &'static str,
    /// Returns `true` if the setting is on.
    pub is_on: fn(&View, &Panels) -> bool,
    /// Switches the setting on or off. Returns a request if only the window can do so.
    pub set: fn(&mut View, &mut Panels, bool) -> Option<WindowRequest>,
}

impl Toggle {
    /// Switches the setting. Returns a request if only the window can do so.
    pub fn switch(self, view: &mut View, panels: &mut Panels) -> Option<WindowRequest> {
        let is_on = (self.is_on)(view, panels);
        (self.set)(view, panels, !is_on)
    }
}

impl PartialEq for Toggle {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Toggle {}

impl fmt::Debug for Toggle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Toggle").field(&self.id).finish()
    }
}

/// Builds a [`Toggle`] from its id and its state: a field of the view or of the panels, a negated
/// field of the panels, or a getter and a setter.
macro_rules! toggle {
    ($id:expr, view.$($field:ident).+) => {
        Toggle {
            id: $id,
            is_on: |view, _| view.$($field).+,
            set: |view, _, on| {
                view.$($field).+ = on;
                None
            },
        }
    };
    ($id:expr, panels.$($field:ident).+) => {
        Toggle {
            id: $id,
            is_on: |_, panels| panels.$($field).+,
            set: |_, panels, on| {
                panels.$($field).+ = on;
                None
            },
        }
    };
    ($id:expr, !panels.$($field:ident).+) => {
        Toggle {
            id: $id,
            is_on: |_, panels| !panels.$($field).+,
            set: |_, panels, on| {
                panels.$($field).+ = !on;
                None
            },
        }
    };
    ($id:expr, $is_on:expr, $set:expr) => {
        Toggle { id: $id, is_on: $is_on, set: $set }
    };
}
pub(super) use toggle;

pub(super) fn are_ghosts_on(view: &View, _: &Panels) -> bool {
    view.motion_trail.ghosts != Ghosts::Off
}

pub(super) fn set_ghosts(view: &mut View, _: &mut Panels, on: bool) -> Option<WindowRequest> {
    view.motion_trail.ghosts =
        if on { Ghosts::EverySamples(Ghosts::DEFAULT_SAMPLES) } else { Ghosts::Off };
    None
}

pub(super) fn is_head_camera_on(view: &View, _: &Panels) -> bool {
    view.camera == CameraMode::Head
}

pub(super) fn set_head_camera(view: &mut View, _: &mut Panels, on: bool) -> Option<WindowRequest> {
    view.camera = if on { CameraMode::Head } else { CameraMode::Free };
    None
}

pub(super) fn is_velocity_shown(_: &View, panels: &Panels) -> bool {
    panels.timeline.curves && panels.timeline.velocity
}

/// Shows or hides the velocity. Shows the curves too, because the velocity is one of them.
pub(super) fn set_velocity(_: &mut View, panels: &mut Panels, on: bool) -> Option<WindowRequest> {
    panels.timeline.velocity = on;
    panels.timeline.curves = true;
    None
}

pub(super) fn is_full_screen(_: &View, panels: &Panels) -> bool {
    panels.full_screen
}

pub(super) fn request_full_screen(_: &mut View, _: &mut Panels, _: bool) -> Option<WindowRequest> {
    Some(WindowRequest::ToggleFullScreen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_toggle_shows_the_curves() {
        let (mut view, mut panels) = (View::default(), Panels::default());
        let shown = |panels: &Panels| (panels.timeline.curves, panels.timeline.velocity);
        Toggle::VELOCITY.switch(&mut view, &mut panels);
        assert_eq!(shown(&panels), (true, true));
        Toggle::VELOCITY.switch(&mut view, &mut panels);
        assert_eq!(shown(&panels), (true, false), "the curves stay");
        for toggle in [Toggle::VELOCITY, Toggle::CURVES, Toggle::VELOCITY] {
            toggle.switch(&mut view, &mut panels);
        }
        assert_eq!(shown(&panels), (true, true));
    }
}
