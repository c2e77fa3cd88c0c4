//! Tests what rows select, collapse and show.

use super::*;
use crate::{
    session::{Source, TimelineCommand, ViewCommand},
    ui::{PreparedTimeline, testing::two_hands},
};
use bevy_mutoscope::ClipAsset;
use mutoscope_core::{ReadOptions, decode, diagnostics::SourceLocation};

/// One node with a curve that has keys at 1, 2, 50 and 51 seconds.
fn sparse_fixture() -> PanelFixture<TimelineState> {
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
    PanelFixture::with_clip(decode(text.as_bytes(), &ReadOptions::default()).unwrap())
}

#[test]
fn markers_are_clickable_flags() {
    let mut timeline = timeline();
    let event = timeline.state().clip().events[1].clone();
    timeline.get_by_label(&format!("markers: {}", event.name)).click();
    timeline.run();
    assert_eq!(timeline.state().clock.time(), event.time);
    assert!(take_time_commands(&mut timeline).contains(&T::Seek(event.time)));
}

#[test]
fn game_events_have_a_row_per_kind_and_show_their_names() {
    let bytes = include_bytes!("../../../../tests/data/prime-characters/warden_mp1.pak");
    let options = ReadOptions::default().with_variant("Animation", "B_walk");
    let mut fixture: PanelFixture<TimelineState> =
        PanelFixture::with_clip(decode(bytes, &options).unwrap());
    fixture.panels.timeline.snapping = false;
    let rows = super::super::events::EventRow::from_clip(fixture.clip());
    let names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["loop", "user", "particle", "sound"]);
    let mut timeline = show_timeline(fixture);
    timeline.get_by_label("user: RightFoot: user, landing, value 12, at root").click();
    timeline.run();
    assert!(take_time_commands(&mut timeline).contains(&T::Seek(0.75)));
}

#[test]
fn clicked_rows_select_nodes_and_expand_groups() {
    let mut timeline = timeline();
    timeline.get_by_label("Row camera").click();
    timeline.run();
    let camera = timeline.state().node("camera");
    assert_eq!(
        timeline.state_mut().take_commands(),
        [Command::View(ViewCommand::Select(Some(camera)))]
    );
    assert!(timeline.query_by_label("Row Wrist").is_none());
    timeline.get_by_label("Row left").click();
    timeline.run();
    assert!(timeline.query_by_label("Row Wrist").is_some());
}

#[test]
fn triangle_collapses_one_row_and_with_shift_all_below() {
    let mut timeline = timeline();
    let wrist = |timeline: &Timeline| {
        let is_shown = |label: &str| timeline.query_by_label(label).is_some();
        (is_shown("Row Wrist"), timeline.query_all_by_label("Row position.x").count() > 0)
    };
    timeline.get_by_label("Expand row left").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, false));
    timeline.get_by_label("Expand row Wrist").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, true));
    timeline.get_by_label("Collapse row left").click_modifiers(Modifiers::SHIFT);
    timeline.run();
    assert_eq!(wrist(&timeline), (false, false));
    timeline.get_by_label("Expand row left").click();
    timeline.run();
    assert_eq!(wrist(&timeline), (true, false), "the rows below were collapsed, too");
    assert!(timeline.state_mut().take_commands().is_empty(), "collapsing rows sends no commands");
}

#[test]
fn selection_is_shown_in_a_collapsed_group() {
    let mut timeline = timeline();
    assert!(timeline.query_by_label("Row IndexTip").is_none());
    let tip = timeline.state().node("left/IndexTip");
    timeline.state_mut().view.selected = Some(tip);
    timeline.run();
    assert!(timeline.query_by_label("Row IndexTip").is_some());
    assert!(timeline.query_by_label("Row Wrist").is_none());
}

#[test]
fn label_column_can_be_resized() {
    let mut timeline = timeline();
    let before = area(&timeline, "Timeline").left();
    let edge = area(&timeline, "Width of the labels").center();
    drag(&mut timeline, &[edge, edge + vec2(30.0, 0.0), edge + vec2(60.0, 0.0)]);
    let moved = area(&timeline, "Timeline").left() - before;
    assert!((moved - 60.0).abs() < 3.0, "{moved}");
    assert_eq!(take_time_commands(&mut timeline), []);
}

#[test]
fn long_gaps_without_keys_are_compressed() {
    let mut timeline = show_timeline(sparse_fixture());
    timeline.state_mut().panels.timeline.snapping = false;
    let before = clicked_time(&mut timeline, 0.3);
    assert!((before - 16.0).abs() < 1.0, "{before}");
    timeline.state_mut().panels.timeline.compress_gaps = true;
    timeline.run();
    let folded = clicked_time(&mut timeline, 0.3);
    assert!((1.0..4.0).contains(&folded), "{folded}");
    let later = clicked_time(&mut timeline, 0.7);
    assert!((47.0..51.0).contains(&later), "{later}");
}

