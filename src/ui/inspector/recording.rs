//! Facts about the recording as a whole.

use bevy_egui::egui::{Label, RichText, Ui};

use crate::ui::{
    Model,
    issues::severities_text,
    top_bar::recording_name,
    widgets::{dim, heading, table},
    words,
};
use mutoscope_core::{clip::Clip, formats};

/// The format and the size of the recording.
pub(super) fn recording_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip) {
    let name = recording_name(model).unwrap_or_default();
    ui.add(Label::new(RichText::new(name).heading()).truncate());
    let hint = dim(ui, "Select a joint in the viewport or in the outline to see its numbers");
    ui.label(hint);
    heading(ui, "Recording");
    facts_ui(ui, "facts", facts(model, clip));
    let of_format = facts_of_format(clip);
    if !of_format.is_empty() {
        heading(ui, formats::name(clip.format));
        facts_ui(ui, "facts of the format", of_format);
    }
}

fn facts_ui(ui: &mut Ui, id: &'static str, facts: Vec<(String, String)>) {
    table(id, 2).show(ui, |ui| {
        for (name, value) in facts {
            let name = dim(ui, name);
            ui.label(name);
            ui.add(Label::new(value).wrap());
            ui.end_row();
        }
    });
}

/// The format's own facts about such a recording.
fn facts_of_format(clip: &Clip) -> Vec<(String, String)> {
    let facts = clip.facts().into_iter();
    facts.map(|fact| (words::capitalised(fact.label), fact.text)).collect()
}

fn facts(model: &Model<'_>, clip: &Clip) -> Vec<(String, String)> {
    let samples = model.sample_times().len();
    let mean = if clip.span.duration > 0.0 && samples > 1 {
        format!(", mean {} Hz", words::trimmed((samples - 1) as f64 / clip.span.duration, 1))
    } else {
        String::new()
    };
    let mut facts = vec![
        ("Format", format!("{} {}", formats::name(clip.format), clip.version)),
        ("Animated", clip.subject.clone()),
        ("Duration", words::exact_duration(clip.span.duration)),
        ("Samples", format!("{}{mean}", words::count(samples))),
        ("Nodes", words::count(clip.nodes.len())),
        ("Curves", words::count(clip.tracks.len())),
        ("Keys", words::count(clip.key_count())),
        ("Markers", words::count(clip.events.len())),
    ];
    if let Some(rate) = clip.rate_hz {
        facts.insert(3, ("Rate", format!("{} Hz, declared", words::trimmed(rate, 3))));
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
