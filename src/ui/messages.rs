//! Messages over the viewport: loading, failures, dropping a file, typing a path.

use std::path::PathBuf;

use bevy_egui::egui::{
    Align2, Area, Button, Context, FontId, Frame, Id, Key, Label, LayerId, Margin, Modal, Order,
    Pos2, ProgressBar, Rect, RichText, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, WidgetType,
    vec2,
};

use super::{
    Model,
    export::open_folder_ui,
    style::{Palette, floating_frame},
    widgets::{dim_text, limit_width},
};
use crate::session::{
    Command, Confirmation, FileCommand, FileFailure, FilePurpose, Loading, PanelCommand,
};

const LOADING_REDRAW_INTERVAL_S: f32 = 0.1;

pub(super) fn loading_ui(ui: &mut Ui, loading: &Loading, viewport: Rect) {
    ui.ctx().request_repaint_after_secs(LOADING_REDRAW_INTERVAL_S);
    show_floating(ui.ctx(), "loading", viewport.center(), Align2::CENTER_CENTER, |ui| {
        ui.set_width(limit_width(260.0, viewport.width() - 40.0));
        let name = RichText::new(format!("Opening {}", loading.name));
        ui.add(Label::new(name).truncate());
        match loading.progress.fraction() {
            Some(part) => {
                let bar = ProgressBar::new(part).desired_height(6.0).corner_radius(3);
                ui.add(bar.fill(Palette::for_visuals(ui.visuals()).accent));
            }
            None => {
                let waiting = dim_text(ui, "Waiting for the first bytes");
                ui.label(waiting);
            }
        }
    });
}

pub(super) fn failure_ui(ui: &mut Ui, model: &Model<'_>, failed: &FileFailure, viewport: Rect) {
    let FileFailure { name, message } = failed;
    banner_ui(ui, "failure", &format!("Could not open {name}"), message, viewport, |ui| {
        let rest = if model.clip().is_some() {
            "The open recording stays open. Open another file, or repair this one and reload it."
        } else {
            "Open another file, or repair this one and open it again."
        };
        let rest = dim_text(ui, rest);
        ui.add(Label::new(rest).wrap());
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if ui.button("Open another file").clicked() {
                model.send(Command::File(FileCommand::Choose));
            }
            dismiss_ui(ui, model);
        });
    });
}

pub(super) fn unwritten_ui(ui: &mut Ui, model: &Model<'_>, failed: &FileFailure, viewport: Rect) {
    let FileFailure { name, message } = failed;
    banner_ui(ui, "unwritten", &format!("Could not write {name}"), message, viewport, |ui| {
        ui.add_space(4.0);
        dismiss_ui(ui, model);
    });
}

pub(super) fn refused_link_ui(ui: &mut Ui, model: &Model<'_>, why: &str, viewport: Rect) {
    banner_ui(ui, "refused link", "A link was refused", why, viewport, |ui| {
        let rest = dim_text(
            ui,
            "Nothing was opened. Copy the command next to the link, or open the file yourself.",
        );
        ui.add(Label::new(rest).wrap());
        ui.add_space(4.0);
        dismiss_ui(ui, model);
    });
}

fn banner_ui(
    ui: &Ui,
    id: &'static str,
    title: &str,
    message: &str,
    viewport: Rect,
    rest: impl FnOnce(&mut Ui),
) {
    let palette = Palette::for_visuals(ui.visuals());
    let top = viewport.center_top() + vec2(0.0, 14.0);
    let frame = floating_frame(palette).stroke(Stroke::new(1.0, palette.error));
    area(id, top, Align2::CENTER_TOP).show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            ui.set_width(limit_width(520.0, viewport.width() - 60.0));
            ui.label(RichText::new(title).color(palette.error).strong());
            ui.add(Label::new(message).wrap().selectable(true));
            rest(ui);
        });
    });
}

fn dismiss_ui(ui: &mut Ui, model: &Model<'_>) {
    if ui.button("Dismiss").clicked() {
        model.send(Command::File(FileCommand::DismissFailure));
    }
}

/// Returns how long a message is shown, in seconds. The user needs time to reach a button.
pub(super) fn message_duration(message: &Confirmation) -> f64 {
    if message.written.is_some() { 10.0 } else { 4.0 }
}

