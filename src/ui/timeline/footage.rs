//! The strip of the reference footage shows when it plays and its sound. Dragging it changes the
//! offset.

use bevy_egui::egui::{
    Align2, Color32, CursorIcon, Mesh, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};

use super::{
    TimelineState, label,
    recording_bar::{BarOwner, OffsetBar, dragged_offset},
    row::{RowRects, line_ui},
};
use crate::{
    footage::Waveform,
    session::{Command, FootageCommand},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
    },
};
use mutoscope_view::timeline::TimeAxis;

/// In points. The strip is high enough to see a clap in the waveform.
pub(super) const STRIP_HEIGHT: f32 = 34.0;

pub(super) fn strip_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    rects: &RowRects,
    axis: &TimeAxis,
    state: &mut TimelineState,
) {
    let Some(name) = model.footage.name() else { return };
    let palette = Palette::for_visuals(ui.visuals());
    let text = rects.label.with_min_x(rects.label.left() + label::TRIANGLE_WIDTH);
    if label::elided_text_ui(ui, text, &name, palette.text) {
        ui.interact(text, ui.id().with("footage label"), Sense::hover()).on_hover_text(&name);
    }
    let offset = model.footage.timing().offset;
    // If the duration is unknown, assume that the footage ends with the recording.
    let fallback_duration = || (model.clock.span().end() - offset).max(0.0);
    let ends = [offset, offset + model.footage.duration().unwrap_or_else(fallback_duration)];
    let [left, right] = ends.map(|time| axis.x_at(time));
    let bar = Rect::from_x_y_ranges(left..=right.max(left + 3.0), rects.track.y_range());
    let bar = bar.shrink2(vec2(0.0, 2.0));
    let visible = bar.intersect(rects.track);
    // If the footage is outside the view, make the whole strip draggable, so that the user can drag
    // the footage back.
    let grab_rect = if visible.is_positive() { visible } else { rects.track };
    let response = ui.interact(grab_rect, ui.id().with("footage"), Sense::click_and_drag());
    response.widget_info(|| {
        let label =
            format!("Reference video, offset {} s", display_text::format_decimal(offset, 3));
        WidgetInfo::labeled(WidgetType::Slider, true, label)
    });
    let shift = |offset| Command::Footage(FootageCommand::SetOffset(offset));
    let held = OffsetBar { owner: BarOwner::Footage, offset, ends };
    if response.double_clicked() {
        model.send(shift(0.0));
        state.bar_drag = None;
    } else if let Some(offset) = dragged_offset(ui, &response, model.clock, axis, &held, state) {
        model.send(shift(offset));
    }
    let is_held = response.hovered() || response.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    paint_bar(ui, model, bar, rects.track, axis, is_held);
    line_ui(ui, rects);
    if !response.dragged() {
        response.on_hover_text("Drag to change the offset; double-click to reset it to 0");
    }
}

fn paint_bar(ui: &Ui, model: &Model<'_>, bar: Rect, track: Rect, axis: &TimeAxis, is_held: bool) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    let color = palette.neutral;
    painter.rect_filled(bar, 3.0, palette.tint(color, if is_held { 0.28 } else { 0.16 }));
    let edge = Stroke::new(1.0, palette.tint(color, 0.7));
    painter.rect_stroke(bar, 3.0, edge, StrokeKind::Inside);
    let offset = model.footage.timing().offset;
    if let Some(waveform) = model.footage.waveform() {
        let inside = bar.shrink2(vec2(0.0, 2.0)).intersect(track);
        painter.add(waveform_mesh(waveform, offset, inside, axis, palette.tint(color, 0.85)));
    }
    let failed = model.footage.error().map(|_| "not shown");
    let status = failed.or_else(|| {
        let reads = model.footage.is_reading_sound().then_some("Reading sound…");
        reads.or_else(|| model.footage.waveform_error().map(|_| "Sound cannot be read"))
    });
    let mut text = status.unwrap_or_default().to_owned();
    // A smaller offset would be shown as zero.
    if offset.abs() >= 0.0005 {
        text = format!("{offset:+.3} s  {text}");
    }
    let text = text.trim_end().to_owned();
    if !text.is_empty() {
        let galley = painter.layout_no_wrap(text, small_font(), palette.text);
        let text_rect = bar.intersect(track).left_top() + vec2(5.0, 1.0);
        let text_rect = Align2::LEFT_TOP.anchor_size(text_rect, galley.size());
        painter.rect_filled(text_rect.expand(2.0), 2.0, palette.background.gamma_multiply(0.6));
        painter.galley(text_rect.min, galley, palette.text);
    }
}

