//! Tests the list of issues.

use bevy_egui::egui::{Event, Rect, Ui, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::*;
use crate::{
    session::{CheckCommand, RecordingDiagnostics},
    ui::testing::{PanelFixture, show, two_hands},
};
use mutoscope_core::{
    clip::{Clip, KeyId, TrackId},
    diagnostics::SourceLocation,
    formats::{ReadOptions, SourceFile, decode},
};

type List = Harness<'static, PanelFixture<IssuesState>>;

fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut IssuesState) {
    let viewport = Rect::from_min_size(pos2(0.0, 0.0), vec2(700.0, 960.0));
    issues_ui(ui, model, state, viewport);
}

/// A recording with three issues: a diagnostic without a time, one with a time, and a loss of
/// tracking.
fn show_list() -> List {
    let mut clip = two_hands();
    clip.diagnostics.info(
        crate::ui::testing::decoder_code(),
        SourceLocation::File,
        "an assumption of the decoder",
    );
    clip.diagnostics
        .warning(crate::ui::testing::decoder_code(), SourceLocation::byte(0x20), "an odd key")
        .at_time(1.0);
    let fixture: PanelFixture<IssuesState> = PanelFixture::with_clip(clip);
    let mut list = show(fixture, [700.0, 960.0], panel);
    list.run();
    list
}

fn has_label(list: &List, label: &str) -> bool {
    list.query_all_by_label_contains(label).next().is_some()
}

fn find_issue(list: &List, is_wanted: impl Fn(&ClipDiagnostic) -> bool) -> ClipDiagnostic {
    list.state().recordings[0].issues.all().iter().rfind(|issue| is_wanted(issue)).unwrap().clone()
}

#[test]
fn decoder_diagnostics_and_check_issues_are_in_one_list() {
    let list = show_list();
    assert!(has_label(&list, "info: an assumption of the decoder"));
    assert!(has_label(&list, "warning: an odd key"));
    assert!(has_label(&list, "not tracked for"));
}

#[test]
fn click_on_an_issue_selects_its_key_or_seeks() {
    let mut list = show_list();
    let lost = find_issue(&list, |issue| issue.message.contains("not tracked"));
    list.get_by_label(&format!("info: {}", lost.message)).click();
    list.run();
    let key = list.state().recording_key(lost.key.unwrap());
    assert_eq!(list.state_mut().take_commands(), [Command::View(ViewCommand::SelectKey(key))]);
    list.get_by_label("warning: an odd key").click();
    list.run();
    let seek = Command::Time(TimeCommand::Seek(1.0));
    assert_eq!(list.state_mut().take_commands(), [seek]);
    list.get_by_label("info: an assumption of the decoder").click();
    list.run();
    assert_eq!(list.state_mut().take_commands(), [], "the diagnostic has no key and no time");
    assert_eq!(
        list.state_mut().state.take_clicked_location(),
        Some(SourceLocation::File),
        "the location is kept"
    );
    assert_eq!(list.state_mut().state.take_clicked_location(), None, "the location is taken once");
}

#[test]
fn severity_switches_filter_the_list() {
    let mut list = show_list();
    list.get_by_label("List 1 warning").click();
    list.run();
    assert!(!has_label(&list, "an odd key") && has_label(&list, "not tracked for"));
    list.get_by_label("List 1 warning").click();
    list.run();
    assert!(has_label(&list, "an odd key"));
}

#[test]
fn search_and_check_filter_the_list() {
    let mut list = show_list();
    list.get_by_label("Search issues").click();
    list.run();
    list.event(Event::Text("odd ke".to_owned()));
    list.run();
    assert!(has_label(&list, "an odd key") && !has_label(&list, "not tracked for"));
    list.state_mut().state.filter =
        Filter { source: Some(filter::IssueSource::Decoder), ..Filter::default() };
    list.run();
    assert!(
        has_label(&list, "an odd key")
            && has_label(&list, "an assumption")
            && !has_label(&list, "not tracked")
    );
    list.state_mut().state.filter.query = "nowhere".to_owned();
    list.run();
    assert!(has_label(&list, "No matches"));
}

#[test]
fn only_visible_rows_of_thousands_of_issues_are_laid_out() {
    let mut clip = two_hands();
    for key in 0..20_000 {
        clip.diagnostics
            .warning(
                crate::ui::testing::decoder_code(),
                SourceLocation::byte(key),
                format!("odd key {key}"),
            )
            .at_time(key as f64 * 1e-4);
    }
    let fixture: PanelFixture<IssuesState> = PanelFixture::with_clip(clip);
    let mut list = show(fixture, [700.0, 960.0], panel);
    list.run();
    assert!(!has_label(&list, "warning: odd key"), "many issues of one kind are a group");
    let group = list.query_all_by_label_contains("warning: Reading the file ×").next().unwrap();
    group.click();
    list.run();
    let laid_out = list.query_all_by_label_contains("warning: odd key").count();
    assert!((3..20).contains(&laid_out), "{laid_out}");
    assert!(has_label(&list, "List 20,000 warnings") || has_label(&list, "List 20 000 warnings"));
}

