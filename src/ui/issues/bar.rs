//! The switches and the field above the list of issues.

use bevy_egui::egui::{
    Button, ComboBox, Response, RichText, TextEdit, Ui, WidgetInfo, WidgetType, vec2,
};

use super::filter::{About, Filter};
use crate::ui::{Model, icons, style::Palette, top_bar::severity_icon, widgets::dim, words};
use mutoscope_core::{diagnostics::Severity, measure::checks::CHECKS};

/// Severities to leave out, the check to see alone, words to look for.
pub(super) fn bar_ui(ui: &mut Ui, model: &Model<'_>, filter: &mut Filter) {
    ui.horizontal(|ui| {
        severities_ui(ui, model, filter);
        if model.issues().is_some_and(|issues| issues.is_under_way()) {
            let looking = dim(ui, "checking…");
            ui.label(looking);
        }
    });
    ui.horizontal(|ui| {
        checks_ui(ui, model, filter);
        let field = TextEdit::singleline(&mut filter.words).hint_text("Search");
        let response = ui.add(field.desired_width(ui.available_width()));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search issues"));
    });
    ui.separator();
}

/// A switch for each severity that there is.
fn severities_ui(ui: &mut Ui, model: &Model<'_>, filter: &mut Filter) {
    let names = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Info, "info", "info"),
    ];
    for (severity, one, many) in names {
        let of_severity = model.all_issues().iter().filter(|one| one.severity == severity);
        let count = of_severity.count();
        if count == 0 {
            continue;
        }
        let is_listed = !filter.without.contains(&severity);
        let text = words::counted(count, one, many);
        if severity_ui(ui, severity, &text, is_listed).clicked() {
            filter.toggle(severity);
        }
    }
    if model.all_issues().is_empty() && !model.issues().is_some_and(|issues| issues.is_under_way())
    {
        let nothing = dim(ui, "No issues");
        ui.label(nothing);
    }
}

fn severity_ui(ui: &mut Ui, severity: Severity, text: &str, is_listed: bool) -> Response {
    let palette = Palette::of(ui.visuals());
    let color = if is_listed { palette.text } else { palette.dim };
    let button = Button::new(RichText::new(format!("      {text}")).color(color));
    let response = ui.add(button.selected(is_listed));
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::Checkbox, true, is_listed, format!("List {text}"))
    });
    let icon = response.rect.with_max_x(response.rect.left() + 26.0);
    let color = if is_listed { palette.severity(severity) } else { palette.dim };
    icons::paint(ui.painter(), icon, severity_icon(severity), color);
    let help = if is_listed { "Click to hide them" } else { "Click to show them" };
    response.on_hover_text(help)
}

/// All checks, or one of those that found something.
fn checks_ui(ui: &mut Ui, model: &Model<'_>, filter: &mut Filter) {
    const EVERYTHING: &str = "All checks";
    let chosen = filter.only.map_or(EVERYTHING, About::name);
    let shown =
        ComboBox::from_id_salt("check").selected_text(chosen).width(170.0).show_ui(ui, |ui| {
            ui.set_min_size(vec2(220.0, 0.0));
            ui.selectable_value(&mut filter.only, None, EVERYTHING);
            for about in About::all() {
                let found = model.all_issues().iter().filter(|one| About::of(one) == about);
                let count = found.count();
                if count > 0 {
                    let name = format!("{}  {}", about.name(), words::count(count));
                    let item = ui.selectable_value(&mut filter.only, Some(about), name);
                    item.on_hover_text(rule(about));
                }
            }
        });
    shown.response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Check: {chosen}"))
    });
}

/// The rule of a kind of issue.
pub(super) fn rule(about: About) -> &'static str {
    match about {
        About::Reading => "what the decoder worked around or assumed",
        About::Topic(topic) => {
            CHECKS.iter().find(|check| check.topic == topic).map_or("", |check| check.rule)
        }
    }
}
