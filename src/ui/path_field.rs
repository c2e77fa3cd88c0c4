//! A field for the path of a file that is written.

use std::path::PathBuf;

use bevy_egui::egui::{
    Id, Key, TextEdit, Ui, WidgetInfo, WidgetType,
    text::{CCursor, CCursorRange},
};

use super::widgets::dim;

/// The state of the field.
#[derive(Clone, Debug, Default)]
pub(super) struct PathField {
    /// The path as it was typed; nothing for the one that is proposed.
    pub(super) typed: Option<String>,
    /// Whether the path is to be typed next.
    takes_focus: bool,
}

impl PathField {
    /// Puts the keyboard into the field, with what is proposed selected.
    pub(super) fn focus(&mut self) {
        (self.typed, self.takes_focus) = (None, true);
    }

    /// The path: as typed, else as proposed.
    pub(super) fn path(&self, proposed: PathBuf) -> PathBuf {
        self.typed.as_ref().map_or(proposed, PathBuf::from)
    }

    /// The field; returns whether Enter was pressed in it.
    pub(super) fn ui(&mut self, ui: &mut Ui, id: &str, proposed: PathBuf) -> bool {
        let mut text = self.path(proposed).display().to_string();
        let end = text.chars().count();
        let mut is_entered = false;
        ui.horizontal(|ui| {
            let name = dim(ui, "To");
            ui.label(name);
            let field = TextEdit::singleline(&mut text).id(Id::new(id));
            let mut shown = field.desired_width(f32::INFINITY).show(ui);
            let field = &shown.response;
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "To"));
            if std::mem::take(&mut self.takes_focus) {
                field.request_focus();
                let all = CCursorRange::two(CCursor::new(0), CCursor::new(end));
                shown.state.cursor.set_char_range(Some(all));
                shown.state.store(ui.ctx(), field.id);
            }
            is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if field.changed() {
                self.typed = Some(text);
            }
        });
        is_entered
    }
}
