//! Shows the chosen issue: its whole message, and the measured value around it over time.

use bevy_egui::egui::{
    Align2, Label, Panel, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2,
    remap, vec2,
};

use crate::{
    session::{CheckCommand, Command},
    ui::{
        Model, display_text,
        style::{Palette, small_font},
        widgets::dim_text,
    },
};
use mutoscope_core::{diagnostics::format_number, measure::checks::ClipDiagnostic};
use mutoscope_study::verdict::ProblemCurve;

const PLOT_HEIGHT: f32 = 64.0;

/// The width of the numbers left of the plot.
const NUMBERS_WIDTH: f32 = 56.0;

pub(super) fn detail_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    issue: &ClipDiagnostic,
    curve: Option<&ProblemCurve>,
) {
    Panel::bottom("chosen issue").resizable(false).show(ui, |ui| {
        ui.add_space(4.0);
        ui.add(Label::new(&issue.message).wrap());
        if let Some(curve) = curve {
            plot_ui(ui, model, issue, curve);
        }
        ui.horizontal(|ui| {
            let code = issue.code.as_str();
            let help = "Lists no issue of this kind in this recording. The mute is saved next to \
                        the recording with Ctrl+S";
            if ui.button("Mute in this recording").on_hover_text(help).clicked() {
                model.send(mute_command(model, code, true));
            }
            let code = dim_text(ui, code);
            ui.label(code);
        });
    });
}

/// Returns the command that turns a code off or on in the recording in focus.
pub(super) fn mute_command(model: &Model<'_>, code: &str, is_muted: bool) -> Command {
    let code = code.to_owned();
    Command::Check(CheckCommand::SetMuted { recording: model.entity(), code, is_muted })
}

/// Draws the value over time, with its threshold, the duration of the issue and the playhead.
fn plot_ui(ui: &mut Ui, model: &Model<'_>, issue: &ClipDiagnostic, curve: &ProblemCurve) {
    let palette = Palette::for_visuals(ui.visuals());
    let measure = curve.measure;
    let unit = if measure.unit == "1" { "" } else { measure.unit };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), PLOT_HEIGHT), Sense::hover());
    response.widget_info(|| {
        let label = format!("{} over time, in {unit}", measure.name);
        WidgetInfo::labeled(WidgetType::Image, true, label)
    });
    let plot = rect.with_min_x(rect.left() + NUMBERS_WIDTH).shrink2(vec2(2.0, 6.0));
    let painter = ui.painter();
    painter.rect_filled(plot, 2.0, palette.background);
    let (Some(&[start, _]), Some(&[end, _])) = (curve.points.first(), curve.points.last()) else {
        return;
    };
    let values = curve.points.iter().map(|[_, value]| *value).filter(|value| value.is_finite());
    let highest = values.fold(measure.threshold, f64::max).max(f64::MIN_POSITIVE);
    let span = (end - start).max(f64::MIN_POSITIVE);
    let x = |time: f64| plot.left() + ((time - start) / span) as f32 * plot.width();
    let y = |value: f64| remap(value as f32, 0.0..=1.1 * highest as f32, plot.y_range().flip());
    let problem = issue.time.unwrap_or(start)..=issue.end.or(issue.time).unwrap_or(end);
    let shaded = Rect::from_x_y_ranges(x(*problem.start())..=x(*problem.end()), plot.y_range());
    let color = palette.severity_color(issue.severity);
    let inside = painter.with_clip_rect(plot);
    inside.rect_filled(shaded.expand2(vec2(1.0, 0.0)), 0.0, palette.tint(color, 0.25));
    let threshold = y(measure.threshold);
    let line = [pos2(plot.left(), threshold), pos2(plot.right(), threshold)];
    inside.extend(Shape::dashed_line(&line, Stroke::new(1.0, color), 4.0, 3.0));
    let points: Vec<Pos2> = curve
        .points
        .iter()
        .filter(|[_, value]| value.is_finite())
        .map(|&[time, value]| pos2(x(time), y(value)))
        .collect();
    inside.line(points, Stroke::new(1.5, palette.text));
    inside.vline(x(model.time()), plot.y_range(), Stroke::new(1.0, palette.accent));
    let number = |value: f64| format!("{} {unit}", format_number(value));
    let highest_y = y(highest);
    let right = plot.left() - 4.0;
    let text = |y: f32, value, color| {
        painter.text(pos2(right, y), Align2::RIGHT_CENTER, number(value), small_font(), color);
    };
    // The two numbers would overlap if the values barely cross the threshold.
    if threshold - highest_y > 12.0 {
        text(highest_y, highest, palette.text);
    }
    text(threshold, measure.threshold, color);
    let name = display_text::capitalised(measure.name);
    painter.text(
        plot.left_top() + vec2(4.0, 2.0),
        Align2::LEFT_TOP,
        name,
        small_font(),
        palette.dim,
    );
}