#[test]
fn expanded_rows_survive_reloading() {
    let mut timeline = timeline();
    for row in ["left", "Wrist"] {
        timeline.get_by_label(&format!("Expand row {row}")).click();
        timeline.run();
    }
    timeline.state_mut().apply(T::SetRange(Some(TimeRange::new(1.0, 3.0))));
    timeline.state_mut().state.apply_command(&TimelineCommand::ZoomToRange);
    timeline.run();
    let window = timeline.state().state.window;
    let is_as_before = |timeline: &Timeline| {
        let is_open = timeline.query_all_by_label("Row position.x").count() == 1;
        is_open && timeline.state().state.window == window
    };
    assert!(is_as_before(&timeline) && window.is_some());

    // Another convention is a new revision of the same file.
    timeline.state_mut().reference().recording.edit_convention(|_| ());
    timeline.run();
    assert!(is_as_before(&timeline));
    // After a reload, the rows form another tree, which is not known at first.
    let reloaded = ClipAsset::new(two_hands());
    let prepared = PreparedTimeline::new(&reloaded);
    timeline.state_mut().reference().recording.replace(reloaded);
    timeline.state_mut().reference().timeline = None;
    timeline.step();
    timeline.state_mut().reference().timeline = Some(prepared);
    timeline.run();
    assert!(is_as_before(&timeline));
    // Another file has the same nodes, but its state is new.
    timeline.state_mut().open(two_hands());
    timeline.state_mut().reference().source = Source::Sample(0);
    timeline.state_mut().apply(T::Pause);
    timeline.run();
    assert!(timeline.query_by_label("Row Wrist").is_none());
    assert_eq!(timeline.state().state.window, None);
}

#[test]
fn issue_without_a_key_seeks_and_highlights_bytes() {
    let mut clip = two_hands();
    clip.diagnostics
        .warning(crate::ui::testing::decoder_code(), SourceLocation::byte(0x20), "an odd key")
        .at_time(1.0);
    let mut timeline = show_timeline(PanelFixture::with_clip(clip));
    timeline.get_by_label("warning: an odd key").click();
    timeline.run();
    assert_eq!(
        timeline.state_mut().state.take_clicked_location(),
        Some(SourceLocation::byte(0x20))
    );
    assert_eq!(
        timeline.state_mut().state.take_clicked_location(),
        None,
        "the location is taken once"
    );
    assert!(take_time_commands(&mut timeline).contains(&T::Seek(1.0)));
}

#[test]
fn key_glyphs_have_tooltips_and_select() {
    let mut timeline = show_timeline(sparse_fixture());
    let span = timeline.state().clock.span();
    let row = area(&timeline, "Row root").center().y;
    let part =
        (50.0 - time_at(&timeline, 0.0)) / (time_at(&timeline, 1.0) - time_at(&timeline, 0.0));
    let key = pos2(position_in(&timeline, "Timeline", part as f32).x, row);
    timeline.hover_at(key);
    timeline.run();
    assert!(timeline.query_by_label_contains("linear to hold").is_some());
    drag(&mut timeline, &[key]);
    let commands = timeline.state_mut().take_commands();
    let selected = commands.iter().find_map(|command| match command {
        Command::View(ViewCommand::SelectKey(key)) => Some(key.key.index),
        _ => None,
    });
    assert_eq!(selected, Some(2), "{commands:?} {span:?}");
}

#[test]
fn idle_timeline_requests_no_repaint() {
    let mut timeline = timeline();
    timeline.run();
    let output = timeline.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(output > std::time::Duration::from_secs(60), "{output:?}");
}

#[test]
fn flags_have_a_row_each() {
    let fixture: PanelFixture<TimelineState> = PanelFixture::with_clip(crate::ui::testing::a_day());
    let timeline = show(fixture, [1000.0, 900.0], timeline_ui);
    for row in ["sneaking", "swimming", "main hand", "pose", "Places", "entity/0 · cow"] {
        assert!(timeline.query_by_label(&format!("Row {row}")).is_some(), "{row}");
    }
    for row in ["entity flags", "living flags", "gliding", "arrows", "player"] {
        let row = format!("Row {row}");
        let is_node = row == "Row player";
        assert_eq!(timeline.query_by_label(&row).is_some(), is_node, "{row}");
    }
}
