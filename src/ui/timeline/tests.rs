//! The timeline under the pointer.

mod labels;
mod near;
mod rows;

use bevy_egui::egui::{
    Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::{TimelineState, timeline_ui};
use crate::{
    session::Command,
    ui::testing::{Desk, show},
};
use mutoscope_core::playback::{TimeCommand as T, TimeRange};

type Timeline = Harness<'static, Desk<TimelineState>>;

/// The timeline of both hands. Times are as the pointer has them: nothing snaps.
fn timeline() -> Timeline {
    let mut desk: Desk<TimelineState> = Desk::with_two_hands();
    desk.panels.timeline.snapping = false;
    timeline_of(desk)
}

fn timeline_of(desk: Desk<TimelineState>) -> Timeline {
    let mut timeline = show(desk, [1000.0, 400.0], timeline_ui);
    timeline.run();
    timeline.state_mut().take_commands();
    timeline
}

fn area(timeline: &Timeline, label: &str) -> Rect {
    timeline.get_by_label(label).rect()
}

/// A place in the area called `label`, `part` of the way to the right.
fn place(timeline: &Timeline, label: &str, part: f32) -> Pos2 {
    let rect = area(timeline, label);
    pos2(rect.left() + part * rect.width(), rect.bottom() - 4.0)
}

/// The clock commands given since they were taken last.
fn given(timeline: &mut Timeline) -> Vec<T> {
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
    for &place in &path[1..] {
        timeline.hover_at(place);
    }
    timeline.drop_at(path[path.len() - 1]);
    timeline.run();
}

fn near(time: f64, expected: f64) -> bool {
    (time - expected).abs() < 0.02
}

/// The time at `part` of the whole axis.
fn time_at(timeline: &Timeline, part: f64) -> f64 {
    let span = timeline.state().clock.span();
    let margin = 0.01 * span.duration;
    span.start - margin + part * (span.duration + 2.0 * margin)
}

#[test]
fn timeline_click_seeks_and_releases() {
    let mut timeline = timeline();
    let middle = place(&timeline, "Timeline", 0.5);
    drag(&mut timeline, &[middle, middle]);
    let expected = time_at(&timeline, 0.5);
    match given(&mut timeline)[..] {
        [T::Hold, T::Seek(time), T::Release] => assert!(near(time, expected), "{time}"),
        ref others => panic!("{others:?}"),
    }
}

#[test]
fn dragging_scrubs_and_holds_playback() {
    let mut timeline = timeline();
    let path = [0.2, 0.4, 0.6].map(|part| place(&timeline, "Timeline", part));
    timeline.hover_at(path[0]);
    timeline.drag_at(path[0]);
    timeline.hover_at(path[1]);
    timeline.step();
    assert!(!timeline.state().clock.is_running(), "held");
    let scrubbed = timeline.state().clock.time();
    assert!(near(scrubbed, time_at(&timeline, 0.4)), "the same frame shows it");
    timeline.hover_at(path[2]);
    timeline.drop_at(path[2]);
    timeline.run();
    let commands = given(&mut timeline);
    assert_eq!(commands.first(), Some(&T::Hold));
    assert_eq!(commands.last(), Some(&T::Release));
    assert_eq!(commands.iter().filter(|command| matches!(command, T::Seek(_))).count(), 3);
}

#[test]
fn range_strip_creates_moves_and_resizes() {
    let mut timeline = timeline();
    let at = |timeline: &Timeline, part| place(timeline, "Range strip", part);
    let range = |timeline: &Timeline| {
        let range = timeline.state().clock.range().unwrap();
        [range.start(), range.end()]
    };
    let expect = |timeline: &Timeline, parts: [f64; 2]| {
        let expected = parts.map(|part| time_at(timeline, part));
        let found = range(timeline);
        assert!(found.iter().zip(expected).all(|(a, b)| near(*a, b)), "{found:?} {expected:?}");
    };
    let new = [at(&timeline, 0.3), at(&timeline, 0.4), at(&timeline, 0.6)];
    drag(&mut timeline, &new);
    expect(&timeline, [0.3, 0.6]);
    let moved = [at(&timeline, 0.45), at(&timeline, 0.55)];
    drag(&mut timeline, &moved);
    expect(&timeline, [0.4, 0.7]);
    let end = [at(&timeline, 0.7), at(&timeline, 0.9)];
    drag(&mut timeline, &end);
    expect(&timeline, [0.4, 0.9]);
    let start_past_the_end = [at(&timeline, 0.4), at(&timeline, 0.95)];
    drag(&mut timeline, &start_past_the_end);
    expect(&timeline, [0.9, 0.95]);
    assert!(given(&mut timeline).iter().all(|command| matches!(command, T::SetRange(Some(_)))));
}

#[test]
fn range_strip_double_click_clears_the_range() {
    let mut desk = Desk::with_two_hands();
    desk.apply(T::SetRange(Some(TimeRange::new(1.0, 2.0))));
    let mut timeline = timeline_of(desk);
    let outside = place(&timeline, "Range strip", 0.9);
    drag(&mut timeline, &[outside]);
    assert_eq!(given(&mut timeline), []);
    for _ in 0..2 {
        timeline.drag_at(outside);
        timeline.event(button_up(outside));
    }
    timeline.run();
    assert!(given(&mut timeline).contains(&T::SetRange(None)));
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
    // The wheel is smoothed over some frames.
    timeline.run_steps(30);
}

/// The time that a click at `part` goes to.
fn clicked_time(timeline: &mut Timeline, part: f32) -> f64 {
    let place = place(timeline, "Timeline", part);
    drag(timeline, &[place]);
    timeline.state().clock.time()
}

#[test]
fn ctrl_wheel_zooms_and_double_click_fits() {
    let mut timeline = timeline();
    let before = [0.5, 0.9].map(|part| clicked_time(&mut timeline, part));
    let middle = place(&timeline, "Timeline", 0.5);
    wheel(&mut timeline, middle, vec2(0.0, 200.0), Modifiers::COMMAND | Modifiers::CTRL);
    let zoomed = [0.5, 0.9].map(|part| clicked_time(&mut timeline, part));
    assert!(near(zoomed[0], before[0]), "{before:?} {zoomed:?}");
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
    assert!(near(reset, before[1]), "{reset}");
}
