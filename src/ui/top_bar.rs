//! The top bar: the open recordings and the menus.

use bevy_egui::egui::{self, Align, Button, Layout, Popup, RichText, ScrollArea, Ui, vec2};

use super::{
    CommandSender, Model,
    icons::{self, Icon},
    issues::{problems_text, severities_text},
    offers::{is_on, makes_sense},
    style::Palette,
    widgets::{dim, icon_button_in, keys_text, with_action_tooltip},
    words,
};
use crate::session::{
    ACTIONS, Action, Command, FileCommand, OpenRecording, Panel, PanelCommand, Panels, Section,
    SidePanel, Source,
};
use mutoscope_core::{clip::Clip, diagnostics::Severity, formats, measure::checks::Issue};

/// The open recordings on the left, the actions on the right.
pub(super) fn top_bar_ui(ui: &mut Ui, model: &Model<'_>) {
    let width = ui.ctx().viewport_rect().width();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let help = ui.button("?");
        let help_command = Command::Panel(PanelCommand::Toggle(Panel::HELP));
        if with_action_tooltip(help, &help_command).clicked() {
            model.send(help_command);
        }
        menu_ui(ui, model);
        samples_menu_ui(ui, model);
        let open = ui.button("Open");
        if with_action_tooltip(open, &Command::File(FileCommand::Choose)).clicked() {
            model.send(Command::File(FileCommand::Choose));
        }
        if model.clip().is_some() {
            panel_buttons_ui(ui, model.panels, width, model.commands);
            issues_badge_ui(ui, model.all_issues(), model.commands);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| name_ui(ui, model));
    });
}

fn name_ui(ui: &mut Ui, model: &Model<'_>) {
    ui.add_space(2.0);
    ui.label(RichText::new("Mutoscope").strong());
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    if let Some(clip) = model.clip() {
        ui.add_space(4.0);
        let name = recording_name(model).unwrap_or_default();
        let name = if is_changed(model) { format!("{name} \u{2022}") } else { name };
        ui.label(RichText::new(&name).color(Palette::of(ui.visuals()).accent));
        for (index, source) in model.files.compared.iter().enumerate() {
            let versus = dim(ui, if index == 0 { "with" } else { "and" });
            ui.label(versus);
            let color = Palette::of(ui.visuals()).recording(index + 1);
            ui.label(RichText::new(source.name()).color(color));
        }
        let facts = dim(ui, facts(clip));
        ui.label(facts);
    }
}

/// Whether the open recording has edits that were not saved.
fn is_changed(model: &Model<'_>) -> bool {
    model.recordings.first().is_some_and(OpenRecording::is_changed)
}

/// The name of the open recording: of its file, else its own.
pub(super) fn recording_name(model: &Model<'_>) -> Option<String> {
    let by_source = model.files.current.as_ref().map(Source::name);
    by_source.or_else(|| Some(model.clip()?.name.clone()))
}

/// Format, length and content in one line.
fn facts(clip: &Clip) -> String {
    let format = formats::name(clip.format);
    let length = words::duration(clip.span.duration);
    format!("{format} {} · {length} · {}", clip.version, clip.subject)
}

/// Buttons that fold the panels at the sides.
fn panel_buttons_ui(ui: &mut Ui, panels: &Panels, width: f32, commands: &CommandSender) {
    let sides = [
        (Icon::PanelRight, "inspector", SidePanel::Inspector),
        (Icon::PanelLeft, "outline", SidePanel::Outline),
    ];
    for (icon, name, side) in sides {
        let collapsed = panels.is_collapsed(side, width);
        if fold_button_ui(ui, icon, name, collapsed) {
            commands.send(Command::Panel(PanelCommand::Collapse(side, !collapsed)));
        }
    }
}

fn fold_button_ui(ui: &mut Ui, icon: Icon, name: &str, folded: bool) -> bool {
    let label = format!("{} the {name}", if folded { "Show" } else { "Hide" });
    let color = folded.then_some(Palette::of(ui.visuals()).dim);
    let response = icon_button_in(ui, icon, &label, vec2(24.0, 22.0), color);
    response.on_hover_text(label).clicked()
}

/// How many issues may need a decision, the worst first; of others only that there are some.
fn issues_badge_ui(ui: &mut Ui, issues: &[Issue], commands: &CommandSender) {
    let Some(worst) = issues.iter().map(|issue| issue.severity).max() else { return };
    let problems = problems_text(issues);
    let text = if problems.is_empty() { "Info" } else { &problems };
    let button = Button::new(format!("      {text}")).frame_when_inactive(false);
    let command = Command::Panel(PanelCommand::Toggle(Panel::ISSUES));
    let response = with_action_tooltip(ui.add(button), &command);
    response.widget_info(|| {
        let label = format!("Issues: {}", severities_text(issues));
        egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label)
    });
    let icon_rect = response.rect.with_max_x(response.rect.left() + 26.0);
    let color = Palette::of(ui.visuals()).severity(worst);
    icons::paint(ui.painter(), icon_rect, severity_icon(worst), color);
    if response.clicked() {
        commands.send(command);
    }
}

/// The icon of a severity.
pub(super) fn severity_icon(severity: Severity) -> Icon {
    match severity {
        Severity::Info => Icon::Info,
        Severity::Warning => Icon::Warning,
        Severity::Error => Icon::Error,
    }
}

/// A button that opens a menu below it.
fn menu_button(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let response = ui.add(Button::new(format!("{name}     ")));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    let chevron = response.rect.with_min_x(response.rect.right() - 22.0);
    icons::paint(ui.painter(), chevron, Icon::ChevronDown, Palette::of(ui.visuals()).dim);
    Popup::menu(&response).show(contents);
}

fn samples_menu_ui(ui: &mut Ui, model: &Model<'_>) {
    menu_button(ui, "Examples", |ui| {
        ui.set_min_width(180.0);
        for (index, card) in model.samples.iter().enumerate() {
            if ui.button(&card.name).on_hover_text(&card.line).clicked() {
                model.send(Command::File(FileCommand::OpenSample(index)));
            }
        }
        if let Some(action) = Action::of(&Command::File(FileCommand::ShowGallery)) {
            ui.separator();
            if ui.button("Show all examples").clicked() {
                model.send(action.command.clone());
            }
        }
    });
}

/// Every action, by section.
fn menu_ui(ui: &mut Ui, model: &Model<'_>) {
    menu_button(ui, "Menu", |ui| {
        for section in Section::ALL {
            ui.menu_button(section.name(), |ui| {
                ui.set_min_width(240.0);
                let height = ui.ctx().content_rect().height() - 24.0;
                let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
                area.show(ui, |ui| {
                    let of_section = ACTIONS.iter().filter(|action| action.section == section);
                    for action in of_section {
                        menu_item_ui(ui, model, action);
                    }
                });
            });
        }
    });
}

fn menu_item_ui(ui: &mut Ui, model: &Model<'_>, action: &Action) {
    let is_on = is_on(&action.command, model);
    let keys = keys_text(ui.ctx(), action);
    let button = Button::new(action.name).shortcut_text(keys).selected(is_on);
    let response = ui.add_enabled(makes_sense(&action.command, model), button);
    let response = match action.help {
        "" => response,
        help => response.on_hover_text(help),
    };
    if response.clicked() {
        model.send(action.command.clone());
    }
}
