//! The list of issues in the file: notices of its decoder, and issues of the checks.
//!
//! | file | what it does |
//! |---|---|
//! | `filter.rs` | which issues are listed |
//! | `bar.rs` | the switches and the field above the list |
//! | `list.rs` | the list itself |

mod bar;
mod filter;
mod list;
#[cfg(test)]
mod tests;

use bevy_egui::egui::{Align2, Rect, Ui, Window, vec2};

use self::{
    filter::{Filter, Listed},
    list::Clicked,
};
use super::{Model, widgets::width_within, words};
use crate::session::{Command, Panel, PanelCommand, ViewCommand};
use mutoscope_core::{
    diagnostics::{Severity, SourceLocation},
    measure::checks::Issue,
    playback::TimeCommand,
};

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct IssuesState {
    filter: Filter,
    listed: Listed,
    /// The issue that was clicked last, by its index.
    chosen: Option<usize>,
    /// The source location of the clicked issue, if no key has it.
    place: Option<SourceLocation>,
}

impl IssuesState {
    /// Where the file has what was clicked last, if it is no key; once.
    pub(super) fn take_place(&mut self) -> Option<SourceLocation> {
        self.place.take()
    }
}

/// The list, in a window of its own within `viewport`.
pub(super) fn issues_ui(ui: &mut Ui, model: &Model<'_>, state: &mut IssuesState, viewport: Rect) {
    if model.clip().is_none() {
        return;
    }
    let IssuesState { filter, listed, chosen, place } = state;
    let mut open = true;
    let all = model.all_issues();
    Window::new("Issues")
        .open(&mut open)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(viewport.right_top() + vec2(-12.0, 12.0))
        .default_width(width_within(480.0, viewport.width() - 24.0))
        .default_height((0.6 * viewport.height()).clamp(180.0, 560.0))
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            bar::bar_ui(ui, model, filter);
            if listed.bring_up_to_date(all, filter) {
                *chosen = None;
            }
            match list::list_ui(ui, all, listed, *chosen) {
                None => {}
                Some(Clicked::Group(group)) => listed.toggle(group),
                Some(Clicked::Issue(clicked)) => {
                    *chosen = Some(clicked);
                    *place = all[clicked].key.is_none().then(|| all[clicked].place.clone());
                    model.send_all(go_to(model, &all[clicked]));
                }
            }
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::ISSUES)));
    }
}

/// The command that goes to an issue: to its key, else to its time and its node.
pub(super) fn go_to(model: &Model<'_>, issue: &Issue) -> Vec<Command> {
    if let Some(key) = issue.key {
        return vec![Command::View(ViewCommand::SelectKey(model.key(key)))];
    }
    let node = issue.node().map(|node| Command::View(ViewCommand::Select(Some(model.node(node)))));
    let time = issue.time.map(|time| Command::Time(TimeCommand::Seek(model.on_clock(time))));
    node.into_iter().chain(time).collect()
}

/// When an issue is: `00:03.217`, or from when to when.
pub(super) fn when(issue: &Issue) -> String {
    match (issue.time, issue.end) {
        (None, _) => String::new(),
        (Some(time), None) => words::clock_time(time),
        (Some(time), Some(end)) => {
            format!("{} – {}", words::clock_time(time), words::clock_time(end))
        }
    }
}

/// How many there are of each severity: `1 error, 2 warnings`.
pub(super) fn severities_text(issues: &[Issue]) -> String {
    counts_text(issues, Severity::Info)
}

/// How many there are that may need a decision: `1 error, 2 warnings`; empty for none.
pub(super) fn problems_text(issues: &[Issue]) -> String {
    counts_text(issues, Severity::Warning)
}

/// How many there are of each severity from `least` on.
fn counts_text(issues: &[Issue], least: Severity) -> String {
    let names = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "info", "info"),
    ];
    let names = names.into_iter().filter(|(severity, ..)| *severity >= least);
    let counts = names.filter_map(|(severity, one, many)| {
        let count = issues.iter().filter(|issue| issue.severity == severity).count();
        (count > 0).then(|| words::counted(count, one, many))
    });
    counts.collect::<Vec<_>>().join(", ")
}
