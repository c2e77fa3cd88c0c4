//! Asks what columns mean if it is not certain, with a thumbnail of each reading.

use bevy_egui::egui::{
    Align2, Color32, FontId, Frame, Label, Margin, Painter, Pos2, Rect, RichText, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo, WidgetType, pos2, text::LayoutJob, vec2,
};

use crate::{
    session::{ColumnsCommand, Command},
    ui::{
        CommandSender, display_text,
        style::{Palette, TEXT_SIZE, small_font},
        widgets::dim_text,
    },
};
use mutoscope_core::clip::{
    ColumnQuestion, ColumnReading, ColumnUses, PreviewPose, ReadingPreview,
};
use mutoscope_logs::MappingChange;

/// The questions that are shown at a time. An answer makes room for the next one.
const MAX_SHOWN: usize = 3;

const THUMBNAIL: Vec2 = vec2(96.0, 64.0);

const GAP: f32 = 6.0;

/// A smaller motion is drawn as a dot, so that noise is not magnified.
const MIN_EXTENT_M: f64 = 0.02;

/// The number of poses whose directions are drawn.
const DIRECTIONS: usize = 8;

const FORWARD_LENGTH: f32 = 20.0;

const UP_LENGTH: f32 = 8.0;

pub(super) fn questions_ui(ui: &mut Ui, columns: &ColumnUses, commands: &CommandSender) {
    for question in columns.questions.iter().take(MAX_SHOWN) {
        question_ui(ui, question, commands);
    }
    let others = columns.questions.len().saturating_sub(MAX_SHOWN);
    if others > 0 {
        let more = display_text::format_counted(others, "more question", "more questions");
        let text = dim_text(ui, more);
        ui.label(text);
    }
}

fn question_ui(ui: &mut Ui, question: &ColumnQuestion, commands: &CommandSender) {
    let palette = Palette::for_visuals(ui.visuals());
    let frame = Frame::new()
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(4)
        .inner_margin(Margin::same(6))
        .outer_margin(Margin { bottom: 4, ..Margin::ZERO });
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.add(Label::new(question.why.as_str()).wrap());
        if !question.columns.is_empty() {
            let names = question.columns.join(", ");
            let text = RichText::new(&names).font(small_font()).color(palette.dim);
            ui.add(Label::new(text).truncate());
        }
        for reading in &question.readings {
            reading_ui(ui, reading, commands);
        }
    });
}

fn reading_ui(ui: &mut Ui, reading: &ColumnReading, commands: &CommandSender) {
    let palette = Palette::for_visuals(ui.visuals());
    let size = vec2(ui.available_width(), THUMBNAIL.y);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let name = match reading.is_current {
        true => format!("{} (current)", reading.label),
        false => reading.label.clone(),
    };
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::Button, true, reading.is_current, &name));
    if ui.is_rect_visible(rect) {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let picture = Rect::from_min_size(rect.min, THUMBNAIL);
        if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, 3.0, palette.raised);
        }
        painter.rect_filled(picture, 3.0, palette.background);
        let edge = if reading.is_current { palette.accent } else { palette.line };
        painter.rect_stroke(picture, 3.0, Stroke::new(1.0, edge), StrokeKind::Inside);
        if let Some(preview) = &reading.preview {
            paint_preview(
                &painter.with_clip_rect(picture.intersect(painter.clip_rect())),
                picture,
                preview,
                palette,
            );
        }
        paint_texts(&painter, rect.with_min_x(picture.right() + GAP), reading, palette);
    }
    let hint = match &reading.preview {
        Some(preview) => format!("Read as {}: {preview}", reading.label),
        None => format!("Read as {}", reading.label),
    };
    if response.on_hover_text(hint).clicked() {
        let change = MappingChange::Read { toml: reading.toml.clone() };
        commands.send(Command::Columns(ColumnsCommand::Change(change)));
    }
}

