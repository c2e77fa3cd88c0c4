//! Tests of the comparison of recordings.

use super::*;
use crate::session::{CompareCommand, Source, ViewCommand};
use bevy_mutoscope::stage::StageScreen;
use mutoscope_core::measure::compare::{CompareOptions, Placement, Timing};

/// Opens the hands as A and again as B, which starts `offset` seconds later.
fn compare_hands_delayed(offset: f64) -> Session {
    let mut session = Session::with(file(HANDS));
    let timing = Some(Timing { offset, rate: 1.0 });
    let options = CompareOptions { timing, ..CompareOptions::default() };
    add_comparison(&mut session, Source::Sample(0), options);
    session
}

fn add_comparison(session: &mut Session, source: Source, options: CompareOptions) {
    session.send(Command::Compare(CompareCommand::Add(source, options)));
    session.settle();
    assert_eq!(session.failure(), None);
}

fn entities(session: &mut Session) -> Vec<Entity> {
    session.open(|open| open.iter().map(|recording| recording.entity).collect())
}

/// Returns the RMS distance between A and B, in metres.
fn rms(session: &mut Session) -> f64 {
    session.open(|open| {
        let measured = open[1].comparing().unwrap().measured().unwrap();
        measured.comparison.as_ref().unwrap().rms().unwrap()
    })
}

#[test]
fn comparison_needs_an_open_recording() {
    let mut session = Session::new();
    let add = CompareCommand::Add(Source::Sample(0), CompareOptions::default());
    session.send(Command::Compare(add));
    session.settle();
    assert_eq!(entities(&mut session), []);
    let (name, message) = session.failure().unwrap();
    assert!(name == "comparison" && message.contains("no recording is open"), "{message}");
}

#[test]
fn delayed_recording_is_measured_and_aligned() {
    let mut session = compare_hands_delayed(0.4);
    assert_eq!(entities(&mut session).len(), 2);
    assert!(rms(&mut session) > 0.01);
    session.send(Command::Compare(CompareCommand::Align(None)));
    session.settle();
    let timing = session.open(|open| open[1].recording.timing());
    // Alignment samples speeds at 120 Hz, so that is the precision of the offset.
    assert!(timing.offset.abs() < 1.0 / 120.0, "{timing:?}");
    assert!(rms(&mut session) < 0.003);

    let recording = entities(&mut session)[1];
    let timing = Timing { offset: -0.1, rate: 2.0 };
    session.send(Command::Compare(CompareCommand::SetTiming(recording, timing)));
    session.settle();
    assert_eq!(session.open(|open| open[1].recording.timing()), timing);
    assert!(rms(&mut session) > 0.01);
}

#[test]
fn placements_cycle_and_the_camera_frames_all() {
    let mut session = compare_hands_delayed(0.0);
    session.get_mut::<StageScreen>().frames_all = true;
    session.camera_requests();
    let placement = |session: &mut Session| session.open(|open| open[1].overlay.unwrap().placement);
    let mut placements = vec![placement(&mut session)];
    for _ in 1..Placement::ALL.len() {
        session.send(Command::Compare(CompareCommand::CyclePlacement));
        assert_eq!(session.camera_requests(), [CameraRequest::FrameAll { at_once: false }]);
        placements.push(placement(&mut session));
    }
    assert_eq!(placements, Placement::ALL);
    let first = Placement::ALL[0];
    session.send(Command::Compare(CompareCommand::SetPlacement(None, first)));
    assert_eq!(placement(&mut session), first);
}

#[test]
fn joint_match_can_be_chosen_and_reset() {
    let mut session = compare_hands_delayed(0.0);
    let [first, second] = ["left/Wrist", "right/Wrist"].map(|name| session.node(1, name));
    let pair = |session: &mut Session| {
        session.open(move |open| {
            let pairs = open[1].comparing().unwrap().matching().pairs();
            pairs.iter().find(|pair| pair.first == first.node).map(|pair| pair.second)
        })
    };
    assert_eq!(pair(&mut session), Some(first.node));
    for (chosen, expected) in [(Some(second.node), second.node), (None, first.node)] {
        let recording = first.recording;
        let command = CompareCommand::Match { recording, first: first.node, second: chosen };
        session.send(Command::Compare(command));
        session.settle();
        assert_eq!(pair(&mut session), Some(expected));
    }
}

#[test]
fn comparison_base_can_change_without_cycles() {
    let mut session = compare_hands_delayed(0.0);
    add_comparison(&mut session, Source::Sample(1), CompareOptions::default());
    let [a, b, c] = entities(&mut session)[..] else { panic!() };
    let bases = |session: &mut Session| {
        session.open(|open| [1, 2].map(|index| open[index].overlay.unwrap().base))
    };
    assert_eq!(bases(&mut session), [a, a]);
    session.send(Command::Compare(CompareCommand::Rebase { recording: c, base: b }));
    assert_eq!(bases(&mut session), [a, b]);
    session.send(Command::Compare(CompareCommand::Rebase { recording: b, base: c }));
    assert_eq!(bases(&mut session), [a, b]);
}

#[test]
fn closing_one_keeps_the_rest_and_stopping_keeps_the_reference() {
    let mut session = compare_hands_delayed(0.0);
    add_comparison(&mut session, Source::Sample(1), CompareOptions::default());
    let [a, b, c] = entities(&mut session)[..] else { panic!() };
    let selected = session.node(1, "left/Wrist");
    session.send(Command::View(ViewCommand::Select(Some(selected))));
    session.send(Command::File(FileCommand::Close(b)));
    session.settle();
    assert_eq!(entities(&mut session), [a, c]);
    assert_eq!(session.get::<bevy_mutoscope::stage::View>().selected, None);
    session.send(Command::Compare(CompareCommand::Stop));
    session.settle();
    assert_eq!(entities(&mut session), [a]);
    session.send(Command::File(FileCommand::Close(a)));
    session.settle();
    assert_eq!((entities(&mut session), session.current()), (Vec::new(), None));
}
