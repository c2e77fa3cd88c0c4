//! The reference video in the corner of the viewport: its current frame, its time, and its offset.

use std::{fmt, sync::Arc};

use bevy_egui::egui::{
    Align, Align2, Area, Color32, ColorImage, CursorIcon, DragValue, FontId, Id, Label, Layout,
    Margin, Order, Rect, RichText, Sense, Stroke, TextureHandle, TextureOptions, Ui, UiBuilder,
    Vec2, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    CommandSender, Model, display_text,
    icons::Icon,
    style::{Palette, TEXT_SIZE, floating_frame, small_font},
    widgets::{action_icon_button, dim_text},
};
use crate::{
    footage::Frame,
    session::{Command, FootageCommand, FootagePhase, Panel, PanelCommand, PanelEdge, Toggle},
};
use mutoscope_core::playback::Direction;

#[derive(Clone, Default)]
pub(super) struct FootageState {
    shown: Option<(Arc<Frame>, TextureHandle)>,
}

impl fmt::Debug for FootageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FootageState").field(&self.shown.as_ref().map(|(frame, _)| frame)).finish()
    }
}

const MARGIN: f32 = 10.0;

const MIN_WIDTH: f32 = 232.0;

const ROW_HEIGHT: f32 = 24.0;

const FRAME_WIDTH: f32 = 10.0;

const CORNER_SIZE: f32 = 14.0;

/// The heights at which frames can be decoded, in pixels.
const DECODE_HEIGHTS: [u32; 6] = [180, 270, 360, 540, 720, 1080];

pub(super) fn footage_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FootageState, viewport: Rect) {
    let Some(name) = model.footage.name() else {
        state.shown = None;
        return;
    };
    let frame = floating_frame(Palette::for_visuals(ui.visuals())).inner_margin(Margin::same(4));
    let size = picture_size(model, viewport);
    let corner = viewport.right_bottom() - Vec2::splat(MARGIN);
    let area = Area::new(Id::new("reference video")).order(Order::Middle);
    area.pivot(Align2::RIGHT_BOTTOM).fixed_pos(corner).constrain(false).show(ui.ctx(), |ui| {
        let shown = frame.show(ui, |ui| {
            ui.set_width(size.x);
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            header_ui(ui, &name, model);
            if model.footage.error().is_some() || has_picture(model) {
                picture_ui(ui, model, state, size);
            }
            controls_ui(ui, model);
        });
        resize_corner_ui(ui, shown.response.rect, model.commands);
    });
}

fn has_picture(model: &Model<'_>) -> bool {
    model.footage.media().is_none_or(|media| media.video.is_some())
}

fn picture_size(model: &Model<'_>, viewport: Rect) -> Vec2 {
    let video = model.footage.media().and_then(|media| media.video.as_ref());
    let [width, height] = video.map_or([16.0, 9.0], |video| video.size.map(|side| side as f32));
    let default = (0.3 * viewport.width()).min(400.0);
    let requested = model.panels.layout.sizes.footage.unwrap_or(default);
    let widest = (0.75 * viewport.width()).max(MIN_WIDTH);
    let shown_width = requested.clamp(MIN_WIDTH, widest);
    let shown_height = (shown_width * height / width).min(0.7 * viewport.height()).max(40.0);
    vec2(shown_width, shown_height)
}

fn header_ui(ui: &mut Ui, name: &str, model: &Model<'_>) {
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), ROW_HEIGHT),
        Layout::right_to_left(Align::Center),
        |ui| {
            action_icon_button(
                ui,
                Icon::Close,
                Command::Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
                model.commands,
            );
            sound_ui(ui, model);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(4.0);
                ui.add(Label::new(RichText::new(name).font(small_font())).truncate());
            });
        },
    );
}

fn sound_ui(ui: &mut Ui, model: &Model<'_>) {
    if model.footage.media().is_none_or(|media| media.sound.is_none()) {
        return;
    }
    if let Some(why) = model.footage.sound_error() {
        let text = RichText::new("no sound")
            .font(small_font())
            .color(Palette::for_visuals(ui.visuals()).warning);
        ui.label(text).on_hover_text(display_text::capitalised(why));
        return;
    }
    let icon = if model.panels.is_muted { Icon::Muted } else { Icon::Sound };
    action_icon_button(ui, icon, Command::Toggle(Toggle::REFERENCE_SOUND), model.commands);
}

