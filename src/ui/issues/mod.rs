//! The list of issues: diagnostics of the decoder, and issues that checks found.
//!
//! | module | purpose |
//! |---|---|
//! | `filter` | filters and groups the issues |
//! | `bar` | the filters above the list |
//! | `list` | the list itself |
//! | `detail` | the chosen issue, with the measured value over time |

mod bar;
mod detail;
mod filter;
mod list;
#[cfg(test)]
mod tests;

use bevy_egui::egui::{Align2, Rect, Ui, Window, vec2};

use self::{
    filter::{Filter, GroupedIssues, IssueSource},
    list::ClickedRow,
};
use super::{Model, display_text, widgets::limit_width};
use crate::session::{Command, Panel, PanelCommand, ViewCommand};
use mutoscope_core::{
    diagnostics::{Severity, SourceLocation},
    measure::checks::ClipDiagnostic,
    playback::TimeCommand,
};
use mutoscope_study::verdict::ProblemCurve;

#[derive(Clone, Debug, Default)]
pub(super) struct IssuesState {
    filter: Filter,
    listed: GroupedIssues,
    chosen: Option<usize>,
    /// The measured value around the chosen issue. `None` if it has none.
    curve: Option<ProblemCurve>,
    clicked_location: Option<SourceLocation>,
}

impl IssuesState {
    pub(super) fn take_clicked_location(&mut self) -> Option<SourceLocation> {
        self.clicked_location.take()
    }
}

pub(super) fn issues_ui(ui: &mut Ui, model: &Model<'_>, state: &mut IssuesState, viewport: Rect) {
    let Some(clip) = model.clip() else { return };
    let IssuesState { filter, listed, chosen, curve, clicked_location } = state;
    let mut open = true;
    let all = model.all_issues();
    Window::new("Issues")
        .open(&mut open)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(viewport.right_top() + vec2(-12.0, 12.0))
        .default_width(limit_width(480.0, viewport.width() - 24.0))
        .default_height((0.75 * viewport.height()).clamp(180.0, 560.0))
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            bar::bar_ui(ui, model, filter);
            if listed.update(all, filter) {
                *chosen = None;
            }
            if let Some(chosen) = *chosen {
                detail::detail_ui(ui, model, &all[chosen], curve.as_ref());
            }
            match list::list_ui(ui, all, listed, *chosen) {
                None => {}
                Some(ClickedRow::Group(group)) => listed.toggle(group),
                Some(ClickedRow::Issue(clicked)) => {
                    *chosen = Some(clicked);
                    *curve = ProblemCurve::new(clip, &all[clicked]);
                    *clicked_location =
                        all[clicked].key.is_none().then(|| all[clicked].location.clone());
                    model.send_all(go_to_commands(model, &all[clicked]));
                }
            }
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::ISSUES)));
    }
}

pub(super) fn go_to_commands(model: &Model<'_>, issue: &ClipDiagnostic) -> Vec<Command> {
    // A problem of motion begins at its time, and not at a key.
    let is_motion = matches!(IssueSource::from_issue(issue), IssueSource::Motion(_));
    if let (Some(key), false) = (issue.key, is_motion) {
        return vec![Command::View(ViewCommand::SelectKey(model.key(key)))];
    }
    let node = issue.node().map(|node| Command::View(ViewCommand::Select(Some(model.node(node)))));
    let time = issue.time.map(|time| Command::Time(TimeCommand::Seek(model.to_clock_time(time))));
    node.into_iter().chain(time).collect()
}

pub(super) fn time_text(issue: &ClipDiagnostic) -> String {
    match (issue.time, issue.end) {
        (None, _) => String::new(),
        (Some(time), None) => display_text::format_clock_time(time),
        (Some(time), Some(end)) => {
            format!(
                "{} – {}",
                display_text::format_clock_time(time),
                display_text::format_clock_time(end)
            )
        }
    }
}

pub(super) fn severities_text(issues: &[ClipDiagnostic]) -> String {
    counts_text(issues, Severity::Info)
}

pub(super) fn problems_text(issues: &[ClipDiagnostic]) -> String {
    counts_text(issues, Severity::Warning)
}

fn counts_text(issues: &[ClipDiagnostic], least: Severity) -> String {
    let names = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "info", "info"),
    ];
    let names = names.into_iter().filter(|(severity, ..)| *severity >= least);
    let counts = names.filter_map(|(severity, one, many)| {
        let count = issues.iter().filter(|issue| issue.severity == severity).count();
        (count > 0).then(|| display_text::format_counted(count, one, many))
    });
    counts.collect::<Vec<_>>().join(", ")
}