#[test]
fn issues_of_one_kind_are_a_group_that_expands_and_stays_expanded() {
    let mut clip = two_hands();
    clip.diagnostics = Default::default();
    let location = SourceLocation::byte;
    for key in 0..4 {
        clip.diagnostics.info(
            crate::ui::testing::decoder_code(),
            location(key),
            format!("\"joint {key}\" turns at key {key}"),
        );
    }
    clip.diagnostics.error(crate::ui::testing::decoder_code(), location(9), "a lone error");
    let fixture: PanelFixture<IssuesState> = PanelFixture::with_clip(clip);
    let mut list = show(fixture, [700.0, 960.0], panel);
    list.run();
    let height = |list: &List, label: &str| {
        list.query_all_by_label_contains(label).next().unwrap().rect().top()
    };
    let group = "info: Reading the file × 4";
    assert!(height(&list, "error: a lone error") < height(&list, group), "errors come first");
    assert!(!has_label(&list, "joint 2"));
    list.get_by_label(group).click();
    list.run();
    assert!(has_label(&list, "joint 2"));
    list.state_mut().state.filter.query = "joint".to_owned();
    list.run();
    assert!(has_label(&list, "joint 2") && !has_label(&list, "a lone error"));
    list.get_by_label(group).click();
    list.run();
    assert!(!has_label(&list, "joint 2"));
}

#[test]
fn list_follows_changed_issues() {
    let mut list = show_list();
    let mut clip = two_hands();
    clip.diagnostics
        .warning(crate::ui::testing::decoder_code(), SourceLocation::byte(4), "another warning")
        .at_time(0.5);
    list.state_mut().reference().issues = RecordingDiagnostics::check_immediately(&clip);
    list.run();
    assert!(has_label(&list, "another warning") && !has_label(&list, "an odd key"));
}

#[test]
fn issue_without_a_key_selects_its_node() {
    let lost = find_issue(&show_list(), |issue| issue.message.contains("not tracked"));
    let mut fixture: PanelFixture<(Option<ClipDiagnostic>, Vec<Command>)> =
        PanelFixture::with_two_hands();
    let node_id = fixture.clip().nodes.with_ids().next().unwrap().0;
    let owner = Some(mutoscope_core::clip::Owner::Node(node_id));
    fixture.state.0 = Some(ClipDiagnostic { key: None, owner, time: Some(2.0), ..lost });
    let key = KeyId { track: TrackId::new(3), index: 1 };
    let (node, selected) = (fixture.recording_node(node_id), fixture.recording_key(key));
    let mut shown = show(fixture, [100.0, 100.0], |_, model, (issue, commands)| {
        *commands = issue.iter().flat_map(|issue| go_to_commands(model, issue)).collect();
    });
    shown.run();
    let expected =
        [Command::View(ViewCommand::Select(Some(node))), Command::Time(TimeCommand::Seek(2.0))];
    assert_eq!(shown.state().state.1, expected);
    shown.state_mut().state.0.as_mut().unwrap().key = Some(key);
    shown.run();
    assert_eq!(shown.state().state.1, [Command::View(ViewCommand::SelectKey(selected))]);
}

/// Returns a walk whose root is 0.8 m away for four frames.
fn walk_with_a_jump() -> Clip {
    let text = include_str!("../../../assets/bvh/walk.bvh");
    let (header, frames) = text.split_once("Frame Time").unwrap();
    let lines = frames.lines().enumerate().map(|(index, line)| {
        let (first, others) = line.split_once(' ').unwrap_or((line, ""));
        match first.parse::<f64>() {
            Ok(x) if (30..34).contains(&index) => format!("{} {others}", x + 80.0),
            _ => line.to_owned(),
        }
    });
    let text = format!("{header}Frame Time{}", lines.collect::<Vec<_>>().join("\n"));
    let options = ReadOptions::from(crate::registry());
    decode(SourceFile::new("walk.bvh", text.as_bytes()), &options).unwrap()
}

#[test]
fn chosen_issue_of_motion_shows_its_value_and_can_be_muted() {
    let clip = walk_with_a_jump();
    let mut list = show(PanelFixture::with_clip(clip), [700.0, 960.0], panel);
    list.run();
    let jump = find_issue(&list, |issue| issue.code.as_str() == "body/root-jump");
    let curve = ProblemCurve::new(list.state().clip(), &jump).unwrap();
    let values = || curve.points.iter().map(|[_, value]| *value);
    let is_jump = |value: &f64| *value > curve.measure.threshold;
    assert_eq!(values().filter(is_jump).count(), 2, "the root jumps there and back");
    assert_eq!(values().fold(0.0, f64::max), curve.measure.value);
    // 0.8 m in a frame of 1/30 s.
    assert!((curve.measure.value - 24.0).abs() < 1.0, "{}", curve.measure.value);
    let (start, end) = (jump.time.unwrap(), jump.end.unwrap());
    let [first, last] = [curve.points[0], *curve.points.last().unwrap()].map(|[time, _]| time);
    assert!((start - first - 0.5).abs() < 0.04 && (last - end - 0.5).abs() < 0.04);

    list.get_by_label(&format!("warning: {}", jump.message)).click();
    list.run();
    let node = list.state().recording_node(jump.node().unwrap());
    let expected = [
        Command::View(ViewCommand::Select(Some(node))),
        Command::Time(TimeCommand::Seek(jump.time.unwrap())),
    ];
    assert_eq!(list.state_mut().take_commands(), expected);
    assert!(has_label(&list, "speed over time, in m/s"));
    list.get_by_label("Mute in this recording").click();
    list.run();
    let (recording, code) = (node.recording, "body/root-jump".to_owned());
    let mute = CheckCommand::SetMuted { recording, code, is_muted: true };
    assert_eq!(list.state_mut().take_commands(), [Command::Check(mute)]);
}
