//! The curve view under the pointer, within the timeline.

use bevy_egui::egui::{
    self, Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, TouchPhase, Vec2, pos2, vec2,
};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};

use crate::{
    session::{CameraCommand, Command, TimelineCommand, Toggle, ViewCommand},
    ui::{
        testing::{Desk, show},
        timeline::{TimelineState, timeline_ui},
    },
};
use mutoscope_core::{
    clip::{Clip, KeyId, NodeId, Owner},
    playback::TimeCommand as T,
};

type Timeline = Harness<'static, Desk<TimelineState>>;

/// Keys at frames 5, 10 and 20 of 24 a second, of the values 1, 4 and 3; constant before, cycles
/// after.
fn maya() -> Clip {
    let bytes = include_bytes!("../../../tests/data/maya/infinities.anim");
    mutoscope_core::formats::decode(
        bytes,
        &mutoscope_core::formats::DecodeRequest::default().named("x.anim"),
    )
    .unwrap()
}

fn node(clip: &Clip, name: &str) -> NodeId {
    NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap())
}

/// The curves of the node called `name`, below the ruler.
fn curves_of(clip: Clip, name: &str) -> Timeline {
    let selected = node(&clip, name);
    let mut desk: Desk<TimelineState> = Desk::with(clip);
    desk.view.selected = Some(desk.of(selected));
    desk.panels.timeline.curves = true;
    let mut timeline = show(desk, [1000.0, 400.0], timeline_ui);
    timeline.state_mut().take_commands();
    timeline
}

fn has(timeline: &Timeline, text: &str) -> bool {
    timeline.query_all_by_label_contains(text).next().is_some()
}

fn area(timeline: &Timeline) -> Rect {
    timeline.get_by_label("Timeline").rect()
}

/// Where `time` is on the whole axis.
fn x_at(timeline: &Timeline, time: f64) -> f32 {
    let span = timeline.state().clock.span();
    let margin = 0.01 * span.duration;
    let part = (time - span.start + margin) / (span.duration + 2.0 * margin);
    let area = area(timeline);
    area.left() + part as f32 * area.width()
}

/// Where frame 10 of `constant_cycle` is: the highest value, fitted with room of 12 % of the range
/// above and below.
fn highest_key(timeline: &Timeline) -> Pos2 {
    let area = area(timeline);
    let plot = Rect::from_x_y_ranges(area.x_range(), area.top() + 22.0 + 1.0..=area.bottom() - 3.0);
    let part = 0.12 / 1.24;
    pos2(x_at(timeline, 10.0 / 24.0), plot.top() + part * plot.height())
}

fn click(timeline: &mut Timeline, at: Pos2) {
    timeline.hover_at(at);
    timeline.run();
    timeline.drag_at(at);
    timeline.drop_at(at);
    timeline.run();
}

fn wheel(timeline: &mut Timeline, at: Pos2, delta: Vec2, modifiers: Modifiers) {
    timeline.hover_at(at);
    let unit = MouseWheelUnit::Point;
    let phase = TouchPhase::Move;
    // The wheel turns smoothly over some frames, and the keys are held for as long.
    timeline.event(Event::ModifiersChanged(modifiers));
    timeline.event(Event::MouseWheel { unit, delta, modifiers, phase });
    timeline.run_steps(30);
    timeline.event(Event::ModifiersChanged(Modifiers::NONE));
}

#[test]
fn selected_node_has_a_checkbox_per_curve() {
    let timeline = curves_of(crate::ui::testing::two_hands(), "left/IndexTip");
    for label in ["Curve position x", "Curve rotation w", "Curve left switches tracked"] {
        assert!(has(&timeline, label), "{label}");
    }
    assert!(!has(&timeline, "Row camera"), "in place of rows");
}

