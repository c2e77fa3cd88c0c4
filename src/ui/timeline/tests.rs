//! Tests the timeline with a pointer.

mod labels;
mod navigation;
mod rows;

use bevy_egui::egui::{
    Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::{TimelineState, timeline_ui};
use crate::{
    session::Command,
    ui::testing::{PanelFixture, show},
};
use mutoscope_core::playback::{TimeCommand as T, TimeRange};

type Timeline = Harness<'static, PanelFixture<TimelineState>>;

/// Shows both hands without snapping, so that times follow the pointer exactly.
fn timeline() -> Timeline {
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_two_hands();
    fixture.panels.timeline.snapping = false;
    show_timeline(fixture)
}

fn show_timeline(fixture: PanelFixture<TimelineState>) -> Timeline {
    let mut timeline = show(fixture, [1000.0, 400.0], timeline_ui);
    timeline.run();
    timeline.state_mut().take_commands();
    timeline
}

fn area(timeline: &Timeline, label: &str) -> Rect {
    timeline.get_by_label(label).rect()
}

/// Returns a position in the area called `label`, at `part` of its width.
fn position_in(timeline: &Timeline, label: &str, part: f32) -> Pos2 {
    let rect = area(timeline, label);
    pos2(rect.left() + part * rect.width(), rect.bottom() - 4.0)
}

fn take_time_commands(timeline: &mut Timeline) -> Vec<T> {
    let commands = timeline.state_mut().take_commands().into_iter();
    let commands = commands.filter_map(|command| match command {
        Command::Time(command) => Some(command),
        _ => None,
    });
    commands.collect()
}

fn drag(timeline: &mut Timeline, path: &[Pos2]) {
    timeline.hover_at(path[0]);
    timeline.drag_at(path[0]);
    for &position in &path[1..] {
        timeline.hover_at(position);
    }
    timeline.drop_at(path[path.len() - 1]);
    timeline.run();
}

fn is_near(time: f64, expected: f64) -> bool {
    (time - expected).abs() < 0.02
}

/// Returns the time at `part` of the axis while the whole recording is visible.
fn time_at(timeline: &Timeline, part: f64) -> f64 {
    let span = timeline.state().clock.span();
    let margin = 0.01 * span.duration;
    span.start - margin + part * (span.duration + 2.0 * margin)
}

#[test]
fn timeline_click_seeks_and_releases() {
    let mut timeline = timeline();
    let middle = position_in(&timeline, "Timeline", 0.5);
    drag(&mut timeline, &[middle, middle]);
    let expected = time_at(&timeline, 0.5);
    match take_time_commands(&mut timeline)[..] {
        [T::Hold, T::Seek(time), T::Release] => assert!(is_near(time, expected), "{time}"),
        ref others => panic!("{others:?}"),
    }
}

#[test]
fn dragging_scrubs_and_holds_playback() {
    let mut timeline = timeline();
    let path = [0.2, 0.4, 0.6].map(|part| position_in(&timeline, "Timeline", part));
    timeline.hover_at(path[0]);
    timeline.drag_at(path[0]);
    timeline.hover_at(path[1]);
    timeline.step();
    assert!(!timeline.state().clock.is_running(), "scrubbing holds playback");
    let scrubbed = timeline.state().clock.time();
    assert!(is_near(scrubbed, time_at(&timeline, 0.4)), "the same frame shows the new time");
    timeline.hover_at(path[2]);
    timeline.drop_at(path[2]);
    timeline.run();
    let commands = take_time_commands(&mut timeline);
    assert_eq!(commands.first(), Some(&T::Hold));
    assert_eq!(commands.last(), Some(&T::Release));
    assert_eq!(commands.iter().filter(|command| matches!(command, T::Seek(_))).count(), 3);
}

#[test]
fn range_strip_creates_moves_and_resizes() {
    let mut timeline = timeline();
    let strip_position = |timeline: &Timeline, part| position_in(timeline, "Range strip", part);
    let range = |timeline: &Timeline| {
        let range = timeline.state().clock.range().unwrap();
        [range.start(), range.end()]
    };
    let expect = |timeline: &Timeline, parts: [f64; 2]| {
        let expected = parts.map(|part| time_at(timeline, part));
        let found = range(timeline);
        assert!(found.iter().zip(expected).all(|(a, b)| is_near(*a, b)), "{found:?} {expected:?}");
    };
    let new = [
        strip_position(&timeline, 0.3),
        strip_position(&timeline, 0.4),
        strip_position(&timeline, 0.6),
    ];
    drag(&mut timeline, &new);
    expect(&timeline, [0.3, 0.6]);
    let moved = [strip_position(&timeline, 0.45), strip_position(&timeline, 0.55)];
    drag(&mut timeline, &moved);
    expect(&timeline, [0.4, 0.7]);
    let end = [strip_position(&timeline, 0.7), strip_position(&timeline, 0.9)];
    drag(&mut timeline, &end);
    expect(&timeline, [0.4, 0.9]);
    let start_past_the_end = [strip_position(&timeline, 0.4), strip_position(&timeline, 0.95)];
    drag(&mut timeline, &start_past_the_end);
    expect(&timeline, [0.9, 0.95]);
    assert!(
        take_time_commands(&mut timeline)
            .iter()
            .all(|command| matches!(command, T::SetRange(Some(_))))
    );
}

#[test]
fn range_strip_double_click_clears_the_range() {
    let mut fixture = PanelFixture::with_two_hands();
    fixture.apply(T::SetRange(Some(TimeRange::new(1.0, 2.0))));
    let mut timeline = show_timeline(fixture);
    let outside = position_in(&timeline, "Range strip", 0.9);
    drag(&mut timeline, &[outside]);
    assert_eq!(take_time_commands(&mut timeline), []);
    for _ in 0..2 {
        timeline.drag_at(outside);
        timeline.event(button_up(outside));
    }
    timeline.run();
    assert!(take_time_commands(&mut timeline).contains(&T::SetRange(None)));
}

fn button_up(pos: Pos2) -> Event {
    let button = PointerButton::Primary;
    Event::PointerButton { pos, button, pressed: false, modifiers: Modifiers::NONE }
}

fn wheel(timeline: &mut Timeline, at: Pos2, delta: Vec2, modifiers: Modifiers) {
    timeline.hover_at(at);
    let unit = MouseWheelUnit::Point;
    let phase = TouchPhase::Move;
    timeline.event_modifiers(Event::MouseWheel { unit, delta, modifiers, phase }, modifiers);
    // The wheel is smoothed over several frames.
    timeline.run_steps(30);
}

/// Returns the time to which a click at `part` of the timeline seeks.
fn clicked_time(timeline: &mut Timeline, part: f32) -> f64 {
    let position = position_in(timeline, "Timeline", part);
    drag(timeline, &[position]);
    timeline.state().clock.time()
}

#[test]
fn ctrl_wheel_zooms_and_double_click_fits() {
    let mut timeline = timeline();
    let before = [0.5, 0.9].map(|part| clicked_time(&mut timeline, part));
    let middle = position_in(&timeline, "Timeline", 0.5);
    wheel(&mut timeline, middle, vec2(0.0, 200.0), Modifiers::COMMAND | Modifiers::CTRL);
    let zoomed = [0.5, 0.9].map(|part| clicked_time(&mut timeline, part));
    assert!(is_near(zoomed[0], before[0]), "{before:?} {zoomed:?}");
    assert!(zoomed[1] < before[1] - 0.2, "{before:?} {zoomed:?}");

    wheel(&mut timeline, middle, vec2(-100.0, 0.0), Modifiers::NONE);
    let panned = clicked_time(&mut timeline, 0.5);
    assert!(panned > zoomed[0] + 0.05, "{panned}");

    for _ in 0..2 {
        timeline.drag_at(middle);
        timeline.event(button_up(middle));
    }
    timeline.run();
    let reset = clicked_time(&mut timeline, 0.9);
    assert!(is_near(reset, before[1]), "{reset}");
}
