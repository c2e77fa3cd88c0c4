//! Shows the filters above the list of issues: severities, checks and a search.

use bevy_egui::egui::{
    Button, ComboBox, Response, RichText, TextEdit, Ui, WidgetInfo, WidgetType, vec2,
};

use super::{
    detail::mute_command,
    filter::{Filter, IssueSource},
};
use crate::ui::{
    Model, display_text, icons, style::Palette, top_bar::severity_icon, verdict::problem_name,
    widgets::dim_text,
};
use mutoscope_core::{diagnostics::Severity, measure::checks::CHECKS};
use mutoscope_study::verdict::find_check;

pub(super) fn bar_ui(ui: &mut Ui, model: &Model<'_>, filter: &mut Filter) {
    ui.horizontal(|ui| {
        severities_ui(ui, model, filter);
        if model.issues().is_some_and(|issues| issues.is_checking()) {
            let looking = dim_text(ui, "checking…");
            ui.label(looking);
        }
    });
    ui.horizontal(|ui| {
        checks_ui(ui, model, filter);
        let field = TextEdit::singleline(&mut filter.query).hint_text("Search");
        let response = ui.add(field.desired_width(ui.available_width()));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search issues"));
    });
    muted_ui(ui, model);
    ui.separator();
}

/// Shows the muted checks. A click lists their issues again.
fn muted_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(issues) = model.issues() else { return };
    let muted: Vec<&str> = issues.profile().muted_codes().collect();
    if muted.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let text = dim_text(ui, "Muted in this recording");
        ui.label(text);
        for code in muted {
            let button = ui.small_button(format!("{} ×", problem_name(code)));
            if button.on_hover_text(format!("Lists {code} again")).clicked() {
                model.send(mute_command(model, code, false));
            }
        }
    });
}

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
        let is_listed = !filter.hidden_severities.contains(&severity);
        let text = display_text::format_counted(count, one, many);
        if severity_ui(ui, severity, &text, is_listed).clicked() {
            filter.toggle(severity);
        }
    }
    if model.all_issues().is_empty() && !model.issues().is_some_and(|issues| issues.is_checking()) {
        let nothing = dim_text(ui, "No issues");
        ui.label(nothing);
    }
}

fn severity_ui(ui: &mut Ui, severity: Severity, text: &str, is_listed: bool) -> Response {
    let palette = Palette::for_visuals(ui.visuals());
    let color = if is_listed { palette.text } else { palette.dim };
    let button = Button::new(RichText::new(format!("      {text}")).color(color));
    let response = ui.add(button.selected(is_listed));
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::Checkbox, true, is_listed, format!("List {text}"))
    });
    let icon = response.rect.with_max_x(response.rect.left() + 26.0);
    let color = if is_listed { palette.severity_color(severity) } else { palette.dim };
    icons::paint(ui.painter(), icon, severity_icon(severity), color);
    let help = if is_listed { "Click to hide them" } else { "Click to show them" };
    response.on_hover_text(help)
}

fn checks_ui(ui: &mut Ui, model: &Model<'_>, filter: &mut Filter) {
    const EVERYTHING: &str = "All checks";
    let chosen = filter.source.map_or(EVERYTHING.into(), IssueSource::name);
    let shown =
        ComboBox::from_id_salt("check").selected_text(&*chosen).width(170.0).show_ui(ui, |ui| {
            ui.set_min_size(vec2(220.0, 0.0));
            ui.selectable_value(&mut filter.source, None, EVERYTHING);
            for source in IssueSource::all() {
                let found =
                    model.all_issues().iter().filter(|one| IssueSource::from_issue(one) == source);
                let count = found.count();
                if count > 0 {
                    let name = format!("{}  {}", source.name(), display_text::format_count(count));
                    let item = ui.selectable_value(&mut filter.source, Some(source), name);
                    item.on_hover_text(source_rule(source));
                }
            }
        });
    shown.response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Check: {chosen}"))
    });
}

pub(super) fn source_rule(source: IssueSource) -> &'static str {
    match source {
        IssueSource::Decoder => {
            "Lists the problems that the decoder worked around, and the values that it assumed"
        }
        IssueSource::Check(topic) => {
            CHECKS.iter().find(|check| check.topic == topic).map_or("", |check| check.rule)
        }
        IssueSource::Motion(code) => find_check(code.as_str()).map_or("", |check| check.definition),
    }
}
