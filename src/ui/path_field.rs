//! A text field for the path of an output file.

use std::path::PathBuf;

use bevy_egui::egui::{
    Id, Key, TextEdit, Ui, WidgetInfo, WidgetType,
    text::{CCursor, CCursorRange},
};

use super::widgets::dim_text;

#[derive(Clone, Debug, Default)]
pub(super) struct PathField {
    /// The path that the user typed. `None` means the proposed path.
    pub(super) typed: Option<String>,
    wants_focus: bool,
}

impl PathField {
    pub(super) fn focus(&mut self) {
        (self.typed, self.wants_focus) = (None, true);
    }

    pub(super) fn path(&self, proposed: PathBuf) -> PathBuf {
        self.typed.as_ref().map_or(proposed, PathBuf::from)
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, id: &str, proposed: PathBuf) -> bool {
        let mut text = self.path(proposed).display().to_string();
        let end = text.chars().count();
        let mut is_entered = false;
        ui.horizontal(|ui| {
            let name = dim_text(ui, "To");
            ui.label(name);
            let field = TextEdit::singleline(&mut text).id(Id::new(id));
            let mut shown = field.desired_width(f32::INFINITY).show(ui);
            let field = &shown.response;
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "To"));
            if std::mem::take(&mut self.wants_focus) {
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