/// Shows a passing message at the bottom of the viewport. It first appeared `age` seconds ago. If
/// it confirms that a file was written, it has a button that opens the folder.
pub(super) fn passing_message_ui(
    ui: &Ui,
    model: &Model<'_>,
    message: &Confirmation,
    viewport: Rect,
    age: f64,
) {
    let duration = message_duration(message);
    if age >= duration {
        return;
    }
    ui.ctx().request_repaint_after_secs((duration - age) as f32);
    let position = viewport.center_bottom() - vec2(0.0, 44.0);
    area("message", position, Align2::CENTER_BOTTOM).show(ui.ctx(), |ui| {
        let palette = Palette::for_visuals(ui.visuals());
        let frame = Frame::new().fill(palette.panel).corner_radius(4);
        frame.inner_margin(Margin::symmetric(8, 4)).show(ui, |ui| {
            ui.set_max_width(limit_width(520.0, viewport.width() - 40.0));
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(&message.text).color(palette.text));
                if let Some(written) = &message.written {
                    open_folder_ui(ui, model, written);
                }
            });
        });
    });
}

/// The hint shown while the user drags a file over an open recording. A browser cannot play
/// reference videos.
const DROP_ON_RECORDING_HINT: &str = if cfg!(target_family = "wasm") {
    "A recording replaces the open one; a skeleton is attached to it"
} else {
    "A recording replaces the open one; a skeleton is attached to it; a video plays with it"
};

pub(super) fn drop_hint_ui(ui: &mut Ui, model: &Model<'_>, window: Rect) {
    let palette = Palette::for_visuals(ui.visuals());
    let layer = LayerId::new(Order::Foreground, Id::new("drop hint"));
    let painter = ui.ctx().layer_painter(layer);
    painter.rect_filled(window, 0.0, palette.background.gamma_multiply(0.75));
    let inner = window.shrink(24.0);
    painter.rect_stroke(inner, 10.0, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    let title = FontId::proportional(22.0);
    let centre = window.center();
    painter.text(centre, Align2::CENTER_BOTTOM, "Drop to open", title, palette.text);
    let line = if model.clip().is_some() {
        DROP_ON_RECORDING_HINT
    } else {
        "Drop recordings, and a skeleton for them"
    };
    let font = FontId::proportional(13.0);
    painter.text(centre + vec2(0.0, 8.0), Align2::CENTER_TOP, line, font, palette.dim);
}

pub(super) fn path_dialog_ui(ctx: &Context, model: &Model<'_>, text: &mut String) {
    let Some(purpose) = model.panels.path_dialog else {
        text.clear();
        return;
    };
    let (title, hint, verb) = match purpose {
        FilePurpose::Recordings => ("Open file", "/home/me/recording.bin", "Open"),
        FilePurpose::Skeleton => ("Attach skeleton", "/home/me/character.glb", "Attach"),
        FilePurpose::ExportSkeleton => ("Skeleton of the export", "/home/me/walk.cinf", "Use"),
        FilePurpose::BoneMap => ("Open bone map", "/home/me/walk.bones.json", "Open"),
        FilePurpose::Comparison => ("Compare with recording", "/home/me/other.bin", "Compare"),
        FilePurpose::SceneElements => ("Add recording", "/home/me/walk.mcmocap_rec", "Add"),
        FilePurpose::Labels => ("Import labels", "/home/me/trials.eaf", "Import"),
        FilePurpose::Footage => ("Add reference video", "/home/me/take.mp4", "Add"),
    };
    let mut done = false;
    let modal = Modal::new(Id::new("path dialog")).show(ctx, |ui| {
        ui.set_width(limit_width(440.0, ctx.content_rect().width() - 60.0));
        ui.label(RichText::new(title).heading());
        let why = dim_text(ui, "This desktop has no file dialog. Type or paste a path:");
        ui.label(why);
        let edit = TextEdit::singleline(text).hint_text(hint);
        let field = ui.add(edit.desired_width(f32::INFINITY));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Path"));
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if !field.has_focus() && !entered {
            field.request_focus();
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let path = text.trim();
            let open = ui.add_enabled(!path.is_empty(), Button::new(verb));
            if (open.clicked() || entered) && !path.is_empty() {
                model.send_all(purpose.commands(vec![PathBuf::from(path)]));
                done = true;
            }
            done |= ui.button("Cancel").clicked();
        });
    });
    if done || modal.should_close() {
        model.send(Command::Panel(PanelCommand::ClosePathDialog));
    }
}

fn area(id: &str, position: Pos2, pivot: Align2) -> Area {
    Area::new(Id::new(id)).order(Order::Middle).pivot(pivot).fixed_pos(position).constrain(false)
}

fn show_floating(
    ctx: &Context,
    id: &str,
    position: Pos2,
    pivot: Align2,
    contents: impl FnOnce(&mut Ui),
) {
    area(id, position, pivot).show(ctx, |ui| {
        floating_frame(Palette::for_visuals(ui.visuals())).show(ui, contents);
    });
}
