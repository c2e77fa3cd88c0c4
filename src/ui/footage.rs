//! The reference video in the corner of the viewport: its frame now, its time, and its offset.

use std::{fmt, sync::Arc};

use bevy_egui::egui::{
    Align, Align2, Area, Color32, ColorImage, CursorIcon, DragValue, FontId, Id, Label, Layout,
    Margin, Order, Rect, RichText, Sense, Stroke, TextureHandle, TextureOptions, Ui, UiBuilder,
    Vec2, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{
    CommandSender, Model,
    icons::Icon,
    style::{Palette, TEXT_SIZE, floating_frame, small},
    widgets::{action_icon, dim},
    words,
};
use crate::{
    footage::Frame,
    session::{Command, FootageCommand, FootagePlace, Panel, PanelCommand, PanelEdge, Toggle},
};
use mutoscope_core::playback::Direction;

/// The frame that egui has.
#[derive(Clone, Default)]
pub(super) struct FootageState {
    shown: Option<(Arc<Frame>, TextureHandle)>,
}

impl fmt::Debug for FootageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FootageState").field(&self.shown.as_ref().map(|(frame, _)| frame)).finish()
    }
}

/// How far it is from the edges of the viewport, in points.
const MARGIN: f32 = 10.0;

/// The least width, in points: all of its controls have room.
const NARROWEST: f32 = 232.0;

/// The height of a row of controls, in points.
const ROW: f32 = 24.0;

/// How much wider it is than its picture: margins and lines.
const FRAME: f32 = 10.0;

/// The size of the corner that is dragged, in points.
const CORNER: f32 = 14.0;

/// The heights that frames are decoded at, in pixels.
const HEIGHTS: [u32; 6] = [180, 270, 360, 540, 720, 1080];

/// The reference video, at the lower right of `viewport`.
pub(super) fn footage_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FootageState, viewport: Rect) {
    let Some(name) = model.footage.name() else {
        state.shown = None;
        return;
    };
    let frame = floating_frame(Palette::of(ui.visuals())).inner_margin(Margin::same(4));
    let size = picture_size(model, viewport);
    let corner = viewport.right_bottom() - Vec2::splat(MARGIN);
    let area = Area::new(Id::new("reference video")).order(Order::Middle);
    area.pivot(Align2::RIGHT_BOTTOM).fixed_pos(corner).constrain(false).show(ui.ctx(), |ui| {
        let shown = frame.show(ui, |ui| {
            ui.set_width(size.x);
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            head_ui(ui, &name, model);
            if model.footage.failed().is_some() || has_picture(model) {
                picture_ui(ui, model, state, size);
            }
            controls_ui(ui, model);
        });
        edge_ui(ui, shown.response.rect, model.commands);
    });
}

/// Whether there is something to see, as far as is known.
fn has_picture(model: &Model<'_>) -> bool {
    model.footage.media().is_none_or(|media| media.video.is_some())
}

/// The size of the picture: as wide as it was dragged, and never most of the viewport.
fn picture_size(model: &Model<'_>, viewport: Rect) -> Vec2 {
    let video = model.footage.media().and_then(|media| media.video.as_ref());
    let [width, height] = video.map_or([16.0, 9.0], |video| video.size.map(|side| side as f32));
    let usual = (0.3 * viewport.width()).min(400.0);
    let wanted = model.panels.layout.sizes.footage.unwrap_or(usual);
    let widest = (0.75 * viewport.width()).max(NARROWEST);
    let wide = wanted.clamp(NARROWEST, widest);
    let high = (wide * height / width).min(0.7 * viewport.height()).max(40.0);
    vec2(wide, high)
}

fn head_ui(ui: &mut Ui, name: &str, model: &Model<'_>) {
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), ROW),
        Layout::right_to_left(Align::Center),
        |ui| {
            action_icon(
                ui,
                Icon::Close,
                Command::Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
                model.commands,
            );
            sound_ui(ui, model);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(4.0);
                ui.add(Label::new(RichText::new(name).font(small())).truncate());
            });
        },
    );
}

/// Sound on and off, if there is any.
fn sound_ui(ui: &mut Ui, model: &Model<'_>) {
    if model.footage.media().is_none_or(|media| media.sound.is_none()) {
        return;
    }
    if let Some(why) = model.footage.silent() {
        let text = RichText::new("no sound").font(small()).color(Palette::of(ui.visuals()).warning);
        ui.label(text).on_hover_text(words::capitalised(why));
        return;
    }
    let icon = if model.panels.is_muted { Icon::Muted } else { Icon::Sound };
    action_icon(ui, icon, Command::Toggle(Toggle::ReferenceSound), model.commands);
}

