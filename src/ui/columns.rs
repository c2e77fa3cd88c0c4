//! The list of a table's columns, and the use of each.

use bevy_egui::egui::{
    Align2, FontId, Popup, Rect, Sense, Ui, WidgetInfo, WidgetType, Window, pos2, vec2,
};

use super::{
    CommandSender, Model, display_text,
    search::Search,
    style::{Palette, ROW_HEIGHT, TEXT_SIZE, small_font},
    widgets::{dim_text, limit_width, row_list, search_field},
};
use crate::session::{ColumnsCommand, Command, Panel, PanelCommand};
use mutoscope_core::clip::ColumnUses;
use mutoscope_logs::{ColumnRole, MappingChange};

const NAME_WIDTH: f32 = 210.0;

#[derive(Clone, Debug, Default)]
pub(super) struct ColumnsState {
    search: String,
}

pub(super) fn columns_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ColumnsState, viewport: Rect) {
    let Some(columns) = model.clip().and_then(|clip| clip.columns()) else { return };
    let mut open = true;
    Window::new("Columns")
        .open(&mut open)
        .default_pos(viewport.left_top() + vec2(12.0, 12.0))
        .default_width(limit_width(430.0, viewport.width() - 24.0))
        .default_height(360.0)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let hint = dim_text(ui, "Click a column to change its use");
            ui.label(hint);
            search_field(ui, &mut state.search, "Search columns");
            let rows = build_rows(columns, &state.search);
            row_list(ui, ROW_HEIGHT, rows.len(), |ui, index| {
                row_ui(ui, &rows[index], model.commands);
            });
        });
    if !open {
        model.send(Command::Panel(PanelCommand::Toggle(Panel::COLUMNS)));
    }
}

#[derive(Debug, PartialEq)]
enum Row<'a> {
    Heading(String),
    Column {
        name: &'a str,
        use_text: String,
        /// The role in the menu. `None` for a component of a node's position or rotation.
        role: Option<ColumnRole>,
    },
}

fn build_rows<'a>(columns: &'a ColumnUses, searched: &str) -> Vec<Row<'a>> {
    let search = Search::new(searched);
    let used = columns.used.iter().map(|column| {
        let role = match &*column.property {
            "signal" => Some(ColumnRole::Signal),
            "event" => Some(ColumnRole::Event),
            _ => None,
        };
        let use_text = format!("{} {}", column.node, column.property).trim().to_owned();
        Row::Column { name: &column.column, use_text, role }
    });
    let time = Row::Column {
        name: &columns.time,
        use_text: "time".to_owned(),
        role: Some(ColumnRole::Time),
    };
    let ignored = columns.ignored.iter().map(|column| Row::Column {
        name: &column.column,
        use_text: column.why.clone(),
        role: Some(ColumnRole::Unused),
    });
    let parts: [(&str, Vec<Row<'a>>); 2] =
        [("Used", std::iter::once(time).chain(used).collect()), ("Not used", ignored.collect())];
    let mut rows = Vec::new();
    for (heading, mut part) in parts {
        part.retain(|row| match row {
            Row::Column { name, use_text, .. } => search.matches(name) || search.matches(use_text),
            Row::Heading(_) => true,
        });
        if !part.is_empty() {
            rows.push(Row::Heading(format!(
                "{heading} ({})",
                display_text::format_count(part.len())
            )));
            rows.append(&mut part);
        }
    }
    rows
}

fn row_ui(ui: &mut Ui, row: &Row<'_>, commands: &CommandSender) {
    let palette = Palette::for_visuals(ui.visuals());
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let position = pos2(rect.left(), rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let Row::Column { name, use_text, role } = row else {
        let Row::Heading(text) = row else { return };
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text));
        painter.text(position, Align2::LEFT_CENTER, text, small_font(), palette.dim);
        return;
    };
    let label = format!("{name}: {use_text}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    if response.hovered() {
        painter.rect_filled(rect, 3.0, palette.raised);
    }
    let position = position + vec2(10.0, 0.0);
    let name_rect = Rect::from_min_max(rect.min, rect.max).with_max_x(rect.left() + NAME_WIDTH);
    let font = FontId::proportional(TEXT_SIZE);
    let clipped = painter.with_clip_rect(name_rect.intersect(ui.clip_rect()));
    let color = if *role == Some(ColumnRole::Unused) { palette.dim } else { palette.text };
    clipped.text(position, Align2::LEFT_CENTER, name, font, color);
    let position = pos2(name_rect.right() + 8.0, rect.center().y);
    painter.text(position, Align2::LEFT_CENTER, use_text, small_font(), palette.dim);
    Popup::menu(&response).show(|ui| roles_ui(ui, name, *role, commands));
    response.on_hover_text(label);
}

fn roles_ui(ui: &mut Ui, column: &str, current: Option<ColumnRole>, commands: &CommandSender) {
    let roles = [
        (ColumnRole::Time, "Time"),
        (ColumnRole::Signal, "Signal"),
        (ColumnRole::Event, "Events"),
        (ColumnRole::Unused, "Not used"),
    ];
    for (role, name) in roles {
        let is_current = current == Some(role);
        if ui.selectable_label(is_current, name).clicked() && !is_current {
            let change = MappingChange::Use { column: column.to_owned(), role };
            commands.send(Command::Columns(ColumnsCommand::Change(change)));
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{ReadOptions, decode};

    const TABLE: &[u8] = b"time,head_x,head_y,head_z,cup_x,pinch,event\n0,0,1.6,0,3,1,begin\n\
                           1,0,1.7,0,4,0,\n";

    fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut ColumnsState) {
        let viewport = ui.max_rect();
        columns_ui(ui, model, state, viewport);
    }

    #[test]
    fn menu_changes_the_use_of_a_column() {
        let clip = decode(TABLE, &ReadOptions::from(crate::registry())).unwrap();
        let mut list = show(PanelFixture::with_clip(clip), [600.0, 500.0], panel);
        list.run();
        for label in ["Used (6)", "time: time", "head_y: head position.y", "event: event"] {
            assert!(list.query_by_label(label).is_some(), "{label}");
        }
        assert!(list.query_by_label("Not used (1)").is_some());
        assert!(list.query_all_by_label_contains("cup_x: ").next().is_some());
        list.get_by_label("pinch: signal").click();
        list.run();
        list.get_by_label("Not used").click();
        list.run();
        let (column, role) = ("pinch".to_owned(), ColumnRole::Unused);
        let change = MappingChange::Use { column, role };
        assert_eq!(
            list.state_mut().take_commands(),
            [Command::Columns(ColumnsCommand::Change(change))]
        );
    }

    #[test]
    fn search_finds_columns_and_uses() {
        let clip = decode(TABLE, &ReadOptions::from(crate::registry())).unwrap();
        let columns = clip.columns().unwrap();
        let found = |searched: &str| {
            let rows = build_rows(columns, searched);
            rows.iter().filter(|row| matches!(row, Row::Column { .. })).count()
        };
        assert_eq!(
            (found(""), found("head position"), found("pinch"), found("missing")),
            (7, 3, 1, 0)
        );
    }
}
