//! Tests the curve view with a pointer, inside the timeline.

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
        testing::{PanelFixture, show},
        timeline::{TimelineState, timeline_ui},
    },
};
use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, KeyId, NodeId, Owner},
    decode,
    playback::TimeCommand as T,
};

type Timeline = Harness<'static, PanelFixture<TimelineState>>;

/// Keys at frames 5, 10 and 20 at 24 Hz, with the values 1, 4 and 3. Constant before, cycles after.
fn infinities_clip() -> Clip {
    let bytes = include_bytes!("../../../tests/data/maya/infinities.anim");
    decode(SourceFile::new("x.anim", bytes), &ReadOptions::default()).unwrap()
}

fn node(clip: &Clip, name: &str) -> NodeId {
    NodeId::new(clip.nodes.iter().position(|node| node.name == name).unwrap())
}

/// Shows the curves of the node called `name`, below the ruler.
fn show_curves(clip: Clip, name: &str) -> Timeline {
    let selected = node(&clip, name);
    let mut fixture: PanelFixture<TimelineState> = PanelFixture::with_clip(clip);
    fixture.view.selected = Some(fixture.recording_node(selected));
    fixture.panels.timeline.curves = true;
    let mut timeline = show(fixture, [1000.0, 400.0], timeline_ui);
    timeline.state_mut().take_commands();
    timeline
}

fn has_label(timeline: &Timeline, text: &str) -> bool {
    timeline.query_all_by_label_contains(text).next().is_some()
}

fn area(timeline: &Timeline) -> Rect {
    timeline.get_by_label("Timeline").rect()
}

/// Returns the x of `time` while the axis shows the whole recording.
fn x_at(timeline: &Timeline, time: f64) -> f32 {
    let span = timeline.state().clock.span();
    let margin = 0.01 * span.duration;
    let part = (time - span.start + margin) / (span.duration + 2.0 * margin);
    let area = area(timeline);
    area.left() + part as f32 * area.width()
}

/// Returns the position of frame 10 of `constant_cycle`, its maximum. A fitted pane leaves 12 % of
/// the range free above and below.
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
    // The zoom is smoothed over several frames, so the modifier keys must be held for as long.
    timeline.event(Event::ModifiersChanged(modifiers));
    timeline.event(Event::MouseWheel { unit, delta, modifiers, phase });
    timeline.run_steps(30);
    timeline.event(Event::ModifiersChanged(Modifiers::NONE));
}

#[test]
fn selected_node_has_a_checkbox_per_curve() {
    let timeline = show_curves(crate::ui::testing::two_hands(), "left/IndexTip");
    for label in ["Curve position x", "Curve rotation w", "Curve left switches tracked"] {
        assert!(has_label(&timeline, label), "{label}");
    }
    assert!(!has_label(&timeline, "Row camera"), "curves replace the rows");
}

#[test]
fn keys_have_tooltips_and_are_selected_by_click() {
    let clip = infinities_clip();
    let owner = Owner::Node(node(&clip, "constant_cycle"));
    let (track, _) = clip.tracks_of(owner).next().unwrap();
    let mut timeline = show_curves(clip, "constant_cycle");
    let key = highest_key(&timeline);
    timeline.hover_at(key);
    timeline.run();
    let label = timeline.get_by_label_contains("Key X").accesskit_node().label();
    assert_eq!(label.as_deref(), Some("Key X · 0.4167 s, frame 10 · 4.000 cm · smooth"));
    click(&mut timeline, key);
    let selected = timeline.state().recording_key(KeyId { track, index: 1 });
    let selected = Command::View(ViewCommand::SelectKey(selected));
    assert_eq!(
        timeline.state_mut().take_commands(),
        [selected],
        "the click selects and does not scrub"
    );
}

#[test]
fn click_next_to_a_key_scrubs() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    let position = highest_key(&timeline) + vec2(60.0, 90.0);
    click(&mut timeline, position);
    let commands = timeline.state_mut().take_commands();
    let [Command::Time(T::Hold), Command::Time(T::Seek(time)), Command::Time(T::Release)] =
        commands[..]
    else {
        panic!("{commands:?}")
    };
    let expected = x_at(&timeline, time);
    assert!((expected - position.x).abs() < 1.0, "{time}");
}

#[test]
fn wheel_zooms_time_and_shift_wheel_zooms_values() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    let key = highest_key(&timeline);
    let is_key_at = |timeline: &mut Timeline, at: Pos2| {
        timeline.hover_at(at);
        timeline.run();
        has_label(timeline, "Key X")
    };
    // Zooming around the key leaves the key under the pointer. Zooming around another position
    // moves it away.
    wheel(&mut timeline, key, vec2(0.0, 150.0), Modifiers::NONE);
    assert!(is_key_at(&mut timeline, key));
    wheel(&mut timeline, key, vec2(0.0, 150.0), Modifiers::SHIFT);
    assert!(is_key_at(&mut timeline, key));
    let below = key + vec2(0.0, 150.0);
    wheel(&mut timeline, below, vec2(0.0, 100.0), Modifiers::SHIFT);
    assert!(!is_key_at(&mut timeline, key));
    // A double click resets the view.
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
    assert!(is_key_at(&mut timeline, key));
}

