//! The verdict on a recording, in words and colours.

use std::borrow::Cow;

use bevy_egui::egui::{Button, Color32, RichText, Ui};

use super::{
    Model, display_text,
    style::{Palette, small_font},
    widgets::{chip, dim_text},
};
use crate::session::{Command, Panel, PanelCommand};
use mutoscope_core::{
    diagnostics::{Severity, format_number},
    playback::TimeCommand,
};
use mutoscope_study::verdict::{Outcome, Reason, find_check};

/// Returns the name of a verdict.
pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "Pass",
        Outcome::Review => "Review",
        Outcome::Fail => "Fail",
    }
}

/// Returns the colour of a verdict. A recording that passes is dim, so that the others stand out.
pub(super) fn outcome_color(palette: &Palette, outcome: Outcome) -> Color32 {
    match outcome {
        Outcome::Pass => palette.dim,
        Outcome::Review => palette.severity_color(Severity::Warning),
        Outcome::Fail => palette.severity_color(Severity::Error),
    }
}

/// Returns the problem that a code stands for, in a few words.
pub(super) fn problem_name(code: &str) -> Cow<'static, str> {
    if let Some(check) = find_check(code) {
        return display_text::capitalised(check.problem).into();
    }
    let known = crate::registry().codes().iter().find(|known| known.as_str() == code);
    known.map_or_else(|| code.to_owned().into(), |known| known.description().meaning.into())
}

/// Returns a reason as one line: the problem, its count and its worst value.
pub(super) fn reason_text(reason: &Reason) -> String {
    let name = problem_name(&reason.code);
    let name = name.trim_end_matches('.');
    let count = match reason.count {
        1 => String::new(),
        count => format!(" × {}", display_text::format_count(count)),
    };
    let worst = reason.worst.map_or_else(String::new, |worst| {
        let unit = if worst.unit == "1" { "" } else { worst.unit };
        format!(": {} {} {unit}", worst.name, format_number(worst.value)).trim_end().to_owned()
    });
    format!("{name}{count}{worst}")
}

/// Shows the verdict on the recording in focus, with its reasons. A click on a reason goes to its
/// worst moment and lists the issues.
pub(super) fn verdict_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(issues) = model.issues() else { return };
    let palette = Palette::for_visuals(ui.visuals());
    let Some(verdict) = issues.verdict() else {
        let checking = dim_text(ui, "checking…");
        ui.label(checking);
        return;
    };
    chip(ui, outcome_name(verdict.outcome), outcome_color(palette, verdict.outcome)).on_hover_text(
        match verdict.outcome {
            Outcome::Pass => "The checks found no error and no warning",
            Outcome::Review => "The checks found warnings, so look at them",
            Outcome::Fail => "The checks found errors",
        },
    );
    ui.spacing_mut().button_padding.x = 0.0;
    for reason in &verdict.reasons {
        let text = RichText::new(reason_text(reason)).font(small_font());
        let button = ui.add(Button::new(text).wrap().frame_when_inactive(false));
        if button.on_hover_text(&*reason.code).clicked() {
            let seek = reason.time.map(|time| TimeCommand::Seek(model.to_clock_time(time)));
            model.send_all(seek.map(Command::Time));
            if !model.panels.is_open(Panel::ISSUES) {
                model.send(Command::Panel(PanelCommand::Toggle(Panel::ISSUES)));
            }
        }
    }
}
