//! What a search can find: the nodes, events, signals, labels and animations of the open recordings.

use super::Search;
use crate::{
    session::{Command, LabelCommand, ViewCommand},
    ui::{Model, display_text},
};
use mutoscope_core::{
    clip::{Node, NodeId},
    playback::TimeCommand,
};

/// A result of a search, and the command that it runs.
pub(in crate::ui) struct SearchResult {
    pub(in crate::ui) name: String,
    /// The kind of the result, or the keys of a command.
    pub(in crate::ui) kind: String,
    /// The time, as on the clock. `None` for a result without a time.
    pub(in crate::ui) time: Option<String>,
    /// Further words that find the result.
    pub(in crate::ui) keywords: String,
    pub(in crate::ui) command: Command,
}

/// The number of events, texts and labels of a recording that a search finds. Recordings can have
/// a hundred thousand events, and each result is formatted in every frame.
const MAX_MOMENTS: usize = 200;

impl SearchResult {
    pub(in crate::ui) fn new(name: String, kind: impl Into<String>, command: Command) -> Self {
        Self { name, kind: kind.into(), time: None, keywords: String::new(), command }
    }

    fn with_time(self, clock_time: f64) -> Self {
        Self { time: Some(display_text::format_clock_time(clock_time)), ..self }
    }
}

/// Returns all nodes of the recording in focus.
pub(in crate::ui) fn node_results(model: &Model<'_>) -> Vec<SearchResult> {
    let Some(clip) = model.clip() else { return Vec::new() };
    let result = |(id, node): (NodeId, &Node)| {
        let command = Command::View(ViewCommand::Select(Some(model.node(id))));
        let kind = clip.node_type_label(id);
        SearchResult::new(node.name.clone(), kind.unwrap_or("node".into()), command)
    };
    clip.nodes.with_ids().map(result).collect()
}

/// Returns the events, signals, labels and animations of the recording in focus that contain every
/// word of `search`.
pub(in crate::ui) fn find_moments_and_animations(
    model: &Model<'_>,
    search: &Search,
) -> Vec<SearchResult> {
    let Some(clip) = model.clip() else { return Vec::new() };
    let moments = model.timeline().into_iter().flat_map(|timeline| timeline.named_moments(clip));
    let mut words = String::new();
    let found = moments.filter(|moment| {
        words.clear();
        words.extend([moment.kind, " ", moment.text]);
        search.matches(&words)
    });
    let mut results: Vec<_> = found
        .take(MAX_MOMENTS)
        .map(|moment| {
            let time = model.to_clock_time(moment.time);
            let seek = Command::Time(TimeCommand::Seek(time));
            SearchResult::new(moment.text.to_owned(), moment.kind, seek).with_time(time)
        })
        .collect();
    if let (Some(open), Some(labels)) = (model.open(), model.labels()) {
        let found = labels.labels().iter().enumerate().filter(|(_, label)| {
            let tier = label.tier.as_deref().unwrap_or_default();
            search.matches(&format!("label {tier} {}", label.label))
        });
        results.extend(found.take(MAX_MOMENTS).map(|(index, label)| {
            let play = LabelCommand::Play { recording: open.entity, label: index };
            SearchResult::new(label.label.clone(), "label", Command::Label(play))
                .with_time(model.to_clock_time(label.start))
        }));
    }
    for variants in &clip.variants {
        let found = variants.names.iter().filter(|name| search.matches(name));
        results.extend(found.map(|name| {
            let command = model.choose_variant(variants.label, Some(name));
            SearchResult::new(name.clone(), variants.label.to_lowercase(), command)
        }));
    }
    results
}
