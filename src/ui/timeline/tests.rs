//! The timeline under the pointer.

use bevy_egui::egui::{
    Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::{TimelineState, timeline_ui};
use crate::{
    playback::{TimeCommand as T, TimeRange},
    ui::testing::{Desk, show},
    viewer::Command,
};

type Timeline = Harness<'static, Desk<TimelineState>>;

/// The timeline of both hands. Times are as the pointer has them: nothing snaps.
fn timeline() -> Timeline {
    let mut desk: Desk<TimelineState> = Desk::with_two_hands();
    desk.state.snaps = false;
    timeline_of(desk)
}

fn timeline_of(desk: Desk<TimelineState>) -> Timeline {
    let mut timeline = show(desk, [1000.0, 400.0], timeline_ui);
    timeline.run();
    timeline.state_mut().take_commands();
    timeline
}

/// One node with a curve that has keys at 1, 2, 50 and 51 seconds.
fn sparse() -> Desk<TimelineState> {
    let keys =
        [(1, "fixed fixed"), (2, "linear linear"), (50, "linear step"), (51, "linear linear")];
    let key = |(second, tangents): &(u32, &str)| {
        let (into, out) = tangents.split_once(' ').unwrap();
        let rest = if *into == *"fixed" { " 0 1 0 1" } else { "" };
        format!("    {} {} {into} {out} 1 1 0{rest};\n", second * 30, second)
    };
    let keys: String = keys.iter().map(key).collect();
    let text = format!(
        "animVersion 1.1;\nmayaVersion 2014;\ntimeUnit ntsc;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 30;\nendTime 1530;\nanim translate.translateX translateX root 0 0 0;\n\
         animData {{\n  input time;\n  output linear;\n  weighted 0;\n  preInfinity constant;\n  \
         postInfinity constant;\n  keys {{\n{keys}  }}\n}}\n"
    );
    Desk::with(crate::formats::decode(text.as_bytes(), None, None).unwrap())
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
    let span = timeline.state().player.clock().span();
    let margin = 0.01 * span.duration;
    span.start - margin + part * (span.duration + 2.0 * margin)
}

#[test]
fn a_click_goes_there_and_lets_go() {
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
fn dragging_scrubs_live_and_holds_playback_meanwhile() {
    let mut timeline = timeline();
    let path = [0.2, 0.4, 0.6].map(|part| place(&timeline, "Timeline", part));
    timeline.hover_at(path[0]);
    timeline.drag_at(path[0]);
    timeline.hover_at(path[1]);
    timeline.step();
    assert!(!timeline.state().player.clock().is_running(), "held");
    let scrubbed = timeline.state().player.clock().time();
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
fn dragging_in_the_strip_makes_moves_and_resizes_the_range() {
    let mut timeline = timeline();
    let at = |timeline: &Timeline, part| place(timeline, "Range strip", part);
    let range = |timeline: &Timeline| {
        let range = timeline.state().player.clock().range().unwrap();
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
fn a_click_in_the_strip_keeps_the_range_and_a_double_click_drops_it() {
    let mut desk = Desk::with_two_hands();
    desk.player.apply(T::SetRange(Some(TimeRange::new(1.0, 2.0))));
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
    timeline.state().player.clock().time()
}

#[test]
fn the_wheel_with_ctrl_zooms_around_the_pointer_and_a_double_click_shows_everything() {
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

#[test]
fn markers_are_flags_to_click_on() {
    let mut timeline = timeline();
    let event = timeline.state().player.clip().unwrap().events[1].clone();
    timeline.get_by_label(&format!("markers: {}", event.name)).click();
    timeline.run();
    assert_eq!(timeline.state().player.clock().time(), event.time);
    assert!(given(&mut timeline).contains(&T::Seek(event.time)));
}

#[test]
fn rows_select_and_groups_unfold() {
    let mut timeline = timeline();
    timeline.get_by_label("Row camera").click();
    timeline.run();
    let camera = timeline.state().node("camera");
    assert_eq!(timeline.state_mut().take_commands(), [Command::Select(Some(camera))]);
    assert!(timeline.query_by_label("Row Wrist").is_none());
    timeline.get_by_label("Row left").click();
    timeline.run();
    assert!(timeline.query_by_label("Row Wrist").is_some());
}

#[test]
fn triangles_fold_one_row_or_with_shift_all_below() {
    let mut timeline = timeline();
    let wrist = |timeline: &Timeline| {
        let is_there = |label: &str| timeline.query_by_label(label).is_some();
        (is_there("Row Wrist"), timeline.query_all_by_label("Row position.x").count() > 0)
    };
    timeline.get_by_label("Unfold row left").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, false));
    timeline.get_by_label("Unfold row Wrist").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, true));
    timeline.get_by_label("Fold row left").click_modifiers(Modifiers::SHIFT);
    timeline.run();
    assert_eq!(wrist(&timeline), (false, false));
    timeline.get_by_label("Unfold row left").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, false), "what was below was folded, too");
    assert!(
        timeline.state_mut().take_commands().is_empty(),
        "folding is the timeline's own affair"
    );
}

