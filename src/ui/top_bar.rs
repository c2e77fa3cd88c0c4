//! The top bar: the open recordings and the menus.

use bevy_egui::egui::{self, Align, Button, Layout, Popup, RichText, ScrollArea, Ui, vec2};

use super::{
    CommandSender, Model,
    action_state::{is_available, is_on},
    display_text,
    export::progress_text,
    icons::{self, Icon},
    issues::{problems_text, severities_text},
    style::Palette,
    widgets::{action_icon_button, dim_text, keys_text, tinted_icon_button, with_action_tooltip},
};
use crate::session::{
    ACTIONS, Action, Command, FileCommand, Panel, PanelCommand, Panels, Section, SidePanel, Source,
};
use mutoscope_core::{
    clip::Clip, diagnostics::Severity, measure::checks::ClipDiagnostic, playback::Direction,
};

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
        export_progress_ui(ui, model);
        if model.clip().is_some() {
            panel_buttons_ui(ui, model.panels, width, model.commands);
            issues_badge_ui(ui, model.all_issues(), model.commands);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| recordings_ui(ui, model));
    });
}

/// Shows the running export while its dialog is closed. A click opens the dialog.
fn export_progress_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some((path, part)) = model.exports.running() else { return };
    if model.panels.is_open(Panel::EXPORT) {
        return;
    }
    ui.ctx().request_repaint_after_secs(0.1);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let text = format!("Exporting {name}: {}", progress_text(model, part));
    let color = Palette::for_visuals(ui.visuals()).accent;
    let button = Button::new(RichText::new(text).color(color)).frame_when_inactive(false);
    if ui.add(button).on_hover_text("Opens the export").clicked() {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::EXPORT)));
    }
}

fn recordings_ui(ui: &mut Ui, model: &Model<'_>) {
    ui.add_space(2.0);
    ui.label(RichText::new("Mutoscope").strong());
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    if let Some(clip) = model.clip() {
        ui.add_space(4.0);
        let name = recording_name(model).unwrap_or_default();
        let name = if is_changed(model) { format!("{name} \u{2022}") } else { name };
        ui.label(RichText::new(&name).color(Palette::for_visuals(ui.visuals()).accent));
        for open in model.recordings.iter().skip(1) {
            let versus = dim_text(ui, if open.index == 1 { "with" } else { "and" });
            ui.label(versus);
            let color = Palette::for_visuals(ui.visuals()).recording_color(open.index);
            ui.label(RichText::new(open.source.name()).color(color));
        }
        animation_ui(ui, model, clip);
        let facts = dim_text(ui, describe_clip(clip));
        ui.label(facts);
    }
}

/// Shows which animation of the file plays, with buttons for the previous and the next one.
fn animation_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    let Some(animations) = clip.animations() else { return };
    ui.spacing_mut().item_spacing.x = 2.0;
    let step = |direction| Command::File(FileCommand::StepAnimation(direction));
    action_icon_button(ui, Icon::ChevronLeft, step(Direction::Backward), model.commands);
    let command = Command::Panel(PanelCommand::Toggle(Panel::ANIMATIONS));
    let name = &animations.names[animations.current];
    if with_action_tooltip(ui.button(name), &command).clicked() {
        model.send(command);
    }
    action_icon_button(ui, Icon::ChevronRight, step(Direction::Forward), model.commands);
    let count = format!("{} of {}", animations.current + 1, animations.names.len());
    let count = dim_text(ui, count);
    ui.label(count);
    ui.add_space(6.0);
    ui.spacing_mut().item_spacing.x = 6.0;
}

fn is_changed(model: &Model<'_>) -> bool {
    let reference = model.recordings.first();
    reference.is_some_and(|open| model.history.has_unsaved_edits(open.entity, true))
}

pub(super) fn recording_name(model: &Model<'_>) -> Option<String> {
    model.reference_source().map(Source::name)
}

fn describe_clip(clip: &Clip) -> String {
    let format = crate::registry().format_name(clip.format);
    let length = display_text::format_duration(clip.span.duration);
    format!("{format} {} · {length} · {}", clip.version, clip.subject)
}

fn panel_buttons_ui(ui: &mut Ui, panels: &Panels, width: f32, commands: &CommandSender) {
    let sides = [
        (Icon::PanelRight, "inspector", SidePanel::Inspector),
        (Icon::PanelLeft, "outline", SidePanel::Outline),
    ];
    for (icon, name, side) in sides {
        let collapsed = panels.is_collapsed(side, width);
        if collapse_button_ui(ui, icon, name, collapsed) {
            commands.send(Command::Panel(PanelCommand::Collapse(side, !collapsed)));
        }
    }
}

fn collapse_button_ui(ui: &mut Ui, icon: Icon, name: &str, folded: bool) -> bool {
    let label = format!("{} the {name}", if folded { "Show" } else { "Hide" });
    let color = folded.then_some(Palette::for_visuals(ui.visuals()).dim);
    let response = tinted_icon_button(ui, icon, &label, vec2(24.0, 22.0), color);
    response.on_hover_text(label).clicked()
}

fn issues_badge_ui(ui: &mut Ui, issues: &[ClipDiagnostic], commands: &CommandSender) {
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
    let color = Palette::for_visuals(ui.visuals()).severity_color(worst);
    icons::paint(ui.painter(), icon_rect, severity_icon(worst), color);
    if response.clicked() {
        commands.send(command);
    }
}

pub(super) fn severity_icon(severity: Severity) -> Icon {
    match severity {
        Severity::Info => Icon::Info,
        Severity::Warning => Icon::Warning,
        Severity::Error => Icon::Error,
    }
}

fn menu_button(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let response = ui.add(Button::new(format!("{name}     ")));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name));
    let chevron = response.rect.with_min_x(response.rect.right() - 22.0);
    icons::paint(ui.painter(), chevron, Icon::ChevronDown, Palette::for_visuals(ui.visuals()).dim);
    Popup::menu(&response).show(contents);
}

fn samples_menu_ui(ui: &mut Ui, model: &Model<'_>) {
    menu_button(ui, "Examples", |ui| {
        ui.set_min_width(180.0);
        for (index, card) in model.samples.iter().enumerate() {
            if ui.button(&card.name).on_hover_text(&card.description).clicked() {
                model.send(Command::File(FileCommand::OpenSample(index)));
            }
        }
        if let Some(action) = Action::for_command(&Command::File(FileCommand::ShowGallery)) {
            ui.separator();
            if ui.button("Show all examples").clicked() {
                model.send(action.command.clone());
            }
        }
    });
}

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
    let response = ui.add_enabled(is_available(&action.command, model), button);
    let response = match action.help {
        "" => response,
        help => response.on_hover_text(help),
    };
    if response.clicked() {
        model.send(action.command.clone());
    }
}