#[test]
fn keys_have_tooltips_and_are_selected_by_click() {
    let clip = maya();
    let owner = Owner::Node(node(&clip, "constant_cycle"));
    let (track, _) = clip.tracks_of(owner).next().unwrap();
    let mut timeline = curves_of(clip, "constant_cycle");
    let key = highest_key(&timeline);
    timeline.hover_at(key);
    timeline.run();
    let label = timeline.get_by_label_contains("Key X").accesskit_node().label();
    assert_eq!(label.as_deref(), Some("Key X · 0.4167 s, frame 10 · 4.000 cm · smooth"));
    click(&mut timeline, key);
    let selected = timeline.state().key(KeyId { track, index: 1 });
    let selected = Command::View(ViewCommand::SelectKey(selected));
    assert_eq!(timeline.state_mut().take_commands(), [selected], "and does not scrub");
}

#[test]
fn click_beside_keys_scrubs() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    let place = highest_key(&timeline) + vec2(60.0, 90.0);
    click(&mut timeline, place);
    let commands = timeline.state_mut().take_commands();
    let [Command::Time(T::Hold), Command::Time(T::Seek(time)), Command::Time(T::Release)] =
        commands[..]
    else {
        panic!("{commands:?}")
    };
    let expected = x_at(&timeline, time);
    assert!((expected - place.x).abs() < 1.0, "{time}");
}

#[test]
fn wheel_zooms_time_and_shift_wheel_zooms_values() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    let key = highest_key(&timeline);
    let is_there = |timeline: &mut Timeline, at: Pos2| {
        timeline.hover_at(at);
        timeline.run();
        has(timeline, "Key X")
    };
    // Zooming around the key keeps it there; around another place moves it away.
    wheel(&mut timeline, key, vec2(0.0, 150.0), Modifiers::NONE);
    assert!(is_there(&mut timeline, key));
    wheel(&mut timeline, key, vec2(0.0, 150.0), Modifiers::SHIFT);
    assert!(is_there(&mut timeline, key));
    let below = key + vec2(0.0, 150.0);
    wheel(&mut timeline, below, vec2(0.0, 100.0), Modifiers::SHIFT);
    assert!(!is_there(&mut timeline, key));
    // Pan back to where it is by hand: a double click shows everything.
    for _ in 0..2 {
        timeline.drag_at(below);
        let up = Event::PointerButton {
            pos: below,
            button: PointerButton::Primary,
            pressed: false,
            modifiers: Modifiers::NONE,
        };
        timeline.event(up);
    }
    timeline.run();
    assert!(is_there(&mut timeline, key));
}

#[test]
fn fitting_uses_values_of_the_visible_time() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    let key = highest_key(&timeline);
    let low = pos2(x_at(&timeline, 5.0 / 24.0), area(&timeline).bottom() - 60.0);
    // Near the first key only the values around 1 are visible.
    wheel(&mut timeline, low, vec2(0.0, 800.0), Modifiers::NONE);
    timeline.hover_at(key);
    timeline.run();
    let fits = timeline.state_mut().state.takes(&Command::Camera(CameraCommand::FrameSelected));
    assert!(fits, "over curves, F is theirs");
    timeline.run();
    timeline.get_by_label("Fit").click();
    timeline.run();
    assert_eq!(
        timeline.state_mut().take_commands(),
        [Command::Timeline(TimelineCommand::FitCurves)]
    );
    timeline.hover_at(pos2(5.0, 5.0));
    timeline.run();
    assert!(
        !timeline.state_mut().state.takes(&Command::Camera(CameraCommand::FrameSelected)),
        "elsewhere it is not"
    );
}

#[test]
fn checkboxes_hide_curves_and_titles_collapse_panes() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    let key = highest_key(&timeline);
    timeline.get_by_label("Curve translate X").click();
    timeline.run();
    timeline.hover_at(key);
    timeline.run();
    assert!(!has(&timeline, "Key X"), "a hidden curve has no keys to click");
    timeline.get_by_label("Collapse translate").click();
    timeline.run();
    assert!(!has(&timeline, "Curve translate X"));
}