#[test]
fn fitting_uses_values_of_the_visible_time() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    let key = highest_key(&timeline);
    let low = pos2(x_at(&timeline, 5.0 / 24.0), area(&timeline).bottom() - 60.0);
    // Around the first key, only values near 1 are visible.
    wheel(&mut timeline, low, vec2(0.0, 800.0), Modifiers::NONE);
    timeline.hover_at(key);
    timeline.run();
    let fits =
        timeline.state_mut().state.handle_framing(&Command::Camera(CameraCommand::FrameSelected));
    assert!(fits, "over curves, F fits the curves");
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
        !timeline.state_mut().state.handle_framing(&Command::Camera(CameraCommand::FrameSelected)),
        "elsewhere, F frames the selection"
    );
}

#[test]
fn checkboxes_hide_curves_and_titles_collapse_panes() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    let key = highest_key(&timeline);
    timeline.get_by_label("Curve translate X").click();
    timeline.run();
    timeline.hover_at(key);
    timeline.run();
    assert!(!has_label(&timeline, "Key X"), "a hidden curve has no keys to click");
    timeline.get_by_label("Collapse translate").click();
    timeline.run();
    assert!(!has_label(&timeline, "Curve translate X"));
}

#[test]
fn velocity_and_acceleration_are_listed_above_the_curves() {
    let mut timeline = show_curves(crate::ui::testing::two_hands(), "left/IndexTip");
    assert!(!has_label(&timeline, "Curve velocity speed"), "velocity is off by default");
    timeline.get_by_label("Velocity").click();
    timeline.run();
    let command = Command::Toggle(Toggle::VELOCITY);
    assert_eq!(timeline.state_mut().take_commands(), std::slice::from_ref(&command));
    timeline.run();
    let is_shown = |timeline: &Timeline, label: &str| {
        let toggled = timeline.get_by_label(label).accesskit_node().toggled();
        toggled == Some(egui::accesskit::Toggled::True)
    };
    for (curve, by_default) in [
        ("Curve velocity speed", true),
        ("Curve velocity x", false),
        ("Curve acceleration magnitude", true),
        ("Curve acceleration z", false),
        ("Curve position x", true),
    ] {
        assert_eq!(is_shown(&timeline, curve), by_default, "{curve}");
    }
    let top = |label: &str| timeline.get_by_label(label).rect().top();
    assert_eq!(top("Curve velocity x"), top("Curve velocity z"), "hidden components share a row");
    assert!(top("Curve velocity speed") < top("Curve velocity x"));
    assert!(top("Curve velocity speed") < top("Curve acceleration magnitude"));
    assert!(top("Curve acceleration magnitude") < top("Curve position x"));
    timeline.get_by_label("Curve velocity x").click();
    timeline.get_by_label("Curve velocity speed").click();
    timeline.run();
    assert!(is_shown(&timeline, "Curve velocity x"));
    let top = |label: &str| timeline.get_by_label(label).rect().top();
    assert!(top("Curve velocity x") < top("Curve velocity y"), "a shown component has its own row");
    assert!(!is_shown(&timeline, "Curve velocity speed"));
    timeline.get_by_label("Collapse acceleration").click();
    timeline.run();
    assert!(!has_label(&timeline, "Curve acceleration magnitude"));
    // The view must not request a repaint once all samples are taken.
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}

#[test]
fn computed_curves_explain_their_origin() {
    let mut timeline = show_curves(crate::ui::testing::two_hands(), "left/IndexTip");
    timeline.state_mut().panels.timeline.velocity = true;
    timeline.run();
    timeline.get_by_label("Collapse velocity").hover();
    timeline.run_steps(60);
    assert!(has_label(
        &timeline,
        "in world space, in metres: the central difference of positions 16."
    ));
}

#[test]
fn pinned_curves_stay_when_the_selection_changes() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    timeline.get_by_label("Pin").click();
    timeline.run();
    let clip = timeline.state().clip().clone();
    let other = timeline.state().recording_node(node(&clip, "linear_linear"));
    timeline.state_mut().view.selected = Some(other);
    timeline.run();
    for label in ["Curve constant_cycle translate X", "Curve linear_linear translate X"] {
        assert!(has_label(&timeline, label), "{label}");
    }
}

#[test]
fn moved_playhead_scrolls_into_view() {
    let mut timeline = show_curves(infinities_clip(), "constant_cycle");
    let end = pos2(x_at(&timeline, 0.8), area(&timeline).bottom() - 60.0);
    wheel(&mut timeline, end, vec2(0.0, 600.0), Modifiers::NONE);
    let time_after_click_at = |timeline: &mut Timeline, x: f32| {
        let position = pos2(x, area(timeline).bottom() - 5.0);
        click(timeline, position);
        timeline.state().clock.time()
    };
    // The view is zoomed to the end, and the playhead at the start is outside. Seeking scrolls to
    // it.
    let left = area(&timeline).left() + 2.0;
    timeline.state_mut().apply(T::Seek(0.1));
    timeline.run();
    let first = time_after_click_at(&mut timeline, left);
    assert!(first < 0.2, "{first}");
}

#[test]
fn idle_curves_request_no_repaint() {
    let mut timeline = show_curves(crate::ui::testing::two_hands(), "left/IndexTip");
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}
