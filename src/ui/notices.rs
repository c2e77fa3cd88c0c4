//! The list of what was odd about the file.

use bevy_egui::egui::{
    Align2, FontId, Label, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, Window,
    vec2,
};

use super::{
    Model, icons,
    style::{Palette, small},
    top_bar::{severities_text, severity_icon},
    widgets::dim,
    words,
};
use crate::{diagnostics::Notice, playback::TimeCommand, viewer::Command};

/// How many notices are listed at most: nobody reads more, and each takes time to lay out.
const MOST: usize = 300;

/// The list, in a window of its own within `picture`.
pub(super) fn notices_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    picture: Rect,
    open: &mut bool,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = model.player.clip().filter(|clip| !clip.notices.is_empty()) else { return };
    Window::new("Notices")
        .open(open)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(picture.right_top() + vec2(-12.0, 12.0))
        .default_width(460.0_f32.min(picture.width() - 24.0))
        .default_height(280.0)
        .collapsible(false)
        .show(ui.ctx(), |ui| {
            let sum = dim(ui, severities_text(&clip.notices));
            ui.label(sum);
            ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
                for (index, notice) in clip.notices.iter().take(MOST).enumerate() {
                    notice_ui(ui, index, notice, commands);
                }
                if clip.notices.len() > MOST {
                    let rest = words::count(clip.notices.len() - MOST);
                    let rest = dim(ui, format!("and {rest} more; `mutoscope check` lists all"));
                    ui.label(rest);
                }
            });
        });
}

/// Severity, place and message; a click goes to its time, if it has one.
fn notice_ui(ui: &mut Ui, index: usize, notice: &Notice, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let color = palette.severity(notice.severity);
    let row = ui.scope(|ui| {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
            icons::paint(ui.painter(), rect, severity_icon(notice.severity), color);
            ui.label(RichText::new(notice.severity.word()).color(color));
            let place = RichText::new(notice.place.to_string());
            ui.label(place.font(FontId::monospace(11.0)).color(palette.dim));
            if let Some(time) = notice.time {
                let time = RichText::new(words::clock_time(time));
                ui.label(time.font(FontId::monospace(11.0)).color(palette.accent));
                ui.label(RichText::new("click goes there").font(small()).color(palette.dim));
            }
        });
        ui.add(Label::new(&notice.message).wrap());
        ui.add_space(4.0);
    });
    let rect = row.response.rect.with_max_x(ui.max_rect().right());
    ui.painter().hline(rect.x_range(), rect.bottom(), (1.0, palette.line));
    let Some(time) = notice.time else { return };
    let response = ui.interact(rect, ui.id().with(("notice", index)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Button, true, format!("Notice: {}", notice.message))
    });
    if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, palette.raised.gamma_multiply(0.35));
    }
    if response.clicked() {
        commands.push(Command::Time(TimeCommand::Seek(time)));
    }
}