#[test]
fn velocity_and_acceleration_stand_above_the_curves_of_a_node() {
    let mut timeline = curves_of(crate::ui::testing::two_hands(), "left/IndexTip");
    assert!(!has(&timeline, "Curve velocity speed"), "only when asked for");
    timeline.get_by_label("Velocity").click();
    timeline.run();
    let asked = Command::Toggle(Toggle::Velocity);
    assert_eq!(timeline.state_mut().take_commands(), std::slice::from_ref(&asked));
    timeline.run();
    let is_shown = |timeline: &Timeline, label: &str| {
        let toggled = timeline.get_by_label(label).accesskit_node().toggled();
        toggled == Some(egui::accesskit::Toggled::True)
    };
    for (curve, at_first) in [
        ("Curve velocity speed", true),
        ("Curve velocity x", false),
        ("Curve acceleration magnitude", true),
        ("Curve acceleration z", false),
        ("Curve position x", true),
    ] {
        assert_eq!(is_shown(&timeline, curve), at_first, "{curve}");
    }
    let top = |label: &str| timeline.get_by_label(label).rect().top();
    assert_eq!(top("Curve velocity x"), top("Curve velocity z"), "they share a row");
    assert!(top("Curve velocity speed") < top("Curve velocity x"));
    assert!(top("Curve velocity speed") < top("Curve acceleration magnitude"));
    assert!(top("Curve acceleration magnitude") < top("Curve position x"));
    timeline.get_by_label("Curve velocity x").click();
    timeline.get_by_label("Curve velocity speed").click();
    timeline.run();
    assert!(is_shown(&timeline, "Curve velocity x"));
    let top = |label: &str| timeline.get_by_label(label).rect().top();
    assert!(top("Curve velocity x") < top("Curve velocity y"), "and have one of their own");
    assert!(!is_shown(&timeline, "Curve velocity speed"));
    timeline.get_by_label("Collapse acceleration").click();
    timeline.run();
    assert!(!has(&timeline, "Curve acceleration magnitude"));
    // They ask for no repaint when all is looked at.
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}

#[test]
fn computed_curves_explain_their_origin() {
    let mut timeline = curves_of(crate::ui::testing::two_hands(), "left/IndexTip");
    timeline.state_mut().panels.timeline.velocity = true;
    timeline.run();
    timeline.get_by_label("Collapse velocity").hover();
    timeline.run_steps(60);
    assert!(has(&timeline, "in world space, in metres: the central difference of positions 16."));
}

#[test]
fn pinned_curves_stay_when_the_selection_changes() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    timeline.get_by_label("Pin").click();
    timeline.run();
    let clip = timeline.state().clip().clone();
    let other = timeline.state().of(node(&clip, "linear_linear"));
    timeline.state_mut().view.selected = Some(other);
    timeline.run();
    for label in ["Curve constant_cycle translate X", "Curve linear_linear translate X"] {
        assert!(has(&timeline, label), "{label}");
    }
}

#[test]
fn moved_playhead_scrolls_into_view() {
    let mut timeline = curves_of(maya(), "constant_cycle");
    let end = pos2(x_at(&timeline, 0.8), area(&timeline).bottom() - 60.0);
    wheel(&mut timeline, end, vec2(0.0, 600.0), Modifiers::NONE);
    let seen_at = |timeline: &mut Timeline, x: f32| {
        let place = pos2(x, area(timeline).bottom() - 5.0);
        click(timeline, place);
        timeline.state().clock.time()
    };
    // The playhead is at the start, out of sight, and stays so while it does not move.
    let left = area(&timeline).left() + 2.0;
    timeline.state_mut().apply(T::Seek(0.1));
    timeline.run();
    let first = seen_at(&mut timeline, left);
    assert!(first < 0.2, "{first}");
}

#[test]
fn idle_curves_request_no_repaint() {
    let mut timeline = curves_of(crate::ui::testing::two_hands(), "left/IndexTip");
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}
