//! The list of issues.

use bevy_egui::egui::{Event, Rect, Ui, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::*;
use crate::{
    session::Issues,
    ui::testing::{Desk, show, two_hands},
};
use mutoscope_core::{
    clip::{KeyId, TrackId},
    diagnostics::SourceLocation,
};

type List = Harness<'static, Desk<IssuesState>>;

fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut IssuesState) {
    let viewport = Rect::from_min_size(pos2(0.0, 0.0), vec2(700.0, 960.0));
    issues_ui(ui, model, state, viewport);
}

/// The list of a recording with a notice without a time, one with a time, and a loss of tracking.
fn list() -> List {
    let mut clip = two_hands();
    clip.notices.info(SourceLocation::File, "an assumption of the decoder");
    clip.notices.warning_at(SourceLocation::byte(0x20), 1.0, "an odd key");
    let desk: Desk<IssuesState> = Desk::with(clip);
    let mut list = show(desk, [700.0, 960.0], panel);
    list.run();
    list
}

fn has(list: &List, label: &str) -> bool {
    list.query_all_by_label_contains(label).next().is_some()
}

/// The last of the issues about a topic.
fn found(list: &List, is_wanted: impl Fn(&Issue) -> bool) -> Issue {
    list.state().recordings[0].issues.all().iter().rfind(|one| is_wanted(one)).unwrap().clone()
}

#[test]
fn notices_and_issues_are_in_one_list() {
    let list = list();
    assert!(has(&list, "info: an assumption of the decoder"));
    assert!(has(&list, "warning: an odd key"));
    assert!(has(&list, "not tracked for"));
}

#[test]
fn click_on_an_issue_selects_its_key_or_seeks() {
    let mut list = list();
    let lost = found(&list, |one| one.message.contains("not tracked"));
    list.get_by_label(&format!("info: {}", lost.message)).click();
    list.run();
    let key = list.state().key(lost.key.unwrap());
    assert_eq!(list.state_mut().take_commands(), [Command::View(ViewCommand::SelectKey(key))]);
    list.get_by_label("warning: an odd key").click();
    list.run();
    let seek = Command::Time(TimeCommand::Seek(1.0));
    assert_eq!(list.state_mut().take_commands(), [seek]);
    list.get_by_label("info: an assumption of the decoder").click();
    list.run();
    assert_eq!(list.state_mut().take_commands(), [], "there is nowhere to go");
    assert_eq!(list.state_mut().state.take_place(), Some(SourceLocation::File), "but a place");
    assert_eq!(list.state_mut().state.take_place(), None, "once");
}

#[test]
fn severity_switches_filter_the_list() {
    let mut list = list();
    list.get_by_label("List 1 warning").click();
    list.run();
    assert!(!has(&list, "an odd key") && has(&list, "not tracked for"));
    list.get_by_label("List 1 warning").click();
    list.run();
    assert!(has(&list, "an odd key"));
}

#[test]
fn search_and_check_filter_the_list() {
    let mut list = list();
    list.get_by_label("Search issues").click();
    list.run();
    list.event(Event::Text("odd ke".to_owned()));
    list.run();
    assert!(has(&list, "an odd key") && !has(&list, "not tracked for"));
    list.state_mut().state.filter =
        Filter { only: Some(filter::About::Reading), ..Filter::default() };
    list.run();
    assert!(has(&list, "an odd key") && has(&list, "an assumption") && !has(&list, "not tracked"));
    list.state_mut().state.filter.words = "nowhere".to_owned();
    list.run();
    assert!(has(&list, "No matches"));
}

#[test]
fn thousands_of_issues_cost_as_little_as_a_few() {
    let mut clip = two_hands();
    for key in 0..20_000 {
        clip.notices.warning_at(
            SourceLocation::byte(key),
            key as f64 * 1e-4,
            format!("odd key {key}"),
        );
    }
    let desk: Desk<IssuesState> = Desk::with(clip);
    let mut list = show(desk, [700.0, 960.0], panel);
    list.run();
    assert!(!has(&list, "warning: odd key"), "they are a group");
    let group = list.query_all_by_label_contains("warning: Reading the file ×").next().unwrap();
    group.click();
    list.run();
    let laid_out = list.query_all_by_label_contains("warning: odd key").count();
    assert!((3..20).contains(&laid_out), "{laid_out}");
    assert!(has(&list, "List 20,000 warnings") || has(&list, "List 20 000 warnings"));
}

#[test]
fn issues_of_one_kind_are_a_group_that_expands_and_stays_expanded() {
    let mut clip = two_hands();
    clip.notices = Default::default();
    let place = SourceLocation::byte;
    for key in 0..4 {
        clip.notices.info(place(key), format!("\"joint {key}\" turns at key {key}"));
    }
    clip.notices.error(place(9), "a lone error");
    let desk: Desk<IssuesState> = Desk::with(clip);
    let mut list = show(desk, [700.0, 960.0], panel);
    list.run();
    let height = |list: &List, label: &str| {
        list.query_all_by_label_contains(label).next().unwrap().rect().top()
    };
    let group = "info: Reading the file × 4";
    assert!(height(&list, "error: a lone error") < height(&list, group), "the worst first");
    assert!(!has(&list, "joint 2"));
    list.get_by_label(group).click();
    list.run();
    assert!(has(&list, "joint 2"));
    list.state_mut().state.filter.words = "joint".to_owned();
    list.run();
    assert!(has(&list, "joint 2") && !has(&list, "a lone error"));
    list.get_by_label(group).click();
    list.run();
    assert!(!has(&list, "joint 2"));
}

#[test]
fn list_follows_changed_issues() {
    let mut list = list();
    let mut clip = two_hands();
    clip.notices.warning_at(SourceLocation::byte(4), 0.5, "quite another");
    list.state_mut().reference().issues = Issues::of(&clip);
    list.run();
    assert!(has(&list, "quite another") && !has(&list, "an odd key"));
}

#[test]
fn issue_without_a_key_selects_its_node() {
    let lost = found(&list(), |one| one.message.contains("not tracked"));
    let mut desk: Desk<(Option<Issue>, Vec<Command>)> = Desk::with_two_hands();
    let of_node = desk.clip().nodes.with_ids().next().unwrap().0;
    let owner = Some(mutoscope_core::clip::Owner::Node(of_node));
    desk.state.0 = Some(Issue { key: None, owner, time: Some(2.0), ..lost });
    let key = KeyId { track: TrackId::new(3), index: 1 };
    let (node, selected) = (desk.of(of_node), desk.key(key));
    let mut way = show(desk, [100.0, 100.0], |_, model, (issue, told)| {
        *told = issue.iter().flat_map(|issue| go_to(model, issue)).collect();
    });
    way.run();
    let expected =
        [Command::View(ViewCommand::Select(Some(node))), Command::Time(TimeCommand::Seek(2.0))];
    assert_eq!(way.state().state.1, expected);
    way.state_mut().state.0.as_mut().unwrap().key = Some(key);
    way.run();
    assert_eq!(way.state().state.1, [Command::View(ViewCommand::SelectKey(selected))]);
}
