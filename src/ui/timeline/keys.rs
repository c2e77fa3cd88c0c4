//! The keys of a row: each by a shape for the interpolation on either side, or by their density.

use std::f32::consts::FRAC_PI_2;

use bevy_egui::egui::{
    Color32, CursorIcon, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use crate::{
    session::{Command, ViewCommand},
    ui::{Model, style::Palette, words},
};
use mutoscope_core::{
    clip::KeyId,
    measure::timeline::{Density, DensitySpan, Glyph, Half, LEVELS, Mark, TimeAxis},
};

/// How large keys are, from the middle: with room, and with as little as there ever is.
const SIZES: (f32, f32) = (5.0, 3.0);

/// How near the pointer must be to a key to mean it, in points.
const REACH: f32 = 6.0;

/// The keys of a row in `track`. A click on one that is a curve's own selects it.
pub(super) fn keys_ui(
    ui: &Ui,
    model: &Model<'_>,
    density: &Density,
    track: Rect,
    axis: &TimeAxis,
    color: Color32,
) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    paint_runs(&painter, &density.runs, track, palette.tint(color, 0.55));
    for mark in &density.marks {
        let centre = pos2(axis.x_at(mark.time), track.center().y);
        let is_selected = mark.key.is_some() && mark.key == model.selected_key();
        let color = if is_selected { palette.accent } else { color };
        paint_mark(&painter, centre, size(mark), mark.glyph, color);
    }
    if let Some((mark, key)) = under_pointer(ui, density, track, axis)
        && key_ui(ui, mark, key, track, axis, color)
    {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
}

fn size(mark: &Mark) -> f32 {
    (0.5 * mark.room - 0.5).clamp(SIZES.1, SIZES.0)
}

/// The key that the pointer is over.
fn under_pointer<'a>(
    ui: &Ui,
    density: &'a Density,
    track: Rect,
    axis: &TimeAxis,
) -> Option<(&'a Mark, KeyId)> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    if !ui.rect_contains_pointer(track) {
        return None;
    }
    let distance = |mark: &Mark| (axis.x_at(mark.time) - pointer.x).abs();
    let nearest = density.marks.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some((nearest, nearest.key?)).filter(|(mark, _)| distance(mark) <= REACH)
}

/// A clickable key with its tooltip; returns whether it was clicked.
fn key_ui(ui: &Ui, mark: &Mark, key: KeyId, track: Rect, axis: &TimeAxis, color: Color32) -> bool {
    let centre = pos2(axis.x_at(mark.time), track.center().y);
    let rect = Rect::from_center_size(centre, vec2(2.0 * REACH, track.height()));
    // A press that moves on scrubs, as everywhere on the row.
    let response = ui.interact(rect, ui.id().with(("key", key)), Sense::click());
    let text = format!("{} · {}", words::exact_time(mark.time), glyph_words(mark.glyph));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Key {text}")));
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    paint_mark(&painter, centre, size(mark) + 1.0, mark.glyph, color);
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    response.on_hover_text(text).clicked()
}

/// How curves run into a key and out of it: `linear`, `hold to smooth`.
fn glyph_words(glyph: Glyph) -> String {
    let word = |half| match half {
        Half::Hold => "hold",
        Half::Linear => "linear",
        Half::Smooth => "smooth",
        Half::Other => "mixed",
    };
    if glyph.before == glyph.after {
        return word(glyph.after).to_owned();
    }
    format!("{} to {}", word(glyph.before), word(glyph.after))
}

/// The shape of a key, each half by how the curve runs there: square where a value holds, pointed
/// where it runs straight, round where it runs along tangents, a mere bar where that differs.
pub(super) fn paint_mark(painter: &Painter, centre: Pos2, size: f32, glyph: Glyph, color: Color32) {
    let mut outline: Vec<Pos2> = half(glyph.after, size).map(|at| centre + at).collect();
    let mirrored = half(glyph.before, size).map(|at| centre + vec2(-at.x, -at.y));
    outline.extend(mirrored);
    painter.add(Shape::convex_polygon(outline, color, Stroke::NONE));
}

/// The outline of the right half of a key, from the top to the bottom.
fn half(half: Half, size: f32) -> impl Iterator<Item = bevy_egui::egui::Vec2> {
    let box_of = |width: f32| vec![(width * size, -size), (width * size, size)];
    let inner = match half {
        Half::Hold => box_of(0.8),
        Half::Other => box_of(0.35),
        Half::Linear => vec![(size, 0.0)],
        Half::Smooth => (1..6)
            .map(|step| {
                let angle = FRAC_PI_2 * (step as f32 / 3.0 - 1.0);
                (size * angle.cos(), size * angle.sin())
            })
            .collect(),
    };
    let ends = [(0.0, -size)].into_iter().chain(inner).chain([(0.0, size)]);
    ends.collect::<Vec<_>>().into_iter().map(|(x, y)| vec2(x, y))
}

/// How dense keys are, as one shape.
pub(super) fn paint_runs(painter: &Painter, runs: &[DensitySpan], track: Rect, color: Color32) {
    let tallest = 0.5 * track.height() - 4.0;
    let middle = track.center().y;
    let mut mesh = Mesh::default();
    for (index, run) in runs.iter().enumerate() {
        let half = tallest * f32::from(run.level) / f32::from(LEVELS);
        let stands_alone = run.to == run.from + 1
            && index.checked_sub(1).is_none_or(|left| runs[left].to < run.from)
            && runs.get(index + 1).is_none_or(|right| right.from > run.to);
        // Lone keys must stay visible.
        let more = if stands_alone { 0.25 } else { 0.0 };
        let (from, to) = (run.from as f32 - more, run.to as f32 + more);
        let x = track.left() + from..=track.left() + to;
        mesh.add_colored_rect(Rect::from_x_y_ranges(x, middle - half..=middle + half), color);
    }
    if !mesh.is_empty() {
        painter.add(Shape::mesh(mesh));
    }
}