/// Paints the label, and below it a value that tells the reading from the others.
fn paint_texts(painter: &Painter, rect: Rect, reading: &ColumnReading, palette: &Palette) {
    const MAX_LABEL_ROWS: usize = 3;
    let font = FontId::proportional(TEXT_SIZE);
    let mut job = LayoutJob::simple(reading.label.clone(), font, palette.text, rect.width());
    job.wrap.max_rows = MAX_LABEL_ROWS;
    let label = painter.layout_job(job);
    let below = rect.top() + label.size().y + 2.0;
    painter.galley(rect.min, label, palette.text);
    if reading.is_current {
        let corner = rect.left_bottom();
        painter.text(corner, Align2::LEFT_BOTTOM, "current", small_font(), palette.accent);
    } else if let Some(text) = reading.preview.as_ref().and_then(summarize_preview) {
        let text = painter.layout(text, small_font(), palette.dim, rect.width());
        if below + text.size().y <= rect.bottom() {
            painter.galley(pos2(rect.left(), below), text, palette.dim);
        }
    }
}

fn summarize_preview(preview: &ReadingPreview) -> Option<String> {
    let ReadingPreview::Poses { poses, .. } = preview else { return None };
    let [x, y, z] = poses.first()?.position;
    Some(format!("({x:.2}, {y:.2}, {z:.2}) m"))
}

fn paint_preview(painter: &Painter, rect: Rect, preview: &ReadingPreview, palette: &Palette) {
    match preview {
        ReadingPreview::Poses { poses, others, .. } => {
            let margin = if preview.rotates() { FORWARD_LENGTH } else { GAP };
            let view = FrontView::new(poses, others, rect.shrink2(vec2(margin, margin.min(16.0))));
            for other in others {
                painter.circle_filled(view.project(*other), 1.0, palette.dim);
            }
            paint_path(painter, &view, poses, palette);
            if preview.rotates() {
                paint_directions(painter, &view, poses, palette);
            }
        }
        ReadingPreview::Signals(columns) => {
            paint_signals(painter, rect.shrink(GAP), columns, palette)
        }
    }
}

/// The positions as seen from the front: x to the right, and y up.
struct FrontView {
    centre: Pos2,
    middle: [f64; 2],
    pixels_per_metre: f64,
}

