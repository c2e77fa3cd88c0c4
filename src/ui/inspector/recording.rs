//! Facts about the whole recording.

use std::ops::RangeInclusive;

use bevy_egui::egui::{DragValue, Id, Label, RichText, Ui, WidgetInfo, WidgetType};

use crate::{
    session::{Command, ConventionCommand},
    ui::{
        Model, display_text,
        issues::severities_text,
        style::Palette,
        top_bar::recording_name,
        verdict::verdict_ui,
        widgets::{chip, dim_text, heading, table},
    },
};
use mutoscope_core::clip::Clip;

pub(super) fn recording_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    let name = recording_name(model).unwrap_or_default();
    ui.add(Label::new(RichText::new(name).heading()).truncate());
    ui.scope(|ui| verdict_ui(ui, model));
    let hint = dim_text(ui, "Select a joint in the viewport or in the outline to see its numbers");
    ui.label(hint);
    heading(ui, "Recording");
    table("facts", 2).show(ui, |ui| {
        fact_rows_ui(ui, recording_facts(model, clip));
        if let Some(rate_hz) = clip.rate_hz {
            frame_rate_row_ui(ui, model, rate_hz);
        }
    });
    let format_facts = format_facts(clip);
    if !format_facts.is_empty() {
        heading(ui, crate::registry().format_name(clip.format));
        table("facts of the format", 2).show(ui, |ui| fact_rows_ui(ui, format_facts));
    }
}

fn fact_rows_ui(ui: &mut Ui, facts: Vec<(String, String)>) {
    for (name, value) in facts {
        let name = dim_text(ui, name);
        ui.label(name);
        ui.add(Label::new(value).wrap());
        ui.end_row();
    }
}

/// Shows the frame rate. Reloads the recording when the user has finished an edit, not while the
/// user drags the value.
fn frame_rate_row_ui(ui: &mut Ui, model: &Model<'_>, rate_hz: f64) {
    const RANGE_HZ: RangeInclusive<f64> = 0.001..=100_000.0;
    let name = dim_text(ui, "Frame rate");
    ui.label(name);
    ui.horizontal(|ui| {
        let id = Id::new("frame rate");
        let mut edited = ui.data(|data| data.get_temp::<f64>(id));
        let mut shown = edited.unwrap_or(rate_hz);
        let field = DragValue::new(&mut shown).range(RANGE_HZ).speed(0.1).max_decimals(3);
        let field = ui.add(field.suffix(" Hz").update_while_editing(false));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Frame rate"));
        let field = field.on_hover_text("Plays the frames at this rate");
        if field.changed() {
            edited = Some(shown);
        }
        if let Some(edited) = edited {
            if field.dragged() || field.has_focus() {
                ui.data_mut(|data| data.insert_temp(id, edited));
            } else {
                ui.data_mut(|data| data.remove::<f64>(id));
                set_frame_rate(model, Some(edited));
            }
        }
        if model.recording().is_some_and(|open| open.asset().options.frame_rate.is_some()) {
            chip(ui, "set by you", Palette::for_visuals(ui.visuals()).accent);
            let help = "Plays the frames at the rate that the file declares";
            if ui.small_button("As declared").on_hover_text(help).clicked() {
                set_frame_rate(model, None);
            }
        } else {
            chip(ui, "declared", Palette::for_visuals(ui.visuals()).text)
                .on_hover_text("Declared by the file");
        }
    });
    ui.end_row();
}

fn set_frame_rate(model: &Model<'_>, rate_hz: Option<f64>) {
    model.send(Command::Convention(ConventionCommand::SetFrameRate(rate_hz)));
}

fn format_facts(clip: &Clip) -> Vec<(String, String)> {
    let facts = clip.facts().into_iter();
    facts.map(|fact| (display_text::capitalised(fact.label), fact.text)).collect()
}

fn recording_facts(model: &Model<'_>, clip: &Clip) -> Vec<(String, String)> {
    let samples = model.sample_times().len();
    let mean = if clip.span.duration > 0.0 && samples > 1 {
        format!(
            ", mean {} Hz",
            display_text::format_decimal((samples - 1) as f64 / clip.span.duration, 1)
        )
    } else {
        String::new()
    };
    let mut facts = vec![
        ("Format", format!("{} {}", crate::registry().format_name(clip.format), clip.version)),
        ("Animated", clip.subject.clone()),
        ("Duration", display_text::format_exact_duration(clip.span.duration)),
        ("Samples", format!("{}{mean}", display_text::format_count(samples))),
        ("Nodes", display_text::format_count(clip.nodes.len())),
        ("Curves", display_text::format_count(clip.tracks.len())),
        ("Keys", display_text::format_count(clip.key_count())),
        ("Markers", display_text::format_count(clip.events.len())),
    ];
    if let Some(is_looping) = clip.is_looping {
        let answer = if is_looping { "yes, declared" } else { "no, declared" };
        facts.insert(3, ("Loops", answer.to_owned()));
    }
    if !model.all_issues().is_empty() {
        facts.push(("Issues", severities_text(model.all_issues())));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
