//! What is shown of what is open.

use super::*;
use crate::stage::{Follow, HoveredTime, View};

#[test]
fn the_hovered_time_is_shown_until_there_is_none() {
    let mut session = Session::new();
    for time in [Some(1.5), None] {
        session.tell(Command::Hover(time));
        assert_eq!(session.get::<HoveredTime>().0, time);
    }
}

#[test]
fn following_goes_on_from_what_the_camera_does() {
    let mut session = Session::new();
    session.get_mut::<crate::stage::StageScreen>().follows = Follow::Position;
    session.tell(Command::CycleFollow);
    assert_eq!(session.get::<View>().follow, Some(Follow::PositionAndRotation));
}

#[test]
fn motion_trails_are_as_they_are_set() {
    let mut session = Session::new();
    let mut settings = session.get::<View>().travel.clone();
    (settings.before, settings.trails) = (2.5, true);
    session.tell(Command::Travel(settings.clone()));
    assert_eq!(session.get::<View>().travel, settings);
}