fn waveform_mesh(
    waveform: &Waveform,
    offset: f64,
    rect: Rect,
    axis: &TimeAxis,
    color: Color32,
) -> Mesh {
    let mut mesh = Mesh::default();
    if !rect.is_positive() {
        return mesh;
    }
    let half = 0.5 * rect.height();
    let loudest = waveform.max_amplitude().max(0.01);
    for column in 0..rect.width().ceil() as usize {
        let x = rect.left() + column as f32;
        let [from, to] = [x, x + 1.0].map(|x| axis.time_at(x) - offset);
        let Some([min, max]) = waveform.peaks(from, to) else { continue };
        let [above, below] = [max, -min].map(|peak| (half * peak / loudest).max(0.5));
        let middle = rect.center().y;
        let column = Rect::from_min_max(pos2(x, middle - above), pos2(x + 1.0, middle + below));
        mesh.add_colored_rect(column, color);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::{
        footage::Media,
        session::{OpenFootage, SavedFootage},
        ui::testing::{PanelFixture, drag, show},
    };

    fn timeline(offset: f64) -> Harness<'static, PanelFixture<TimelineState>> {
        let mut fixture = PanelFixture::with_two_hands();
        let saved = SavedFootage { offset, ..SavedFootage::from_path("takes/a.mp4".into()) };
        fixture.footage = OpenFootage::with_media(saved, Media::for_sound(2.0), None);
        show(fixture, [700.0, 240.0], super::super::timeline_ui)
    }

    fn offsets(timeline: &mut Harness<'_, PanelFixture<TimelineState>>) -> Vec<f64> {
        let offset = |command| match command {
            Command::Footage(FootageCommand::SetOffset(offset)) => Some(offset),
            _ => None,
        };
        timeline.state_mut().take_commands().into_iter().filter_map(offset).collect()
    }

    #[test]
    fn dragging_the_bar_changes_the_offset_and_not_the_time() {
        let mut timeline = timeline(0.5);
        timeline.run();
        let bar = timeline.get_by_label("Reference video, offset 0.5 s").rect();
        let time = timeline.state().clock.time();
        drag(&mut timeline, bar.center(), 60.0);
        // The bar is two seconds wide.
        let expected = 0.5 + 2.0 * 60.0 / f64::from(bar.width());
        let last = offsets(&mut timeline).pop().unwrap();
        assert!((last - expected).abs() < 0.01, "{last} instead of {expected}");
        assert_eq!(timeline.state().clock.time(), time);
    }

    #[test]
    fn a_double_click_resets_the_offset() {
        let mut timeline = timeline(0.5);
        timeline.run();
        let bar = timeline.get_by_label("Reference video, offset 0.5 s");
        bar.click();
        bar.click();
        timeline.run();
        assert_eq!(offsets(&mut timeline), [0.0]);
    }

    #[test]
    fn footage_outside_the_view_can_be_dragged() {
        let mut timeline = timeline(-500.0);
        timeline.run();
        let strip = timeline.get_by_label("Reference video, offset -500 s").rect();
        assert!(strip.width() > 300.0, "{strip}");
        drag(&mut timeline, strip.center(), 40.0);
        assert!(offsets(&mut timeline).pop().unwrap() > -500.0);
    }

    #[test]
    fn strip_is_shown_only_with_footage() {
        let mut timeline = timeline(0.0);
        timeline.state_mut().footage = OpenFootage::default();
        timeline.run();
        assert!(timeline.query_by_label_contains("Reference video").is_none());
    }
}