fn picture_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FootageState, size: Vec2) {
    let palette = Palette::over_pictures();
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(rect, 2.0, Color32::BLACK);
    if let Some(why) = model.footage.error() {
        let mut inner = ui.new_child(UiBuilder::new().max_rect(rect.shrink(10.0)));
        let why = RichText::new(display_text::capitalised(why)).color(palette.text);
        inner.add(Label::new(why).wrap().selectable(true));
        return;
    }
    request_frame_height(ui, model, size);
    let phase = model.footage.phase(model.clock.time());
    let outside = match phase {
        FootagePhase::Before => Some("before the video"),
        FootagePhase::Within => None,
        FootagePhase::After => Some("after the video"),
    };
    let frame = model.footage.frame();
    if let Some(frame) = frame {
        paint_frame(ui, state, frame, rect, outside.is_some());
    }
    let reads = frame.is_none().then_some("Reading the video…");
    let text = outside.or(reads);
    response.widget_info(|| {
        let label = format!("Reference video {}", text.unwrap_or_default());
        WidgetInfo::labeled(WidgetType::Image, true, label.trim_end())
    });
    if let Some(text) = text {
        let font = FontId::proportional(TEXT_SIZE);
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font, palette.text);
        let text_rect = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
        ui.painter().rect_filled(
            text_rect.expand2(vec2(6.0, 2.0)),
            4.0,
            Color32::from_black_alpha(160),
        );
        ui.painter().galley(text_rect.min, galley, palette.text);
    }
}

fn request_frame_height(ui: &Ui, model: &Model<'_>, size: Vec2) {
    let needed = size.y * ui.ctx().pixels_per_point();
    let found = DECODE_HEIGHTS.into_iter().find(|height| *height as f32 >= needed);
    let height = found.unwrap_or(DECODE_HEIGHTS[DECODE_HEIGHTS.len() - 1]);
    if height != model.footage.height() {
        model.send(Command::Footage(FootageCommand::SetHeight(height)));
    }
}

fn paint_frame(ui: &Ui, state: &mut FootageState, frame: &Arc<Frame>, rect: Rect, is_dim: bool) {
    let [width, height] = frame.size.map(|side| side as usize);
    let is_uploaded = state.shown.as_ref().is_some_and(|(shown, _)| Arc::ptr_eq(shown, frame));
    if !is_uploaded {
        let image = ColorImage::from_rgba_premultiplied([width, height], &frame.pixels);
        let texture = match state.shown.take() {
            Some((_, mut texture)) => {
                texture.set(image, TextureOptions::LINEAR);
                texture
            }
            None => ui.ctx().load_texture("reference video", image, TextureOptions::LINEAR),
        };
        state.shown = Some((frame.clone(), texture));
    }
    let Some((_, texture)) = &state.shown else { return };
    let frame_size = vec2(width as f32, height as f32);
    let scale = (rect.width() / frame_size.x).min(rect.height() / frame_size.y);
    let target = Rect::from_center_size(rect.center(), frame_size * scale);
    let tint = if is_dim { Color32::from_gray(90) } else { Color32::WHITE };
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), target, whole, tint);
}

fn controls_ui(ui: &mut Ui, model: &Model<'_>) {
    let now = model.clock.time();
    let offset = model.footage.timing().offset;
    let step = |direction| Command::Footage(FootageCommand::Step(direction));
    ui.horizontal(|ui| {
        ui.set_height(ROW_HEIGHT);
        let has_frames = model.footage.media().is_some_and(|media| media.video.is_some());
        if has_frames {
            action_icon_button(ui, Icon::Previous, step(Direction::Backward), model.commands);
        }
        let mut time = model.footage.footage_time(now);
        let label = "The time in the video. Change it to move the video along the recording";
        if seconds_ui(ui, "Time in the video", label, &mut time) {
            model.send(Command::Footage(FootageCommand::SetOffset(now - time)));
        }
        if has_frames {
            action_icon_button(ui, Icon::Next, step(Direction::Forward), model.commands);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut offset = offset;
            let label = "The time of the recording at which the video starts";
            if seconds_ui(ui, "Offset of the video", label, &mut offset) {
                model.send(Command::Footage(FootageCommand::SetOffset(offset)));
            }
            let label = dim_text(ui, "Offset").small();
            ui.label(label);
        });
    });
    if let Some(rate) = model.footage.image_rate() {
        rate_ui(ui, rate, model.commands);
    }
}

fn seconds_ui(ui: &mut Ui, name: &str, help: &str, value: &mut f64) -> bool {
    let field = DragValue::new(value).speed(0.01).fixed_decimals(3).suffix(" s");
    let field = ui.add(field).on_hover_text(help);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
    field.changed()
}

/// Shows the rate of an image sequence. A new rate is sent only when the user leaves the field,
/// because every change reads the whole sequence again.
fn rate_ui(ui: &mut Ui, rate: f64, commands: &CommandSender) {
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        let label = dim_text(ui, "Images").small();
        ui.label(label);
        let mut edited_rate = rate;
        let field =
            DragValue::new(&mut edited_rate).range(0.1..=1000.0).max_decimals(3).suffix(" fps");
        let field = ui.add(field.update_while_editing(false));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Image rate"));
        if edited_rate != rate {
            commands.send(Command::Footage(FootageCommand::SetRate(edited_rate)));
        }
    });
}

