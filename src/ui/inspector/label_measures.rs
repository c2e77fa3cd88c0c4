//! The measures of a label.

use bevy_egui::egui::{Align, CollapsingHeader, Label, Layout, RichText, Ui, vec2};

use crate::{
    session::MeasuredRange,
    ui::{
        style::{Palette, small},
        widgets::{copyable, dim},
    },
};
use mutoscope_study::{
    Number,
    report::{Short, measure_words, unknown_reason},
};

/// The measures by subject, or that they are being computed, or why there are none.
pub(super) fn measures_ui(ui: &mut Ui, measures: Option<Result<&MeasuredRange, &str>>) {
    ui.add_space(2.0);
    let range = match measures {
        None => {
            // A window at rest would not notice that they came.
            ui.ctx().request_repaint_after_secs(0.1);
            let text = dim(ui, "Computing measures…");
            ui.label(text);
            return;
        }
        Some(Err(why)) => {
            let color = Palette::of(ui.visuals()).error;
            ui.add(Label::new(RichText::new(why).font(small()).color(color)).wrap());
            return;
        }
        Some(Ok(range)) => range,
    };
    let subjects = by_subject(range);
    if subjects.is_empty() {
        let text = dim(ui, "No hand, gaze or body to measure");
        ui.label(text);
    }
    for (index, (subject, measures)) in subjects.into_iter().enumerate() {
        let title = RichText::new(if subject.is_empty() { "Other" } else { subject }).font(small());
        let header = CollapsingHeader::new(title).id_salt(("measures", subject));
        header.default_open(index == 0).show(ui, |ui| {
            ui.spacing_mut().interact_size.y = ROW;
            ui.spacing_mut().item_spacing.y = 2.0;
            for (measure, number) in measures {
                ui.horizontal_top(|ui| row_ui(ui, measure, number));
            }
        });
    }
}

/// The measures of each subject, in their order.
fn by_subject(range: &MeasuredRange) -> Vec<(&'static str, Vec<(&str, Number)>)> {
    let mut subjects: Vec<(&str, Vec<_>)> = Vec::new();
    for (measure, number) in range.measures.iter() {
        let subject = measure_words(measure).subject;
        match subjects.iter_mut().find(|(known, _)| *known == subject) {
            Some((_, measures)) => measures.push((measure, number)),
            None => subjects.push((subject, vec![(measure, number)])),
        }
    }
    subjects
}

/// The room for values, in points: the longest fit, or the panel would grow with them.
const VALUES: f32 = 118.0;
/// The height of a row, in points.
const ROW: f32 = 15.0;

fn row_ui(ui: &mut Ui, measure: &str, number: Number) {
    let words = measure_words(measure);
    let room = vec2((ui.available_width() - VALUES).max(40.0), ROW);
    ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
        ui.set_width(room.x);
        let name = dim(ui, words.name);
        // Long names take a second line, for these tell what is measured at their end.
        ui.add(Label::new(name.font(small())).wrap()).on_hover_text(measure);
    });
    // As short as units are in a column of figures.
    let unit = if words.unit == "per min" { "/min" } else { words.unit };
    let shown = match number {
        Number::Count(count) => count.to_string(),
        Number::Real(value) => format!("{} {unit}", Short(value)).trim_end().to_owned(),
        Number::Unknown => {
            let none = dim(ui, "–");
            ui.label(none).on_hover_text(unknown_reason(measure));
            return;
        }
    };
    copyable(ui, &shown, || number.value().map_or_else(String::new, |value| value.to_string()));
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{Desk, show, two_hands};
    use mutoscope_study::{Request, labels, study};

    #[test]
    fn measures_are_shown_by_subject_with_their_units() {
        let clip = two_hands();
        let reach = labels::Label { start: 1.0, end: 2.5, label: "reach".to_owned(), tier: None };
        let request = Request { labels: &[reach], ..Request::default() };
        let range = study(&clip, &request).unwrap().ranges.remove(1);
        let subjects: Vec<_> = by_subject(&range).into_iter().map(|(subject, _)| subject).collect();
        assert_eq!(subjects[..2], ["Right hand", "Left hand"]);
        let path = range.measures.get("right_path_length_m").and_then(Number::value).unwrap();
        let desk = Desk { state: Shown { range: Some(range), width: 0.0 }, ..Desk::default() };
        let mut panel = show(desk, [290.0, 900.0], |ui, _, state: &mut Shown| {
            measures_ui(ui, state.range.as_ref().map(Ok));
            state.width = ui.min_rect().width() - ui.max_rect().width();
        });
        panel.run();
        for subject in ["Left hand", "Gaze"] {
            panel.get_by_label(subject).click();
            panel.run();
        }
        panel.get_by_label(&format!("{} m", Short(path)));
        assert!(panel.state().state.width <= 0.0, "the panel would grow with each frame");
        panel.state_mut().state.range = None;
        panel.run();
        panel.get_by_label("Computing measures…");
    }

    /// The text that is shown, and how much wider than its room it is, in points.
    #[derive(Default)]
    struct Shown {
        range: Option<MeasuredRange>,
        width: f32,
    }
}