#[test]
fn what_is_selected_is_shown_with_its_group_folded() {
    let mut timeline = timeline();
    assert!(timeline.query_by_label("Row IndexTip").is_none());
    let tip = timeline.state().node("left/IndexTip");
    timeline.state_mut().view.selected = Some(tip);
    timeline.run();
    assert!(timeline.query_by_label("Row IndexTip").is_some());
    assert!(timeline.query_by_label("Row Wrist").is_none());
}

#[test]
fn the_column_of_labels_is_dragged_wider() {
    let mut timeline = timeline();
    let before = area(&timeline, "Timeline").left();
    let edge = area(&timeline, "Width of the labels").center();
    drag(&mut timeline, &[edge, edge + vec2(30.0, 0.0), edge + vec2(60.0, 0.0)]);
    let moved = area(&timeline, "Timeline").left() - before;
    assert!((moved - 60.0).abs() < 3.0, "{moved}");
    assert_eq!(given(&mut timeline), []);
}

#[test]
fn the_overview_is_dragged_at_its_ends_and_in_its_middle() {
    let mut timeline = timeline();
    let at = |timeline: &Timeline, part| {
        let rect = area(timeline, "Overview");
        pos2(rect.left() + part * rect.width(), rect.center().y)
    };
    let shown = |timeline: &mut Timeline| [0.02, 0.98].map(|part| clicked_time(timeline, part));
    let end = [1.0, 0.75, 0.5].map(|part| at(&timeline, part));
    drag(&mut timeline, &end);
    let [first, last] = shown(&mut timeline);
    assert!(
        near(first, time_at(&timeline, 0.01)) && near(last, time_at(&timeline, 0.49)),
        "{first} {last}"
    );
    let moved = [0.25, 0.35, 0.45].map(|part| at(&timeline, part));
    drag(&mut timeline, &moved);
    let [first, last] = shown(&mut timeline);
    assert!(
        near(first, time_at(&timeline, 0.21)) && near(last, time_at(&timeline, 0.69)),
        "{first} {last}"
    );
    let far = at(&timeline, 0.45);
    // Long enough after the clicks before to be none of theirs.
    timeline.run_steps(60);
    for _ in 0..2 {
        timeline.drag_at(far);
        timeline.event(button_up(far));
    }
    timeline.run();
    let [first, last] = shown(&mut timeline);
    assert!(
        near(first, time_at(&timeline, 0.02)) && near(last, time_at(&timeline, 0.98)),
        "{first} {last}"
    );
}

#[test]
fn the_range_fills_the_timeline_when_asked_to() {
    let mut timeline = timeline();
    timeline.state_mut().player.apply(T::SetRange(Some(TimeRange::new(1.0, 3.0))));
    assert!(timeline.state_mut().state.apply(&Command::ZoomToRange));
    timeline.run();
    let times = [0.01, 0.5, 0.99].map(|part| clicked_time(&mut timeline, part));
    assert!(near(times[0], 1.0) && near(times[1], 2.0) && near(times[2], 3.0), "{times:?}");
    assert!(timeline.state_mut().state.apply(&Command::ZoomToAll));
    timeline.run();
    let last = clicked_time(&mut timeline, 0.98);
    assert!(near(last, time_at(&timeline, 0.98)), "{last}");
}

/// Presses at `from` and lets go at `to`, with these modifiers held; where the playhead is then.
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
    timeline.state().player.clock().time()
}

