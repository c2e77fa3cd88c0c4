//! Shows the list of issues, grouped by kind. Only the visible rows are laid out.

use std::sync::Arc;

use bevy_egui::egui::{
    Align2, FontId, Galley, Painter, Rect, Response, ScrollArea, Sense, TextWrapMode, Ui,
    WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use super::{
    bar::source_rule,
    filter::{Group, GroupedIssues, IssueSource, Row},
    time_text,
};
use crate::ui::{
    display_text,
    icons::{self, Icon},
    style::{Palette, TEXT_SIZE, small_font},
    top_bar::severity_icon,
    widgets::dim_text,
};
use mutoscope_core::{diagnostics::Severity, measure::checks::ClipDiagnostic};

const ROW_HEIGHT: f32 = 38.0;

const GROUP_INDENT: f32 = 18.0;

pub(super) enum ClickedRow {
    /// A group, by its index.
    Group(usize),
    /// An issue, by its index.
    Issue(usize),
}

/// Returns the row that was clicked. `listed` must belong to `all`.
pub(super) fn list_ui(
    ui: &mut Ui,
    all: &[ClipDiagnostic],
    listed: &GroupedIssues,
    chosen: Option<usize>,
) -> Option<ClickedRow> {
    let rows = listed.rows();
    if rows.is_empty() && !all.is_empty() {
        let none = dim_text(ui, "No matches");
        ui.label(none);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    // The default minimum height would overlap the chosen issue in a low window.
    let area = ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(ROW_HEIGHT);
    let mut clicked = None;
    area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, seen| {
        for row in &rows[seen] {
            let is_clicked = match *row {
                Row::Group(index) => {
                    group_ui(ui, all, &listed.groups[index]).then_some(ClickedRow::Group(index))
                }
                Row::Issue(index, is_in_group) => {
                    let indent = if is_in_group { GROUP_INDENT } else { 0.0 };
                    row_ui(ui, &all[index], chosen == Some(index), indent)
                        .then_some(ClickedRow::Issue(index))
                }
            };
            if is_clicked.is_some() {
                clicked = is_clicked;
            }
        }
    });
    clicked
}

fn group_ui(ui: &mut Ui, all: &[ClipDiagnostic], group: &Group) -> bool {
    let palette = Palette::for_visuals(ui.visuals());
    let (first, last) = (&all[group.issues[0]], &all[*group.issues.last().unwrap_or(&0)]);
    let source = IssueSource::from_issue(first);
    let name = format!("{} × {}", source.name(), display_text::format_count(group.issues.len()));
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        let label = format!("{}: {name}", first.severity);
        WidgetInfo::selected(WidgetType::CollapsingHeader, true, group.is_expanded, label)
    });
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let painter = row_background_ui(ui, &response, rect, first.severity, false);
    let (left, middle) = (rect.left() + 24.0, rect.top() + 11.0);
    let font = FontId::proportional(TEXT_SIZE);
    painter.text(pos2(left, middle), Align2::LEFT_CENTER, &name, font, palette.text);
    let chevron = if group.is_expanded { Icon::ChevronDown } else { Icon::ChevronRight };
    let position = pos2(rect.right() - 12.0, middle);
    icons::paint(
        &painter,
        Rect::from_center_size(position, vec2(14.0, 14.0)),
        chevron,
        palette.dim,
    );
    let example = match source {
        IssueSource::Decoder => first.message.as_str(),
        IssueSource::Check(_) | IssueSource::Motion(_) => source_rule(source),
    };
    let times = [first.time, last.time].map(|time| time.map(display_text::format_clock_time));
    let text = match times {
        [Some(first), Some(last)] => format!("{first} – {last}: {example}"),
        _ => example.to_owned(),
    };
    let text = truncated_galley(ui, text, rect.width() - 30.0, small_font());
    painter.galley(pos2(left, rect.top() + 20.0), text, palette.dim);
    let help = if group.is_expanded { "Click to collapse" } else { "Click to list them" };
    response.on_hover_text(help).clicked()
}

fn row_ui(ui: &mut Ui, issue: &ClipDiagnostic, is_chosen: bool, indent: f32) -> bool {
    let palette = Palette::for_visuals(ui.visuals());
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(
            WidgetType::Button,
            true,
            is_chosen,
            format!("{}: {}", issue.severity, issue.message),
        )
    });
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let rect = rect.with_min_x(rect.left() + indent);
    let painter = row_background_ui(ui, &response, rect, issue.severity, is_chosen);
    let middle = rect.top() + 11.0;
    let mut x = rect.left() + 24.0;
    let time = time_text(issue);
    if !time.is_empty() {
        let text = painter.text(
            pos2(x, middle),
            Align2::LEFT_CENTER,
            time,
            FontId::monospace(11.0),
            palette.accent,
        );
        x = text.right() + 10.0;
    }
    let location = issue.location.to_string();
    let right = pos2(rect.right() - 6.0, middle);
    let location =
        painter.text(right, Align2::RIGHT_CENTER, location, FontId::monospace(11.0), palette.dim);
    let name = IssueSource::from_issue(issue).name();
    let name = truncated_galley(ui, name, location.left() - 10.0 - x, small_font());
    let top = middle - 0.5 * name.size().y;
    painter.galley(pos2(x, top), name, palette.dim);
    let font = FontId::proportional(TEXT_SIZE);
    let message = truncated_galley(ui, issue.message.as_str(), rect.width() - 30.0, font);
    painter.galley(pos2(rect.left() + 24.0, rect.top() + 19.0), message, palette.text);
    response.on_hover_text(&issue.message).clicked()
}

fn row_background_ui(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    severity: Severity,
    is_chosen: bool,
) -> Painter {
    let palette = Palette::for_visuals(ui.visuals());
    if is_chosen {
        ui.painter().rect_filled(rect, 2.0, palette.tint(palette.accent, 0.25));
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    let icon = Rect::from_min_size(rect.min + vec2(2.0, 2.0), vec2(18.0, 18.0));
    icons::paint(ui.painter(), icon, severity_icon(severity), palette.severity_color(severity));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.hline(rect.x_range(), rect.bottom() - 0.5, (1.0, palette.line));
    painter
}

fn truncated_galley(ui: &Ui, text: impl Into<WidgetText>, width: f32, font: FontId) -> Arc<Galley> {
    text.into().into_galley(ui, Some(TextWrapMode::Truncate), width, font)
}
