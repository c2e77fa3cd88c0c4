//! Tests of the effects of commands on the clock.

use super::*;
use crate::session::{PlayheadCommand, ViewCommand};
use bevy_mutoscope::{RecordingKey, stage::View};
use mutoscope_core::{
    clip::{KeyId, Owner, TrackId},
    playback::{Direction, Looping, TimeCommand},
};

/// Opens the hands, paused at the start.
fn open_hands_paused() -> Session {
    let mut session = Session::with(file(HANDS));
    session.send(Command::Time(TimeCommand::Pause));
    session.send(Command::Time(TimeCommand::ToStart));
    session
}

#[test]
fn opened_recording_plays_and_pauses() {
    let mut session = Session::with(file(HANDS));
    assert!(session.clock().is_playing());
    session.send(Command::Time(TimeCommand::TogglePlay));
    let clock = session.clock();
    session.send(Command::Time(TimeCommand::CycleLooping));
    assert!(!clock.is_playing());
    assert_ne!(session.clock().looping(), clock.looping());
    session.send(Command::Time(TimeCommand::SetLooping(Looping::Off)));
    assert_eq!(session.clock().looping(), Looping::Off);
}

#[test]
fn in_and_out_points_are_set_at_the_playhead() {
    let mut session = open_hands_paused();
    session.send(Command::Time(TimeCommand::Seek(0.5)));
    session.send(Command::Playhead(PlayheadCommand::SetInPoint));
    session.send(Command::Time(TimeCommand::Seek(1.25)));
    session.send(Command::Playhead(PlayheadCommand::SetOutPoint));
    let range = session.clock().range().unwrap();
    assert_eq!((range.start(), range.end()), (0.5, 1.25));
    session.send(Command::Time(TimeCommand::SetRange(None)));
    assert!(session.clock().range().is_none());
}

#[test]
fn stepping_visits_samples_keys_and_events() {
    let mut session = open_hands_paused();
    let (samples, events) = session.open(|open| {
        let mut events: Vec<f64> = open[0].clip().events.iter().map(|event| event.time).collect();
        events.extend(open[0].diagnostics.all().iter().filter_map(|issue| issue.time));
        events.sort_by(f64::total_cmp);
        (open[0].recording.sample_times().to_vec(), events)
    });
    let next = |times: &[f64], now: f64| *times.iter().find(|time| **time > now + 1e-9).unwrap();
    let start = session.clock().time();
    session.send(Command::Time(TimeCommand::Step(Direction::Forward)));
    assert_eq!(session.clock().time(), next(&samples, start));
    session.send(Command::Time(TimeCommand::Step(Direction::Backward)));
    assert_eq!(session.clock().time(), start);
    session.send(Command::Playhead(PlayheadCommand::StepEvent(Direction::Forward)));
    assert_eq!(session.clock().time(), next(&events, start));

    // With a selected node, stepping visits only the keys of that node.
    session.send(Command::Time(TimeCommand::ToStart));
    let wrist = session.node(0, "right/Wrist");
    session.send(Command::View(ViewCommand::Select(Some(wrist))));
    let keys = session.open(move |open| {
        let tracks = open[0].clip().tracks_of(Owner::Node(wrist.node));
        let mut keys: Vec<f64> =
            tracks.flat_map(|(_, track)| track.curve.key_times().to_vec()).collect();
        keys.sort_by(f64::total_cmp);
        keys
    });
    session.send(Command::Playhead(PlayheadCommand::StepKey(Direction::Forward)));
    assert_eq!(session.clock().time(), next(&keys, start));
}

#[test]
fn selecting_a_key_seeks_and_selects_its_node() {
    let mut session = open_hands_paused();
    let key = KeyId { track: TrackId::new(3), index: 10 };
    let (entity, time, owner) = session.open(move |open| {
        let track = open[0].clip().track(key.track);
        (open[0].entity, track.curve.key_times()[key.index], track.owner)
    });
    session.send(Command::View(ViewCommand::SelectKey(RecordingKey { recording: entity, key })));
    assert_eq!(session.clock().time(), time);
    let Owner::Node(node) = owner else { panic!("{owner:?}") };
    let view: &View = session.get();
    assert_eq!(view.selected, Some(RecordingNode::new(entity, node)));
    assert_eq!(view.selected_key.map(|key| key.key), Some(key));
    let none = RecordingKey { recording: entity, key: KeyId { index: usize::MAX, ..key } };
    session.send(Command::View(ViewCommand::SelectKey(none)));
    assert_eq!(session.clock().time(), time, "the key does not exist");
}