fn resize_corner_ui(ui: &Ui, rect: Rect, commands: &CommandSender) {
    let corner = Rect::from_min_size(rect.min, Vec2::splat(CORNER_SIZE));
    let response = ui.interact(corner, ui.id().with("corner"), Sense::drag());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Other, true, "Size of the reference video")
    });
    let is_held = response.hovered() || response.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeNwSe);
    }
    let palette = Palette::for_visuals(ui.visuals());
    let stroke = Stroke::new(1.0, if is_held { palette.text } else { palette.dim });
    for reach in [5.0, 9.0] {
        let (across, down) = (rect.min + vec2(reach, 2.5), rect.min + vec2(2.5, reach));
        ui.painter().line_segment([across, down], stroke);
    }
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        // Keep the middle of the resize corner under the pointer.
        let left = pointer.x - 0.5 * CORNER_SIZE;
        let width = (rect.right() - left - FRAME_WIDTH).max(MIN_WIDTH);
        commands.send(Command::Panel(PanelCommand::Resize(PanelEdge::Footage, width)));
    }
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::Key;
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::{
        footage::Media,
        session::{OpenFootage, SavedFootage},
        ui::testing::{PanelFixture, show},
    };

    const SIZE: Vec2 = vec2(760.0, 440.0);

    fn panel(offset: f64, media: Media) -> Harness<'static, PanelFixture<FootageState>> {
        let mut fixture = PanelFixture::with_two_hands();
        let saved = SavedFootage { offset, ..SavedFootage::from_path("takes/take 1.mp4".into()) };
        fixture.footage = OpenFootage::with_media(saved, media, None);
        let mut panel = show(fixture, SIZE, |ui, model, state| {
            let viewport = ui.max_rect();
            footage_ui(ui, model, state, viewport);
        });
        panel.run();
        panel.state_mut().take_commands();
        panel
    }

    fn enter(panel: &mut Harness<'_, PanelFixture<FootageState>>, name: &str, text: &str) {
        panel.get_by_label(name).click();
        panel.run();
        let field = panel.get_by_label(name);
        field.type_text(text);
        panel.run();
        panel.key_press(Key::Enter);
        panel.run();
    }

    fn offset(panel: &mut Harness<'_, PanelFixture<FootageState>>) -> Option<f64> {
        let offset = |command| match command {
            Command::Footage(FootageCommand::SetOffset(offset)) => Some(offset),
            _ => None,
        };
        panel.state_mut().take_commands().into_iter().filter_map(offset).next_back()
    }

    #[test]
    fn both_time_fields_set_the_offset() {
        let mut panel = panel(-0.5, Media::for_video(2.0));
        enter(&mut panel, "Offset of the video", "1.25");
        assert_eq!(offset(&mut panel), Some(1.25));
        enter(&mut panel, "Time in the video", "1.75");
        assert_eq!(offset(&mut panel), Some(-1.75), "the video's 1.75 s are at the clock time 0 s");
        panel.get_by_label("Next reference frame").click();
        panel.run();
        let expected = Command::Footage(FootageCommand::Step(Direction::Forward));
        assert!(panel.state_mut().take_commands().contains(&expected));
    }

    #[test]
    fn label_says_if_the_time_is_outside_the_video() {
        for (offset, label) in [
            (-0.5, "Reference video Reading the video…"),
            (0.5, "Reference video before the video"),
            (-2.5, "Reference video after the video"),
        ] {
            let panel = panel(offset, Media::for_video(2.0));
            assert!(panel.query_by_label(label).is_some(), "{offset}");
        }
        let sound = panel(0.0, Media::for_sound(2.0));
        assert!(
            sound.query_by_label_contains("Reading the video").is_none(),
            "sound has no frames to read"
        );
        assert!(sound.query_by_label("Next reference frame").is_none());
        assert!(sound.query_by_label("take 1.mp4").is_some());
    }

    #[test]
    fn dragging_the_corner_resizes_the_video() {
        let mut panel = panel(0.0, Media::for_video(2.0));
        let corner = panel.get_by_label("Size of the reference video").rect().center();
        panel.hover_at(corner);
        panel.step();
        panel.drag_at(corner);
        panel.step();
        panel.hover_at(corner - vec2(60.0, 40.0));
        panel.step();
        panel.drop_at(corner - vec2(60.0, 40.0));
        panel.run();
        let moved = panel.get_by_label("Size of the reference video").rect().center();
        assert!((corner.x - moved.x - 60.0).abs() < 8.0, "{corner} {moved}");
        // After resizing, larger frames must be requested.
        let size = panel.state().panels.layout.sizes.footage.unwrap();
        let commands = panel.state_mut().take_commands();
        let needed = size * 9.0 / 16.0;
        assert!(
            needed <= 270.0
                || commands.iter().any(|command| matches!(command, Command::Footage(_)))
        );
    }
}