impl FrontView {
    fn new(poses: &[PreviewPose], others: &[[f64; 3]], room: Rect) -> Self {
        let all = poses.iter().map(|pose| pose.position).chain(others.iter().copied());
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for position in all {
            for axis in 0..2 {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        let extent = |axis: usize| (high[axis] - low[axis]).max(MIN_EXTENT_M);
        let scale = [room.width(), room.height()].map(f64::from);
        Self {
            centre: room.center(),
            middle: [0, 1].map(|axis| 0.5 * (low[axis] + high[axis])),
            pixels_per_metre: (scale[0] / extent(0)).min(scale[1] / extent(1)),
        }
    }

    fn project(&self, [x, y, _]: [f64; 3]) -> Pos2 {
        let right = (x - self.middle[0]) * self.pixels_per_metre;
        let up = (y - self.middle[1]) * self.pixels_per_metre;
        self.centre + vec2(right as f32, -up as f32)
    }
}

fn paint_path(painter: &Painter, view: &FrontView, poses: &[PreviewPose], palette: &Palette) {
    let points: Vec<Pos2> = poses.iter().map(|pose| view.project(pose.position)).collect();
    let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else {
        return;
    };
    painter.add(Shape::line(points, Stroke::new(1.5, palette.text)));
    painter.circle_stroke(first, 2.5, Stroke::new(1.0, palette.text));
    painter.circle_filled(last, 2.5, palette.text);
}

/// Paints where the node faces at several times, later times brighter, and where its top points.
fn paint_directions(painter: &Painter, view: &FrontView, poses: &[PreviewPose], palette: &Palette) {
    let step = poses.len().div_ceil(DIRECTIONS).max(1);
    for (index, pose) in poses.iter().enumerate().step_by(step) {
        let from = view.project(pose.position);
        let to = |direction: [f64; 3], length: f32| {
            from + vec2(direction[0] as f32, -direction[1] as f32) * length
        };
        let part = 0.35 + 0.65 * index as f32 / poses.len() as f32;
        let line = |color: Color32| Stroke::new(1.0, palette.tint(color, part));
        painter.line_segment([from, to(pose.up, UP_LENGTH)], line(palette.dim));
        painter.line_segment([from, to(pose.forward, FORWARD_LENGTH)], line(palette.accent));
    }
}

fn paint_signals(painter: &Painter, rect: Rect, columns: &[Vec<f64>], palette: &Palette) {
    let all = || columns.iter().flatten().copied();
    let (low, high) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let range = (high - low).max(f64::MIN_POSITIVE);
    for (numbers, color) in columns.iter().zip(palette.series) {
        let last = numbers.len().saturating_sub(1).max(1) as f32;
        let point = |(index, number): (usize, &f64)| {
            let part = if high > low { (number - low) / range } else { 0.5 };
            let x = rect.left() + rect.width() * index as f32 / last;
            pos2(x, rect.bottom() - rect.height() * part as f32)
        };
        let points = numbers.iter().enumerate().map(point).collect();
        painter.add(Shape::line(points, Stroke::new(1.0, color)));
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::{Harness, kittest::Queryable as _};

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{ReadOptions, decode};

    fn inspector(text: &str) -> Harness<'static, PanelFixture<()>> {
        let clip = decode(text.as_bytes(), &ReadOptions::from(crate::registry())).unwrap();
        let mut shown = show(PanelFixture::with_clip(clip), [280.0, 900.0], |ui, model, ()| {
            let columns = model.clip().and_then(|clip| clip.columns()).unwrap();
            questions_ui(ui, columns, model.commands);
        });
        shown.run();
        shown
    }

    #[test]
    fn click_on_a_reading_answers_the_question() {
        let text = "time,head_x,head_y,head_z,head_yaw,head_pitch,head_roll\n0,0,1.6,0,0,0,0\n\
                    1,0,1.6,0,90,10,0\n";
        let mut shown = inspector(text);
        for label in [
            "Nothing states about which axes the angles turn the node.",
            "head_yaw, head_pitch, head_roll",
            "roll, pitch, yaw about x, y, z, in degrees",
            "signals (current)",
        ] {
            assert!(shown.query_by_label(label).is_some(), "{label}");
        }
        shown.get_by_label("pitch, yaw, roll about x, y, z, in degrees").click();
        shown.run();
        let toml = "[nodes.\"head\"]\neuler = [\"head_pitch\", \"head_yaw\", \"head_roll\"]\n\
                    angles = \"degrees\"\n[space]\neuler = \"YXZ\"\n";
        let change = MappingChange::Read { toml: toml.to_owned() };
        assert_eq!(
            shown.state_mut().take_commands(),
            [Command::Columns(ColumnsCommand::Change(change))]
        );
    }

    #[test]
    fn first_questions_are_shown_and_the_others_counted() {
        let vectors = ["a", "b", "c", "d", "e"];
        let axes = ["x", "y", "z"];
        let names = vectors.iter().flat_map(|name| axes.map(|axis| format!("{name}_vec_{axis}")));
        let header = names.collect::<Vec<_>>().join(",");
        let cells = ["3"; 15].join(",");
        let text =
            format!("time,head_x,head_y,head_z,{header}\n0,0,1.6,0,{cells}\n1,0,1.6,0,{cells}\n");
        let shown = inspector(&text);
        assert_eq!(shown.query_all_by_label("signals (current)").count(), 3);
        assert!(shown.query_by_label("2 more questions").is_some());
    }

    #[test]
    fn front_view_keeps_proportions_and_fits() {
        let pose = |x: f64, y: f64| PreviewPose {
            time: 0.0,
            position: [x, y, 5.0],
            forward: [0.0, 0.0, -1.0],
            up: [0.0, 1.0, 0.0],
        };
        let room = Rect::from_min_size(Pos2::ZERO, vec2(80.0, 40.0));
        let view = FrontView::new(&[pose(0.0, 1.0), pose(1.0, 3.0)], &[[0.5, 2.0, 0.0]], room);
        assert_eq!(view.project([0.0, 1.0, 0.0]), pos2(30.0, 40.0));
        assert_eq!(view.project([1.0, 3.0, 0.0]), pos2(50.0, 0.0));
        let still = FrontView::new(&[pose(0.0, 1.0)], &[], room);
        assert_eq!(still.project([0.0, 1.0, 0.0]), room.center());
    }
}