#[test]
fn the_playhead_goes_to_a_marker_nearby_unless_ctrl_or_alt_is_held() {
    let mut timeline = timeline_of(Desk::with_two_hands());
    let event = timeline.state().player.clip().unwrap().events[1].time;
    let x = |timeline: &Timeline, time: f64| {
        let (start, end) = (time_at(timeline, 0.0), time_at(timeline, 1.0));
        place(timeline, "Timeline", ((time - start) / (end - start)) as f32)
    };
    let far = x(&timeline, 0.77);
    let at = x(&timeline, event) + vec2(3.0, 0.0);
    assert_eq!(scrub(&mut timeline, far, at, Modifiers::NONE), event);
    for modifiers in [Modifiers::ALT, Modifiers::CTRL | Modifiers::COMMAND] {
        let time = scrub(&mut timeline, far, at, modifiers);
        assert!(time != event && near(time, event), "{time}");
    }
    let beyond = x(&timeline, event) + vec2(9.0, 0.0);
    assert_ne!(scrub(&mut timeline, far, beyond, Modifiers::NONE), event);
    timeline.state_mut().state.apply(&Command::Toggle(crate::viewer::Toggle::Snapping));
    assert_ne!(scrub(&mut timeline, far, at, Modifiers::NONE), event);
}

#[test]
fn an_edge_of_the_range_goes_to_the_playhead() {
    let mut timeline = timeline_of(Desk::with_two_hands());
    timeline.state_mut().player.apply(T::Seek(1.234));
    timeline.run();
    let part =
        (1.234 - time_at(&timeline, 0.0)) / (time_at(&timeline, 1.0) - time_at(&timeline, 0.0));
    let end = place(&timeline, "Range strip", part as f32) + vec2(3.0, 0.0);
    let start = place(&timeline, "Range strip", 0.1);
    drag(&mut timeline, &[start, start + vec2(40.0, 0.0), end]);
    assert_eq!(timeline.state().player.clock().range().unwrap().end(), 1.234);
}

#[test]
fn where_the_pointer_is_everybody_knows() {
    let mut timeline = timeline();
    let middle = place(&timeline, "Timeline", 0.5);
    timeline.hover_at(middle);
    timeline.run();
    let hovered = timeline.state().hovered.unwrap();
    assert!(near(hovered, time_at(&timeline, 0.5)), "{hovered}");
    timeline.hover_at(pos2(20.0, 20.0));
    timeline.run();
    assert_eq!(timeline.state().hovered, None);
}

#[test]
fn long_times_without_keys_fold_to_a_band() {
    let mut timeline = timeline_of(sparse());
    timeline.state_mut().state.snaps = false;
    let before = clicked_time(&mut timeline, 0.3);
    assert!((before - 16.0).abs() < 1.0, "{before}");
    timeline.state_mut().state.apply(&Command::Toggle(crate::viewer::Toggle::Folds));
    timeline.run();
    let folded = clicked_time(&mut timeline, 0.3);
    assert!((1.0..4.0).contains(&folded), "{folded}");
    let later = clicked_time(&mut timeline, 0.7);
    assert!((47.0..51.0).contains(&later), "{later}");
}

#[test]
fn a_key_says_how_its_curve_runs_and_is_selected_by_a_click() {
    let mut timeline = timeline_of(sparse());
    let span = timeline.state().player.clock().span();
    let row = area(&timeline, "Row root").center().y;
    let part =
        (50.0 - time_at(&timeline, 0.0)) / (time_at(&timeline, 1.0) - time_at(&timeline, 0.0));
    let key = pos2(place(&timeline, "Timeline", part as f32).x, row);
    timeline.hover_at(key);
    timeline.run();
    assert!(timeline.query_by_label_contains("linear to hold").is_some());
    drag(&mut timeline, &[key]);
    let commands = timeline.state_mut().take_commands();
    let selected = commands.iter().find_map(|command| match command {
        Command::SelectKey(key) => Some(key.index),
        _ => None,
    });
    assert_eq!(selected, Some(2), "{commands:?} {span:?}");
}

#[test]
fn a_timeline_at_rest_asks_for_no_repaint() {
    let mut timeline = timeline();
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}

#[test]
fn flags_have_rows_of_their_own_and_words_are_those_of_people() {
    let desk: Desk<TimelineState> = Desk::with(crate::ui::testing::a_day());
    let timeline = show(desk, [1000.0, 900.0], timeline_ui);
    for row in ["sneaking", "swimming", "main hand", "pose", "Places", "entity/0 · cow"] {
        assert!(timeline.query_by_label(&format!("Row {row}")).is_some(), "{row}");
    }
    for row in ["entity flags", "living flags", "gliding", "arrows", "player"] {
        let row = format!("Row {row}");
        let is_node = row == "Row player";
        assert_eq!(timeline.query_by_label(&row).is_some(), is_node, "{row}");
    }
}
