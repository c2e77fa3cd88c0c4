//! Shows issues on the timeline, with a shape for each severity and a bar for a duration. A click
//! seeks to the issue and selects its key.

use bevy_egui::egui::{
    Color32, Pos2, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};

use crate::ui::{
    Model, display_text, issues,
    style::{Palette, small_font},
};
use mutoscope_core::{diagnostics::Severity, measure::checks::ClipDiagnostic};
use mutoscope_view::timeline::TimeAxis;

const MIN_SHAPE_DISTANCE: f32 = 8.0;

const MIN_BAR_WIDTH: f32 = 6.0;

/// From this many visible clusters on, bars show the density of issues, because shapes would merge
/// into a band.
const MIN_DENSE_CLUSTERS: usize = 24;

const MAX_LISTED_ISSUES: usize = 4;

struct Cluster<'a> {
    x: (f32, f32),
    issues: Vec<&'a ClipDiagnostic>,
}

pub(super) fn issues_ui<'a>(
    ui: &mut Ui,
    model: &Model<'a>,
    track: Rect,
    axis: &TimeAxis,
) -> Option<&'a ClipDiagnostic> {
    let mut clicked = None;
    let palette = Palette::for_visuals(ui.visuals());
    let all = model.all_issues();
    for severity in [Severity::Info, Severity::Warning, Severity::Error] {
        let of_severity = all.iter().filter(|issue| issue.severity == severity);
        let clusters = cluster_issues(of_severity, track, axis);
        let is_dense = clusters.len() >= MIN_DENSE_CLUSTERS;
        for cluster in clusters {
            let color = palette.severity_color(severity);
            let (left, right) = cluster.x;
            let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
            if is_dense {
                painter.rect_filled(density_bar(&cluster, track), 0.0, palette.tint(color, 0.6));
            } else if right - left >= MIN_BAR_WIDTH {
                let bar = Rect::from_x_y_ranges(
                    left..=right,
                    track.center().y - 3.0..=track.center().y + 3.0,
                );
                painter.rect_filled(bar, 1.0, palette.tint(color, 0.35));
                painter.rect_stroke(
                    bar,
                    1.0,
                    Stroke::new(1.0, palette.tint(color, 0.6)),
                    StrokeKind::Inside,
                );
            }
            let centre = pos2(left.max(track.left() + 5.0), track.center().y);
            if !is_dense {
                painter.add(severity_shape(severity, centre, color));
            }
            let button = Rect::from_x_y_ranges(left - 5.5..=right.max(left + 5.5), track.y_range());
            let button = button.intersect(track.expand2(vec2(6.0, 0.0)));
            if cluster_ui(ui, button, severity, &cluster) {
                let first = cluster.issues[0];
                model.send_all(issues::go_to_commands(model, first));
                clicked = Some(first);
            }
        }
    }
    clicked
}

fn density_bar(cluster: &Cluster<'_>, track: Rect) -> Rect {
    let steps = 1.0 + (cluster.issues.len() as f32).log2();
    let height = (2.0 * steps).min(track.height() - 2.0);
    let left = cluster.x.0;
    let bottom = track.bottom() - 1.0;
    Rect::from_x_y_ranges(left..=left + MIN_SHAPE_DISTANCE - 2.0, bottom - height..=bottom)
}

fn severity_shape(severity: Severity, centre: Pos2, color: Color32) -> Shape {
    match severity {
        Severity::Info => Shape::circle_stroke(centre, 3.0, Stroke::new(1.5, color)),
        Severity::Warning => polygon(centre, &[(0.0, -5.0), (5.0, 4.0), (-5.0, 4.0)], color),
        Severity::Error => {
            polygon(centre, &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)], color)
        }
    }
}

fn polygon(centre: Pos2, corners: &[(f32, f32)], color: Color32) -> Shape {
    let corners = corners.iter().map(|&(x, y)| centre + vec2(x, y)).collect();
    Shape::convex_polygon(corners, color, Stroke::NONE)
}

/// `issues` must be ascending in time. Leaves out invisible issues.
fn cluster_issues<'a>(
    issues: impl Iterator<Item = &'a ClipDiagnostic>,
    track: Rect,
    axis: &TimeAxis,
) -> Vec<Cluster<'a>> {
    let mut clusters: Vec<Cluster<'a>> = Vec::new();
    for issue in issues {
        let Some(time) = issue.time else { continue };
        let (left, right) = (axis.x_at(time), axis.x_at(issue.end.unwrap_or(time)));
        if right < track.left() || left > track.right() {
            continue;
        }
        let (left, right) =
            (left.max(track.left() - MIN_BAR_WIDTH), right.min(track.right() + MIN_BAR_WIDTH));
        match clusters.last_mut() {
            Some(last) if left - last.x.0 < MIN_SHAPE_DISTANCE => {
                last.x.1 = last.x.1.max(right);
                last.issues.push(issue);
            }
            _ => clusters.push(Cluster { x: (left, right), issues: vec![issue] }),
        }
    }
    clusters
}

fn cluster_ui(ui: &Ui, rect: Rect, severity: Severity, cluster: &Cluster<'_>) -> bool {
    let first = cluster.issues[0];
    let id = ui.id().with((severity.as_str(), first.time.map(f64::to_bits)));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        let label = format!("{severity}: {}", first.message);
        WidgetInfo::labeled(WidgetType::Button, true, label)
    });
    let is_clicked = response.clicked();
    response.on_hover_ui(|ui| {
        for issue in cluster.issues.iter().take(MAX_LISTED_ISSUES) {
            tooltip_ui(ui, issue);
        }
        if let Some(more) = cluster.issues.len().checked_sub(MAX_LISTED_ISSUES + 1) {
            let more = format!(
                "and {} more: zoom in, or open the list",
                display_text::format_count(more + 1)
            );
            ui.label(
                RichText::new(more)
                    .font(small_font())
                    .color(Palette::for_visuals(ui.visuals()).dim),
            );
        }
    });
    is_clicked
}

fn tooltip_ui(ui: &mut Ui, issue: &ClipDiagnostic) {
    let palette = Palette::for_visuals(ui.visuals());
    let time = RichText::new(issues::time_text(issue)).font(small_font()).color(palette.dim);
    ui.label(time);
    ui.label(RichText::new(&issue.message).color(palette.text));
}
