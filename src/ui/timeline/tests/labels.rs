//! Tests labels with a pointer.

use super::*;
use crate::session::{LabelCommand, Naming};
use mutoscope_study::labels::Label;

/// Shows both hands with a label from 1 to 2.5 s, and another that overlaps it.
fn labelled() -> Timeline {
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
    fixture.panels.timeline.snapping = false;
    fixture.labels_mut().add(1.0, 2.5, "reach");
    fixture.labels_mut().add(2.0, 4.0, "grasp");
    show_timeline(fixture)
}

const REACH: &str = "Label reach, 00:01.000 to 00:02.500";
const GRASP: &str = "Label grasp, 00:02.000 to 00:04.000";

fn take_changed_labels(timeline: &mut Timeline) -> Vec<Label> {
    let commands = timeline.state_mut().take_commands().into_iter();
    let changes = commands.filter_map(|command| match command {
        Command::Label(LabelCommand::Change { to, .. }) => Some(to),
        _ => None,
    });
    changes.collect()
}

#[test]
fn overlapping_labels_are_in_separate_rows() {
    let timeline = labelled();
    let [reach, grasp] = [REACH, GRASP].map(|label| area(&timeline, label));
    assert!(grasp.top() >= reach.bottom(), "{reach:?} {grasp:?}");
    let name = area(&timeline, "Row Labels");
    assert!(reach.y_range().contains(name.center().y));
    assert!(timeline.query_by_label("Row Labels").is_some());
    let unlabelled: Timeline = show_timeline(PanelFixture::with_two_hands());
    assert!(unlabelled.query_by_label("Row Labels").is_none(), "there is no row without labels");
}

#[test]
fn click_plays_a_label() {
    let mut timeline = labelled();
    let recording = timeline.state().recordings[0].entity;
    timeline.get_by_label(REACH).click();
    timeline.run();
    let commands = timeline.state_mut().take_commands();
    let play = Command::Label(LabelCommand::Play { recording, label: 0 });
    assert!(commands.contains(&play), "{commands:?}");
    assert!(!commands.iter().any(|command| matches!(command, Command::Time(_))), "{commands:?}");
}

#[test]
fn ends_and_bars_are_dragged() {
    let mut timeline = labelled();
    let reach = area(&timeline, REACH);
    let second = reach.width() / 1.5;
    let by = vec2(0.5 * second, 0.0);
    for (from, expected) in [
        (pos2(reach.left() + 1.0, reach.center().y), [1.5, 2.5]),
        (pos2(reach.right() - 1.0, reach.center().y), [1.0, 3.0]),
        (pos2(reach.left() + 0.3 * reach.width(), reach.center().y), [1.5, 3.0]),
    ] {
        drag(&mut timeline, &[from, from + 0.5 * by, from + by]);
        let changes = take_changed_labels(&mut timeline);
        let [to] = &changes[..] else { panic!("one drag is one edit: {changes:?}") };
        assert_eq!(to.label, "reach");
        assert!(
            is_near(to.start, expected[0]) && is_near(to.end, expected[1]),
            "{to:?} {expected:?}"
        );
    }
    // An end cannot be dragged past the other end.
    let end = pos2(reach.right() - 1.0, reach.center().y);
    drag(&mut timeline, &[end, end - by, end - 6.0 * by]);
    let changes = take_changed_labels(&mut timeline);
    assert_eq!((changes[0].start, changes[0].end), (1.0, 1.0));
    assert!(take_time_commands(&mut timeline).is_empty(), "the playhead stays");
}

#[test]
fn dragged_label_snaps_to_the_playhead() {
    let mut timeline = labelled();
    timeline.state_mut().panels.timeline.snapping = true;
    timeline.state_mut().apply(T::Seek(3.0));
    timeline.run();
    let reach = area(&timeline, REACH);
    let by = vec2(reach.width() / 3.0 + 2.0, 0.0);
    let end = pos2(reach.right() - 1.0, reach.center().y);
    drag(&mut timeline, &[end, end + 0.5 * by, end + by]);
    assert_eq!(take_changed_labels(&mut timeline)[0].end, 3.0);
}

#[test]
fn begun_label_grows_to_the_playhead() {
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
    fixture.labels_mut().set_open_start(Some(1.0));
    fixture.apply(T::Seek(2.0));
    let timeline = show_timeline(fixture);
    assert!(timeline.query_by_label("Row Labels").is_some());
}

#[test]
fn many_labels_are_drawn_quickly() {
    let label = |index: u32| Label {
        start: f64::from(index) * 1e-4,
        end: f64::from(index) * 1e-4 + 5e-5,
        label: format!("label {index}"),
        tier: Some(format!("tier {}", index % 7)),
    };
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
    assert_eq!(fixture.labels_mut().import((0..100_000).map(label).collect()), 100_000);
    let mut timeline = show_timeline(fixture);
    let since = std::time::Instant::now();
    timeline.run_steps(10);
    assert!(since.elapsed().as_secs_f64() < 5.0, "{:?}", since.elapsed());
}

#[test]
fn labels_stay_above_curves_and_can_be_played() {
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
    fixture.labels_mut().add(1.0, 2.5, "reach");
    fixture.labels_mut().add(2.0, 4.0, "grasp");
    fixture.panels.timeline.curves = true;
    let mut timeline = show_timeline(fixture);
    let recording = timeline.state().recordings[0].entity;
    let [reach, grasp] = [REACH, GRASP].map(|label| area(&timeline, label));
    assert!(grasp.top() >= reach.bottom(), "{reach:?} {grasp:?}");
    timeline.get_by_label(REACH).click();
    timeline.run();
    let play = Command::Label(LabelCommand::Play { recording, label: 0 });
    assert!(timeline.state_mut().take_commands().contains(&play));
}

#[test]
fn naming_rect_is_the_rect_of_the_named_label() {
    for curves in [false, true] {
        let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
        fixture.labels_mut().add(1.0, 2.5, "reach");
        fixture.labels_mut().set_naming(Some(Naming::Label(0)));
        fixture.panels.timeline.curves = curves;
        let mut timeline = show_timeline(fixture);
        let bar = area(&timeline, REACH);
        assert_eq!(timeline.state_mut().state.take_naming_rect(), Some(bar));
        let new = Naming::New { start: 3.0, end: 3.5 };
        timeline.state_mut().labels_mut().set_naming(Some(new));
        timeline.run();
        let named = timeline.state_mut().state.take_naming_rect().unwrap();
        assert!(named.left() > bar.right() && named.top() > bar.top(), "{named:?} {bar:?}");
    }
}
