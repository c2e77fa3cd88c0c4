//! Facts about the whole recording.

use bevy_egui::egui::{Label, RichText, Ui};

use crate::ui::{
    Model, display_text,
    issues::severities_text,
    top_bar::recording_name,
    widgets::{dim_text, heading, table},
};
use mutoscope_core::{clip::Clip, formats};

pub(super) fn recording_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    let name = recording_name(model).unwrap_or_default();
    ui.add(Label::new(RichText::new(name).heading()).truncate());
    let hint = dim_text(ui, "Select a joint in the viewport or in the outline to see its numbers");
    ui.label(hint);
    heading(ui, "Recording");
    facts_ui(ui, "facts", recording_facts(model, clip));
    let format_facts = format_facts(clip);
    if !format_facts.is_empty() {
        heading(ui, formats::name(clip.format));
        facts_ui(ui, "facts of the format", format_facts);
    }
}

fn facts_ui(ui: &mut Ui, id: &'static str, facts: Vec<(String, String)>) {
    table(id, 2).show(ui, |ui| {
        for (name, value) in facts {
            let name = dim_text(ui, name);
            ui.label(name);
            ui.add(Label::new(value).wrap());
            ui.end_row();
        }
    });
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
        ("Format", format!("{} {}", formats::name(clip.format), clip.version)),
        ("Animated", clip.subject.clone()),
        ("Duration", display_text::format_exact_duration(clip.span.duration)),
        ("Samples", format!("{}{mean}", display_text::format_count(samples))),
        ("Nodes", display_text::format_count(clip.nodes.len())),
        ("Curves", display_text::format_count(clip.tracks.len())),
        ("Keys", display_text::format_count(clip.key_count())),
        ("Markers", display_text::format_count(clip.events.len())),
    ];
    if let Some(rate) = clip.rate_hz {
        facts
            .insert(3, ("Rate", format!("{} Hz, declared", display_text::format_decimal(rate, 3))));
    }
    if let Some(is_looping) = clip.is_looping {
        let answer = if is_looping { "yes, declared" } else { "no, declared" };
        facts.insert(3, ("Loops", answer.to_owned()));
    }
    if !model.all_issues().is_empty() {
        facts.push(("Issues", severities_text(model.all_issues())));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
