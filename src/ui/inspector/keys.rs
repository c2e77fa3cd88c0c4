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
    clip::{Clip, Extrapolation, KeyId, NodeId, Owner, Track, TrackId},
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
        table_ui(ui, model, title, &tracks, index);
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
    table(title, 4).show(ui, |ui| {
        for (track, key, time) in keys {
            let left = ui.cursor().left_top();
            let right = key_ui(ui, model, track, key, time);
            let row = Rect::from_min_max(left, right.rect.right_bottom());
            if ui.rect_contains_pointer(row) {
                model.send(Command::View(ViewCommand::Hover(Some(model.to_clock_time(time)))));
            }
            let next = track.curve.key_times().get(key.index + 1).copied();
            if model
                .hovered_time()
                .is_some_and(|at| time <= at && next.is_none_or(|next| at < next))
            {
                mark_ui(ui, row);
            }
            ui.end_row();
        }
    });
}

fn mark_ui(ui: &Ui, row: Rect) {
    let x = row.left() - 2.0;
    let stroke = Stroke::new(2.0, Palette::for_visuals(ui.visuals()).dim);
    ui.painter().vline(x, row.y_range(), stroke);
}

fn key_ui(ui: &mut Ui, model: &Model<'_>, track: &Track, key: KeyId, time: f64) -> Response {
    let palette = Palette::for_visuals(ui.visuals());
    let index = key.index;
    let Some(clip) = model.clip() else { return ui.label("") };
    let property = dim_text(ui, clip.property_label(&track.property)).small();
    ui.label(property).on_hover_text(format!("Key {index} of {}", track.curve.key_count()));

    let select =
        clickable_ui(ui, &format!("{time:>8.3} s"), "Click to go there and select the key");
    if select.clicked() {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
    let value = track.curve.key_value(index);
    if clickable_ui(ui, &format_track_value(clip, track, &value), "Click to copy").clicked() {
        ui.ctx().copy_text(format_exact(&value));
    }
    let location = track.source.key_location(index);
    let text = RichText::new(first_byte(&location)).font(number_font()).color(palette.dim);
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
