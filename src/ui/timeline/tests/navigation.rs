//! Tests the visible window, snapping, and the hovered time.

use super::*;
use crate::session::TimelineCommand;

#[test]
fn overview_window_can_be_moved_and_resized() {
    let mut timeline = timeline();
    let overview_position = |timeline: &Timeline, part| {
        let rect = area(timeline, "Overview");
        pos2(rect.left() + part * rect.width(), rect.center().y)
    };
    let shown = |timeline: &mut Timeline| [0.02, 0.98].map(|part| clicked_time(timeline, part));
    let end = [1.0, 0.75, 0.5].map(|part| overview_position(&timeline, part));
    drag(&mut timeline, &end);
    let [first, last] = shown(&mut timeline);
    assert!(
        is_near(first, time_at(&timeline, 0.01)) && is_near(last, time_at(&timeline, 0.49)),
        "{first} {last}"
    );
    let moved = [0.25, 0.35, 0.45].map(|part| overview_position(&timeline, part));
    drag(&mut timeline, &moved);
    let [first, last] = shown(&mut timeline);
    assert!(
        is_near(first, time_at(&timeline, 0.21)) && is_near(last, time_at(&timeline, 0.69)),
        "{first} {last}"
    );
    let far = overview_position(&timeline, 0.45);
    // Wait until the next clicks cannot make a double click with those before.
    timeline.run_steps(60);
    for _ in 0..2 {
        timeline.drag_at(far);
        timeline.event(button_up(far));
    }
    timeline.run();
    let [first, last] = shown(&mut timeline);
    assert!(
        is_near(first, time_at(&timeline, 0.02)) && is_near(last, time_at(&timeline, 0.98)),
        "{first} {last}"
    );
}

#[test]
fn timeline_can_fit_the_range() {
    let mut timeline = timeline();
    timeline.state_mut().apply(T::SetRange(Some(TimeRange::new(1.0, 3.0))));
    timeline.state_mut().state.apply_command(&TimelineCommand::ZoomToRange);
    timeline.run();
    let times = [0.01, 0.5, 0.99].map(|part| clicked_time(&mut timeline, part));
    assert!(
        is_near(times[0], 1.0) && is_near(times[1], 2.0) && is_near(times[2], 3.0),
        "{times:?}"
    );
    timeline.state_mut().state.apply_command(&TimelineCommand::ZoomToAll);
    timeline.run();
    let last = clicked_time(&mut timeline, 0.98);
    assert!(is_near(last, time_at(&timeline, 0.98)), "{last}");
}

/// Drags from `from` to `to` while `modifiers` are held. Returns the time of the playhead.
fn scrub(timeline: &mut Timeline, from: Pos2, to: Pos2, modifiers: Modifiers) -> f64 {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers,
    };
    timeline.event(Event::ModifiersChanged(modifiers));
    timeline.event(Event::PointerMoved(from));
    timeline.event(button(from, true));
    timeline.event(Event::PointerMoved(to));
    timeline.event(button(to, false));
    timeline.event(Event::ModifiersChanged(Modifiers::NONE));
    timeline.run();
    timeline.state().clock.time()
}

#[test]
fn playhead_snaps_to_markers_unless_ctrl_or_alt() {
    let mut timeline = show_timeline(PanelFixture::with_two_hands());
    let event = timeline.state().clip().events[1].time;
    let x = |timeline: &Timeline, time: f64| {
        let (start, end) = (time_at(timeline, 0.0), time_at(timeline, 1.0));
        position_in(timeline, "Timeline", ((time - start) / (end - start)) as f32)
    };
    let far = x(&timeline, 0.77);
    let near_event = x(&timeline, event) + vec2(3.0, 0.0);
    assert_eq!(scrub(&mut timeline, far, near_event, Modifiers::NONE), event);
    for modifiers in [Modifiers::ALT, Modifiers::CTRL | Modifiers::COMMAND] {
        let time = scrub(&mut timeline, far, near_event, modifiers);
        assert!(time != event && is_near(time, event), "{time}");
    }
    let beyond = x(&timeline, event) + vec2(9.0, 0.0);
    assert_ne!(scrub(&mut timeline, far, beyond, Modifiers::NONE), event);
    timeline.state_mut().panels.timeline.snapping = false;
    assert_ne!(scrub(&mut timeline, far, near_event, Modifiers::NONE), event);
}

#[test]
fn playhead_snaps_to_issues() {
    let mut timeline = show_timeline(PanelFixture::with_two_hands());
    let events: Vec<f64> = timeline.state().clip().events.iter().map(|event| event.time).collect();
    let (start, end) = (time_at(&timeline, 0.0), time_at(&timeline, 1.0));
    let issue_time = timeline.state().recordings[0].issues.all().iter().find_map(|issue| {
        let is_far_from_events = |time: &f64| events.iter().all(|event| (event - time).abs() > 0.2);
        issue.time.filter(|time| issue.key.is_some() && is_far_from_events(time))
    });
    let issue_time = issue_time.expect("the sample has a loss of tracking");
    let issue_position =
        position_in(&timeline, "Timeline", ((issue_time - start) / (end - start)) as f32);
    let far = issue_position - vec2(60.0, 0.0);
    for offset in [3.0, -4.0] {
        let time = scrub(&mut timeline, far, issue_position + vec2(offset, 0.0), Modifiers::NONE);
        assert_eq!(time, issue_time, "{offset}");
    }
}

#[test]
fn range_edges_snap_to_the_playhead() {
    let mut timeline = show_timeline(PanelFixture::with_two_hands());
    timeline.state_mut().apply(T::Seek(1.234));
    timeline.run();
    let part =
        (1.234 - time_at(&timeline, 0.0)) / (time_at(&timeline, 1.0) - time_at(&timeline, 0.0));
    let end = position_in(&timeline, "Range strip", part as f32) + vec2(3.0, 0.0);
    let start = position_in(&timeline, "Range strip", 0.1);
    drag(&mut timeline, &[start, start + vec2(40.0, 0.0), end]);
    assert_eq!(timeline.state().clock.range().unwrap().end(), 1.234);
}

#[test]
fn hovered_time_is_shared() {
    let mut timeline = timeline();
    let middle = position_in(&timeline, "Timeline", 0.5);
    timeline.hover_at(middle);
    timeline.run();
    let hovered = timeline.state().hovered.unwrap();
    assert!(is_near(hovered, time_at(&timeline, 0.5)), "{hovered}");
    timeline.hover_at(pos2(20.0, 20.0));
    timeline.run();
    assert_eq!(timeline.state().hovered, None);
}