/// The frame, or why there is none.
fn picture_ui(ui: &mut Ui, model: &Model<'_>, state: &mut FootageState, size: Vec2) {
    let palette = Palette::over_picture();
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(rect, 2.0, Color32::BLACK);
    if let Some(why) = model.footage.failed() {
        let mut inner = ui.new_child(UiBuilder::new().max_rect(rect.shrink(10.0)));
        let why = RichText::new(words::capitalised(why)).color(palette.text);
        inner.add(Label::new(why).wrap().selectable(true));
        return;
    }
    ask_for_size(ui, model, size);
    let place = model.footage.place(model.clock.time());
    let outside = match place {
        FootagePlace::Before => Some("before the video"),
        FootagePlace::Within => None,
        FootagePlace::After => Some("after the video"),
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
        let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
        ui.painter().rect_filled(at.expand2(vec2(6.0, 2.0)), 4.0, Color32::from_black_alpha(160));
        ui.painter().galley(at.min, galley, palette.text);
    }
}

/// Has frames decoded as large as they are shown.
fn ask_for_size(ui: &Ui, model: &Model<'_>, size: Vec2) {
    let needed = size.y * ui.ctx().pixels_per_point();
    let found = HEIGHTS.into_iter().find(|height| *height as f32 >= needed);
    let height = found.unwrap_or(HEIGHTS[HEIGHTS.len() - 1]);
    if height != model.footage.height() {
        model.send(Command::Footage(FootageCommand::ShowAt(height)));
    }
}

/// Paints `frame` into the middle of `rect`, in its own proportions.
fn paint_frame(ui: &Ui, state: &mut FootageState, frame: &Arc<Frame>, rect: Rect, is_dim: bool) {
    let [width, height] = frame.size.map(|side| side as usize);
    let is_there = state.shown.as_ref().is_some_and(|(shown, _)| Arc::ptr_eq(shown, frame));
    if !is_there {
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
    let own = vec2(width as f32, height as f32);
    let scale = (rect.width() / own.x).min(rect.height() / own.y);
    let place = Rect::from_center_size(rect.center(), own * scale);
    let tint = if is_dim { Color32::from_gray(90) } else { Color32::WHITE };
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), place, whole, tint);
}

/// Its own time, which can be set, too, a step to either side, and the offset.
fn controls_ui(ui: &mut Ui, model: &Model<'_>) {
    let now = model.clock.time();
    let offset = model.footage.timing().offset;
    let step = |direction| Command::Footage(FootageCommand::Step(direction));
    ui.horizontal(|ui| {
        ui.set_height(ROW);
        let has_frames = model.footage.media().is_some_and(|media| media.video.is_some());
        if has_frames {
            action_icon(ui, Icon::Previous, step(Direction::Backward), model.commands);
        }
        let mut time = model.footage.time(now);
        let label = "Time in the video; change it to move the video to the current time";
        if seconds_ui(ui, "Time in the video", label, &mut time) {
            model.send(Command::Footage(FootageCommand::SetOffset(now - time)));
        }
        if has_frames {
            action_icon(ui, Icon::Next, step(Direction::Forward), model.commands);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut offset = offset;
            let label = "The time of the recording at which the video starts";
            if seconds_ui(ui, "Offset of the video", label, &mut offset) {
                model.send(Command::Footage(FootageCommand::SetOffset(offset)));
            }
            let label = dim(ui, "Offset").small();
            ui.label(label);
        });
    });
    if let Some(rate) = model.footage.image_rate() {
        rate_ui(ui, rate, model.commands);
    }
}

/// A time in seconds, to the millisecond; returns whether it was changed.
fn seconds_ui(ui: &mut Ui, name: &str, help: &str, value: &mut f64) -> bool {
    let field = DragValue::new(value).speed(0.01).fixed_decimals(3).suffix(" s");
    let field = ui.add(field).on_hover_text(help);
    field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, name));
    field.changed()
}

/// How many images of a sequence are shown a second. It is set when the field is left: every change reads
/// the sequence again.
fn rate_ui(ui: &mut Ui, rate: f64, commands: &CommandSender) {
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        let label = dim(ui, "Images").small();
        ui.label(label);
        let mut wanted = rate;
        let field = DragValue::new(&mut wanted).range(0.1..=1000.0).max_decimals(3).suffix(" fps");
        let field = ui.add(field.update_while_editing(false));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Image rate"));
        if wanted != rate {
            commands.send(Command::Footage(FootageCommand::SetRate(wanted)));
        }
    });
}

