//! Issues on the timeline: a shape for each severity, a bar for a duration. A click goes there and
//! selects the key.

use bevy_egui::egui::{
    Color32, Pos2, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};

use crate::ui::{
    Model, issues,
    style::{Palette, small},
    words,
};
use mutoscope_core::{
    diagnostics::Severity,
    measure::{checks::Issue, timeline::TimeAxis},
};

/// How far apart two shapes must be to be distinguished, in points.
const DISTANCE: f32 = 8.0;

/// From this width on, durations are drawn as bars, in points.
const BAR: f32 = 6.0;

/// From this many visible clusters on, bars show the density of issues.
const DENSE: usize = 24;

/// How many issues in one place are reported one by one.
const TOLD: usize = 4;

/// Issues of one severity that begin within a few points.
struct Cluster<'a> {
    /// Where the first begins and the last ends.
    x: (f32, f32),
    issues: Vec<&'a Issue>,
}

/// Shapes and bars at issues, the worst in front; the one that was clicked.
pub(super) fn issues_ui<'a>(
    ui: &mut Ui,
    model: &Model<'a>,
    track: Rect,
    axis: &TimeAxis,
) -> Option<&'a Issue> {
    let mut clicked = None;
    let palette = Palette::of(ui.visuals());
    let all = model.all_issues();
    for severity in [Severity::Info, Severity::Warning, Severity::Error] {
        let of_severity = all.iter().filter(|issue| issue.severity == severity);
        let clusters = clusters(of_severity, track, axis);
        let is_dense = clusters.len() >= DENSE;
        for cluster in clusters {
            let color = palette.severity(severity);
            let (left, right) = cluster.x;
            let painter = ui.painter().with_clip_rect(track.intersect(ui.clip_rect()));
            if is_dense {
                painter.rect_filled(density_bar(&cluster, track), 0.0, palette.tint(color, 0.6));
            } else if right - left >= BAR {
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
                painter.add(shape(severity, centre, color));
            }
            let button = Rect::from_x_y_ranges(left - 5.5..=right.max(left + 5.5), track.y_range());
            let button = button.intersect(track.expand2(vec2(6.0, 0.0)));
            if is_clicked(ui, button, severity, &cluster) {
                let first = cluster.issues[0];
                model.send_all(issues::go_to(model, first));
                clicked = Some(first);
            }
        }
    }
    clicked
}

/// A bar that is the higher the more issues a cluster has: a doubling is a step.
fn density_bar(cluster: &Cluster<'_>, track: Rect) -> Rect {
    let steps = 1.0 + (cluster.issues.len() as f32).log2();
    let height = (2.0 * steps).min(track.height() - 2.0);
    let left = cluster.x.0;
    let bottom = track.bottom() - 1.0;
    Rect::from_x_y_ranges(left..=left + DISTANCE - 2.0, bottom - height..=bottom)
}

/// The shape of a severity.
fn shape(severity: Severity, centre: Pos2, color: Color32) -> Shape {
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

/// The visible ones of `issues`, ascending; those whose shapes would cover each other are one
/// cluster.
fn clusters<'a>(
    issues: impl Iterator<Item = &'a Issue>,
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
        let (left, right) = (left.max(track.left() - BAR), right.min(track.right() + BAR));
        match clusters.last_mut() {
            Some(last) if left - last.x.0 < DISTANCE => {
                last.x.1 = last.x.1.max(right);
                last.issues.push(issue);
            }
            _ => clusters.push(Cluster { x: (left, right), issues: vec![issue] }),
        }
    }
    clusters
}

/// Whether a cluster is clicked; it has a tooltip with its issues.
fn is_clicked(ui: &Ui, rect: Rect, severity: Severity, cluster: &Cluster<'_>) -> bool {
    let first = cluster.issues[0];
    let id = ui.id().with((severity.word(), first.time.map(f64::to_bits)));
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| {
        let label = format!("{severity}: {}", first.message);
        WidgetInfo::labeled(WidgetType::Button, true, label)
    });
    let is_clicked = response.clicked();
    response.on_hover_ui(|ui| {
        for issue in cluster.issues.iter().take(TOLD) {
            tooltip_ui(ui, issue);
        }
        if let Some(more) = cluster.issues.len().checked_sub(TOLD + 1) {
            let more =
                format!("and {} more here: zoom in, or see the list", words::count(more + 1));
            ui.label(RichText::new(more).font(small()).color(Palette::of(ui.visuals()).dim));
        }
    });
    is_clicked
}

fn tooltip_ui(ui: &mut Ui, issue: &Issue) {
    let palette = Palette::of(ui.visuals());
    let when = RichText::new(issues::when(issue)).font(small()).color(palette.dim);
    ui.label(when);
    ui.label(RichText::new(&issue.message).color(palette.text));
}
