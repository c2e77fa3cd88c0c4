//! Tests of the open panels and their layout.

use super::*;
use crate::session::{
    ACTIONS, Dock, FilePurpose, Panel, PanelCommand, PanelEdge, Panels, SidePanel, Toggle, is_on,
};

#[test]
fn every_toggle_turns_on_and_off_again() {
    let mut session = Session::new();
    let toggles = ACTIONS.iter().map(|action| &action.command);
    let toggles = toggles.filter(|command| matches!(command, Command::Toggle(_)));
    // Only the window knows whether it is in full screen, so the toggle cannot be tested here.
    let toggles = toggles.filter(|command| **command != Command::Toggle(Toggle::FULL_SCREEN));
    for command in toggles {
        let is_on = |session: &Session| {
            is_on(command, session.get(), session.get(), session.get::<Panels>())
        };
        let before = is_on(&session);
        session.send(command.clone());
        assert_ne!(is_on(&session), before, "{command:?}");
        session.send(command.clone());
        assert_eq!(is_on(&session), before, "{command:?}");
    }
}

#[test]
fn full_screen_state_follows_the_window() {
    let mut session = Session::new();
    for full in [true, false] {
        session.get_mut::<Panels>().full_screen = full;
        let command = Command::Toggle(Toggle::FULL_SCREEN);
        let panels = session.get::<Panels>();
        assert_eq!(is_on(&command, session.get(), session.get(), panels), full);
    }
}

#[test]
fn every_panel_opens_and_closes() {
    let mut session = Session::new();
    for panel in Panel::ALL {
        for is_open in [true, false] {
            session.send(Command::Panel(PanelCommand::Toggle(panel)));
            assert_eq!(session.get::<Panels>().is_open(panel), is_open, "{}", panel.id);
        }
    }
}

#[test]
fn escape_closes_floating_panels_before_it_deselects() {
    let mut session = Session::with(file(HANDS));
    session.send(Command::Panel(PanelCommand::Toggle(Panel::HELP)));
    session.send(Command::Panel(PanelCommand::Toggle(Panel::BYTES)));
    session.get_mut::<bevy_mutoscope::stage::View>().labels = true;
    session.send(Command::Cancel);
    let panels: &Panels = session.get();
    assert!(!panels.is_open(Panel::HELP) && panels.is_open(Panel::BYTES));
    assert!(
        Panel::ALL.into_iter().all(|panel| panel.dock != Dock::Floating || !panels.is_open(panel))
    );
}

#[test]
fn side_panels_collapse_and_are_resized() {
    let mut session = Session::new();
    session.send(Command::Panel(PanelCommand::Collapse(SidePanel::Outline, true)));
    session.send(Command::Panel(PanelCommand::Resize(PanelEdge::Time, 222.0)));
    let panels: &Panels = session.get();
    assert!(panels.is_collapsed(SidePanel::Outline, 4000.0));
    assert_eq!(panels.layout.sizes.time, Some(222.0));
}

#[test]
fn editing_the_time_shows_the_panels() {
    let mut session = Session::new();
    session.get_mut::<Panels>().hidden = true;
    session.send(Command::Panel(PanelCommand::EditTime));
    assert!(!session.get::<Panels>().hidden, "the time field must be visible");
}

#[test]
fn path_dialog_closes() {
    let mut session = Session::new();
    session.get_mut::<Panels>().path_dialog = Some(FilePurpose::Skeleton);
    session.send(Command::Panel(PanelCommand::ClosePathDialog));
    assert_eq!(session.get::<Panels>().path_dialog, None);
}