/// The corner that is dragged to make it larger or smaller.
fn edge_ui(ui: &Ui, rect: Rect, commands: &CommandSender) {
    let corner = Rect::from_min_size(rect.min, Vec2::splat(CORNER));
    let response = ui.interact(corner, ui.id().with("corner"), Sense::drag());
    response.widget_info(|| {
        WidgetInfo::labeled(WidgetType::Other, true, "Size of the reference video")
    });
    let is_held = response.hovered() || response.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeNwSe);
    }
    let palette = Palette::of(ui.visuals());
    let stroke = Stroke::new(1.0, if is_held { palette.text } else { palette.dim });
    for reach in [5.0, 9.0] {
        let (across, down) = (rect.min + vec2(reach, 2.5), rect.min + vec2(2.5, reach));
        ui.painter().line_segment([across, down], stroke);
    }
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        // The middle of the corner stays under the pointer.
        let left = pointer.x - 0.5 * CORNER;
        let width = (rect.right() - left - FRAME).max(NARROWEST);
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
        ui::testing::{Desk, show},
    };

    const SIZE: Vec2 = vec2(760.0, 440.0);

    /// The panel of a video of two seconds at this offset, at 0 s of the clock.
    fn panel(offset: f64, media: Media) -> Harness<'static, Desk<FootageState>> {
        let mut desk = Desk::with_two_hands();
        let saved = SavedFootage { offset, ..SavedFootage::of_path("takes/take 1.mp4".into()) };
        desk.footage = OpenFootage::with(saved, media, None);
        let mut panel = show(desk, SIZE, |ui, model, state| {
            let viewport = ui.max_rect();
            footage_ui(ui, model, state, viewport);
        });
        panel.run();
        panel.state_mut().take_commands();
        panel
    }

    /// Types `text` into the field of this name.
    fn enter(panel: &mut Harness<'_, Desk<FootageState>>, name: &str, text: &str) {
        panel.get_by_label(name).click();
        panel.run();
        let field = panel.get_by_label(name);
        field.type_text(text);
        panel.run();
        panel.key_press(Key::Enter);
        panel.run();
    }

    fn offset(panel: &mut Harness<'_, Desk<FootageState>>) -> Option<f64> {
        let offset = |command| match command {
            Command::Footage(FootageCommand::SetOffset(offset)) => Some(offset),
            _ => None,
        };
        panel.state_mut().take_commands().into_iter().filter_map(offset).next_back()
    }

    #[test]
    fn offset_is_set_by_its_number_or_by_the_time_in_the_video() {
        let mut panel = panel(-0.5, Media::of_video(2.0));
        enter(&mut panel, "Offset of the video", "1.25");
        assert_eq!(offset(&mut panel), Some(1.25));
        enter(&mut panel, "Time in the video", "1.75");
        assert_eq!(offset(&mut panel), Some(-1.75), "what is at 1.75 s is now");
        panel.get_by_label("Next reference frame").click();
        panel.run();
        let expected = Command::Footage(FootageCommand::Step(Direction::Forward));
        assert!(panel.state_mut().take_commands().contains(&expected));
    }

    #[test]
    fn times_outside_of_the_video_say_so() {
        for (offset, label) in [
            (-0.5, "Reference video Reading the video…"),
            (0.5, "Reference video before the video"),
            (-2.5, "Reference video after the video"),
        ] {
            let panel = panel(offset, Media::of_video(2.0));
            assert!(panel.query_by_label(label).is_some(), "{offset}");
        }
        let sound = panel(0.0, Media::of_sound(2.0));
        assert!(sound.query_by_label_contains("Reading the video").is_none(), "nothing to see");
        assert!(sound.query_by_label("Next reference frame").is_none());
        assert!(sound.query_by_label("take 1.mp4").is_some());
    }

    #[test]
    fn corner_is_dragged_to_resize() {
        let mut panel = panel(0.0, Media::of_video(2.0));
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
        // Frames are asked for as large as they are shown.
        let size = panel.state().panels.layout.sizes.footage.unwrap();
        let asked = panel.state_mut().take_commands();
        let needed = size * 9.0 / 16.0;
        assert!(needed <= 270.0 || asked.iter().any(|one| matches!(one, Command::Footage(_))));
    }
}
