//! Tests of the view options of open recordings.

use super::*;
use crate::session::{
    AreaCommand, CameraCommand, ConventionCommand, Panel, PanelCommand, ViewCommand,
};
use bevy_mutoscope::stage::{Follow, HoveredTime, StageScreen, View};
use mutoscope_core::{
    clip::{Assumption, FactOrigin, InterpolationOverride, RotationRule, UpAxis},
    measure::analysis,
    playback::TimeCommand,
};

#[test]
fn hovered_time_is_set_and_cleared() {
    let mut session = Session::new();
    for time in [Some(1.5), None] {
        session.send(Command::View(ViewCommand::Hover(time)));
        assert_eq!(session.get::<HoveredTime>().0, time);
    }
}

#[test]
fn follow_modes_cycle_from_the_current_one() {
    let mut session = Session::new();
    session.get_mut::<StageScreen>().follow = Follow::Position;
    session.send(Command::Camera(CameraCommand::CycleFollow));
    assert_eq!(session.get::<View>().follow, Some(Follow::PositionAndRotation));
}

#[test]
fn motion_trail_settings_are_applied() {
    let mut session = Session::new();
    let mut settings = session.get::<View>().motion_trail.clone();
    (settings.before, settings.trails) = (2.5, true);
    session.send(Command::View(ViewCommand::SetMotionTrail(settings.clone())));
    assert_eq!(session.get::<View>().motion_trail, settings);
}

#[test]
fn areas_are_added_around_the_selected_joint_or_on_the_gaze() {
    let mut session = Session::with(file(HANDS));
    session.send(Command::Time(TimeCommand::Pause));
    session.send(Command::Time(TimeCommand::Seek(1.0)));
    session.send(Command::Area(AreaCommand::Add));
    let gaze = {
        let clip = session.open(|open| open[0].recording.clip().clone());
        let ray = clip.ray_nodes().next().unwrap();
        analysis::sample_gaze(&clip, ray, &[1.0])[0].ray.unwrap()
    };
    let areas = session.get::<View>().areas.clone();
    let [on_gaze] = &areas[..] else { panic!("{areas:?}") };
    let to_centre = on_gaze.shape.centre() - gaze.origin;
    assert!(to_centre.normalize().dot(gaze.direction) > 1.0 - 1e-9, "{areas:?}");
    let tip = session.node(0, "left/IndexTip");
    session.send(Command::View(ViewCommand::Select(Some(tip))));
    session.send(Command::Area(AreaCommand::Add));
    session.send(Command::Area(AreaCommand::Add));
    let texts: Vec<_> = session.get::<View>().areas.iter().map(ToString::to_string).collect();
    let at_tip = "=sphere:0,0,0,0.1@left/IndexTip";
    assert_eq!(texts[1..], [format!("left/IndexTip{at_tip}"), format!("left/IndexTip 2{at_tip}")]);
    session.send(Command::Area(AreaCommand::Set(Vec::new())));
    assert!(session.get::<View>().areas.is_empty());
}

#[test]
fn node_can_be_selected_measured_and_hidden() {
    let mut session = Session::with(file(HANDS));
    let wrist = session.node(0, "left/Wrist");
    session.send(Command::View(ViewCommand::Select(Some(wrist))));
    session.send(Command::View(ViewCommand::MeasureFrom(vec![wrist])));
    let view: &View = session.get();
    assert_eq!((view.selected, &view.measured_from[..]), (Some(wrist), &[wrist][..]));
    // The first Escape closes the floating panel and keeps the selection.
    session.send(Command::Panel(PanelCommand::Toggle(Panel::HELP)));
    session.send(Command::Cancel);
    assert_eq!(session.get::<View>().selected, Some(wrist));
    session.send(Command::Cancel);
    assert_eq!(session.get::<View>().selected, None);

    let is_hidden =
        |session: &mut Session| session.open(move |open| open[0].hidden.contains(&wrist.node));
    for expected in [true, false] {
        session.send(Command::View(ViewCommand::ToggleNode(wrist)));
        assert_eq!(is_hidden(&mut session), expected);
    }
}

#[test]
fn groups_and_recordings_toggle_visibility() {
    let mut session = Session::with(file(HANDS));
    let wrist = session.node(0, "left/Wrist");
    let recording = wrist.recording;
    let group = session.open(move |open| open[0].clip().nodes[wrist.node].group.unwrap());
    session.send(Command::View(ViewCommand::ToggleNode(wrist)));
    let hidden = |session: &mut Session| session.open(|open| open[0].hidden.len());
    let members = session.open(move |open| {
        open[0].clip().nodes.iter().filter(|node| node.group == Some(group)).count()
    });
    for expected in [members, 0] {
        session.send(Command::View(ViewCommand::ToggleGroup { recording, group }));
        assert_eq!(hidden(&mut session), expected);
    }
    for expected in [false, true] {
        session.send(Command::View(ViewCommand::ToggleRecording(recording)));
        assert_eq!(session.open(|open| open[0].is_visible), expected);
    }
}

#[test]
fn assumptions_apply_until_reset() {
    let mut session = Session::with(file(HANDS));
    let up = |session: &mut Session| session.open(|open| open[0].clip().convention.up);
    let default_up = up(&mut session);
    assert_eq!(default_up.origin, FactOrigin::Assumed);
    session.send(Command::Convention(ConventionCommand::Assume(Assumption::Up(UpAxis::Z))));
    session.settle();
    let assumed_up = up(&mut session);
    assert_eq!((assumed_up.value, assumed_up.origin), (UpAxis::Z, FactOrigin::Chosen));
    session.send(Command::Convention(ConventionCommand::Assume(Assumption::Rotation(
        RotationRule::AsAuthored,
    ))));
    session.settle();
    let rule = session.open(|open| open[0].clip().convention.rotation.value);
    assert_eq!(rule, RotationRule::AsAuthored);
    session.send(Command::Convention(ConventionCommand::Reset));
    session.settle();
    assert_eq!(up(&mut session), default_up);
}

#[test]
fn frame_rate_applies_to_one_recording_until_reset() {
    let mut session = Session::with(file(WALK));
    let clip = |session: &mut Session| {
        session.open(|open| (open[0].clip().rate_hz.unwrap(), open[0].clip().span.duration))
    };
    let (declared, duration) = clip(&mut session);
    let set = |session: &mut Session, rate| {
        session.send(Command::Convention(ConventionCommand::SetFrameRate(rate)));
        session.settle();
    };
    session.send(Command::Time(TimeCommand::Pause));
    session.send(Command::Time(TimeCommand::Seek(0.25)));
    set(&mut session, Some(2.0 * declared));
    assert_eq!(clip(&mut session).0, 2.0 * declared);
    assert!((clip(&mut session).1 - duration / 2.0).abs() < 1e-9);
    assert_eq!(session.clock().time(), 0.25);
    session.send(Command::File(FileCommand::Reload));
    session.settle();
    assert_eq!(clip(&mut session).0, 2.0 * declared);
    set(&mut session, None);
    assert_eq!(clip(&mut session), (declared, duration));
}

#[test]
fn interpolation_override_applies_to_later_files() {
    let mut session = Session::with(file(HANDS));
    session.send(Command::Convention(ConventionCommand::SetInterpolation(
        InterpolationOverride::Nearest,
    )));
    let interpolation =
        |session: &mut Session| session.open(|open| open[0].recording.interpolation());
    assert_eq!(interpolation(&mut session), InterpolationOverride::Nearest);
    session.send(Command::File(FileCommand::OpenSample(2)));
    session.settle();
    assert_eq!(interpolation(&mut session), InterpolationOverride::Nearest);
}
