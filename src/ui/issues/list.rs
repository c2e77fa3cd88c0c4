//! The list of issues, those of one kind together: as many rows are laid out as are seen.

use std::sync::Arc;

use bevy_egui::egui::{
    Align2, FontId, Galley, Painter, Rect, Response, ScrollArea, Sense, TextWrapMode, Ui,
    WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};

use super::{
    bar::rule,
    filter::{About, Group, Listed, Row},
    when,
};
use crate::ui::{
    icons::{self, Icon},
    style::{Palette, TEXT_SIZE, small},
    top_bar::severity_icon,
    widgets::dim,
    words,
};
use mutoscope_core::{diagnostics::Severity, measure::checks::Issue};

/// The height of a row: two lines.
const ROW: f32 = 38.0;

/// How far the rows of a group are moved to the right, in points.
const INDENT: f32 = 18.0;

/// The clicked row.
pub(super) enum Clicked {
    /// A group, by its index.
    Group(usize),
    /// An issue, by its index.
    Issue(usize),
}

/// The rows of `listed`, which are of `all`; returns which of them was clicked.
pub(super) fn list_ui(
    ui: &mut Ui,
    all: &[Issue],
    listed: &Listed,
    chosen: Option<usize>,
) -> Option<Clicked> {
    let rows = listed.rows();
    if rows.is_empty() && !all.is_empty() {
        let none = dim(ui, "No matches");
        ui.label(none);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink([false, false]);
    let mut clicked = None;
    area.show_rows(ui, ROW, rows.len(), |ui, seen| {
        for row in &rows[seen] {
            let is_clicked = match *row {
                Row::Group(index) => {
                    group_ui(ui, all, &listed.groups[index]).then_some(Clicked::Group(index))
                }
                Row::Issue(index, is_in_group) => {
                    let indent = if is_in_group { INDENT } else { 0.0 };
                    row_ui(ui, &all[index], chosen == Some(index), indent)
                        .then_some(Clicked::Issue(index))
                }
            };
            if is_clicked.is_some() {
                clicked = is_clicked;
            }
        }
    });
    clicked
}

/// Issues of one kind in one row: how many, what they are, when the first and the last is. Tells
/// whether it was clicked.
fn group_ui(ui: &mut Ui, all: &[Issue], group: &Group) -> bool {
    let palette = Palette::of(ui.visuals());
    let (first, last) = (&all[group.issues[0]], &all[*group.issues.last().unwrap_or(&0)]);
    let about = About::of(first);
    let name = format!("{} × {}", about.name(), words::count(group.issues.len()));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        let label = format!("{}: {name}", first.severity);
        WidgetInfo::selected(WidgetType::CollapsingHeader, true, group.is_expanded, label)
    });
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    let painter = ground_ui(ui, &response, rect, first.severity, false);
    let (left, middle) = (rect.left() + 24.0, rect.top() + 11.0);
    let font = FontId::proportional(TEXT_SIZE);
    painter.text(pos2(left, middle), Align2::LEFT_CENTER, &name, font, palette.text);
    let chevron = if group.is_expanded { Icon::ChevronDown } else { Icon::ChevronRight };
    let place = pos2(rect.right() - 12.0, middle);
    icons::paint(&painter, Rect::from_center_size(place, vec2(14.0, 14.0)), chevron, palette.dim);
    let example = match about {
        About::Reading => first.message.as_str(),
        About::Topic(_) => rule(about),
    };
    let times = [first.time, last.time].map(|time| time.map(words::clock_time));
    let text = match times {
        [Some(first), Some(last)] => format!("{first} – {last}: {example}"),
        _ => example.to_owned(),
    };
    let text = truncated(ui, text, rect, small());
    painter.galley(pos2(left, rect.top() + 20.0), text, palette.dim);
    let help = if group.is_expanded { "Click to collapse" } else { "Click to list them" };
    response.on_hover_text(help).clicked()
}

/// One issue: severity, time, check and place, and below them what it is. Tells whether it was
/// clicked.
fn row_ui(ui: &mut Ui, issue: &Issue, is_chosen: bool, indent: f32) -> bool {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
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
    let painter = ground_ui(ui, &response, rect, issue.severity, is_chosen);
    let middle = rect.top() + 11.0;
    let mut x = rect.left() + 24.0;
    let when = when(issue);
    if !when.is_empty() {
        let text = painter.text(
            pos2(x, middle),
            Align2::LEFT_CENTER,
            when,
            FontId::monospace(11.0),
            palette.accent,
        );
        x = text.right() + 10.0;
    }
    let name = About::of(issue).name();
    painter.text(pos2(x, middle), Align2::LEFT_CENTER, name, small(), palette.dim);
    let place = issue.place.to_string();
    let right = pos2(rect.right() - 6.0, middle);
    painter.text(right, Align2::RIGHT_CENTER, place, FontId::monospace(11.0), palette.dim);
    let message = truncated(ui, issue.message.as_str(), rect, FontId::proportional(TEXT_SIZE));
    painter.galley(pos2(rect.left() + 24.0, rect.top() + 19.0), message, palette.text);
    response.on_hover_text(&issue.message).clicked()
}

/// The background of a row with the icon of its severity and the line below; returns the painter of
/// its texts.
fn ground_ui(
    ui: &Ui,
    response: &Response,
    rect: Rect,
    severity: Severity,
    is_chosen: bool,
) -> Painter {
    let palette = Palette::of(ui.visuals());
    if is_chosen {
        ui.painter().rect_filled(rect, 2.0, palette.tint(palette.accent, 0.25));
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    let icon = Rect::from_min_size(rect.min + vec2(2.0, 2.0), vec2(18.0, 18.0));
    icons::paint(ui.painter(), icon, severity_icon(severity), palette.severity(severity));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.hline(rect.x_range(), rect.bottom() - 0.5, (1.0, palette.line));
    painter
}

/// `text` in one line that ends where the row does.
fn truncated(ui: &Ui, text: impl Into<WidgetText>, rect: Rect, font: FontId) -> Arc<Galley> {
    text.into().into_galley(ui, Some(TextWrapMode::Truncate), rect.width() - 30.0, font)
}
