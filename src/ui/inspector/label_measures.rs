//! The measures of a label.

use bevy_egui::egui::{Align, CollapsingHeader, Label, Layout, RichText, Ui, vec2};

use crate::{
    session::MeasuredRange,
    ui::{
        style::{Palette, small_font},
        widgets::{copyable_value, dim_text},
    },
};
use mutoscope_study::{
    Number,
    report::{ShortNumber, describe_measure, unknown_reason},
};

pub(super) fn measures_ui(ui: &mut Ui, measures: Option<Result<&MeasuredRange, &str>>) {
    ui.add_space(2.0);
    let range = match measures {
        None => {
            // Redraw until the measures arrive, because an idle window would not show them.
            ui.ctx().request_repaint_after_secs(0.1);
            let text = dim_text(ui, "Computing measures…");
            ui.label(text);
            return;
        }
        Some(Err(why)) => {
            let color = Palette::for_visuals(ui.visuals()).error;
            ui.add(Label::new(RichText::new(why).font(small_font()).color(color)).wrap());
            return;
        }
        Some(Ok(range)) => range,
    };
    let subjects = group_by_subject(range);
    if subjects.is_empty() {
        let text = dim_text(ui, "No hand, gaze or body to measure");
        ui.label(text);
    }
    for (index, (subject, measures)) in subjects.into_iter().enumerate() {
        let title =
            RichText::new(if subject.is_empty() { "Other" } else { subject }).font(small_font());
        let header = CollapsingHeader::new(title).id_salt(("measures", subject));
        header.default_open(index == 0).show(ui, |ui| {
            ui.spacing_mut().interact_size.y = ROW_HEIGHT;
            ui.spacing_mut().item_spacing.y = 2.0;
            for (measure, number) in measures {
                ui.horizontal_top(|ui| row_ui(ui, measure, number));
            }
        });
    }
}

fn group_by_subject(range: &MeasuredRange) -> Vec<(&'static str, Vec<(&str, Number)>)> {
    let mut subjects: Vec<(&str, Vec<_>)> = Vec::new();
    for (measure, number) in range.measures.iter() {
        let subject = describe_measure(measure).subject;
        match subjects.iter_mut().find(|(known, _)| *known == subject) {
            Some((_, measures)) => measures.push((measure, number)),
            None => subjects.push((subject, vec![(measure, number)])),
        }
    }
    subjects
}

/// The width of the values, in points. The longest value must fit, because otherwise the panel
/// would grow in each frame.
const VALUES_WIDTH: f32 = 118.0;
const ROW_HEIGHT: f32 = 15.0;

fn row_ui(ui: &mut Ui, measure: &str, number: Number) {
    let description = describe_measure(measure);
    let room = vec2((ui.available_width() - VALUES_WIDTH).max(40.0), ROW_HEIGHT);
    ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
        ui.set_width(room.x);
        let name = dim_text(ui, description.name);
        // Wrap long names instead of truncating them, because the end of a name says what is
        // measured.
        ui.add(Label::new(name.font(small_font())).wrap()).on_hover_text(measure);
    });
    // Abbreviate the unit so that it fits into the column.
    let unit = if description.unit == "per min" { "/min" } else { description.unit };
    let shown = match number {
        Number::Count(count) => count.to_string(),
        Number::Real(value) => format!("{} {unit}", ShortNumber(value)).trim_end().to_owned(),
        Number::Unknown => {
            let none = dim_text(ui, "–");
            ui.label(none).on_hover_text(unknown_reason(measure));
            return;
        }
    };
    copyable_value(ui, &shown, || {
        number.value().map_or_else(String::new, |value| value.to_string())
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show, two_hands};
    use mutoscope_core::io::progress::Progress;
    use mutoscope_study::{Request, labels, study};

    #[test]
    fn measures_are_shown_by_subject_with_their_units() {
        let clip = two_hands();
        let reach = labels::Label { start: 1.0, end: 2.5, label: "reach".to_owned(), tier: None };
        let request = Request { labels: &[reach], ..Request::default() };
        let range = study(&clip, &request, &mut Progress::default()).unwrap().ranges.remove(1);
        let subjects: Vec<_> =
            group_by_subject(&range).into_iter().map(|(subject, _)| subject).collect();
        assert_eq!(subjects[..2], ["Right hand", "Left hand"]);
        let path = range.measures.get("right_path_length_m").and_then(Number::value).unwrap();
        let fixture = PanelFixture {
            state: PanelState { range: Some(range), width: 0.0 },
            ..PanelFixture::default()
        };
        let mut panel = show(fixture, [290.0, 900.0], |ui, _, state: &mut PanelState| {
            measures_ui(ui, state.range.as_ref().map(Ok));
            state.width = ui.min_rect().width() - ui.max_rect().width();
        });
        panel.run();
        for subject in ["Left hand", "Gaze"] {
            panel.get_by_label(subject).click();
            panel.run();
        }
        panel.get_by_label(&format!("{} m", ShortNumber(path)));
        assert!(
            panel.state().state.width <= 0.0,
            "wider content would make the panel grow with each frame"
        );
        panel.state_mut().state.range = None;
        panel.run();
        panel.get_by_label("Computing measures…");
    }

    #[derive(Default)]
    struct PanelState {
        range: Option<MeasuredRange>,
        width: f32,
    }
}
