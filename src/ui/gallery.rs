//! The start page: the examples, the recent files, and how to open a file.

use bevy_egui::egui::{
    Align, Align2, Button, Color32, FontId, Layout, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, text::LayoutJob, vec2,
};

use super::{
    CommandSender, Model, SampleCard,
    style::{Palette, TEXT_SIZE, small_font},
    widgets::{dim_text, with_action_tooltip},
};
use crate::session::{Command, FileCommand, SkeletonCommand};

const PICTURE_SIZE: (f32, f32) = (272.0, 153.0);
const TEXT_HEIGHT: f32 = 60.0;
const BANNER_HEIGHT: f32 = 160.0;
const GAP: f32 = 14.0;

pub(super) fn gallery_ui(ui: &mut Ui, model: &Model<'_>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| {
            let banner = if model.files.failure.is_some() { BANNER_HEIGHT } else { 0.0 };
            ui.add_space((0.12 * ui.clip_rect().height()).min(90.0).max(banner));
            ui.label(RichText::new("See a motion recording in 3D").size(22.0));
            ui.add_space(2.0);
            let hint = dim_text(ui, "Drop a file onto this window, or open one");
            ui.label(hint);
            if cfg!(target_family = "wasm") {
                let privacy = dim_text(ui, "Files stay on this machine: nothing is uploaded");
                ui.label(privacy);
            }
            ui.add_space(10.0);
            let open = ui.add(Button::new("Open a file…   Ctrl+O").min_size(vec2(180.0, 30.0)));
            if with_action_tooltip(open, &Command::File(FileCommand::Choose)).clicked() {
                model.send(Command::File(FileCommand::Choose));
            }
            pending_skeleton_ui(ui, model);
            recent_ui(ui, model);
            ui.add_space(28.0);
            if !model.samples.is_empty() {
                let heading = dim_text(ui, "Examples");
                ui.label(heading);
                ui.add_space(8.0);
                cards_ui(ui, model.samples, model.commands);
            }
        });
    });
}

const MAX_RECENT_FILES: usize = 5;

fn recent_ui(ui: &mut Ui, model: &Model<'_>) {
    if model.settings.recent().next().is_none() {
        return;
    }
    ui.add_space(14.0);
    // The width of the line is known only after layout. So centre the line with its width in the
    // last frame, and draw another frame if the width has changed.
    let id = ui.id().with("recent");
    let width: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
    let (strip, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let left = (strip.center().x - 0.5 * width).max(strip.left());
    let line = UiBuilder::new().max_rect(strip.with_min_x(left));
    let line = ui.scope_builder(line.layout(Layout::left_to_right(Align::Center)), |ui| {
        let label = dim_text(ui, "Recent files");
        ui.label(label);
        for path in model.settings.recent().take(MAX_RECENT_FILES) {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let response = ui.link(name).on_hover_text(path.display().to_string());
            if response.clicked() {
                model.send(Command::File(FileCommand::Open(vec![path.clone()])));
            }
        }
    });
    let new_width = line.response.rect.width();
    if new_width != width {
        ui.data_mut(|data| data.insert_temp(id, new_width));
        ui.ctx().request_repaint();
    }
}

fn pending_skeleton_ui(ui: &mut Ui, model: &Model<'_>) {
    let Some(file) = &model.files.skeleton else { return };
    ui.add_space(10.0);
    let text = format!(
        "The skeleton {} will be attached to the next recording that fits",
        file.skeleton.name
    );
    ui.label(RichText::new(text).color(Palette::for_visuals(ui.visuals()).accent));
    let response = ui.small_button("Detach");
    if with_action_tooltip(response, &Command::Skeleton(SkeletonCommand::Detach)).clicked() {
        model.send(Command::Skeleton(SkeletonCommand::Detach));
    }
}

fn cards_ui(ui: &mut Ui, samples: &[SampleCard], commands: &CommandSender) {
    let size = vec2(PICTURE_SIZE.0, PICTURE_SIZE.1 + TEXT_HEIGHT);
    let fitting = ((ui.available_width() - GAP) / (size.x + GAP)).floor().max(1.0) as usize;
    // Distribute the cards evenly over the rows. Otherwise a short last row below full rows would
    // look unbalanced.
    let columns = samples.len().div_ceil(samples.len().div_ceil(fitting).max(1));
    for (row, cards) in samples.chunks(columns).enumerate() {
        let width = cards.len() as f32 * (size.x + GAP) - GAP;
        let (strip, _) = ui.allocate_exact_size(vec2(width, size.y), Sense::hover());
        for (column, card) in cards.iter().enumerate() {
            let left = strip.left() + column as f32 * (size.x + GAP);
            let rect = Rect::from_min_size(pos2(left, strip.top()), size);
            if card_ui(ui, row * columns + column, card, rect) {
                commands.send(Command::File(FileCommand::OpenSample(row * columns + column)));
            }
        }
        ui.add_space(GAP);
    }
}

fn card_ui(ui: &mut Ui, index: usize, card: &SampleCard, rect: Rect) -> bool {
    let palette = Palette::for_visuals(ui.visuals());
    let response = ui.interact(rect, ui.id().with(("card", index)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &card.name));
    let is_highlighted = response.hovered() || response.has_focus();
    let painter = ui.painter();
    painter.rect_filled(rect, 6.0, if is_highlighted { palette.raised } else { palette.panel });
    let picture = Rect::from_min_size(rect.min, vec2(PICTURE_SIZE.0, PICTURE_SIZE.1)).shrink(1.0);
    match card.texture {
        Some(texture) => {
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, picture, all, Color32::WHITE);
        }
        None => {
            painter.rect_filled(picture, 5.0, palette.background);
        }
    }
    format_ui(ui, card, picture);
    let edge = if is_highlighted { palette.accent } else { palette.line };
    painter.rect_stroke(rect, 6.0, Stroke::new(1.0, edge), StrokeKind::Inside);
    let text = picture.left_bottom() + vec2(10.0, 8.0);
    let painter = painter.with_clip_rect(rect.shrink(4.0).intersect(ui.clip_rect()));
    let font = FontId::proportional(TEXT_SIZE);
    let name = painter.text(text, Align2::LEFT_TOP, &card.name, font, palette.text);
    let width = picture.width() - 20.0;
    let description = card.description.clone();
    let mut description = LayoutJob::simple(description, small_font(), palette.dim, width);
    description.wrap.max_rows = 2;
    let description = painter.layout_job(description);
    painter.galley(name.left_bottom(), description, palette.dim);
    response.on_hover_text(&card.description).clicked()
}

fn format_ui(ui: &Ui, card: &SampleCard, picture: Rect) {
    let palette = Palette::over_pictures();
    let galley = ui.painter().layout_no_wrap(card.format.clone(), small_font(), palette.text);
    let position = picture.right_top() + vec2(-8.0, 8.0);
    let rect = Align2::RIGHT_TOP.anchor_size(position, galley.size() + vec2(12.0, 4.0));
    ui.painter().rect_filled(rect, 3.0, palette.panel.gamma_multiply(0.85));
    ui.painter().galley(rect.min + vec2(6.0, 2.0), galley, palette.text);
}
