//! The keys before and after the current time, each with its location in the file.

use bevy_egui::egui::{FontId, Label, Rect, Response, RichText, Sense, Stroke, Ui};

use super::node::{format_exact, format_track_value};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model,
        style::Palette,
        widgets::{dim_text, heading, table},
    },
};
use mutoscope_core::{
    clip::{Clip, Extrapolation, KeyId, NodeId, Owner, Track, TrackId, Value},
    diagnostics::SourceLocation,
};

pub(super) fn keys_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, node: NodeId) {
    let time = model.time();
    let tracks: Vec<_> = clip.tracks_of(Owner::Node(node)).collect();
    if tracks.is_empty() {
        return;
    }
    let next = |track: &Track| track.curve.key_times().partition_point(|&key| key <= time);
    let mut table = |title, index: &dyn Fn(&Track) -> Option<usize>| {
        table_ui(ui, model, clip, title, &tracks, index);
    };
    table("Previous key", &|track| next(track).checked_sub(1));
    table("Next key", &|track| Some(next(track)));
    let extrapolation = dim_text(ui, format!("Extrapolation: {}", describe_extrapolation(&tracks)));
    ui.add_space(4.0);
    ui.label(extrapolation.small());
}

fn table_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    title: &str,
    tracks: &[(TrackId, &Track)],
    index: &dyn Fn(&Track) -> Option<usize>,
) {
    heading(ui, title);
    let keys = tracks.iter().filter_map(|&(id, track)| {
        let key = KeyId { track: id, index: index(track)? };
        track.curve.key_times().get(key.index).map(|&time| (track, key, time))
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        let none = dim_text(ui, "None");
        ui.label(none);
        return;
    }
    let (vectors, numbers): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(track, key, _)| {
        matches!(track.curve.key_value(key.index), Value::Numbers(_) | Value::Integers(_))
    });
    // The inspector is too narrow for a vector between the time and the location.
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 0.0;
        for (track, key, time) in vectors {
            let name_and_time = ui.horizontal(|ui| {
                name_and_time_ui(ui, model, clip, track, key, time);
                location_ui(ui, track, key.index);
            });
            let value = ui.horizontal(|ui| {
                ui.add_space(10.0);
                value_ui(ui, clip, track, key.index);
            });
            hover_row(
                ui,
                model,
                track,
                key,
                name_and_time.response.rect.union(value.response.rect),
            );
        }
    });
    if numbers.is_empty() {
        return;
    }
    table(title, 4).show(ui, |ui| {
        for (track, key, time) in numbers {
            let left = ui.cursor().left_top();
            name_and_time_ui(ui, model, clip, track, key, time);
            value_ui(ui, clip, track, key.index);
            let right = location_ui(ui, track, key.index);
            let row = Rect::from_min_max(left, right.rect.right_bottom());
            hover_row(ui, model, track, key, row);
            ui.end_row();
        }
    });
}

/// Marks the key on the timeline while the pointer is over its row, and the row while the pointer is
/// over the key on the timeline.
fn hover_row(ui: &Ui, model: &Model<'_>, track: &Track, key: KeyId, row: Rect) {
    let times = track.curve.key_times();
    let time = times[key.index];
    if ui.rect_contains_pointer(row) {
        model.send(Command::View(ViewCommand::Hover(Some(model.to_clock_time(time)))));
    }
    let next = times.get(key.index + 1).copied();
    if model.hovered_time().is_some_and(|at| time <= at && next.is_none_or(|next| at < next)) {
        mark_ui(ui, row);
    }
}

fn mark_ui(ui: &Ui, row: Rect) {
    let x = row.left() - 2.0;
    let stroke = Stroke::new(2.0, Palette::for_visuals(ui.visuals()).dim);
    ui.painter().vline(x, row.y_range(), stroke);
}

fn name_and_time_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    clip: &Clip,
    track: &Track,
    key: KeyId,
    time: f64,
) {
    let property = dim_text(ui, clip.property_label(&track.property)).small();
    let help = format!("Key {} of {}", key.index, track.curve.key_count());
    ui.label(property).on_hover_text(help);
    let select =
        clickable_ui(ui, &format!("{time:>8.3} s"), "Click to go there and select the key");
    if select.clicked() {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
}

fn value_ui(ui: &mut Ui, clip: &Clip, track: &Track, index: usize) {
    let value = track.curve.key_value(index);
    if clickable_ui(ui, &format_track_value(clip, track, &value), "Click to copy").clicked() {
        ui.ctx().copy_text(format_exact(&value));
    }
}

fn location_ui(ui: &mut Ui, track: &Track, index: usize) -> Response {
    let location = track.source.key_location(index);
    let color = Palette::for_visuals(ui.visuals()).dim;
    let text = RichText::new(first_byte(&location)).font(number_font()).color(color);
    let bytes = ui.add(Label::new(text).sense(Sense::click()).extend());
    let bytes = bytes.on_hover_text(format!("{location}\nClick to copy"));
    if bytes.clicked() {
        ui.ctx().copy_text(location.to_string());
    }
    bytes
}

fn number_font() -> FontId {
    FontId::monospace(11.5)
}

fn clickable_ui(ui: &mut Ui, text: &str, help: &str) -> Response {
    let text = RichText::new(text).font(number_font());
    ui.add(Label::new(text).sense(Sense::click()).extend()).on_hover_text(help)
}

fn first_byte(location: &SourceLocation) -> String {
    match location.first_byte() {
        Some(byte) => format!("{byte:#x}"),
        None => location.to_string(),
    }
}

pub(super) fn describe_extrapolation(tracks: &[(TrackId, &Track)]) -> String {
    let mut kinds: Vec<_> = Vec::new();
    for (_, track) in tracks {
        let (before, after) = track.curve.extrapolation();
        let text = if before == after {
            extrapolation_label(before).to_owned()
        } else {
            let (before, after) = (extrapolation_label(before), extrapolation_label(after));
            format!("{before} before, {after} after")
        };
        if !kinds.contains(&text) {
            kinds.push(text);
        }
    }
    kinds.join("; ")
}

fn extrapolation_label(extrapolation: Extrapolation) -> &'static str {
    match extrapolation {
        Extrapolation::Constant => "constant",
        Extrapolation::Linear { .. } => "linear",
        Extrapolation::Cycle => "cycle",
        Extrapolation::CycleWithOffset => "cycle with offset",
        Extrapolation::Oscillate => "ping-pong",
    }
}
