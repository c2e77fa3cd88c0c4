//! Drops unchanged modifier events.
//!
//! bevy_egui reports the modifier keys in every frame, and egui requests another frame for every
//! event. Without this system an idle window would draw without end.

use bevy::prelude::*;
use bevy_egui::{
    EguiInput,
    egui::{Event, Modifiers},
};

pub(super) fn drop_unchanged_modifiers(
    mut inputs: Query<&mut EguiInput>,
    mut reported: Local<Modifiers>,
) {
    for mut input in &mut inputs {
        let events = &mut input.bypass_change_detection().events;
        // egui resets its modifier keys when the window loses focus, so the next report must reach
        // it even if it repeats the last.
        if events.contains(&Event::WindowFocused(false)) {
            *reported = Modifiers::default();
        }
        events.retain(|event| match event {
            Event::ModifiersChanged(now) => std::mem::replace(&mut *reported, *now) != *now,
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_frame(app: &mut App, events: Vec<Event>) -> Vec<Event> {
        let mut inputs = app.world_mut().query::<&mut EguiInput>();
        inputs.single_mut(app.world_mut()).unwrap().events = events;
        app.update();
        let input = inputs.single(app.world()).unwrap();
        input.events.clone()
    }

    #[test]
    fn only_modifier_changes_are_forwarded() {
        let mut app = App::new();
        app.add_systems(Update, drop_unchanged_modifiers);
        app.world_mut().spawn(EguiInput::default());
        let none = || Event::ModifiersChanged(Modifiers::NONE);
        let shift = || Event::ModifiersChanged(Modifiers::SHIFT);
        assert_eq!(run_frame(&mut app, vec![none()]), []);
        assert_eq!(run_frame(&mut app, vec![Event::PointerGone, shift()]).len(), 2);
        assert_eq!(run_frame(&mut app, vec![shift()]), []);
        assert_eq!(run_frame(&mut app, vec![none()]), [none()]);
    }

    #[test]
    fn held_modifiers_are_reported_after_focus() {
        let mut app = App::new();
        app.add_systems(Update, drop_unchanged_modifiers);
        app.world_mut().spawn(EguiInput::default());
        let shift = || Event::ModifiersChanged(Modifiers::SHIFT);
        run_frame(&mut app, vec![shift()]);
        let lost = Event::WindowFocused(false);
        assert_eq!(run_frame(&mut app, vec![lost.clone(), shift()]), [lost, shift()]);
    }
}
