//! The rows of the export dialog for videos: camera, size, text and sound.

use bevy_egui::egui::{Rect, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, WidgetType, vec2};

use super::{ExportState, choice_ui};
use crate::{
    capture::video_times,
    session::{Source, VideoCamera},
    ui::{Model, display_text, style::Palette},
};
use mutoscope_core::export::VideoFormat;

pub(super) const VIDEO_SIZES: [[u32; 2]; 4] = [[640, 360], [960, 540], [1280, 720], [1920, 1080]];

pub(super) fn camera_ui(ui: &mut Ui, state: &mut ExportState) {
    let choices = VideoCamera::ALL.map(|camera| (camera_label(camera), camera));
    choice_ui(ui, "Camera", &mut state.camera, &choices);
}

fn camera_label(camera: VideoCamera) -> &'static str {
    match camera {
        VideoCamera::AsSeen => "as seen",
        VideoCamera::AllOfMotion => "all of the motion",
        VideoCamera::Follow => "follow the selection",
        VideoCamera::Turntable => "turntable",
    }
}

/// Outlines the part of the viewport that the video will show.
pub(super) fn paint_video_frame(ui: &Ui, state: &ExportState, viewport: Rect) {
    let is_fixed = matches!(state.camera, VideoCamera::AsSeen | VideoCamera::Follow);
    if state.target.video_format().is_none() || !is_fixed {
        return;
    }
    // The vertical angle of view stays the same, so the video has the height of the viewport.
    let [width, height] = state.size.map(|side| side as f32);
    let size = vec2(viewport.height() * width / height, viewport.height());
    let frame = Rect::from_center_size(viewport.center(), size).shrink(1.0);
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(viewport);
    let shade = palette.background.gamma_multiply(0.6);
    for outside in [viewport.with_max_x(frame.left()), viewport.with_min_x(frame.right())] {
        if outside.is_positive() {
            painter.rect_filled(outside, 0.0, shade);
        }
    }
    painter.rect_stroke(frame, 0.0, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
}

/// Returns the number of images and the estimated size of the file: `338 images, about 2 MB`.
pub(super) fn describe_video(state: &ExportState, format: VideoFormat, duration: f64) -> String {
    let rate = state.rate.unwrap_or_else(|| format.default_rate());
    let count = match video_times(0.0..=duration, rate) {
        Ok(times) => times.len(),
        Err(error) => return error.to_string(),
    };
    let [width, height] = state.size.map(f64::from);
    let bytes = count as f64 * width * height * bytes_per_pixel(format);
    let images = display_text::format_counted(count, "image", "images");
    format!("{images}, about {}", display_text::format_bytes(bytes))
}

/// Returns the usual size of a pixel in a video of the viewport, in bytes. These are the means of
/// three examples at 640×360, which differ by up to 40 %.
fn bytes_per_pixel(format: VideoFormat) -> f64 {
    match format {
        VideoFormat::Gif => 0.34,
        VideoFormat::Mp4 => 0.005,
        VideoFormat::PngSequence => 0.9,
    }
}

pub(super) fn size_ui(ui: &mut Ui, state: &mut ExportState) {
    for size in VIDEO_SIZES {
        let [width, height] = size;
        ui.selectable_value(&mut state.size, size, format!("{width}×{height}"));
    }
}

pub(super) fn text_ui(ui: &mut Ui, model: &Model<'_>, state: &mut ExportState) {
    ui.checkbox(&mut state.has_timecode, "time");
    ui.checkbox(&mut state.has_captions, "captions").on_hover_text("Shows subtitles and events");
    ui.checkbox(&mut state.has_title, "title");
    if state.has_title {
        let mut text = video_title(model, state);
        let field = ui.add(TextEdit::singleline(&mut text).desired_width(110.0));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Title"));
        if field.changed() {
            state.title = Some(text);
        }
    }
}

pub(super) fn video_title(model: &Model<'_>, state: &ExportState) -> String {
    let name = || model.reference_source().map(Source::name).unwrap_or_default();
    state.title.clone().unwrap_or_else(name)
}

pub(super) fn sound_name(model: &Model<'_>, state: &ExportState) -> Option<String> {
    let has_sound = model.footage.media().is_some_and(|media| media.sound.is_some());
    let can_have_sound = state.target.video_format() == Some(VideoFormat::Mp4);
    model.footage.name().filter(|_| has_sound && can_have_sound)
}
