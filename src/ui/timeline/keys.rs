//! Shows the keys of a row: as shapes for the interpolation before and after them, or as a density.

use std::f32::consts::FRAC_PI_2;

use bevy_egui::egui::{
    Color32, CursorIcon, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use crate::{
    session::{Command, ViewCommand},
    ui::{Model, display_text, style::Palette},
};
use mutoscope_core::clip::KeyId;
use mutoscope_view::timeline::{
    DENSITY_LEVELS, Density, DensitySpan, Glyph, GlyphSide, KeyMark, TimeAxis,
};

const MAX_KEY_RADIUS: f32 = 5.0;
const MIN_KEY_RADIUS: f32 = 3.0;

const HIT_RADIUS: f32 = 6.0;

pub(super) fn keys_ui(
    ui: &Ui,
    model: &Model<'_>,
    density: &Density,
    track: Rect,
    axis: &TimeAxis,
    color: Color32,
) {
    let palette = Palette::for_visuals(ui.visuals());
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    paint_density(&painter, &density.runs, track, palette.tint(color, 0.55));
    for mark in &density.marks {
        let centre = pos2(axis.x_at(mark.time), track.center().y);
        let is_selected = mark.key.is_some() && mark.key == model.selected_key();
        let color = if is_selected { palette.accent } else { color };
        paint_key(&painter, centre, key_radius(mark), mark.glyph, color);
    }
    if let Some((mark, key)) = hovered_key(ui, density, track, axis)
        && key_ui(ui, mark, key, track, axis, color)
    {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
}

fn key_radius(mark: &KeyMark) -> f32 {
    (0.5 * mark.room - 0.5).clamp(MIN_KEY_RADIUS, MAX_KEY_RADIUS)
}

fn hovered_key<'a>(
    ui: &Ui,
    density: &'a Density,
    track: Rect,
    axis: &TimeAxis,
) -> Option<(&'a KeyMark, KeyId)> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    if !ui.rect_contains_pointer(track) {
        return None;
    }
    let distance = |mark: &KeyMark| (axis.x_at(mark.time) - pointer.x).abs();
    let nearest = density.marks.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some((nearest, nearest.key?)).filter(|(mark, _)| distance(mark) <= HIT_RADIUS)
}

fn key_ui(
    ui: &Ui,
    mark: &KeyMark,
    key: KeyId,
    track: Rect,
    axis: &TimeAxis,
    color: Color32,
) -> bool {
    let centre = pos2(axis.x_at(mark.time), track.center().y);
    let rect = Rect::from_center_size(centre, vec2(2.0 * HIT_RADIUS, track.height()));
    // Sense clicks only, so that a drag that begins on a key scrubs, as elsewhere on the row.
    let response = ui.interact(rect, ui.id().with(("key", key)), Sense::click());
    let text = format!(
        "{} · {}",
        display_text::format_exact_time(mark.time),
        interpolation_name(mark.glyph)
    );
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Key {text}")));
    let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
    paint_key(&painter, centre, key_radius(mark) + 1.0, mark.glyph, color);
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    response.on_hover_text(text).clicked()
}

fn interpolation_name(glyph: Glyph) -> String {
    let side_name = |half| match half {
        GlyphSide::Hold => "hold",
        GlyphSide::Linear => "linear",
        GlyphSide::Smooth => "smooth",
        GlyphSide::Other => "mixed",
    };
    if glyph.before == glyph.after {
        return side_name(glyph.after).to_owned();
    }
    format!("{} to {}", side_name(glyph.before), side_name(glyph.after))
}

/// Paints the shape of a key. Each half shows the interpolation on its side: square for held
/// values, pointed for linear, round for tangents, and a narrow bar if the curves of the row
/// differ.
pub(super) fn paint_key(painter: &Painter, centre: Pos2, size: f32, glyph: Glyph, color: Color32) {
    let mut outline: Vec<Pos2> = half_outline(glyph.after, size).map(|at| centre + at).collect();
    let mirrored = half_outline(glyph.before, size).map(|at| centre + vec2(-at.x, -at.y));
    outline.extend(mirrored);
    painter.add(Shape::convex_polygon(outline, color, Stroke::NONE));
}

fn half_outline(half: GlyphSide, size: f32) -> impl Iterator<Item = bevy_egui::egui::Vec2> {
    let rectangle = |width: f32| vec![(width * size, -size), (width * size, size)];
    let inner = match half {
        GlyphSide::Hold => rectangle(0.8),
        GlyphSide::Other => rectangle(0.35),
        GlyphSide::Linear => vec![(size, 0.0)],
        GlyphSide::Smooth => (1..6)
            .map(|step| {
                let angle = FRAC_PI_2 * (step as f32 / 3.0 - 1.0);
                (size * angle.cos(), size * angle.sin())
            })
            .collect(),
    };
    let ends = [(0.0, -size)].into_iter().chain(inner).chain([(0.0, size)]);
    ends.collect::<Vec<_>>().into_iter().map(|(x, y)| vec2(x, y))
}

pub(super) fn paint_density(painter: &Painter, runs: &[DensitySpan], track: Rect, color: Color32) {
    let tallest = 0.5 * track.height() - 4.0;
    let middle = track.center().y;
    let mut mesh = Mesh::default();
    for (index, run) in runs.iter().enumerate() {
        let half = tallest * f32::from(run.level) / f32::from(DENSITY_LEVELS);
        let is_isolated = run.to == run.from + 1
            && index.checked_sub(1).is_none_or(|left| runs[left].to < run.from)
            && runs.get(index + 1).is_none_or(|right| right.from > run.to);
        // Widen isolated keys, because a column of one point is hard to see.
        let widening = if is_isolated { 0.25 } else { 0.0 };
        let (from, to) = (run.from as f32 - widening, run.to as f32 + widening);
        let x = track.left() + from..=track.left() + to;
        mesh.add_colored_rect(Rect::from_x_y_ranges(x, middle - half..=middle + half), color);
    }
    if !mesh.is_empty() {
        painter.add(Shape::mesh(mesh));
    }
}
