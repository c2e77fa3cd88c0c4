//! The list of issues in the file: notices of its decoder, and findings of the checks.
//!
//! | file | what it does |
//! |---|---|
//! | `filter.rs` | which findings are listed |
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
    measure::checks::Finding,
    playback::TimeCommand,
};

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct FindingsState {
    filter: Filter,
    listed: Listed,
    /// The finding that was clicked last, by its index.
    chosen: Option<usize>,
    /// The source location of the clicked issue, if no key has it.
    place: Option<SourceLocation>,
}

impl FindingsState {
    /// Where the file has what was clicked last, if it is no key; once.
    pub(super) fn take_place(&mut self) -> Option<SourceLocation> {
        self.place.take()
    }
}

/// The list, in a window of its own within `viewport`.
pub(super) fn findings_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    state: &mut FindingsState,
    viewport: Rect,
) {
    if model.clip().is_none() {
        return;
    }
    let FindingsState { filter, listed, chosen, place } = state;
    let mut open = true;
    let all = model.all_findings();
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
                Some(Clicked::Finding(clicked)) => {
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

/// The command that goes to a finding: to its key, else to its time and its node.
pub(super) fn go_to(model: &Model<'_>, finding: &Finding) -> Vec<Command> {
    if let Some(key) = finding.key {
        return vec![Command::View(ViewCommand::SelectKey(model.key(key)))];
    }
    let node =
        finding.node().map(|node| Command::View(ViewCommand::Select(Some(model.node(node)))));
    let time = finding.time.map(|time| Command::Time(TimeCommand::Seek(model.on_clock(time))));
    node.into_iter().chain(time).collect()
}

/// When a finding is: `00:03.217`, or from when to when.
pub(super) fn when(finding: &Finding) -> String {
    match (finding.time, finding.end) {
        (None, _) => String::new(),
        (Some(time), None) => words::clock_time(time),
        (Some(time), Some(end)) => {
            format!("{} – {}", words::clock_time(time), words::clock_time(end))
        }
    }
}

/// How many there are of each severity: `1 error, 2 warnings`.
pub(super) fn severities_text(findings: &[Finding]) -> String {
    counts_text(findings, Severity::Info)
}

/// How many there are that may need a decision: `1 error, 2 warnings`; empty for none.
pub(super) fn problems_text(findings: &[Finding]) -> String {
    counts_text(findings, Severity::Warning)
}

/// How many there are of each severity from `least` on.
fn counts_text(findings: &[Finding], least: Severity) -> String {
    let names = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "info", "info"),
    ];
    let names = names.into_iter().filter(|(severity, ..)| *severity >= least);
    let counts = names.filter_map(|(severity, one, many)| {
        let count = findings.iter().filter(|finding| finding.severity == severity).count();
        (count > 0).then(|| words::counted(count, one, many))
    });
    counts.collect::<Vec<_>>().join(", ")
}
