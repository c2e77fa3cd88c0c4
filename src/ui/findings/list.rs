//! The list of findings: as many rows are laid out as are seen.

use bevy_egui::egui::{
    Align2, FontId, Rect, ScrollArea, Sense, TextWrapMode, Ui, WidgetInfo, WidgetText, WidgetType,
    pos2, vec2,
};

use super::{filter::About, when};
use crate::{
    checks::Finding,
    ui::{
        icons,
        style::{Palette, TEXT_SIZE, small},
        top_bar::severity_icon,
        widgets::dim,
    },
};

/// The height of a row: two lines.
const ROW: f32 = 38.0;

/// The rows of the findings with these `indices` among `all`; returns which of them was clicked.
pub(super) fn list_ui(
    ui: &mut Ui,
    all: &[Finding],
    indices: &[usize],
    chosen: Option<usize>,
) -> Option<usize> {
    if indices.is_empty() && !all.is_empty() {
        let none = dim(ui, "No matches");
        ui.label(none);
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink([false, false]);
    let mut clicked = None;
    area.show_rows(ui, ROW, indices.len(), |ui, rows| {
        for &index in &indices[rows] {
            if row_ui(ui, &all[index], chosen == Some(index)) {
                clicked = Some(index);
            }
        }
    });
    clicked
}

/// One finding: severity, time, check and place, and below them what it is. Tells whether it was
/// clicked.
fn row_ui(ui: &mut Ui, finding: &Finding, is_chosen: bool) -> bool {
    let palette = Palette::of(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(
            WidgetType::Button,
            true,
            is_chosen,
            format!("{}: {}", finding.severity, finding.message),
        )
    });
    if !ui.is_rect_visible(rect) {
        return response.clicked();
    }
    if is_chosen {
        ui.painter().rect_filled(rect, 2.0, palette.tint(palette.accent, 0.25));
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised);
    }
    let icon = Rect::from_min_size(rect.min + vec2(2.0, 2.0), vec2(18.0, 18.0));
    let color = palette.severity(finding.severity);
    icons::paint(ui.painter(), icon, severity_icon(finding.severity), color);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let middle = rect.top() + 11.0;
    let mut x = rect.left() + 24.0;
    let when = when(finding);
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
    let name = About::of(finding).name();
    painter.text(pos2(x, middle), Align2::LEFT_CENTER, name, small(), palette.dim);
    let place = finding.place.to_string();
    let right = pos2(rect.right() - 6.0, middle);
    painter.text(right, Align2::RIGHT_CENTER, place, FontId::monospace(11.0), palette.dim);
    let message = WidgetText::from(finding.message.as_str()).into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        rect.width() - 30.0,
        FontId::proportional(TEXT_SIZE),
    );
    painter.galley(pos2(rect.left() + 24.0, rect.top() + 19.0), message, palette.text);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, (1.0, palette.line));
    response.on_hover_text(&finding.message).clicked()
}
